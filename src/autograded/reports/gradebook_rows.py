"""What nbgrader's gradebook says of a class, read and never written.

nbgrader's own interface takes seconds to import and a query a student; this reads the few columns
that reports need at once, from any database SQLAlchemy knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from autograded.course import Course
from autograded.errors import GradebookError
from autograded.gradebook.config import database_url
from autograded.i18n import _

_ASSIGNMENT = sa.table(
    "assignment", sa.column("id"), sa.column("name"), sa.column("duedate", sa.DateTime)
)
_STUDENT = sa.table("student", *map(sa.column, ("id", "first_name", "last_name")))
_SUBMITTED = sa.table(
    "submitted_assignment",
    *map(sa.column, ("id", "assignment_id", "student_id")),
    sa.column("timestamp", sa.DateTime),
    sa.column("extension", sa.Interval),
)
_NOTEBOOK = sa.table(
    "submitted_notebook", *map(sa.column, ("id", "assignment_id", "late_submission_penalty"))
)
_GRADE = sa.table(
    "grade",
    *map(sa.column, ("notebook_id", "auto_score", "manual_score", "extra_credit")),
    sa.column("needs_manual_grade", sa.Boolean),
)


@dataclass(frozen=True)
class Row:
    """One submission in the gradebook.

    Attributes:
        timestamp: when it was handed in (UTC, without time zone); None when not known.
        late: how long after the due date, extensions included; None when it was not late.
        score: points, manual ones and extra credit included, late penalty taken off.
        penalty: points lost for being late.
        needs_person: whether something in it waits for a person.
    """

    timestamp: datetime | None
    late: timedelta | None
    score: float
    penalty: float
    needs_person: bool


@dataclass(frozen=True)
class Gradebook:
    """What the gradebook knows.

    Attributes:
        students: name by student id.
        rows: by assignment, the submissions by student id.
    """

    students: dict[str, str] = field(default_factory=dict)
    rows: dict[str, dict[str, Row]] = field(default_factory=dict)


def read_gradebook(course: Course, assignments: Iterable[str]) -> Gradebook:
    """Read students and submissions; an empty gradebook when there is none yet.

    Raises:
        GradebookError: it is there and cannot be read.
    """
    try:
        url = sa.make_url(database_url(course))
        if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
            return Gradebook()
        engine = sa.create_engine(url)
        try:
            with engine.connect() as connection:
                students = {
                    row.id: f"{row.first_name or ''} {row.last_name or ''}".strip()
                    for row in connection.execute(sa.select(_STUDENT))
                }
                rows = {name: _rows(connection, name) for name in assignments}
        finally:
            engine.dispose()
    except (sa.exc.SQLAlchemyError, ValueError, TypeError) as error:
        text = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise GradebookError(
            _("The gradebook cannot be read ({reason}).").format(reason=text)
        ) from error
    return Gradebook(students, rows)


def _rows(connection: sa.Connection, assignment: str) -> dict[str, Row]:
    # nbgrader's own rule: a person's score goes before the automatic one; extra credit on top.
    score = sa.func.coalesce(_GRADE.c.manual_score, _GRADE.c.auto_score, 0.0) + sa.case(
        (
            sa.func.coalesce(_GRADE.c.manual_score, _GRADE.c.auto_score).is_not(None),
            sa.func.coalesce(_GRADE.c.extra_credit, 0.0),
        ),
        else_=0.0,
    )
    graded = (
        sa.select(
            _NOTEBOOK.c.assignment_id,
            sa.func.sum(score).label("score"),
            sa.func.max(sa.case((_GRADE.c.needs_manual_grade, 1), else_=0)).label("needs"),
        )
        .join(_GRADE, _GRADE.c.notebook_id == _NOTEBOOK.c.id)
        .group_by(_NOTEBOOK.c.assignment_id)
        .subquery()
    )
    penalties = (
        sa.select(
            _NOTEBOOK.c.assignment_id,
            sa.func.sum(sa.func.coalesce(_NOTEBOOK.c.late_submission_penalty, 0.0)).label("lost"),
        )
        .group_by(_NOTEBOOK.c.assignment_id)
        .subquery()
    )
    select = (
        sa.select(
            _SUBMITTED.c.student_id,
            _SUBMITTED.c.timestamp,
            _SUBMITTED.c.extension,
            _ASSIGNMENT.c.duedate,
            graded.c.score,
            graded.c.needs,
            penalties.c.lost,
        )
        .join(_ASSIGNMENT, _ASSIGNMENT.c.id == _SUBMITTED.c.assignment_id)
        .outerjoin(graded, graded.c.assignment_id == _SUBMITTED.c.id)
        .outerjoin(penalties, penalties.c.assignment_id == _SUBMITTED.c.id)
        .where(_ASSIGNMENT.c.name == assignment)
    )
    found = {}
    for student, timestamp, extension, due, points, needs, lost in connection.execute(select):
        late = None
        if timestamp is not None and due is not None:
            over = timestamp - (due + (extension or timedelta()))
            late = over if over > timedelta() else None
        penalty = float(lost or 0.0)
        earned = max(0.0, float(points or 0.0) - penalty)
        found[student] = Row(timestamp, late, earned, penalty, bool(needs))
    return found
