"""Reads handed-in files without trusting what they are."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from autograded.errors import AutogradedError
from autograded.submissions.documents import MAX_BYTES


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
        raise AutogradedError(f"{path} cannot be read: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise AutogradedError(f"{path} is not a regular file; name a notebook or a .py file.")
        try:
            return file.read(MAX_BYTES + 1)
        except OSError as error:
            raise AutogradedError(f"{path} cannot be read: {error.strerror}.") from error
