"""Counts runs of the autograd engine, for exercises that are to be done by hand.

Another process would not be counted: where graded work runs, none is started during such a call.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.autograd import Variable, forward_ad

from autograded.i18n import _


@dataclass
class Runs:
    """How many times the engine ran."""

    count: int = 0


_total = Runs()
_holder: Any = Variable
_module: Any = torch._C
_make_dual: Any = forward_ad.make_dual
_engine: Any = _holder._execution_engine
_Engine: Any = _module._ImperativeEngine


class _Listening(_Engine):  # type: ignore[misc]
    """The engine, with its runs counted; a type like its own, which torch's compiler asks for."""

    def run_backward(self, *args: Any, **kwargs: Any) -> Any:
        _total.count += 1
        return super().run_backward(*args, **kwargs)


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
        _holder._execution_engine = _Listening()
        forward_ad.make_dual = _counted_make_dual
        _module._ImperativeEngine = _Listening


def _uninstall() -> None:
    if isinstance(_holder._execution_engine, _Listening):
        _holder._execution_engine = _engine
        forward_ad.make_dual = _make_dual
        _module._ImperativeEngine = _Engine


_STARTS = {"os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}
_by_hand = False


def refuse_processes() -> None:
    """Let no process be started during calls by hand, from now on."""
    sys.addaudithook(_audit)


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _by_hand and event in _STARTS:
        raise PermissionError(_("an exercise by hand starts no other process"))


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
    global _by_hand
    _by_hand = True
    try:
        yield runs
    finally:
        _by_hand = False
        runs.count = _total.count - before
        if not listening:
            _uninstall()
