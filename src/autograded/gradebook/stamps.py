"""When a submission was handed in: nbgrader's timestamp.txt."""

from __future__ import annotations

import re
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

FILE = "timestamp.txt"

_MOST = 1000
"""Bytes of a timestamp.txt that are read."""

_ZONE = re.compile(r"[+-]?\w[\w+-]*(/\w[\w+-]*)*", re.ASCII)


def handed_in(stamp: bytes | None) -> datetime | None:
    """The moment that the content of a timestamp.txt names, as nbgrader reads it.

    In UTC, without time zone; None where it names none.
    """
    from nbgrader.utils import parse_utc

    text = (stamp or b"")[:_MOST].decode("utf-8", "replace").strip()
    # nbgrader looks a third word up as the name of a file with a time zone.
    zone = text.split(" ")[2:]
    if not text or (len(zone) == 1 and not _ZONE.fullmatch(zone[0])):
        return None
    try:
        parsed: datetime = parse_utc(text)
    except (ValueError, ArithmeticError, TypeError, AttributeError, OSError):
        # Besides its own errors dateutil lets through what its parts raise on numbers too large.
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


def read_carefully() -> None:
    """Let nbgrader read every timestamp.txt as `handed_in_at` does.

    Its own reading follows links, waits at pipes, and stops at what names no moment.
    """
    from nbgrader.coursedir import CourseDirectory

    def existing(self: Any, dest_path: str) -> datetime | None:
        moment = handed_in_at(Path(dest_path))
        path = Path(dest_path) / FILE
        if moment is None and (path.exists() or path.is_symlink()):
            self.log.warning("When it was handed in is not known: %s names no moment", path)
        return moment

    CourseDirectory.get_existing_timestamp = existing
