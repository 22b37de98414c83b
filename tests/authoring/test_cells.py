"""What is written into grade cells, judged by nbgrader's own reading of it."""

from __future__ import annotations

import math
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade

from autograded.gradebook.cells import cell_outputs, grade_outputs, score_text
from autograded.grading.results import CheckResult, DiagnosisResult, ExerciseResult
from autograded.sandbox.program import CellRun

HOSTILE = "<script>alert(1)</script> $x$ \x1b[31mred\ud800 </pre><img src=x onerror=alert(2)>"


def exercise(score: float, message: str = "", level_of: str = "problem") -> ExerciseResult:
    failed = CheckResult(
        id="test_a",
        title="is right",
        passed=False,
        weight=1,
        message=message,
        parts={level_of: message},
    )
    passed = CheckResult(id="test_b", title="is there", passed=True, weight=1, message="")
    found = DiagnosisResult(misconception="m", message="You forgot <b>it</b>.", idea=None)
    return ExerciseResult(
        id="small.double", score=score, max_score=3, checks=[failed, passed], diagnosis=[found]
    )


def grade_cell(outputs: list[Any]) -> Any:
    metadata = {
        "nbgrader": {
            "grade": True,
            "solution": False,
            "locked": True,
            "grade_id": "double-check",
            "points": 3,
            "schema_version": 3,
        }
    }
    cell = new_code_cell('check("small.double")', metadata=metadata, outputs=outputs)
    nbformat.validate(new_notebook(cells=[cell]))
    return cell


@pytest.mark.parametrize(
    ("score", "read"),
    [
        (0.0, 0), (-0.0, 0), (1.5, 1.5), (3.0, 3), (1 / 3, 0.3333), (3.0000001, 3), (7.0, 3),
        (-1.0, 0), (math.nan, 0), (math.inf, 0), (1e-9, 0),
    ],
)  # fmt: skip
def test_nbgrader_reads_the_score_that_was_given(score: float, read: float) -> None:
    outputs = grade_outputs(exercise(score, HOSTILE), 3, "full")
    assert determine_grade(grade_cell(outputs)) == (read, 3)
    assert score_text(score, 3) == repr(float(read))


def test_a_grade_cell_of_no_exercise_gets_nothing_rather_than_everything() -> None:
    assert determine_grade(grade_cell(grade_outputs(None, 3, "full"))) == (0, 3)


def test_what_a_student_wrote_is_shown_and_never_obeyed() -> None:
    _number, shown = grade_outputs(exercise(1, HOSTILE), 3, "full")
    page = shown["data"]["text/html"]
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &#36;x&#36; red?" in page
    assert "\x1b" not in shown["data"]["text/plain"]
    page.encode("utf-8")


def test_the_instructor_chooses_how_much_is_said() -> None:
    def said(level: Any, part: str = "problem") -> str:
        _number, shown = grade_outputs(exercise(1, "it is 2", part), 3, level)
        return str(shown["data"]["text/plain"])

    assert said("names").splitlines() == [
        "small.double · 1 of 3 points · 1 of 2 checks",
        "  ✗ is right",
        "  ✓ is there",
    ]
    assert "    it is 2\n" in said("hints")
    assert "→ You forgot" in said("hints")


def test_checks_that_fail_alike_say_it_once() -> None:
    graded = exercise(0, "not written")
    graded.checks = [graded.checks[0]] * 3
    _number, shown = grade_outputs(graded, 3, "hints")
    assert shown["data"]["text/plain"].count("not written") == 1
    assert shown["data"]["text/plain"].count("✗ is right") == 3


def run(*outputs: dict[str, Any], error: str | None = None) -> CellRun:
    return CellRun(outputs=list(outputs), execution_count=1, error=error, seconds=0.1)


def test_outputs_of_a_cell_stay_what_they_were() -> None:
    stream = {"output_type": "stream", "name": "stderr", "text": "careful"}
    picture = {
        "output_type": "display_data", "data": {"image/png": "aGFsbG8=", "text/plain": "<Figure>"},
        "metadata": {},
    }  # fmt: skip
    assert cell_outputs(run(stream, picture)) == [stream, picture]


def test_an_output_that_is_none_is_left_out() -> None:
    assert cell_outputs(run({"output_type": "stream"}, {"output_type": "x"}, {})) == []


def test_an_output_cannot_carry_a_script() -> None:
    data = {
        "text/html": "<table><tr><td>1</td></tr></table><script>alert(1)</script>",
        "application/javascript": "alert(1)",
        "image/svg+xml": "<svg onload='alert(1)'/>",
        "image/png": 'x"><script>alert(1)</script>',
        "text/plain": "a table",
    }
    metadata = {"image/png": {"width": '"><script>'}}
    (shown,) = cell_outputs(
        run({"output_type": "display_data", "data": data, "metadata": metadata})
    )
    assert shown["data"] == {
        "text/html": "<table><tbody><tr><td>1</td></tr></tbody></table>",
        "text/plain": "a table",
    }
    assert shown["metadata"] == {}


def test_an_error_that_left_no_output_is_shown() -> None:
    (shown,) = cell_outputs(run(error="TimeoutError: took more than 10 s"))
    assert (shown["ename"], shown["evalue"]) == ("TimeoutError", "took more than 10 s")
    nbformat.validate(shown, ref="output", version=4)


def test_half_a_character_does_not_spoil_the_notebook() -> None:
    (shown,) = cell_outputs(run({"output_type": "stream", "name": "stdout", "text": "a\ud800b"}))
    assert shown["text"] == "a?b"
