"""What a student repository's workflow runs: the public checks, as outputs of a workflow step.

Every exercise is checked in a process of its own and ends within a time limit, so that a loop that
never ends costs one exercise. Standard output gets lines for `$GITHUB_OUTPUT`, standard error what
people read.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograded.errors import AutogradedError
from autograded.exports.github import step_outputs
from autograded.exports.results import Outcome, Part
from autograded.i18n import _, say, use
from autograded.public import PublicAssignment, PublicExercise
from autograded.reports.table import plain

SECONDS = 60
_MODULE = "autograded.exports.github_run"


def outcome(folder: Path) -> Outcome:
    """Run the public checks in `folder` on the work beside them.

    Raises:
        CourseError: the folder holds no assignment.
    """
    assignment = PublicAssignment.load(folder)
    with use(assignment.language):
        parts = [
            _part(folder, assignment, exercise)
            for exercise in assignment.exercises
            if exercise.graded_by == "checks"
        ]
    return Outcome(assignment.id, parts)


def _part(folder: Path, assignment: PublicAssignment, exercise: PublicExercise) -> Part:
    name = exercise.id_in(assignment.id)
    checks, fault = _checks(folder, exercise.name)
    total = sum(check["weight"] for check in checks)
    earned = sum(check["weight"] for check in checks if check["passed"])
    lines = [fault] if fault else []
    for check in checks:
        title = check["title"][assignment.language]
        lines.append(f"{'✓' if check['passed'] else '✗'} {plain(title)}")
        message = "" if check["passed"] else plain(str(check.get("message", "")))
        lines += [f"    {line}" for line in message.splitlines()]
    score = round(exercise.points * earned / total, 4) if total else 0.0
    return Part(name, score, exercise.points, "\n".join(lines))


def _checks(folder: Path, exercise: str) -> tuple[list[dict[str, Any]], str]:
    """The checks of an exercise, or why there are none."""
    with tempfile.TemporaryDirectory() as place:
        answer = Path(place) / "checks.json"
        command = [sys.executable, "-m", _MODULE, str(folder), exercise, str(answer)]
        try:
            # Whatever the work prints goes to people, never between the results.
            subprocess.run(command, stdout=sys.stderr, timeout=SECONDS, check=False)
            return list(json.loads(answer.read_bytes())), ""
        except subprocess.TimeoutExpired:
            sentence = _("no answer after {seconds} seconds: does a loop never end?")
            return [], sentence.format(seconds=SECONDS)
        except (OSError, ValueError):
            return [], _("The checks ended without a result.")


def _child(folder: Path, exercise: str, answer: Path) -> None:
    """Check one exercise; runs in a process of its own, with the student's code."""
    from autograded.grading.doors import LearnerDoor
    from autograded.grading.run import run_public_checks

    assignment = PublicAssignment.load(folder)
    name = assignment.exercise(exercise).id_in(assignment.id)
    found = run_public_checks(folder, LearnerDoor(), [name])
    answer.write_text(json.dumps(found), encoding="utf-8")


def main() -> int:
    """Check the folder that is named, and write the step's outputs."""
    folder = Path(sys.argv[1]).resolve()
    if len(sys.argv) > 2:
        _child(folder, sys.argv[2], Path(sys.argv[3]))
        return 0
    try:
        found = outcome(folder)
    except AutogradedError as error:
        print(f"autograded: {error}", file=sys.stderr)
        return 1
    assignment = PublicAssignment.load(folder)
    with use(assignment.language):
        print(say(assignment.title), file=sys.stderr)
        for part in found.parts:
            print(f"{part.name}: {part.score:g}/{part.max_score:g}", file=sys.stderr)
            print(part.text, file=sys.stderr)
        sys.stdout.write(step_outputs(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
