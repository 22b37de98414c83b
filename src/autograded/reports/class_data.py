"""What is known of a class: results, records, the gradebook, the roster.

Nothing here is written, and nothing that is damaged stops the reading: it is named among the
problems, and the rest is read.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from autograded.collecting.roster import FILE, Roster
from autograded.course import Assignment, Course
from autograded.errors import AutogradedError
from autograded.gradebook.store import Record, Store
from autograded.i18n import _
from autograded.reports.documents import Form, ReadResult, read_result, written_code
from autograded.reports.gradebook_rows import Gradebook, Row, read_gradebook


@dataclass(frozen=True)
class Seconds:
    """How long running a submission's cells took, and checking it."""

    execute: float
    check: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.execute + self.check


@dataclass(frozen=True)
class Graded:
    """One graded submission.

    Attributes:
        student: the student's id.
        result: its result document.
        seconds: how long grading took; None when no record tells.
        code: the source the student wrote, by exercise; see `documents.OWN_CELLS`.
    """

    student: str
    result: ReadResult
    seconds: Seconds | None = None
    code: dict[str, str] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """Share of the points that checks give."""
        return self.result.score / self.result.max_score if self.result.max_score else 0.0

    @property
    def unread(self) -> bool:
        """Whether the file could not be read at all, so that its 0 says nothing of an item."""
        return self.result.problem is not None


@dataclass(frozen=True)
class AssignmentData:
    """One assignment of a class.

    Attributes:
        assignment: its entry in course.yml.
        graded: what was graded, sorted by student.
        rows: what the gradebook says, by student.
        handed_in: everybody of whom anything is there, graded or not.
        form: the checks that most of the documents have; None when there are none.
    """

    assignment: Assignment
    graded: tuple[Graded, ...]
    rows: dict[str, Row]
    handed_in: frozenset[str]
    form: Form | None

    @property
    def comparable(self) -> list[Graded]:
        """The submissions that item analysis compares: read, and given the same checks."""
        return [one for one in self.graded if one.result.checks == self.form and not one.unread]


@dataclass(frozen=True)
class ClassData:
    """A class.

    Attributes:
        students: name by student id, of everybody in the class or with work in it, sorted.
        enrolled: ids of those whom roster or gradebook know.
        assignments: in the order of course.yml.
        problems: what could not be read, one sentence each.
    """

    students: dict[str, str]
    enrolled: frozenset[str]
    assignments: tuple[AssignmentData, ...]
    problems: tuple[str, ...]


def read_class(course: Course, assignments: Sequence[str] = ()) -> ClassData:
    """Read a class's results; messages are in the current language.

    Args:
        course: the course.
        assignments: which of its assignments; all by default.

    Raises:
        CourseError: there is no such assignment.
    """
    wanted = {course.assignment(name).id for name in assignments}
    names = [name for name in course.assignments if not wanted or name in wanted]
    problems: list[str] = []
    try:
        gradebook = read_gradebook(course, names)
    except AutogradedError as error:
        gradebook = Gradebook()
        problems.append(str(error))
    enrolled = _enrolled(course, gradebook, problems)
    read = tuple(_assignment(course, name, gradebook, problems) for name in names)
    students = dict(enrolled)
    for one in read:
        for student in one.handed_in:
            students.setdefault(student, gradebook.students.get(student, ""))
    return ClassData(dict(sorted(students.items())), frozenset(enrolled), read, tuple(problems))


def _enrolled(course: Course, gradebook: Gradebook, problems: list[str]) -> dict[str, str]:
    """Who is in the class: the roster, else the gradebook's students."""
    path = course.root / FILE
    if path.is_file():
        try:
            return {student.id: student.name for student in Roster.load(path).students}
        except AutogradedError as error:
            problems.append(str(error))
    return gradebook.students


def _assignment(
    course: Course, name: str, gradebook: Gradebook, problems: list[str]
) -> AssignmentData:
    submitted = course.classroom / "submitted"
    there = {p.parent.name for p in submitted.glob(f"*/{name}") if p.parent.name[0] != "."}
    results = _results(course, name, problems)
    if gradebook.students:
        # Who was taken out of the gradebook and of submitted/ may have left a document behind.
        known = gradebook.students.keys() | there
        results = {student: result for student, result in results.items() if student in known}
    records = _Records(course, name, problems)
    graded = tuple(records.complete(student, result) for student, result in results.items())
    rows = gradebook.rows.get(name, {})
    forms = Counter(one.result.checks for one in graded if not one.unread)
    form = forms.most_common(1)[0][0] if forms else None
    other = [one.student for one in graded if not one.unread and one.result.checks != form]
    if other:
        problems.append(
            _(
                "{assignment}: graded with other checks than the rest of the class, and left out "
                "of the item analysis; grade again: {students}."
            ).format(assignment=name, students=", ".join(other))
        )
    return AssignmentData(
        course.assignment(name), graded, rows, frozenset({*results, *rows, *there}), form
    )


def _results(course: Course, name: str, problems: list[str]) -> dict[str, ReadResult]:
    found = {}
    folder = course.classroom / "results" / name
    for path in sorted(folder.glob("*.json"), key=lambda path: path.stem):
        if path.name.startswith("."):
            continue
        try:
            found[path.stem] = read_result(path, name)
        except AutogradedError as error:
            problems.append(f"{folder.relative_to(course.root)}: {error}")
    return found


class _Records:
    """The records of one assignment: what a result document does not say."""

    def __init__(self, course: Course, name: str, problems: list[str]) -> None:
        self._course, self._name, self._problems = course, name, problems
        self._keys: dict[str, str] = {}
        self._store: Store | None = None
        results = course.classroom / "results"
        if (results / ".store" / name / "recorded.db").is_file():
            try:
                self._store = Store(results, name)
                self._keys = self._store.recorded()
            except (AutogradedError, sqlite3.Error) as error:
                problems.append(
                    _("{assignment}: the records cannot be read ({reason}).").format(
                        assignment=name, reason=error
                    )
                )

    def complete(self, student: str, result: ReadResult) -> Graded:
        """Add to a result what its record says: seconds, and the student's code."""
        key = self._keys.get(student)
        record = self._store.get(key) if self._store is not None and key is not None else None
        if record is None and key is not None:
            self._problems.append(
                _("{assignment}: the record of {student} is missing or damaged.").format(
                    assignment=self._name, student=student
                )
            )
        if (
            record is not None
            and record.result.get("submission_sha256") != result.submission_sha256
        ):
            record = None  # of earlier work: what there is now was graded by nbgrader itself
        return Graded(student, result, _seconds(record), self._code(student, record))

    def _code(self, student: str, record: Record | None) -> dict[str, str]:
        text = record.notebook if record is not None else None
        if text is None:
            folder = self._course.classroom / "autograded" / student / self._name
            path = folder / f"{self._name}.ipynb"
            text = _text(path)
        try:
            return written_code(text) if text else {}
        except ValueError:
            self._problems.append(
                _("{assignment}: the notebook of {student} cannot be read.").format(
                    assignment=self._name, student=student
                )
            )
            return {}


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _seconds(record: Record | None) -> Seconds | None:
    if record is None:
        return None
    try:
        known = Seconds(float(record.seconds["execute"]), float(record.seconds["check"]))
    except (KeyError, TypeError, ValueError):
        return None
    return known if isfinite(known.total) else None


def released_code(course: Course, assignment: str) -> dict[str, str]:
    """The stubs students got, by exercise; nothing when there is no release to read."""
    text = _text(course.classroom / "release" / assignment / f"{assignment}.ipynb")
    try:
        return written_code(text) if text else {}
    except ValueError:
        return {}
