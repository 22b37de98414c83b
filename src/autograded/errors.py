"""What goes wrong outside a student's work: one clear sentence, and an exit status."""

from __future__ import annotations


class AutogradedError(Exception):
    """A condition the user can mend. `str()` is one sentence: what, where, what to do.

    Commands print it on stderr and exit with `exit_status`.
    """

    exit_status = 2


class CourseError(AutogradedError):
    """course.yml, or a file it stands for, is not as it must be."""


class SandboxError(AutogradedError):
    """Student code cannot be run here as asked."""


class GradebookError(AutogradedError):
    """The gradebook cannot be read or written."""

    exit_status = 1


class Interrupted(AutogradedError):  # noqa: N818 - the user asked for it
    """Ctrl-C in the middle of work that can be gone on with."""

    exit_status = 130


def unforeseen(error: Exception) -> str:
    """What to call an error that nobody foresaw: a fault of ours, and its first line."""
    first = (str(error).splitlines() or [""])[0]
    reason = f"{type(error).__name__}: {first}" if first else type(error).__name__
    return f"internal error ({reason})"


def why(error: Exception) -> str:
    """The reason in an exception, as part of a sentence: without a number, and no path twice."""
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
