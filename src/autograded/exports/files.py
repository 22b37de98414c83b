"""Files that are there whole or not at all, and cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from autograded import atomic
from autograded.errors import AutogradedError, why

# The wide forms are what an East Asian keyboard types; Excel takes them for the narrow ones.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def harmless(value: Any) -> Any:
    """Text that a spreadsheet will not run as a formula; numbers stay numbers."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return value


def number(value: float, decimal: str = ".") -> str:
    """A score with at most four decimals, and no more than it needs."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return ("0" if text == "-0" else text).replace(".", decimal)


def write(path: Path, content: bytes, mode: int | None = None) -> None:
    """Put a file in place at once, over an older one.

    Args:
        path: where.
        content: all of it.
        mode: its permissions, the usual ones by default.

    Raises:
        AutogradedError: it cannot be written; what was there before still is.
    """
    try:
        atomic.write(path, content, mode)
    except OSError as error:
        raise AutogradedError(f"{path} cannot be written: {why(error)}.") from error


def folder(path: Path) -> Path:
    """Make a folder, with those above it.

    Raises:
        AutogradedError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AutogradedError(f"{path} cannot be made: {why(error)}.") from error
    return path


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A CSV file in UTF-8 with a header, its texts harmless."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([harmless(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")
