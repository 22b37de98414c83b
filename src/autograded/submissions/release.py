"""The notebook students got, made in memory: grading one file needs no classroom."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograded.course import Course
from autograded.errors import AutogradedError, why

_made: dict[tuple[Path, str, str, int], dict[str, Any]] = {}


def release_of(course: Course, assignment: str) -> dict[str, Any]:
    """The released notebook of an assignment as plain data, the same object every time.

    Raises:
        CourseError: solutions/ or course.yml is not as it must be.
    """
    path = course.solutions(assignment)
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    key = (path, course.language, course.assignment(assignment).model_dump_json(), changed)
    if key not in _made:
        _made[key] = _release(course, assignment)
    return _made[key]


def released(course: Course, assignment: str) -> dict[str, Any]:
    """The notebook in classroom/release, which nbgrader's gradebook knows, or else `release_of`.

    Raises:
        AutogradedError: it is no notebook.
        CourseError: solutions/ or course.yml is not as it must be.
    """
    path = course.classroom / "release" / assignment / f"{assignment}.ipynb"
    if not path.is_file():
        return release_of(course, assignment)
    return _read(path, path.stat().st_mtime_ns)


def require_exercises(course: Course, assignment: str) -> None:
    """Refuse a release that lacks an exercise: it would be in the results, not in the gradebook.

    Raises:
        AutogradedError: naming what is missing.
    """
    try:
        cells = released(course, assignment)["cells"]
        there = {cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells}
    except (KeyError, TypeError, AttributeError):
        raise AutogradedError(
            f"The release of {assignment} is not a notebook; run `autograded build {assignment}` "
            "again."
        ) from None
    missing = [name for name in course.assignment(assignment).exercises if name not in there]
    if missing:
        raise AutogradedError(
            f"{assignment} was released without {', '.join(missing)}, which course.yml has: "
            f"run `autograded build {assignment}` first."
        )


@lru_cache(maxsize=16)
def _read(path: Path, changed: int) -> dict[str, Any]:
    try:
        notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AutogradedError(
            f"{path} is not a notebook ({why(error)}); run `autograded build` again."
        ) from error
    return notebook


def _release(course: Course, assignment: str) -> dict[str, Any]:
    # They import nbformat, which whoever finds a released notebook does without.
    from autograded.authoring.notebooks import notebook
    from autograded.authoring.source import Source
    from autograded.authoring.stubs import stub

    made = notebook(Source.load(course, assignment), course.language)
    cells = []
    for cell in made.cells:
        known = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and known.get("solution"):
            cell.source = stub(cell.source)
        cells.append(_plain(cell))
    return {
        "cells": cells,
        "metadata": _plain(made.metadata),
        "nbformat": made.nbformat,
        "nbformat_minor": made.nbformat_minor,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
