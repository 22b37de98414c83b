"""check() in a notebook: the public checks on what the notebook has defined."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograded.errors import AutogradedError, CourseError

if TYPE_CHECKING:
    from autograded.grading.doors import Functions
    from autograded.public import PublicAssignment
    from autograded.reports.table import Table

# Set in the process that grades: there check() must not run pytest in the student's own process.
GRADING_VARIABLE = "AUTOGRADED_GRADING"


class _OneLine:
    """An error that IPython shows as one line, in the place of a traceback through our code."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class ChecksFailed(_OneLine, AssertionError):  # noqa: N818 - it says what happened
    """Some public checks failed; the table above it says which, and why."""


class CannotCheck(_OneLine, CourseError):  # noqa: N818 - it says what happened
    """There is no such exercise, or its checks cannot be found or run."""


def check(exercise: str) -> None:
    """Run the public checks of an exercise, or of a whole assignment, and show a table.

    Args:
        exercise: an exercise such as "relu_net.gradients", or an assignment such as "relu_net".

    Raises:
        ChecksFailed: when a check failed, so that `nbgrader validate` and whoever runs all cells
            see it.
        CannotCheck: when there is no such exercise, or its checks cannot be found or run.
    """
    if os.environ.get(GRADING_VARIABLE):
        from autograded.i18n import _

        print(_("check({exercise!r}) is left out while grading").format(exercise=exercise))
        return
    namespace = _namespace()
    try:
        folder = public_folder(exercise.partition(".")[0])
        tables = check_namespace(exercise, folder, _Namespace(namespace))
    except AutogradedError as error:
        raise CannotCheck(str(error)) from None
    from autograded.i18n import _, use
    from autograded.public import PublicAssignment

    with use(PublicAssignment.load(folder).language):
        _show(tables)
        failed = [table.heading for table in tables if not table.passed]
        if failed:
            raise ChecksFailed(_("not passed yet: {names}").format(names=", ".join(failed)))


class _Namespace:
    """The variables of a notebook, as something functions can be found in."""

    def __init__(self, variables: dict[str, Any]) -> None:
        self._variables = variables

    def find(self, function: str) -> Any:
        value = self._variables.get(function)
        if callable(value):
            return value
        raise LookupError("")


def check_namespace(exercise: str, folder: Path, functions: Functions) -> list[Table]:
    """Run the public checks in `folder` on `functions`; one table for each exercise."""
    from autograded.grading.doors import GivenDoor
    from autograded.grading.run import run_public_checks
    from autograded.i18n import use
    from autograded.public import PublicAssignment

    assignment = PublicAssignment.load(folder)
    with use(assignment.language):
        wanted = _exercises(exercise, assignment)
        checks = run_public_checks(folder, GivenDoor(functions), wanted)
        return [_table(name, assignment, checks) for name in wanted]


def _exercises(exercise: str, assignment: PublicAssignment) -> list[str]:
    name = exercise.partition(".")[2]
    if not name:
        return [e.id_in(assignment.id) for e in assignment.exercises if e.graded_by == "checks"]
    found = assignment.exercise(name)
    if found.graded_by != "checks":
        from autograded.i18n import _

        raise CourseError(
            _("{exercise} is graded by a person; there is nothing to check.").format(
                exercise=exercise
            )
        )
    return [found.id_in(assignment.id)]


def _table(exercise: str, assignment: PublicAssignment, checks: list[dict[str, Any]]) -> Table:
    from autograded.i18n import say
    from autograded.reports.table import Row, Table

    mine = [check for check in checks if check["exercise"] == exercise]
    rows = [
        Row(check["title"][assignment.language], check["passed"], check.get("message", ""))
        for check in mine
    ]
    hints = assignment.exercise(exercise.partition(".")[2]).hints
    done = all(row.passed for row in rows)
    return Table(exercise, rows, hints=() if done else [say(hint) for hint in hints])


def public_folder(assignment: str) -> Path:
    """Find the folder with an assignment's public checks.

    Looked for: beside the notebook, in the `exercises/` of the course around it, and in the
    installed package or, when that is the source itself (`pip install -e`), in its course.
    """
    here = Path.cwd()
    package = Path(__file__).parent
    around = (here, *here.parents, package, package.parents[1])
    candidates = [here, *(folder / "exercises" / assignment for folder in around)]
    for folder in candidates:
        if (folder / f"test_{assignment}.py").is_file():
            return folder
    raise CourseError(
        f"The checks of {assignment!r} are not here: test_{assignment}.py should lie beside the "
        "notebook; fetch the assignment again."
    )


def _namespace() -> dict[str, Any]:
    """The variables of the notebook, or of the script that called check()."""
    if "IPython" in sys.modules:
        from IPython import get_ipython

        shell = get_ipython()
        if shell is not None:
            return shell.user_ns  # type: ignore[no-any-return]
    return sys._getframe(2).f_globals


def _show(tables: list[Table]) -> None:
    if "IPython" in sys.modules:
        from IPython import get_ipython
        from IPython.display import publish_display_data

        if get_ipython() is not None:
            text = "\n\n".join(table.to_text() for table in tables)
            html = "".join(table.to_html() for table in tables)
            publish_display_data({"text/plain": text, "text/html": html})
            return
    for table in tables:
        print(table.to_text())
