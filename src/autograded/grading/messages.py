"""One formula for what a student reads: called with what, returned what, autograd says what."""

from __future__ import annotations

import traceback
from types import TracebackType

from typing_extensions import TypedDict

from autograded.course import FeedbackLevel
from autograded.grading.compare import show
from autograded.grading.failures import CheckFailed
from autograded.grading.submission import Exchange, failure
from autograded.i18n import _
from autograded.sandbox import calls


class Parts(TypedDict, total=False):
    """The parts of a failed check's message; a part that says nothing is left out."""

    problem: str
    called: str
    returned: str
    expected: str
    traceback: str


def parts_of(error: BaseException, exchange: Exchange | None) -> Parts:
    """Take a failed check's exception apart.

    `exchange` is the last call the check made, or None when it made none.
    """
    failed = _as_failure(error, exchange)
    parts: Parts = {"problem": failed.problem}
    if exchange is not None and not failed.uncalled:
        parts["called"] = exchange.shown()
    if failed.returned is not None:
        parts["returned"] = failed.returned
    if failed.expected is not None:
        parts["expected"] = failed.expected
    if failed.traceback:
        parts["traceback"] = failed.traceback
    return parts


def _as_failure(error: BaseException, exchange: Exchange | None) -> CheckFailed:
    if isinstance(error, CheckFailed):
        return error
    if exchange is not None and exchange.reply.error is not None:
        failed = failure(exchange.function, exchange.reply.error)
        if not failed.uncalled:
            failed.traceback = student_traceback(error)
        return failed
    returned = show(exchange.reply.value) if exchange is not None else None
    if isinstance(error, AssertionError):
        text = str(error).partition("\n")[0]
        return CheckFailed(
            text or _("What came back is not what this check asks for."), returned=returned
        )
    return CheckFailed(
        _("What came back is not what the exercise asks for ({type}: {message}).").format(
            type=type(error).__name__, message=error
        ),
        returned=returned,
    )


def student_traceback(error: BaseException) -> str:
    """The student's own part of a traceback: what lies below our call."""
    frames: TracebackType | None = error.__traceback__
    below = frames
    while frames is not None:
        if frames.tb_frame.f_code.co_filename == calls.__file__:
            below = frames.tb_next
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, below))


def compose(parts: Parts, level: FeedbackLevel = "full") -> str:
    """Write the message as lines.

    `names` says nothing beyond the check's name, `hints` leaves out what autograd says, `full`
    says all.
    """
    if level == "names":
        return ""
    lines = []
    if "called" in parts:
        lines.append(_("called {call}").format(call=parts["called"]))
    if "returned" in parts:
        lines.append(_("returned {value}").format(value=parts["returned"]))
    if "expected" in parts and level == "full":
        lines.append(_("autograd says {value}").format(value=parts["expected"]))
    lines.append(parts["problem"])
    if "traceback" in parts:
        lines.append(parts["traceback"].rstrip())
    return "\n".join(lines)
