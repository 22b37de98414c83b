"""A learner's own page: how far they are, what their code does, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from markupsafe import Markup

from autograded.checking import Checker
from autograded.course import Course, Exercise, Page
from autograded.errors import AutogradedError, CourseError
from autograded.hints import HintMemory
from autograded.i18n import _, language, use
from autograded.reports.pages import asset, asset_hash, environment, write_page
from autograded.reports.progress import Part, Progress, Standing
from autograded.reports.prose import hints_of
from autograded.reports.table import Table

FILE = "progress.html"

_WIDTH = 600
"""Width of the picture of an assignment, in units of its own."""

_GAP = 4


@dataclass(frozen=True)
class Segment:
    """One exercise in the picture of an assignment: as wide as its points, filled as it passes."""

    standing: Standing
    x: float
    width: float
    filled: float


@dataclass(frozen=True)
class Work:
    """One exercise on the page: its checks, and the hints seen, as HTML."""

    standing: Standing
    hints: Sequence[Markup]
    all_hints: int

    @property
    def exercise(self) -> Exercise:
        """Its entry in course.yml."""
        return self.standing.exercise


@dataclass(frozen=True)
class Chapter:
    """One assignment on the page.

    Attributes:
        part: its exercises that checks grade.
        works: the same, with what the page shows of each.
        file: the learner's file.
        problem: why it could not be checked, empty when it was.
        reading: what to read next, when it is finished.
    """

    part: Part
    works: Sequence[Work]
    file: Path
    problem: str
    reading: Sequence[Page]

    @property
    def segments(self) -> list[Segment]:
        """The picture."""
        standings = self.part.standings
        room = _WIDTH - _GAP * (len(standings) - 1)
        found, x = [], 0.0
        for one in standings:
            width = room * one.exercise.points / self.part.due
            share = one.passed / one.total if one.total else 0.0
            found.append(Segment(one, x, width, width * share))
            x += width + _GAP
        return found


@dataclass(frozen=True)
class LearnerPage:
    """A page that was written.

    Attributes:
        path: the file.
        summary: how far the learner is, in one line.
        problems: what could not be checked, one sentence each.
    """

    path: Path
    summary: str
    problems: tuple[str, ...]


def write_learner_page(
    folder: Path, course: Course, assignments: Sequence[str] = (), output: Path | None = None
) -> LearnerPage:
    """Run the public checks on a learner's files and write their page.

    Args:
        folder: where the files are, one folder for each assignment, such as exercises/.
        course: the course.
        assignments: which of its assignments; all by default.
        output: the file; by default progress.html in the folder.

    Raises:
        AutogradedError: there is no such assignment, the folder holds no work of any, or the page
            cannot be written.
    """
    with use(course.language):
        names = [course.assignment(name).id for name in assignments] or list(course.assignments)
        checker = Checker(course, folder)
        if not any(checker.file(name).is_file() for name in names):
            expected = Path(names[0], f"{names[0]}.py")
            raise CourseError(
                _("{folder} holds no work: name the folder with {file} in it.").format(
                    folder=folder, file=expected
                )
            )
        tables, problems = _checked(checker, names)
        exercises = [e for name in names for e in course.assignment(name).checked]
        progress = Progress.of(course, exercises, tables)
        path = output or folder / FILE
        write_page(path, render(course, checker, progress, problems))
        return LearnerPage(path, progress.sentence(), tuple(problems.values()))


def _checked(checker: Checker, names: Sequence[str]) -> tuple[dict[str, Table], dict[str, str]]:
    """The tables by exercise, and by assignment why there are none."""
    tables: dict[str, Table] = {}
    problems: dict[str, str] = {}
    for name in names:
        try:
            checker.require(name)
            tables.update({table.heading: table for table in checker.check(name)})
        except AutogradedError as error:
            problems[name] = str(error)
    return tables, problems


def render(course: Course, checker: Checker, progress: Progress, problems: dict[str, str]) -> str:
    """Make the page, in the current language."""
    memory = HintMemory(course)
    return (
        environment()
        .get_template("learner.html.j2")
        .render(
            course=course,
            progress=progress,
            chapters=[_chapter(course, checker, memory, p, problems) for p in progress.parts],
            language=language(),
            now=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
            width=_WIDTH,
            style=asset("learner.css"),
            style_hash=asset_hash("learner.css"),
        )
    )


def _chapter(
    course: Course, checker: Checker, memory: HintMemory, part: Part, problems: dict[str, str]
) -> Chapter:
    name = part.assignment.id
    hints = hints_of(course, name)
    works = []
    for one in part.standings:
        mine = hints.get(one.exercise.name, [])
        works.append(Work(one, mine[: memory.seen(one.exercise.id)], len(mine)))
    return Chapter(
        part,
        works,
        checker.file(name),
        problems.get(name, ""),
        course.reading(name) if part.finished else [],
    )
