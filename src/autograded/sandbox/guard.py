"""Counts uses of autograd, for exercises that are to be done by hand.

Counted are runs of the engine, dual numbers, and graphs that somebody walks back through without
the engine: their nodes ask for what they saved, and are answered here.

Another process would not be counted: where graded work runs, none is started during such a call.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.autograd import Variable, forward_ad

from autograded.i18n import _


@dataclass
class Runs:
    """How many times autograd was used."""

    count: int = 0


_total = Runs()
_holder: Any = Variable
_module: Any = torch._C
_Engine: Any = _module._ImperativeEngine


class _Listening(_Engine):  # type: ignore[misc]
    """The engine, with its runs counted; a type like its own, which torch's compiler asks for."""

    def run_backward(self, *args: Any, **kwargs: Any) -> Any:
        _total.count += 1
        return super().run_backward(*args, **kwargs)


def _counted(function: Any) -> Any:
    def count(*args: Any, **kwargs: Any) -> Any:
        _total.count += 1
        return function(*args, **kwargs)

    return count


def _unwatched(function: Any) -> Any:
    """Transforms of `torch.func` refuse to start while hooks are there; the engine counts them."""

    def stop(*args: Any, **kwargs: Any) -> Any:
        _watch(False)
        return function(*args, **kwargs)

    return stop


# Forward mode has no engine, but dual numbers, which live on a level.
_REPLACED: list[tuple[Any, str, Any]] = [
    (_holder, "_execution_engine", _Listening()),
    (_module, "_ImperativeEngine", _Listening),
    *(
        (holder, name, wrapped(getattr(holder, name)))
        for holder, name, wrapped in (
            (forward_ad, "make_dual", _counted),
            (forward_ad, "enter_dual_level", _counted),
            (torch._VF, "_make_dual", _counted),
            (torch, "_make_dual", _counted),
            (_module, "_enter_dual_level", _counted),
            (_module._autograd, "_saved_tensors_hooks_disable", _unwatched),
        )
    ),
]
_ORIGINAL = [(holder, name, getattr(holder, name)) for holder, name, _ in _REPLACED]


def install() -> None:
    """Listen from now on, before anybody can take hold of the engine itself.

    `Tensor.backward`, `torch.autograd.grad`, `torch.func` and the rest all end in one method of
    one engine object, which is where we listen.
    """
    if not isinstance(_holder._execution_engine, _Listening):
        _put(_REPLACED)


def _uninstall() -> None:
    if isinstance(_holder._execution_engine, _Listening):
        _put(_ORIGINAL)


def _put(objects: list[tuple[Any, str, Any]]) -> None:
    for holder, name, value in objects:
        setattr(holder, name, value)


class _Watching(threading.local):
    """Whether this thread's graphs are watched."""

    on = False


_watching = _Watching()


def _watch(on: bool) -> None:
    """Begin or end to answer nodes of a graph that ask for what they saved."""
    if on == _watching.on:
        return
    if on:
        _module._autograd._push_saved_tensors_default_hooks(_saved, _asked_for)
    else:
        _module._autograd._pop_saved_tensors_default_hooks()
    _watching.on = on


def _saved(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


_asked_for = _counted(_saved)


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
    """Count uses of autograd inside the block, if `enabled`."""
    runs = Runs()
    if not enabled:
        yield runs
        return
    listening = isinstance(_holder._execution_engine, _Listening)
    install()
    before = _total.count
    global _by_hand
    _by_hand = True
    _watch(True)
    try:
        yield runs
    finally:
        _watch(False)
        _by_hand = False
        runs.count = _total.count - before
        if not listening:
            _uninstall()
