"""Reads handed-in files without trusting what they are."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from autograded.errors import AutogradedError, why
from autograded.submissions.decoding import MAX_BYTES


def content_of(path: Path) -> bytes:
    """The bytes of a handed-in file, at most one more than are read.

    Raises:
        AutogradedError: there is no such file, or it is no regular one: a link, a FIFO, a device.
    """
    # O_NONBLOCK: opening a FIFO must not wait for somebody to write to it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        raise AutogradedError(f"There is no file {path}.") from None
    except OSError as error:
        raise AutogradedError(f"{path} cannot be read: {why(error)}.") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise AutogradedError(f"{path} is not a regular file; name a notebook or a .py file.")
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(MAX_BYTES + 1)
        except OSError as error:
            raise AutogradedError(f"{path} cannot be read: {why(error)}.") from error


def is_text(name: str) -> bool:
    """Whether a file's name can be written down: on Linux it may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
