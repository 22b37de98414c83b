"""Building for real: files, nbgrader's release, drift, and what must not be lost."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograded.authoring import build as building
from autograded.authoring.build import build, drift
from autograded.course import Course
from autograded.errors import AutogradedError, CourseError
from autograded.gradebook.config import DB_URL, database_url
from support import command

if TYPE_CHECKING:
    from authoring.conftest import SmallCourse


@pytest.fixture(autouse=True)
def _own_gradebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DB_URL, raising=False)


def files(course: Course) -> dict[str, str]:
    """Digests of everything below exercises/ and classroom/ but the gradebook."""
    return {
        str(path.relative_to(course.root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("exercises", "classroom")
        for path in sorted((course.root / folder).rglob("*"))
        if path.is_file() and path.name != "gradebook.db"
    }


def test_building_the_course_makes_every_form_and_building_again_changes_nothing(
    real_course: Course,
) -> None:
    built = build(real_course)
    assert [b.assignment for b in built] == list(real_course.assignments)
    for name in real_course.assignments:
        release = real_course.classroom / "release" / name
        assert {path.name for path in release.iterdir()} == {
            *(f"{name}.ipynb", f"test_{name}.py", "scenarios.py", "assignment.json")
        }
        text = (release / f"{name}.ipynb").read_text(encoding="utf-8")
        assert "SOLUTION" not in text
        assert "INSTEAD" not in text
    assert drift(real_course) == []
    before = files(real_course)
    assert [b.written for b in build(real_course)] == [()] * len(built)
    assert files(real_course) == before


def test_nbgrader_knows_the_points_of_every_exercise(real_course: Course) -> None:
    build(real_course)
    with Gradebook(database_url(real_course)) as gradebook:
        for name, assignment in real_course.assignments.items():
            cells = gradebook.find_notebook(name, name).grade_cells
            points = {cell.name: cell.max_score for cell in cells}
            assert points == {
                **{f"{e.name}-check": e.points for e in assignment.checked},
                **{e.name: e.points for e in assignment.written},
            }


def test_the_nbgrader_command_makes_the_same_release(small: SmallCourse) -> None:
    course = small.load()
    config = Path(__file__).parents[2] / "nbgrader_config.py"
    (course.root / "nbgrader_config.py").write_text(config.read_text(), encoding="utf-8")
    build(course)
    before = files(course)
    # As from an environment that was not activated: nbgrader looks for `alembic` on PATH.
    (course.classroom / "gradebook.db").unlink()
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "nbgrader", "generate_assignment", "small", "--force"),
        ],
        cwd=course.root,
        env={**os.environ, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert files(course) == before
    with Gradebook(database_url(course)) as gradebook:
        assert gradebook.find_assignment("small").max_score == 3


def test_an_answer_starts_as_its_author_wrote_it(small: SmallCourse) -> None:
    course = small.load()
    build(course)
    release = nbformat.read(course.classroom / "release" / "small" / "small.ipynb", 4)
    (answer,) = [cell for cell in release.cells if cell.id == "why"]
    assert answer.source == "*Your answer*"
    assert answer.metadata.nbgrader.checksum


def test_another_language_is_one_argument(small: SmallCourse) -> None:
    course = small.load()
    build(course, "id", release=False)
    stub = (small.exercises / "small.py").read_text(encoding="utf-8")
    source = (course.classroom / "source" / "small" / "small.ipynb").read_text(encoding="utf-8")
    assert "# # Kecil" in stub
    assert "Petunjuk 1 dari 3" in source
    assert "Hint 1" not in source


def test_drift_names_the_files_that_differ(small: SmallCourse) -> None:
    course = small.load()
    names = {"small.py", "README.md", "assignment.json"}
    assert {path.name for path in drift(course)} == names
    build(course, release=False)
    assert drift(course) == []
    small.edit("# Third.", "# Last.")
    assert [path.name for path in drift(course)] == ["assignment.json"]
    small.edit("# Double it.", "# Twice it.")
    assert [path.name for path in drift(course)] == ["small.py", "assignment.json"]


def test_work_in_a_stub_is_kept_and_all_else_is_built(small: SmallCourse) -> None:
    course = small.load()
    stub = small.exercises / "small.py"
    build(course, release=False)
    small.edit("raise NotImplementedError()", "return x + x", stub)
    (small.exercises / "README.md").unlink()

    done = command("autograded", "build", cwd=small.root)

    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.endswith(
        ", release in classroom/release/small; "
        "kept exercises/small/small.py, which was worked in (--force overwrites)"
    )
    assert "return x + x" in stub.read_text(encoding="utf-8")
    assert (small.exercises / "README.md").is_file()
    release = course.classroom / "release" / "small" / "small.ipynb"
    assert "return x + x" not in release.read_text(encoding="utf-8")

    forced = command("autograded", "build", "--no-release", "--force", cwd=small.root)
    assert forced.returncode == 0, forced.stderr
    assert "kept" not in forced.stdout
    assert "return x + x" not in stub.read_text(encoding="utf-8")


def test_the_check_for_drift_tells_work_in_a_stub_from_an_old_file(small: SmallCourse) -> None:
    build(small.load(), release=False)
    small.edit("raise NotImplementedError()", "return x + x", small.exercises / "small.py")

    worked = command("autograded", "build", "--check", cwd=small.root)
    (small.exercises / "README.md").unlink()
    both = command("autograded", "build", "--check", cwd=small.root)

    assert (worked.returncode, both.returncode) == (1, 1)
    assert worked.stderr.splitlines() == [
        "worked in: exercises/small/small.py",
        "`autograded build` keeps what was worked in: move it away, or build with --force.",
    ]
    assert "drifted: exercises/small/README.md" in both.stderr
    assert "Run `autograded build` and commit what it writes." in both.stderr


def test_a_fault_in_one_source_leaves_all_files_as_they_were(real_course: Course) -> None:
    last = list(real_course.assignments)[-1]
    path = real_course.solutions(last)
    path.write_text(path.read_text(encoding="utf-8").replace("### END SOLUTION", "", 1), "utf-8")
    before = files(real_course)
    with pytest.raises(CourseError, match=r"pitfalls\.py:\d+: BEGIN SOLUTION without"):
        build(real_course)
    assert files(real_course) == before


def test_missing_public_checks_are_named(small: SmallCourse) -> None:
    (small.exercises / "test_small.py").unlink()
    with pytest.raises(CourseError, match=r"course\.yml:7: assignment small has no public checks"):
        build(small.load())


def test_a_release_that_fails_leaves_the_old_one(
    small: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = small.load()
    build(course)
    release = course.classroom / "release" / "small" / "small.ipynb"
    before = release.read_bytes()
    with Gradebook(database_url(course)) as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission("small", "ada")
    small.edit("# %%\nimport math\n", "")
    with pytest.raises(AutogradedError, match=r"intro-code-1.*grades hang on them") as caught:
        build(course)
    assert "\n" not in str(caught.value)
    assert release.read_bytes() == before
    assert [path.name for path in course.classroom.glob(".building*")] == []


def test_a_release_whose_place_cannot_be_taken_leaves_the_old_one(
    small: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, place = small.root / "new", small.root / "release" / "small"
    for folder in (new, place):
        folder.mkdir(parents=True)
        (folder / "name.txt").write_text(folder.name, encoding="utf-8")
    rename = Path.rename

    def fail_for_new(self: Path, target: Path) -> Path:
        if self == new:
            raise OSError("no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_for_new)
    with pytest.raises(OSError, match="no"):
        building._exchange(new, place)
    assert (place / "name.txt").read_text(encoding="utf-8") == "small"


def test_the_environment_names_the_gradebook(
    small: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = small.load()
    assert database_url(course) == f"sqlite:///{small.root}/classroom/gradebook.db"
    small.edit("ideas:", "db_url: postgresql://localhost/grades\nideas:", small.root / "course.yml")
    course = small.load()
    assert database_url(course) == "postgresql://localhost/grades"
    monkeypatch.setenv(DB_URL, "sqlite:////tmp/other.db")
    assert database_url(course) == "sqlite:////tmp/other.db"
