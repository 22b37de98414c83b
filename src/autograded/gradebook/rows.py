"""Writes scores into nbgrader's gradebook, many submissions to a transaction.

nbgrader opens the database about nine times a submission, each time with a new engine. This keeps
one engine, and writes the same rows: a student, a submission, its notebook, a grade for every
grade cell and a comment for every solution cell. What a person wrote (manual scores, comments,
extra credit, extensions) is never touched.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SolutionCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)

from autograded.errors import GradebookError, why

_CHUNK = 500  # SQLite takes a limited number of parameters in one statement
_ATTEMPTS = 5
_WAIT_SECONDS = 30  # for another writer of an SQLite file to finish, or a server to be back

Penalty = Callable[[str, float, float], float | None]
"""Late penalty from (student id, score, seconds late); None for no penalty."""


@dataclass(frozen=True)
class Entry:
    """What grading found for one submission.

    Attributes:
        student: the student's id.
        timestamp: when it was handed in (UTC, without time zone), or None when that is not known.
        scores: automatic score by grade id; None where a person has to grade.
        comments: automatic comment by the grade id of solution cells; None for no comment.
    """

    student: str
    timestamp: datetime.datetime | None
    scores: dict[str, float | None]
    comments: dict[str, str | None]


@dataclass(frozen=True)
class Standing:
    """What the gradebook says of a submission after writing.

    Attributes:
        score: points, manual ones included.
        max_score: the points there are.
        needs_person: whether a person has to grade or confirm something.
        kept: whether points count that a person gave before, and has to look at again.
    """

    score: float
    max_score: float
    needs_person: bool
    kept: bool


class GradebookRows:
    """The rows of one assignment in a gradebook; one engine for as long as it lives."""

    def __init__(self, url: str, course: str, assignment: str) -> None:
        self._assignment = assignment
        self._url = url
        with _clear_errors(url):
            # Lets nbgrader create its tables, or refuse a database of another version.
            Gradebook(url, course).close()
            self._engine = _engine(url)
            with self._engine.connect() as connection:
                self._load_cells(connection)

    def __enter__(self) -> GradebookRows:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.dispose()

    def _load_cells(self, connection: sa.Connection) -> None:
        found = connection.execute(
            sa.select(Assignment.id, Assignment.duedate, Notebook.id, Notebook.name)
            .join(Notebook, Notebook.assignment_id == Assignment.id)
            .where(Assignment.name == self._assignment)
        ).all()
        if len(found) != 1:
            raise GradebookError(
                f"The gradebook does not know {self._assignment}: "
                f"run `autograded build {self._assignment}` first."
            )
        self._assignment_id, self._due, self._notebook_id, _ = found[0]
        cell, grade_cell = BaseCell.__table__, GradeCell.__table__
        solution_cell = SolutionCell.__table__
        rows = connection.execute(
            sa.select(cell.c.name, cell.c.id, grade_cell.c.max_score)
            .join(grade_cell, grade_cell.c.id == cell.c.id)
            .where(cell.c.notebook_id == self._notebook_id)
        ).all()
        self._grade_cells = {name: cell_id for name, cell_id, _ in rows}
        self.max_score = float(sum(points for _, _, points in rows))
        select = sa.select(cell.c.name, cell.c.id)
        select = select.join(solution_cell, solution_cell.c.id == cell.c.id)
        rows = connection.execute(select.where(cell.c.notebook_id == self._notebook_id)).all()
        self._solution_cells = {name: cell_id for name, cell_id in rows}  # noqa: C416

    def recorded(self) -> set[str]:
        """Students whose submission of this assignment has rows."""
        with _clear_errors(self._url), self._engine.connect() as connection:
            return set(
                connection.scalars(
                    sa.select(SubmittedAssignment.student_id).where(
                        SubmittedAssignment.assignment_id == self._assignment_id
                    )
                )
            )

    def standings(self, students: Sequence[str]) -> dict[str, Standing]:
        """What the gradebook says now of the submissions of `students`."""
        with _clear_errors(self._url), self._engine.connect() as connection:
            return self._standings(connection, students)

    def renew_penalties(self, students: Sequence[str], penalty: Penalty) -> None:
        """Set late penalties anew: a due date or a manual score may have changed since.

        Raises:
            GradebookError: as for `write`.
        """
        select = (
            sa.select(SubmittedAssignment.student_id, SubmittedNotebook.id)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .where(SubmittedAssignment.assignment_id == self._assignment_id)
        )
        column = SubmittedAssignment.student_id
        with _clear_errors(self._url), self._engine.begin() as connection:
            notebooks = dict(_select_in(connection, select, column, students))
            self._penalties(connection, notebooks, penalty)

    def write(
        self, entries: Sequence[Entry], penalty: Penalty | None = None
    ) -> dict[str, Standing]:
        """Write entries in one transaction: all of them, or none.

        Writing the same entries again changes nothing. Two writers at once are safe: who comes
        second to a row reads it again and updates it.

        Raises:
            GradebookError: the database is locked, read-only, full or gone, and stays so for half a
                minute; nothing was written.
        """
        with _clear_errors(self._url):
            start = monotonic()
            for attempt in count(1):
                try:
                    with self._engine.begin() as connection:
                        self._write(connection, entries, penalty)
                        return self._standings(connection, [e.student for e in entries])
                except sa.exc.IntegrityError:
                    if attempt >= _ATTEMPTS:
                        raise
                except sa.exc.OperationalError:
                    # A server that is restarted is back in seconds; SQLite has waited by itself.
                    if self._engine.name == "sqlite" or monotonic() - start > _WAIT_SECONDS:
                        raise
                    sleep(1)
        raise AssertionError("unreachable")

    def _write(
        self, connection: sa.Connection, entries: Sequence[Entry], penalty: Penalty | None
    ) -> None:
        by_student = {entry.student: entry for entry in entries}
        self._students(connection, by_student)
        notebooks = self._submissions(connection, by_student)
        self._grades(connection, by_student, notebooks)
        self._comments(connection, by_student, notebooks)
        self._penalties(connection, notebooks, penalty)

    def _students(self, connection: sa.Connection, by_student: dict[str, Entry]) -> None:
        known = set(
            _select_in(connection, sa.select(Student.id), Student.id, by_student, scalar=True)
        )
        _insert(connection, Student, [{"id": s} for s in by_student if s not in known])

    def _submissions(
        self, connection: sa.Connection, by_student: dict[str, Entry]
    ) -> dict[str, str]:
        """Make sure of submission and notebook rows; returns the notebook row's id by student."""
        select = sa.select(SubmittedAssignment.student_id, SubmittedAssignment.id).where(
            SubmittedAssignment.assignment_id == self._assignment_id
        )
        known = dict(_select_in(connection, select, SubmittedAssignment.student_id, by_student))
        new = {student: uuid4().hex for student in by_student if student not in known}
        _insert(
            connection,
            SubmittedAssignment,
            [
                {
                    "id": key,
                    "assignment_id": self._assignment_id,
                    "student_id": student,
                    "timestamp": by_student[student].timestamp,
                }
                for student, key in new.items()
            ],
        )
        table = SubmittedAssignment.__table__
        _update(
            connection,
            table,
            ("timestamp",),
            [
                {"key": key, "timestamp": by_student[student].timestamp}
                for student, key in known.items()
                if by_student[student].timestamp is not None
            ],
        )
        submissions = {**known, **new}
        select = sa.select(SubmittedNotebook.assignment_id, SubmittedNotebook.id).where(
            SubmittedNotebook.notebook_id == self._notebook_id
        )
        rows = dict(
            _select_in(connection, select, SubmittedNotebook.assignment_id, submissions.values())
        )
        missing = {s: uuid4().hex for s in submissions.values() if s not in rows}
        _insert(
            connection,
            SubmittedNotebook,
            [
                {"id": key, "assignment_id": s, "notebook_id": self._notebook_id, "flagged": False}
                for s, key in missing.items()
            ],
        )
        rows.update(missing)
        return {student: rows[key] for student, key in submissions.items()}

    def _grades(
        self, connection: sa.Connection, by_student: dict[str, Entry], notebooks: dict[str, str]
    ) -> None:
        select = sa.select(Grade.notebook_id, Grade.cell_id, Grade.id, Grade.manual_score)
        known = {
            (notebook, cell): (key, manual)
            for notebook, cell, key, manual in _select_in(
                connection, select, Grade.notebook_id, notebooks.values()
            )
        }
        new, changed = [], []
        for student, entry in by_student.items():
            for name, cell in self._grade_cells.items():
                score = entry.scores.get(name)
                key, manual = known.get((notebooks[student], cell), (None, None))
                values = {
                    "auto_score": score,
                    # What a person graded before is to be looked at again after a regrade.
                    "needs_manual_grade": manual is not None or score is None,
                }
                if key is None:
                    row = {"id": uuid4().hex, "notebook_id": notebooks[student], "cell_id": cell}
                    new.append({**row, **values})
                else:
                    changed.append({"key": key, **values})
        _insert(connection, Grade, new)
        _update(connection, Grade.__table__, ("auto_score", "needs_manual_grade"), changed)

    def _comments(
        self, connection: sa.Connection, by_student: dict[str, Entry], notebooks: dict[str, str]
    ) -> None:
        select = sa.select(Comment.notebook_id, Comment.cell_id, Comment.id)
        known = {
            (notebook, cell): key
            for notebook, cell, key in _select_in(
                connection, select, Comment.notebook_id, notebooks.values()
            )
        }
        new, changed = [], []
        for student, entry in by_student.items():
            for name, cell in self._solution_cells.items():
                values = {"auto_comment": entry.comments.get(name)}
                key = known.get((notebooks[student], cell))
                if key is None:
                    row = {"id": uuid4().hex, "notebook_id": notebooks[student], "cell_id": cell}
                    new.append({**row, **values})
                else:
                    changed.append({"key": key, **values})
        _insert(connection, Comment, new)
        _update(connection, Comment.__table__, ("auto_comment",), changed)

    def _penalties(
        self, connection: sa.Connection, notebooks: dict[str, str], penalty: Penalty | None
    ) -> None:
        """Set late penalties as nbgrader's AssignLatePenalties does: between 0 and the score."""
        late = self._seconds_late(connection, notebooks)
        scores = self._standings(connection, list(late)) if late and penalty else {}
        select = sa.select(SubmittedNotebook.id, SubmittedNotebook.late_submission_penalty)
        known = dict(_select_in(connection, select, SubmittedNotebook.id, notebooks.values()))
        rows = []
        for student, key in notebooks.items():
            value = None
            if student in scores and penalty is not None:
                value = penalty(student, scores[student].score, late[student])
                if value is not None:
                    value = min(max(value, 0), scores[student].score)
            if value != known.get(key):
                rows.append({"key": key, "late_submission_penalty": value})
        _update(connection, SubmittedNotebook.__table__, ("late_submission_penalty",), rows)

    def _seconds_late(self, connection: sa.Connection, students: Iterable[str]) -> dict[str, float]:
        if self._due is None:
            return {}
        select = sa.select(
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
        ).where(SubmittedAssignment.assignment_id == self._assignment_id)
        late = {}
        for student, timestamp, extension in _select_in(
            connection, select, SubmittedAssignment.student_id, students
        ):
            if timestamp is not None:
                due = self._due + (extension or datetime.timedelta())
                seconds = (timestamp - due).total_seconds()
                if seconds > 0:
                    late[student] = seconds
        return late

    def _standings(self, connection: sa.Connection, students: Sequence[str]) -> dict[str, Standing]:
        select = (
            sa.select(
                SubmittedAssignment.student_id,
                sa.func.coalesce(sa.func.sum(Grade.score), 0.0),
                sa.func.max(sa.case((Grade.needs_manual_grade, 1), else_=0)),
                sa.func.max(
                    sa.case(
                        (Grade.needs_manual_grade & Grade.manual_score.is_not(None), 1), else_=0
                    )
                ),
            )
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .where(SubmittedAssignment.assignment_id == self._assignment_id)
            .group_by(SubmittedAssignment.student_id)
        )
        rows = _select_in(connection, select, SubmittedAssignment.student_id, students)
        return {
            student: Standing(float(score), self.max_score, bool(needs), bool(kept))
            for student, score, needs, kept in rows
        }


def _engine(url: str) -> sa.Engine:
    if not url.startswith("sqlite"):
        return sa.create_engine(url)
    engine = sa.create_engine(url, connect_args={"timeout": _WAIT_SECONDS})

    # A transaction that reads first and then wants to write cannot wait for another one that does
    # the same: each holds what the other needs. Taking the write lock at once can wait.
    @sa.event.listens_for(engine, "connect")
    def leave_transactions_to_us(connection: Any, _: Any) -> None:
        connection.isolation_level = None

    @sa.event.listens_for(engine, "begin")
    def lock_at_once(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _select_in(
    connection: sa.Connection,
    select: sa.Select[Any],
    column: Any,
    values: Iterable[str],
    *,
    scalar: bool = False,
) -> Iterator[Any]:
    """Run a select for the rows whose `column` is among `values`, a chunk at a time."""
    wanted = list(values)
    for start in range(0, len(wanted), _CHUNK):
        result = connection.execute(select.where(column.in_(wanted[start : start + _CHUNK])))
        yield from result.scalars() if scalar else result


def _insert(connection: sa.Connection, model: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(sa.insert(model.__table__), rows)


def _update(
    connection: sa.Connection, table: Any, columns: Sequence[str], rows: list[dict[str, Any]]
) -> None:
    if rows:
        statement = (
            sa.update(table)
            .where(table.c.id == sa.bindparam("key"))
            .values({column: sa.bindparam(column) for column in columns})
        )
        connection.execute(statement, rows)


@contextmanager
def _clear_errors(url: str) -> Iterator[None]:
    """Turn what a database says into one sentence about the gradebook."""
    try:
        yield
    except sa.exc.SQLAlchemyError as error:
        raise GradebookError(f"The gradebook {_shown(url)} {_what(error)}.") from error
    except OSError as error:
        raise GradebookError(
            f"The gradebook {_shown(url)} cannot be used: {why(error)}."
        ) from error


def _shown(url: str) -> str:
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except sa.exc.ArgumentError:
        return "(its URL cannot be read)"


def _what(error: sa.exc.SQLAlchemyError) -> str:
    text = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    known = {
        "database is locked": f"has been locked by another program for {_WAIT_SECONDS} s; "
        "close it (formgrader, another run) and start again: nothing was lost",
        "readonly database": "is read-only; make the file and its folder writable",
        "disk is full": "cannot grow: the disk is full; make room and start again",
        "unable to open": "cannot be opened; is the folder there and writable",
        "disk I/O error": "cannot be written: the disk reports an error or is full",
    }
    for sign, sentence in known.items():
        if sign in text:
            return sentence
    return f"cannot be used: {text}"
