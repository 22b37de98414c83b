"""An exercise that is added after work was handed in and graded: what earlier work gets for it."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from regrading.conftest import NAME, add_exercises
from support import command
from test_instructor import comments, hand_in, scores

BEFORE, AFTER = "2026-11-14 23:59:59.000000 UTC", "2026-11-15 00:00:00.000000 UTC"
NEW = ("double", "triple")


def stamp(notebook: Path, moment: str) -> None:
    (notebook.parent / "timestamp.txt").write_text(moment, encoding="utf-8")


def without(notebook: Path, *names: str) -> None:
    """Delete every cell of some exercises from a notebook."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    document["cells"] = [
        cell for cell in document["cells"] if cell["id"].partition("-")[0] not in names
    ]
    notebook.write_text(json.dumps(document), encoding="utf-8")


def leave_undone(notebook: Path, name: str) -> None:
    document = json.loads(notebook.read_text(encoding="utf-8"))
    (cell,) = (cell for cell in document["cells"] if cell["id"] == name)
    cell["source"] = f"def {name}(*args):\n    raise NotImplementedError()"
    notebook.write_text(json.dumps(document), encoding="utf-8")


def run(*arguments: str, cwd: Path) -> str:
    done = command(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def graded_by_hand(course: Path) -> tuple[list[Any], list[Any]]:
    with sqlite3.connect(course / "classroom" / "gradebook.db") as database:
        given = database.execute("select manual_score from grade where manual_score not null")
        said = database.execute("select manual_comment from comment where manual_comment not null")
        return given.fetchall(), said.fetchall()


@pytest.fixture(scope="module")
def doors(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One class, regraded after two exercises were added: by nbgrader, and in bulk."""
    course = tmp_path_factory.mktemp("added") / "course"
    shutil.copytree(built_course, course, symlinks=True)
    for student in ("early", "half", "no-stamp"):
        notebook = hand_in(course, NAME, student, "perfect")
        if student != "no-stamp":
            stamp(notebook, BEFORE)
        if student == "half":
            leave_undone(notebook, "fit_slope")
    run("autograded", "grade", NAME, cwd=course)
    with sqlite3.connect(course / "classroom" / "gradebook.db") as database:
        cell = "(select id from base_cell where name = 'explain' and type = '{}')"
        database.execute(
            "update grade set manual_score = 1.5, needs_manual_grade = 0 "
            f"where cell_id = {cell.format('GradeCell')}"
        )
        database.execute(
            "update comment set manual_comment = 'well said' "
            f"where cell_id = {cell.format('SolutionCell')}"
        )

    add_exercises(course)
    before = scores(course)
    run("autograded", "build", NAME, cwd=course)
    after = scores(course)
    for key, cells in before.items():
        assert {name: after[key][name] for name in cells} == cells

    stamp(hand_in(course, NAME, "new", "perfect"), AFTER)
    cheat = hand_in(course, NAME, "deletes-cells", "perfect")
    stamp(cheat, AFTER)
    without(cheat, *NEW)
    partly = hand_in(course, NAME, "deletes-code", "perfect")
    stamp(partly, BEFORE)
    without(partly, "triple")
    leave_undone(partly, "double")
    (course / "classroom" / "submitted" / "unreadable" / NAME).mkdir(parents=True)
    nothing = course / "classroom" / "submitted" / "unreadable" / NAME / f"{NAME}.ipynb"
    nothing.write_text("not a notebook", encoding="utf-8")
    stamp(nothing, BEFORE)

    bulk = course.with_name("bulk")
    shutil.copytree(course, bulk, symlinks=True)
    run("nbgrader", "autograde", NAME, "--force", cwd=course)
    run("autograded", "grade", NAME, cwd=bulk)
    return course, bulk


def test_both_doors_write_the_same_rows(doors: tuple[Path, Path]) -> None:
    by_nbgrader, bulk = doors
    assert scores(by_nbgrader) == scores(bulk)
    assert comments(by_nbgrader) == comments(bulk)


@pytest.mark.parametrize(
    ("student", "double", "triple"),
    [
        # The share of the points that counted: of 10, and of the 1 that was not excused.
        ("early", round(2 * 10 / 11, 4), 0.0),
        ("half", round(2 * 7 / 11, 4), 0.0),
        ("no-stamp", 0.0, 0.0),
        ("new", 2.0, 1.0),
        ("deletes-cells", 0.0, 0.0),
        ("deletes-code", 0.0, 0.0),
        ("unreadable", 0.0, 0.0),
    ],
)
def test_earlier_work_gets_what_course_yml_says(
    doors: tuple[Path, Path], student: str, double: float, triple: float
) -> None:
    cells = scores(doors[0])[student, NAME]
    assert cells["double-check"] == (double, False)
    assert cells["triple-check"] == (triple, False)


def test_points_and_comments_of_a_person_stay(doors: tuple[Path, Path]) -> None:
    for course in doors:
        assert graded_by_hand(course) == ([(1.5,)] * 3, [("well said",)] * 3)


def test_the_export_has_the_new_maximum(doors: tuple[Path, Path]) -> None:
    tables = []
    for course, name in zip(doors, ("nbgrader", "autograded"), strict=True):
        if name == "nbgrader":
            run("nbgrader", "export", "--to=grades.csv", cwd=course)
        else:
            run("autograded", "export", "--format", "csv", "--output", "grades.csv", cwd=course)
        with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
            tables.append([row for row in csv.DictReader(file) if row["assignment"] == NAME])
    assert tables[0] == tables[1]
    found = {row["student_id"]: (row["score"], row["max_score"]) for row in tables[0]}
    assert found["new"] == ("13.0", "15.0")
    assert found["early"] == ("13.3182", "15.0")
    assert found["half"] == ("9.7727", "15.0")
    assert found["no-stamp"] == ("11.5", "15.0")


def result(course: Path, student: str) -> dict[str, Any]:
    path = course / "classroom" / "results" / NAME / f"{student}.json"
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def test_the_result_says_who_is_excused_from_what(doors: tuple[Path, Path]) -> None:
    excused = {
        student: [e["id"] for e in result(doors[1], student)["exercises"] if e["excused"]]
        for student in ("early", "half", "no-stamp", "new", "deletes-cells", "deletes-code")
    }
    assert {student for student, exercises in excused.items() if exercises} == {"early", "half"}
    assert excused["early"] == ["pitfalls.double"]
    flags = {s: [f["kind"] for f in result(doors[1], s)["flags"]] for s in excused}
    assert {student for student, kinds in flags.items() if kinds} == {"no-stamp"}
    assert flags["no-stamp"] == ["no-timestamp"]


def test_a_student_reads_that_they_are_excused(doors: tuple[Path, Path]) -> None:
    for course in doors:
        run("nbgrader", "generate_feedback", NAME, "--student=early", cwd=course)
        folder = course / "classroom" / "feedback" / "early" / NAME
        page = (folder / f"{NAME}.html").read_text(encoding="utf-8")
        assert "Excused: this exercise was added on 2026-11-15 00:00 UTC" in page
        assert '<code>double</code> <span class="score">1.82 / 2</span>' in page
        assert "double is not written yet" not in page
        assert "triple is not written yet" in page


def test_the_class_report_counts_nobody_excused_as_right_or_wrong(
    doors: tuple[Path, Path],
) -> None:
    from autograded.course import Course
    from autograded.reports.class_data import read_class
    from autograded.reports.items import analyse

    run("autograded", "report", NAME, cwd=doors[1])
    page = (doors[1] / "classroom" / "reports" / f"{NAME}.html").read_text(encoding="utf-8")
    assert "(2 excused)" in page
    assert "partly excused" in page
    (data,) = read_class(Course.load(doors[1] / "course.yml"), [NAME]).assignments
    found = {item.id: item for item in analyse(data).exercises}
    double = found["pitfalls.double"]
    assert (double.excused, double.full, double.zero, double.mean) == (2, 1, 3, 0.5)
    assert found["pitfalls.triple"].excused == 0


def test_an_exercise_must_be_built_before_it_is_graded(built_course: Path, tmp_path: Path) -> None:
    course = tmp_path / "course"
    shutil.copytree(built_course, course, symlinks=True)
    hand_in(course, NAME, "ada", "perfect")
    add_exercises(course)

    in_bulk = command("autograded", "grade", NAME, cwd=course)
    by_nbgrader = command("nbgrader", "autograde", NAME, cwd=course)

    assert in_bulk.returncode == 2
    assert by_nbgrader.returncode != 0
    for done in (in_bulk, by_nbgrader):
        assert f"{NAME} was released without double, triple" in done.stderr
        assert f"run `autograded build {NAME}` first" in done.stderr
    assert not (course / "classroom" / "autograded" / "ada" / NAME).exists()
