"""Starts a warm process before this process imports torch, so that both import it at once.

Imports no torch itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from autograded.errors import SandboxError
from autograded.parenthood import at_end
from autograded.sandbox import confinement
from autograded.sandbox.limits import Limits
from autograded.sandbox.processes import FORK_IS_SAFE, Forking, WarmProcess

_Key = tuple[str, tuple[bytes, ...], Limits]
_started: dict[_Key, Future[WarmProcess]] = {}
_shared: dict[_Key, WarmProcess] = {}


def _key(level: str, scenario_files: Sequence[Path], limits: Limits) -> _Key:
    """What a warm process is: files with the same text are the same scenarios."""
    return level, tuple(Path(file).read_bytes() for file in scenario_files), limits


def begin(level: str, scenario_files: Sequence[Path], limits: Limits) -> None:
    """Start a warm process in the background, for `warm_process` to hand out.

    Raises `SandboxError` when the level cannot be had.
    """
    level = confinement.choose(level)
    key = _key(level, scenario_files, limits)
    if FORK_IS_SAFE and key not in _started:
        pool = ThreadPoolExecutor(1, thread_name_prefix="autograded-early")
        _started[key] = pool.submit(WarmProcess, level, scenario_files, limits)
        pool.shutdown(wait=False)


def share() -> None:
    """Keep what was begun in this process for those that are forked from it: each gets a clone."""
    for key, begun in list(_started.items()):
        del _started[key]
        with contextlib.suppress(SandboxError):  # whoever needs it will be told
            _shared[key] = begun.result()
            at_end(_shared[key].close)


def warm_process(level: str, scenario_files: Sequence[Path], limits: Limits) -> Forking:
    """The one that was begun with these arguments, once; else a new one.

    Raises `SandboxError` when it cannot start.
    """
    key = _key(level, scenario_files, limits)
    if key in _shared:
        with contextlib.suppress(ConnectionError):
            return _shared[key].clone()
    begun = _started.pop(key, None)
    return begun.result() if begun else WarmProcess(level, scenario_files, limits)
