"""Tells text for people from code, in cells where either may stand."""

from __future__ import annotations

import ast
import re

from autograded.submissions import code

_WORD = re.compile(r"[^\W\d_]{2,}")

# Words in a row, as code has them only in comments and strings; scripts without spaces count too.
_SENTENCE = re.compile(r"(?:[^\W\d_]+[,;:]? ){5}[^\W\d_]|[^\W\d_\x00-\x7f]{8}")

_COMMENT = re.compile(r"^#+ ?", re.MULTILINE)

# Colab writes what only IPython understands as comments.
_COMMAND = re.compile(r"^#+ ?(?:[!%]+\w|Commented out IPython magic)", re.MULTILINE)

_FEW = 8
"""Words below which the comments of a program are about its code."""


def amount(text: str) -> int:
    """About how many words a text has, in any script."""
    words = _WORD.findall(text)
    return len(words) + sum(len(word) // 3 for word in words if not word.isascii())


def is_code(text: str) -> bool:
    """Whether a text is Python that does more than to name things."""
    tree = code.parsed(text)
    return tree is not None and not all(map(_names_only, tree.body))


def _names_only(node: ast.stmt) -> bool:
    # A picture, `![…](…)`, reads as a command of the shell, which becomes `pass`.
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Name | ast.Constant | ast.BinOp)
    )


def is_text(node: ast.stmt) -> bool:
    """Whether a statement only holds or prints a text: `"…"`, `print("…")`, `answer = "…"`."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        passed = value.args if value.func.id == "print" and not value.keywords else []
        value = passed[0] if len(passed) == 1 else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def without_marks(comments: str) -> str:
    """Lines of comments as the text they hold."""
    return _COMMENT.sub("", comments)


def is_comments(source: str) -> bool:
    """Whether a piece of code holds comments and nothing else, and these are text, not code."""
    lines = [line for line in source.split("\n") if line.strip()]
    return (
        bool(lines)
        and all(line.startswith("#") for line in lines)
        and not is_code(without_marks(source))
        and not _COMMAND.search(source)
    )


def written(source: str) -> str:
    """What a cell of code holds for people to read: text instead of code, comments, strings."""
    tree = code.parsed(source)
    if tree is None:
        return source if _SENTENCE.search(source) and not _defines(source) else ""
    comments = "\n".join(line for line in source.split("\n") if line.startswith("#"))
    text = "" if is_code(without_marks(comments)) else without_marks(comments)
    if tree.body and not all(map(is_text, tree.body)):
        return text if amount(text) >= _FEW else ""
    strings = [
        node.value
        for statement in tree.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return "\n\n".join(part.strip() for part in (text, *strings) if part.strip())


def _defines(source: str) -> bool:
    return (
        re.search(r"^\s*(?:def|class|import|from)\b.*(?::$|import)", source, re.MULTILINE)
        is not None
    )
