"""What `watch` shows: the current exercise, what is wrong, hints, progress over the course."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from autograded.course import Course, Exercise
from autograded.hints import for_terminal
from autograded.i18n import _, say
from autograded.reports import progress
from autograded.reports.table import Table


class Screen:
    """Draws one page, over the last one on a terminal and under it elsewhere."""

    def __init__(self, console: Console, course: Course, exercises: Sequence[Exercise]) -> None:
        self._console = console
        self._course = course
        self._exercises = exercises

    def draw(self, *parts: RenderableType) -> None:
        """Show the parts under each other."""
        if self._console.is_terminal:
            self._console.clear()
        self._console.print(Group(*parts))

    def heading(self, exercise: Exercise, file: str) -> RenderableType:
        """Which exercise this is, and where it is written."""
        idea = self._course.ideas[exercise.idea]
        line = Text(exercise.id, style="bold")
        line.append("  " + "★" * exercise.difficulty, style="yellow")
        line.append("  " + _("{minutes} minutes").format(minutes=exercise.minutes), style="dim")
        place = Text(f"{file} · {say(idea.title)}: {idea.url}", style="dim")
        return Group(line, place, "")

    def verdict(self, table: Table, seconds: float | None) -> RenderableType:
        """The checks of one exercise; what several of them say is said once.

        `seconds` is the time since the file was saved, None when no save led to this.
        """
        lines: list[RenderableType] = []
        for rows, message in table.groups():
            for row in rows:
                mark = Text("✓ ", style="green") if row.passed else Text("✗ ", style="red")
                lines.append(Padding(mark + Text(row.title), (0, 0, 0, 2)))
            if message:
                lines.append(Padding(Text(message), (0, 0, 0, 6)))
        if table.passed:
            words = Text(_("passed"), style="bold green")
            words.append("  " + _("n goes on to the next exercise"), style="not bold dim")
        else:
            words = Text(_("not yet"), style="bold red")
        if seconds is not None:
            after = _("{seconds} s after saving").format(seconds=f"{seconds:.2f}")
            words.append(f"  {after}", style="not bold dim")
        return Group(*lines, "", words, "")

    def hints(self, hints: Sequence[str], total: int) -> RenderableType:
        """The hints seen so far."""
        parts: list[RenderableType] = []
        for number, hint in enumerate(hints, start=1):
            title = _("Hint {number} of {count}").format(number=number, count=total)
            text = Markdown(for_terminal(hint))
            parts += [Text(title, style="bold"), Padding(text, (0, 0, 1, 2))]
        return Group(*parts)

    def list(self, tables: Mapping[str, Table], current: Exercise) -> RenderableType:
        """All exercises, with the current one marked."""
        grid = Grid(box=None, pad_edge=False, show_header=False)
        for exercise in self._exercises:
            here = exercise.id == current.id
            grid.add_row(
                "→" if here else "",
                progress.mark(progress.Standing(exercise, tables.get(exercise.id))),
                Text(exercise.id, style="bold" if here else ""),
                f"{exercise.points:g}",
            )
        return Group(grid, "")

    def progress(self, tables: Mapping[str, Table], current: Exercise) -> Sequence[RenderableType]:
        """How far the learner has come, and what to read when this assignment is finished."""
        standing = progress.Progress.of(self._course, self._exercises, tables)
        parts = [progress.strip(standing, current), ""]
        here = next(p for p in standing.parts if current.id in {s.exercise.id for s in p.standings})
        if here.finished:
            parts += [progress.reading(self._course, here.assignment), ""]
        return parts

    def keys(self) -> RenderableType:
        """What can be pressed."""
        text = _("h hint · n next · p previous · l list · q quit")
        return Text(text, style="dim")
