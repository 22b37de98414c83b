"""Progress of a grading run: a live bar, plain lines, or one JSON event a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any, Literal, Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

_LINE_EVERY = 10.0  # seconds between lines where there is no terminal


@dataclass(frozen=True)
class Outcome:
    """What became of one submission.

    Attributes:
        student: the student's id.
        score: points in the gradebook, manual ones included; None when it could not be graded.
        max_score: the most there is, written answers included.
        needs_person: whether a person has to grade or confirm something.
        kept: whether points count that a person gave before, and has to look at again.
        error: the one-line reason why it could not be graded, or None.
        flags: what a person should look at, as "kind: message".
        repairs: what had to be put right in the file.
        seconds: how long its cells and checks took; 0 when its result was known already.
        known: whether the result was there from an earlier run.
    """

    student: str
    score: float | None = None
    max_score: float | None = None
    needs_person: bool = False
    kept: bool = False
    error: str | None = None
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    seconds: float = 0.0
    known: bool = False


class Reporter(Protocol):
    """Is told of each outcome as it is recorded."""

    def __call__(self, outcome: Outcome) -> None:
        """Take note of one outcome."""


Form = Literal["auto", "json", "none"]


@contextmanager
def reporting(assignment: str, total: int, form: Form) -> Iterator[Reporter]:
    """Show progress on stderr (JSON events on stdout) until the block ends."""
    if form == "json":
        yield _json_events(assignment, total)
    elif form == "none":
        yield lambda outcome: None
    elif sys.stderr.isatty():
        with _live(assignment, total) as reporter:
            yield reporter
    else:
        yield _Lines(assignment, total)


def _json_events(assignment: str, total: int) -> Reporter:
    def write(event: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(event, ensure_ascii=False) + "\n")
        sys.stdout.flush()

    write({"event": "start", "assignment": assignment, "total": total})
    return lambda outcome: write({"event": "graded", **asdict(outcome)})


@contextmanager
def _live(assignment: str, total: int) -> Iterator[Reporter]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}/min"),
        TimeRemainingColumn(),
        TextColumn("[green]{task.fields[full]} full[/green]"),
        TextColumn("[red]{task.fields[failed]} not graded[/red]"),
    )
    counts = _Counts()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(assignment, total=total, rate="–", full=0, failed=0)

        def report(outcome: Outcome) -> None:
            counts.add(outcome)
            progress.update(
                task, advance=1, rate=counts.rate(), full=counts.full, failed=counts.failed
            )

        yield report


class _Counts:
    def __init__(self) -> None:
        self.done = self.full = self.failed = 0
        self.start = monotonic()

    def add(self, outcome: Outcome) -> None:
        self.done += 1
        self.failed += outcome.error is not None
        self.full += outcome.score is not None and outcome.score == outcome.max_score

    def rate(self) -> str:
        return f"{60 * self.done / max(monotonic() - self.start, 1e-3):.0f}"


class _Lines:
    """A line now and then, for logs."""

    def __init__(self, assignment: str, total: int) -> None:
        self._assignment, self._total = assignment, total
        self._counts = _Counts()
        self._last = monotonic()

    def __call__(self, outcome: Outcome) -> None:
        counts = self._counts
        counts.add(outcome)
        now = monotonic()
        if now - self._last >= _LINE_EVERY or counts.done == self._total:
            self._last = now
            sys.stderr.write(
                f"{self._assignment}: {counts.done}/{self._total}, {counts.rate()}/min, "
                f"{counts.failed} not graded\n"
            )
            sys.stderr.flush()
