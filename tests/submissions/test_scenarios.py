"""What nbgrader's own tests put its autograder through, over our release, in one class."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from nbgrader.api import Gradebook

from submissions.corpus import Notebook, cell_of, code_cell, solved, stub_of, text
from support import command

NAME = "training_loop"
DUE = "2026-03-01 12:00:00 UTC"
Change = Callable[[Notebook], None]


def _unchanged(notebook: Notebook) -> None:
    pass


def _untouched(notebook: Notebook) -> None:
    for name in ("sgd_step", "train_one_parameter", "train"):
        cell_of(notebook, name)["source"] = stub_of(NAME, name)


def _cheats_in_the_check_cells(notebook: Notebook) -> None:
    _untouched(notebook)
    for name in ("sgd_step", "train_one_parameter", "train"):
        cell_of(notebook, f"{name}-check")["source"] = "5.0"


def _cheats_by_a_higher_maximum(notebook: Notebook) -> None:
    _untouched(notebook)
    for name in ("sgd_step", "train_one_parameter", "train"):
        known = cell_of(notebook, f"{name}-check")["metadata"]["nbgrader"]
        known.update(points=1000, locked=False, checksum="0" * 32)


def _cheats_by_a_cell_of_its_own(notebook: Notebook) -> None:
    _untouched(notebook)
    made = code_cell("1000000.0", "bonus")
    made["metadata"] = {
        "nbgrader": {
            "grade": True,
            "grade_id": "bonus-check",
            "locked": True,
            "points": 1000000,
            "schema_version": 3,
            "solution": False,
            "task": False,
        }
    }
    notebook["cells"].append(made)


def _cheats_by_replacing_check(notebook: Notebook) -> None:
    _untouched(notebook)
    cell_of(notebook, "intro-code-1")["source"] = "import torch\n\ncheck = lambda name: 5.0"


def _edits_a_locked_cell(notebook: Notebook) -> None:
    cell_of(notebook, "intro-code-1")["source"] = "torch = None"


def _loops(notebook: Notebook) -> None:
    notebook["cells"].insert(3, code_cell("while True:\n    pass"))


def _loops_and_prints(notebook: Notebook) -> None:
    notebook["cells"].insert(3, code_cell("while True:\n    print('again')"))


def _loops_in_a_function(notebook: Notebook) -> None:
    cell_of(notebook, "sgd_step")["source"] = (
        "def sgd_step(params, lr):\n    while True:\n        1"
    )


def _sleeps(notebook: Notebook) -> None:
    notebook["cells"].insert(3, code_cell("import time\ntime.sleep(3600)"))


def _schema(version: int) -> Change:
    def change(notebook: Notebook) -> None:
        for cell in notebook["cells"]:
            if "nbgrader" in cell["metadata"]:
                cell["metadata"]["nbgrader"]["schema_version"] = version

    return change


def _wrong_kernel(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"] = {"name": "bash", "display_name": "B", "language": "bash"}


def _leaves_the_interpreter(notebook: Notebook) -> None:
    notebook["cells"].append(code_cell("exit()"))


WORK: dict[str, tuple[Change, float]] = {
    "right": (_unchanged, 10.0),
    "untouched": (_untouched, 0.0),
    "cheats-in-check-cells": (_cheats_in_the_check_cells, 0.0),
    "cheats-by-points": (_cheats_by_a_higher_maximum, 0.0),
    "cheats-by-a-new-cell": (_cheats_by_a_cell_of_its_own, 0.0),
    "cheats-by-replacing-check": (_cheats_by_replacing_check, 0.0),
    "edits-locked-cell": (_edits_a_locked_cell, 10.0),
    "loops": (_loops, 10.0),
    "loops-and-prints": (_loops_and_prints, 10.0),
    "loops-in-a-function": (_loops_in_a_function, 8.0),
    "sleeps": (_sleeps, 10.0),
    "schema-too-old": (_schema(0), 10.0),
    "schema-too-new": (_schema(1000), 10.0),
    "wrong-kernel": (_wrong_kernel, 10.0),
    "exits": (_leaves_the_interpreter, 10.0),
    "jörg müller": (_unchanged, 10.0),
    "o'neill+ada@example.org": (_unchanged, 10.0),
}


def hand_in(course: Path, student: str, notebook: Notebook, stamp: str | None = None) -> None:
    folder = course / "classroom" / "submitted" / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.ipynb").write_text(text(notebook), encoding="utf-8")
    if stamp:
        (folder / "timestamp.txt").write_text(stamp)


def autograde(course: Path, *options: str) -> CompletedProcess[str]:
    return command("nbgrader", "autograde", NAME, *options, cwd=course)


def submissions(course: Path) -> dict[str, dict[str, Any]]:
    """What the gradebook says of everybody's submission."""
    with Gradebook(f"sqlite:///{course}/classroom/gradebook.db") as gradebook:
        return {
            one.student.id: {
                "score": one.score,
                "max": one.max_score,
                "penalty": one.late_submission_penalty or 0.0,
                "by hand": one.needs_manual_grade,
            }
            for one in gradebook.assignment_submissions(NAME)
        }


@pytest.fixture(scope="module")
def graded(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which everybody does something else, graded by plain nbgrader."""
    course = tmp_path_factory.mktemp("scenarios") / "course"
    shutil.copytree(built_course, course, symlinks=True)
    with (course / "course.yml").open("a", encoding="utf-8") as file:
        file.write("\nlimits: {cell_seconds: 2, call_seconds: 2}\n")
    for student, (change, _score) in WORK.items():
        notebook = solved(NAME)
        change(notebook)
        hand_in(course, student, notebook)
    folder = course / "classroom" / "submitted" / "hands-in-notes" / NAME
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("my notes")
    done = autograde(course)
    assert done.returncode == 0, done.stderr[-3000:]
    return course


@pytest.mark.parametrize("student", WORK)
def test_the_outcome_is_as_stated(graded: Path, student: str) -> None:
    found = submissions(graded)[student]
    assert (found["score"], found["max"], found["by hand"]) == (WORK[student][1], 10.0, False)


def test_a_folder_without_a_notebook_stops_nobody(graded: Path) -> None:
    found = submissions(graded)
    assert set(found) - {"hands-in-notes"} == set(WORK)
    assert found.get("hands-in-notes", {"score": 0.0})["score"] == 0.0


def test_a_new_version_is_graded_and_an_old_one_is_not(classroom: Path) -> None:
    wrong = solved(NAME)
    _untouched(wrong)
    hand_in(classroom, "ada", wrong, "2026-02-01 12:00:00 UTC")
    assert autograde(classroom).returncode == 0
    assert submissions(classroom)["ada"]["score"] == 0.0
    hand_in(classroom, "ada", solved(NAME), "2026-02-01 12:00:00 UTC")
    assert autograde(classroom).returncode == 0
    assert submissions(classroom)["ada"]["score"] == 0.0
    hand_in(classroom, "ada", solved(NAME), "2026-02-02 12:00:00 UTC")
    assert autograde(classroom).returncode == 0
    assert submissions(classroom)["ada"]["score"] == 10.0


def test_late_work_is_penalised_as_the_instructor_says(classroom: Path) -> None:
    done = command("nbgrader", "db", "assignment", "add", NAME, f"--duedate={DUE}", cwd=classroom)
    assert done.returncode == 0, done.stderr
    stamps = {
        "on-time": "2026-03-01 11:59:59 UTC",
        "late": "2026-03-01 12:00:01 UTC",
    }
    for student, stamp in stamps.items():
        hand_in(classroom, student, solved(NAME), stamp)
    assert autograde(classroom, "--LateSubmissionPlugin.penalty_method=zero").returncode == 0
    penalties = {student: one["penalty"] for student, one in submissions(classroom).items()}
    assert penalties == {"on-time": 0.0, "late": 10.0}
