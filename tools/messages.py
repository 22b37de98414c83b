"""Message catalogues: extract from src/, update every language, compile. `make messages` runs it.

With `--check` nothing is written. Exit status 1 when a committed catalogue is not what the sources
make, or when a message has no translation that a person has confirmed. Catalogues carry no dates
and no line numbers, so that the same sources always make the same bytes.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
DOMAIN = "autograded"
LOCALE = ROOT / "src" / "autograded" / "locale"
TEMPLATE = LOCALE / f"{DOMAIN}.pot"
LANGUAGES = ("id",)

_COMMENT = f"# Messages of {DOMAIN}; `make messages` extracts, updates and compiles them."


class Messages(Catalog):
    """A catalogue whose header holds no date and no version of a tool."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """What gettext needs to read it."""
        headers = [("Content-Type", f"text/plain; charset={self.charset}")]
        if self.locale is not None:
            headers += [("Language", str(self.locale)), ("Plural-Forms", self.plural_forms)]
        return headers


def extracted() -> Messages:
    """The messages of the sources, each with the files it stands in."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    template = Messages(header_comment=_COMMENT, charset="utf-8", fuzzy=False)
    for name, _line, message, comments, context in extract_from_dir(
        ROOT / "src", methods, options, comment_tags=("Translators:",), strip_comment_tags=True
    ):
        place = (f"src/{Path(name).as_posix()}", None)
        template.add(message, locations=[place], auto_comments=comments, context=context)
    return template


def updated(language: str, template: Messages) -> Messages:
    """A language's catalogue with the messages of `template`; new ones are untranslated."""
    path = po_file(language)
    known = {}
    if path.is_file():
        with path.open("rb") as file:
            known = {(m.context, m.id): m for m in read_po(file, locale=language, domain=DOMAIN)}
    catalogue = Messages(language, header_comment=_COMMENT, charset="utf-8", fuzzy=False)
    for message in template:
        if not message.id:
            continue
        old = known.get((message.context, message.id))
        catalogue.add(
            message.id,
            old.string if old is not None else "",
            message.locations,
            message.flags | ({"fuzzy"} if old is not None and old.fuzzy else set()),
            message.auto_comments,
            old.user_comments if old is not None else (),
            context=message.context,
        )
    return catalogue


def po_file(language: str) -> Path:
    """The catalogue of a language that people edit."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def made() -> Iterator[tuple[Path, bytes]]:
    """Every file of the catalogues, with the bytes it should have."""
    template = extracted()
    yield TEMPLATE, _text(template)
    for language in LANGUAGES:
        catalogue = updated(language, template)
        yield po_file(language), _text(catalogue)
        compiled = io.BytesIO()
        write_mo(compiled, catalogue)
        yield po_file(language).with_suffix(".mo"), compiled.getvalue()


def _text(catalogue: Messages) -> bytes:
    text = io.BytesIO()
    write_po(text, catalogue, width=100, sort_by_file=True, include_lineno=False)
    return text.getvalue().rstrip() + b"\n"


def faults() -> Iterator[str]:
    """What translations lack, one line each."""
    template = extracted()
    for language in LANGUAGES:
        for message in updated(language, template):
            if message.id and not message.string:
                yield f"{language}: not translated: {message.id!r}"
            elif message.id and message.fuzzy:
                yield f"{language}: marked fuzzy: {message.id!r}"


def main() -> int:
    """Write the catalogues, or say what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    check = parser.parse_args().check
    problems = []
    for path, content in made():
        if path.is_file() and path.read_bytes() == content:
            continue
        if check:
            problems.append(f"drifted: {path.relative_to(ROOT)}")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            print(f"written: {path.relative_to(ROOT)}")
    if problems:
        problems.append("Run `make messages` and commit what it writes.")
    problems += faults()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
