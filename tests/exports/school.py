"""A class with people who are hard to tell apart, and results as grading writes them."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import sys
from datetime import datetime
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

from autograded import cli
from autograded.collecting.roster import Roster
from autograded.course import Course
from autograded.gradebook.config import course_id, database_url
from autograded.gradebook.rows import Entry, GradebookRows
from autograded.gradebook.store import Store
from autograded.gradebook.students import enrol
from autograded.grading.results import (
    CheckResult,
    DiagnosisResult,
    ExerciseResult,
    Flag,
    Result,
    WrittenAnswer,
    points,
)

ROSTER = """\
id,first_name,last_name,email,section,aliases
ada,Ada,Lovelace,ada@example.org,A,1001 S-77
zoe,Zoë,Łukasiewicz,zoe@example.org,A,1002
budi.s,Budi,Santoso,budi@example.org,B,
tan.1,Mei,Tan,mei.tan@example.org,B,1004
tan.2,Mei,Tan,mei.tan2@example.org,B,1005
formula,=1+1,"@SUM(A1), Jr.",formula@example.org,B,1006
late.enrolled,Nia,Hartono,nia@example.org,B,1007
"""
"""Everybody but late.enrolled has handed in."""

SHARES = {"ada": 1.0, "zoe": 0.75, "budi.s": 0.0, "tan.1": 1 / 3, "tan.2": 2 / 3, "formula": 0.5}
"""Of twelve checks of every exercise, what share each student passes."""

NAMES = ("relu_net", "pitfalls")
CHECKS = 12
MESSAGE = '=HYPERLINK("http://example.org"; "called f(\x1b[31m2.0)")\nreturned −3, "three"'


def command_line(*arguments: str | Path, cwd: Path) -> CompletedProcess[str]:
    """What the command does, in this process: starting another takes seconds each time.

    Every format is also tried as a real command by one test.
    """
    words = [str(word) for word in arguments]
    out, err = io.StringIO(), io.StringIO()
    status = 0
    before = Path.cwd()
    os.chdir(cwd)
    try:
        with (
            mock.patch.object(sys, "argv", words),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            cli.main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(bool(end.code))
    finally:
        os.chdir(before)
    return CompletedProcess(words, status, out.getvalue(), err.getvalue())


def result(course: Course, assignment: str, share: float) -> Result:
    """A result document in which every exercise has the same share of its points."""
    passed = round(CHECKS * share)
    known = course.assignment(assignment)
    exercises = [
        ExerciseResult(
            id=exercise.id,
            score=points(exercise.points * passed / CHECKS),
            max_score=exercise.points,
            checks=[
                CheckResult(
                    id=f"test_{number}",
                    title=f"check {number}, of {exercise.name}",
                    passed=number < passed,
                    weight=1.0,
                    message="" if number < passed else MESSAGE,
                    parts={} if number < passed else {"problem": MESSAGE, "expected": "SECRET"},
                )
                for number in range(CHECKS)
            ],
            diagnosis=[DiagnosisResult(misconception="no-factor-two", message="A factor 2.")]
            if 0 < share < 1
            else [],
        )
        for exercise in known.checked
    ]
    return Result(
        assignment=assignment,
        score=points(sum(exercise.score for exercise in exercises)),
        max_score=known.points,
        exercises=exercises,
        written=[WrittenAnswer(id=e.id, max_score=e.points) for e in known.written],
        flags=[Flag(kind="call-died", message="It died.")] if share == 0 else [],
        submission_sha256=f"{int(share * 100):064d}",
        sandbox="bubblewrap",
    )


def grade_everybody(folder: Path) -> None:
    """Write the class's results and gradebook rows for `NAMES`."""
    course = Course.load(folder / "course.yml")
    enrol(course, Roster.load(folder / "roster.csv").students)
    for name in NAMES:
        entries = []
        with Store(course.classroom / "results", name) as store:
            for student, share in SHARES.items():
                made = result(course, name, share)
                store.document(student, made.to_document())
                scores: dict[str, float | None] = {
                    f"{e.id.partition('.')[2]}-check": e.score for e in made.exercises
                }
                scores |= {e.id.partition(".")[2]: None for e in made.written}
                stamp = datetime(2026, 3, 1, 12, 30)
                entries.append(Entry(student, stamp, scores, {}))
        with GradebookRows(database_url(course), course_id(course), name) as rows:
            rows.write(entries)


def table(path: Path, delimiter: str = ",") -> list[list[str]]:
    """The cells of a table, however long: Python's own limit is shorter than an essay."""
    text = path.read_bytes().decode("utf-8-sig")
    before = csv.field_size_limit(2**24)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    finally:
        csv.field_size_limit(before)
