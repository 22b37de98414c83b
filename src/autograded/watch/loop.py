"""The loop of `watch`: saves and keys come in, pages go out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread

from rich.console import Console, RenderableType
from rich.text import Text
from watchfiles import watch as changes

from autograded.checking import Checker
from autograded.course import Course, Exercise
from autograded.errors import AutogradedError
from autograded.hints import HintMemory
from autograded.i18n import _, say, use
from autograded.learner import exercises_of, unremembered
from autograded.public import PublicAssignment
from autograded.reports.table import Table
from autograded.watch.keyboard import keys
from autograded.watch.screen import Screen

# Milliseconds: an editor's save is one or two events within a few of them.
_QUIET, _AT_MOST = 15, 100


@dataclass(frozen=True)
class _Saved:
    """The learner's file of an assignment was saved."""

    assignment: str


@dataclass(frozen=True)
class _Key:
    """A key was pressed."""

    letter: str


def watch(course: Course, wanted: str | None = None) -> None:
    """Check on every save until `q` is pressed.

    Args:
        course: the course.
        wanted: an assignment or one exercise to stay with; the whole course by default.

    Raises:
        CourseError: there is no such assignment or exercise, or a learner's file is missing.
    """
    with use(course.language):
        Watch(course, wanted, Console(highlight=False)).run()


class Watch:
    """One session: where the learner is, and what is known of every exercise."""

    def __init__(self, course: Course, wanted: str | None, console: Console) -> None:
        self._course = course
        self._exercises = exercises_of(course, wanted)
        self._assignments = list(dict.fromkeys(e.id.partition(".")[0] for e in self._exercises))
        self._checker = Checker(course, goes_on=True)
        self._memory = HintMemory(course)
        self._screen = Screen(console, course, self._exercises)
        self._tables: dict[str, Table] = {}
        self._problem = ""
        self._hints = False
        self._listing = False
        self._at = 0
        self._events: SimpleQueue[_Saved | _Key] = SimpleQueue()

    @property
    def current(self) -> Exercise:
        """The exercise on the screen."""
        return self._exercises[self._at]

    def run(self) -> None:
        """Show the first unfinished exercise, then answer saves and keys until `q`."""
        for assignment in self._assignments:
            self._checker.require(assignment)
        self._screen.draw(Text(_("checking the whole course once …"), style="dim"))
        for assignment in self._assignments:
            self._check(assignment)
        self._to_first_unfinished(self._exercises)
        stop = Event()
        watcher = Thread(target=self._watch_files, args=(stop,), daemon=True)
        watcher.start()
        try:
            with keys(lambda letter: self._events.put(_Key(letter))):
                self._draw()
                while not self._handle(self._events.get()):
                    pass
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
            watcher.join()

    def _watch_files(self, stop: Event) -> None:
        files = {self._checker.file(name): name for name in self._assignments}
        # The folder is watched, since many editors put a new file in the old one's place.
        folders = [path.parent for path in files]
        for found in changes(
            *folders,
            watch_filter=lambda change, path: Path(path) in files,
            step=_QUIET,
            debounce=_AT_MOST,
            stop_event=stop,
            recursive=False,
        ):
            for name in dict.fromkeys(files[Path(path)] for _kind, path in found):
                self._events.put(_Saved(name))

    def _handle(self, event: _Saved | _Key) -> bool:
        """Answer one event; return whether it ends the session."""
        if isinstance(event, _Saved):
            self._saved(event.assignment)
            return False
        if event.letter == "q":
            return True
        if event.letter in ("n", "p"):
            step = 1 if event.letter == "n" else -1
            self._go(min(max(self._at + step, 0), len(self._exercises) - 1))
        elif event.letter == "h":
            self._next_hint()
        elif event.letter == "l":
            self._listing = not self._listing
        else:
            return False
        self._draw()
        return False

    def _saved(self, assignment: str) -> None:
        self._checker.saved(assignment)
        mine = [e for e in self._exercises if e.id.startswith(f"{assignment}.")]
        if self.current not in mine:
            self._to_first_unfinished(mine)
        # The exercise the learner looks at goes first: its verdict is what they wait for.
        self._check(self.current.id)
        self._draw(self._age(assignment))
        others = {e.id: self._tables.get(e.id) for e in mine if e != self.current}
        if others and self._events.empty():
            self._check(assignment)
            if any(_done(self._tables.get(key)) != _done(old) for key, old in others.items()):
                self._draw()

    def _age(self, assignment: str) -> float | None:
        try:
            return max(0.0, time.time() - self._checker.file(assignment).stat().st_mtime)
        except OSError:
            return None

    def _check(self, wanted: str) -> None:
        try:
            tables = self._checker.check(wanted)
            self._problem = ""
        except AutogradedError as error:
            self._problem = str(error)
            return
        self._tables.update({table.heading: table for table in tables})

    def _to_first_unfinished(self, exercises: list[Exercise]) -> None:
        unfinished = [e for e in exercises if not _done(self._tables.get(e.id))]
        self._go(self._exercises.index((unfinished or exercises)[0]))

    def _go(self, index: int) -> None:
        if index != self._at:
            self._hints = False
        self._at, self._listing = index, False

    def _next_hint(self) -> None:
        """Show the hints seen so far, and one more when they are on the screen already."""
        known = self._memory.seen(self.current.id)
        if known < len(self._all_hints()) and (self._hints or not known):
            reason = self._memory.see(self.current.id, known + 1)
            if reason:
                self._problem = unremembered(reason)
        self._hints, self._listing = True, False

    def _all_hints(self) -> list[str]:
        folder = self._course.exercises_folder(self.current.id.partition(".")[0])
        return [
            say(hint) for hint in PublicAssignment.load(folder).exercise(self.current.name).hints
        ]

    def _draw(self, seconds: float | None = None) -> None:
        file = self._checker.file(self.current.id.partition(".")[0])
        parts: list[RenderableType] = [
            self._screen.heading(self.current, str(file.relative_to(self._course.root)))
        ]
        if self._problem:
            parts += [Text(self._problem, style="red"), ""]
        table = self._tables.get(self.current.id)
        if self._listing:
            parts.append(self._screen.list(self._tables, self.current))
        elif table is not None:
            parts.append(self._screen.verdict(table, seconds))
        if self._hints:
            hints = self._all_hints()
            known = self._memory.seen(self.current.id)
            parts.append(self._screen.hints(hints[:known], len(hints)))
        parts += self._screen.progress(self._tables, self.current)
        self._screen.draw(*parts, self._screen.keys())


def _done(table: Table | None) -> bool:
    return table is not None and table.passed
