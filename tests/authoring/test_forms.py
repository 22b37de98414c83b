"""The stub: a learner's file that is a notebook, a module, and holds no solution."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import jupytext
import pytest

from autograded.authoring.forms import public_data, stub_text
from autograded.authoring.source import Source
from autograded.authoring.stamps import is_untouched
from autograded.course import Course

if TYPE_CHECKING:
    from authoring.conftest import SmallCourse

ASSIGNMENTS = ["relu_net", "backward", "training_loop", "pitfalls"]


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_stub_is_python_that_opens_as_a_notebook(
    real_course: Course, assignment: str, language: str
) -> None:
    source = Source.load(real_course, assignment)
    text = stub_text(source, language)  # type: ignore[arg-type]
    ast.parse(text)
    notebook = jupytext.reads(text, fmt="py:percent")
    kept = [cell for cell in source.in_language(language) if cell.kind != "hint"]  # type: ignore[arg-type]
    assert len(notebook.cells) == len(kept) + 1
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for exercise in real_course.assignments[assignment].checked:
        assert f"def {exercise.name}(" in code
        assert f'check("{exercise.id}")' in code
    assert "matplotlib" in code


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_stub_holds_no_marker_and_no_hint(real_course: Course, assignment: str) -> None:
    source = Source.load(real_course, assignment)
    text = stub_text(source, "en")
    assert "SOLUTION" not in text
    assert "INSTEAD" not in text
    for exercise in real_course.assignments[assignment].checked:
        for hint in source.hints(exercise.name, "en"):
            assert hint.splitlines()[-1] not in text


def test_a_stub_holds_no_line_of_a_solution(small: SmallCourse) -> None:
    source = Source.load(small.load(), "small")
    assert "2 * x" not in stub_text(source, "en")


def test_importing_a_stub_draws_and_checks_nothing(small: SmallCourse) -> None:
    text = stub_text(Source.load(small.load(), "small"), "en")
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_a_stub_says_how_to_work_with_it_in_the_learner_s_language(small: SmallCourse) -> None:
    source = Source.load(small.load(), "small")
    for language in ("en", "id"):
        text = stub_text(source, language)
        assert "#     pytest exercises/small" in text
        assert "#     autograded hint small.double" in text
    assert "Isilah setiap fungsi" in stub_text(source, "id")


def test_a_task_says_what_course_yml_says(small: SmallCourse) -> None:
    source = Source.load(small.load(), "small")
    assert (
        "# ## Exercise\n#\n# **2 points** · ●○○ · about 5 minutes · "
        "the idea: [adding up](https://example.org/sums)\n#\n# Double it.\n"
    ) in stub_text(source, "en")
    assert "**1 poin** · ●○○ · kira-kira 5 menit · dibaca oleh manusia · " in stub_text(
        source, "id"
    )


def test_one_changed_letter_is_seen(small: SmallCourse) -> None:
    text = stub_text(Source.load(small.load(), "small"), "en")
    assert is_untouched(text)
    assert not is_untouched(text.replace("Double it", "Double It"))
    assert not is_untouched(small.SOURCE)


def test_public_data_has_everything_in_both_languages(small: SmallCourse) -> None:
    data = public_data(Source.load(small.load(), "small"), "id")
    assert data.language == "id"
    double, why = data.exercises
    assert [hint.en for hint in double.hints] == ["First.", "Second.", "Third."]
    assert [hint.id for hint in double.hints] == ["Pertama.", "Kedua.", "Ketiga."]
    assert (double.idea.title.id, double.points) == ("penjumlahan", 2)
    assert (why.graded_by, why.hints) == ("person", [])
