"""The command blocks of README.md and docs/, with what their pages say of them.

A block of commands is fenced as `bash`. A comment before it says what differs from "every command
ends with exit status 0": `<!-- exit status 1 -->`, or `<!-- not run: reason -->`. A block fenced as
`text` right below shows what the commands print: `…` stands for any text, alone for any lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from support import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = {"bash", "csv", "json", "python", "text", "yaml"}
_NOTE = re.compile(r"<!-- (?:exit status (?P<status>\d+)|not run: (?P<reason>.+?)) -->")


@dataclass(frozen=True)
class Block:
    """One block of commands."""

    page: Path
    line: int
    text: str
    status: int
    reason: str | None
    """Why it cannot be run here; None when it is run."""
    output: str | None

    @property
    def name(self) -> str:
        """Where it stands."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    def is_shown_by(self, printed: str) -> bool:
        """Whether what was printed is what the page shows."""
        if self.output is None:
            return True
        pattern = "".join(map(_pattern, _lines(self.output)))
        return re.fullmatch(pattern, "".join(_lines(printed))) is not None


def _lines(text: str) -> list[str]:
    """The lines of a text, without spaces at their ends and without empty lines around them."""
    return [f"{line.rstrip()}\n" for line in text.strip().splitlines()]


def _pattern(line: str) -> str:
    """What a shown line stands for: `…` alone for any lines, within a line for any text."""
    if line == "…\n":
        return r"(?:.*\n)*"
    return ".*".join(map(re.escape, line.split("…")))


def fences(page: Path) -> list[tuple[Token, Token | None, Token | None]]:
    """The fenced blocks of a page, with the tokens before and after each."""
    tokens: list[Token | None] = [None, *MarkdownIt().parse(page.read_text("utf-8")), None]
    return [
        (token, before, after)
        for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token is not None and token.type == "fence"
    ]


def language(fence: Token) -> str:
    """The language a block is fenced as."""
    return fence.info.split(" ")[0]


def blocks(page: Path) -> list[Block]:
    """The blocks of commands on a page, in order."""
    found = []
    for fence, before, after in fences(page):
        if language(fence) != "bash":
            continue
        comment = before.content if before is not None and before.type == "html_block" else ""
        note = _NOTE.search(comment)
        shows = after is not None and after.type == "fence" and language(after) == "text"
        found.append(
            Block(
                page=page,
                line=(fence.map or [0])[0] + 1,
                text=fence.content,
                status=int(note["status"] or 0) if note else 0,
                reason=note["reason"] if note else None,
                output=after.content if shows and after is not None else None,
            )
        )
    return found
