"""Simulated students: submissions made from the course's own solutions and misconceptions.

Used by `autograded demo` and by the benchmarks. Every simulated student hands in a real notebook,
made from the release, with code cut out of solutions/, alternatives.py or misconceptions.py.
"""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, Literal

from autograded.authoring.source import Source
from autograded.authoring.stubs import solved
from autograded.course import Course
from autograded.grading.diagnosis import load_library
from autograded.grading.families import Implementation

Kind = Literal["perfect", "unusual", "mistaken", "unfinished", "broken", "absent"]

# How a class of thirty is made up; other sizes are drawn in the same proportion.
CLASS: tuple[tuple[Kind, int], ...] = (
    ("perfect", 7),
    ("unusual", 6),
    ("mistaken", 9),
    ("unfinished", 4),
    ("broken", 2),
    ("absent", 2),
)

_GIVEN_NAMES: list[str] = """
    Ada Budi Citra Dewi Eko Fitri Gita Hadi Indah Joko Kartika Lukman Maya Nadia Oki Putri Rizal
    Sari Tono Umi Vera Wahyu Yusuf Zahra Alan Emmy Grace Katherine Noor Sofia
""".split()
_FAMILY_NAMES: list[str] = """
    Lovelace Santoso Wijaya Lestari Pratama Rahayu Kusuma Nugroho Permata Susilo Hartono Halim
    Saraswati Putra O'Brien Utami Hidayat Siregar Simatupang Noether
""".split()


@dataclass(frozen=True)
class Student:
    """One simulated student."""

    id: str
    first_name: str
    last_name: str
    kind: Kind

    @property
    def email(self) -> str:
        """An address in a domain reserved for examples."""
        return f"{self.id}@example.org"


@dataclass(frozen=True)
class HandIn:
    """A simulated notebook and what is in it.

    Attributes:
        text: the file's content, or None when nothing is handed in.
        mistakes: for each exercise done wrongly, the misconceptions in it.
        untouched: the exercises left as released.
        full_marks: whether every checked exercise is right.
    """

    text: str | None
    mistakes: dict[str, tuple[str, ...]]
    untouched: tuple[str, ...]
    full_marks: bool


def students(count: int, seed: int = 0) -> list[Student]:
    """Draw a class; the same seed gives the same class."""
    draw = random.Random(seed)
    # One of each kind first, so that a small class shows them all.
    kinds: list[Kind] = [kind for kind, _ in CLASS]
    rest = [kind for kind, share in CLASS for _ in range(share - 1)]
    while len(kinds) < count:
        draw.shuffle(rest)
        kinds += rest
    made = []
    for number in range(count):
        first = _GIVEN_NAMES[number % len(_GIVEN_NAMES)]
        last = draw.choice(_FAMILY_NAMES)
        plain = "".join(c for c in f"{first}.{last}".lower() if c.isalnum() or c == ".")
        student_id = plain if number < len(_GIVEN_NAMES) else f"{plain}.{number}"
        made.append(Student(student_id, first, last, kinds[number]))
    return sorted(made, key=lambda student: student.id)


class Simulator:
    """Makes hand-ins of one assignment from its release."""

    def __init__(self, course: Course, assignment: str, release: Path) -> None:
        self._course = course
        self._assignment = course.assignment(assignment)
        self._release = release.read_text(encoding="utf-8")
        self._library = load_library(course, assignment)
        graders = course.graders(assignment)
        self._mistakes = _Cuttings(graders / "misconceptions.py")
        self._alternatives = _Cuttings(graders / "alternatives.py")
        self._solutions = {
            cell.key: solved(cell.text)
            for cell in Source.load(course, assignment).cells
            if cell.kind == "exercise"
        }

    def hand_in(self, kind: Kind, seed: str) -> HandIn:
        """Make one hand-in of a kind; the same seed gives the same one."""
        draw = random.Random(f"{seed}/{self._assignment.id}")
        names = [e.name for e in self._assignment.checked]
        code = dict(self._solutions)
        mistakes: dict[str, tuple[str, ...]] = {}
        untouched: tuple[str, ...] = ()
        if kind == "absent":
            return HandIn(None, {}, tuple(names), full_marks=False)
        if kind == "unusual":
            for name in names:
                styles = self._unusual(name)
                if styles:
                    code[name] = draw.choice(styles)
        elif kind == "mistaken":
            for name in draw.sample(names, k=min(len(names), draw.choice((1, 1, 2)))):
                wrong, source = draw.choice(self._wrong(name))
                code[name], mistakes[name] = source, wrong
        elif kind == "unfinished":
            untouched = tuple(names[draw.randrange(1, len(names)) :])
            for name in untouched:
                del code[name]
        elif kind == "broken":
            name = draw.choice(names)
            code[name] = code[name].replace("):", ")", 1)  # a colon lost: a syntax error
            mistakes[name] = ("syntax error",)
        full = not mistakes and not untouched
        return HandIn(self._filled(code), mistakes, untouched, full_marks=full)

    def _unusual(self, name: str) -> list[str]:
        functions = self._library.alternatives.get(f"{self._assignment.id}.{name}", {})
        cut = (self._alternatives.source(f, name) for f in functions.values())
        return [source for source in cut if source is not None]

    def _wrong(self, name: str) -> list[tuple[tuple[str, ...], str]]:
        found: list[tuple[tuple[str, ...], str]] = []
        for family in self._library.for_exercise(f"{self._assignment.id}.{name}"):
            for wrong in family.explanations:
                source = self._mistakes.source(family.function, name, wrong)
                if source is not None:
                    found.append(((wrong,), source))
        return found

    def _filled(self, code: dict[str, str]) -> str:
        notebook = json.loads(self._release)
        for cell in notebook["cells"]:
            known = cell.get("metadata", {}).get("nbgrader", {})
            if not known.get("solution"):
                continue
            if known["grade_id"] in code:
                cell["source"] = code[known["grade_id"]]
            elif known.get("grade"):
                cell["source"] = (
                    "`backward()` adds, so that several losses and micro-batches can share one "
                    "gradient; it is unwanted when an old step's gradient is still there."
                )
        return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


class _Cuttings:
    """A Python file from which single functions are cut out with what they need."""

    def __init__(self, path: Path) -> None:
        self._text = path.read_text(encoding="utf-8") if path.is_file() else ""
        self._tree = ast.parse(self._text)
        self._by_name: dict[str, ast.stmt] = {}
        self._by_line: dict[int, ast.FunctionDef] = {}
        for node in self._tree.body:
            for name in _bound(node):
                self._by_name[name] = node
            if isinstance(node, ast.FunctionDef):
                first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
                self._by_line[first] = node

    def source(self, function: Implementation, name: str, wrong: str | None = None) -> str | None:
        """Cut `function` out under the name `name`, with the mistake `wrong` switched on.

        None when it is not a plain function of the file.
        """
        if not isinstance(function, FunctionType):
            return None
        node = self._by_line.get(function.__code__.co_firstlineno)
        if node is None:
            return None
        pieces = [self._segment(n) for n in self._needed(node)]
        own = self._segment(node)
        if wrong is None:
            pieces.append(own)
            if node.name != name:
                pieces.append(f"{name} = {node.name}")
        else:
            pieces.append(own.replace(f"def {node.name}(", f"def _{node.name}(", 1))
            pieces.append(
                f"def {name}(*args):\n    return _{node.name}(frozenset({{{wrong!r}}}), *args)"
            )
        return "\n\n\n".join(pieces)

    def _needed(self, node: ast.stmt) -> list[ast.stmt]:
        """The statements of the file that `node` uses, in the file's order."""
        wanted: set[ast.stmt] = set()
        waiting: list[ast.stmt] = [node]
        while waiting:
            for inner in _names(waiting.pop()):
                used = self._by_name.get(inner)
                if used is not None and used is not node and used not in wanted:
                    wanted.add(used)
                    waiting.append(used)
        return [n for n in self._tree.body if n in wanted and not _ours(n)]

    def _segment(self, node: ast.stmt) -> str:
        lines = self._text.splitlines()
        return "\n".join(lines[node.lineno - 1 : node.end_lineno])


def _bound(node: ast.stmt) -> Iterable[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield (alias.asname or alias.name).partition(".")[0]
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id


def _names(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.FunctionDef):
        # Decorators are ours, and are left out with the lines above `def`.
        children: list[Any] = [node.args, *node.body]
    else:
        children = [node]
    for child in children:
        for inner in ast.walk(child):
            if isinstance(inner, ast.Name):
                yield inner.id


def _ours(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograded")
