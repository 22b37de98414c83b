"""A check removed: verify complains wherever that check is the one that is needed."""

from __future__ import annotations

import shutil
from pathlib import Path

from support import command
from verify.conftest import Verified
from verify.removal import caught_alone, survivors_without, without


def test_a_check_of_each_exercise(verified: Verified, tmp_path: Path) -> None:
    # A misconception that one check alone fails must survive without it, and no other may.
    # Of each exercise the check that is needed most; `make removal` takes all of them.
    alone = caught_alone(verified.evidence)
    most = {key[0]: key for key in sorted(alone, key=lambda key: (len(alone[key]), key))}
    due = {key: alone[key] for key in most.values()}

    assert survivors_without(verified.root, tmp_path, due) == due
    assert sum(map(bool, due.values())) >= 10


def test_the_command_says_so(verified: Verified, tmp_path: Path) -> None:
    exercise, check, alone = next(
        (exercise["exercise"], check["name"], check["alone"])
        for exercise in verified.evidence["exercises"]
        for check in exercise["checks"]
        if exercise["exercise"].startswith("pitfalls.") and check["alone"]
    )
    course = without(verified.root, tmp_path / "course", exercise, check)
    shutil.copytree(verified.root / "solutions", course / "solutions")

    done = command("autograded", "verify", "--only", "pitfalls", "--no-pairs", cwd=course)

    assert done.returncode == 1
    for name in alone:
        assert f"✗ {exercise}: misconception {name} survives" in done.stdout
