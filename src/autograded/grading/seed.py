"""The course's secret seed: hidden checks draw their inputs from it."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from autograded.course import Course
from autograded.errors import CourseError, why

VARIABLE = "AUTOGRADED_SEED"


def course_seed(course: Course) -> str:
    """Return the seed: from the environment, else from classroom/.seed, made when missing.

    It must stay the same for a class: with it the same submission always gets the same score. The
    file is readable by its owner only and never enters a notebook or a student's process.
    """
    given = os.environ.get(VARIABLE)
    if given:
        return given
    path = course.classroom / ".seed"
    try:
        course.classroom.mkdir(exist_ok=True)
        if not path.exists():
            _create(path)
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(
            f"The course's seed in {path} cannot be read or made ({why(error)}); "
            f"make the folder writable, or set {VARIABLE}."
        ) from error


def _create(path: Path) -> None:
    # Written aside and linked into place: two commands that start at once agree on one seed, and
    # neither can read half of it.
    aside = path.with_name(f".seed.{os.getpid()}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(16) + "\n")
    try:
        with contextlib.suppress(FileExistsError):
            os.link(aside, path)
    finally:
        aside.unlink()
