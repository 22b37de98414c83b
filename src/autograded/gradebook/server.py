"""The process that a pool's workers are forked from; it has everything imported already.

It starts in the background, beside the imports of the command itself. Imports no torch.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
from dataclasses import asdict
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from pathlib import Path

from autograded import scenarios
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.sandbox import early
from autograded.sandbox.limits import Limits

_VARIABLE = "AUTOGRADED_POOL"


_LONGEST = 70  # bytes: with what multiprocessing adds, a socket's path may have 107


def context() -> ForkServerContext:
    """The context that makes a pool's workers: forks of the server process.

    Raises `AutogradedError` when the temporary folder cannot hold its socket.
    """
    place = tempfile.gettempdir()
    if len(os.fsencode(place)) > _LONGEST:
        raise AutogradedError(
            f"The name of the temporary folder {place} is too long to talk to worker processes; "
            "set TMPDIR to a folder with a shorter one."
        )
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["autograded.gradebook.warmed"])
    return made


def begin(course: Course, level: str) -> None:
    """Start the server process, with the warm process that workers of `course` will share."""
    context()
    files = [str(path) for path in scenarios.find(course.root)]
    told = {"level": level, "scenarios": files, "limits": asdict(course.limits)}
    os.environ[_VARIABLE] = json.dumps(told)
    try:
        forkserver.ensure_running()
    finally:
        del os.environ[_VARIABLE]


def begin_warm_process() -> None:
    """In the server process: start the warm process that it was told of, if any."""
    told = json.loads(os.environ.pop(_VARIABLE, "null"))
    if told is not None:
        files = [Path(path) for path in told["scenarios"]]
        early.begin(told["level"], files, Limits(**told["limits"]))
