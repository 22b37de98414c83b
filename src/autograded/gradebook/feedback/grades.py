"""What nbgrader's gradebook says of one submission: points, comments, lateness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_NO_RESPONSE = "No response."
"""What nbgrader notes for an answer that was left as it was released."""


@dataclass(frozen=True)
class Grade:
    """The points of one grade cell.

    Attributes:
        score: points that count: a person's where there are any, else the checks'; with extra
            credit.
        max_score: points that can be had.
        automatic: the checks' points; None where a person grades.
        by_person: whether a person gave points.
        waiting: whether a person has yet to, or has to look at it again.
    """

    score: float
    max_score: float
    automatic: float | None
    by_person: bool
    waiting: bool

    @property
    def unread(self) -> bool:
        """Whether no person has given points yet."""
        return self.waiting and not self.by_person

    @property
    def kept(self) -> bool:
        """Whether these are points that a person gave before, and has to look at again."""
        return self.waiting and self.by_person


@dataclass(frozen=True)
class Grades:
    """One submission of an assignment in the gradebook.

    Attributes:
        student: the student's name, or id where there is none.
        student_id: the id.
        handed_in: when, in UTC.
        seconds_late: how long after the due date.
        penalty: points taken off for that.
        cells: by grade id.
        comments: what a person wrote, by grade id.
        unanswered: grade ids of answers left as they were released.
    """

    student: str
    student_id: str
    handed_in: datetime | None
    seconds_late: float
    penalty: float
    cells: Mapping[str, Grade]
    comments: Mapping[str, str]
    unanswered: frozenset[str]


def read_grades(db_url: str, course_id: str, known: Mapping[str, Any]) -> Grades:
    """Read what the gradebook has of a submission.

    Args:
        db_url: the gradebook's database.
        course_id: the course's name in it.
        known: nbgrader's resources: `student`, `assignment` and `notebook`.

    Raises:
        nbgrader.api.MissingEntry: the gradebook does not have this submission.
    """
    from nbgrader.api import Gradebook

    with Gradebook(db_url, course_id) as gradebook:
        submission = gradebook.find_submission(known["assignment"], known["student"])
        notebook = gradebook.find_submission_notebook(
            known["notebook"], known["assignment"], known["student"]
        )
        student = submission.student
        name = " ".join(filter(None, (student.first_name, student.last_name)))
        return Grades(
            student=name or known["student"],
            student_id=known["student"],
            handed_in=submission.timestamp,
            seconds_late=float(submission.total_seconds_late),
            penalty=float(notebook.late_submission_penalty or 0),
            cells={
                grade.name: Grade(
                    score=float(grade.score),
                    max_score=float(grade.max_score),
                    automatic=None if grade.auto_score is None else float(grade.auto_score),
                    by_person=grade.manual_score is not None or bool(grade.extra_credit),
                    waiting=bool(grade.needs_manual_grade),
                )
                for grade in notebook.grades
            },
            comments={
                comment.name: comment.comment
                for comment in notebook.comments
                if comment.comment and comment.comment != _NO_RESPONSE
            },
            unanswered=frozenset(
                comment.name
                for comment in notebook.comments
                if comment.auto_comment == _NO_RESPONSE
            ),
        )
