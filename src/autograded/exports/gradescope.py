"""Gradescope's `results.json`.

Fields as https://gradescope-autograders.readthedocs.io/en/latest/specs/ has them.
"""

from __future__ import annotations

from typing import Any

from autograded.exports.results import Outcome
from autograded.i18n import _


def gradescope(outcome: Outcome, seconds: float | None = None) -> dict[str, Any]:
    """The document: one test an exercise, all visible, since one hidden test hides the total.

    `score` stands at the top because it counts there: tests do not know of a late penalty.

    Args:
        outcome: what grading came to, and the gradebook when it was asked.
        seconds: how long grading took, when that is known.
    """
    result = outcome.result
    document: dict[str, Any] = {
        "score": outcome.score,
        "output": "\n".join((*outcome.notes, *_confinement(outcome))),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "assignment": outcome.assignment,
            "late_penalty": outcome.penalty,
            "submission_sha256": result.submission_sha256 if result else None,
            "sandbox": result.sandbox if result else None,
            "flags": [flag.model_dump() for flag in result.flags] if result else [],
            "repairs": [repair.model_dump() for repair in result.repairs] if result else [],
        },
        "tests": [
            {
                "score": part.score,
                "max_score": part.max_score,
                "status": "passed" if part.passed else "failed",
                "name": part.name,
                "number": str(number),
                "output": part.text,
                "output_format": "text",
                "visibility": "visible",
            }
            for number, part in enumerate(outcome.parts, start=1)
        ],
    }
    if seconds is not None:
        document["execution_time"] = round(seconds, 3)
    return document


def _confinement(outcome: Outcome) -> list[str]:
    if outcome.result is None or outcome.result.sandbox != "off":
        return []
    return [_("Graded without confinement (sandbox off).")]
