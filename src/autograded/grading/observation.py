"""What a check sees of one call beyond its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from autograded.i18n import _
from autograded.scenarios import Event


@dataclass(frozen=True)
class Observation:
    """The outcome of `submission.observe.<function>(...)`.

    Attributes:
        value: what the function returned, as plain data.
        arguments: the positional arguments as they are after the call; the tensors are those that
            were passed in, with `.facts` (what is not a tensor or plain data is None).
        keyword_arguments: the same for keyword arguments.
        events: what scenario objects recorded, in order.
        report: what scenarios report after the call.
        passed: the positional and keyword arguments as they were passed.
    """

    value: Any
    arguments: list[Any]
    keyword_arguments: dict[str, Any]
    events: tuple[Event, ...]
    report: dict[str, Any]
    passed: tuple[tuple[Any, ...], dict[str, Any]]

    def kinds(self) -> list[str]:
        """The kinds of the recorded events, in order."""
        return [event.kind for event in self.events]

    def passed_tensors(self) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
        """Yield (place, tensor as passed, tensor afterwards) for every tensor passed in."""
        args, kwargs = self.passed
        for number, before in enumerate(args, start=1):
            after = self.arguments[number - 1] if number <= len(self.arguments) else None
            yield from _pairs(_("argument {number}").format(number=number), before, after)
        for name, before in kwargs.items():
            yield from _pairs(name, before, self.keyword_arguments.get(name))


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
