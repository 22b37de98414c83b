"""The learner's commands: checks with a table, and hints one at a time."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text as RichText

from autograded.course import Course
from autograded.errors import CourseError
from autograded.i18n import _, say, use
from autograded.public import PublicAssignment
from autograded.reports.table import Table

PROGRESS_FILE = ".progress.json"


def check_exercises(course: Course, exercise: str | None = None) -> bool:
    """Run the public checks and print tables; return whether everything passed.

    `exercise` is an assignment, one exercise, or None for the whole course.
    """
    console = Console(highlight=False)
    wanted = [exercise] if exercise else list(course.assignments)
    with use(course.language):
        tables = [table for name in wanted for table in _tables(course, name)]
        for table in tables:
            _print_failures(console, table)
        console.print(_overview(course, tables))
        following = next((table for table in tables if not table.passed), None)
        if following is None:
            console.print(RichText(_("Everything here passes."), style="green"))
        else:
            sentence = _("Next: {exercise}. A hint: autograded hint {exercise}")
            console.print(RichText(sentence.format(exercise=following.heading), style="bold"))
    return following is None


def _tables(course: Course, wanted: str) -> list[Table]:
    from autograded.notebook import check_namespace
    from autograded.submissions.module import LearnerModule

    assignment = course.assignment(wanted.partition(".")[0])
    if "." in wanted:
        course.exercise(wanted)
    folder = course.exercises_folder(assignment.id)
    path = folder / f"{assignment.id}.py"
    if not path.is_file():
        raise CourseError(
            _("There is no {path}; run `autograded build {assignment}`.").format(
                path=path, assignment=assignment.id
            )
        )
    return check_namespace(wanted, folder, LearnerModule(path))


def _print_failures(console: Console, table: Table) -> None:
    failed = [row for row in table.rows if not row.passed]
    if not failed:
        return
    console.print(RichText(table.heading, style="bold"))
    messages = dict.fromkeys(row.message for row in failed)
    if len(messages) == 1 and len(failed) > 1:
        # An exercise not yet written fails every check with one message: say it once.
        console.print(Padding(RichText(next(iter(messages))), (0, 0, 1, 2)))
        return
    for row in failed:
        console.print(RichText(f"  ✗ {row.title}", style="red"))
        if row.message:
            console.print(Padding(RichText(row.message), (0, 0, 1, 4)))


def _overview(course: Course, tables: list[Table]) -> RichTable:
    overview = RichTable(box=None, pad_edge=False)
    overview.add_column("")
    overview.add_column(_("exercise"))
    overview.add_column(_("checks"), justify="right")
    overview.add_column(_("points"), justify="right")
    total = due = 0.0
    for table in tables:
        exercise = course.exercise(table.heading)
        points = exercise.points if table.passed else 0.0
        total, due = total + points, due + exercise.points
        overview.add_row(
            "[green]✓[/green]" if table.passed else "[red]✗[/red]",
            table.heading,
            f"{sum(row.passed for row in table.rows)}/{len(table.rows)}",
            f"{points:g}/{exercise.points:g}",
        )
    overview.add_section()
    overview.add_row("", _("total"), "", f"{total:g}/{due:g}", style="bold")
    return overview


def next_hint(course: Course, exercise: str, *, again: bool = False) -> None:
    """Print the next hint of an exercise (with `again`, those seen so far) and remember it."""
    console = Console(highlight=False)
    with use(course.language):
        found = course.exercise(exercise)
        assignment = PublicAssignment.load(
            course.exercises_folder(course.assignment(exercise.partition(".")[0]).id)
        )
        hints = assignment.exercise(found.name).hints
        store = course.root / "exercises" / PROGRESS_FILE
        seen = hints_seen(store)
        shown = min(seen.get(exercise, 0), len(hints))
        if not hints:
            console.print(_("{exercise} has no hints.").format(exercise=exercise))
            return
        if again:
            numbers = list(range(shown))
        elif shown < len(hints):
            numbers = [shown]
        else:
            console.print(
                _("You have seen all {count} hints; --again shows them.").format(count=len(hints))
            )
            return
        for number in numbers:
            title = _("Hint {number} of {count}").format(number=number + 1, count=len(hints))
            console.print(RichText(title, style="bold"))
            console.print(Padding(Markdown(say(hints[number])), (0, 0, 1, 2)))
        if not again:
            seen[exercise] = shown + 1
            remember_hints(store, seen)


def hints_seen(store: Path) -> dict[str, int]:
    """How many hints of each exercise the learner has seen, by the exercise's id."""
    try:
        data = json.loads(store.read_text(encoding="utf-8"))["hints"]
        return {str(key): int(value) for key, value in data.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # lost progress costs a learner nothing but seeing a hint again


def remember_hints(store: Path, seen: dict[str, int]) -> None:
    """Keep `hints_seen` for next time; a `CourseError` when it cannot be written."""
    aside = store.with_suffix(".new")
    try:
        aside.write_text(json.dumps({"hints": seen}, indent=2) + "\n", encoding="utf-8")
        aside.replace(store)
    except OSError as error:
        raise CourseError(
            _("{path} cannot be written: {reason}.").format(path=store, reason=error.strerror)
        ) from error
