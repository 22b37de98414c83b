"""What an attack could leave behind: processes, files, shared memory, connections."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

PORT = 47811
"""Where attacks of the corpus try to send to, on this machine."""

_PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/run", "/", "/dev/mqueue", str(Path.home()))

# Adopts every descendant whose parent ends, so that what a command leaves behind is seen.
_WATCHED = """
import ctypes, os, signal, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1)
done = subprocess.run(sys.argv[2:])
end = time.monotonic() + 10
left = ["?"]
def alive():
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                break
        except ChildProcessError:
            return []
    with open("/proc/self/task/%d/children" % os.getpid()) as file:
        return file.read().split()
while left and time.monotonic() < end:
    left = alive()
    time.sleep(0.05)
with open(sys.argv[1], "w") as file:
    for pid in left:
        with open(f"/proc/{pid}/cmdline") as line:
            file.write(pid + " " + line.read().replace("\\0", " ") + "\\n")
        os.kill(int(pid), signal.SIGKILL)
sys.exit(done.returncode)
"""


def watched(
    *arguments: str | Path, cwd: Path, note: Path, timeout: float = 600, **env: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    """Run a module as a command; also return the processes that were left when it had ended."""
    done = subprocess.run(
        [sys.executable, "-c", _WATCHED, note, sys.executable, "-m", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "AUTOGRADED_SEED": "tests", "COLUMNS": "120", **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    return done, note.read_text()


def leftovers() -> list[str]:
    """Files and shared memory with the name that attacks of the corpus give to theirs."""
    files = [str(p) for place in _PLACES for p in Path(place).glob("*hostile-*")]
    memory = []
    for kind in ("shm", "sem", "msg"):
        listed = Path(f"/proc/sysvipc/{kind}")
        if listed.exists():
            lines = listed.read_text().splitlines()[1:]
            memory += [f"{kind} {line}" for line in lines if line.split()[0] == str(PORT)]
    return files + memory


def digests(folder: Path, *without: str) -> dict[str, str]:
    """A digest of every regular file below a folder, some sub-folders left out."""
    found = {}
    for parent, folders, names in os.walk(folder):
        inside = Path(parent).relative_to(folder)
        folders[:] = [name for name in folders if str(inside / name) not in without]
        for name in names:
            path = Path(parent) / name
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 2**30:
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                found[os.fsencode(path).decode("utf-8", "backslashreplace")] = digest
    return found


class Listener:
    """Counts who connects or sends to `PORT` of this machine. A context manager."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Listener:
        stream = socket.create_server(("127.0.0.1", PORT))
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", PORT))
        for listening in (stream, datagrams):
            listening.settimeout(0.2)
            self._threads.append(threading.Thread(target=self._listen, args=(listening,)))
            self._threads[-1].start()
        return self

    def _listen(self, listening: socket.socket) -> None:
        with listening:
            while not self._over.is_set():
                with contextlib.suppress(TimeoutError):
                    if listening.type == socket.SOCK_STREAM:
                        listening.accept()[0].close()
                    else:
                        listening.recv(100)
                    self.heard.append(listening.type.name)

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
