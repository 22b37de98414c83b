"""The committed catalogue, as the tests look at it."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter

from babel.messages import Catalog
from babel.messages.pofile import read_po

import autograded.i18n
from support import ROOT

PO = ROOT / "src" / "autograded" / "locale" / "id" / "LC_MESSAGES" / "autograded.po"


@cache
def catalogue() -> Catalog:
    """The Indonesian catalogue."""
    with PO.open("rb") as file:
        return read_po(file, locale="id")


def messages() -> dict[str, str]:
    """English messages with their translation."""
    return {m.id: m.string for m in catalogue() if m.id}


def indonesian(message: str) -> str:
    """A message in Indonesian, through the engine's own door."""
    with autograded.i18n.use("id"):
        return autograded.i18n._(message)


def fields(message: str) -> list[str]:
    """The placeholders of a message, each with its conversion and format, sorted."""
    return sorted(
        f"{name}!{conversion}:{spec}"
        for _text, name, spec, conversion in Formatter().parse(message)
        if name is not None
    )


def sentences() -> list[str]:
    """The English between placeholders, as far as it is three words or more."""
    pieces = (text.strip() for message in messages() for text, *_rest in Formatter().parse(message))
    return sorted({piece for piece in pieces if len(re.findall(r"[a-z]{2,}", piece)) >= 3})
