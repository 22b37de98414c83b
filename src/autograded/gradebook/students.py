"""The class as nbgrader's gradebook knows it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.engine import make_url

from autograded.collecting.roster import Student
from autograded.course import Course
from autograded.gradebook.config import configure, course_id, database_url


def _is_there(course: Course) -> bool:
    """Whether there is a gradebook: asking nbgrader would make one. A server's is there."""
    place = make_url(database_url(course))
    return place.get_backend_name() != "sqlite" or Path(place.database or "").is_file()


def _gradebook(course: Course) -> Gradebook:
    from traitlets.config import Config

    configure(Config(), course.root)  # puts alembic where nbgrader finds it
    return Gradebook(database_url(course), course_id(course))


def known_students(course: Course) -> list[Student]:
    """The students of the gradebook; none when there is no gradebook yet."""
    if not _is_there(course):
        return []
    with _gradebook(course) as gradebook:
        return [
            Student(
                student.id,
                student.first_name or "",
                student.last_name or "",
                student.email or "",
                aliases=(student.lms_user_id,) if student.lms_user_id else (),
            )
            for student in gradebook.students
        ]


def enrol(course: Course, students: Iterable[Student]) -> None:
    """Write students into the gradebook, so that missing work shows as missing."""
    with _gradebook(course) as gradebook:
        for student in students:
            known = {
                "first_name": student.first_name,
                "last_name": student.last_name,
                "email": student.email,
            }
            gradebook.update_or_create_student(
                student.id, **{key: value for key, value in known.items() if value}
            )


def due_date(course: Course, assignment: str) -> datetime | None:
    """When an assignment is due, as the gradebook has it."""
    if not _is_there(course):
        return None
    with _gradebook(course) as gradebook:
        try:
            due: datetime | None = gradebook.find_assignment(assignment).duedate
        except MissingEntry:
            return None
    return due.replace(tzinfo=UTC) if due is not None else None
