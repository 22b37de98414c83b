"""Turns the bytes of a file into text, and JSON into data, as far as either can be read."""

from __future__ import annotations

import codecs
import json
import re
import zlib
from dataclasses import dataclass
from typing import Any

from autograded.i18n import _
from autograded.text import cleaned

MAX_BYTES = 256 * 2**20
"""Size of a file from which on it is not read."""

_MOST_DAMAGE = 0.1
"""Share of characters that are none from which on a file is no text at all."""

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)

# PEP 263.
_CODING = re.compile(rb"^(?:[^\r\n]*\r?\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_TEXT_ENCODINGS = ("big5", "cp", "euc", "gb", "iso8859", "koi8", "mac-", "shift_jis")

_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True)
class Text:
    """What a file says.

    Attributes:
        text: it, without a byte order mark and an end-of-file mark.
        encoding: how it was written, in the current language, when that is not plain UTF-8.
        lost: how many of its bytes or characters could not be read.
    """

    text: str
    encoding: str | None = None
    lost: int = 0


def decoded(content: bytes) -> Text | None:
    """The text of a file; None when it is none, or unpacks to more than is read."""
    if content.startswith(b"\x1f\x8b"):
        unpacked = _unpacked(content)
        found = None if unpacked is None else decoded(unpacked)
        return found and Text(found.text, "gzip", found.lost)
    encoding, name = _encoding(content)
    text, lost = _read(content, encoding)
    text = text.strip("\ufeff").rstrip("\x1a")
    control = sum(map(text.count, map(chr, (*range(1, 9), *range(14, 32)))))
    if lost + control > _MOST_DAMAGE * len(text):
        return None
    return Text(text.replace("\0", ""), name, lost + text.count("\0"))


def _read(content: bytes, encoding: str) -> tuple[str, int]:
    """The text, and how many characters of it are none."""
    try:
        return content.decode(encoding), 0
    except UnicodeDecodeError:
        text = content.decode(encoding, "replace")
        return text, text.count("\ufffd")


def _unpacked(content: bytes) -> bytes | None:
    packed = zlib.decompressobj(wbits=31)
    try:
        unpacked = packed.decompress(content, MAX_BYTES)
    except zlib.error:
        return None
    nested = unpacked.startswith(b"\x1f\x8b")
    return None if nested or packed.unconsumed_tail else unpacked


def _encoding(content: bytes) -> tuple[str, str | None]:
    """How a file is written, for Python, and for people when it is not plain UTF-8."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            named = encoding.upper()
            return encoding, _("UTF-8 with a byte order mark") if encoding == "utf-8" else named
    # Without a mark, the zero bytes of its Latin letters tell.
    start = content[:2000]
    zeros = [start[place::4].count(0) > len(start) / 4 / 2 for place in range(4)]
    for pattern, encoding in (
        ([False, True, True, True], "utf-32-le"),
        ([True, True, True, False], "utf-32-be"),
        ([False, True, False, True], "utf-16-le"),
        ([True, False, True, False], "utf-16-be"),
    ):
        if zeros == pattern:
            return encoding, encoding[:6].upper()
    text, lost = _read(content, "utf-8")
    if lost == 0:
        return "utf-8", None
    declared = _declared(content)
    if declared is not None:
        return declared, declared
    # A file of one byte a character holds next to nothing that is right as UTF-8.
    right = len(re.findall(r"[^\x00-\x7f\ufffd]", text))
    if right >= lost or "\0" in text:
        return "utf-8", None
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return "utf-8", None
    return "cp1252", "Windows-1252"


def _declared(content: bytes) -> str | None:
    """The encoding that a Python file says it is written in, if it is."""
    found = _CODING.match(content[:2000])
    try:
        name = codecs.lookup(found[1].decode("ascii")).name if found else ""
        if name.startswith(_TEXT_ENCODINGS):
            content.decode(name)
            return name
    except (LookupError, ValueError):
        pass
    return None


def decode_json(text: str, start: int = 0) -> tuple[Any, int]:
    """The value that begins at a place, fit to be written as UTF-8, and where it ends.

    Raises:
        ValueError: it is not JSON.
        RecursionError: it is nested too deeply.
    """
    value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    return (cleaned(value) if _HALF_CHARACTER.search(text, start, end) else value), end
