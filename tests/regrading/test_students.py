"""Who leaves the class, and who hands in nothing."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from autograded.course import Course
from autograded.reports.class_data import read_class
from autograded.reports.findings import handing_in
from support import command
from test_instructor import hand_in, scores

NAME = "relu_net"
ROSTER = "id,first_name,last_name\n"


def run(*arguments: str, cwd: Path) -> str:
    done = command(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def graded(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three students handed in; alan is in the roster alone, noor in the gradebook alone."""
    course = tmp_path_factory.mktemp("students") / "course"
    shutil.copytree(built_course, course, symlinks=True)
    for student in ("ada", "emmy", "grace"):
        hand_in(course, NAME, student, "perfect")
    lines = [f"{student},{student.title()},X\n" for student in ("ada", "alan", "emmy", "grace")]
    (course / "roster.csv").write_text(ROSTER + "".join(lines), encoding="utf-8")
    run("nbgrader", "db", "student", "add", "noor", cwd=course)
    run("autograded", "grade", NAME, cwd=course)
    return course


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    """A copy of that class, which a test may change."""
    copy = tmp_path / "course"
    shutil.copytree(graded, copy, symlinks=True)
    return copy


def exported(course: Path, *command_line: str) -> dict[str, dict[str, str]]:
    """The rows of the assignment in an exported table, by student."""
    run(*command_line, cwd=course)
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == NAME}


BY_NBGRADER = ("nbgrader", "export", "--to=grades.csv")
BY_US = ("autograded", "export", NAME, "--format", "csv", "--output", "grades.csv")


@pytest.mark.parametrize("command_line", [BY_NBGRADER, BY_US])
def test_who_hands_in_nothing_is_exported_with_zero(
    course: Path, command_line: tuple[str, ...]
) -> None:
    rows = exported(course, *command_line)
    assert {student: float(row["score"]) for student, row in rows.items()} == {
        "ada": 10, "alan": 0, "emmy": 10, "grace": 10, "noor": 0,
    }  # fmt: skip
    for student in ("alan", "noor"):
        assert (rows[student]["timestamp"], rows[student]["max_score"]) == ("", "10.0")


def missing(course: Path) -> tuple[str, ...]:
    the_class = read_class(Course.load(course / "course.yml"), [NAME])
    return handing_in(the_class, the_class.assignments[0]).missing


def test_who_hands_in_nothing_is_missing_in_the_report(course: Path) -> None:
    run("autograded", "report", NAME, cwd=course)
    page = (course / "classroom" / "reports" / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Alan X" in page
    assert missing(course) == ("alan",)
    (course / "roster.csv").unlink()
    assert missing(course) == ("noor",)


def counted(course: Path) -> list[str]:
    the_class = read_class(Course.load(course / "course.yml"), [NAME])
    return [one.student for one in the_class.assignments[0].graded]


def test_work_that_is_deleted_keeps_its_grade(course: Path) -> None:
    shutil.rmtree(course / "classroom" / "submitted" / "ada")

    done = run("autograded", "grade", NAME, cwd=course)

    assert "(2 known already)" in done
    assert float(exported(course, *BY_US)["ada"]["score"]) == 10
    assert counted(course) == ["ada", "emmy", "grace"]


def test_a_deleted_student_does_not_come_back(course: Path) -> None:
    run("nbgrader", "db", "student", "remove", "ada", "--force", cwd=course)
    shutil.rmtree(course / "classroom" / "submitted" / "ada")
    roster = course / "roster.csv"
    roster.write_text(roster.read_text("utf-8").replace("ada,Ada,X\n", ""), encoding="utf-8")
    assert (course / "classroom" / "results" / NAME / "ada.json").is_file()

    done = run("autograded", "grade", NAME, cwd=course)
    run("nbgrader", "autograde", NAME, "--force", cwd=course)
    run("autograded", "report", NAME, cwd=course)

    assert "(2 known already)" in done
    assert {student for student, _assignment in scores(course)} == {"emmy", "grace"}
    assert "ada" not in exported(course, *BY_US)
    assert counted(course) == ["emmy", "grace"]
    page = (course / "classroom" / "reports" / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Ada X" not in page
    checks = ("autograded", "export", NAME, "--format", "checks-csv", "--output", "checks.csv")
    run(*checks, cwd=course)
    with (course / "checks.csv").open(encoding="utf-8", newline="") as file:
        assert {row["student"] for row in csv.DictReader(file)} == {"emmy", "grace"}
