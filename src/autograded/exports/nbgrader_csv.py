"""nbgrader's CSV, properly quoted: a row for every student and assignment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from nbgrader.api import Assignment, Gradebook

from autograded.collecting.roster import Student
from autograded.exports.files import table
from autograded.exports.grades import chosen, graded, max_scores, people

COLUMNS = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)


def nbgrader_csv(
    gradebook: Gradebook,
    assignments: Sequence[str] = (),
    students: Sequence[str] = (),
    roster: Iterable[Student] = (),
) -> bytes:
    """The file's content; of all assignments and students, when none is named.

    Who handed in nothing has a score of 0 and no timestamp, as in nbgrader's own export; so have
    those of `roster` whom the gradebook does not know.

    Raises:
        AutogradedError: the gradebook does not know an assignment.
    """
    # Names as the gradebook has them, in nbgrader's own order.
    known = {student.id: student for student in (*roster, *people(gradebook).students)}
    everybody = sorted(known.values(), key=lambda s: (s.last_name, s.first_name, s.id))
    return table(COLUMNS, _rows(gradebook, chosen(gradebook, assignments), students, everybody))


def _rows(
    gradebook: Gradebook,
    assignments: Sequence[str],
    students: Sequence[str],
    everybody: Sequence[Student],
) -> Iterator[Sequence[Any]]:
    due = dict(gradebook.db.execute(sa.select(Assignment.name, Assignment.duedate)).all())
    points = max_scores(gradebook)
    for assignment in assignments:
        submissions = graded(gradebook, assignment, students)
        for student in everybody:
            if students and student.id not in students:
                continue
            found = submissions.get(student.id)
            yield (
                assignment,
                due.get(assignment),
                found.timestamp if found else None,
                student.id,
                student.last_name,
                student.first_name,
                student.email,
                found.raw_score if found else 0.0,
                found.penalty if found else 0.0,
                found.score if found else 0.0,
                points.get(assignment, 0.0),
            )
