"""What a check sees of one call beyond its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from autograded.grading.failures import CheckFailed
from autograded.i18n import _
from autograded.scenarios import Event


@dataclass(frozen=True)
class Observation:
    """The outcome of `submission.observe.<function>(...)`.

    Attributes:
        arguments: the positional arguments as they are after the call; the tensors are those that
            were passed in, with `.facts` (what is not a tensor or plain data is None).
        keyword_arguments: the same for keyword arguments.
        events: what scenario objects recorded, in order.
        report: what scenarios report after the call.
        passed: the positional and keyword arguments as they were passed.
        rearranged: the way to the first place in a list among the arguments where something else
            is now: "args" or "kwargs", then keys; empty when there is none.
        recording: whether the function left the recording of gradients switched on.
    """

    returned: Any = field(repr=False)
    arguments: list[Any]
    keyword_arguments: dict[str, Any]
    events: tuple[Event, ...]
    report: dict[str, Any]
    passed: tuple[tuple[Any, ...], dict[str, Any]]
    rearranged: tuple[str | int, ...] = ()
    recording: bool = True

    @property
    def value(self) -> Any:
        """What the function returned, as plain data; fails the check when it cannot be that."""
        __tracebackhide__ = True
        if isinstance(self.returned, CheckFailed):
            raise self.returned
        return self.returned

    def kinds(self) -> list[str]:
        """The kinds of the recorded events, in order."""
        return [event.kind for event in self.events]

    def passed_tensors(self) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
        """Yield (place, tensor as passed, tensor afterwards) for every tensor passed in."""
        args, kwargs = self.passed
        for number, before in enumerate(args, start=1):
            after = self.arguments[number - 1] if number <= len(self.arguments) else None
            yield from _pairs(_positional(number), before, after)
        for name, before in kwargs.items():
            yield from _pairs(name, before, self.keyword_arguments.get(name))

    def rearranged_place(self) -> str | None:
        """The argument in which something else is now, as a person calls it."""
        if not self.rearranged:
            return None
        kind, key = self.rearranged[:2]
        return _positional(int(key) + 1) if kind == "args" else str(key)


def _positional(number: int) -> str:
    return _("argument {number}").format(number=number)


def _pairs(place: str, before: Any, after: Any) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    if isinstance(before, torch.Tensor):
        if not isinstance(after, torch.Tensor):
            after = torch.empty(0)
        yield place, before, after
    elif isinstance(before, list | tuple):
        items = after if isinstance(after, list | tuple) else ()
        for index, item in enumerate(before):
            other = items[index] if index < len(items) else None
            yield from _pairs(f"{place}[{index}]", item, other)
    elif isinstance(before, dict):
        items_by_key = after if isinstance(after, dict) else {}
        for key, item in before.items():
            yield from _pairs(key, item, items_by_key.get(key))
