"""The warm process: loads what submissions need once, then forks one worker per submission.

It runs no student code, holds nothing of any submission, and stays at one thread, so that a fork
is safe. It can also fork itself: several grading processes load everything once, and have a warm
process each. Requests come over a control socket as JSON datagrams; a request to open brings the
worker's own socket along, and its answer a pidfd by which the trusted side kills the worker.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from autograded.sandbox import linux, wire, worker
from autograded.sandbox.limits import Limits
from autograded.sandbox.loading import load
from autograded.sandbox.shell import Shell

_WATCH_SECONDS = 0.2
_KEPT_ENDINGS = 256
_GATHER_AFTER = 2  # forks: it takes as long as twenty of them save


@dataclass
class _Child:
    """A worker: the number it is known by, its pidfd, and why we ended it, if we did."""

    id: int
    pidfd: int
    reason: str = ""


class Warm:
    """Forks workers on request, reaps them, and ends those that take too much memory."""

    def __init__(
        self,
        control: socket.socket,
        ready: Shell,
        limits: Limits,
        uid: int,
        below_tmp: list[str],
    ) -> None:
        self.control, self.shell, self.limits = control, ready, limits
        self.uid, self.below_tmp = uid, below_tmp
        self.children: dict[int, _Child] = {}
        self.endings: dict[int, str] = {}
        self.clones: dict[int, int] = {}
        self.forks = 0
        self.confined = uid >= 0
        self.mapped, self.shared = linux.mapped_bytes(), linux.own_bytes("self")
        if self.confined:
            self.pid_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY)
        else:
            linux.adopt_orphans()

    def run(self) -> None:
        """Serve requests until the trusted side is gone."""
        next_watch = 0.0
        while True:
            ready = self._wait()
            for pid, child in list(self.children.items()):
                if child.pidfd in ready:
                    self._reap(pid)
            for pid, pidfd in list(self.clones.items()):
                if pidfd in ready:
                    os.waitpid(pid, 0)
                    os.close(self.clones.pop(pid))
            if self.control.fileno() in ready:
                message, descriptors, _, _ = socket.recv_fds(self.control, 4_096, 1)
                request = json.loads(message) if message else {"do": "stop"}
                if request["do"] == "stop":
                    break
                self._answer(request, descriptors)
            if self.children and time.monotonic() > next_watch:
                self._watch()
                next_watch = time.monotonic() + _WATCH_SECONDS
        for pid in self.children:
            os.kill(pid, signal.SIGKILL)
        for pid in list(self.children):
            self._reap(pid, wait=True)
        self._sweep()

    def _wait(self) -> set[int]:
        """Wait for a request, the end of a worker, or the time to watch; return what is ready."""
        poll = select.poll()  # made anew: a closed pidfd would stay in it, always ready
        workers = (child.pidfd for child in self.children.values())
        for descriptor in (self.control.fileno(), *workers, *self.clones.values()):
            poll.register(descriptor, select.POLLIN)
        return {fd for fd, _ in poll.poll(_WATCH_SECONDS * 1_000 if self.children else None)}

    def _answer(self, request: dict[str, Any], descriptors: list[int]) -> None:
        number = request["id"]
        if request["do"] == "open":
            (connection,) = descriptors
            try:
                pid, child = self._fork(number, connection, Path(request["folder"]))
            except OSError as error:
                self._send({"id": number, "error": str(error)})
                return
            finally:
                os.close(connection)
            self._send({"id": number, "pid": pid}, [child.pidfd])
        elif request["do"] == "clone":
            self._clone(number, descriptors[0], request["cores"])
        else:
            for pid, child in list(self.children.items()):
                if child.id == number:
                    self._reap(pid, wait=True)
            self._sweep()
            self._send({"id": number, "ending": self.endings.pop(number, "")})

    def _send(self, message: dict[str, Any], descriptors: list[int] | None = None) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(self.control, [json.dumps(message).encode()], descriptors or [])

    def _gather(self) -> None:
        """Before the many forks of a class, not before the only one of a single file."""
        self.forks += 1
        if self.forks == _GATHER_AFTER + 1 and sys.platform == "linux":
            linux.gather_pages()

    def _fork(self, number: int, connection: int, folder: Path) -> tuple[int, _Child]:
        self._gather()
        if self.confined:
            # The next child becomes pid 1 of a new namespace: when it is killed, all in it is.
            linux.unshare(linux.CLONE_NEWPID)
        try:
            pid = os.fork()
            if pid == 0:
                self._become_worker(connection, folder)
        finally:
            if self.confined:
                linux.enter(self.pid_namespace, linux.CLONE_NEWPID)
        child = _Child(number, os.pidfd_open(pid))
        self.children[pid] = child
        return pid, child

    def _clone(self, number: int, control: int, cores: list[int]) -> None:
        """Fork this process; the new one serves whoever is at the other end of `control`.

        It stays on the cores that one is on.
        """
        pid = os.fork()
        if pid != 0:
            os.close(control)
            self.clones[pid] = os.pidfd_open(pid)
            self._send({"id": number})
            return
        for descriptor in (*(c.pidfd for c in self.children.values()), *self.clones.values()):
            os.close(descriptor)
        self.control.close()
        self.control = socket.socket(fileno=control)
        self.control.settimeout(None)
        self.children, self.clones, self.endings = {}, {}, {}
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, cores)
        if not self.confined:
            linux.die_with_parent(signal.SIGKILL)
            linux.adopt_orphans()

    def _become_worker(self, connection: int, folder: Path) -> NoReturn:
        try:
            kept = 3
            if connection != kept:
                os.dup2(connection, kept, inheritable=False)
            nothing = os.open("/dev/null", os.O_RDWR)
            for standard in (0, 1, 2):
                os.dup2(nothing, standard)
            os.closerange(4, 65_536)
            connection_to_us = socket.socket(fileno=kept)
            try:
                self._confine()
                worker.enter_folder(folder)
            except Exception as error:  # noqa: BLE001 - ours, told before student code can speak
                wire.send(connection_to_us, {"fault": f"{type(error).__name__}: {error}"}, {})
            else:
                worker.serve(connection_to_us, self.shell, self.limits)
        finally:
            os._exit(1)

    def _confine(self) -> None:
        os.setsid()
        linux.limit_resources(self.limits, self.mapped)
        if self.confined:
            linux.isolate(self.limits, self.uid, self.below_tmp)
            linux.limit_processes(self.limits)
            linux.refuse_system_calls()
        else:
            linux.die_with_parent(signal.SIGKILL)

    def _reap(self, pid: int, *, wait: bool = False) -> None:
        done, status = os.waitpid(pid, 0 if wait else os.WNOHANG)
        if done == 0:
            return
        child = self.children.pop(pid)
        os.close(child.pidfd)
        self.endings[child.id] = child.reason or _ending(status)
        while len(self.endings) > _KEPT_ENDINGS:
            self.endings.pop(next(iter(self.endings)))

    def _sweep(self) -> None:
        """Without a pid namespace: end what ended workers have left behind."""
        if self.confined:
            return
        own = str(os.getpid())
        for _ in range(100):
            orphans = [
                pid
                for pid, parent in _parents().items()
                if parent == own and int(pid) not in (*self.children, *self.clones)
            ]
            if not orphans:
                return
            for pid in orphans:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(int(pid), 0)

    def _watch(self) -> None:
        """End workers that hold more memory, with all they started, than one may.

        The limit on address space holds for one process each, and there may be many.
        """
        parents = _parents()
        for pid, child in self.children.items():
            family = _descendants(str(pid), parents)
            # What is shared with this process is counted in each of them.
            taken = sum(max(0, linux.own_bytes(member) - self.shared) for member in family)
            if taken > self.limits.memory_bytes or len(family) > self.limits.processes:
                child.reason = "it used more memory or processes than it may"
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def _parents() -> dict[str, str]:
    """Return the parent of every visible process."""
    found = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - names alone, often
        if entry.isdigit():
            with contextlib.suppress(OSError):
                stat = Path(f"/proc/{entry}/stat").read_text()
                found[entry] = stat.rpartition(")")[2].split()[1]
    return found


def _descendants(root: str, parents: dict[str, str]) -> set[str]:
    """Return a process and all whose parents lead to it."""
    family = {root}
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in family} - family
        family |= more
        grown = bool(more)
    return family


def _ending(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"exit status {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def main(control_descriptor: int) -> None:
    """Read the configuration from the control socket, load, say so, and serve."""
    control = socket.socket(fileno=control_descriptor)
    control.settimeout(None)
    configuration = json.loads(control.recv(2**20))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the trusted side's to handle
    try:
        ready = load(configuration["scenarios"])
    except Exception as error:  # noqa: BLE001 - told to the trusted side
        control.send(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
        return
    gc.collect()
    gc.freeze()
    control.send(json.dumps({"ready": True}).encode())
    Warm(
        control,
        ready,
        Limits(**configuration["limits"]),
        configuration["uid"],
        configuration["below_tmp"],
    ).run()
    os._exit(0)  # taking torch down in good order takes half a second, and leaves nothing better


if __name__ == "__main__":
    main(int(sys.argv[1]))
