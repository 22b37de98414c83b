"""A learner's files loaded and checked in this process, with an end to endless loops."""

from __future__ import annotations

import io
import signal
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import FrameType

from autograded.course import Course
from autograded.errors import CourseError, why
from autograded.grading.garbage import quick_collections
from autograded.i18n import _
from autograded.notebook import check_namespace
from autograded.reports.table import Table
from autograded.submissions.module import LearnerModule

SECONDS = 10
"""How long one run of checks may take before a loop is taken for endless."""


class Checker:
    """Checks exercises on the learner's files; a file is read again only after `saved`.

    Args:
        course: the course.
        folder: where the learner's files are, one folder for each assignment; by default the
            course's exercises/.
        goes_on: whether Ctrl-C ends only the learner's code that runs, as in `watch`, or the whole
            run of checks, with a KeyboardInterrupt.
    """

    def __init__(
        self, course: Course, folder: Path | None = None, *, goes_on: bool = False
    ) -> None:
        self._course = course
        self._folder = folder or course.root / "exercises"
        self._goes_on = goes_on
        self._modules: dict[str, LearnerModule] = {}

    def file(self, assignment: str) -> Path:
        """The file a learner edits."""
        return self._folder / assignment / f"{assignment}.py"

    def require(self, assignment: str) -> Path:
        """The file a learner edits, or a `CourseError` when it is not there."""
        path = self.file(assignment)
        if not path.is_file():
            raise CourseError(
                _("There is no {path}; run `autograded build {assignment}`.").format(
                    path=path, assignment=assignment
                )
            )
        return path

    def saved(self, assignment: str) -> None:
        """Forget what the assignment's file held."""
        self._modules.pop(assignment, None)

    def check(self, wanted: str) -> list[Table]:
        """Run the public checks of an assignment or one exercise; one table for each exercise.

        Raises:
            CourseError: the file cannot be read, or the assignment has no checks.
        """
        assignment = wanted.partition(".")[0]
        folder = self._course.exercises_folder(assignment)
        # Imports torch, which may take longer than the learner's code has.
        from autograded.grading import doors as _doors  # noqa: F401

        limited = _limited(self.file(assignment), goes_on=self._goes_on)
        with redirect_stdout(io.StringIO()), quick_collections(), limited:
            if assignment not in self._modules:
                self._modules[assignment] = self._load(assignment)
            return check_namespace(wanted, folder, self._modules[assignment])

    def _load(self, assignment: str) -> LearnerModule:
        path = self.file(assignment)
        try:
            return LearnerModule(path)
        except (OSError, UnicodeDecodeError) as error:
            reason = why(error)
            raise CourseError(
                _("{path} cannot be read: {reason}.").format(path=path, reason=reason)
            ) from error


@contextmanager
def _limited(file: Path, *, goes_on: bool) -> Iterator[None]:
    """End code in `file` that runs for too long, with a TimeoutError in it.

    So does Ctrl-C when the checks go on after it; else it ends the block. Only where the system
    has alarms.
    """
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    stopped = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        if number == signal.SIGINT and not goes_on:
            stopped = True
            raise KeyboardInterrupt
        # The checks that follow meet the same loop: they are ended at once.
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        if not _inside(file, frame):
            return
        if number == signal.SIGINT:
            raise TimeoutError(_("stopped by Ctrl-C"))
        raise TimeoutError(
            _("no answer after {seconds} seconds: does a loop never end?").format(seconds=SECONDS)
        )

    before = {
        number: signal.signal(number, interrupt) for number in (signal.SIGALRM, signal.SIGINT)
    }
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        if stopped:
            # pytest took it for the end of its session, and tells nobody.
            raise KeyboardInterrupt


def _inside(file: Path, frame: FrameType | None) -> bool:
    """Whether code of `file` is running: an exception anywhere else would break the checks."""
    while frame is not None:
        if frame.f_code.co_filename == str(file):
            return True
        frame = frame.f_back
    return False
