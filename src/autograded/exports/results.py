"""A submission's result as other platforms need it: tests with points and a text for the student.

Without a gradebook the points are those of the checks. With one they are the gradebook's: what a
person wrote wins, written answers are there, and what being late costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from autograded.course import FeedbackLevel
from autograded.errors import AutogradedError
from autograded.grading.results import CheckResult, ExerciseResult, Result, message_for_student
from autograded.i18n import _
from autograded.reports.table import plain
from autograded.submissions.files import content_of

if TYPE_CHECKING:
    from autograded.exports.grades import CellGrade, Graded

_SAME = 1e-3


@dataclass(frozen=True)
class Part:
    """One exercise as a test of another platform: its points, and what to tell the student."""

    name: str
    score: float
    max_score: float
    text: str

    @property
    def passed(self) -> bool:
        """Whether it has all its points."""
        return self.score >= self.max_score


@dataclass(frozen=True)
class Outcome:
    """A submission's parts and what there is to say about the whole.

    `score` is the sum of the parts less the penalty, and not below 0.
    """

    assignment: str
    parts: Sequence[Part]
    penalty: float = 0.0
    notes: Sequence[str] = ()
    result: Result | None = None

    @property
    def score(self) -> float:
        """The points that count."""
        return max(0.0, round(sum(part.score for part in self.parts) - self.penalty, 4))

    @property
    def max_score(self) -> float:
        """The points there are."""
        return round(sum(part.max_score for part in self.parts), 4)


def outcome_of(result: Result, level: FeedbackLevel) -> Outcome:
    """The outcome of grading alone.

    Args:
        result: the result document.
        level: how much a student may see.
    """
    parts = [
        Part(exercise.id, exercise.score, exercise.max_score, _text(exercise, level))
        for exercise in result.exercises
    ]
    notes = [result.problem] if result.problem else []
    return Outcome(result.assignment, parts, notes=notes, result=result)


def merged(assignment: str, result: Result | None, grade: Graded, level: FeedbackLevel) -> Outcome:
    """The outcome that the gradebook knows, with the result document's texts where they fit.

    A document of another grading than the gradebook's (`nbgrader autograde` writes none) has
    other points; its texts are then left out.
    """
    parts = [_part(assignment, result, cell, level) for cell in _in_order(grade, result)]
    notes = [result.problem] if result and result.problem else []
    if grade.penalty:
        sentence = _("Handed in late: {points} points were taken off.")
        notes.append(sentence.format(points=f"{grade.penalty:g}"))
    return Outcome(assignment, parts, min(grade.penalty, grade.raw_score), notes, result)


def _in_order(grade: Graded, result: Result | None) -> list[CellGrade]:
    """The graded cells in the order of the exercises; what a person grades comes last."""
    order = [exercise.id.partition(".")[2] for exercise in result.exercises] if result else []

    def place(cell: CellGrade) -> int:
        name = _exercise(cell)
        return order.index(name) if name in order else len(order)

    return sorted(grade.cells, key=place)


def _exercise(cell: CellGrade) -> str:
    return cell.name.removesuffix("-check")


def _part(assignment: str, result: Result | None, cell: CellGrade, level: FeedbackLevel) -> Part:
    name = f"{assignment}.{_exercise(cell)}"
    exercise = result.exercise(name) if result is not None else None
    texts = []
    if cell.waits and cell.by_person:
        texts.append(_("A person gave these points before, and has to look again."))
    elif cell.waits:
        texts.append(_("Not graded by a person yet."))
    elif cell.by_person:
        texts.append(_("Graded by a person."))
    if exercise is not None and abs((cell.auto_score or 0.0) - exercise.score) <= _SAME:
        texts.append(_text(exercise, level))
    return Part(name, cell.score, cell.max_score, "\n".join(texts))


def _text(exercise: ExerciseResult, level: FeedbackLevel) -> str:
    if exercise.excused is not None:
        return plain(exercise.excused)
    lines = []
    for check in exercise.checks:
        lines.append(f"{'✓' if check.passed else '✗'} {plain(check.title)}")
        message = plain(message_for_student(check, level))
        lines += [f"    {line}" for line in message.splitlines()]
    if level != "names":
        lines += [f"→ {plain(found.message)}" for found in exercise.diagnosis]
    return "\n".join(lines)


def worth(exercise: ExerciseResult, check: CheckResult) -> float:
    """The points of one check: its share of the exercise's, by weight."""
    total = sum(one.weight for one in exercise.checks)
    return round(exercise.max_score * check.weight / total, 6) if total > 0 else 0.0


def read(path: Path, assignment: str) -> Result:
    """Read a result document.

    Raises:
        AutogradedError: it cannot be read, is damaged, or is another assignment's.
    """
    try:
        result = Result.model_validate_json(content_of(path))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise AutogradedError(
            f"{path} is damaged ({where}: {first['msg']}): grade again with --force."
        ) from None
    if result.assignment != assignment:
        raise AutogradedError(f"{path} is a result of {result.assignment}.")
    return result


def documents(folder: Path, assignment: str) -> Iterator[tuple[str, Result | AutogradedError]]:
    """The result documents of an assignment by student, sorted; a fault in the place of one.

    Args:
        folder: classroom/results.
        assignment: the assignment's name.
    """
    for path in sorted((folder / assignment).glob("*.json")):
        if not path.name.startswith("."):
            try:
                yield path.stem, read(path, assignment)
            except AutogradedError as error:
                yield path.stem, error
