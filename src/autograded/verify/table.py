"""Verify for people: progress while it runs, the table and the faults at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from autograded.course import Course
from autograded.verify.course import Verdict, verify
from autograded.verify.trials import ExerciseTrials

_LEGEND = (
    "caught: misconceptions that fail a check. told: diagnosed as themselves and nothing else. "
    "right code: alternatives that pass and are told nothing. pairs told: two misconceptions at "
    "once that answer otherwise than each alone, diagnosed as both."
)


def verify_and_show(
    course: Course,
    only: Sequence[str] = (),
    *,
    pairs: bool = True,
    jobs: int | None = None,
    level: str = "auto",
    notes: bool = False,
) -> Verdict:
    """Verify, show what was found, and return it; the arguments are those of `verify`."""
    console = Console(highlight=False)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("verifying", total=None)
        verdict = verify(
            course,
            only,
            pairs=pairs,
            jobs=jobs,
            level=level,
            progress=lambda done, due: bar.update(task, completed=done, total=due),
        )
    _show(console, verdict, notes=notes)
    return verdict


def _show(console: Console, verdict: Verdict, *, notes: bool) -> None:
    """Print the table, the notes when asked for, and every fault on one line."""
    if verdict.exercises:
        console.print(_table(verdict.exercises))
    if notes:
        for note in verdict.findings.notes:
            console.print(Text(f"note: {note}", style="dim"), soft_wrap=True)
    for fault in verdict.findings.faults:
        console.print(Text(f"✗ {fault}", style="red"), soft_wrap=True)
    console.print(_closing(verdict), soft_wrap=True)


def _closing(verdict: Verdict) -> Text:
    faults, notes = len(verdict.findings.faults), len(verdict.findings.notes)
    aside = f" {notes} note{'s' if notes != 1 else ''} (--notes)." if notes else ""
    if faults:
        text = f"{faults} fault{'s' if faults != 1 else ''} in {verdict.seconds:.0f} s.{aside}"
        return Text(text, style="bold red")
    return Text(f"The course holds, proved in {verdict.seconds:.0f} s.{aside}", style="bold green")


def _table(exercises: Iterable[ExerciseTrials]) -> Table:
    table = Table(box=None, pad_edge=False, caption=_LEGEND, caption_justify="left")
    table.add_column("exercise", no_wrap=True)
    for heading in ("checks", "caught", "told", "right code"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("pairs told", justify="right", no_wrap=True)
    totals = [0] * 9
    for assignment, tried in groupby(exercises, key=lambda t: t.exercise.partition(".")[0]):
        table.add_row(assignment, style="bold")
        for one in tried:
            numbers = _numbers(one)
            totals = [total + number for total, number in zip(totals, numbers, strict=True)]
            table.add_row(f"  {one.exercise.partition('.')[2]}", *_cells(numbers))
    table.add_section()
    table.add_row("all", *_cells(totals), style="bold")
    return table


def _numbers(tried: ExerciseTrials) -> list[int]:
    wrong, right, pairs = tried.of("misconception"), tried.of("alternative"), tried.pairs
    passing = [trial for trial in right if not trial.failed and not trial.diagnosis]
    return [
        len(tried.checks),
        sum(bool(trial.failed) for trial in wrong),
        len(wrong),
        sum(bool(trial.failed) and trial.told for trial in wrong),
        len(wrong),
        len(passing),
        len(right),
        sum(trial.told for trial in pairs),
        len(pairs),
    ]


def _cells(numbers: list[int]) -> list[str | Text]:
    checks, *shares, told, pairs = numbers
    cells: list[str | Text] = [str(checks)]
    for done, due in zip(shares[::2], shares[1::2], strict=True):
        cells.append(Text(f"{done}/{due}", style="" if done == due else "red"))
    cells.append(f"{told}/{pairs} {told / pairs:4.0%}" if pairs else "–")
    return cells
