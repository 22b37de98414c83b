"""What the pages share: templates that escape, and style sheets and scripts put into the page."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from autograded import atomic
from autograded.errors import AutogradedError, why
from autograded.i18n import _, say
from autograded.reports import numbers
from autograded.reports.table import plain


@cache
def environment() -> Environment:
    """The templates beside this module; everything they print is escaped."""
    made = Environment(
        loader=PackageLoader("autograded.reports"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(_=_, say=say)
    made.filters.update(
        plain=plain,
        number=numbers.number,
        percent=numbers.percent,
        points=numbers.points,
        sort_key=numbers.sort_key,
        short=short,
        commands=commands,
    )
    return made


def short(exercise: str) -> str:
    """An exercise's id without its assignment."""
    return exercise.partition(".")[2] or exercise


def commands(text: str) -> Markup:
    """A text of ours whose parts between backticks are set as code."""
    pieces = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else piece
        for place, piece in enumerate(pieces)
    )


@cache
def asset(name: str) -> Markup:
    """The text of a style sheet or a script."""
    # Ours, and no part of it comes from anybody else.
    return Markup((Path(__file__).parent / "templates" / name).read_text(encoding="utf-8"))


def asset_hash(name: str) -> str:
    """The hash by which the page's own policy knows its style sheet or script."""
    digest = hashlib.sha256(asset(name).encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def write_page(path: Path, text: str) -> None:
    """Write a page whole or not at all, with its folder.

    Raises:
        AutogradedError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # What is no text cannot be written down: a name may hold half of a surrogate pair.
        atomic.write(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise AutogradedError(
            _("{path} cannot be written: {reason}; name another file with --output.").format(
                path=path, reason=why(error)
            )
        ) from error
