"""Finds exercises that a later cell breaks, by binding anew a name that they need.

Functions are called when all cells have run. In the notebook, an exercise's own check came right
after it: `relu` for numbers, written for one exercise, may have become `relu` for tensors since.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator, Sequence

from autograded.submissions import code

_EVERYTHING = "*"


def rebound(sources: Sequence[str], functions: Iterable[str]) -> dict[str, int]:
    """For each function that a later cell may have broken, the index of its own cell.

    Args:
        sources: the cells' code, in order.
        functions: names of the functions to look at.
    """
    try:
        return dict(_rebound(sources, functions))
    except RecursionError:  # nested as nobody writes it
        return {}


def _rebound(sources: Sequence[str], functions: Iterable[str]) -> Iterator[tuple[str, int]]:
    trees = [code.parsed(source) for source in sources]
    bound = [set(_bound(tree)) if tree else set() for tree in trees]
    for function in functions:
        own = max((i for i, cell in enumerate(bound) if function in dict(cell)), default=None)
        if own is None:
            continue
        before = {pair for cell in bound[: own + 1] for pair in cell}
        known = {name for name, _origin in before} | set(dir(builtins))
        needed = _needed(function, [tree for tree in trees[: own + 1] if tree]) & known
        # To import the same again changes nothing.
        again = {(name, origin) for name, origin in before if origin}
        after = {name for cell in bound[own + 1 :] for name, _origin in cell - again}
        if needed and (needed & after or _EVERYTHING in after):
            yield function, own


def _bound(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a cell binds or deletes, each with what it is imported from, if it is."""
    for node, _nested in code.statements(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None)
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield name, f"{module}:{alias.name if alias.asname or module else name}"
        else:
            for name, _kind in code.bound(node):
                yield name, ""


def _needed(function: str, trees: Sequence[ast.Module]) -> set[str]:
    """The global names that a function reads, and those that what it calls reads."""
    definitions: dict[str, ast.stmt] = {
        node.name: node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    needed: set[str] = set()
    waiting = [function]
    while waiting:
        name = waiting.pop()
        if name in definitions:
            new = set(_globals(definitions.pop(name))) - needed
            needed |= new
            waiting.extend(new)
    return needed - {function}


def _globals(node: ast.stmt) -> Iterator[str]:
    tables = [symtable.symtable(ast.unparse(node), "", "exec")]
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        if table.get_type() != "module":
            yield from (s.get_name() for s in table.get_symbols() if s.is_global())
