"""When a submission was handed in: nbgrader's timestamp.txt."""

from __future__ import annotations

import stat
from datetime import datetime
from pathlib import Path

FILE = "timestamp.txt"

_MOST = 1000
"""Bytes of a timestamp.txt that are read."""


def handed_in(stamp: bytes | None) -> datetime | None:
    """The moment that the content of a timestamp.txt names, as nbgrader reads it.

    In UTC, without time zone; None where it names none.
    """
    from nbgrader.utils import parse_utc

    text = (stamp or b"")[:_MOST].decode("utf-8", "replace").strip()
    if not text:
        return None
    try:
        parsed: datetime = parse_utc(text)
    except (ValueError, OverflowError):
        return None
    return parsed


def handed_in_at(folder: Path) -> datetime | None:
    """When the submission in a folder was handed in; a link or a pipe names no moment."""
    path = folder / FILE
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
        with path.open("rb") as file:
            return handed_in(file.read(_MOST))
    except OSError:
        return None
