"""The language of messages: gettext catalogues for the engine, `Text` pairs for course content."""

from __future__ import annotations

import gettext as _gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Beside student code this module is imported, and the course is not.
    from autograded.course import Language, Text

_language: ContextVar[Language] = ContextVar("language", default="en")


@lru_cache(maxsize=4)
def _catalogue(language: Language) -> _gettext.NullTranslations:
    folder = Path(__file__).parent / "locale"
    return _gettext.translation("autograded", folder, languages=[language], fallback=True)


def language() -> Language:
    """The language messages are made in now."""
    return _language.get()


@contextmanager
def use(language: Language) -> Iterator[None]:
    """Make messages in `language` inside the block."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def speak(language: Language) -> None:
    """Make messages in `language` from now on, in a process that serves one submission."""
    _language.set(language)


def _(message: str) -> str:
    """Translate an engine message into the current language."""
    return _catalogue(_language.get()).gettext(message)


def say(text: Text) -> str:
    """Return a course text in the current language."""
    return text.in_language(_language.get())
