"""The class report: one HTML file that needs nothing but a browser."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograded.course import Assignment, Course
from autograded.i18n import _, language, say, use
from autograded.reports import figures, findings, items, similarity, statistics
from autograded.reports.class_data import (
    AssignmentData,
    ClassData,
    Graded,
    read_class,
    released_code,
)
from autograded.reports.documents import OWN_CELLS
from autograded.reports.pages import asset, asset_hash, environment, write_page

PAIRS = 60
"""Similar pairs of an assignment that are shown; more are counted."""

WITH_CODE = 20
"""Of these, pairs whose code stands beside each other."""

_CODE = 4_000
"""Characters of a student's code that are shown."""

_ROWS = 300
"""Rows of a list of submissions that are shown; more are counted."""

_NAMED = 40
"""Students that are named where a row concerns many; more are counted."""


@dataclass(frozen=True)
class Report:
    """A report that was written.

    Attributes:
        path: the file.
        submissions: graded submissions in it.
        problems: what could not be read, one sentence each.
    """

    path: Path
    submissions: int
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Twin:
    """A pair of similar submissions, with their code beside each other, by exercise."""

    pair: similarity.Pair
    code: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Section:
    """All a report says of one assignment."""

    assignment: Assignment
    data: AssignmentData
    scores: statistics.Summary
    shares: statistics.Summary
    distribution: figures.Figure
    items: items.ItemAnalysis
    item_map: figures.Figure | None
    misconceptions: list[findings.Misconception]
    answers: list[findings.Answers]
    flags: list[tuple[str, str, str]]
    repairs: list[findings.Listed]
    handing_in: findings.HandingIn
    similar: similarity.Comparison
    twins: list[Twin]
    timing: findings.Timing

    @property
    def flagged(self) -> set[str]:
        """The students with a flag."""
        return {student for student, _kind, _message in self.flags}


def write_report(
    course: Course, assignments: Sequence[str] = (), output: Path | None = None
) -> Report:
    """Write the report of a class, in the course's language.

    Args:
        course: the course.
        assignments: which of its assignments; all by default.
        output: the file; by default classroom/reports/<assignment>.html, or class.html for all.

    Raises:
        AutogradedError: there is no such assignment, or the file cannot be written.
    """
    with use(course.language), _without_collections():
        the_class = read_class(course, assignments)
        text = render(course, the_class)
    name = "-".join(one.assignment.id for one in the_class.assignments) if assignments else "class"
    path = output or course.classroom / "reports" / f"{name}.html"
    write_page(path, text)
    graded = sum(len(one.graded) for one in the_class.assignments)
    return Report(path, graded, the_class.problems)


@contextmanager
def _without_collections() -> Iterator[None]:
    """Look for no garbage: a class is many objects, all of them in use."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def render(course: Course, the_class: ClassData, now: datetime | None = None) -> str:
    """Make the page, in the current language.

    Args:
        course: the course.
        the_class: what is known of its class.
        now: the time to write on it; the present by default.
    """
    sections = [_section(course, the_class, data) for data in the_class.assignments]
    template = environment().get_template("class_report.html.j2")
    page = template.render(
        exercise_name=exercise_name,
        course=course,
        the_class=the_class,
        sections=sections,
        standings=_standings(the_class),
        now=(now or datetime.now(UTC)).strftime("%Y-%m-%d %H:%M UTC"),
        language=language(),
        style=asset("class_report.css"),
        script=asset("class_report.js"),
        style_hash=asset_hash("class_report.css"),
        script_hash=asset_hash("class_report.js"),
        limits={
            "rows": _ROWS,
            "named": _NAMED,
            "pairs": PAIRS,
            "passage": similarity.PASSAGE,
            "few": items.FEW,
            "least": items.LEAST,
            "weak": items.WEAK,
        },
    )
    # What is no text cannot be written down: a name may hold half of a surrogate pair.
    return page.encode("utf-8", "replace").decode("utf-8")


def _section(course: Course, the_class: ClassData, data: AssignmentData) -> Section:
    name = data.assignment.id
    stubs = released_code(course, name)
    analysis = items.analyse(data)
    shares = [one.share for one in data.graded]
    title = say(data.assignment.title)
    code = {one.student: one.code for one in data.graded if not one.unread}
    similar = similarity.compare(
        code,
        stubs,
        _known(course, name),
        {one.student: one.result.submission_sha256 for one in data.graded if not one.unread},
    )
    return Section(
        data.assignment,
        data,
        statistics.summary([one.result.score for one in data.graded]),
        statistics.summary(shares),
        figures.distribution(
            statistics.histogram(shares), _("Scores of {title}").format(title=title)
        ),
        analysis,
        figures.item_map(analysis.checks, _("Checks of {title}").format(title=title)),
        findings.misconceptions(course, data),
        findings.answers(data, stubs),
        findings.flags(data),
        findings.repairs(data),
        findings.handing_in(the_class, data),
        similar,
        [
            _twin(pair, code if number < WITH_CODE else {})
            for number, pair in enumerate(similar.pairs[:PAIRS])
        ],
        findings.timing(data),
    )


def _known(course: Course, assignment: str) -> list[str]:
    """Code that nobody need have from another student: what solves, and what is known to fail."""
    folder = course.graders(assignment)
    paths = [course.solutions(assignment), *sorted(folder.glob("*.py"))]
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file()]


def _twin(pair: similarity.Pair, code: dict[str, dict[str, str]]) -> Twin:
    first, second = (code.get(student, {}) for student in pair.students)
    sides = [
        (exercise_name(name), first[name][:_CODE], second[name][:_CODE])
        for name in pair.exercises
        if name in first and name in second
    ]
    return Twin(pair, tuple(sides))


def exercise_name(name: str) -> str:
    """What a piece of a student's code is called on the page."""
    return _("cells of their own") if name == OWN_CELLS else name


def _standings(the_class: ClassData) -> list[tuple[str, str, list[tuple[float | None, str]]]]:
    """For each student the id, the name, and the standing in each assignment."""
    graded: list[dict[str, Graded]] = [
        {one.student: one for one in data.graded} for data in the_class.assignments
    ]
    return [
        (
            student,
            name,
            [
                findings.standing(data, student, known.get(student))
                for data, known in zip(the_class.assignments, graded, strict=True)
            ],
        )
        for student, name in the_class.students.items()
    ]
