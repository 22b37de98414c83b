"""A result document in the forms other graders' platforms read."""

from __future__ import annotations

import base64
import json
from typing import Any

from autograded.grading.results import ExerciseResult, Result


def document(result: Result, form: str) -> dict[str, Any]:
    """Return the result in the form of Gradescope's results.json or GitHub Classroom's."""
    return gradescope(result) if form == "gradescope" else github_classroom(result)


def gradescope(result: Result) -> dict[str, Any]:
    """Gradescope's `results.json`: one test an exercise, all visible, so that the total is too."""
    return {
        "score": result.score,
        "output": result.problem or "",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "submission_sha256": result.submission_sha256,
            "sandbox": result.sandbox,
            "flags": [flag.model_dump() for flag in result.flags],
        },
        "tests": [
            {
                "score": exercise.score,
                "max_score": exercise.max_score,
                "status": "passed" if exercise.score >= exercise.max_score else "failed",
                "name": exercise.id,
                "number": str(number),
                "output": _text(exercise),
                "output_format": "text",
                "visibility": "visible",
            }
            for number, exercise in enumerate(result.exercises, start=1)
        ],
    }


def github_classroom(result: Result) -> dict[str, Any]:
    """GitHub Classroom's result, version 3; one test an exercise.

    GitHub takes whole numbers only for `max_score`, and the tests' scores must add up to the
    total, so each test carries its exercise's points as they are.
    """
    passed = all(e.score >= e.max_score for e in result.exercises)
    return {
        "version": 3,
        "status": "pass" if passed and result.exercises else "fail",
        "max_score": round(result.max_score),
        "tests": [
            {
                "name": exercise.id,
                "status": "pass" if exercise.score >= exercise.max_score else "fail",
                "message": _text(exercise),
                "score": exercise.score,
                "task_id": number,
                "filename": f"{result.assignment}.ipynb",
                "line_no": 0,
                "duration": 0,
                "output": "",
            }
            for number, exercise in enumerate(result.exercises, start=1)
        ],
    }


def github_payload(result: Result) -> str:
    """The document as GitHub Classroom takes it: base64 of its JSON."""
    return base64.b64encode(json.dumps(github_classroom(result)).encode()).decode()


def _text(exercise: ExerciseResult) -> str:
    lines = []
    for check in exercise.checks:
        lines.append(f"{'✓' if check.passed else '✗'} {check.title}")
        lines += [f"    {line}" for line in check.message.splitlines()]
    lines += [f"→ {found.message}" for found in exercise.diagnosis]
    return "\n".join(lines)
