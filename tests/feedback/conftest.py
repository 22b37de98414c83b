"""A small class with everything a feedback page may have to show, graded for real."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from autograded.course import Course
from autograded.simulation import Kind, Simulator
from support import command

HOSTILE = "<script>hostile()</script>"

_OUTPUTS = f"""
import sys
from IPython.display import HTML, SVG, Javascript, Latex, display
print("\\x1b[2J\\x1b]8;;https://evil.example\\x07link\\x1b]8;;\\x07 \\u202eturned")
print({HOSTILE!r})
print("x" * 20_000)
print("line\\n" * 500)
sys.stderr.write("</pre><img src=x onerror=hostile()>")
display(HTML("<img src=x onerror=hostile()><form action=/x><input></form>"))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' onload='hostile()'></svg>"))
display(Javascript("hostile()"))
display(Latex(r"$\\\\href{{javascript:hostile()}}{{x}} \\\\require{{html}}$"))
raise ValueError("{HOSTILE}</pre>" + "y" * 5_000)
"""

_TEXT = rf"""# Not the page's heading {HOSTILE}

<img src=x onerror=hostile()> <b>bold</b> [click](javascript:hostile()) [out](https://example.org)
![seen](https://evil.example/seen.png) ![photo](attachment:photo.png) ![drawing](attachment:a.svg)

$\text{{{HOSTILE}}} \href{{javascript:hostile()}}{{x}} \style{{position:fixed}}{{y}} \def\x{{\x}}\x$

| a | b |
|:-:|---|
| {"z" * 500} | $x^2$ |
"""

_PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)


def hand_in(course: Path, assignment: str, student: str, kind: Kind) -> Path:
    """Put simulated work into classroom/submitted; return the notebook."""
    release = course / "classroom" / "release" / assignment
    folder = course / "classroom" / "submitted" / student / assignment
    shutil.copytree(release, folder)
    notebook = folder / f"{assignment}.ipynb"
    simulator = Simulator(Course.load(course / "course.yml"), assignment, notebook)
    text = simulator.hand_in(kind, student).text
    assert text is not None
    notebook.write_text(text, encoding="utf-8")
    return notebook


def _make_hostile(notebook: Path) -> None:
    document = json.loads(notebook.read_text(encoding="utf-8"))
    where = next(i for i, c in enumerate(document["cells"]) if c["id"] == "gradients-check")
    blank: dict[str, Any] = {"metadata": {}}
    document["cells"][where:where] = [
        {**blank, "cell_type": "code", "id": "mine-1", "source": _OUTPUTS, "outputs": [],
         "execution_count": None},
        {**blank, "cell_type": "markdown", "id": "mine-2", "source": _TEXT, "attachments": {
            "photo.png": {"image/png": _PIXEL},
            "a.svg": {"image/svg+xml": "<svg onload=hostile()>"},
        }},
        {**blank, "cell_type": "raw", "id": "mine-3", "source": HOSTILE},
    ]  # fmt: skip
    del document["cells"][-2]["metadata"]
    document["metadata"]["autograded_result"] = {"schema": "autograded/1", "score": 10}
    notebook.write_text(json.dumps(document), encoding="utf-8")


def gradebook(course: Path, *statements: str) -> None:
    """Change nbgrader's tables as formgrader would."""
    with sqlite3.connect(course / "classroom" / "gradebook.db") as database:
        for statement in statements:
            database.execute(statement)


@pytest.fixture(scope="session")
def graded_class(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ada is wrong in relu_net, Emmy late and graded by hand, Mallory hostile, Zoe's file none."""
    course = tmp_path_factory.mktemp("feedback") / "course"
    shutil.copytree(built_course, course, symlinks=True)
    hand_in(course, "relu_net", "ada", "mistaken")
    _make_hostile(hand_in(course, "relu_net", "mallory", "mistaken"))
    (course / "classroom/submitted/mallory/relu_net/seen.html").write_text(HOSTILE)
    hand_in(course, "relu_net", "zoe", "mistaken").write_text("Sorry, I was ill.")
    hand_in(course, "pitfalls", "emmy", "broken")
    hand_in(course, "pitfalls", "ada", "unfinished")
    for assignment in ("relu_net", "pitfalls"):
        done = command("autograded", "grade", assignment, cwd=course)
        assert done.returncode == 0, done.stderr
    cell = "(select id from base_cell where name = 'explain' and type = '{}')"
    notebook = (
        "(select n.id from submitted_notebook n join submitted_assignment a "
        "on n.assignment_id = a.id where a.student_id = 'emmy')"
    )
    gradebook(
        course,
        "update student set first_name = 'Emmy', last_name = 'Noether & <b>' where id = 'emmy'",
        "update grade set manual_score = 1.5, needs_manual_grade = 0 "
        f"where cell_id = {cell.format('GradeCell')} and notebook_id = {notebook}",
        "update comment set manual_comment = 'Well **said**: $w$ is shared.' "
        f"where cell_id = {cell.format('SolutionCell')} and notebook_id = {notebook}",
        f"update submitted_notebook set late_submission_penalty = 0.5 where id = {notebook}",
    )
    for assignment in ("relu_net", "pitfalls"):
        feedback(course, assignment)
    return course


def feedback(course: Path, assignment: str, *more: str) -> None:
    """Run `nbgrader generate_feedback`."""
    done = command("nbgrader", "generate_feedback", assignment, "--force", *more, cwd=course)
    assert done.returncode == 0, done.stderr


def page_path(course: Path, student: str, assignment: str) -> Path:
    return course / "classroom" / "feedback" / student / assignment / f"{assignment}.html"


@pytest.fixture(scope="session")
def page(graded_class: Path) -> Callable[[str, str], BeautifulSoup]:
    """The page of a student, parsed."""

    def parsed(student: str, assignment: str) -> BeautifulSoup:
        text = page_path(graded_class, student, assignment).read_text(encoding="utf-8")
        return BeautifulSoup(text, "html5lib")

    return parsed


@pytest.fixture
def graded_copy(graded_class: Path, tmp_path: Path) -> Path:
    """A copy of the graded class that a test may change."""
    course = tmp_path / "course"
    shutil.copytree(graded_class, course, symlinks=True)
    return course
