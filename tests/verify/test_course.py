"""The course as it stands: `autograded verify` finds nothing, and says what it saw.

A check removed: verify complains wherever that check is the one that is needed. In one file, since
the course is verified once in a process.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from support import command
from verify.conftest import Verified
from verify.removal import caught_alone, survivors_without, without


def trials(exercise: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [trial for trial in exercise["trials"] if trial["kind"] == kind]


def test_the_course_holds(verified: Verified) -> None:
    assert verified.done.returncode == 0, verified.done.stdout
    assert "The course holds" in verified.done.stdout
    assert verified.evidence["faults"] == []
    assert len(verified.evidence["exercises"]) == 16


def test_the_table_has_a_row_for_each_exercise(verified: Verified) -> None:
    for exercise in verified.evidence["exercises"]:
        name = exercise["exercise"].partition(".")[2]
        (row,) = [r for r in verified.done.stdout.splitlines() if r.strip().startswith(f"{name} ")]
        count = len(trials(exercise, "misconception"))
        assert f"{count}/{count}" in row


def test_every_misconception_is_caught_and_told_as_itself_alone(verified: Verified) -> None:
    for exercise in verified.evidence["exercises"]:
        for trial in trials(exercise, "misconception"):
            assert trial["failed"], (exercise["exercise"], trial["name"])
            assert trial["diagnosis"] == trial["ids"]


def test_right_code_passes_and_is_told_nothing(verified: Verified) -> None:
    for exercise in verified.evidence["exercises"]:
        right = trials(exercise, "alternative")
        assert len(right) >= 8, exercise["exercise"]
        for trial in (*right, *trials(exercise, "switched-off")):
            assert (trial["failed"], trial["diagnosis"]) == ([], [])


def test_answers_that_take_no_thought_earn_nothing(verified: Verified) -> None:
    for exercise in verified.evidence["exercises"]:
        blanks = trials(exercise, "blank")
        assert [trial["name"] for trial in blanks] == ["None", "zeros", "ones"]
        assert not any(trial["passed"] for trial in blanks), exercise["exercise"]


def test_four_in_five_pairs_are_told_as_both(verified: Verified) -> None:
    told = due = 0
    for exercise in verified.evidence["exercises"]:
        pairs = [t for t in trials(exercise, "pair") if t["failed"] and t["distinct"]]
        mine = sum(sorted(t["diagnosis"]) == sorted(t["ids"]) for t in pairs)
        assert mine >= 0.8 * len(pairs), exercise["exercise"]
        told, due = told + mine, due + len(pairs)
    assert due > 1000
    assert told >= 0.95 * due


def test_every_check_catches_something(verified: Verified) -> None:
    for exercise in verified.evidence["exercises"]:
        for check in exercise["checks"]:
            assert check["caught"], (exercise["exercise"], check["name"])


def test_verify_leaves_no_seed_behind(verified: Verified) -> None:
    assert not (verified.root / "classroom").exists()


def test_killed_it_leaves_no_process_behind(course: Path) -> None:
    verifying = subprocess.Popen([sys.executable, "-m", "autograded", "verify"], cwd=course)
    started: list[psutil.Process] = []
    while len(started) < 4:  # the server that forks, two workers, and whatever confines
        assert verifying.poll() is None
        time.sleep(0.5)
        started = psutil.Process(verifying.pid).children(recursive=True)

    verifying.kill()
    verifying.wait()

    _, alive = psutil.wait_procs(started, timeout=60)
    assert alive == []


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
