"""The one way a check reaches student code.

`submission.gradients(...)` calls the student's function and returns plain data, whether the
student's code runs confined in another process or, on a learner's own machine, in this one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import torch

from autograded.grading.compare import SHOWN_IN_FULL, show
from autograded.grading.failures import CheckFailed
from autograded.grading.observation import Observation
from autograded.i18n import _
from autograded.sandbox import calls
from autograded.sandbox.calls import CallError, Reply
from autograded.scenarios import Scenario


class Caller(Protocol):
    """Something that can call a student's functions."""

    def call(
        self,
        function: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        observe: bool = False,
        by_hand: bool = False,
    ) -> Reply:
        """Call one function and return what came back."""


@dataclass(frozen=True)
class Exchange:
    """One call a check made, and the reply: an entry of the transcript that diagnosis reads."""

    check: str
    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    observe: bool
    by_hand: bool
    reply: Reply

    def shown(self) -> str:
        """The call as a person writes it."""
        parts = [_written(arg) for arg in self.args]
        parts += [f"{key}={_written(value)}" for key, value in self.kwargs.items()]
        return f"{self.function}({', '.join(parts)})"

    def gave(self, value: Any) -> bool:
        """Whether it brought back this very value, or what shares its memory."""
        reply = self.reply
        events = [event.data for event in reply.events]
        return _holds((reply.value, *reply.arguments, reply.report, events), value)


def _holds(container: Any, value: Any) -> bool:
    if container is value:
        return True
    if isinstance(container, torch.Tensor) and isinstance(value, torch.Tensor):
        place = container.untyped_storage().data_ptr()
        return place != 0 and place == value.untyped_storage().data_ptr()
    if isinstance(container, dict):
        container = container.values()
    elif not isinstance(container, list | tuple):
        return False
    return any(_holds(item, value) for item in container)


def _written(argument: Any) -> str:
    """An argument as a person writes it: 2.0 is no 2, and a tensor of one number no number."""
    if isinstance(argument, Scenario):
        return repr(argument)
    if isinstance(argument, torch.Tensor) and argument.dim() == 0:
        shown = show(argument)
        whole = argument.is_floating_point() and shown.lstrip("-").isdigit()
        return f"tensor({shown}.0)" if whole else f"tensor({shown})"
    if isinstance(argument, torch.Tensor) and argument.numel() <= SHOWN_IN_FULL:
        return f"tensor({show(argument)})"
    if isinstance(argument, float) and argument.is_integer() and abs(argument) < 1e6:
        return f"{argument:.1f}"
    if isinstance(argument, list) and all(isinstance(item, float) for item in argument[:4]):
        more = ", …" if len(argument) > 4 else ""
        return f"[{', '.join(map(_written, argument[:4]))}{more}]"
    return show(argument)


class Submission:
    """What a student handed in, as checks see it: its functions by name."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._transcript: list[Exchange] = []
        self._check = ""
        self._by_hand = False

    def __getattr__(self, function: str) -> Callable[..., Any]:
        if function.startswith("__"):
            raise AttributeError(function)
        return partial(_value, self, function)

    @property
    def observe(self) -> Observer:
        """Like the submission itself, but calls return an `Observation`."""
        return Observer(self)


class Observer:
    """Calls that also bring back the arguments afterwards, recorded events and reports."""

    def __init__(self, submission: Submission) -> None:
        self._submission = submission

    def __getattr__(self, function: str) -> Callable[..., Observation]:
        if function.startswith("__"):
            raise AttributeError(function)
        return partial(_observation, self._submission, function)


def begin_check(submission: Submission, check: str, *, by_hand: bool) -> None:
    """Tell a submission which check the next calls serve; the student's side is not told."""
    submission._check, submission._by_hand = check, by_hand


def transcript(submission: Submission) -> list[Exchange]:
    """All calls made so far, in order."""
    return submission._transcript


def _value(submission: Submission, function: str, /, *args: Any, **kwargs: Any) -> Any:
    __tracebackhide__ = True
    return _ask(submission, function, args, kwargs, observe=False).value


def _observation(
    submission: Submission, function: str, /, *args: Any, **kwargs: Any
) -> Observation:
    __tracebackhide__ = True
    reply = _ask(submission, function, args, kwargs, observe=True)
    unusable = failure(function, CallError("unusable", reply.unusable)) if reply.unusable else None
    return Observation(
        returned=unusable or reply.value,
        arguments=reply.arguments[0],
        keyword_arguments=reply.arguments[1],
        events=reply.events,
        report=reply.report,
        passed=(args, kwargs),
        rearranged=reply.rearranged,
        recording=reply.recording,
    )


def _ask(
    submission: Submission,
    function: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    observe: bool,
) -> Reply:
    __tracebackhide__ = True
    by_hand = submission._by_hand

    def note(reply: Reply) -> None:
        submission._transcript.append(
            Exchange(submission._check, function, args, kwargs, observe, by_hand, reply)
        )

    try:
        reply = submission._caller.call(function, args, kwargs, observe=observe, by_hand=by_hand)
    except Exception as error:
        # Only an in-process caller lets the student's exception through, so that --pdb stops in it.
        note(Reply(error=CallError("exception", str(error), type(error).__name__)))
        raise
    note(reply)
    if reply.error is not None:
        raise failure(function, reply.error)
    if by_hand and reply.autograd_runs:
        raise CheckFailed(
            _(
                "{function} ran autograd, but this exercise is by hand: "
                "write the derivative out yourself."
            ).format(function=function)
        )
    return reply


def failure(function: str, error: CallError) -> CheckFailed:
    """Say to the student why a call brought no value; how a process ended is told in a flag."""
    if error.kind == "missing":
        if error.message:
            return CheckFailed(
                _("{function} is not defined, because a cell failed: {error}").format(
                    function=function, error=error.message
                ),
                uncalled=True,
            )
        return CheckFailed(
            _("There is no function {function}: write it, or give it its name back.").format(
                function=function
            ),
            uncalled=True,
        )
    if error.unwritten:
        return _not_written(function)
    if error.kind == "exception":
        return CheckFailed(
            _("{function} raised {type}: {message}")
            .format(function=function, type=error.type, message=error.message)
            .rstrip(": "),
            traceback=error.traceback or None,
        )
    if error.kind == "unusable":
        return CheckFailed(
            _("{function} returned {what}, which cannot be checked.").format(
                function=function, what=error.message
            )
        )
    if error.kind == "timeout":
        return CheckFailed(
            _("{function} did not answer in time: does a loop never end?").format(function=function)
        )
    if error.kind == "died":
        return CheckFailed(
            _(
                "Python ended before {function} returned: "
                "does something end it, or take more memory than there is?"
            ).format(function=function)
        )
    return CheckFailed(_("{function} gave no answer that can be read.").format(function=function))


def _not_written(function: str) -> CheckFailed:
    """The message of an untouched stub: what to write next."""
    return CheckFailed(
        _(
            "{function} is not written yet: replace `raise NotImplementedError()` "
            "in its body with your code."
        ).format(function=function),
        uncalled=True,
    )


class LocalCaller:
    """Calls functions in this process: a learner's own code, or one of ours.

    With `propagate`, what the function raises goes through as it is (for a debugger); else it
    becomes a `CallError`.
    """

    def __init__(
        self, find: Callable[[str], Callable[..., Any]], *, propagate: bool = False
    ) -> None:
        self._find = find
        self._propagate = propagate

    def call(
        self,
        function: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        observe: bool = False,
        by_hand: bool = False,
    ) -> Reply:
        """Call the function the way a worker would."""
        __tracebackhide__ = True
        document, tensors = calls.request(function, args, kwargs, observe=observe, by_hand=by_hand)
        answer, out = calls.perform(self._find, document, tensors, self._describe)
        return calls.reply(answer, out)

    def _describe(self, error: BaseException) -> CallError:
        __tracebackhide__ = True
        if self._propagate and isinstance(error, Exception):
            raise error
        if isinstance(error, KeyboardInterrupt):
            raise error
        return CallError("exception", str(error), type(error).__name__)
