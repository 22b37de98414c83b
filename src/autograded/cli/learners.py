"""Commands for learners."""

from __future__ import annotations

from typing import Annotated

import typer

from autograded import completion
from autograded.cli.application import LEARNERS, app, course_in, examples
from autograded.cli.options import (
    CourseArgument,
    ExerciseArgument,
)


@app.command(
    rich_help_panel=LEARNERS,
    epilog=examples(
        "autograded check",
        "autograded check relu_net",
        "autograded check relu_net.gradients",
    ),
)
def check(
    exercise: ExerciseArgument = None,
    course: CourseArgument = None,
) -> None:
    """Run a learner's own checks on the files in exercises/. Exit status 1 while any fails."""
    from autograded.learner import check_exercises

    if not check_exercises(course_in(course), exercise):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=LEARNERS,
    epilog=examples(
        "autograded watch",
        "autograded watch relu_net",
    ),
)
def watch(
    exercise: ExerciseArgument = None,
    course: CourseArgument = None,
) -> None:
    """Run a learner's checks again on every save; keys bring hints and move on."""
    from autograded.watch import watch as run

    run(course_in(course), exercise)


@app.command(
    rich_help_panel=LEARNERS,
    epilog=examples(
        "autograded hint relu_net.gradients",
        "autograded hint relu_net.gradients --again",
    ),
)
def hint(
    exercise: Annotated[
        str,
        typer.Argument(
            help="An exercise, such as relu_net.gradients.", autocompletion=completion.exercises
        ),
    ],
    again: Annotated[
        bool, typer.Option("--again", help="Show those seen so far, and no new one.")
    ] = False,
    course: CourseArgument = None,
) -> None:
    """Reveal the next hint of an exercise, from the idea towards the code."""
    from autograded.learner import next_hint

    next_hint(course_in(course), exercise, again=again)
