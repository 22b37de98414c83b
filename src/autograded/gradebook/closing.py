"""The closing table of a grading run."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograded.gradebook.progress import Outcome

_SLOWEST = 5
_ROWS = 40  # a class of hundreds does not fit a screen; the gradebook has them all


def print_closing(
    outcomes: Sequence[Outcome], seconds: float, console: Console | None = None
) -> None:
    """Print scores, what could not be graded, what to look at, and the slowest submissions."""
    console = console or Console()
    if len(outcomes) <= _ROWS:
        _scores(console, outcomes)
    _section(console, "Not graded", [(o.student, o.error) for o in outcomes if o.error])
    _section(
        console, "To look at", [(o.student, flag) for o in outcomes for flag in o.flags], "yellow"
    )
    _section(
        console, "Put right", [(o.student, text) for o in outcomes for text in o.repairs], "yellow"
    )
    by_hand = [o.student for o in outcomes if o.needs_person]
    if by_hand:
        shown = ", ".join(by_hand[:10]) + (" …" if len(by_hand) > 10 else "")
        console.print(f"{len(by_hand)} to grade by hand in formgrader: {escape(shown)}")
    slow = sorted((o for o in outcomes if o.seconds), key=lambda o: -o.seconds)[:_SLOWEST]
    if slow:
        shown = ", ".join(f"{escape(o.student)} {o.seconds:.2f} s" for o in slow)
        console.print(f"Slowest: {shown}")
    graded = [o for o in outcomes if o.error is None]
    known = sum(o.known for o in graded)
    rate = f", {60 * len(graded) / seconds:.0f} a minute" if seconds > 0 and graded else ""
    console.print(
        f"{len(graded)} graded ({known} of them unchanged), "
        f"{len(outcomes) - len(graded)} not graded, in {seconds:.1f} s{rate}"
    )


def _scores(console: Console, outcomes: Sequence[Outcome]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("student")
    table.add_column("score", justify="right")
    for outcome in outcomes:
        if outcome.score is not None:
            table.add_row(escape(outcome.student), f"{outcome.score:g}/{outcome.max_score:g}")
    if table.row_count:
        console.print(table)


def _section(
    console: Console, title: str, rows: Sequence[tuple[str, str | None]], style: str = "red"
) -> None:
    if not rows:
        return
    console.print(f"[{style}]{title}[/{style}]")
    for student, text in rows[:_ROWS]:
        console.print(f"  {escape(student)}: {escape(text or '')}", highlight=False)
    if len(rows) > _ROWS:
        console.print(f"  … and {len(rows) - _ROWS} more")
