"""The notebook of an assignment, with nbgrader's metadata written from keys and course.yml."""

from __future__ import annotations

from collections import Counter
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograded.authoring import wording
from autograded.authoring.forms import with_task_line
from autograded.authoring.source import Cell, Source
from autograded.course import Language

FIGURE = "figure"
"""Tag of the cells that only draw; grading leaves them out."""


_CHECK = "-check"


def check_cell_id(exercise: str) -> str:
    """The grade id of the cell that carries an exercise's score."""
    return exercise + _CHECK


def exercise_of_check(grade_id: str) -> str | None:
    """The exercise whose score a grade cell carries, by its grade id; None for any other cell."""
    return grade_id.removesuffix(_CHECK) if grade_id.endswith(_CHECK) else None


def notebook(source: Source, language: Language) -> Any:
    """The instructor's notebook (with solutions), nbformat 4.5.

    Locked are the cells whose change would do harm: checks, shared code and figures (nbgrader
    puts them right before grading, so a student cannot break the exercises below by accident) and
    tasks (what was asked stays on record beside the answer). Prose and hints are plain: students
    may write into them, and an author may add to them in mid-term, which nbgrader refuses for
    locked cells once somebody has submitted.
    """
    builder = _Builder(source, language)
    for cell in source.in_language(language):
        builder.add(cell)
    builder.text("hand-in", wording.hand_in(source.assignment, language))
    made = new_notebook(
        cells=builder.cells,
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "autograded": {"assignment": source.assignment.id, "language": language},
        },
    )
    nbformat.validate(made)
    return made


def notebook_text(source: Source, language: Language) -> str:
    """The notebook as it is written to a file."""
    text: str = nbformat.writes(notebook(source, language), version=4)
    return text + "\n"


class _Builder:
    """Collects cells; ids say what a cell is, or count within the exercise they follow."""

    def __init__(self, source: Source, language: Language) -> None:
        self.source = source
        self.language = language
        self.cells: list[Any] = []
        self._section = "intro"
        self._counts: Counter[str] = Counter()

    def add(self, cell: Cell) -> None:
        name = cell.key
        if cell.kind == "prose":
            self.text(self._numbered("text"), cell.text)
        elif cell.kind == "code":
            self.code(self._numbered("code"), cell.text, locked=True)
        elif cell.kind == "figure":
            self.code(f"figure-{name}", cell.text, locked=True, tags=[FIGURE])
        elif cell.kind == "task":
            text = with_task_line(self.source, cell, self.language)
            self.text(f"{name}-task", text, **_nbgrader(f"{name}-task", locked=True))
        elif cell.kind == "exercise":
            self._section = name
            self.code(name, cell.text, solution=True)
        elif cell.kind == "check":
            points = self.source.assignment.exercises[name].points
            self.code(check_cell_id(name), cell.text, grade=True, locked=True, points=points)
        elif cell.kind == "answer":
            self._section = name
            points = self.source.assignment.exercises[name].points
            self.text(name, cell.text, **_nbgrader(name, grade=True, solution=True, points=points))
        elif f"{name}-hints" not in {made["id"] for made in self.cells}:
            self.text(f"{name}-hints", self._hints(name))

    def text(self, cell_id: str, text: str, **metadata: Any) -> None:
        self.cells.append(new_markdown_cell(text, id=cell_id, metadata=metadata))

    def code(self, cell_id: str, code: str, *, tags: list[str] | None = None, **flags: Any) -> None:
        metadata = _nbgrader(cell_id, **flags)
        if tags:
            metadata["tags"] = tags
        self.cells.append(new_code_cell(code, id=cell_id, metadata=metadata))

    def _numbered(self, what: str) -> str:
        cell_id = f"{self._section}-{what}"
        self._counts[cell_id] += 1
        return f"{cell_id}-{self._counts[cell_id]}"

    def _hints(self, exercise: str) -> str:
        hints = self.source.hints(exercise, self.language)
        return "\n\n".join(
            f"<details><summary>{wording.hint_title(n, len(hints), self.language)}</summary>\n\n"
            f"{hint}\n\n</details>"
            for n, hint in enumerate(hints, 1)
        )


def _nbgrader(
    grade_id: str,
    *,
    grade: bool = False,
    solution: bool = False,
    locked: bool = False,
    points: float | None = None,
) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "grade": grade,
        "grade_id": grade_id,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        metadata["points"] = points
    return {"nbgrader": metadata}
