"""The learner's commands: checks with a picture of progress, and hints one at a time."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text as RichText

from autograded.checking import Checker
from autograded.course import Course, Exercise
from autograded.errors import CourseError
from autograded.hints import HintMemory, for_terminal
from autograded.i18n import _, say, use
from autograded.public import PublicAssignment
from autograded.reports import progress
from autograded.reports.table import Table, plain


def exercises_of(course: Course, wanted: str | None) -> list[Exercise]:
    """The exercises that checks grade: of an assignment, one, or with None those of the course.

    Raises:
        CourseError: there is no such assignment or exercise, or a person grades it.
    """
    if wanted is None:
        return [e for assignment in course.assignments.values() for e in assignment.checked]
    if "." not in wanted:
        return course.assignment(wanted).checked
    exercise = course.exercise(wanted)
    if exercise.graded_by == "person":
        raise CourseError(
            _("{exercise} is graded by a person; there is nothing to check.").format(
                exercise=wanted
            )
        )
    return [exercise]


def check_exercises(course: Course, wanted: str | None = None) -> bool:
    """Run the public checks, show what fails and how far the learner is; whether all pass.

    Args:
        course: the course.
        wanted: an assignment, one exercise, or None for the whole course.

    Raises:
        CourseError: there is no such assignment or exercise, or a learner's file is missing.
    """
    console = Console(highlight=False, markup=False)
    with use(course.language):
        exercises = exercises_of(course, wanted)
        names = [wanted] if wanted else list(course.assignments)
        checker = Checker(course)
        for name in names:
            checker.require(name.partition(".")[0])
        tables = {table.heading: table for name in names for table in checker.check(name)}
        for table in tables.values():
            _print_failures(console, table)
        standing = progress.Progress.of(course, exercises, tables)
        console.print(progress.grid(standing))
        for part in standing.parts:
            if part.finished:
                console.print("", progress.reading(course, part.assignment), sep="\n")
        console.print()
        following = standing.following
        if following is None:
            console.print(RichText(_("Everything here passes."), style="green"))
        else:
            sentence = _("Next: {exercise}. A hint: autograded hint {exercise}")
            text = sentence.format(exercise=following.exercise.id)
            console.print(RichText(text, style="bold"))
    return following is None


def _print_failures(console: Console, table: Table) -> None:
    failed = [row for row in table.rows if not row.passed]
    if not failed:
        return
    console.print(RichText(table.heading, style="bold"))
    if len(failed) > 1 and len({row.message for row in failed}) == 1:
        # An exercise not yet written fails every check with one message: say it once.
        console.print(Padding(RichText(plain(failed[0].message)), (0, 0, 1, 2)))
        return
    for rows, message in replace(table, rows=failed).groups():
        for row in rows:
            console.print(RichText(f"  ✗ {row.title}", style="red"))
        if message:
            console.print(Padding(RichText(message), (0, 0, 1, 4)))


def next_hint(course: Course, exercise: str, *, again: bool = False) -> None:
    """Print the next hint of an exercise (with `again`, those seen so far) and remember it."""
    console = Console(highlight=False, markup=False)
    with use(course.language):
        found = course.exercise(exercise)
        assignment = PublicAssignment.load(
            course.exercises_folder(course.assignment(exercise.partition(".")[0]).id)
        )
        hints = assignment.exercise(found.name).hints
        memory = HintMemory(course)
        shown = min(memory.seen(exercise), len(hints))
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
            console.print(Padding(Markdown(for_terminal(say(hints[number]))), (0, 0, 1, 2)))
        if not again:
            reason = memory.see(exercise, shown + 1)
            if reason:
                Console(stderr=True, highlight=False, markup=False).print(unremembered(reason))


def unremembered(reason: str) -> str:
    """The sentence about a hint that will count as unseen next time."""
    return _("Which hints you have seen cannot be kept for next time: {reason}.").format(
        reason=reason
    )
