"""The student's door: the released notebook, check() in it, `nbgrader validate`."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from autograded.course import Course
from autograded.simulation import Simulator
from support import ASSIGNMENTS, ROOT, command


def hand_out(course: Path, assignment: str, home: Path) -> Path:
    """Give a student what nbgrader's exchange would: the release folder, and nothing else."""
    folder = home / assignment
    shutil.copytree(course / "classroom" / "release" / assignment, folder)
    return folder / f"{assignment}.ipynb"


def fill_in(course: Path, notebook: Path, kind: Any = "perfect") -> None:
    simulator = Simulator(Course.load(course / "course.yml"), notebook.stem, notebook)
    text = simulator.hand_in(kind, "student").text
    assert text is not None
    notebook.write_text(text, encoding="utf-8")


def execute(notebook: Path) -> dict[str, Any]:
    """Run all cells in a real kernel, going on after errors as a person does."""
    done = command(
        "nbconvert",
        "--to=notebook",
        "--execute",
        "--allow-errors",
        "--inplace",
        notebook,
        cwd=notebook.parent,
        MPLBACKEND="module://matplotlib_inline.backend_inline",  # Jupyter's own, whatever is set
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    return result


def outputs(notebook: dict[str, Any], grade_id: str) -> list[dict[str, Any]]:
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id:
            found: list[dict[str, Any]] = cell["outputs"]
            return found
    raise AssertionError(f"no cell {grade_id}")


def test_a_release_holds_no_solution_and_no_hidden_check(built_course: Path) -> None:
    for assignment in ASSIGNMENTS:
        folder = built_course / "classroom" / "release" / assignment
        text = "\n".join(
            path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()
        )
        assert "BEGIN SOLUTION" not in text
        assert "misconception" not in text
        for grader in (built_course / "graders" / assignment).glob("test_*.py"):
            assert grader.read_text(encoding="utf-8")[200:600] not in text


@pytest.mark.parametrize("assignment", ["relu_net", "pitfalls"])
def test_check_shows_a_table_and_fails_on_the_stub(
    built_course: Path, tmp_path: Path, assignment: str
) -> None:
    notebook = execute(hand_out(built_course, assignment, tmp_path))

    exercise = "gradients" if assignment == "relu_net" else "fit_slope"
    shown = outputs(notebook, f"{exercise}-check")
    assert [o["output_type"] for o in shown] == ["display_data", "error"]
    assert f"{assignment}.{exercise}" in "".join(shown[0]["data"]["text/html"])
    assert "✗" in "".join(shown[0]["data"]["text/plain"])
    assert shown[1]["ename"] == "ChecksFailed"
    assert len(shown[1]["traceback"]) == 1


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_cell_of_the_solved_notebook_runs_and_every_check_passes(
    built_course: Path, tmp_path: Path, assignment: str
) -> None:
    path = hand_out(built_course, assignment, tmp_path)
    fill_in(built_course, path)

    notebook = execute(path)

    errors = [
        output
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]
    assert not errors
    pictures = [
        output
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) >= 2


LONE = """
from autograded.notebook import check
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_cell("def forward(x, w1, w2):\\n    raise NotImplementedError()")
shell.run_cell("from autograded.notebook import check\\ncheck({exercise!r})")
"""


def alone(folder: Path, exercise: str) -> str:
    """What check() shows where nothing but the notebook is, in this environment."""
    (folder / "lone.py").write_text(LONE.format(exercise=exercise))
    return command("lone", cwd=folder).stdout


def test_check_works_in_a_notebook_without_a_course_around_it(tmp_path: Path) -> None:
    shown = alone(tmp_path, "relu_net.forward")

    assert "forward is not written yet" in shown
    assert "ChecksFailed: not passed yet: relu_net.forward" in shown


@pytest.mark.parametrize("exercise", ["nonesuch", "nonesuch.forward", "relu_net.nonesuch"])
def test_what_check_does_not_know_is_one_sentence(tmp_path: Path, exercise: str) -> None:
    shown = alone(tmp_path, exercise)

    assert shown.startswith("CannotCheck: ")
    assert len(shown.splitlines()) == 1


def test_the_package_for_students_holds_all_that_check_reads_and_nobodys_work(
    course: Path,
) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    packed = {
        path.relative_to(course / "exercises").as_posix()
        for pattern in wheel["include"]
        for path in course.glob(pattern.lstrip("/"))
        if path.is_file()
    }

    assert wheel["sources"]["exercises"] == "autograded/exercises"
    assert packed == {
        f"{name}/{file}"
        for name in ASSIGNMENTS
        for file in ("assignment.json", "scenarios.py", f"test_{name}.py")
    }


def test_nbgrader_validate_sees_what_check_sees(built_course: Path, tmp_path: Path) -> None:
    path = hand_out(built_course, "relu_net", tmp_path)
    untouched = command("nbgrader", "validate", path, cwd=path.parent)
    fill_in(built_course, path)
    solved = command("nbgrader", "validate", path, cwd=path.parent)

    assert "VALIDATION FAILED" in untouched.stdout
    assert "Success! Your notebook passes all the tests." in solved.stdout


def test_hints_unfold_under_a_failed_check(built_course: Path, tmp_path: Path) -> None:
    notebook = execute(hand_out(built_course, "relu_net", tmp_path))

    html = "".join(outputs(notebook, "forward-check")[0]["data"]["text/html"])
    assert html.count("<details") >= 3
