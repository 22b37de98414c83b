"""`autograded export`: opens the gradebook, chooses the export, and says what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograded.course import Course
from autograded.errors import AutogradedError, GradebookError
from autograded.exports.files import folder, write

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

    from autograded.exports.export import Export

_SQLITE = "sqlite:///"


@dataclass(frozen=True)
class Request:
    """What the command line asks for.

    Attributes:
        form: the format's name.
        assignments: of which assignments; of all when none is named.
        output: where to write; a place in classroom/exports by default.
        template: a downloaded gradebook or worksheet.
        column: the column to fill, where it cannot be told.
        students: of which students; of all when none is named.
        sandbox: how an autograder archive is to confine student code.
    """

    form: str
    assignments: Sequence[str] = ()
    output: Path | None = None
    template: Path | None = None
    column: str | None = None
    students: Sequence[str] = ()
    sandbox: str = "auto"


def run(course: Course, request: Request) -> bool:
    """Export; return whether everything there is could be written.

    Raises:
        AutogradedError: nothing could be written; what was there before still is.
    """
    for name in request.assignments:
        course.assignment(name)
    if request.template is not None and request.form not in ("canvas", "moodle"):
        raise AutogradedError(f"--format {request.form} takes no template; canvas and moodle do.")
    if request.form == "gradescope-autograder":
        return _autograder(course, request)
    if request.form == "github-classroom":
        return _repository(course, request)
    return _grades(course, request)


def _grades(course: Course, request: Request) -> bool:
    from autograded.exports.export import Wanted

    form, default = _exports()[request.form]
    to = request.output or folder(course.classroom / "exports") / _default(default, request)
    wanted = Wanted(request.assignments, request.students, request.template, request.column)
    with _gradebook(course) as gradebook:
        done = form(gradebook, course, wanted, to)
    for sentence in done.told:
        print(sentence, file=sys.stderr)
    for what in done.written:
        print(what)
    return done.complete


def _exports() -> dict[str, tuple[Export, str]]:
    """Each export of grades, and the name of what it writes."""
    from autograded.exports import export

    return {
        "csv": (export.export_csv, "grades.csv"),
        "canvas": (export.export_canvas, "canvas.csv"),
        "moodle": (export.export_moodle, "moodle.csv"),
        "gradescope": (export.export_gradescope, "gradescope"),
        "github": (export.export_github, "github"),
        "checks-csv": (export.export_checks_csv, "checks.csv"),
        "checks-parquet": (export.export_checks_parquet, "checks.parquet"),
    }


def _default(name: str, request: Request) -> str:
    """The name of the file; with the assignment's before it, when it is of one."""
    if len(request.assignments) == 1 and "." in name:
        return f"{request.assignments[0]}-{name}"
    return name


@contextmanager
def _gradebook(course: Course) -> Iterator[Gradebook]:
    from nbgrader.api import Gradebook
    from sqlalchemy.exc import SQLAlchemyError

    from autograded.gradebook.config import course_id, database_url

    url = database_url(course)
    if url.startswith(_SQLITE) and not Path(url.removeprefix(_SQLITE)).is_file():
        raise AutogradedError(
            f"There is no gradebook {url.removeprefix(_SQLITE)}: "
            "run `autograded build` and `autograded grade` first."
        )
    try:
        with Gradebook(url, course_id(course)) as gradebook:
            yield gradebook
    except SQLAlchemyError as error:
        said = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise GradebookError(f"The gradebook cannot be read: {said}.") from error


def _autograder(course: Course, request: Request) -> bool:
    from autograded.exports.gradescope_autograder import autograder
    from autograded.sandbox.confinement import NO_LANDLOCK

    assignment = _one(course, request)
    if request.sandbox == "landlock":
        raise AutogradedError(f"--sandbox landlock cannot be had anywhere: {NO_LANDLOCK}.")
    content = autograder(course, assignment, request.sandbox)
    to = request.output or folder(course.classroom / "exports") / f"{assignment}-autograder.zip"
    # It holds graders and the class's seed.
    write(to, content, 0o600)
    print(f"{to}: {len(content) / 2**20:.1f} MB")
    if request.sandbox == "off":
        print(
            "Students' code will run unconfined there: it can read the graders in the archive. "
            "docs/formats.md says what that means.",
            file=sys.stderr,
        )
    return True


def _repository(course: Course, request: Request) -> bool:
    from autograded.exports.github_workflow import repository

    assignment = _one(course, request)
    files = repository(course, assignment)
    to = request.output or course.classroom / "exports" / f"{assignment}-repository"
    for path, content in files.items():
        folder((to / path).parent)
        write(to / path, content)
    print(f"{to}: {len(files)} files; make it a template repository and choose it in Classroom.")
    return True


def _one(course: Course, request: Request) -> str:
    if len(request.assignments) != 1:
        raise AutogradedError(
            f"--format {request.form} is made for one assignment: name one of "
            f"{', '.join(course.assignments)}."
        )
    return request.assignments[0]
