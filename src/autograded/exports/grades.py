"""The grades of a class as nbgrader's gradebook has them, in a few queries an assignment.

What a person wrote wins: manual scores stand in the place of automatic ones, extra credit is added,
and late penalties are taken off, down to 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from nbgrader.api import Student as Row

from autograded.collecting.roster import FILE, Roster, Student
from autograded.course import Course
from autograded.errors import AutogradedError


@dataclass(frozen=True)
class CellGrade:
    """One graded cell of a submission.

    Attributes:
        name: its grade id.
        score: what counts: the manual score, else the automatic one, and extra credit on top.
        max_score: its points.
        auto_score: what the checks gave; None for an answer that a person grades.
        by_person: whether a person set the score or added to it.
        waits: whether a person still has to grade it.
    """

    name: str
    score: float
    max_score: float
    auto_score: float | None
    by_person: bool
    waits: bool


@dataclass(frozen=True)
class Graded:
    """One graded submission.

    Attributes:
        student: the student's id.
        timestamp: when it was handed in, in UTC without a zone; None when that is not known.
        cells: its graded cells, in the order of the gradebook.
        penalty: points taken off for being late.
        max_score: the points of the assignment.
    """

    student: str
    timestamp: datetime | None
    cells: tuple[CellGrade, ...]
    penalty: float
    max_score: float

    @property
    def raw_score(self) -> float:
        """The points before the penalty."""
        return round(sum(cell.score for cell in self.cells), 6)

    @property
    def score(self) -> float:
        """The points that count."""
        return max(0.0, round(self.raw_score - self.penalty, 6))

    @property
    def waits(self) -> bool:
        """Whether a person still has to grade part of it."""
        return any(cell.waits for cell in self.cells)


def chosen(gradebook: Gradebook, wanted: Iterable[str]) -> list[str]:
    """The names of the wanted assignments, of all when none is named.

    Raises:
        AutogradedError: the gradebook does not know one of them.
    """
    known = [assignment.name for assignment in gradebook.assignments]
    names = list(dict.fromkeys(wanted))
    for name in names:
        if name not in known:
            raise AutogradedError(
                f"The gradebook does not know {name}; it has: {', '.join(known) or 'nothing'}. "
                "Run `autograded build` first."
            )
    return names or known


def graded(
    gradebook: Gradebook, assignment: str, students: Sequence[str] = ()
) -> dict[str, Graded]:
    """The graded submissions of an assignment by student; of `students` only, when some are named.

    Raises:
        AutogradedError: the gradebook does not know the assignment.
    """
    chosen(gradebook, [assignment])
    points = max_scores(gradebook).get(assignment, 0.0)
    cells: dict[str, list[CellGrade]] = defaultdict(list)
    for student, cell in _cells(gradebook, assignment):
        cells[student].append(cell)
    found = {}
    select = (
        sa.select(
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            sa.func.coalesce(sa.func.sum(SubmittedNotebook.late_submission_penalty), 0.0),
        )
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .where(Assignment.name == assignment)
        .group_by(SubmittedAssignment.student_id, SubmittedAssignment.timestamp)
        .order_by(SubmittedAssignment.student_id)
    )
    for student, timestamp, penalty in gradebook.db.execute(select):
        if not students or student in students:
            found[student] = Graded(
                student, timestamp, tuple(cells[student]), float(penalty), points
            )
    return found


def max_scores(gradebook: Gradebook) -> dict[str, float]:
    """The points of each assignment, written answers included."""
    cell = BaseCell.__table__
    totals: dict[str, float] = {}
    for kind in (GradeCell.__table__, TaskCell.__table__):
        select = (
            sa.select(Assignment.name, sa.func.sum(kind.c.max_score))
            .join(Notebook, Notebook.assignment_id == Assignment.id)
            .join(cell, cell.c.notebook_id == Notebook.id)
            .join(kind, kind.c.id == cell.c.id)
            .group_by(Assignment.name)
        )
        for name, points in gradebook.db.execute(select):
            totals[name] = totals.get(name, 0.0) + float(points or 0.0)
    return totals


def _cells(gradebook: Gradebook, assignment: str) -> Iterable[tuple[str, CellGrade]]:
    cell, grade_cell, task_cell = BaseCell.__table__, GradeCell.__table__, TaskCell.__table__
    select = (
        sa.select(
            SubmittedAssignment.student_id,
            cell.c.name,
            Grade.score,
            sa.func.coalesce(grade_cell.c.max_score, task_cell.c.max_score),
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
        )
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .join(cell, cell.c.id == Grade.cell_id)
        .outerjoin(grade_cell, grade_cell.c.id == cell.c.id)
        .outerjoin(task_cell, task_cell.c.id == cell.c.id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == assignment)
        .order_by(SubmittedAssignment.student_id, cell.c.name)
    )
    for student, name, score, points, auto, manual, extra, waits in gradebook.db.execute(select):
        by_person = manual is not None or bool(extra)
        known = CellGrade(name, float(score), float(points or 0), auto, by_person, bool(waits))
        yield student, known


def people(gradebook: Gradebook, course: Course | None = None) -> Roster:
    """The students of the gradebook, with what roster.csv adds: aliases, names and addresses."""
    select = sa.select(Row.id, Row.first_name, Row.last_name, Row.email, Row.lms_user_id)
    students = {
        key: Student(key, first or "", last or "", email or "", aliases=(lms,) if lms else ())
        for key, first, last, email, lms in gradebook.db.execute(select)
    }
    path = course.root / FILE if course is not None else None
    if path is not None and path.is_file():
        for listed in Roster.load(path).students:
            known = students.get(listed.id)
            if known is not None:
                students[listed.id] = _merged(known, listed)
    return Roster(students.values())


def _merged(known: Student, listed: Student) -> Student:
    updates: dict[str, Any] = {
        name: getattr(listed, name)
        for name in ("first_name", "last_name", "email", "section")
        if getattr(listed, name)
    }
    aliases = tuple(dict.fromkeys((*known.aliases, *listed.aliases)))
    return replace(known, **updates, aliases=aliases)
