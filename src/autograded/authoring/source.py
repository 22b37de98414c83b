"""The one source of an assignment, solutions/<a>/<a>.py, as typed and checked cells."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

import jupytext
import nbformat

from autograded.authoring.stubs import StubError, marks_solution, stub
from autograded.course import LANGUAGES, Assignment, Course, Exercise, Language
from autograded.errors import CourseError, why

Kind = Literal["prose", "code", "figure", "task", "hint", "exercise", "check", "answer"]

HINTS = 3
"""Hints an exercise has at least: the idea, the way, nearly the code."""

_MARKDOWN_KEYS: tuple[Kind, ...] = ("task", "hint", "answer")
_CODE_KEYS: tuple[Kind, ...] = ("figure", "exercise", "check")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_MARKER = re.compile(r"#\s*%%(?!%)")


@dataclass(frozen=True)
class Cell:
    """One cell of the source.

    `key` is the exercise or figure its marker names ("" for prose and shared code), `language` is
    None for code, `line` is the line of its marker in the file (1-based).
    """

    kind: Kind
    key: str
    language: Language | None
    text: str
    line: int

    @property
    def is_code(self) -> bool:
        """Whether the cell is code (else Markdown)."""
        return self.language is None


@dataclass(frozen=True)
class Source:
    """The checked cells of one assignment, in order, and the assignment they stand for."""

    course: Course
    assignment: Assignment
    path: Path
    cells: tuple[Cell, ...]

    @classmethod
    def load(cls, course: Course, assignment: str) -> Source:
        """Read and check solutions/<assignment>/<assignment>.py.

        Raises:
            CourseError: one sentence with file, line and what to do.
        """
        known = course.assignment(assignment)
        path = course.solutions(assignment)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            line = course.line("assignments", assignment)
            raise CourseError(
                f"{course.file}:{line}: assignment {assignment} has no source: write {path}."
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            reason = why(error)
            raise CourseError(f"{path}: cannot be read: {reason}.") from error
        source = cls(course, known, path, tuple(_cells(path, text)))
        _Checks(source).run()
        return source

    def in_language(self, language: Language) -> list[Cell]:
        """The code cells, and the Markdown cells of one language, in order."""
        return [cell for cell in self.cells if cell.language in (None, language)]

    def hints(self, exercise: str, language: Language) -> list[str]:
        """The hints of an exercise in one language, from idea to nearly the code."""
        return [
            cell.text
            for cell in self.cells
            if (cell.kind, cell.key, cell.language) == ("hint", exercise, language)
        ]


def _fault(path: Path, line: int, sentence: str) -> NoReturn:
    raise CourseError(f"{path}:{line}: {sentence}")


def _cells(path: Path, text: str) -> Iterator[Cell]:
    """Yield the cells of a py:percent text; jupytext reads it, this adds the lines."""
    try:
        notebook = jupytext.reads(text, fmt="py:percent")
    except nbformat.ValidationError as error:
        reason = str(error).partition("\n")[0]
        _fault(path, 1, f"the YAML header is not a notebook's: {reason}; correct or remove it.")
    # A YAML header, jupytext's own or any other, comes back as metadata or as one raw cell.
    cells = [cell for cell in notebook.cells if cell.cell_type != "raw" or cell.metadata]
    lines = [n for n, line in enumerate(text.splitlines(), 1) if _MARKER.match(line)]
    if len(cells) > len(lines):
        _fault(path, 1, "text stands before the first cell: begin the file with `# %% [markdown]`.")
    if len(cells) < len(lines):
        _fault(
            path,
            lines[0] if lines else 1,
            "a line inside a cell begins with `# %%`, which editors take for a cell: indent it.",
        )
    for cell, line in zip(cells, lines, strict=True):
        yield _cell(path, cell, line)


def _cell(path: Path, cell: Any, line: int) -> Cell:
    metadata = {key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"}
    is_code = cell.cell_type == "code"
    if "title" in metadata:
        _fault(
            path,
            line,
            f"unknown cell type or title {metadata['title']!r}: write `# %%` for code, "
            "`# %% [markdown]` for text.",
        )
    if cell.cell_type not in ("code", "markdown"):
        _fault(path, line, f"a cell is code or [markdown], not [{cell.cell_type}]: change it.")
    keys = _CODE_KEYS if is_code else _MARKDOWN_KEYS
    allowed = (*keys, *(() if is_code else ("lang",)))
    for key in metadata:
        if key not in allowed:
            what = "a code cell" if is_code else "a [markdown] cell"
            _fault(
                path,
                line,
                f"unknown key {key!r}: {what} may have {', '.join(allowed)}; remove or correct it.",
            )
    found = [key for key in keys if key in metadata]
    if len(found) > 1:
        _fault(path, line, f"a cell is one thing, not {' and '.join(found)}: split it.")
    kind: Kind = found[0] if found else ("code" if is_code else "prose")
    key = metadata[found[0]] if found else ""
    if found and not (isinstance(key, str) and _NAME.fullmatch(key)):
        _fault(
            path,
            line,
            f"{kind}={key!r} is not a name: use lower-case letters, digits, _ and -, in quotes.",
        )
    language = metadata.get("lang")
    if not is_code and language not in LANGUAGES:
        choice = " or ".join(f'lang="{name}"' for name in LANGUAGES)
        _fault(path, line, f"a [markdown] cell needs its language: add {choice}.")
    return Cell(kind, key, language, cell.source, line)


class _Checks:
    """What must hold between the cells of a source, and between them and course.yml."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.cells = source.cells
        self.exercises = source.assignment.exercises

    def run(self) -> None:
        if not self.cells or self.cells[0].kind != "prose":
            self.fault(1, "the first cell must be the title: begin with a [markdown] cell `# …`.")
        self.twins()
        self.known_exercises()
        self.unique()
        for exercise in self.exercises.values():
            self.exercise(exercise)
        self.order()
        self.code()

    def fault(self, line: int, sentence: str) -> NoReturn:
        _fault(self.source.path, line, sentence)

    def twins(self) -> None:
        """Every Markdown cell stands in all languages, in their order, side by side."""
        first, second = LANGUAGES
        waiting: Cell | None = None
        for cell in (*self.cells, None):
            if waiting is not None:
                if cell is None or (cell.kind, cell.key, cell.language) != (
                    waiting.kind,
                    waiting.key,
                    second,
                ):
                    name = f'{waiting.kind}="{waiting.key}" ' if waiting.key else ""
                    self.fault(
                        waiting.line,
                        f'the lang="{first}" cell has no twin: write '
                        f'`# %% [markdown] {name}lang="{second}"` right after it.',
                    )
                waiting = None
            elif cell is not None and cell.language == first:
                waiting = cell
            elif cell is not None and cell.language == second:
                self.fault(
                    cell.line,
                    f'the lang="{second}" cell has no twin: write the lang="{first}" cell '
                    "right before it.",
                )

    def known_exercises(self) -> None:
        for cell in self.cells:
            if cell.kind in ("prose", "code", "figure") or cell.key in self.exercises:
                continue
            self.fault(
                cell.line,
                f"course.yml has no exercise {self.source.assignment.id}.{cell.key}: "
                "add it there, or correct the name.",
            )

    def unique(self) -> None:
        seen: dict[tuple[str, str, str | None], int] = {}
        for cell in self.cells:
            if cell.kind in ("prose", "code", "hint"):
                continue
            key = (cell.kind, cell.key, cell.language)
            if key in seen:
                self.fault(
                    cell.line,
                    f'{cell.kind}="{cell.key}" stands twice (first in line {seen[key]}): '
                    "remove or rename one.",
                )
            seen[key] = cell.line

    def exercise(self, exercise: Exercise) -> None:
        """The cells one exercise needs, and their order: task, hints, work, check."""
        written = exercise.graded_by == "person"
        work = "answer" if written else "exercise"
        cells = [cell for cell in self.cells if cell.key == exercise.name]
        cells = [cell for cell in cells if cell.language in (None, LANGUAGES[0])]
        by_kind = {cell.kind: cell for cell in cells if cell.kind != "figure"}
        if work not in by_kind:
            marker = (
                f'`# %% [markdown] answer="{exercise.name}" lang="{LANGUAGES[0]}"`'
                if written
                else f'`# %% exercise="{exercise.name}"`'
            )
            course, assignment = self.source.course, self.source.assignment
            line = course.line("assignments", assignment.id, "exercises", exercise.name)
            raise CourseError(
                f"{course.file}:{line}: exercise {exercise.id} has no cell in "
                f"{self.source.path}: add {marker} there, or remove it here."
            )
        cell = by_kind[work]
        for other in ("exercise", "check") if written else ("answer",):
            if other in by_kind:
                self.fault(
                    by_kind[other].line,
                    f'{other}="{exercise.name}": course.yml says that {exercise.id} is graded by '
                    f"{exercise.graded_by}: change one of them.",
                )
        if "task" not in by_kind:
            self.fault(
                cell.line,
                f"{exercise.id} has no task: write `# %% [markdown] "
                f'task="{exercise.name}" lang="…"` before it.',
            )
        if by_kind["task"].line > cell.line:
            self.fault(by_kind["task"].line, f"the task of {exercise.id} must stand before it.")
        if written:
            return
        if "check" not in by_kind:
            self.fault(
                cell.line,
                f'{exercise.id} has no check cell: write `# %% check="{exercise.name}"` and '
                f'`check("{exercise.id}")` after it.',
            )
        if by_kind["check"].line < cell.line:
            self.fault(by_kind["check"].line, f"the check of {exercise.id} must stand after it.")
        hints = len(self.source.hints(exercise.name, LANGUAGES[0]))
        if hints < HINTS:
            self.fault(
                cell.line,
                f"{exercise.id} has {hints} hints: give it at least {HINTS}, from the idea to "
                "nearly the code.",
            )

    def order(self) -> None:
        """The source and course.yml name the exercises in the same order."""
        expected = list(self.exercises)
        work = [cell for cell in self.cells if cell.kind in ("exercise", "answer")]
        found = [cell for cell in work if cell.language in (None, LANGUAGES[0])]
        for cell, name in zip(found, expected, strict=True):
            if cell.key != name:
                self.fault(
                    cell.line,
                    f"{cell.key} stands where course.yml has {name}: put them in the same order.",
                )

    def code(self) -> None:
        for cell in self.cells:
            if cell.kind == "exercise":
                self.solution(cell)
            elif cell.kind == "check":
                expected = f'check("{self.source.assignment.id}.{cell.key}")'
                if cell.text.strip() != expected:
                    self.fault(cell.line + 1, f"a check cell must be exactly `{expected}`.")
            elif marks_solution(cell.text):
                self.fault(
                    cell.line,
                    "a solution stands in a cell that students get whole: only exercise cells "
                    "may hold BEGIN SOLUTION.",
                )

    def solution(self, cell: Cell) -> None:
        """The cell defines the exercise's function, and its stub is Python as well."""
        try:
            left = stub(cell.text)
        except StubError as error:
            self.fault(cell.line + error.line, f"{error}.")
        for code, what in ((cell.text, "the exercise"), (left, "the stub")):
            try:
                tree = ast.parse(code)
            except SyntaxError as error:
                self.fault(
                    cell.line + (error.lineno or 1),
                    f"{what} {cell.key} is not valid Python: {error.msg}.",
                )
            names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
            if cell.key not in names:
                self.fault(
                    cell.line,
                    f"{what} must define a function {cell.key}: write `def {cell.key}(…):` in "
                    "this cell, outside the solution markers.",
                )
