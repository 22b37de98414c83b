"""Inside a fork: runs a submission's cells, then answers calls of its functions.

Student code shares this process and can forge every answer; it can forge only its own.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from autograded.i18n import _, speak
from autograded.sandbox import calls, wire
from autograded.sandbox.calls import CallError
from autograded.sandbox.limits import Limits
from autograded.sandbox.shell import Outputs, Shell, captured
from autograded.sandbox.values import Json

# Files that a student's traceback need not go into: ours, and installed ones.
_NOT_THEIRS = (str(Path(__file__).parents[1]), sys.prefix, sys.base_prefix, "<frozen ")
_MAX_MESSAGE = 2_000


class StoppedError(KeyboardInterrupt):
    """The time of a cell or a call is over."""


@contextlib.contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Interrupt the block in the main thread after `seconds`, as Jupyter's stop button does.

    Code that swallows it is interrupted again each second; the trusted side does not rely on it.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise StoppedError(_("stopped after {seconds} s").format(seconds=f"{seconds:.3g}"))

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def serve(connection: socket.socket, shell: Shell, limits: Limits) -> NoReturn:
    """Answer requests until the other side is gone, then end the process."""
    try:
        outputs = Outputs(limits.output_bytes_per_cell, limits.output_bytes)
        with captured(shell, outputs):
            # The same submission always gets the same score; a fork gives `random` a new seed.
            random.seed(0)
            wire.send(connection, {"fault": None}, {})
            while True:
                document, tensors = wire.receive(connection)
                if document["do"] == "execute":
                    speak(document["language"])
                    _write_files(document["files"], tensors)
                    _execute(connection, shell, outputs, document, limits)
                else:
                    _call(connection, shell, document, tensors)
    except wire.ClosedError:
        os._exit(0)
    finally:
        os._exit(1)


def _write_files(paths: list[list[str]], tensors: wire.Tensors) -> None:
    for path, name in paths:
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(tensors[name].numpy().tobytes())


def _execute(
    connection: socket.socket, shell: Shell, outputs: Outputs, document: Json, limits: Limits
) -> None:
    end = time.monotonic() + document["seconds"]
    for index, (source, name) in enumerate(document["cells"]):
        shell.cell_names[source] = f"{document['filename']}, {name}"
        before = shell.execution_count
        outputs.start()
        start = time.monotonic()
        error: BaseException | None
        try:
            with _stopped_after(min(limits.cell_seconds, end - start)):
                error = shell.run(source)
        except BaseException as raised:  # noqa: BLE001 - whatever it is, the next cell runs
            error = raised
        run = {
            "outputs": outputs.finish(),
            "execution_count": before if shell.execution_count != before else None,
            "error": None if error is None else _short(error),
            "seconds": time.monotonic() - start,
        }
        wire.send(connection, {"token": document["token"], "cell": index, "run": run}, {})


def _call(connection: socket.socket, shell: Shell, document: Json, tensors: wire.Tensors) -> None:
    def find(name: str) -> Callable[..., Any]:
        try:
            function = shell.user_ns[name]
        except KeyError:
            raise LookupError(f"there is no function {name!r}") from None
        if not callable(function):
            found = type(function).__name__
            raise LookupError(f"{name!r} is not a function but of type {found}")  # noqa: TRY004
        return function  # type: ignore[no-any-return]

    reply: Json
    answer: wire.Tensors
    try:
        with _stopped_after(document["seconds"]):
            reply, answer = calls.perform(find, document["call"], tensors, describe)
    except BaseException as error:  # noqa: BLE001 - the call's answer, whatever it is
        reply, answer = calls.failure(describe(error)), {}
    token = document["token"]
    try:
        body = wire.encode({"token": token, "reply": reply}, answer)
    except Exception as error:  # noqa: BLE001 - a tensor that looked usable and is not
        reply = calls.failure(
            CallError("unusable", _("a value that cannot be sent: {error}").format(error=error))
        )
        body = wire.encode({"token": token, "reply": reply}, {})
    wire.send_body(connection, body)


def describe(error: BaseException) -> CallError:
    """Describe what student code raised, its traceback cut to the student's own frames."""
    if isinstance(error, StoppedError):
        return CallError("timeout", _message(error))
    return CallError("exception", _message(error), _name(error), _traceback(error))


def _name(error: BaseException) -> str:
    return str(type(error).__name__)[:200]


def _message(error: BaseException) -> str:
    try:
        return str(error)[:_MAX_MESSAGE]
    except BaseException:  # noqa: BLE001 - a student's __str__ may raise anything
        return ""


def _short(error: BaseException) -> str:
    if isinstance(error, StoppedError):
        return f"TimeoutError: {_message(error)}"
    message = _message(error)
    return f"{_name(error)}: {message}" if message else _name(error)


def _traceback(error: BaseException) -> str:
    try:
        told = traceback.TracebackException(type(error), error, error.__traceback__, limit=-60)
        told.__cause__ = told.__context__ = None
        theirs = [f for f in told.stack if not f.filename.startswith(_NOT_THEIRS)]
        told.stack = traceback.StackSummary.from_list(theirs[-20:])
        return "".join(told.format(chain=False))[-20_000:]
    except BaseException:  # noqa: BLE001 - formatting runs the student's __str__
        return ""


def enter_folder(folder: Path) -> None:
    """Work in the submission's folder, whose modules are found after the installed ones."""
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    sys.path.append(str(folder))
