"""Single keys from a terminal, without waiting for Enter where the system allows it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

try:
    import termios
    import tty
except ImportError:  # Windows: keys are read by the line
    termios = None  # type: ignore[assignment]


@contextmanager
def keys(press: Callable[[str], None]) -> Iterator[None]:
    """Call `press` from another thread for each key, until the block is left.

    Without a terminal that can hand over single keys, each line's letters count, after Enter. At
    the end of the input `q` is pressed, so that nothing waits for keys that cannot come.
    """
    with _single_keys():
        Thread(target=_read, args=(press,), daemon=True).start()
        yield


@contextmanager
def _single_keys() -> Iterator[None]:
    if termios is None or not sys.stdin.isatty():
        yield
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    # Signals stay on: Ctrl-C must still stop a loop that never ends.
    tty.setcbreak(descriptor)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _read(press: Callable[[str], None]) -> None:
    while key := sys.stdin.read(1):
        if not key.isspace():
            press(key.lower())
    press("q")
