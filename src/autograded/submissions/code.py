"""Reads cells of Python without running them: what they define, and whether that is a stub."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

_MAX_CHARACTERS = 200_000
"""Longer cells are not parsed; nobody types that much."""

# Lines that IPython understands and Python does not; blanking them keeps line numbers.
_IPYTHON = re.compile(r"^([ \t]*)(?:%|!|\?|[\w.]+\?{1,2}[ \t]*$).*$", re.MULTILINE)


@dataclass(frozen=True)
class Definition:
    """A statement that binds a function's name, by the lines it takes (1-based, inclusive).

    Attributes:
        name: the name it binds.
        first: its first line, decorators included.
        last: its last line.
        body: a function without its docstring, in a form that ignores layout; else None.
        is_function: whether it surely binds something that can be called.
        call: for `name = something(…)`, the name of what is called.
        arguments: for `name = something(…)`, the names of what is passed.
    """

    name: str
    first: int
    last: int
    body: str | None = None
    is_function: bool = True
    call: str | None = None
    arguments: frozenset[str] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether it is a function that does nothing yet."""
        return self.body in _EMPTY


def parsed(source: str) -> ast.Module | None:
    """The syntax tree of a cell, or None when it is not Python that could run."""
    return _parsed(source) if len(source) <= _MAX_CHARACTERS else None


@lru_cache(maxsize=128)
def _parsed(source: str) -> ast.Module | None:
    tree = _compiled(source)
    if tree is None and _IPYTHON.search(source):
        tree = _compiled(_IPYTHON.sub(r"\1pass", source))
    return tree


def _compiled(source: str) -> ast.Module | None:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = compile(source, "<cell>", "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
            # Parsing alone accepts a `return` outside a function.
            compile(source, "<cell>", "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None
    return tree if isinstance(tree, ast.Module) else None


def definitions(source: str, names: Iterable[str]) -> list[Definition]:
    """The definitions of any of `names` in a cell, in order; also in a cell that does not parse."""
    wanted = set(names)
    if not any(name in source for name in wanted):
        return []
    tree = parsed(source)
    if tree is None:
        return [d for d in _by_text(source) if d.name in wanted]
    return [
        _definition(name, node)
        for node in _statements(tree.body)
        for name in _bound(node)
        if name in wanted
    ]


def _definition(name: str, node: ast.stmt) -> Definition:
    first, last = _first_line(node), node.end_lineno or node.lineno
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return Definition(name, first, last, _body(node))
    value = node.value
    if isinstance(value, ast.Lambda | ast.Name | ast.Attribute):
        return Definition(name, first, last)
    if not isinstance(value, ast.Call):
        return Definition(name, first, last, is_function=False)
    passed = [*value.args, *(keyword.value for keyword in value.keywords)]
    if any(isinstance(argument, ast.Lambda) for argument in passed):
        return Definition(name, first, last)
    return Definition(
        name,
        first,
        last,
        is_function=False,
        call=value.func.id if isinstance(value.func, ast.Name) else None,
        arguments=frozenset(a.id for a in passed if isinstance(a, ast.Name)),
    )


def functions_and_classes(source: str) -> tuple[set[str], set[str]]:
    """The names of the functions and of the classes that a cell defines at its top level."""
    tree = parsed(source)
    body = [] if tree is None else tree.body
    return (
        {n.name for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)},
        {n.name for n in body if isinstance(n, ast.ClassDef)},
    )


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Top-level statements, also those inside `if`, `try`, `with` and loops."""
    for node in body:
        inner = [
            statement
            for name in ("body", "orelse", "finalbody")
            for statement in getattr(node, name, [])
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        ]
        if isinstance(node, ast.Try):
            inner += [statement for handler in node.handlers for statement in handler.body]
        if inner:
            yield from _statements(inner)
        else:
            yield node


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield (alias.asname or alias.name).partition(".")[0]
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for inner in ast.walk(target):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return int(min([node.lineno, *(d.lineno for d in decorators)]))


def _body(node: ast.stmt) -> str | None:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    body = node.body
    first = body[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        body = body[1:]
    try:
        return ast.dump(ast.Module(body, []))
    except RecursionError:
        return None


_EMPTY = {
    _body(ast.parse(f"def f():\n    {body}").body[0])
    for body in (
        "''",
        "pass",
        "...",
        "return",
        "return None",
        "raise NotImplementedError",
        "raise NotImplementedError()",
    )
}

_DEF = re.compile(r"(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(\w+)[ \t]*=(?!=)")


def _by_text(source: str) -> Iterator[Definition]:
    lines = source.split("\n")
    for number, line in enumerate(lines, 1):
        found = _DEF.match(line)
        if found:
            last = number
            while last < len(lines) and lines[last][:1] in ("", " ", "\t", ")", "]", "}"):
                last += 1
            is_function = found[1] is not None
            yield Definition(found[1] or found[2], number, last, is_function=is_function)


def without_lines(source: str, spans: Iterable[tuple[int, int]]) -> str:
    """A cell without some of its lines (1-based, inclusive), and without the space they leave."""
    left_out = {n for first, last in spans for n in range(first, last + 1)}
    kept = [line for n, line in enumerate(source.split("\n"), 1) if n not in left_out]
    return "\n".join(kept).strip("\n")


def additions(source: str, released: str) -> str:
    """What a changed copy of a released cell defines beyond it: new imports, functions, values.

    Statements that bind only names of the released cell are left out, and so is everything that
    merely runs: the released cell stays in force.
    """
    tree, original = parsed(source), parsed(released)
    if tree is None or original is None:
        return ""
    known = {name for node in _statements(original.body) for name in _bound(node)}
    lines = source.split("\n")
    kept = []
    for node in tree.body:
        names = {name for inner in _statements([node]) for name in _bound(inner)}
        if names - known:
            kept.append("\n".join(lines[_first_line(node) - 1 : node.end_lineno]))
    return "\n\n".join(kept)


def is_same(source: str, other: str) -> bool:
    """Whether two cells are the same program, comments and layout apart."""
    one, two = parsed(source), parsed(other)
    if one is None or two is None:
        return False
    try:
        return ast.dump(one) == ast.dump(two)
    except RecursionError:
        return False


def joined(first: str, rest: list[str]) -> str | None:
    """The pieces of a cell that was cut up as the one they were; None when they are none.

    Pieces belong together when the next cannot run by itself and all together can.
    """
    if parsed(rest[0]) is not None:
        return None
    # An editor that splits at the cursor may leave the indentation in the piece before.
    for glues in product(("\n", ""), repeat=len(rest)):
        whole = first + "".join(map("".join, zip(glues, rest, strict=True)))
        if parsed(whole) is not None:
            return whole
    return None


def has_conflict(source: str) -> bool:
    """Whether a text holds git's conflict markers."""
    return "<<<<<<<" in source and sides(source)[0] != source


def sides(source: str) -> tuple[str, str]:
    """A text with every conflict resolved to one side, and with every one to the other.

    A conflict that does not end is left as it is.
    """
    both: list[str] = []
    ours: list[str] = []
    theirs: list[str] = []
    marks: list[str] = []  # the conflict being read, as it stands, in case it does not end
    side: list[str] | None = None
    kept: tuple[list[str], list[str]] = ([], [])
    for line in source.splitlines(keepends=True):
        mark = line[:7] if line.rstrip("\r\n")[7:8] in ("", " ") else ""
        if side is None:
            if mark == "<<<<<<<":
                marks, kept = [line], ([], [])
                side = kept[0]
            else:
                ours.append(line)
                theirs.append(line)
            continue
        marks.append(line)
        if mark == "=======":
            side = kept[1]
        elif mark == "|||||||":
            side = both  # the common ancestor, which nobody wants
        elif mark == ">>>>>>>":
            ours += kept[0]
            theirs += kept[1]
            side = None
        else:
            side.append(line)
    if side is not None:
        ours += marks
        theirs += marks
    return "".join(ours), "".join(theirs)


def pieces(source: str, names: Iterable[str]) -> list[str]:
    """A program cut so that each definition of one of `names` stands alone, in order.

    In a file without cells one mistake would otherwise cost everything after it.
    """
    found = definitions(source, names)
    lines = source.split("\n")
    cuts = sorted({0, len(lines), *(d.first - 1 for d in found), *(d.last for d in found)})
    texts = ["\n".join(lines[a:b]).strip("\n") for a, b in pairwise(cuts)]
    return [text for text in texts if text.strip()]
