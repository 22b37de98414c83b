"""Zip archives read in memory: no name in one ever becomes a path on this machine."""

from __future__ import annotations

import io
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from autograded.submissions.documents import MAX_BYTES

_DEPTH = 3
"""Archives in archives that are opened."""

_MOST_MEMBERS = 20_000


@dataclass
class Budget:
    """What may still be unpacked, so that a small archive cannot become an endless one."""

    bytes: int = 2 * MAX_BYTES


@dataclass(frozen=True)
class Member:
    """A file in an archive.

    Attributes:
        parts: its path, the names of archives it lies in included.
        size: its length in bytes, as the archive says.
        time: when it was last changed, in seconds, by the clock of whoever packed it.
    """

    parts: tuple[str, ...]
    size: int
    time: float | None
    read: Callable[[], bytes | None] = field(repr=False)


def members(
    content: bytes, parts: tuple[str, ...] = (), budget: Budget | None = None
) -> Iterator[Member]:
    """The files of a zip archive and of the archives in it; nothing when it is damaged.

    Args:
        content: the archive.
        parts: the path under which its files are named.
        budget: what may be unpacked of it; by default all of it, as of a download of a class, but
            of each archive in it no more than one student could have handed in.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return
    for info in archive.infolist()[:_MOST_MEMBERS]:
        path = safe_parts(_name(info))
        if info.is_dir() or path is None or is_link(info):
            continue
        inner = parts + path
        if path[-1].lower().endswith(".zip") and len(inner) - len(path) < _DEPTH:
            packed = _read(archive, info, budget)
            if packed is not None:
                yield from members(packed, inner, budget or Budget())
            continue

        def read(info: zipfile.ZipInfo = info) -> bytes | None:
            return _read(archive, info, budget)

        yield Member(inner, info.file_size, _time(info), read)


def safe_parts(name: str) -> tuple[str, ...] | None:
    """A path in an archive as its parts; None when it would lead out of the archive."""
    parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
    if not parts or ".." in parts or ":" in parts[0][1:2]:
        return None
    return parts


def is_link(info: zipfile.ZipInfo) -> bool:
    """Whether a member is a symbolic link, whose content would be a path."""
    return (info.external_attr >> 16) & 0o170000 == 0o120000


def _name(info: zipfile.ZipInfo) -> str:
    name = info.filename
    if not info.flag_bits & 0x800:
        # Many programs write UTF-8 without saying so.
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    return unicodedata.normalize("NFC", name)


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget | None) -> bytes | None:
    limit = MAX_BYTES if budget is None else min(MAX_BYTES, budget.bytes)
    if info.file_size > limit:
        return None
    try:
        with archive.open(info) as file:
            content = file.read(limit + 1)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError):
        return None
    if budget is not None:
        budget.bytes -= len(content)
    return content if len(content) <= limit else None


def _time(info: zipfile.ZipInfo) -> float | None:
    try:
        return datetime(*info.date_time).timestamp()
    except (ValueError, OverflowError):
        return None
