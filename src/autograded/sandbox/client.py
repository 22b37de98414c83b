"""The trusted side: one session per submission, asked for outputs and answers, and waited for.

Nothing a session sends is believed: it is decoded as data, within bounds, or it is a failure of
that session.
"""

from __future__ import annotations

import contextlib
import secrets
import select
import socket
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import torch

from autograded.errors import SandboxError
from autograded.i18n import _, language
from autograded.sandbox import calls, confinement, early, folder, outputs, wire
from autograded.sandbox.calls import CallError, Reply
from autograded.sandbox.limits import Limits
from autograded.sandbox.processes import FORK_IS_SAFE, ColdWorker, Forking, Worker
from autograded.sandbox.program import CellRun, Execution, Program
from autograded.sandbox.values import MalformedError
from autograded.text import without_control


class Sandbox:
    """A warm process, and sessions forked from it. A context manager.

    `level` is "auto" (the strongest that works here), or the one to use; "off" confines nothing
    and is never chosen by itself. `scenario_files` are loaded into the warm process, which starts
    with the first session and again when it has died.

    Raises `SandboxError` when the level cannot be had.
    """

    def __init__(
        self,
        level: str = "auto",
        scenario_files: Sequence[Path] = (),
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self.limits = limits
        self.scenario_files = tuple(Path(file).absolute() for file in scenario_files)
        self.level = confinement.choose(level)
        self._forks = FORK_IS_SAFE
        self._warm: Forking | None = None
        self._sessions: set[Session] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the warm process now rather than with the first session."""
        if self._forks:
            self._running()

    def open(self, program: Program, folder: Path | None = None) -> Session:
        """Start running a submission; `folder` holds extra files of its own, copied in.

        Raises `SandboxError` when no process can be had.
        """
        session = Session(self._worker(), program, folder, self.limits)
        self._sessions = {known for known in self._sessions if not known.closed}
        self._sessions.add(session)
        return session

    def close(self) -> None:
        """End every session and the warm process."""
        for session in self._sessions:
            session.close()
        self._sessions.clear()
        self._stop()

    def _worker(self) -> Worker:
        if not self._forks:
            return ColdWorker(self.scenario_files, self.limits)
        with contextlib.suppress(ConnectionError):
            return self._running().open()
        # Something outside has ended it; once is bad luck.
        self._stop()
        try:
            return self._running().open()
        except ConnectionError:
            raise SandboxError(
                "The process that starts student code ends at once; `autograded doctor` tells "
                "what is wrong."
            ) from None

    def _running(self) -> Forking:
        if self._warm is not None and not self._warm.alive():
            self._stop()
        if self._warm is None:
            self._warm = early.warm_process(self.level, self.scenario_files, self.limits)
        return self._warm

    def _stop(self) -> None:
        if self._warm is not None:
            self._warm.close()
            self._warm = None


class Session:
    """One submission in its own process. A context manager.

    The process is killed, with all it started, when it does not answer in time, ends, or sends
    what is not an answer; every later call then fails at once with the same error. `lost` says that
    it was killed by neither us nor its limits: the submission's own doing, or a power outside.
    """

    def __init__(
        self, worker: Worker, program: Program, folder_path: Path | None, limits: Limits
    ) -> None:
        self.closed = False
        self.lost = False
        self._worker, self._program, self._limits = worker, program, limits
        self._started = False
        self._waited = 0.0
        self._execution: Execution | None = None
        self._error: CallError | None = None
        self._slow: dict[str, CallError] = {}
        self._token = secrets.token_hex(16)
        files = folder.collect(folder_path, limits) if folder_path else {}
        contents = {
            f"f{index}": torch.frombuffer(bytearray(content), dtype=torch.uint8)
            if content
            else torch.empty(0, dtype=torch.uint8)
            for index, content in enumerate(files.values())
        }
        request = {
            "do": "execute",
            "token": self._token,
            "cells": [[cell.source, cell.name] for cell in program.cells],
            "filename": program.filename,
            "files": [[path, f"f{index}"] for index, path in enumerate(files)],
            "seconds": limits.execute_seconds,
            "language": language(),
        }
        with self._guarded(limits.execute_seconds, _("starting took too long")) as deadline:
            wire.send(worker.connection, request, contents, deadline=deadline)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def execution(self) -> Execution:
        """Wait until the cells have run, and return what they gave.

        Raises `SandboxError` when its process could not be confined.
        """
        if self._execution is None:
            runs: list[CellRun] = []
            seconds = self._limits.execute_seconds
            if self._error is None:
                what = _("running all cells took longer than {seconds} s").format(
                    seconds=f"{seconds:.3g}"
                )
                with self._guarded(seconds, what) as deadline:
                    self._check_start(deadline)
                    for index in range(len(self._program.cells)):
                        runs.append(self._cell_run(index, deadline))
            self._execution = Execution(self._filled_up(runs), self._error, self._waited)
        return self._execution

    def _check_start(self, deadline: float) -> None:
        """Read the first message, sent before any student code ran: is the worker confined?"""
        document, _none = wire.receive(self._worker.connection, deadline=deadline, max_bytes=65_536)
        fault = document.get("fault", "no answer") if isinstance(document, dict) else "no answer"
        self._started = True
        if fault is not None:
            self.close()
            raise SandboxError(
                f"Student code could not be confined: {fault}; see `autograded doctor`."
            )

    def _cell_run(self, index: int, deadline: float) -> CellRun:
        # Text of control characters grows sixfold in JSON; images do not.
        room = 8 * self._limits.output_bytes_per_cell + 2**20
        document, _none = wire.receive(self._worker.connection, deadline=deadline, max_bytes=room)
        if not isinstance(document, dict) or document.get("token") != self._token:
            raise MalformedError("an answer that was not asked for")
        run = document.get("run")
        if document.get("cell") != index or not isinstance(run, dict):
            raise MalformedError("the answer to another question")
        error, seconds = run.get("error"), run.get("seconds")
        if not isinstance(error, str | None) or not isinstance(seconds, int | float):
            raise MalformedError("a cell run that is none")
        return CellRun(
            outputs.clean(run.get("outputs"), self._limits.output_bytes_per_cell + 2**16),
            outputs.count(run.get("execution_count")),
            None if error is None else without_control(error[:2_200]),
            float(seconds),
        )

    def _filled_up(self, runs: list[CellRun]) -> tuple[CellRun, ...]:
        """Add the cells that the process did not get through."""
        if self._error is None:
            return tuple(runs)
        kind = "TimeoutError" if self._error.kind == "timeout" else "RuntimeError"
        stopped = CellRun([], None, f"{kind}: {self._error.message}", 0.0)
        why = _("not run, since an earlier cell ended it all")
        not_run = CellRun([], None, f"{kind}: {why}", 0.0)
        missing = len(self._program.cells) - len(runs)
        return (*runs, *([stopped] if missing else []), *[not_run] * (missing - 1))

    def call(
        self,
        function: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        observe: bool = False,
        by_hand: bool = False,
    ) -> Reply:
        """Call a function of the submission and wait for its answer.

        Raises `UnusableValueError` for arguments that cannot be sent, which is a fault of the
        caller; everything else is in the reply. A function that once took too long is not called
        again.
        """
        self.execution()
        error = self._error or self._slow.get(function)
        if error is not None:
            return Reply(error=error)
        document, tensors = calls.request(function, args, kwargs, observe=observe, by_hand=by_hand)
        left = self._limits.submission_seconds - self._waited
        seconds = min(self._limits.call_seconds, left)
        what = _("{function}() took longer than {seconds} s").format(
            function=function, seconds=f"{self._limits.call_seconds:.3g}"
        )
        if left < self._limits.call_seconds:
            what = _("its {seconds} s for everything are used up").format(
                seconds=f"{self._limits.submission_seconds:.3g}"
            )
        if left <= 0:
            self._end(_stopped(what))
            return Reply(error=self._error)
        replies: list[Reply] = []
        with self._guarded(seconds, what) as deadline:
            self._reject_unsolicited()
            token = secrets.token_hex(16)
            request = {"do": "call", "token": token, "call": document, "seconds": seconds}
            connection = self._worker.connection
            wire.send(connection, request, tensors, deadline=deadline)
            answer, sent = wire.receive(
                connection, deadline=deadline, max_bytes=self._limits.reply_bytes
            )
            if not isinstance(answer, dict) or answer.get("token") != token:
                raise MalformedError("an answer that was not asked for")
            replies.append(calls.reply(answer.get("reply"), sent))
        if not replies:
            return Reply(error=self._error)
        (reply,) = replies
        if reply.error is not None and reply.error.kind == "timeout":
            self._slow[function] = reply.error
        return reply

    def _reject_unsolicited(self) -> None:
        """Raise when something is there to read before anything was asked."""
        connection = self._worker.connection
        if select.select([connection], [], [], 0)[0]:
            if connection.recv(1, socket.MSG_PEEK):
                raise MalformedError("an answer before the question")
            raise wire.ClosedError("the process has ended")

    @contextlib.contextmanager
    def _guarded(self, seconds: float, what: str) -> Iterator[float]:
        """Wait within limits, giving the deadline; what goes wrong ends the process.

        The worker interrupts itself first; only what does not heed that reaches the deadline.
        """
        start = time.monotonic()
        try:
            yield start + seconds + min(1.0, 0.25 * seconds)
        except TimeoutError:
            self._end(_stopped(what))
        except (wire.ClosedError, ConnectionError):
            self._end(CallError("died", _("the process that ran it ended")))
        except MalformedError as error:
            self._end(CallError("malformed", _("the process sent {what}").format(what=error)))
        except BaseException:  # Ctrl-C: what comes next on the wire would answer nothing
            self._end(CallError("died", _("it was interrupted")))
            raise
        finally:
            self._waited += time.monotonic() - start

    def _end(self, error: CallError) -> None:
        if not self._started:
            # Did it end because it could not be confined? Then that is what it said.
            with contextlib.suppress(OSError, MalformedError):
                self._check_start(time.monotonic() + 0.1)
        ending = self.close()
        self.lost = error.kind == "died" and ending in ("", "SIGKILL")
        if error.kind == "died" and ending:
            error = CallError("died", f"{error.message}: {ending}")
        self._error = error

    def close(self) -> str:
        """End the process and everything it started; return how it had ended, if it had."""
        if self.closed:
            return ""
        self.closed = True
        if self._error is None:
            self._error = CallError("died", _("the session is closed"))
        return self._worker.end()


def _stopped(what: str) -> CallError:
    return CallError("timeout", _("stopped: {what}").format(what=what))
