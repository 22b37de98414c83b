"""Reads code of by-hand exercises for ways around the work: a reason for a person to look."""

from __future__ import annotations

import ast
import symtable
from collections import defaultdict
from collections.abc import Iterable, Iterator

from autograded.submissions.code import bound, parsed, statements

_NAMES = {
    "autograd": "torch.autograd",
    "backward": ".backward()",
    "func": "torch.func",
    "functorch": "functorch",
    "grad_fn": "grad_fn",
    "next_functions": "next_functions",
    "jacrev": "jacrev",
    "jacfwd": "jacfwd",
    "vjp": "vjp",
    "jvp": "jvp",
    "enable_grad": "torch.enable_grad",
    "requires_grad_": "requires_grad_",
    "Parameter": "Parameter",
    "forward_ad": "torch.autograd.forward_ad",
    "dual_level": "dual_level",
    "_make_dual": "_make_dual",
    "make_fx": "make_fx",
    "run_backward": "run_backward",
    "_ImperativeEngine": "_ImperativeEngine",
    "_execution_engine": "_execution_engine",
    "imag": ".imag",
}
"""Attributes and imported names, with how they are called in the flag."""

_MODULES = {
    "autograd",
    "functorch",
    "jax",
    "sympy",
    "tensorflow",
    # Other arithmetic, in which differences keep their digits.
    "decimal",
    "fractions",
    "mpmath",
    # Other processes, which nobody counts.
    "concurrent",
    "multiprocessing",
    "socket",
    "subprocess",
}


_DERIVATIVES = ("torch.autograd", "torch.func")


def uses_of_autograd(sources: Iterable[str], function: str) -> list[str]:
    """Return what looks like a derivative from elsewhere in a function and all that it uses.

    Read is what `function` reaches through names of the notebook, imports and values that other
    cells computed included: other exercises may use autograd freely. Reading is not proof, so it
    only raises a flag; running the engine is what fails a check.
    """
    binding: defaultdict[str, list[ast.stmt]] = defaultdict(list)
    for source in sources:
        tree = parsed(source)
        for node, _nested in statements(tree.body if tree else []):
            for name in _made(node):
                binding[name].append(node)
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting = [function, "*"]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in binding[name]:
            waiting += _global_names(node)
            found.update(dict.fromkeys(_uses(node, name)))
    return list(found)


def _made(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds, and those of what it puts something into."""
    yield from (name for name, _kind in bound(node))
    for target in node.targets if isinstance(node, ast.Assign) else ():
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
            if isinstance(target, ast.Name):
                yield target.id


def _global_names(node: ast.stmt) -> list[str]:
    """The names that a statement of a cell takes from outside of the functions in it."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return []
    try:
        table = symtable.symtable(ast.unparse(node), "<cell>", "exec")
    except (SyntaxError, RecursionError, ValueError):
        return [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    return [symbol.get_name() for symbol in table.get_symbols()] + list(_inside(table))


def _inside(table: symtable.SymbolTable) -> Iterator[str]:
    for child in table.get_children():
        yield from (symbol.get_name() for symbol in child.get_symbols() if symbol.is_global())
        yield from _inside(child)


def _uses(node: ast.stmt, name: str) -> Iterator[str]:
    """What a statement that binds `name` mentions; of its imports, only that of `name`."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _imported(node, name)
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import | ast.ImportFrom):
            yield from _imported(inner)
        elif isinstance(inner, ast.Attribute):
            if inner.attr in _NAMES:
                yield _NAMES[inner.attr]
            elif inner.attr == "requires_grad" and isinstance(inner.ctx, ast.Store):
                yield "requires_grad ="
        elif isinstance(inner, ast.keyword) and inner.arg == "requires_grad":
            yield "requires_grad="
        elif _complex(inner):
            yield "complex"


def _complex(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, complex)
    return isinstance(node, ast.Name) and node.id == "complex"


def _imported(node: ast.Import | ast.ImportFrom, name: str | None = None) -> Iterator[str]:
    """What is to be mentioned of an import, or of what it makes known under `name`."""
    for alias in node.names:
        if name is not None and (alias.asname or alias.name).partition(".")[0] != name:
            continue
        if isinstance(node, ast.Import):
            if alias.name.partition(".")[0] in _MODULES or (
                # Without a name of its own, using it shows as an attribute of torch.
                alias.asname and alias.name.startswith(_DERIVATIVES)
            ):
                yield f"import {alias.name}"
        elif (module := node.module or "").partition(".")[0] in _MODULES or module.startswith(
            _DERIVATIVES
        ):
            yield f"from {module} import …"
        elif alias.name in _NAMES:
            yield _NAMES[alias.name]
