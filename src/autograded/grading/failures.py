"""How a check fails: an exception with the parts of the message a student reads."""

from __future__ import annotations

from typing import Any

LAST_CALL = object()
"""What a failure is about when nobody says: the check's last call."""


class CheckFailed(AssertionError):  # noqa: N818 - it is a verdict, not an error
    """A check did not pass.

    Attributes:
        problem: what is wrong, one sentence.
        returned: what came back, short, or None when it adds nothing.
        expected: what autograd says, short, or None.
        traceback: the student's own traceback, when their code raised.
        uncalled: whether the function never ran, so that saying how it was called would mislead.
        about: the value that is wrong, as a call gave it: the message names that call.
    """

    def __init__(
        self,
        problem: str,
        *,
        returned: str | None = None,
        expected: str | None = None,
        traceback: str | None = None,
        uncalled: bool = False,
        about: Any = LAST_CALL,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.returned = returned
        self.expected = expected
        self.traceback = traceback
        self.uncalled = uncalled
        self.about = about
