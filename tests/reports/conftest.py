"""Fixtures: classes of made-up results, and a browser."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograded.course import Course
from autograded.reports.simulated import Simulated, simulate
from support import command


@dataclass(frozen=True)
class ReportedClass:
    """A class with made-up results and the report of it; tests only read it."""

    course: Course
    made: Simulated
    page: Path
    text: str


@pytest.fixture(scope="session")
def reported(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> ReportedClass:
    """A class of forty, reported on by the command."""
    folder = tmp_path_factory.mktemp("reported") / "course"
    shutil.copytree(built_course, folder, symlinks=True)
    course = Course.load(folder / "course.yml")
    made = simulate(course, 40)
    done = command("autograded", "report", cwd=folder)
    assert done.returncode == 0, done.stderr
    page = folder / "classroom" / "reports" / "class.html"
    return ReportedClass(course, made, page, page.read_text(encoding="utf-8"))
