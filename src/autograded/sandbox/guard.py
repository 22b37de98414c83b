"""Counts runs of the autograd engine, for exercises that are to be done by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from torch.autograd import Variable, forward_ad


@dataclass
class Runs:
    """How many times the engine ran."""

    count: int = 0


@contextmanager
def counting(enabled: bool) -> Iterator[Runs]:
    """Count the engine's runs inside the block.

    `Tensor.backward`, `torch.autograd.grad`, `torch.func` and the rest all end in one method of
    one engine object, which is where we listen. Forward mode has no engine: there, dual numbers
    are counted.
    """
    runs = Runs()
    if not enabled:
        yield runs
        return
    holder: Any = Variable
    engine = holder._execution_engine
    original = engine.run_backward
    original_dual = forward_ad.make_dual

    class Listening:
        """The engine, with its runs counted."""

        def run_backward(self, *args: Any, **kwargs: Any) -> Any:
            runs.count += 1
            return original(*args, **kwargs)

        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

    def make_dual(*args: Any, **kwargs: Any) -> Any:
        runs.count += 1
        return original_dual(*args, **kwargs)  # type: ignore[no-untyped-call]

    holder._execution_engine = Listening()
    forward_ad.make_dual = make_dual
    try:
        yield runs
    finally:
        holder._execution_engine = engine
        forward_ad.make_dual = original_dual
