"""Student code as a sequence of tokens in which names, layout and comments make no difference.

Every token becomes one character, so that string algorithms work on programs. Nothing is parsed:
code that is not Python is compared as well.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Set

_TOKEN = re.compile(
    r"""
    \#[^\n]* | \\\n                                             # a comment, a line going on
    | [rbfuRBFU]{0,2}(?:\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z))
    | [rbfuRBFU]{0,2}(?:"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
    | (?:\.[ \t]*)?[^\W\d]\w*                                   # a name, or an attribute
    | \d[\w.]*(?:(?<=[eE])[+-]\d+)?                             # a number
    | \n
    | [^\s\w]                                                   # an operator
    """,
    re.VERBOSE,
)

# Names that are not the student's own say what code does.
_KEPT = frozenset({*keyword.kwlist, *dir(builtins), "torch", "np", "numpy", "math", "self"} - {"_"})

# Comments, lines that go on, and what may be left out or put in: `a, b = (x, y)`.
_IGNORED = frozenset("#\\(),;")

_NAME, _STRING = "name", "string"


class Alphabet:
    """Gives every distinct token a character of its own, the same for all programs it reads."""

    def __init__(self) -> None:
        self._characters: dict[str, str] = {}

    def lines(self, source: str) -> list[str]:
        """The tokens of each line that has any, as strings of one character a token."""
        found: list[str] = []
        line: list[str] = []
        for token in _TOKEN.findall(source):
            if token == "\n":
                if line:
                    found.append("".join(line))
                    line = []
            elif token[0] not in _IGNORED:
                line.append(self._character(token))
        if line:
            found.append("".join(line))
        return found

    def _character(self, token: str) -> str:
        known = self._characters.get(token)
        if known is None:
            kind = _kind(token)
            # Surrogates are left out: a string that holds one cannot be written down.
            number = len(self._characters) + 0x100
            known = self._characters.setdefault(
                kind, chr(number if number < 0xD800 else number + 0x800)
            )
            self._characters[token] = known
        return known


def _kind(token: str) -> str:
    """What a token counts as: one's own names are all the same, and so are strings."""
    if token[-1] in "\"'" or re.match(r"[rbfuRBFU]{0,2}[\"']", token):
        return _STRING
    if token[0] == "." and len(token) > 1:
        return "." + token[1:].strip()
    if (token[0].isalpha() or token[0] == "_") and token not in _KEPT:
        return _NAME
    return token


def own_tokens(source: str, released: Set[str], alphabet: Alphabet) -> str:
    """What a student wrote in a cell beyond what was released, one character a token.

    Args:
        source: the cell.
        released: the lines of its stub, as `Alphabet.lines` gives them.
        alphabet: the one that read them.
    """
    return "".join(line for line in alphabet.lines(source) if line not in released)


def names(source: str) -> set[str]:
    """The names in a program that its author chose."""
    found = (token for token in _TOKEN.findall(source) if token[0].isalpha() or token[0] == "_")
    return {token for token in found if _kind(token) == _NAME}


def comments(source: str) -> set[str]:
    """The comments of a program that say something."""
    found = (token.lstrip("#").strip() for token in _TOKEN.findall(source) if token[0] == "#")
    return {comment for comment in found if len(comment) >= 10}


def passages(tokens: str, length: int) -> set[str]:
    """Every run of `length` tokens in a program."""
    return {tokens[i : i + length] for i in range(len(tokens) - length + 1)}


def passages_of(texts: Iterable[str], length: int, alphabet: Alphabet) -> set[str]:
    """Every run of `length` tokens in any of some programs."""
    found: set[str] = set()
    for text in texts:
        found |= passages("".join(alphabet.lines(text)), length)
    return found
