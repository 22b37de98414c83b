"""A course and its releases, for tests that repair without grading."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from autograded.course import Course
from autograded.submissions.release import release_of
from autograded.submissions.repair import Repaired, repair
from submissions.corpus import ROOT

Repair = Callable[..., Repaired]


@cache
def the_course() -> Course:
    return Course.load(ROOT / "course.yml")


def repaired(
    content: bytes, assignment: str = "training_loop", filename: str | None = None
) -> Repaired:
    """Repair a file against the assignment's release."""
    course = the_course()
    return repair(
        content,
        filename or f"{assignment}.ipynb",
        release_of(course, assignment),
        course.assignment(assignment),
        "en",
    )


@pytest.fixture(scope="session")
def course_as_it_is() -> Course:
    """The course of this checkout; tests only read it."""
    return the_course()
