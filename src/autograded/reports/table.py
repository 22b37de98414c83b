"""The table of one exercise's checks, as HTML and as text.

The same table stands under `check()` in a notebook and in the feedback a student gets back.
Everything that comes from a student is escaped; the styles are inline, since a notebook strips
style sheets, and take their colours from the surrounding text, so that both themes work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from autograded.i18n import _
from autograded.reports.prose import prose
from autograded.text import without_control

_TRACEBACK = "\nTraceback (most recent call last):\n"
_MOST = 10_000
"""Characters of one text that are kept."""


def plain(text: str) -> str:
    """Student-controlled text without control characters, valid as UTF-8, at most `_MOST` long."""
    text = without_control(text).encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= _MOST else text[:_MOST] + " …"


@dataclass(frozen=True)
class Row:
    """One check: its title, whether it passed, and the message when it did not."""

    title: str
    passed: bool
    message: str = ""


@dataclass(frozen=True)
class Table:
    """One exercise: its checks, what explains the failures, and hints to unfold.

    `score` is None where no points are given, such as in a rehearsal.
    """

    heading: str
    rows: Sequence[Row]
    score: float | None = None
    max_score: float | None = None
    diagnosis: Sequence[str] = ()
    hints: Sequence[str] = field(default_factory=tuple)
    notes: Sequence[str] = ()

    @property
    def passed(self) -> bool:
        """Whether every check passed, and there is at least one."""
        return bool(self.rows) and all(row.passed for row in self.rows)

    def summary(self) -> str:
        """One line: passed checks, and points when there are some."""
        passed = sum(row.passed for row in self.rows)
        text = _("{passed} of {total} checks").format(passed=passed, total=len(self.rows))
        if self.score is not None and self.max_score is not None:
            points = _("{score} of {max} points").format(
                score=f"{self.score:g}", max=f"{self.max_score:g}"
            )
            text = f"{points} · {text}"
        return text

    def groups(self) -> Iterator[tuple[list[Row], str]]:
        """Rows that stand together with one message, which is then said once.

        Where code raised, each check has the same traceback: it is shown once, too.
        """
        shown: set[str] = set()
        for message, rows in groupby(self.rows, key=lambda row: row.message):
            text, begin, traceback = message.partition(_TRACEBACK)
            place = traceback.rpartition("\n")[0]  # the error itself stands above it, too
            if begin and place in shown:
                message = text + "\n" + _("(raised at the same place as above)")
            shown.add(place)
            yield list(rows), plain(message)

    def to_text(self) -> str:
        """The table for a terminal."""
        lines = [f"{self.heading} · {self.summary()}"]
        lines += [f"  ! {plain(note)}" for note in self.notes]
        for rows, message in self.groups():
            lines += [f"  {'✓' if row.passed else '✗'} {plain(row.title)}" for row in rows]
            lines += [f"      {line}" for line in message.splitlines()]
        lines += [f"  → {plain(text)}" for text in self.diagnosis]
        return "\n".join(lines)

    def to_html(self) -> str:
        """The table for a page or a notebook's output."""
        colour = _GOOD if self.passed else _BAD
        parts = [
            f'<div class="autograded-checks" style="border-left: 4px solid {colour}; '
            'padding: 2px 12px; margin: 6px 0; max-width: 60em; text-align: left">',
            f'<p style="margin: 4px 0"><strong>{_escaped(self.heading)}</strong> '
            f"· {_escaped(self.summary())}</p>",
        ]
        parts += [f'<p style="margin: 4px 0">⚠ {_lines(note)}</p>' for note in self.notes]
        for rows, message in self.groups():
            parts += [_row_html(row) for row in rows]
            if message:
                parts.append(f'<pre style="{_PRE}">{_escaped(message)}</pre>')
        label = _("What happened:")
        for text in self.diagnosis:
            parts.append(
                f'<div style="margin: 8px 0 4px"><strong>{_escaped(label)}</strong> '
                f"{_course_text(text)}</div>"
            )
        for number, hint in enumerate(self.hints, start=1):
            label = _("Hint {number}").format(number=number)
            parts.append(
                f'<details style="margin: 4px 0"><summary style="cursor: pointer">'
                f"{_escaped(label)}</summary>"
                f'<div style="margin: 4px 16px">{_course_text(hint)}</div></details>'
            )
        parts.append("</div>")
        return "".join(parts)


# Both have at least 3:1 against white and against JupyterLab's dark background; they mark, and
# the text beside them says the same.
_GOOD, _BAD = "#2e8b57", "#d1495b"


_PRE = (
    "margin: 2px 0 6px 20px; padding: 4px 8px; white-space: pre-wrap; overflow-wrap: anywhere; "
    "background: rgba(128, 128, 128, 0.12); color: inherit; font-size: 90%"
)


def _row_html(row: Row) -> str:
    mark, colour = ("✓", _GOOD) if row.passed else ("✗", _BAD)
    word = _("passed") if row.passed else _("failed")
    return (
        f'<div style="margin: 3px 0"><span aria-hidden="true" style="color: {colour}; '
        f'font-weight: bold">{mark}</span> {_escaped(plain(row.title))} '
        f"<small>({_escaped(word)})</small></div>"
    )


def _escaped(text: str) -> str:
    # Dollar signs would be read as formulas by MathJax.
    return escape(text).replace("$", "&#36;")


def _course_text(text: str) -> str:
    """Hints and diagnoses are the course's Markdown, with formulas that Jupyter typesets."""
    return prose(plain(text), formulas="tex")


def _lines(text: str) -> str:
    return _escaped(plain(text)).replace("\n", "<br>")
