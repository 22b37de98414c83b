"""The closing table of a grading run."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograded.gradebook.progress import Outcome
from autograded.i18n import _
from autograded.text import some

_SLOWEST = 5
_ROWS = 40  # a class of hundreds does not fit a screen; the gradebook has them all


def print_closing(
    outcomes: Sequence[Outcome], seconds: float, console: Console | None = None
) -> None:
    """Print scores, what could not be graded, what to look at, and the slowest submissions."""
    console = console or Console()
    if len(outcomes) <= _ROWS:
        _scores(console, outcomes)
    _section(console, _("Not graded"), [(o.student, o.error) for o in outcomes if o.error])
    flags = [(o.student, flag) for o in outcomes for flag in o.flags]
    _section(console, _("To look at"), flags, "yellow")
    repairs = [(o.student, text) for o in outcomes for text in o.repairs]
    _section(console, _("Put right"), repairs, "yellow")
    by_hand = [o.student for o in outcomes if o.needs_person]
    if by_hand:
        sentence = _("{count} to grade by hand in formgrader: {students}")
        console.print(sentence.format(count=len(by_hand), students=escape(some(by_hand))))
    kept = [o.student for o in outcomes if o.kept]
    if kept:
        sentence = _(
            "Points that a person gave before count until they are confirmed there: {students}"
        )
        console.print(sentence.format(students=escape(some(kept))))
    slow = sorted((o for o in outcomes if o.seconds), key=lambda o: -o.seconds)[:_SLOWEST]
    if slow:
        shown = ", ".join(f"{escape(o.student)} {o.seconds:.2f} s" for o in slow)
        console.print(_("Slowest: {students}").format(students=shown))
    graded = [o for o in outcomes if o.error is None]
    known = sum(o.known for o in graded)
    sentence = _("{graded} graded ({known} known already), {failed} not graded, in {seconds} s")
    text = sentence.format(
        graded=len(graded),
        known=known,
        failed=len(outcomes) - len(graded),
        seconds=f"{seconds:.1f}",
    )
    if seconds > 0 and graded:
        rate = 60 * len(graded) / seconds
        text += ", " + _("{number} a minute").format(number=f"{rate:.0f}")
    console.print(text)


def _scores(console: Console, outcomes: Sequence[Outcome]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column(_("student"))
    table.add_column(_("score"), justify="right")
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
        console.print("  " + _("… and {count} more").format(count=len(rows) - _ROWS))
