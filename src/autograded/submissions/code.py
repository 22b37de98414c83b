"""Reads cells of Python without running them: what they define, and whether that is a stub."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Literal

_MAX_CHARACTERS = 200_000
"""Longer cells are not parsed; nobody types that much."""

# Lines that IPython understands and Python does not; blanking them keeps line numbers.
_IPYTHON = re.compile(r"^([ \t]*)(?:%|!|\?|[\w.]+\?{1,2}[ \t]*$).*$", re.MULTILINE)


Kind = Literal["function", "unsure", "value"]
"""What a name is bound to, as far as reading tells: `unsure` is what only running could show."""


@dataclass(frozen=True)
class Definition:
    """A statement that binds a function's name, or unbinds it.

    Attributes:
        name: the name it binds.
        first: its first line, decorators included (1-based).
        last: its last line (inclusive).
        kind: what the name is bound to.
        nested: whether it stands inside of another statement, and so may not have run.
        body: a function without its docstring, in a form that ignores layout; else None.
        call: for `name = something(…)`, the name of what is called.
        arguments: for `name = something(…)`, the names of what is passed; for `name = other`, that.
    """

    name: str
    first: int
    last: int
    kind: Kind
    nested: bool = False
    body: str | None = None
    call: str | None = None
    arguments: frozenset[str] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether it is a function that does nothing yet."""
        return self.body in _EMPTY


_CLASSIC_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)")
_IPYTHON_PROMPT = re.compile(r"^(?:(?:(?:\[nav\]|\[ins\])? )?In \[\d+\]: |\s*\.{3,}: ?)")


def plain(source: str) -> str:
    """A cell as IPython takes it: without the first line's indentation, and without prompts."""
    lines = source.lstrip("\n").split("\n")
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    lines = [line.removeprefix(indent) for line in lines]
    for prompt in (_CLASSIC_PROMPT, _IPYTHON_PROMPT):
        if any(map(prompt.match, lines[:2])):
            lines = [prompt.sub("", line, count=1) for line in lines]
    return "\n".join(lines)


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
    return [definition for definition in _definitions(source) if definition.name in wanted]


@lru_cache(maxsize=128)
def _definitions(source: str) -> tuple[Definition, ...]:
    tree = parsed(source)
    if tree is None:
        return tuple(_by_text(source))
    found = [
        _definition(name, kind, node, nested)
        for node, nested in statements(tree.body)
        for name, kind in bound(node)
    ]
    if "global " in source:
        # What a function does to the module it does when it is called, most likely at the end.
        found += [
            Definition(name, node.lineno, node.lineno, "value", nested=True)
            for node in ast.walk(tree)
            if isinstance(node, ast.Global)
            for name in node.names
        ]
    return tuple(found)


def _definition(name: str, kind: Kind, node: ast.stmt, nested: bool) -> Definition:
    first, last = first_line(node), node.end_lineno or node.lineno
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    call, passed = None, [value]
    if isinstance(value, ast.Call):
        call = value.func.id if isinstance(value.func, ast.Name) else None
        passed = [*value.args, *(keyword.value for keyword in value.keywords)]
    names = frozenset(one.id for one in passed if isinstance(one, ast.Name))
    return Definition(name, first, last, kind, nested, _body(node), call, names)


def functions_and_classes(source: str) -> tuple[set[str], set[str]]:
    """The names of the functions and of the classes that a cell defines at its top level."""
    tree = parsed(source)
    body = [] if tree is None else tree.body
    return (
        {n.name for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)},
        {n.name for n in body if isinstance(n, ast.ClassDef)},
    )


def statements(body: list[ast.stmt], nested: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """Top-level statements, and those inside `if`, `try`, `with`, `match` and loops, in order."""
    for node in body:
        yield node, nested
        if is_definition(node):
            continue
        for name in ("body", "handlers", "cases", "orelse", "finalbody"):
            for part in getattr(node, name, ()):
                inner = [part] if isinstance(part, ast.stmt) else part.body
                yield from statements(inner, nested=True)


def is_definition(node: ast.AST) -> bool:
    """Whether a statement defines a function or a class."""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


_UNSURE = (
    ast.Attribute
    | ast.Await
    | ast.BoolOp
    | ast.Call
    | ast.IfExp
    | ast.Name
    | ast.NamedExpr
    | ast.Subscript
)


def bound(node: ast.stmt) -> Iterator[tuple[str, Kind]]:
    """The names that a statement itself binds or unbinds, those inside of it left out."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, "function"
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield (alias.asname or alias.name).partition(".")[0], "function"
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        if node.value is not None:
            yield from _assigned(node, node.value)
    else:
        for name in _stored(node):
            yield name, "value"


def _assigned(node: ast.Assign | ast.AnnAssign, value: ast.expr) -> Iterator[tuple[str, Kind]]:
    kind: Kind = "value"
    if isinstance(value, ast.Lambda):
        kind = "function"
    elif isinstance(value, _UNSURE):
        kind = "unsure"
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for name in _stored(target):
            yield name, kind if isinstance(target, ast.Name) else "unsure"
    for name in _stored(value):
        yield name, "value"


def _stored(node: ast.AST) -> Iterator[str]:
    """Names that are bound by the expressions and patterns of a statement's own head."""
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    for name in ("name", "rest"):  # of a handler, of a pattern
        if isinstance(found := getattr(node, name, None), str) and not isinstance(node, ast.alias):
            yield found
    for field, part in ast.iter_fields(node):
        if isinstance(node, ast.comprehension) and field == "target":
            continue  # a comprehension's variable is its own
        for child in part if isinstance(part, list) else [part]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.stmt):
                yield from _stored(child)


def first_line(node: ast.stmt) -> int:
    """The line at which a statement begins, decorators included."""
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
            kind: Kind = "function" if found[1] else "unsure"
            yield Definition(found[1] or found[2], number, last, kind)


def without(source: str, left_out: Iterable[Definition]) -> str:
    """A cell without some definitions, and without the space they leave."""
    lines = source.split("\n")
    for one in sorted(left_out, key=lambda one: one.first, reverse=True):
        first = lines[one.first - 1]
        # The statement around it may hold nothing else.
        instead = [first[: len(first) - len(first.lstrip())] + "pass"] if one.nested else []
        lines[one.first - 1 : one.last] = instead
    return "\n".join(lines).strip("\n")


def unless_callable(source: str, definition: Definition) -> str:
    """Code that defines a function again, should its name stand for nothing that can be called."""
    lines = source.split("\n")
    if not definition.nested:
        inside: set[int] = set()
        for node in ast.walk(parsed(source) or ast.Module([], [])):
            if isinstance(node, ast.Constant | ast.JoinedStr):
                inside |= set(range(node.lineno, node.end_lineno or node.lineno))
        lines = [
            f"    {line}" if line and n not in inside else line for n, line in enumerate(lines)
        ]
    kept = "\n".join(lines[definition.first - 1 : definition.last])
    return f'if not callable(globals().get("{definition.name}")):\n{kept}'


def additions(source: str, released: str) -> str:
    """What a changed copy of a released cell defines beyond it: new imports, functions, values.

    Statements that bind only names of the released cell are left out, and so is everything that
    merely runs: the released cell stays in force.
    """
    tree, original = parsed(source), parsed(released)
    if tree is None or original is None:
        return ""
    known = set().union(*map(_introduced, original.body))
    lines = source.split("\n")
    kept = []
    for node in tree.body:
        if _introduced(node) - known:
            kept.append("\n".join(lines[first_line(node) - 1 : node.end_lineno]))
    return "\n\n".join(kept)


def _introduced(node: ast.stmt) -> set[str]:
    """The names a statement leaves behind; a loop's variable is none of them."""
    return {
        name
        for inner, _nested in statements([node])
        if is_definition(inner) or not hasattr(inner, "body")
        for name, _kind in bound(inner)
    }


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
    for glues in product(
        *(("\n", "") if _goes_on(piece) else ("\n",) for piece in (first, *rest[:-1]))
    ):
        whole = first + "".join(map("".join, zip(glues, rest, strict=True)))
        if parsed(whole) is not None:
            return whole
    return None


def _goes_on(piece: str) -> bool:
    """Whether what follows a cut may belong to the piece's last line.

    An editor that splits at the cursor may leave the indentation in the piece before, or half a
    line; after a whole line, and in a comment, nothing goes on.
    """
    last = piece.rpartition("\n")[2]
    return not last.strip() or ("#" not in last and parsed(piece) is None)


def pieces(source: str, names: Iterable[str]) -> list[str]:
    """A program cut so that what fails costs no definition: these stand alone, in order.

    In a file without cells one mistake would otherwise cost everything after it. What binds one of
    `names` stands alone, too, and so does every import; the rest is cut at blank lines.
    """
    tree, wanted = parsed(source), set(names)
    if tree is not None:
        return _cut(source, _grouped(source, tree, wanted))
    lines = source.split("\n")
    cuts = set()
    for found in _by_text(source):
        if found.kind == "function" or found.name in wanted:
            first = found.first
            while first > 1 and lines[first - 2].startswith(("@", "#")):
                first -= 1
            cuts |= {first - 1, found.last}
    texts = _cut(source, cuts)
    return texts if len(texts) == 1 else [one for text in texts for one in pieces(text, wanted)]


def _grouped(source: str, tree: ast.Module, wanted: set[str]) -> set[int]:
    """The lines before which to cut a program."""
    lines = source.split("\n")
    cuts: set[int] = set()
    end, was_alone = 0, True
    for node in tree.body:
        first = first_line(node)
        alone = is_definition(node) or isinstance(node, ast.Import | ast.ImportFrom)
        alone = alone or any(
            name in wanted and kind != "value"
            for inner, _nested in statements([node])
            for name, kind in bound(inner)
        )
        between = lines[end : first - 1]
        if first > end and (alone or was_alone or not all(line.strip() for line in between)):
            cuts.add(end)
            while first - 2 >= end and lines[first - 2].startswith("#"):
                first -= 1  # a comment right above belongs to it
            cuts.add(first - 1)
        end, was_alone = node.end_lineno or node.lineno, alone
    return {*cuts, end}


def _cut(source: str, cuts: set[int]) -> list[str]:
    """A text cut before the given lines, counted from 0; blank parts are left out."""
    lines = source.split("\n")
    texts = ["\n".join(lines[a:b]) for a, b in pairwise(sorted({0, len(lines), *cuts}))]
    return [text.strip("\n") for text in texts if text.strip()]
