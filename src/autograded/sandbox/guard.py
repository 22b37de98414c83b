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


class _Listening:
    """The engine, with its runs counted."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def run_backward(self, *args: Any, **kwargs: Any) -> Any:
        _total.count += 1
        return self._engine.run_backward(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


_total = Runs()
_holder: Any = Variable
_make_dual: Any = forward_ad.make_dual


def _counted_make_dual(*args: Any, **kwargs: Any) -> Any:
    _total.count += 1
    return _make_dual(*args, **kwargs)


def install() -> None:
    """Listen from now on, before anybody can take hold of the engine itself.

    `Tensor.backward`, `torch.autograd.grad`, `torch.func` and the rest all end in one method of
    one engine object, which is where we listen. Forward mode has no engine: there, dual numbers
    are counted.
    """
    if not isinstance(_holder._execution_engine, _Listening):
        _holder._execution_engine = _Listening(_holder._execution_engine)
        forward_ad.make_dual = _counted_make_dual


def _uninstall() -> None:
    if isinstance(_holder._execution_engine, _Listening):
        _holder._execution_engine = _holder._execution_engine._engine
        forward_ad.make_dual = _make_dual


@contextmanager
def counting(enabled: bool) -> Iterator[Runs]:
    """Count the engine's runs inside the block, if `enabled`."""
    runs = Runs()
    if not enabled:
        yield runs
        return
    listening = isinstance(_holder._execution_engine, _Listening)
    install()
    before = _total.count
    try:
        yield runs
    finally:
        runs.count = _total.count - before
        if not listening:
            _uninstall()
