"""Finds cells of the release, word for word, in text that they were run together with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A stretch of a text: a cell of the release, or what stands between two of them."""

    text: str
    is_released: bool


def apart(source: str, released: Iterable[str]) -> list[Part]:
    """Cut a text at the released cells that stand in it, in order; blank parts are left out.

    Args:
        source: a file, or a cell.
        released: the text of the cells to look for.
    """
    wanted: dict[str, list[list[str]]] = {}
    for text in released:
        block = [line.rstrip() for line in text.strip("\n").split("\n")]
        wanted.setdefault(block[0], []).append(block)
    lines = source.split("\n")
    stripped = [line.rstrip() for line in lines]
    parts: list[Part] = []
    start = place = 0
    while place < len(lines):
        fitting = [
            block
            for block in wanted.get(stripped[place], ())
            if any(block)
            and stripped[place : place + len(block)] == block
            and not _goes_on(stripped, place + len(block))
        ]
        if not fitting:
            place += 1
            continue
        block = max(fitting, key=len)
        parts.append(Part("\n".join(lines[start:place]), is_released=False))
        parts.append(Part("\n".join(block), is_released=True))
        place += len(block)
        start = place
    parts.append(Part("\n".join(lines[start:]), is_released=False))
    return [Part(p.text.strip("\n"), p.is_released) for p in parts if p.text.strip()]


def _goes_on(lines: list[str], place: int) -> bool:
    """Whether the code above a line does not end there: a student may have added to it."""
    following = next((line for line in lines[place : place + 3] if line), "")
    return following[:1] in (" ", "\t")
