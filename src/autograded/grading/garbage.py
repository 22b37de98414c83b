"""Cheap garbage collections while scenarios look for live graphs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_inside: list[None] = []
_for_good = False
_THOROUGH = 4
"""After so many batches frozen garbage is looked for, too; it is a few MB of each."""
_batches = 0


def freeze_for_good() -> None:
    """Take what this process has imported out of its collections, for as long as it lives."""
    global _for_good
    gc.collect()
    gc.freeze()
    _for_good = True


def collect_after_batch() -> None:
    """Collect what a batch of submissions has left.

    That is megabytes of objects that refer to each other, in a process that seldom looks for them
    by itself. Some were frozen while they were alive.
    """
    global _batches
    _batches += 1
    thorough = _for_good and _batches % _THOROUGH == 0
    if thorough:
        gc.unfreeze()
    gc.collect()
    if thorough:
        gc.freeze()


@contextmanager
def quick_collections() -> Iterator[None]:
    """Keep `gc.collect()` cheap inside the block: what exists now is not looked at again.

    Scenarios collect garbage to see which graphs are alive; in a process that holds torch, pytest
    and a batch of transcripts, each collection would take a tenth of a second. Blocks may be
    nested: the outermost one ends it.

    After `freeze_for_good` a block ends nothing; garbage that refers to itself must go before it.
    """
    if _for_good and not _inside:
        gc.collect()
    gc.freeze()
    _inside.append(None)
    try:
        yield
    finally:
        _inside.pop()
        if not _inside and not _for_good:
            gc.unfreeze()
