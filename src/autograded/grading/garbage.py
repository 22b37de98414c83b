"""Cheap garbage collections while scenarios look for live graphs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quick_collections() -> Iterator[None]:
    """Keep `gc.collect()` cheap inside the block: what exists now is not looked at again.

    Scenarios collect garbage to see which graphs are alive; in a process that holds torch, pytest
    and a batch of transcripts, each collection would take a tenth of a second. Blocks may be
    nested: the outermost one ends it.

    A process that has frozen what it imported, as grading workers do, wants that to stay so: there
    the block ends nothing, and only garbage that refers to itself from before it must go first.
    """
    lasting = gc.get_freeze_count() > 0
    if lasting:
        gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not lasting:
            gc.unfreeze()
