"""Leaves checks out of the course, and asks verify what survives then: `make removal`.

    cd tests && python -m verify.removal evidence.json

`autograded verify --json evidence.json` says of each check which misconceptions it alone catches.
Every check is left out in turn: those, and no other, must survive.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograded.course import Course
from autograded.verify.course import pool
from autograded.verify.judge import judge
from autograded.verify.trials import try_exercise
from support import ROOT

SURVIVES = re.compile(r"misconception (\S+) survives")
Checks = Mapping[tuple[str, str], set[str]]
"""For a check, as (exercise, name), the misconceptions that only it catches."""


def caught_alone(evidence: Mapping[str, Any]) -> Checks:
    """What verify's evidence says of each check."""
    return {
        (exercise["exercise"], check["name"]): set(check["alone"])
        for exercise in evidence["exercises"]
        for check in exercise["checks"]
    }


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


def survivors_without(root: Path, place: Path, checks: Checks) -> Checks:
    """Leave out each of `checks` in turn; what survives then."""
    # A process of its own for each copy: pytest imports a grader once and keeps it.
    with pool(tasks_each=1) as workers:
        futures = {}
        for number, (exercise, check) in enumerate(checks):
            copy = without(root, place / str(number), exercise, check)
            futures[exercise, check] = workers.submit(survivors, copy, exercise)
        return {key: future.result() for key, future in futures.items()}


def main() -> int:
    """Leave out every check of the course."""
    due = caught_alone(json.loads(Path(sys.argv[1]).read_bytes()))
    with tempfile.TemporaryDirectory() as place:
        found = survivors_without(ROOT, Path(place), due)
    wrong = {key for key in due if found[key] != due[key]}
    for exercise, check in sorted(wrong):
        print(f"{exercise}, {check}: {found[exercise, check]}, not {due[exercise, check]}")
    print(f"{len(due)} checks left out in turn, {len(wrong)} not as the evidence says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
