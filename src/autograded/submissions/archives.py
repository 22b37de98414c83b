"""Zip archives read in memory: no name in one ever becomes a path on this machine."""

from __future__ import annotations

import io
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile
from typing import Literal

from autograded.submissions.decoding import MAX_BYTES

_DEPTH = 3
"""Archives in archives that are opened."""

MOST_MEMBERS = 20_000
"""Files of one student that are looked at."""

_MOST_OF_A_CLASS = 1_000_000

_LEFT_BY_PROGRAMS = frozenset({"__MACOSX", "__pycache__", "venv", "node_modules", "site-packages"})

Loss = Literal["link", "outside", "damaged", "limit", "hidden"]
"""Why a file cannot be read: it is a link, its name leads out of the archive, it is damaged or
locked, it is too large or one too many, or programs left it for themselves."""


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
        lost: why it cannot be read, if that is known; of a folder that programs left, or of an
            archive that cannot be opened, one stands for all that is in it.
        packed: the archives it lies in, besides the one that was opened, the outermost first: how
            long the path of each is, and when it was last changed.
    """

    parts: tuple[str, ...]
    size: int
    time: float | None
    read: Callable[[], bytes | None] = field(repr=False)
    lost: Loss | None = None
    packed: tuple[tuple[int, float | None], ...] = ()

    def within(self, archive: tuple[str, ...], time: float | None) -> Member:
        """The same, in one more archive around those it lies in."""
        return replace(self, packed=((len(archive), time), *self.packed))


def lost(parts: tuple[str, ...], why: Loss) -> Member:
    """A file that is there and cannot be read."""
    return Member(parts, 0, None, lambda: None, why)


def members(
    content: bytes,
    parts: tuple[str, ...] = (),
    budget: Budget | None = None,
    depth: int = _DEPTH,
) -> Iterator[Member]:
    """The files of a zip archive and of the archives in it; nothing vanishes without a `lost` one.

    Args:
        content: the archive.
        parts: the path under which its files are named.
        budget: what may be unpacked of it; by default all of it, as of a download of a class, but
            of each archive in it no more than one student could have handed in.
        depth: how many archives in archives are opened.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        yield lost(parts, "damaged")
        return
    room = _MOST_OF_A_CLASS if budget is None else MOST_MEMBERS
    left: set[tuple[str, ...]] = set()
    for info in archive.infolist():
        if info.is_dir():
            continue
        path = safe_parts(_name(info))
        if path is None:
            yield lost(parts + _claimed(_name(info)), "outside")
            continue
        visible = tuple(takewhile(lambda part: not is_hidden(part), path))
        if visible != path:
            folder = path[: len(visible) + 1]
            if folder not in left:
                left.add(folder)
                yield lost(parts + folder, "hidden")
            continue
        room -= 1
        if room < 0:
            yield lost(parts + path, "limit")
            return
        yield from _member(archive, info, parts, path, budget, depth)


def _member(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    parts: tuple[str, ...],
    path: tuple[str, ...],
    budget: Budget | None,
    depth: int,
) -> Iterator[Member]:
    inner = parts + path
    is_archive = path[-1].lower().endswith(".zip")
    if is_link(info):
        yield lost(inner, "link")
    elif info.file_size > MAX_BYTES or (is_archive and depth == 0):
        yield lost(inner, "limit")
    elif info.flag_bits & 1:
        yield lost(inner, "damaged")
    elif is_archive:
        packed = _read(archive, info, budget)
        if packed is None:
            yield lost(inner, "damaged" if budget is None else "limit")
        else:
            for one in members(packed, inner, budget or Budget(), depth - 1):
                yield one.within(inner, _time(info))
    else:
        yield Member(inner, info.file_size, _time(info), lambda: _read(archive, info, budget))


def is_hidden(name: str) -> bool:
    """Whether programs leave a file or folder of this name for themselves."""
    return name.startswith(".") or name in _LEFT_BY_PROGRAMS


def safe_parts(name: str) -> tuple[str, ...] | None:
    """A path in an archive as its parts; None when it would lead out of the archive."""
    parts = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
    if not parts or ".." in parts or ":" in parts[0][1:2]:
        return None
    return parts


def _claimed(name: str) -> tuple[str, ...]:
    """What a name that leads out of the archive says before it does, for people, and its end."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    inside = takewhile(lambda part: part != ".." and ":" not in part[1:2], parts[:-1])
    return (*inside, *parts[-1:]) or ("?",)


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
