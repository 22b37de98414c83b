"""Reads code of by-hand exercises for uses of autograd: a reason for a person to look."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_ATTRIBUTES = {
    "autograd": "torch.autograd",
    "backward": ".backward()",
    "func": "torch.func",
    "functorch": "functorch",
    "jacrev": "jacrev",
    "jacfwd": "jacfwd",
    "vjp": "vjp",
    "jvp": "jvp",
    "enable_grad": "torch.enable_grad",
    "requires_grad_": "requires_grad_",
    "forward_ad": "torch.autograd.forward_ad",
    "run_backward": "run_backward",
    "_ImperativeEngine": "_ImperativeEngine",
    "_execution_engine": "_execution_engine",
}
_MODULES = {"jax", "functorch", "tensorflow", "autograd", "sympy"}


def uses_of_autograd(sources: Iterable[str], function: str) -> list[str]:
    """Return what looks like automatic differentiation in a function and what it calls by name.

    Only code reachable from `function` through names defined in `sources` is read: other
    exercises of the notebook may use autograd freely. Reading is not proof, so it only raises a
    flag; running the engine is what fails a check.
    """
    definitions: dict[str, ast.stmt] = {}
    for source in sources:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                definitions[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        definitions[target.id] = node
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting = [function]
    while waiting:
        name = waiting.pop()
        if name in seen or name not in definitions:
            continue
        seen.add(name)
        for inner in ast.walk(definitions[name]):
            if isinstance(inner, ast.Name):
                waiting.append(inner.id)
            for use in _uses(inner):
                found[use] = None
    return list(found)


def _uses(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
        yield _ATTRIBUTES[node.attr]
    elif isinstance(node, ast.keyword) and node.arg == "requires_grad":
        yield "requires_grad="
    elif isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] in _MODULES or alias.name == "torch.autograd":
                yield f"import {alias.name}"
    elif isinstance(node, ast.ImportFrom):
        module = node.module or ""
        if module.partition(".")[0] in _MODULES or module.startswith(
            ("torch.autograd", "torch.func")
        ):
            yield f"from {module} import …"
