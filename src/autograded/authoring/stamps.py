"""A digest in a generated stub tells it from one that somebody has worked in."""

from __future__ import annotations

import hashlib
import re

_STAMP = re.compile(r' generated="([0-9a-f]{16})"')


def stamped(text: str) -> str:
    """Write the digest of a py:percent text into the marker of its first cell."""
    first, line_end, rest = text.partition("\n")
    return f'{first} generated="{_digest(text)}"{line_end}{rest}'


def is_untouched(text: str) -> bool:
    """Whether a text is, to the letter, one that `stamped` made."""
    first, line_end, rest = text.partition("\n")
    found = _STAMP.search(first)
    return bool(found) and stamped(_STAMP.sub("", first) + line_end + rest) == text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
