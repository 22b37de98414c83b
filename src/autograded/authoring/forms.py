"""The public forms of an assignment besides its notebook: the .py stub and its data."""

from __future__ import annotations

import ast
from typing import Any

import jupytext
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograded.authoring import stamps, wording
from autograded.authoring.source import Cell, Source
from autograded.authoring.stubs import stub
from autograded.course import LANGUAGES, Language, Text
from autograded.public import PublicAssignment, PublicExercise


def with_task_line(source: Source, cell: Cell, language: Language) -> str:
    """A task's text with the line of course.yml under its heading."""
    line = wording.task_line(source.course, source.assignment.exercises[cell.key], language)
    first, _, rest = cell.text.partition("\n")
    if first.startswith("#"):
        return f"{first}\n\n{line}\n\n{rest.lstrip()}"
    return f"{line}\n\n{cell.text}"


def stub_text(source: Source, language: Language) -> str:
    """exercises/<a>/<a>.py: a notebook in py:percent that is also an importable module.

    Code that needs a notebook (figures, `check(...)`) is commented out by jupytext's
    `active="ipynb"`, and comes alive when the file is opened as one.
    """
    cells: list[Any] = []
    for cell in source.in_language(language):
        if cell.kind == "hint":
            continue
        if cell.kind == "exercise":
            made = new_code_cell(stub(cell.text), metadata={"exercise": cell.key})
        elif cell.kind == "check":
            made = new_code_cell(cell.text, metadata={"check": cell.key, "active": "ipynb"})
        elif cell.kind == "figure":
            made = new_code_cell(cell.text, metadata={"tags": ["figure"], "active": "ipynb"})
        elif cell.kind == "code":
            made = new_code_cell(cell.text)
        elif cell.kind == "task":
            made = new_markdown_cell(with_task_line(source, cell, language))
        elif cell.kind == "answer":
            made = new_markdown_cell(cell.text, metadata={"answer": cell.key})
        else:
            made = new_markdown_cell(cell.text)
        cells.append(made)
    cells.insert(1, new_markdown_cell(wording.stub_header(source.assignment, language)))
    for cell, following in zip(cells, [*cells[1:], None], strict=True):
        apart = _defines(cell, -1) or (following is not None and _defines(following, 0))
        cell.metadata["lines_to_next_cell"] = 2 if apart else 1
    # Without a YAML header the file starts with its title, and jupytext adds none on saving.
    metadata = {"jupytext": {"notebook_metadata_filter": "-all", "cell_metadata_filter": "all"}}
    text: str = jupytext.writes(new_notebook(cells=cells, metadata=metadata), fmt="py:percent")
    return stamps.stamped(text)


def _defines(cell: Any, place: int) -> bool:
    """Whether the first (0) or last (-1) statement of a live code cell is a def or a class."""
    if cell.cell_type != "code" or "active" in cell.metadata:
        return False
    body = ast.parse(cell.source).body
    return bool(body) and isinstance(body[place], ast.FunctionDef | ast.ClassDef)


def public_data(source: Source, language: Language) -> PublicAssignment:
    """assignment.json: what check(), hints and summaries know, in every language."""
    course, assignment = source.course, source.assignment
    exercises = []
    for exercise in assignment.exercises.values():
        hints = zip(*(source.hints(exercise.name, name) for name in LANGUAGES), strict=True)
        exercises.append(
            PublicExercise(
                name=exercise.name,
                points=exercise.points,
                difficulty=exercise.difficulty,
                minutes=exercise.minutes,
                idea=course.ideas[exercise.idea],
                by_hand=exercise.autograd == "forbidden",
                graded_by=exercise.graded_by,
                hints=[Text(**dict(zip(LANGUAGES, hint, strict=True))) for hint in hints],
            )
        )
    return PublicAssignment(
        id=assignment.id,
        title=assignment.title,
        language=language,
        points=assignment.points,
        exercises=exercises,
    )
