"""The folders of one submission: what was handed in, and what autograding leaves.

Imports no torch: the command that writes grades down needs none.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograded.course import Course
from autograded.errors import GradebookError, why
from autograded.submissions.files import is_text

_READ_ONLY = 0o444  # as nbgrader leaves autograded files


def write_autograded(
    course: Course, student: str, assignment: str, notebook: str, files: Mapping[str, bytes]
) -> None:
    """Put classroom/autograded/<student>/<assignment> in place at once.

    It holds the notebook, the files the student handed in beside it, and over them the
    assignment's own, as nbgrader leaves it.
    """
    place = course.classroom / "autograded" / student / assignment
    # One run at a time works on a class, so that what an interrupted one left is found again.
    new = place.with_name(f".{assignment}.new")
    try:
        shutil.rmtree(new, ignore_errors=True)
        contents = {**files, **dict(_masters(course, assignment))}
        contents[f"{assignment}.ipynb"] = notebook.encode()
        for name, content in contents.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(_READ_ONLY)
        _exchange(new, place)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        raise GradebookError(
            f"{place} cannot be written: {why(error)}; make room or make it writable, "
            "and start again."
        ) from error


def _masters(course: Course, assignment: str) -> Iterator[tuple[str, bytes]]:
    """The files of classroom/source that nbgrader copies over a student's."""
    source = course.classroom / "source" / assignment
    for path in sorted(source.rglob("*")):
        hidden = any(part.startswith((".", "__")) for part in path.relative_to(source).parts)
        if path.is_file() and path.suffix != ".ipynb" and not hidden:
            yield str(path.relative_to(source)), path.read_bytes()


def _exchange(new: Path, place: Path) -> None:
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        new.rename(place)
        return
    old = new.with_suffix(".old")
    shutil.rmtree(old, ignore_errors=True)
    place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def submitted_files(folder: Path, most: int = 16 * 2**20) -> dict[str, bytes]:
    """The files a student handed in beside the notebook: small, regular, by relative name.

    Links, devices, pipes and names that are no text are left out, and everything past `most` bytes
    together.
    """
    found: dict[str, bytes] = {}
    size = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            path = Path(parent) / name
            known = path.lstat()
            if not stat.S_ISREG(known.st_mode) or path.suffix in (".ipynb", ".html", ".pyc"):
                continue
            if not is_text(str(path.relative_to(folder))):
                continue
            size += known.st_size
            if size <= most:
                found[str(path.relative_to(folder))] = path.read_bytes()
    return found
