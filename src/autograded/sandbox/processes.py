"""The processes that student code runs in: started, asked, killed from the trusted side."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Protocol

from autograded.errors import SandboxError, why
from autograded.machine import cores
from autograded.sandbox import confinement
from autograded.sandbox.limits import Limits

_START_SECONDS = 120.0
_ANSWER_SECONDS = 30.0
_END_SECONDS = 10.0

FORK_IS_SAFE = sys.platform == "linux"

_spawners: dict[int, ThreadPoolExecutor] = {}


class Worker(Protocol):
    """One process that runs one submission."""

    connection: socket.socket

    def end(self) -> str:
        """Kill it and all it started, and return how it had ended, if it had."""


def _spawn(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process from a thread that lives as long as this process.

    "Die with the parent" means the thread that started it: a caller's own may end earlier.
    """
    pid = os.getpid()
    if pid not in _spawners:
        _spawners[pid] = ThreadPoolExecutor(1, thread_name_prefix="autograded-spawn")

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, **options)

    return _spawners[pid].submit(start).result()


def _last_line(file: IO[bytes]) -> str:
    file.seek(0)
    lines = file.read(100_000).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""


class Forking:
    """The trusted end of a process that forks workers (see `warm.py`), reached by a socket."""

    def __init__(self, control: socket.socket, home: str, *, confined: bool) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._control, self._home, self._confined = control, home, confined

    def alive(self) -> bool:
        """Whether it can still fork."""
        raise NotImplementedError

    def close(self) -> None:
        """End it, and with it every worker."""
        raise NotImplementedError

    def _stop(self) -> None:
        # Said outright: a child of ours may hold the socket open.
        with contextlib.suppress(OSError):
            self._control.send(json.dumps({"do": "stop"}).encode())
        self._control.close()

    def open(self) -> ForkedWorker:
        """Fork a worker. Raises `ConnectionError` when the warm process is gone."""
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        folder = confinement.FOLDER
        if not self._confined:
            folder = tempfile.mkdtemp(dir=self._home)
        with theirs:
            answer, descriptors = self._ask(
                {"do": "open", "id": number, "folder": folder}, [theirs.fileno()]
            )
        if "error" in answer:
            ours.close()
            raise SandboxError(f"No process for student code could be made: {answer['error']}.")
        return ForkedWorker(self, number, ours, descriptors[0], None if self._confined else folder)

    def ending(self, number: int) -> str:
        """Wait for a worker that was killed or has ended; return how it ended."""
        try:
            answer, _ = self._ask({"do": "end", "id": number})
        except ConnectionError:
            return ""
        return str(answer["ending"])

    def _ask(
        self, request: dict[str, Any], descriptors: Sequence[int] = ()
    ) -> tuple[dict[str, Any], list[int]]:
        try:
            with self._lock:
                socket.send_fds(self._control, [json.dumps(request).encode()], list(descriptors))
                message, received, _, _ = socket.recv_fds(self._control, 65_536, 1)
        except OSError as error:
            raise ConnectionError(str(error)) from None
        if not message:
            raise ConnectionError("the warm process is gone")
        return json.loads(message), received


class WarmProcess(Forking):
    """A warm process that was started here."""

    def __init__(self, level: str, scenario_files: Sequence[Path], limits: Limits) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="autograded-")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        super().__init__(control, self._folder.name, confined=level == "bubblewrap")
        configuration: dict[str, Any] = {"limits": asdict(limits)}
        try:
            with theirs, contextlib.ExitStack() as stack:
                if self._confined:
                    binary = confinement.find_bubblewrap()
                    assert binary is not None
                    hidden = {file.parents[2] for file in scenario_files if len(file.parents) > 2}
                    layout = confinement.bubblewrap_layout(binary, scenario_files, sorted(hidden))
                    prefix = layout.command
                    options, descriptors, uid = stack.enter_context(confinement.user_namespace())
                    command = [prefix[0], *options, *prefix[1:]]
                    environment = confinement.environment()
                    configuration |= {"scenarios": layout.scenario_files, "uid": uid}
                    configuration["below_tmp"] = layout.below_tmp
                else:
                    command, descriptors = [], ()
                    home = self._home
                    environment = confinement.environment(
                        HOME=home, TMPDIR=home, IPYTHONDIR=f"{home}/i", MPLCONFIGDIR=f"{home}/m"
                    )
                    configuration |= {"scenarios": [str(f) for f in scenario_files], "uid": -1}
                    configuration["below_tmp"] = []
                self._process = _spawn(
                    [*command, *confinement.python_command("warm", str(theirs.fileno()))],
                    pass_fds=(*descriptors, theirs.fileno()),
                    env=environment,
                    cwd="/",
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    start_new_session=True,
                )
            self._control.settimeout(_START_SECONDS)
            self._control.send(json.dumps(configuration).encode())
            answer = json.loads(self._control.recv(65_536) or b"{}")
        except (OSError, ValueError) as error:
            self.close()
            raise SandboxError(
                f"The process for student code could not start: {why(error)}."
            ) from None
        if "error" in answer:
            self.close()
            raise SandboxError(f"A scenarios.py cannot be loaded: {answer['error']}.")
        if not answer:
            said = _last_line(self._errors) or "it ended at once"
            self.close()
            raise SandboxError(f"The process for student code could not start: {said}.")
        self._control.settimeout(_ANSWER_SECONDS)

    def alive(self) -> bool:
        """Whether it can still fork."""
        return self._process.poll() is None

    def clone(self) -> WarmClone:
        """Have it fork itself, for the process that asks: one forked from the one that started it.

        Raises `ConnectionError` when it is gone.
        """
        import fcntl

        number = secrets.randbits(60)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # The forks of a process share its end of the socket. This lock is given up by whoever ends.
        fcntl.lockf(self._errors, fcntl.LOCK_EX)
        try:
            with theirs:
                request = {"do": "clone", "id": number, "cores": cores()}
                answer, _ = self._ask(request, [theirs.fileno()])
                while answer["id"] != number:  # that of somebody killed while it waited
                    message, _, _, _ = socket.recv_fds(self._control, 65_536, 1)
                    answer = json.loads(message)
        except (OSError, ValueError):
            ours.close()
            raise ConnectionError("the warm process is gone") from None
        finally:
            fcntl.lockf(self._errors, fcntl.LOCK_UN)
        ours.settimeout(_ANSWER_SECONDS)
        return WarmClone(ours, self._confined)

    def close(self) -> None:
        """End it, and with it every worker."""
        self._stop()
        process = getattr(self, "_process", None)
        if process is not None:
            # It leaves by itself, having ended what workers left behind.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
            process.kill()
            process.wait()
        self._errors.close()
        with contextlib.suppress(OSError):
            self._folder.cleanup()


class WarmClone(Forking):
    """A fork of a warm process, which ends with this process or with the one it was forked from."""

    def __init__(self, control: socket.socket, confined: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="autograded-")
        super().__init__(control, self._folder.name, confined=confined)

    def alive(self) -> bool:
        """Whether it can still fork: it says nothing unasked, so what can be read is its end."""
        return not select.select([self._control], [], [], 0)[0]

    def close(self) -> None:
        """End it, and with it every worker."""
        self._stop()
        with contextlib.suppress(OSError):
            self._folder.cleanup()


class ForkedWorker:
    """A fork of the warm process."""

    def __init__(
        self,
        warm: Forking,
        number: int,
        connection: socket.socket,
        pidfd: int,
        folder: str | None,
    ) -> None:
        self.connection = connection
        self._warm, self._number, self._pidfd, self._folder = warm, number, pidfd, folder

    def end(self) -> str:
        """Kill it and all it started, and return how it had ended, if it had."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        poll.poll(_END_SECONDS * 1_000)
        os.close(self._pidfd)
        self.connection.close()
        ending = self._warm.ending(self._number)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        return ending


class ColdWorker:
    """A process of its own, where forking is not safe; protects nothing."""

    def __init__(self, scenario_files: Sequence[Path], limits: Limits) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="autograded-", ignore_cleanup_errors=True)
        home = self._home.name
        token = secrets.token_hex(16)
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - given to the process
        with socket.create_server(("127.0.0.1", 0)) as server, errors:
            server.settimeout(0.1)
            self._process = _spawn(
                confinement.python_command("cold", str(server.getsockname()[1])),
                env={
                    **confinement.environment(
                        HOME=home, TMPDIR=home, IPYTHONDIR=f"{home}/i", MPLCONFIGDIR=f"{home}/m"
                    ),
                    **{k: os.environ[k] for k in ("SYSTEMROOT", "PATH") if k in os.environ},
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
            configuration = {
                "token": token,
                "limits": asdict(limits),
                "scenarios": [str(file) for file in scenario_files],
                "folder": str(Path(home) / "submission"),
            }
            assert self._process.stdin is not None
            try:
                self._process.stdin.write(json.dumps(configuration).encode())
                self._process.stdin.close()
                self.connection = self._accept(server, token)
            except OSError as error:
                self._kill()
                said = _last_line(errors) or str(error)
                raise SandboxError(
                    f"The process for student code could not start: {said}."
                ) from None

    def _accept(self, server: socket.socket, token: str) -> socket.socket:
        # Anybody on this machine can connect; only our process knows the token.
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                connection, _ = server.accept()
            except TimeoutError:
                if self._process.poll() is None and time.monotonic() < deadline:
                    continue
                raise
            connection.settimeout(5)
            with contextlib.suppress(OSError):
                if secrets.compare_digest(connection.recv(len(token)), token.encode()):
                    connection.settimeout(None)
                    return connection
            connection.close()

    def _kill(self) -> str:
        code = self._process.poll()
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._home.cleanup()
        return "" if code is None else f"exit status {code}"

    def end(self) -> str:
        """Kill it and its process group, and return how it had ended, if it had."""
        # A process that has closed its socket may not have ended yet.
        self.connection.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
        return self._kill()
