"""Grades all submissions of an assignment into the gradebook, through nbgrader itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from traitlets.config import Config

from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.gradebook.config import configure, course_id, database_url
from autograded.gradebook.reasons import reason


@dataclass(frozen=True)
class Outcome:
    """What became of one submission: a score, or the one-line reason why it has none."""

    student: str
    score: float | None
    max_score: float | None
    needs_person: bool
    error: str | None
    seconds: float


def api(course: Course) -> NbGraderAPI:
    """nbgrader's own interface to the course, configured as `nbgrader_config.py` does."""
    config = Config()
    configure(config, course.root)
    config.NbGraderAPI.log_level = "ERROR"
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def submitted_students(course: Course, assignment: str) -> list[str]:
    """Students who handed something in for an assignment, sorted."""
    folder = course.classroom / "submitted"
    if not folder.is_dir():
        return []
    return sorted(
        path.name
        for path in folder.iterdir()
        if not path.name.startswith(".") and (path / assignment).is_dir()
    )


def grade_class(
    course: Course,
    assignment: str,
    *,
    students: Sequence[str] = (),
    force: bool = False,
    report: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Grade the submissions in classroom/submitted; one that fails does not stop the others.

    Args:
        course: the course.
        assignment: the assignment's name.
        students: whom to grade; everybody who handed something in by default.
        force: also grade again what has been graded since it was handed in.
        report: called with each outcome as it comes; by default a progress bar is shown.

    Raises:
        AutogradedError: when nothing can be graded: no release, no such student.
    """
    course.require_graders(assignment)
    found = submitted_students(course, assignment)
    missing = sorted(set(students) - set(found))
    if missing:
        raise AutogradedError(
            f"{', '.join(missing)} handed in nothing for {assignment}: "
            f"there is no {course.classroom / 'submitted' / missing[0] / assignment}."
        )
    if not (course.classroom / "release" / assignment).is_dir():
        raise AutogradedError(
            f"{assignment} has not been released: run `autograded build {assignment}` first."
        )
    chosen = [s for s in found if not students or s in students]
    if not chosen:
        raise AutogradedError(
            f"Nobody has handed in {assignment}: "
            f"submissions belong in {course.classroom / 'submitted'}/<student>/{assignment}/."
        )
    grader = api(course)
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    if report is not None:
        return [_noted(grader, course, assignment, s, force, report) for s in chosen]
    with _progress() as progress:
        task = progress.add_task(assignment, total=len(chosen), failed=0)
        failures = 0

        def advance(outcome: Outcome) -> None:
            nonlocal failures
            failures += outcome.error is not None
            progress.update(task, advance=1, failed=failures)

        return [_noted(grader, course, assignment, s, force, advance) for s in chosen]


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]} not graded"),
        console=Console(stderr=True),
    )


def _noted(
    grader: NbGraderAPI,
    course: Course,
    assignment: str,
    student: str,
    force: bool,
    report: Callable[[Outcome], None],
) -> Outcome:
    start = perf_counter()
    result = grader.autograde(assignment, student, force=force, create=True)
    error = None if result["success"] else reason(result)
    score = _score(course, assignment, student) if error is None else None
    outcome = Outcome(
        student=student,
        score=score[0] if score else None,
        max_score=score[1] if score else None,
        needs_person=score[2] if score else False,
        error=error,
        seconds=perf_counter() - start,
    )
    report(outcome)
    return outcome


def _score(course: Course, assignment: str, student: str) -> tuple[float, float, bool]:
    with Gradebook(database_url(course), course_id(course)) as gradebook:
        submission: Any = gradebook.find_submission(assignment, student)
        return submission.score, submission.max_score, submission.needs_manual_grade


def print_outcomes(outcomes: Sequence[Outcome], console: Console | None = None) -> None:
    """Print the closing table: scores, and what could not be graded with its reason."""
    console = console or Console()
    table = Table(box=None, pad_edge=False)
    table.add_column("student")
    table.add_column("score", justify="right")
    table.add_column("")
    for outcome in outcomes:
        if outcome.error is not None:
            table.add_row(outcome.student, "–", f"not graded: {outcome.error}", style="red")
        else:
            note = "a person has to grade the rest" if outcome.needs_person else ""
            table.add_row(outcome.student, f"{outcome.score:g}/{outcome.max_score:g}", note)
    console.print(table)
    graded = [o for o in outcomes if o.error is None]
    seconds = sum(o.seconds for o in outcomes)
    console.print(
        f"{len(graded)} graded, {len(outcomes) - len(graded)} not graded, in {seconds:.1f} s"
    )
