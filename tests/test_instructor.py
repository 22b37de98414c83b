"""The instructor's door: plain nbgrader commands and `autograded grade` on one class."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from autograded.course import Course
from autograded.simulation import Simulator
from support import ASSIGNMENTS, command


def hand_in(course: Path, assignment: str, student: str, kind: Any) -> Path:
    release = course / "classroom" / "release" / assignment
    folder = course / "classroom" / "submitted" / student / assignment
    shutil.copytree(release, folder)
    notebook = folder / f"{assignment}.ipynb"
    simulator = Simulator(Course.load(course / "course.yml"), assignment, notebook)
    if kind != "untouched":
        text = simulator.hand_in(kind, student).text
        assert text is not None
        notebook.write_text(text, encoding="utf-8")
    return notebook


def scores(course: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Automatic scores by (student, assignment), read from nbgrader's own tables."""
    query = """
        select s.student_id, a.name, c.name, g.auto_score, g.needs_manual_grade
        from grade g
        join base_cell c on c.id = g.cell_id
        join submitted_notebook n on n.id = g.notebook_id
        join submitted_assignment s on s.id = n.assignment_id
        join assignment a on a.id = s.assignment_id
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    with sqlite3.connect(course / "classroom" / "gradebook.db") as database:
        for student, assignment, cell, score, manual in database.execute(query):
            found.setdefault((student, assignment), {})[cell] = (score, bool(manual))
    return found


def comments(course: Path) -> list[tuple[Any, ...]]:
    query = """
        select s.student_id, c.name, m.auto_comment
        from comment m
        join base_cell c on c.id = m.cell_id
        join submitted_notebook n on n.id = m.notebook_id
        join submitted_assignment s on s.id = n.assignment_id
        order by 1, 2
    """
    with sqlite3.connect(course / "classroom" / "gradebook.db") as database:
        return database.execute(query).fetchall()


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_nbgrader_grade_and_grade_file_agree(classroom: Path, assignment: str) -> None:
    kinds = ["perfect", "untouched", "mistaken", "unfinished", "broken"]
    for kind in kinds:
        hand_in(classroom, assignment, kind, kind)
    bulk = classroom.with_name("bulk")
    shutil.copytree(classroom, bulk)

    plain = command("nbgrader", "autograde", assignment, "--create", cwd=classroom)
    fast = command("autograded", "grade", assignment, cwd=bulk)

    assert plain.returncode == 0, plain.stderr
    assert fast.returncode == 0, fast.stderr
    by_nbgrader = scores(classroom)
    assert by_nbgrader == scores(bulk)
    assert comments(classroom) == comments(bulk)
    totals = {}
    for kind in kinds:
        cells = by_nbgrader[kind, assignment]
        totals[kind] = sum(score for score, _ in cells.values() if score is not None)
        result, by_plain = (
            json.loads((root / "classroom" / "results" / assignment / f"{kind}.json").read_bytes())
            for root in (bulk, classroom)
        )
        assert by_plain == result
        if kind in ("perfect", "mistaken"):
            path = classroom / "classroom" / "submitted" / kind / assignment
            notebook = path / f"{assignment}.ipynb"
            done = command("autograded", "grade-file", notebook, "-a", assignment, cwd=classroom)
            assert json.loads(done.stdout) == {**result, "student": None}
        assert result["score"] == pytest.approx(totals[kind])
        for exercise in result["exercises"]:
            name = exercise["id"].partition(".")[2]
            assert cells[f"{name}-check"] == (exercise["score"], False)
        notebooks = [
            (root / "classroom" / "autograded" / kind / assignment / f"{assignment}.ipynb")
            for root in (classroom, bulk)
        ]
        assert comparable(notebooks[0]) == comparable(notebooks[1])
    assert totals["perfect"] == 10
    assert totals["untouched"] == 0
    assert 0 < totals["unfinished"] < 10
    assert totals["mistaken"] < 10


def comparable(path: Path) -> Any:
    """A notebook without what differs between any two runs of one cell: addresses of objects."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.sub(r"0x[0-9a-f]{6,}", "0x", text))


def test_feedback_shows_messages_and_no_hidden_check(classroom: Path) -> None:
    hand_in(classroom, "relu_net", "ada", "mistaken")
    assert command("autograded", "grade", "relu_net", cwd=classroom).returncode == 0

    done = command("nbgrader", "generate_feedback", "relu_net", cwd=classroom)

    assert done.returncode == 0, done.stderr
    page = (classroom / "classroom/feedback/ada/relu_net/relu_net.html").read_text()
    assert 'class="checks"' in page
    assert "✗" in page
    for grader in (classroom / "graders" / "relu_net").glob("*.py"):
        for line in grader.read_text().splitlines():
            if line.strip().startswith("assert_agrees("):
                assert line.strip() not in page
    assert "src/autograded" not in page


def test_export_is_quoted_and_harmless(classroom: Path) -> None:
    hand_in(classroom, "relu_net", "ada", "perfect")
    assert command("autograded", "grade", "relu_net", cwd=classroom).returncode == 0
    with sqlite3.connect(classroom / "classroom" / "gradebook.db") as database:
        database.execute(
            "update student set last_name = 'Lovelace, \"Countess\"', first_name = '=1+1'"
        )

    done = command("nbgrader", "export", "--to=grades.csv", cwd=classroom)

    assert done.returncode == 0, done.stderr
    with (classroom / "grades.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    (row,) = [row for row in rows if row["assignment"] == "relu_net"]
    assert row["last_name"] == 'Lovelace, "Countess"'
    assert row["first_name"] == "'=1+1"
    assert (row["score"], row["max_score"]) == ("10.0", "10.0")


def test_a_second_run_grades_nothing_again(classroom: Path) -> None:
    for student in ("ada", "emmy"):
        hand_in(classroom, "relu_net", student, "perfect")
    first = command("autograded", "grade", "relu_net", cwd=classroom)
    before = scores(classroom)

    second = command("autograded", "grade", "relu_net", cwd=classroom)

    assert "(0 known already)" in first.stdout
    assert "(2 known already)" in second.stdout
    assert scores(classroom) == before


def test_a_resubmission_and_a_changed_grader_are_graded_again(classroom: Path) -> None:
    notebook = hand_in(classroom, "relu_net", "ada", "untouched")
    command("autograded", "grade", "relu_net", cwd=classroom)
    shutil.rmtree(notebook.parent)
    hand_in(classroom, "relu_net", "ada", "perfect")

    again = command("autograded", "grade", "relu_net", cwd=classroom)
    resubmitted = scores(classroom)["ada", "relu_net"]
    grader = classroom / "graders" / "relu_net" / "test_forward.py"
    grader.write_text(grader.read_text() + "\n")
    changed = command("autograded", "grade", "relu_net", cwd=classroom)

    assert "(0 known already)" in again.stdout
    assert sum(score for score, _ in resubmitted.values()) == 10
    assert "(0 known already)" in changed.stdout


def test_manual_scores_and_comments_survive_a_regrade(classroom: Path) -> None:
    hand_in(classroom, "pitfalls", "ada", "perfect")
    command("autograded", "grade", "pitfalls", cwd=classroom)
    with sqlite3.connect(classroom / "classroom" / "gradebook.db") as database:
        cell = "(select id from base_cell where name = 'explain' and type = '{}')"
        database.execute(
            "update grade set manual_score = 1.5, needs_manual_grade = 0 "
            f"where cell_id = {cell.format('GradeCell')}"
        )
        database.execute(
            "update comment set manual_comment = 'well said' "
            f"where cell_id = {cell.format('SolutionCell')}"
        )

    again = command("autograded", "grade", "pitfalls", "--force", cwd=classroom)
    feedback = command("nbgrader", "generate_feedback", "pitfalls", cwd=classroom)

    assert feedback.returncode == 0, feedback.stderr
    page = classroom / "classroom" / "feedback" / "ada" / "pitfalls" / "pitfalls.html"
    with sqlite3.connect(classroom / "classroom" / "gradebook.db") as database:
        kept = database.execute(
            "select manual_score from grade where manual_score is not null"
        ).fetchall()
        said = database.execute(
            "select manual_comment from comment where manual_comment is not null"
        ).fetchall()
    assert kept == [(1.5,)]
    assert said == [("well said",)]
    assert "Points that a person gave before count until they are confirmed there: ada" in (
        again.stdout
    )
    assert "Some points are those that your teacher gave before" in page.read_text()
    assert "not read yet" not in page.read_text()


def test_what_to_look_at_is_said_again_of_unchanged_work(classroom: Path) -> None:
    hand_in(classroom, "pitfalls", "ada", "perfect")
    (classroom / "classroom/submitted/ada/pitfalls/pitfalls.ipynb").write_text("")

    first = command("autograded", "grade", "pitfalls", cwd=classroom)
    second = command("autograded", "grade", "pitfalls", cwd=classroom)

    assert "(1 known already)" in second.stdout
    for done in (first, second):
        assert "ada: unreadable: The file is empty" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["grade", "nonesuch"], "There is no assignment 'nonesuch'"),
        (["grade", "relu_net"], "Nobody has handed in relu_net"),
        (["grade", "relu_net", "--student", "zoe"], "zoe handed in nothing"),
    ],
)
def test_what_cannot_run_is_one_sentence(
    classroom: Path, arguments: list[str], sentence: str
) -> None:
    done = command("autograded", *arguments, cwd=classroom)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_grading_before_building_says_what_to_do(course: Path) -> None:
    folder = course / "classroom" / "submitted" / "ada" / "relu_net"
    folder.mkdir(parents=True)

    done = command("autograded", "grade", "relu_net", cwd=course)

    assert done.returncode == 2
    assert "run `autograded build relu_net` first" in done.stderr
