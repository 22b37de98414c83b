"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def sweep(folder: Path) -> None:
    """Remove what a writer that was killed has left; nobody may be writing in the folder."""
    for path in folder.glob(".*"):
        if path.suffix[1:].isdigit():
            path.unlink(missing_ok=True)


def write(path: Path, content: bytes, mode: int | None = None) -> None:
    """Put a file in place at once, over an older one.

    Args:
        path: where; its folder exists.
        content: all of it.
        mode: its permissions, the usual ones by default.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    aside = path.with_name(f".{path.name[:100]}.{os.getpid()}")
    try:
        aside.write_bytes(content)
        if mode is not None:
            aside.chmod(mode)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
