"""What grading writes into a notebook: outputs into the cells it ran, scores into grade cells.

nbgrader reads a score back from the outputs of a grade cell, and gives full marks to most things
it does not understand. So a grade cell gets exactly one `execute_result`, a plain number, written
here and never by student code. What explains it stands beside it as `display_data`, which nbgrader
does not read.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from nbformat import ValidationError, validate
from nbformat.v4 import new_output

from autograded.course import FeedbackLevel
from autograded.gradebook.safety import safe_data
from autograded.grading.results import CheckResult, ExerciseResult, message_for_student
from autograded.i18n import _
from autograded.sandbox.program import CellRun

_MOST = 10_000
"""Characters of one message that are kept."""

# Anything a terminal or a browser might obey, other than line ends and tabs.
_CONTROL = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)

_GOOD, _BAD = "#2e9e5b", "#d9534f"  # legible on white and on near-black
_BOX = (
    "border:1px solid rgba(128,128,128,.45);border-radius:6px;padding:.6em .9em;margin:.4em 0;"
    "line-height:1.5"
)
_PRE = "margin:.2em 0 .6em 1.4em;white-space:pre-wrap;overflow-wrap:anywhere;background:none"


def score_text(score: float, points: float) -> str:
    """The score as nbgrader takes it for nothing else: a plain float from 0 to `points`."""
    if not math.isfinite(score) or score <= 0:
        return "0.0"
    return repr(min(round(float(score), 4), float(points)))


def plain(text: str) -> str:
    """Student-controlled text without control characters, valid as UTF-8, at most `_MOST` long."""
    text = _CONTROL.sub("", text).encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= _MOST else text[:_MOST] + " …"


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
    score = 0.0 if exercise is None else exercise.score
    number = new_output(
        "execute_result", data={"text/plain": score_text(score, points)}, execution_count=None
    )
    told = _told([] if exercise is None else exercise.checks, level)
    diagnosis = [] if exercise is None or level == "names" else exercise.diagnosis
    mistakes = [plain(found.message) for found in diagnosis]
    name = "" if exercise is None else exercise.id
    heading = _("{exercise}: {score} of {points} points").format(
        exercise=name, score=f"{float(score_text(score, points)):g}", points=f"{points:g}"
    )
    data = {
        "text/html": _html(heading, told, mistakes, problem),
        "text/plain": _text(heading, told, mistakes, problem),
    }
    return [number, new_output("display_data", data=data)]


class _Told:
    """Checks with the same message, which is said once below them."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.checks: list[tuple[bool, str]] = []


def _told(checks: Sequence[CheckResult], level: FeedbackLevel) -> list[_Told]:
    groups: list[_Told] = []
    for check in checks:
        message = plain(message_for_student(check, level))
        if not groups or groups[-1].message != message:
            groups.append(_Told(message))
        groups[-1].checks.append((check.passed, plain(check.title)))
    return groups


def _text(heading: str, told: Sequence[_Told], mistakes: Sequence[str], problem: str | None) -> str:
    lines = [heading]
    if problem:
        lines.append(plain(problem))
    for group in told:
        lines += [f"{'✓' if passed else '✗'} {title}" for passed, title in group.checks]
        lines += [f"    {line}" for line in group.message.splitlines()]
    lines += [f"→ {mistake}" for mistake in mistakes]
    return "\n".join(lines)


def _html(heading: str, told: Sequence[_Told], mistakes: Sequence[str], problem: str | None) -> str:
    parts = [f'<div style="{_BOX}">', f"<strong>{_escaped(heading)}</strong>"]
    if problem:
        parts.append(f"<div>{_escaped(plain(problem))}</div>")
    for group in told:
        for passed, title in group.checks:
            mark, colour = ("✓", _GOOD) if passed else ("✗", _BAD)
            parts.append(f'<div><span style="color:{colour}">{mark}</span> {_escaped(title)}</div>')
        if group.message:
            parts.append(f'<pre style="{_PRE}">{_escaped(group.message)}</pre>')
    parts += [f"<div>→ {_escaped(mistake)}</div>" for mistake in mistakes]
    return "".join([*parts, "</div>"])


def _escaped(text: str) -> str:
    # Dollar signs would be read as formulas by MathJax, backticks mean nothing in HTML.
    return html.escape(text).replace("$", "&#36;")


def cell_outputs(run: CellRun) -> list[Any]:
    """The outputs of a cell that ran: those nbformat knows, in forms that are safe to show."""
    outputs = [_shown(output) for output in map(_cleaned, run.outputs) if _is_valid(output)]
    if run.error and not any(output["output_type"] == "error" for output in outputs):
        name, _colon, value = plain(run.error).partition(": ")
        outputs.append(new_output("error", ename=name, evalue=value, traceback=[plain(run.error)]))
    return outputs


def _shown(output: Any) -> Any:
    if output["output_type"] not in ("display_data", "execute_result"):
        return output
    return {**output, "data": safe_data(output["data"]), "metadata": {}}


def _cleaned(value: Any) -> Any:
    """A copy that can be written as UTF-8, whatever the student's strings hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value


def _is_valid(output: Any) -> bool:
    try:
        validate(output, ref="output", version=4, version_minor=5)
    except ValidationError:
        return False
    return True
