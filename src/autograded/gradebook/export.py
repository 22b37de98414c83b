"""Exports of the gradebook, as nbgrader export plugins."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograded.errors import GradebookError

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


def harmless(value: Any) -> Any:
    """Text that a spreadsheet will not run as a formula; numbers stay numbers."""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return value


class CsvExport(ExportPlugin):  # type: ignore[misc]
    """nbgrader's CSV, properly quoted: a row for every student and assignment.

    Who handed in nothing has a score of 0 and no timestamp, as in nbgrader's own export.
    """

    def export(self, gradebook: Gradebook) -> None:
        """Write the file named by `--to` (default grades.csv)."""
        path = Path(self.to or "grades.csv")
        try:
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(COLUMNS)
                for row in self._rows(gradebook):
                    writer.writerow(harmless(row.get(column)) for column in COLUMNS)
        except OSError as error:
            raise GradebookError(f"{path} cannot be written: {error.strerror}.") from error
        self.log.info("Exported grades to %s", path)

    def _rows(self, gradebook: Gradebook) -> Iterator[dict[str, Any]]:
        wanted = {str(name) for name in self.assignment}
        students = {str(name) for name in self.student}
        for assignment in gradebook.assignments:
            if wanted and assignment.name not in wanted:
                continue
            for student in gradebook.students:
                if not students or student.id in students:
                    yield _row(gradebook, assignment, student)


def _row(gradebook: Gradebook, assignment: Any, student: Any) -> dict[str, Any]:
    row = {
        "assignment": assignment.name,
        "duedate": assignment.duedate,
        "student_id": student.id,
        "last_name": student.last_name,
        "first_name": student.first_name,
        "email": student.email,
        "max_score": assignment.max_score,
        "raw_score": 0.0,
        "late_submission_penalty": 0.0,
        "score": 0.0,
    }
    try:
        submission = gradebook.find_submission(assignment.name, student.id)
    except MissingEntry:
        return row
    penalty = submission.late_submission_penalty or 0.0
    row["timestamp"] = submission.timestamp
    row["raw_score"] = submission.score
    row["late_submission_penalty"] = penalty
    row["score"] = max(0.0, submission.score - penalty)
    return row
