"""What grading writes into a notebook: outputs into the cells it ran, scores into grade cells.

nbgrader reads a score back from the outputs of a grade cell, and gives full marks to most things
it does not understand. So a grade cell gets exactly one `execute_result`, a plain number, written
here and never by student code. What explains it stands beside it as `display_data`, which nbgrader
does not read.
"""

from __future__ import annotations

import math
from typing import Any

from nbformat import ValidationError, from_dict, validate
from nbformat.v4 import new_output

from autograded.course import FeedbackLevel
from autograded.gradebook.safety import safe_data
from autograded.grading.results import ExerciseResult, message_for_student
from autograded.reports.table import Row, Table, plain
from autograded.sandbox.program import CellRun
from autograded.text import cleaned


def score_text(score: float, points: float) -> str:
    """The score as nbgrader takes it for nothing else: a plain float from 0 to `points`."""
    if not math.isfinite(score) or score <= 0:
        return "0.0"
    return repr(min(round(float(score), 4), float(points)))


def grade_outputs(
    exercise: ExerciseResult | None,
    points: float,
    level: FeedbackLevel,
    problem: str | None = None,
) -> list[Any]:
    """The outputs of one grade cell.

    Args:
        exercise: the exercise's part of the result; None when it has none, which is 0.
        points: the cell's points.
        level: how much the student sees.
        problem: why the submission as a whole could not be read, if so.
    """
    number = score_text(0.0 if exercise is None else exercise.score, points)
    told = exercise is not None and level != "names"
    table = Table(
        heading="" if exercise is None else exercise.id,
        rows=[
            Row(check.title, check.passed, message_for_student(check, level))
            for check in (exercise.checks if exercise and not exercise.excused else [])
        ],
        score=float(number),
        max_score=points,
        diagnosis=[found.message for found in exercise.diagnosis] if exercise and told else [],
        notes=[note for note in (problem, exercise and exercise.excused) if note],
    )
    return [
        _output("execute_result", {"text/plain": number}, execution_count=None),
        _output("display_data", {"text/html": table.to_html(), "text/plain": table.to_text()}),
    ]


def _output(kind: str, data: dict[str, str], **more: Any) -> Any:
    # nbformat's new_output would validate it again each time, which takes milliseconds.
    return from_dict({"output_type": kind, "metadata": {}, "data": data, **more})


def cell_outputs(run: CellRun) -> list[Any]:
    """The outputs of a cell that ran: those nbformat knows, in forms that are safe to show."""
    outputs = [_shown(output) for output in map(cleaned, run.outputs) if _is_valid(output)]
    if run.error and not any(output["output_type"] == "error" for output in outputs):
        name, _colon, value = plain(run.error).partition(": ")
        outputs.append(new_output("error", ename=name, evalue=value, traceback=[plain(run.error)]))
    return outputs


def _shown(output: Any) -> Any:
    if output["output_type"] not in ("display_data", "execute_result"):
        return output
    return {**output, "data": safe_data(output["data"]), "metadata": {}}


def _is_valid(output: Any) -> bool:
    try:
        validate(output, ref="output", version=4, version_minor=5)
    except ValidationError:
        return False
    return True
