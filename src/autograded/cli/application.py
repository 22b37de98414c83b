"""The application that the commands are registered with, and what they share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograded.errors import AutogradedError, why

if TYPE_CHECKING:
    from autograded.course import Course

LEARNERS, TEACHERS, AUTHORS = "For learners", "For teachers", "For authors of a course"


def _list(title: str, *lines: str) -> str:
    """A list for the end of a help page; blank lines keep its items apart."""
    return "\n\n".join([f"{title}:", *(f"- {line}" for line in lines)])


def examples(*commands: str) -> str:
    """The examples at the end of a help page."""
    return _list("Examples", *(f"`{command}`" for command in commands))


app = typer.Typer(
    name="autograded",
    help="A course on PyTorch autograd whose exercises grade themselves, and its engine.",
    epilog=_list(
        "Exit status",
        "0: the command did its work",
        "1: part of it could not be done, or something it checks does not hold",
        "2: nothing could run; one sentence on stderr says why",
        "70: an error in autograded itself; `--debug` shows it whole",
        "130: stopped by Ctrl-C",
    )
    + "\n\n`autograded COMMAND --help` shows examples. `--debug` may stand anywhere.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


def course_in(folder: Path | None) -> Course:
    """The course in a folder, or the nearest around the working folder."""
    from autograded.course import Course

    if folder is None:
        return Course.find()
    return Course.load(folder if folder.name == "course.yml" else folder / "course.yml")


def write(path: Path, text: str) -> None:
    """Write a file that the user asked for."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise AutogradedError(f"{path} cannot be written: {why(error)}.") from error


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback where an error is one sentence.")
    ] = False,
) -> None:
    context.obj = {"debug": debug}
    if version:
        from autograded import __version__

        typer.echo(f"autograded {__version__}")
        raise typer.Exit
