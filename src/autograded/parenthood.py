"""Ends a pool's process with the one it works for."""

from __future__ import annotations

import multiprocessing
import os
from threading import Thread


def end_with_parent() -> None:
    """End this process when the one that made it is gone: killed, that one cannot say so."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True, name="autograded-parent").start()
