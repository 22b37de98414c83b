"""A class whose grades are written down without running anybody's code."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from exports.school import ROSTER, grade_everybody


@pytest.fixture(scope="session")
def graded_course(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a graded class; tests only read it."""
    folder = tmp_path_factory.mktemp("graded") / "course"
    shutil.copytree(built_course, folder, symlinks=True)
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    grade_everybody(folder)
    return folder


@pytest.fixture
def school(graded_course: Path, tmp_path: Path) -> Path:
    """A copy of the graded course, that a test may change."""
    folder = tmp_path / "course"
    shutil.copytree(graded_course, folder, symlinks=True)
    return folder


@pytest.fixture
def explained(school: Path) -> Path:
    """The class, with Ada's written answer graded by a person, and Zoë's work late."""
    with sqlite3.connect(school / "classroom" / "gradebook.db") as database:
        database.execute(
            """update grade set manual_score = 1.5, extra_credit = 0.25, needs_manual_grade = 0
            where cell_id in (select id from base_cell where name = 'explain')
            and notebook_id in (select n.id from submitted_notebook n
                join submitted_assignment s on s.id = n.assignment_id where s.student_id = 'ada')"""
        )
        database.execute(
            """update submitted_notebook set late_submission_penalty = 2
            where assignment_id in
                (select id from submitted_assignment where student_id = 'zoe')"""
        )
    return school
