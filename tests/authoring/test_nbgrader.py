"""nbgrader's own commands, typed in the course's folder, on work that was handed in."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

STUB = "# YOUR CODE HERE\n    raise NotImplementedError()"
# Right, with all that must cost nothing: a warning on stderr, printing, a number as last value.
NOISY = """\
import sys; print("nearly stderr", file=sys.stderr)
    z = w1 * x
    h = max(z, 0.0)
    return z, h, w2 * h"""


def nbgrader(course: Path, *arguments: str) -> str:
    """Run one nbgrader command; returns what it printed."""
    environment = {key: value for key, value in os.environ.items() if key != "AUTOGRADED_DB_URL"}
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def hand_in(course: Path, student: str, made_from: str, **functions: str) -> Path:
    """Submit the notebook in source/ or release/, with some functions filled in."""
    notebook = nbformat.read(course / "classroom" / made_from / "relu_net" / "relu_net.ipynb", 4)
    for cell in notebook.cells:
        if cell.id in functions:
            assert STUB in cell.source
            first, _newline, body = functions[cell.id].partition("\n    ")
            cell.source = f"{first}\n" + cell.source.replace(STUB, body)
    folder = course / "classroom" / "submitted" / student / "relu_net"
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / "relu_net.ipynb")
    return folder


@pytest.fixture(scope="module")
def graded(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course after nbgrader graded three submissions and wrote feedback and grades.csv."""
    classroom = tmp_path_factory.mktemp("graded") / "course"
    shutil.copytree(built_course, classroom)
    hand_in(classroom, "ada", "source")
    hand_in(classroom, "bob", "release")
    noisy = hand_in(classroom, "cyd", "release", forward=NOISY)
    (noisy / "relu_net.html").write_text("<script>alert(1)</script>", encoding="utf-8")
    (noisy / "relu_net.html").chmod(0o444)
    nbgrader(classroom, "autograde", "relu_net")
    nbgrader(classroom, "generate_feedback", "relu_net")
    nbgrader(classroom, "export")
    return classroom


def test_release_to_feedback_and_grades(graded: Path) -> None:
    with (graded / "grades.csv").open(encoding="utf-8") as file:
        scores = {
            row["student_id"]: float(row["score"])
            for row in csv.DictReader(file)
            if row["assignment"] == "relu_net"
        }
    assert scores == {"ada": 10, "bob": 0, "cyd": 1}

    page = graded / "classroom" / "feedback" / "bob" / "relu_net" / "relu_net.html"
    text = page.read_text(encoding="utf-8")
    assert '<code>gradients</code> <span class="score">0 / 3</span>' in text
    assert "gradients is not written yet" in text
    assert "graders" not in text

    page = graded / "classroom" / "feedback" / "cyd" / "relu_net" / "relu_net.html"
    text = page.read_text(encoding="utf-8")
    assert '<code>forward</code> <span class="score">1 / 1</span>' in text
    assert "nearly stderr" in text
    assert "alert(1)" not in text


def test_outputs_stand_in_the_cells_that_made_them(graded: Path) -> None:
    path = graded / "classroom" / "autograded" / "cyd" / "relu_net" / "relu_net.ipynb"
    cells = {cell.id: cell for cell in nbformat.read(path, 4).cells}
    (stderr,) = cells["forward"].outputs
    assert (stderr.name, stderr.text) == ("stderr", "nearly stderr\n")
    number, shown = cells["forward-check"].outputs
    assert number.data == {"text/plain": "1.0"}
    assert set(shown.data) == {"text/html", "text/plain"}
    assert cells["figure-computation-graph"].outputs == []
    assert "by hand" in cells["forward-code-1"].outputs[0].text


def test_validate_tells_a_student_what_is_missing(classroom: Path) -> None:
    ready = nbgrader(classroom, "validate", "classroom/source/relu_net/relu_net.ipynb")
    assert "Success! Your notebook passes all the tests." in ready
    missing = nbgrader(classroom, "validate", "classroom/release/relu_net/relu_net.ipynb")
    assert "VALIDATION FAILED ON 4 CELL(S)!" in missing


def test_a_fault_in_course_yml_stops_nbgrader_with_one_sentence(course: Path) -> None:
    text = (course / "course.yml").read_text(encoding="utf-8")
    (course / "course.yml").write_text(text.replace("points: 10", "points: 11", 1), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", "relu_net"],
        cwd=course,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("nbgrader_config.py: ")
    assert "assignment relu_net says 11 points" in done.stderr
    assert len(done.stderr.splitlines()) == 1
