"""What this machine offers."""

from __future__ import annotations

import os


def cores() -> list[int]:
    """The cores this process may use, by number."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
