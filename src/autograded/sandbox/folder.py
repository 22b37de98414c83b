"""A submission's own extra files, read without trusting what they are."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from autograded.sandbox.limits import Limits

_MAX_DEPTH = 4
_MAX_ENTRIES = 5_000


def collect(folder: Path, limits: Limits) -> dict[str, bytes]:
    """Return the small regular files of a folder by relative path, in order of name.

    Symbolic links, FIFOs, devices, sockets, unreadable files, and files past the limits on number
    and size are left out.
    """
    files: dict[str, bytes] = {}
    room = limits.folder_bytes
    seen = 0
    for parent, folders, names in os.walk(folder, followlinks=False):
        depth = len(Path(parent).relative_to(folder).parts)
        folders[:] = sorted(folders) if depth < _MAX_DEPTH else []
        for name in sorted(names):
            seen += 1
            if seen > _MAX_ENTRIES or len(files) >= limits.folder_files:
                return files
            path = Path(parent) / name
            content = _content(path, room)
            if content is not None:
                files[path.relative_to(folder).as_posix()] = content
                room -= len(content)
    return files


def _content(path: Path, room: int) -> bytes | None:
    # O_NONBLOCK: opening a FIFO must not wait for somebody to write to it.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        os.fsencode(path).decode()
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > room:
            return None
        try:
            content = file.read(room + 1)
        except OSError:
            return None
    return content if len(content) <= room else None
