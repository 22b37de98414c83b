"""What a report says of the gradebook is what nbgrader itself says of it."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograded.course import Course
from autograded.gradebook.config import course_id
from autograded.reports.gradebook_rows import Row, read_gradebook
from autograded.reports.simulated import simulate
from bulk.conftest import postgres  # noqa: F401 - a fixture
from reports.classes import all_of, report, result, write_results
from reports.test_class_report import visible
from support import command


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, classroom: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{classroom / 'classroom' / 'gradebook.db'}"
    found: str = request.getfixturevalue("postgres").database("report")
    monkeypatch.setenv("AUTOGRADED_DB_URL", found)
    built = command("autograded", "build", "pitfalls", cwd=classroom)
    assert built.returncode == 0, built.stderr
    return found


def test_scores_penalties_and_lateness_are_nbgraders_own(url: str, classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    simulate(course, 24, assignments=["pitfalls"], seed=3)
    draw = random.Random(3)
    with Gradebook(url, course_id(course)) as gradebook:
        for submission in gradebook.assignment_submissions("pitfalls"):
            student = submission.student.id
            if draw.random() < 0.3:
                gradebook.update_or_create_submission(
                    "pitfalls", student, extension=timedelta(hours=draw.randrange(48))
                )
            for grade in submission.notebooks[0].grades:
                if draw.random() < 0.4:
                    grade.manual_score = draw.randrange(3)
                    grade.needs_manual_grade = False
                if draw.random() < 0.2:
                    grade.extra_credit = 0.5
        gradebook.db.commit()
        expected = {
            submission.student.id: Row(
                submission.timestamp,
                timedelta(seconds=submission.total_seconds_late) or None,
                max(0.0, submission.score - submission.late_submission_penalty),
                submission.late_submission_penalty,
                submission.needs_manual_grade,
            )
            for submission in gradebook.assignment_submissions("pitfalls")
        }
        names = {s.id: f"{s.first_name} {s.last_name}" for s in gradebook.students}
    found = read_gradebook(course, ["pitfalls"])
    assert found.students == names
    rows = found.rows["pitfalls"]
    assert {k: (r.timestamp, r.late, r.needs_person) for k, r in rows.items()} == {
        k: (r.timestamp, r.late, r.needs_person) for k, r in expected.items()
    }
    for student, row in expected.items():
        assert (rows[student].score, rows[student].penalty) == pytest.approx(
            (row.score, row.penalty)
        )
    assert any(row.late for row in rows.values())
    assert any(row.penalty for row in rows.values())
    assert len({row.needs_person for row in rows.values()}) == 2


def test_a_roster_says_who_is_missing_and_who_is_a_stranger(classroom: Path) -> None:
    (classroom / "roster.csv").write_text("id,name\nada,Ada Lovelace\nbudi,Budi Santoso\n")
    course = Course.load(classroom / "course.yml")
    write_results(course, {"ada": result(all_of(True)), "zoe": result(all_of(True))})
    (classroom / "classroom" / "submitted" / "eko" / "relu_net").mkdir(parents=True)
    text = visible(report(classroom, "relu_net"))
    assert "Missing (1): budi" in text
    assert "Not in the class (2): eko, zoe" in text
    assert "Handed in, without a result (1): eko. Run autograded grade relu_net" in text
    assert "Ada Lovelace" in text


def test_reading_changes_nothing(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    simulate(course, 6, assignments=["relu_net"])
    database = classroom / "classroom" / "gradebook.db"
    before = database.read_bytes()
    results = sorted((classroom / "classroom" / "results").rglob("*.json"))
    texts = [path.read_bytes() for path in results]
    report(classroom)
    assert database.read_bytes() == before
    assert [path.read_bytes() for path in results] == texts
