"""The notebook: its metadata as nbgrader itself reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import is_grade, is_locked, is_solution

from autograded.authoring.notebooks import FIGURE, exercise_of_check, notebook, notebook_text
from autograded.authoring.source import Source
from autograded.course import Course

if TYPE_CHECKING:
    from authoring.conftest import SmallCourse


@pytest.mark.parametrize("language", ["en", "id"])
def test_nbgrader_accepts_every_notebook_of_the_course(real_course: Course, language: str) -> None:
    for name, assignment in real_course.assignments.items():
        made = notebook(Source.load(real_course, name), language)  # type: ignore[arg-type]
        nbformat.validate(made)
        MetadataValidator().validate_nb(made)
        graded = {
            exercise_of_check(cell.metadata.nbgrader.grade_id): cell.metadata.nbgrader.points
            for cell in made.cells
            if cell.cell_type == "code" and is_grade(cell)
        }
        assert graded == {e.name: e.points for e in assignment.checked}


def test_each_kind_of_cell_is_what_nbgrader_takes_it_for(small: SmallCourse) -> None:
    made = notebook(Source.load(small.load(), "small"), "en")
    kinds = {
        cell.id: (cell.cell_type, is_solution(cell), is_grade(cell), is_locked(cell))
        for cell in made.cells
    }
    assert kinds == {
        "intro-text-1": ("markdown", False, False, False),
        "intro-code-1": ("code", False, False, True),
        "figure-line": ("code", False, False, True),
        "double-task": ("markdown", False, False, True),
        "double-hints": ("markdown", False, False, False),
        "double": ("code", True, False, False),
        "double-check": ("code", False, True, True),
        "why-task": ("markdown", False, False, True),
        "why": ("markdown", True, True, False),
        "hand-in": ("markdown", False, False, False),
    }
    by_id = {cell.id: cell for cell in made.cells}
    assert by_id["figure-line"].metadata.tags == [FIGURE]
    assert by_id["double-check"].metadata.nbgrader == {
        "grade": True,
        "grade_id": "double-check",
        "locked": True,
        "points": 2,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    assert (made.nbformat, made.nbformat_minor) == (4, 5)
    assert made.metadata.kernelspec.name == "python3"


def test_hints_are_folded_into_one_cell(small: SmallCourse) -> None:
    made = notebook(Source.load(small.load(), "small"), "id")
    (hints,) = [cell.source for cell in made.cells if cell.id == "double-hints"]
    assert hints.count("<details>") == hints.count("</details>") == 3
    assert "<details><summary>Petunjuk 2 dari 3</summary>\n\nKedua.\n\n</details>" in hints


def test_a_new_paragraph_leaves_the_ids_of_cells_after_the_next_exercise(
    small: SmallCourse,
) -> None:
    before = [cell.id for cell in notebook(Source.load(small.load(), "small"), "en").cells]
    title = '# %% [markdown] lang="id"\n# # Kecil\n'
    more = '\n# %% [markdown] lang="en"\n# More.\n\n# %% [markdown] lang="id"\n# Lagi.\n'
    small.edit(title, title + more)
    after = [cell.id for cell in notebook(Source.load(small.load(), "small"), "en").cells]
    assert set(after) - set(before) == {"intro-text-2"}
    assert not set(before) - set(after)


def test_the_same_source_makes_the_same_bytes(small: SmallCourse) -> None:
    source = Source.load(small.load(), "small")
    assert notebook_text(source, "en") == notebook_text(source, "en")
