"""Ends a pool's process with the one it works for, and has it tidy up however it ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.util import Finalize
from threading import Thread

_LAST = 0
_VERY_LAST = -1_000  # multiprocessing removes its own folder at -100
_tidying: list[Finalize] = []


def at_end(tidy: Callable[[], object]) -> None:
    """Call `tidy` when this process ends: a pool's processes run no `atexit` functions."""
    _tidying.append(Finalize(None, tidy, exitpriority=_LAST))


def end_quickly() -> None:
    """When this process of a pool ends, do not take torch down: all else is tidied up by then."""
    Finalize(None, os._exit, (0,), exitpriority=_VERY_LAST)


def end_with_parent() -> None:
    """End this process when the one that made it is gone: killed, that one cannot say so."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        for tidy in _tidying:
            with contextlib.suppress(Exception):
                tidy()
        os._exit(1)

    Thread(target=wait, daemon=True, name="autograded-parent").start()
