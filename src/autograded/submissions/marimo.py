"""A marimo notebook, a Python file whose cells are functions, as the code of its cells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograded.submissions import code

_DEFINITIONS = ("function", "class_definition")


def cells(text: str) -> list[str] | None:
    """The code of a marimo notebook's cells, in order; None when a file is none."""
    tree = code.parsed(text) if "marimo.App(" in text else None
    return None if tree is None else [cell for cell in _cells(tree, text.split("\n")) if cell]


def _cells(tree: ast.Module, lines: list[str]) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            mark = next(filter(None, map(_of_app, node.decorator_list)), None)
            if mark == "cell":
                yield _inside(node.body, lines)
            elif mark in _DEFINITIONS:
                yield "\n".join(lines[node.lineno - 1 : node.end_lineno])
        elif isinstance(node, ast.With) and _of_app(node.items[0].context_expr) == "setup":
            yield _inside(node.body, lines)
        elif isinstance(node, ast.Expr) and _of_app(node.value) == "_unparsable_cell":
            source = node.value.args[0] if isinstance(node.value, ast.Call) else None
            if isinstance(source, ast.Constant) and isinstance(source.value, str):
                yield source.value.strip("\n")


def _of_app(node: ast.expr) -> str | None:
    """The name of what belongs to the app, called or not."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.attr if node.value.id == "app" else None
    return None


def _inside(body: list[ast.stmt], lines: list[str]) -> str:
    """The statements of a cell, without what it hands to others."""
    statements = body[:-1] if isinstance(body[-1], ast.Return) else body
    if not statements:
        return ""
    first = code.first_line(statements[0])
    indent = lines[first - 1][: statements[0].col_offset]
    inside = lines[first - 1 : statements[-1].end_lineno]
    return "\n".join(line.removeprefix(indent) for line in inside)
