"""Text that others wrote, made safe to show and to keep."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

# Terminal sequences; control characters except tab and line end; what turns the writing direction.
_CONTROL = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)?"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def without_control(text: str) -> str:
    """Return a text without what would act on a terminal or hide what it says."""
    return _CONTROL.sub("", text)


def some(names: Sequence[str], most: int = 10) -> str:
    """The first of some names, for a sentence."""
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def cleaned(value: Any) -> Any:
    """A copy of JSON's data that can be written as UTF-8, whatever its strings hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {cleaned(key): cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(item) for item in value]
    return value


_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


def lines_of(text: str, *, keep_ends: bool = False) -> list[str]:
    """The lines of a text as Python counts them: unlike str.splitlines, a form feed ends none."""
    lines = _LINE_END.split(text)
    if not lines[-1]:
        lines.pop()
    return lines if keep_ends else [line.rstrip("\r\n") for line in lines]
