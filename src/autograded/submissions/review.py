"""What had to be put right in the submissions of a class, for a person to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.i18n import use
from autograded.submissions import documents
from autograded.submissions.candidates import submitted
from autograded.submissions.documents import Repair
from autograded.submissions.release import released
from autograded.submissions.repair import repair


@dataclass(frozen=True)
class Review:
    """One submission that was not in order.

    Attributes:
        student: whose it is.
        file: the file that is graded, below the student's folder.
        repairs: what had to be done.
        problem: why it could not be read at all, or None.
        diff: what changed, cell by cell, as lines of a unified diff.
    """

    student: str
    file: str
    repairs: list[Repair]
    problem: str | None
    diff: list[str]


def review(course: Course, assignment: str, students: Sequence[str] = ()) -> Iterator[Review]:
    """Look at the submissions in classroom/submitted; those that are in order are passed over.

    Args:
        course: the course.
        assignment: the assignment's name.
        students: whose; everybody's by default.

    Raises:
        AutogradedError: one of `students` handed in nothing.
    """
    course.assignment(assignment)
    place = course.classroom / "submitted"
    folders = sorted(path for path in place.glob(f"*/{assignment}") if path.is_dir())
    missing = sorted(set(students) - {folder.parent.name for folder in folders})
    if missing:
        raise AutogradedError(
            f"{', '.join(missing)} handed in nothing for {assignment}: "
            f"there is no {place / missing[0] / assignment}."
        )
    for folder in folders:
        student = folder.parent.name
        if not student.startswith(".") and (not students or student in students):
            found = _review(course, assignment, student, folder)
            if found.repairs or found.problem:
                yield found


def _review(course: Course, name: str, student: str, folder: Path) -> Review:
    assignment = course.assignment(name)
    with use(course.language):
        try:
            chosen = submitted(folder, course, name)
        except AutogradedError as error:
            return Review(student, "", [], str(error), [])
        work = chosen.candidate
        functions = [exercise.name for exercise in assignment.checked]
        before = documents.read(work.content, work.filename, functions)
    done = repair(work.content, work.filename, released(course, name), assignment, course.language)
    repairs = [*chosen.repairs, *done.repairs]
    diff: list[str] = []
    if repairs and done.problem is None:
        lines = [line for cell in before.cells for line in _as_read(cell)]
        after = [line for cell in done.notebook["cells"] for line in _as_written(cell)]
        diff = list(unified_diff(lines, after, "handed in", "as graded", n=2, lineterm=""))
    return Review(student, work.name, repairs, done.problem, diff)


def _as_read(cell: documents.Cell) -> list[str]:
    name = cell.grade_id or ""
    return [f"# %% {cell.type} {name}".rstrip(), *cell.source.rstrip().split("\n")]


def _as_written(cell: dict[str, Any]) -> list[str]:
    name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
    return [f"# %% {cell['cell_type']} {name}".rstrip(), *cell["source"].rstrip().split("\n")]
