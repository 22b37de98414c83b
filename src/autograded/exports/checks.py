"""One row for every student and check, for analysis: CSV, or Parquet with types."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

from autograded.errors import AutogradedError
from autograded.exports.files import table
from autograded.exports.grades import Graded
from autograded.exports.results import worth
from autograded.grading.results import Result
from autograded.reports.table import plain

# (name, type in Arrow's words, what it holds)
SCHEMA: tuple[tuple[str, str, str], ...] = (
    ("assignment", "string", "the assignment's name"),
    ("student", "string", "the student's id"),
    ("submitted", "timestamp", "when it was handed in, UTC; empty when that is not known"),
    ("exercise", "string", "the exercise's id, `assignment.exercise`"),
    ("check", "string", "the check's id within the exercise"),
    ("title", "string", "the check's title in the course's language"),
    ("passed", "bool", "whether it passed"),
    ("weight", "double", "its weight among the exercise's checks"),
    ("points", "double", "the points it is worth"),
    ("message", "string", "the full message of a failed check; empty when it passed"),
    ("misconceptions", "list<string>", "misconceptions that explain the exercise's answers"),
    ("exercise_score", "double", "the exercise's points, as the checks gave them"),
    ("exercise_max_score", "double", "the exercise's points at most"),
    ("excused", "bool", "whether the exercise does not count: it came after this was handed in"),
    ("flags", "list<string>", "kinds of the submission's flags"),
    ("submission_sha256", "string", "digest of the file that was graded"),
    ("sandbox", "string", "how its code was confined"),
)
"""Columns, in order."""

COLUMNS = tuple(name for name, _type, _what in SCHEMA)


def rows(
    assignment: str, results: Iterable[tuple[str, Result]], grades: Mapping[str, Graded]
) -> Iterator[dict[str, Any]]:
    """The rows of an assignment.

    Args:
        assignment: its name.
        results: result documents by student.
        grades: what the gradebook knows, for the times of handing in.
    """
    for student, result in results:
        grade = grades.get(student)
        stamp = grade.timestamp if grade is not None else None
        common = {
            "assignment": assignment,
            "student": student,
            "submitted": stamp.replace(tzinfo=UTC) if stamp is not None else None,
            "flags": [flag.kind for flag in result.flags],
            "submission_sha256": result.submission_sha256,
            "sandbox": result.sandbox,
        }
        for exercise in result.exercises:
            of_exercise = {
                "exercise": exercise.id,
                "misconceptions": [found.misconception for found in exercise.diagnosis],
                "exercise_score": exercise.score,
                "exercise_max_score": exercise.max_score,
                "excused": exercise.excused is not None,
            }
            for check in exercise.checks:
                yield {
                    **common,
                    **of_exercise,
                    "check": check.id,
                    "title": check.title,
                    "passed": check.passed,
                    "weight": check.weight,
                    "points": worth(exercise, check),
                    "message": plain(check.message),
                }


def as_csv(found: Iterable[Mapping[str, Any]]) -> bytes:
    """The rows as CSV: truth as true and false, lists with semicolons, times in ISO 8601."""
    return table(COLUMNS, ([_cell(row[name]) for name in COLUMNS] for row in found))


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ";".join(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def as_parquet(found: Sequence[Mapping[str, Any]]) -> bytes:
    """The rows as Parquet, with the types of `SCHEMA`.

    Raises:
        AutogradedError: pyarrow is not installed.
    """
    require_parquet()
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "string": pa.string(),
        "bool": pa.bool_(),
        "double": pa.float64(),
        "timestamp": pa.timestamp("us", tz="UTC"),
        "list<string>": pa.list_(pa.string()),
    }
    schema = pa.schema(
        [pa.field(name, types[kind], metadata={"description": what}) for name, kind, what in SCHEMA]
    )
    content = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(found), schema=schema), content, compression="zstd")
    return content.getvalue()


def require_parquet() -> None:
    """Make sure that Parquet can be written.

    Raises:
        AutogradedError: pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise AutogradedError(
            "Parquet needs pyarrow, which is not installed: pip install 'autograded[analysis]'."
        ) from None
