"""Late penalties: the bulk command takes them from where nbgrader does, and keeps them fresh."""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import Gradebook

from support import command
from test_instructor import hand_in

NAME = "relu_net"
SETTING = "\nc = get_config()\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"


def penalties(course: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{course}/classroom/gradebook.db") as gradebook:
        return {
            one.student.id: one.late_submission_penalty or 0.0
            for one in gradebook.assignment_submissions(NAME)
        }


def due(course: Path, moment: str) -> None:
    done = command("nbgrader", "db", "assignment", "add", NAME, f"--duedate={moment}", cwd=course)
    assert done.returncode == 0, done.stderr


def test_penalties_of_nbgrader_config_hold_and_follow_the_due_date(classroom: Path) -> None:
    configuration = classroom / "nbgrader_config.py"
    configuration.write_text(configuration.read_text() + SETTING)
    for student, stamp in (("on-time", "2026-03-01 11:59:59"), ("late", "2026-03-01 12:00:01")):
        notebook = hand_in(classroom, NAME, student, "perfect")
        (notebook.parent / "timestamp.txt").write_text(f"{stamp} UTC")
    due(classroom, "2026-03-01 12:00:00 UTC")

    assert command("autograded", "grade", NAME, cwd=classroom).returncode == 0
    by_us = penalties(classroom)
    assert command("nbgrader", "autograde", NAME, "--force", cwd=classroom).returncode == 0
    assert penalties(classroom) == by_us == {"on-time": 0.0, "late": 10.0}

    # Nobody's work has changed; what the due date makes of it has.
    due(classroom, "2026-03-02 12:00:00 UTC")
    again = command("autograded", "grade", NAME, cwd=classroom)
    assert "2 known already" in again.stdout
    assert penalties(classroom) == {"on-time": 0.0, "late": 0.0}


def test_a_configuration_that_cannot_be_run_is_a_sentence(classroom: Path) -> None:
    hand_in(classroom, NAME, "ada", "perfect")
    configuration = classroom / "nbgrader_config.py"
    configuration.write_text(configuration.read_text() + "\nno_such_name\n")

    done = command("autograded", "grade", NAME, cwd=classroom)

    assert done.returncode == 2
    assert "nbgrader_config.py cannot be run: NameError" in done.stderr
