"""The commands. Each is thin over a function; errors are one sentence on stderr.

Exit status: 0 when the command did its work, 1 when part of it could not be done or something it
checks does not hold, 2 when nothing could run, 70 after an error of our own, 130 after Ctrl-C.
"""

from __future__ import annotations

import io
import os
import sys
import traceback

import typer

from autograded.cli.application import app
from autograded.errors import AutogradedError, unforeseen

# isort: off
from autograded.cli import learners, authors, teachers  # noqa: F401 - registers, in help's order
# isort: on

INTERNAL_ERROR = 70
"""Exit status after an error that no command foresaw (EX_SOFTWARE of sysexits.h)."""


def main() -> None:
    """Run the command line; turn errors into one sentence and an exit status."""
    from autograded.startup import collect_rarely, ending_quickly, skip_url_grammar

    collect_rarely()
    skip_url_grammar()
    ending_quickly(_main)


def _main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal's encoding is its own, and what it lacks must not end a command; documents
            # that go into a file or a pipe are JSON, which is UTF-8 wherever it is made.
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    debug = len(arguments) < len(sys.argv) - 1
    try:
        app(args=arguments, prog_name="autograded")
    except AutogradedError as error:
        _explain(error, debug=debug)
        sys.exit(error.exit_status)
    except Exception as error:  # noqa: BLE001 - nobody who teaches is to read a traceback
        _explain(error, debug=debug)
        sys.exit(INTERNAL_ERROR)
    finally:
        _let_go_of_output()


def _explain(error: Exception, *, debug: bool) -> None:
    """Print an error as one sentence, or as a traceback."""
    if debug:
        traceback.print_exc()
        return
    from autograded.reports.table import plain

    if isinstance(error, AutogradedError):
        first, *more = str(error).splitlines() or [""]
        sentence = f"{first} (--debug shows the rest)" if more else first
    else:
        sentence = (
            f"{unforeseen(error)}; run it again with --debug, and send what it prints to "
            "those who maintain autograded."
        )
    typer.echo(plain(f"autograded: {sentence}"), err=True)


def _let_go_of_output() -> None:
    """Write out what is buffered, and say nothing when nobody reads it any more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
