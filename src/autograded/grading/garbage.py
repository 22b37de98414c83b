"""Cheap garbage collections while scenarios look for live graphs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_inside: list[None] = []


@contextmanager
def quick_collections() -> Iterator[None]:
    """Keep `gc.collect()` cheap inside the block: what exists now is not looked at again.

    Scenarios collect garbage to see which graphs are alive; in a process that holds torch, pytest
    and a batch of transcripts, each collection would take a tenth of a second. Blocks may be
    nested: the outermost one ends it.
    """
    gc.freeze()
    _inside.append(None)
    try:
        yield
    finally:
        _inside.pop()
        if not _inside:
            gc.unfreeze()
