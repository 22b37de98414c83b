"""What `autograded collect` does and prints."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.markup import escape as _markup
from rich.table import Table

from autograded.collecting.collect import Collected, Collection, collect, write
from autograded.collecting.downloads import files
from autograded.collecting.roster import FILE, Roster
from autograded.collecting.versions import STATES
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.reports.table import plain

_NAMES = 20
"""Students of whom nothing came that are named."""


def run(
    course: Course,
    assignment: str,
    source: Path,
    *,
    roster: Path | None = None,
    enrol: bool = False,
    dry_run: bool = False,
) -> bool:
    """Collect a download into classroom/submitted and say what became of every file's owner.

    Returns whether everybody in it was recognised and handed in something to grade, and nothing
    that may matter was left out.

    Raises:
        AutogradedError: there is no such source, or no class to compare it with.
    """
    from autograded.gradebook.students import due_date
    from autograded.gradebook.students import enrol as enrol_in_gradebook

    course.assignment(assignment)
    download = list(files(source))
    students = the_class(course, roster, enrol=enrol)
    found = collect(
        course, assignment, download, students, due=due_date(course, assignment), enrol=enrol
    )
    if not dry_run:
        enrol_in_gradebook(course, [*students.students, *(c.student for c in found.collected)])
        list(write(course, assignment, found.collected))
    _tell(found, dry_run=dry_run)
    doubtful = any(one.doubtful for one in found.collected)
    return not (found.unknown or found.unclear or found.without_work or doubtful)


def the_class(course: Course, roster: Path | None, *, enrol: bool) -> Roster:
    """The roster that is named, else roster.csv, else the students of the gradebook."""
    from autograded.gradebook.students import known_students

    path = roster or course.root / FILE
    if roster is not None or path.is_file():
        return Roster.load(path)
    students = known_students(course)
    if not students and not enrol:
        raise AutogradedError(
            f"Nobody is known to be in the class: write {path}, with the first line "
            "id,first_name,last_name,email,section and a line for each student (the id is "
            "enough), or use --enrol to take everybody whom the download names by id."
        )
    return Roster(students)


def _tell(found: Collection, *, dry_run: bool) -> None:
    console = Console()
    if found.collected:
        table = Table(box=None, pad_edge=False)
        for column in ("student", "handed in", "file", ""):
            table.add_column(column, overflow="fold")
        for one in found.collected:
            table.add_row(_shown(one.student.id), _when(one), _shown(one.file), _notes(one))
        console.print(table)
    for title, theirs in (
        ("Not in the class, so not collected", found.unknown),
        ("Not clear whose, so not collected", found.unclear),
        ("Nothing in it to grade", found.without_work),
    ):
        if theirs:
            console.print(f"[red]{title}:[/red]")
            for name, paths in theirs.items():
                more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
                first = f": {_shown(paths[0])}" if paths else ""
                console.print(f"  {_shown(name)}{first}{more}")
    for title, students in (
        ("Not in this download, collected before", found.earlier),
        ("Handed in nothing", found.absent),
    ):
        if students:
            names = ", ".join(student.id for student in students[:_NAMES])
            more = f" … and {len(students) - _NAMES} more" if len(students) > _NAMES else ""
            console.print(f"{title} ({len(students)}): {_shown(names)}{more}")
    written = sum(one.is_written for one in found.collected)
    done = "would be written; nothing was (dry run)" if dry_run else "written"
    counts = [
        f"{len(theirs)} {what}"
        for theirs, what in (
            (found.without_work, "with nothing to grade"),
            (found.unknown, "not in the class"),
            (found.unclear, "of which it is not clear whose they are"),
        )
        if theirs
    ]
    besides = f"; besides, {', '.join(counts)}" if counts else ""
    console.print(f"{written} of {len(found.collected)} submissions {done}{besides}.")


def _shown(text: str) -> str:
    """Text out of a download, so that the terminal only shows it."""
    return _markup(plain(text))


def _when(one: Collected) -> str:
    if one.submitted is not None:
        when = f"{one.submitted.replace(tzinfo=None).isoformat(' ', 'minutes')} UTC"
    elif one.dated is not None:
        when = f"? (file of {datetime.fromtimestamp(one.dated).isoformat(' ', 'minutes')})"
    else:
        when = "?"
    return f"{when} late" if one.late else when


def _notes(one: Collected) -> str:
    return _shown("; ".join((STATES[one.state], *one.notes)))
