"""Numbers as people read them, in the language in use."""

from __future__ import annotations

from autograded.i18n import language


def number(value: float | None, digits: int = 2) -> str:
    """A number as people read it in the current language; a dash for none."""
    if value is None:
        return "–"
    text = f"{value + 0.0:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    text = text.replace("-", "−")
    return text.replace(".", ",") if language() == "id" else text


def points(value: float) -> str:
    """Points as course.yml has them: no more digits than they need."""
    text = f"{value:g}"
    return text.replace(".", ",") if language() == "id" else text


def percent(share: float | None, digits: int = 0) -> str:
    """A share as a percentage."""
    return "–" if share is None else f"{number(100 * share, digits)} %"


def sort_key(value: float | None) -> str:
    """A number for sorting, as a script reads it; empty for none."""
    return "" if value is None else f"{value:.6g}"
