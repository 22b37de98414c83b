"""Starts a warm process before this process imports torch, so that both import it at once.

Imports no torch itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from autograded.sandbox import confinement
from autograded.sandbox.limits import Limits
from autograded.sandbox.processes import FORK_IS_SAFE, WarmProcess

_Key = tuple[str, tuple[Path, ...], Limits]
_started: dict[_Key, Future[WarmProcess]] = {}


def begin(level: str, scenario_files: Sequence[Path], limits: Limits) -> None:
    """Start a warm process in the background, for `warm_process` to hand out.

    Raises `SandboxError` when the level cannot be had.
    """
    key = (confinement.choose(level), tuple(scenario_files), limits)
    if FORK_IS_SAFE and key not in _started:
        pool = ThreadPoolExecutor(1, thread_name_prefix="autograded-early")
        _started[key] = pool.submit(WarmProcess, *key)
        pool.shutdown(wait=False)


def warm_process(level: str, scenario_files: Sequence[Path], limits: Limits) -> WarmProcess:
    """The one that was begun with these arguments, once; else a new one.

    Raises `SandboxError` when it cannot start.
    """
    begun = _started.pop((level, tuple(scenario_files), limits), None)
    return begun.result() if begun else WarmProcess(level, scenario_files, limits)
