"""Options and arguments that several commands take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

from autograded import completion


class LanguageOption(StrEnum):
    """Languages of the course text."""

    en = "en"
    id = "id"


class SandboxOption(StrEnum):
    """How student code is confined."""

    auto = "auto"
    bubblewrap = "bubblewrap"
    landlock = "landlock"
    off = "off"


class FormatOption(StrEnum):
    """Forms in which a result can be written."""

    native = "native"
    gradescope = "gradescope"
    github = "github"


class ExportOption(StrEnum):
    """Forms in which grades and courses can leave for other programs."""

    csv = "csv"
    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    github = "github"
    checks_csv = "checks-csv"
    checks_parquet = "checks-parquet"
    gradescope_autograder = "gradescope-autograder"
    github_classroom = "github-classroom"


CourseArgument = Annotated[
    Optional[Path],  # noqa: UP045 - typer reads the annotation
    typer.Option("--course", help="The course's folder; by default the nearest with a course.yml."),
]
AssignmentOption = Annotated[
    str,
    typer.Option(
        "--assignment",
        "-a",
        help="The assignment's name.",
        autocompletion=completion.assignments,
    ),
]
AssignmentArgument = Annotated[
    str, typer.Argument(help="The assignment's name.", autocompletion=completion.assignments)
]
ExerciseArgument = Annotated[
    Optional[str],  # noqa: UP045
    typer.Argument(
        help="An assignment or one exercise; everything by default.",
        autocompletion=completion.either,
    ),
]
SandboxArgument = Annotated[
    SandboxOption,
    typer.Option(
        "--sandbox",
        help="How student code is confined; `off` runs it unprotected, and results say so; "
        "`landlock` is always refused.",
    ),
]
StudentsOption = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--student", help="Only this student; may be repeated."),
]
JobsOption = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option("--jobs", "-j", min=1, help="Processes; one for each core by default."),
]
