"""GitHub Classroom's result of a grader, version 3.

Its reporter (github.com/classroom-resources/autograding-grading-reporter) works a total out twice:
it shows the share of passed tests × `max_score`, and reports the sum of the tests' scores. Both
agree only when every test is worth the same. So an exercise becomes as many tests as it has units,
a unit being the largest share of a point in which all its points, and all points earned, are whole.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from autograded.exports.results import Outcome, Part

_MOST_TESTS = 720
"""A step's output is passed on in an environment variable, which may hold 128 KiB."""

_ROUNDED = Fraction(1, 10_000)
"""Scores have four digits."""

_LONGEST = 2_000


def github_classroom(outcome: Outcome) -> dict[str, Any]:
    """The whole submission as one grader's result."""
    result = outcome.result
    return result_document(
        outcome.parts,
        file=f"{outcome.assignment}.ipynb",
        penalty=outcome.penalty,
        notes=outcome.notes,
        unreadable=result is not None and result.problem is not None,
    )


def result_document(
    parts: Sequence[Part],
    *,
    file: str,
    penalty: float = 0.0,
    notes: Sequence[str] = (),
    unreadable: bool = False,
    factor: int | None = None,
) -> dict[str, Any]:
    """A grader's result whose two totals agree.

    Points that are no whole numbers of units are rounded to the nearest; this happens with manual
    scores and penalties of odd fractions only. Points above the maximum are left out, and a
    penalty is taken off the last tests.

    Args:
        parts: the exercises, with at least one point together.
        file: where the student's work is.
        penalty: points to take off.
        notes: what to say about the whole; it stands with the first test.
        unreadable: whether the work could not be read at all.
        factor: what to count all points in, where several results are to be added; the smallest
            that makes `max_score` whole by default.
    """
    points = [_fraction(part.max_score) for part in parts]
    whole = lcm(*(point.denominator for point in [*points, sum(points, Fraction())]))
    # `max_score` must be a whole number: points such as 2.5 are counted in halves.
    factor = factor or sum(points, Fraction()).denominator
    earned = _less(
        penalty, [min(_fraction(p.score), m) for p, m in zip(parts, points, strict=True)]
    )
    units = _units(whole, points, earned)
    tests: list[dict[str, Any]] = []
    for part, point, got in zip(parts, points, earned, strict=True):
        count = int(point * units)
        passed = min(count, round(got * units))
        for index in range(count):
            text = part.text if index == min(passed, count - 1) else ""
            if notes and not tests:
                text = "\n".join(filter(None, (*notes, text)))
            ok = index < passed
            tests.append(
                {
                    "name": f"{part.name} ({index + 1}/{count})" if count > 1 else part.name,
                    "status": "pass" if ok else "error" if unreadable else "fail",
                    "message": text[:_LONGEST],
                    "score": float(Fraction(factor, units)) if ok else 0.0,
                    "task_id": len(tests) + 1,
                    "filename": file,
                    "line_no": 0,
                    "duration": 0,
                    "output": "",
                }
            )
    every = bool(tests) and all(test["status"] == "pass" for test in tests)
    return {
        "version": 3,
        "status": "error" if unreadable else "pass" if every else "fail",
        "max_score": int(sum(points, Fraction()) * factor),
        "tests": tests,
    }


def encoded(document: dict[str, Any]) -> str:
    """A document as a workflow step hands it on: base64 of its JSON."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(text.encode()).decode()


def step_outputs(outcome: Outcome) -> str:
    """Lines for `$GITHUB_OUTPUT`: every exercise a result of its own, by the exercise's name."""
    lines = []
    factor = lcm(*(_fraction(part.max_score).denominator for part in outcome.parts))
    for part in outcome.parts:
        document = result_document(
            [part], file=f"{outcome.assignment}.py", notes=outcome.notes, factor=factor
        )
        lines.append(f"{part.name.rpartition('.')[2]}={encoded(document)}\n")
    return "".join(lines)


def _fraction(value: float) -> Fraction:
    """A number of points as somebody wrote it down: 0.1 is a tenth; 2.3333 is 7/3."""
    exact = Fraction(str(round(value, 4)))
    simple = exact.limit_denominator(100)
    return simple if abs(simple - exact) <= _ROUNDED else exact


def _less(penalty: float, earned: list[Fraction]) -> list[Fraction]:
    left = _fraction(penalty)
    less = []
    for got in reversed(earned):
        off = min(left, max(got, Fraction()))
        left -= off
        less.append(max(got, Fraction()) - off)
    return less[::-1]


def _units(whole: int, points: Sequence[Fraction], earned: Sequence[Fraction]) -> int:
    """Units in a point: as few as make all points whole, and no more than a step can tell."""
    exact = lcm(whole, *(got.denominator for got in earned))
    most = max(whole, int(_MOST_TESTS / max(sum(points, Fraction()), Fraction(1))))
    return exact if exact <= most else most - most % whole
