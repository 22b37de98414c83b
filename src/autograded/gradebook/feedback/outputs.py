"""A cell's outputs as pieces of a page: text, errors and pictures, and nothing that acts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from autograded.reports.table import plain

_LINES = 60
"""Lines of one output that are shown."""

_CHARACTERS = 4_000
"""Characters of one output that are shown."""

_PIECES = 20
"""Outputs of one cell that are shown."""

_PICTURES = ("image/png", "image/jpeg")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")


@dataclass(frozen=True)
class Piece:
    """One output.

    Attributes:
        kind: what it is; `text` of a picture is its address, a data: URL.
        text: plain text, without control characters.
        more: for an error, where it came from.
        shortened: whether there was more of it.
    """

    kind: Literal["text", "error", "picture"]
    text: str
    more: str = ""
    shortened: bool = False


def pieces(outputs: Iterable[Any]) -> list[Piece]:
    """What is shown of a cell's outputs, in order."""
    made = list(_pieces(outputs))
    if len(made) > _PIECES:
        last = made[_PIECES - 1]
        made = [*made[: _PIECES - 1], Piece(last.kind, last.text, last.more, shortened=True)]
    return made


def _pieces(outputs: Iterable[Any]) -> Iterator[Piece]:
    printed = ""
    for output in outputs:
        if output["output_type"] == "stream":
            # One print() may come in several pieces.
            printed += _joined(output.get("text", ""))
            continue
        if printed:
            yield _text("text", printed)
            printed = ""
        if output["output_type"] == "error":
            yield _error(output)
        else:
            piece = _shown(output.get("data", {}))
            if piece is not None:
                yield piece
    if printed:
        yield _text("text", printed)


def _shown(data: Any) -> Piece | None:
    for kind in _PICTURES:
        content = _joined(data.get(kind, ""))
        if content and _BASE64.fullmatch(content):
            return Piece("picture", f"data:{kind};base64,{''.join(content.split())}")
    for kind in ("text/plain", "text/latex"):
        text = _joined(data.get(kind, ""))
        if text:
            return _text("text", text)
    return None


def _error(output: Any) -> Piece:
    name, value = plain(_joined(output.get("ename", ""))), _joined(output.get("evalue", ""))
    said = _text("error", f"{name}: {value}" if value else name)
    trace = _text("text", "\n".join(map(_joined, output.get("traceback", ()))))
    more = trace.text if trace.text.strip() != said.text.strip() else ""
    return Piece("error", said.text, more, said.shortened or trace.shortened)


def _text(kind: Literal["text", "error"], text: str) -> Piece:
    # Cut before cleaning: what is thrown away need not be read.
    kept = "".join(text[: 2 * _CHARACTERS].splitlines(keepends=True)[:_LINES])
    kept = plain(kept)[:_CHARACTERS].rstrip()
    return Piece(kind, kept, shortened=len(kept) < len(plain(text.rstrip())))


def _joined(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)
