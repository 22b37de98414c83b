"""Every case of tests/corpus/broken/ earns what the work in it is worth, however it is graded."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograded.course import Course
from autograded.grading.results import Result
from autograded.grading.session import Grader, Work, shared_sandbox
from autograded.i18n import use
from autograded.submissions.candidates import submitted
from autograded.submissions.reader import read_cells
from autograded.submissions.release import release_of
from autograded.submissions.repair import Repaired, repair
from submissions import corpus, corpus_cases  # noqa: F401 - registers the cases
from submissions.checks import assert_nbgrader_takes_it
from submissions.conftest import the_course
from support import ASSIGNMENTS, command

CASES = sorted(path.parent.name for path in corpus.FOLDER.glob("*/expected.json"))

pytestmark = pytest.mark.skipif(not CASES, reason="the corpus is not in this checkout")


def expected(case: str) -> dict[str, Any]:
    """What must come of a case."""
    found: dict[str, Any] = json.loads((corpus.FOLDER / case / "expected.json").read_text())
    return found


def hand_in(case: str, folder: Path) -> Path:
    """Copy a case's files into a submission's folder, all written now."""
    shutil.copytree(corpus.FOLDER / case / "handed_in", folder, copy_function=shutil.copyfile)
    return folder


@cache
def repaired(case: str, folder: Path) -> tuple[Repaired, Work]:
    """Choose, read and put right a case."""
    course, name = the_course(), expected(case)["assignment"]
    assignment = course.assignment(name)
    with use("en"):
        chosen = submitted(folder, course, name)
    work = chosen.candidate
    done = repair(work.content, work.filename, release_of(course, name), assignment, "en")
    handed_in = read_cells(done.notebook["cells"], work.content, work.filename, done.problem)
    return done, Work(handed_in, None, case, [*chosen.repairs, *done.repairs])


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A submission's folder for every case."""
    root = tmp_path_factory.mktemp("broken")
    return {case: hand_in(case, root / case) for case in CASES}


@pytest.fixture(scope="module")
def results(folders: dict[str, Path], course_as_it_is: Course) -> dict[str, Result]:
    """All cases graded, a batch an assignment."""
    found: dict[str, Result] = {}
    for name in ASSIGNMENTS:
        cases = [case for case in CASES if expected(case)["assignment"] == name]
        grader = Grader(course_as_it_is, name, shared_sandbox(course_as_it_is), seed="tests")
        works = [repaired(case, folders[case])[1] for case in cases]
        graded = grader.grade(works)
        found |= {case: one.result for case, one in zip(cases, graded, strict=True)}
    return found


def test_the_corpus_is_what_its_script_makes() -> None:
    assert corpus.drifted(corpus.FOLDER) == [], "run `make corpus`"


def test_every_row_has_cases() -> None:
    rows = [expected(case)["row"] for case in CASES]
    assert {row: rows.count(row) for row in range(20, 26) if rows.count(row) < 8} == {}


@pytest.mark.parametrize("case", CASES)
def test_repairs_are_named(case: str, folders: dict[str, Path]) -> None:
    _done, work = repaired(case, folders[case])
    assert sorted(one.id for one in work.repairs) == expected(case)["repairs"]
    assert all(one.message.strip() for one in work.repairs)


@pytest.mark.parametrize("case", CASES)
def test_nbgraders_own_checks_pass_after_repair(
    case: str, folders: dict[str, Path], course_as_it_is: Course
) -> None:
    done, _work = repaired(case, folders[case])
    assert_nbgrader_takes_it(
        done.notebook, release_of(course_as_it_is, expected(case)["assignment"])
    )


@pytest.mark.parametrize("case", CASES)
def test_a_repaired_notebook_needs_no_repair(
    case: str, folders: dict[str, Path], course_as_it_is: Course
) -> None:
    name = expected(case)["assignment"]
    done, _work = repaired(case, folders[case])
    again = repair(
        json.dumps(done.notebook).encode(),
        f"{name}.ipynb",
        release_of(course_as_it_is, name),
        course_as_it_is.assignment(name),
        "en",
    )
    assert again.repairs == []
    assert again.notebook == done.notebook


@pytest.mark.parametrize("case", CASES)
def test_the_score_is_that_of_the_work(case: str, results: dict[str, Result]) -> None:
    result, wanted = results[case], expected(case)
    assert result.score == wanted["score"], [
        (e.id, [c.message for c in e.checks if not c.passed]) for e in result.exercises
    ]
    assert (result.problem is None) == (wanted["problem"] is None)
    assert (wanted["problem"] or "") in (result.problem or "")
    assert sorted(one.id for one in result.repairs) == wanted["repairs"]


@pytest.mark.parametrize("assignment", ["training_loop", "pitfalls", "relu_net"])
@pytest.mark.parametrize("way", [("nbgrader", "autograde"), ("autograded", "grade")], ids=" ".join)
def test_every_command_gives_the_same_score(
    classroom: Path, assignment: str, way: tuple[str, str]
) -> None:
    cases = [case for case in CASES if expected(case)["assignment"] == assignment]
    for case in cases:
        hand_in(case, classroom / "classroom" / "submitted" / case / assignment)
    if way[0] == "nbgrader":
        # It does not look into a folder without a notebook of any name.
        submitted_folder = classroom / "classroom" / "submitted"
        cases = [case for case in cases if list((submitted_folder / case).glob("*/*.ipynb"))]
    done = command(*way, assignment, cwd=classroom)
    assert done.returncode == 0, done.stderr[-3000:]
    assert _scores(classroom, assignment) == {case: expected(case)["score"] for case in cases}


def _scores(classroom: Path, assignment: str) -> dict[str, float]:
    from nbgrader.api import Gradebook

    from autograded.gradebook.config import database_url

    with Gradebook(database_url(Course.load(classroom / "course.yml"))) as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(assignment)}


@pytest.mark.parametrize(
    "case",
    [
        "colab-after-pasting-into-a-new-notebook",
        "truncated-before-the-last-exercise",
        "a-python-file-without-cells",
        "everything-in-one-cell",
        "empty-file",
    ],
)
def test_grade_file_says_what_it_had_to_do(case: str, built_course: Path) -> None:
    wanted = expected(case)
    (path,) = (corpus.FOLDER / case / "handed_in").iterdir()
    done = command("autograded", "grade-file", path, "-a", wanted["assignment"], cwd=built_course)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["score"] == wanted["score"]
    assert sorted(one["id"] for one in document["repairs"]) == wanted["repairs"]
