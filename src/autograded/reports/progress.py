"""How far a learner has come, as numbers and as a picture for a terminal.

Every exercise has a bar that shows by its characters what colours only underline: full where it
passes, shaded for the share of checks that pass, light for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from autograded.course import Assignment, Course, Exercise
from autograded.i18n import _, say
from autograded.reports.numbers import points
from autograded.reports.table import Table

_WIDTH = 24
"""Characters of an assignment's bar, the spaces between exercises not counted."""

_BAR = 12
"""Characters of an exercise's bar."""

_FULL, _PART, _REST = "█", "▒", "░"


@dataclass(frozen=True)
class Standing:
    """How one exercise stands: its checks as they ran, None when they did not."""

    exercise: Exercise
    table: Table | None

    @property
    def passed(self) -> int:
        """Checks that passed."""
        return sum(row.passed for row in self.table.rows) if self.table else 0

    @property
    def total(self) -> int:
        """Checks that ran."""
        return len(self.table.rows) if self.table else 0

    @property
    def done(self) -> bool:
        """Whether every check passed, and some ran."""
        return self.table is not None and self.table.passed

    @property
    def points(self) -> float:
        """Points, all or nothing: public checks are a rehearsal, not the grade."""
        return self.exercise.points if self.done else 0.0


@dataclass(frozen=True)
class Part:
    """The exercises of one assignment that a picture is about."""

    assignment: Assignment
    standings: Sequence[Standing]

    @property
    def points(self) -> float:
        """Points so far."""
        return sum(one.points for one in self.standings)

    @property
    def due(self) -> float:
        """Points that can be had."""
        return sum(one.exercise.points for one in self.standings)

    @property
    def finished(self) -> bool:
        """Whether every exercise of the assignment that checks grade passes."""
        done = {one.exercise.id for one in self.standings if one.done}
        return all(exercise.id in done for exercise in self.assignment.checked)


@dataclass(frozen=True)
class Progress:
    """How a learner stands in some exercises of a course."""

    course: Course
    parts: Sequence[Part]

    @classmethod
    def of(
        cls, course: Course, exercises: Iterable[Exercise], tables: Mapping[str, Table]
    ) -> Progress:
        """The standing in `exercises`, which are in the course's order, from tables by id."""
        parts = []
        for name, mine in groupby(exercises, key=lambda one: one.id.partition(".")[0]):
            standings = [Standing(one, tables.get(one.id)) for one in mine]
            parts.append(Part(course.assignment(name), standings))
        return cls(course, parts)

    @property
    def standings(self) -> list[Standing]:
        """All exercises, in order."""
        return [one for part in self.parts for one in part.standings]

    @property
    def done(self) -> int:
        """Exercises that pass."""
        return sum(one.done for one in self.standings)

    @property
    def points(self) -> float:
        """Points so far."""
        return sum(part.points for part in self.parts)

    @property
    def due(self) -> float:
        """Points that can be had."""
        return sum(part.due for part in self.parts)

    @property
    def following(self) -> Standing | None:
        """The first exercise that does not pass."""
        return next((one for one in self.standings if not one.done), None)

    def sentence(self) -> str:
        """The sums in words."""
        return _("{done} of {all} exercises, {points} of {due} points").format(
            done=self.done,
            all=len(self.standings),
            points=points(self.points),
            due=points(self.due),
        )


def grid(progress: Progress) -> RenderableType:
    """A row for each exercise, under its assignment: mark, bar, checks, points."""
    rows = Grid(box=None, pad_edge=False)
    rows.add_column("", no_wrap=True)
    rows.add_column(_("exercise"), overflow="fold")
    rows.add_column("", no_wrap=True)
    rows.add_column(_("checks"), justify="right", no_wrap=True)
    rows.add_column(_("points"), justify="right", no_wrap=True)
    for part in progress.parts:
        rows.add_row(
            "",
            Text(say(part.assignment.title), style="bold"),
            "",
            "",
            Text(f"{points(part.points)}/{points(part.due)}", style="bold"),
        )
        for number, one in enumerate(part.standings, start=1):
            rows.add_row(
                mark(one),
                one.exercise.id,
                _bar(one, _BAR),
                f"{one.passed}/{one.total}",
                f"{points(one.points)}/{points(one.exercise.points)}",
                end_section=number == len(part.standings),
            )
    return Group(rows, "", strip(progress) if len(progress.parts) > 1 else progress.sentence())


def strip(progress: Progress, current: Exercise | None = None) -> RenderableType:
    """A row for each assignment, with a bar in which every exercise is as long as its points."""
    rows = Grid.grid(padding=(0, 2, 0, 0))
    rows.add_column(no_wrap=True)
    for part in progress.parts:
        bar = Text(no_wrap=True)
        for one in part.standings:
            width = max(1, round(_WIDTH * one.exercise.points / part.due))
            here = current is not None and one.exercise.id == current.id
            bar.append("▸" if here else " ", style="bold")
            bar.append_text(_bar(one, width))
        rows.add_row(
            part.assignment.id,
            bar,
            Text(f"{points(part.points)}/{points(part.due)}", justify="right"),
        )
    legend = _("{full} passes  {part} some checks pass  {rest} still to do").format(
        full=_FULL, part=_PART, rest=_REST
    )
    return Group(rows, Text(progress.sentence(), style="bold"), Text(legend, style="dim"))


def mark(standing: Standing) -> Text:
    """One character: passes, does not, was not checked."""
    if standing.table is None:
        return Text("·", style="dim")
    return Text("✓", style="green") if standing.done else Text("✗", style="red")


def _bar(standing: Standing, width: int) -> Text:
    if standing.done:
        return Text(_FULL * width, style="green")
    part = 0
    if standing.passed:
        # At least one character shows that something passes, and that something does not.
        share = round(width * standing.passed / standing.total)
        part = min(max(share, 1), max(width - 1, 1))
    return Text.assemble((_PART * part, "yellow"), (_REST * (width - part), "dim"))


def reading(course: Course, assignment: Assignment) -> RenderableType:
    """What to read after an assignment that is finished."""
    parts: list[RenderableType] = [
        Text(_("Finished: {title}. To read next:").format(title=say(assignment.title)), "green")
    ]
    for page in course.reading(assignment.id):
        parts.append(Padding(Text(f"{say(page.title)}\n{page.url}"), (0, 0, 0, 2)))
    return Group(*parts)
