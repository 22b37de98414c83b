"""Each check removed in turn: verify complains wherever that check is the one that is needed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from autograded.course import Course
from autograded.verify.course import pool
from autograded.verify.judge import judge
from autograded.verify.trials import try_exercise
from support import command
from verify.conftest import Verified

SURVIVES = re.compile(r"misconception (\S+) survives")


def without(root: Path, target: Path, exercise: str, check: str) -> Path:
    """Copy the course, with one check of one exercise left out."""
    for folder in ("exercises", "graders"):
        shutil.copytree(
            root / folder, target / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(root / "course.yml", target)
    assignment, _, name = exercise.partition(".")
    path = target / "graders" / assignment / f"test_{name}.py"
    text, count = re.subn(
        rf"^def {check}\(", f"def left_out_{check}(", path.read_text("utf-8"), flags=re.MULTILINE
    )
    assert count == 1
    path.write_text(text, encoding="utf-8")
    return target


def survivors(root: Path, exercise: str) -> set[str]:
    """The misconceptions that verify says survive in an exercise."""
    tried = try_exercise(root, exercise, "tests", False)
    faults = judge(Course.load(root / "course.yml"), tried).faults
    return {found[1] for fault in faults if (found := SURVIVES.search(str(fault)))}


def test_each_check_in_turn(verified: Verified, tmp_path: Path) -> None:
    # A misconception that one check alone fails must survive without it, and no other may.
    due = {
        (exercise["exercise"], check["name"]): set(check["alone"])
        for exercise in verified.evidence["exercises"]
        for check in exercise["checks"]
    }
    # A process of its own for each copy: pytest imports a grader once and keeps it.
    with pool(tasks_each=1) as workers:
        futures = {}
        for number, (exercise, check) in enumerate(due):
            copy = without(verified.root, tmp_path / str(number), exercise, check)
            futures[exercise, check] = workers.submit(survivors, copy, exercise)
        found = {key: future.result() for key, future in futures.items()}

    assert found == due
    assert sum(map(bool, due.values())) >= 20


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
