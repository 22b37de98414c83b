"""The exports, each in one call: what is written where, and what to say about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbgrader.api import Gradebook

from autograded.collecting.roster import FILE, Roster, is_usable
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.exports import canvas, moodle
from autograded.exports.files import folder, write
from autograded.exports.filling import Told, waiting, waiting_line
from autograded.exports.grades import Graded, chosen, graded, max_scores, people
from autograded.exports.nbgrader_csv import nbgrader_csv
from autograded.exports.template import Template
from autograded.i18n import use
from autograded.reports.table import plain
from autograded.text import some

if TYPE_CHECKING:
    from autograded.exports.results import Outcome
    from autograded.grading.results import Result


@dataclass(frozen=True)
class Wanted:
    """What to export.

    Attributes:
        assignments: of which assignments; of all when none is named.
        students: of which students; of all when none is named.
        template: a downloaded gradebook or worksheet.
        column: the column to fill, where it cannot be told.
    """

    assignments: Sequence[str] = ()
    students: Sequence[str] = ()
    template: Path | None = None
    column: str | None = None


@dataclass
class Exported:
    """What an export came to: what it wrote, sentences about it, and whether that is all of it."""

    written: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    complete: bool = True


Export = Callable[[Gradebook, Course, Wanted, Path], Exported]


def export_csv(gradebook: Gradebook, course: Course, wanted: Wanted, to: Path) -> Exported:
    """nbgrader's CSV."""
    path = course.root / FILE
    roster = Roster.load(path).students if path.is_file() else ()
    write(to, nbgrader_csv(gradebook, wanted.assignments, wanted.students, roster))
    done = Exported([str(to)])
    for name in chosen(gradebook, wanted.assignments):
        _note_waiting(done, name, graded(gradebook, name, wanted.students))
    return done


def export_canvas(gradebook: Gradebook, course: Course, wanted: Wanted, to: Path) -> Exported:
    """Grades into a gradebook of Canvas: a column for each assignment."""
    template = Template(_template(wanted, "the gradebook: Grades, Export, Export Entire Gradebook"))
    names = chosen(gradebook, wanted.assignments)
    if wanted.column is not None and len(names) != 1:
        raise AutogradedError("--column names the column of one assignment: name that, too.")
    done = Exported()
    roster = people(gradebook, course)
    for name in names:
        grades = graded(gradebook, name, wanted.students)
        told = canvas.fill(template, course.assignment(name), grades, roster, wanted.column)
        _note(done, told, name)
    write(to, template.content())
    done.written.append(str(to))
    return done


def export_moodle(gradebook: Gradebook, course: Course, wanted: Wanted, to: Path) -> Exported:
    """Grades into a worksheet of Moodle."""
    template = Template(
        _template(wanted, "the worksheet: the assignment, Download grading worksheet")
    )
    name = _one(gradebook, wanted)
    told = moodle.fill(
        template,
        name,
        max_scores(gradebook).get(name, 0.0),
        graded(gradebook, name, wanted.students),
        people(gradebook, course),
        wanted.column,
    )
    done = Exported()
    _note(done, told, name)
    write(to, template.content())
    done.written.append(str(to))
    return done


def export_gradescope(gradebook: Gradebook, course: Course, wanted: Wanted, to: Path) -> Exported:
    """A folder with a `results.json` for every student."""
    from autograded.exports.gradescope import gradescope

    return _documents(gradebook, course, wanted, to, gradescope, "{student}/results.json")


def export_github(gradebook: Gradebook, course: Course, wanted: Wanted, to: Path) -> Exported:
    """A folder with GitHub Classroom's document for every student."""
    from autograded.exports.github import github_classroom

    return _documents(gradebook, course, wanted, to, github_classroom, "{student}.json")


def export_checks_csv(gradebook: Gradebook, course: Course, wanted: Wanted, to: Path) -> Exported:
    """A CSV with a row for every student and check."""
    from autograded.exports.checks import as_csv

    return _checks(gradebook, course, wanted, to, as_csv)


def export_checks_parquet(
    gradebook: Gradebook, course: Course, wanted: Wanted, to: Path
) -> Exported:
    """A Parquet file with a row for every student and check."""
    from autograded.exports.checks import as_parquet, require_parquet

    require_parquet()
    return _checks(gradebook, course, wanted, to, as_parquet)


def _template(wanted: Wanted, how: str) -> Path:
    if wanted.template is None:
        raise AutogradedError(f"Name with --template what you downloaded ({how}).")
    return wanted.template


def _one(gradebook: Gradebook, wanted: Wanted) -> str:
    names = chosen(gradebook, wanted.assignments)
    if len(names) != 1:
        raise AutogradedError(
            f"This format holds one assignment: name one of {', '.join(names) or 'none'}."
        )
    return names[0]


def _note(done: Exported, told: Told, assignment: str) -> None:
    replaced = f", {told.replaced} of them in the place of another" if told.replaced else ""
    done.written.append(f"{assignment}: {told.written} grades in {told.column!r}{replaced}")
    done.told += [f"{assignment}: {line}" for line in told.lines()]
    done.complete &= told.complete


def _note_waiting(done: Exported, assignment: str, grades: Mapping[str, Graded]) -> None:
    done.told += [f"{assignment}: {line}" for line in waiting_line(waiting(grades.values()))]


def _documents(
    gradebook: Gradebook,
    course: Course,
    wanted: Wanted,
    to: Path,
    form: Callable[[Outcome], dict[str, Any]],
    name: str,
) -> Exported:
    from autograded.exports.results import merged

    done = Exported()
    for assignment in chosen(gradebook, wanted.assignments):
        grades = graded(gradebook, assignment, wanted.students)
        known = _results(course, assignment, wanted.students, done)
        for student, grade in grades.items():
            if not is_usable(student):
                done.told.append(f"{plain(student)!r} cannot be the name of a file.")
                done.complete = False
                continue
            with use(course.language):
                outcome = merged(assignment, known.get(student), grade, course.feedback)
                document = form(outcome)
            path = to / assignment / name.format(student=student)
            folder(path.parent)
            text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
            write(path, text.encode("utf-8", "replace"))
        _note_waiting(done, assignment, grades)
        _without(done, grades, known, "only points are in theirs")
        done.written.append(f"{to / assignment}: {len(grades)} results")
    return done


def _checks(
    gradebook: Gradebook,
    course: Course,
    wanted: Wanted,
    to: Path,
    form: Callable[[list[dict[str, Any]]], bytes],
) -> Exported:
    from autograded.exports.checks import rows

    done = Exported()
    found: list[dict[str, Any]] = []
    for assignment in chosen(gradebook, wanted.assignments):
        grades = graded(gradebook, assignment, wanted.students)
        known = _results(course, assignment, wanted.students, done)
        # A student who was taken out of the gradebook may have left a document behind.
        theirs = ((student, result) for student, result in known.items() if student in grades)
        found += rows(assignment, theirs, grades)
        if _without(done, grades, known, "they are not in the table"):
            done.complete = False
    write(to, form(found))
    done.written.append(f"{to}: {len(found)} rows")
    return done


def _results(
    course: Course, assignment: str, students: Sequence[str], done: Exported
) -> dict[str, Result]:
    """The result documents by student; those that cannot be read are told of."""
    from autograded.exports.results import documents

    known: dict[str, Result] = {}
    for student, result in documents(course.classroom / "results", assignment):
        if students and student not in students:
            continue
        if isinstance(result, AutogradedError):
            done.told.append(str(result))
            done.complete = False
        else:
            known[student] = result
    return known


def _without(
    done: Exported, grades: dict[str, Graded], known: dict[str, Result], so: str
) -> list[str]:
    """Tell of students who are graded and have no result document."""
    missing = [student for student in grades if student not in known]
    if missing:
        done.told.append(
            f"{len(missing)} have no result document, so {so}: {some(missing)}. "
            "`autograded grade` writes them; `nbgrader autograde` does not."
        )
    return missing
