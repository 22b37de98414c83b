"""Grades submissions: runs them confined, checks them in one pytest session, makes the results."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

from autograded import scenarios
from autograded.course import Course
from autograded.grading.byhand import uses_of_autograd
from autograded.grading.diagnosis import Diagnosis, Diagnostician
from autograded.grading.excuses import excuses
from autograded.grading.rebound import rebound
from autograded.grading.results import Flag, Result, result_of
from autograded.grading.run import Checked, run_checks
from autograded.grading.seed import course_seed
from autograded.grading.submission import Caller, Exchange
from autograded.i18n import _, use
from autograded.parenthood import at_end
from autograded.sandbox.calls import CallError, Reply
from autograded.sandbox.client import Sandbox, Session
from autograded.sandbox.program import Execution, Program
from autograded.startup import postpone_compiler
from autograded.submissions import reader
from autograded.submissions.files import content_of
from autograded.submissions.plan import SUBMISSION
from autograded.submissions.reader import HandedIn
from autograded.submissions.release import release_of
from autograded.submissions.repair import Repair, repair


@dataclass(frozen=True)
class Work:
    """One submission to grade.

    `folder` holds the submission's own extra files, which its code may read; `student` and
    `repairs`, what had to be put right in the file, are only written into the result. `lacking`
    are the exercises of which nothing was there, and `timestamp` is when it was handed in, where
    somebody else than the student says so.
    """

    handed_in: HandedIn
    folder: Path | None = None
    student: str | None = None
    repairs: Sequence[Repair] = ()
    lacking: Sequence[str] = ()
    timestamp: datetime | None = None


@dataclass(frozen=True)
class Graded:
    """The result document, and what the submission's cells printed and showed.

    `execution` is None when there was nothing to run; its cells are those of `cell_indices`.
    `check_seconds` is how long all checks took, the student's answers included.
    """

    result: Result
    execution: Execution | None
    cell_indices: list[int]
    check_seconds: float = 0.0


@dataclass
class _Run:
    """What became of one submission's process.

    `lost` is as in `Session`; `rebound` are exercises checked as they stood below their own cell.
    """

    checked: Checked = field(default_factory=lambda: Checked([], {}))
    execution: Execution | None = None
    lost: bool = False
    rebound: list[str] = field(default_factory=list)


class Grader:
    """Grades submissions of one assignment, one batch after another, in one sandbox."""

    def __init__(
        self, course: Course, assignment: str, sandbox: Sandbox, seed: str | None = None
    ) -> None:
        course.require_graders(assignment)
        postpone_compiler()
        self._course = course
        self._assignment = assignment
        self._sandbox = sandbox
        self._seed = seed if seed is not None else course_seed(course)
        self._diagnostician = Diagnostician(course, assignment)

    def grade(self, works: Sequence[Work]) -> list[Graded]:
        """Grade a batch; the results stand in the order of `works`.

        A submission can do nothing to the others or to the order. Raises `AutogradedError` only
        for faults that are not a student's.
        """
        with use(self._course.language), warnings.catch_warnings():
            # Misconceptions do what torch warns of; nobody reads that here.
            warnings.simplefilter("ignore")
            runnable = [w for w in works if w.handed_in.problem is None]
            checked = self._checked(runnable)
            # The machine's want of memory, or a person, may have ended a process: once more.
            lost = [i for i, run in enumerate(checked) if run.lost]
            for i, again in zip(lost, self._checked([runnable[i] for i in lost]), strict=True):
                checked[i] = again
            for work, run in zip(runnable, checked, strict=True):
                self._look_again(work, run)
            done = {
                id(work): self._graded(work, run)
                for work, run in zip(runnable, checked, strict=True)
            }
            return [done.get(id(w)) or self._graded(w, _Run()) for w in works]

    def _look_again(self, work: Work, run: _Run) -> None:
        """Check exercises that a later cell has broken as they stood below their own cell."""
        program = work.handed_in.program
        failed = {outcome.exercise for outcome in run.checked.checks if not outcome.passed}
        names = {exercise.partition(".")[2]: exercise for exercise in sorted(failed)}
        for name, cell in rebound([c.source for c in program.cells], names).items():
            shorter = replace(program, cells=program.cells[: cell + 1])
            earlier = replace(work, handed_in=replace(work.handed_in, program=shorter))
            (again,) = self._checked([earlier], only=[name])
            if again.checked.passed(names[name]) > run.checked.passed(names[name]):
                run.checked = run.checked.replaced(names[name], again.checked)
                run.rebound.append(names[name])

    def _checked(self, works: Sequence[Work], only: Sequence[str] = ()) -> list[_Run]:
        if not works:
            return []
        runs = [_Run() for _work in works]
        openers = [self._opener(w, run) for w, run in zip(works, runs, strict=True)]
        found = run_checks(self._course, self._assignment, openers, seed=self._seed, only=only)
        for run, checked in zip(runs, found, strict=True):
            run.checked = checked
        return runs

    def _opener(self, work: Work, run: _Run) -> Any:
        @contextmanager
        def open_submission() -> Iterator[Caller]:
            session: Session
            with self._sandbox.open(work.handed_in.program, work.folder) as session:
                run.execution = session.execution()
                try:
                    yield _Located(session, work.handed_in.program, run.execution)
                finally:
                    run.lost = session.lost

        return open_submission

    def _graded(self, work: Work, run: _Run) -> Graded:
        checked, execution = run.checked, run.execution
        assignment = self._course.assignment(self._assignment)
        excused, in_doubt = excuses(
            assignment, () if work.handed_in.problem else work.lacking, work.timestamp
        )
        result = result_of(
            self._course,
            self._assignment,
            checked.checks,
            diagnoses=self._diagnoses(checked),
            flags=[
                *_damage_flags(work),
                *self._flags(work, checked, execution),
                *_rebound_flags(run),
                *in_doubt,
            ],
            sha256=work.handed_in.sha256,
            sandbox=self._sandbox.level,
            student=work.student,
            problem=work.handed_in.problem,
            repairs=work.repairs,
            excused=excused,
        )
        seconds = sum(outcome.seconds for outcome in checked.checks)
        return Graded(result, execution, work.handed_in.cell_indices, seconds)

    def _diagnoses(self, checked: Checked) -> dict[str, list[Diagnosis]]:
        failed = dict.fromkeys(o.exercise for o in checked.checks if not o.passed)
        return {
            exercise: self._diagnostician.diagnose(exercise, checked.transcript.get(exercise, []))
            for exercise in failed
        }

    def _flags(self, work: Work, checked: Checked, execution: Execution | None) -> list[Flag]:
        flags = []
        sources = [cell.source for cell in work.handed_in.program.cells]
        for exercise in self._course.assignment(self._assignment).checked:
            exchanges = checked.transcript.get(exercise.id, [])
            if exercise.autograd == "forbidden":
                flags += _by_hand_flags(exercise.id, exercise.name, sources, exchanges)
        if execution is not None and execution.error is not None:
            flags.append(
                Flag(kind=f"execution-{execution.error.kind}", message=execution.error.message)
            )
        return flags + _ended_flags(chain.from_iterable(checked.transcript.values()))


class _Located:
    """A session that says, of a function that is missing, which failed cell should define it."""

    def __init__(self, session: Session, program: Program, execution: Execution) -> None:
        self._session = session
        self._failed = [
            (cell, run.error)
            for cell, run in zip(program.cells, execution.cells, strict=False)
            if run.error
        ]

    def call(
        self,
        function: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        observe: bool = False,
        by_hand: bool = False,
    ) -> Reply:
        reply = self._session.call(function, args, kwargs, observe=observe, by_hand=by_hand)
        error = reply.error
        if error is None:
            return reply
        if error.kind == "missing":
            return Reply(error=CallError("missing", self._failed_cells(function)))
        unknown = re.match(r"name '(\w+)' is not defined", error.message)
        why = self._failed_cells(unknown[1]) if error.type == "NameError" and unknown else ""
        if not why:
            return reply
        told = _("{message}, because a cell failed: {error}").format(
            message=error.message, error=why
        )
        return replace(reply, error=replace(error, message=told))

    def _failed_cells(self, name: str) -> str:
        """Which cells that would have defined a name failed, and how."""
        word = re.escape(name)
        defines = re.compile(rf"\b(?:def|class)\s+{word}\b|\bimport\b.*\b{word}\b|\b{word}\s*=")
        return "; ".join(
            f"{cell.name}: {error}" for cell, error in self._failed if defines.search(cell.source)
        )


def _ended_flags(exchanges: Iterable[Exchange]) -> list[Flag]:
    """What ended calls before they answered, and in which functions."""
    functions: dict[tuple[str, str], list[str]] = {}
    for exchange in exchanges:
        error = exchange.reply.error
        if error is not None and error.kind in ("died", "timeout", "malformed"):
            found = functions.setdefault((error.kind, error.message), [])
            # A process that has ended says so to every call after the one that ended it.
            if exchange.function not in found and (error.kind == "timeout" or not found):
                found.append(exchange.function)
    return [
        Flag(kind=f"call-{kind}", message=f"{', '.join(found)}: {message}")
        for (kind, message), found in functions.items()
    ]


def _damage_flags(work: Work) -> list[Flag]:
    """Work that was lost on its way is not work that was not done: somebody should ask for it."""
    if not {"damaged", "missing-cells"} <= {repair.id for repair in work.repairs}:
        return []
    message = _("The file is damaged, and cells are missing from it: ask for it again.")
    return [Flag(kind="damaged", message=message)]


def _rebound_flags(run: _Run) -> list[Flag]:
    message = _(
        "A later cell gives a name that {exercise} needs another meaning; it was checked as it "
        "stood below its own cell."
    )
    return [Flag(kind="rebound", message=message.format(exercise=name)) for name in run.rebound]


def _by_hand_flags(
    exercise: str, function: str, sources: list[str], exchanges: Sequence[Exchange]
) -> list[Flag]:
    kind = "autograd-in-by-hand-exercise"
    if any(e.reply.autograd_runs for e in exchanges):
        message = _("{exercise} is by hand, and ran autograd.").format(exercise=exercise)
        return [Flag(kind=kind, message=message)]
    uses = uses_of_autograd(sources, function)
    if uses:
        return [
            Flag(
                kind=kind,
                message=_("{exercise} is by hand, and its code mentions {uses}.").format(
                    exercise=exercise, uses=", ".join(uses)
                ),
            )
        ]
    return []


_sandboxes: dict[tuple[Path, str], Sandbox] = {}


def shared_sandbox(course: Course, level: str = "auto") -> Sandbox:
    """The sandbox of this process for a course: started once, ended with the process."""
    key = (course.root, level)
    if key not in _sandboxes:
        sandbox = Sandbox(level, list(scenarios.find(course.root)), course.limits)
        at_end(sandbox.close)
        _sandboxes[key] = sandbox.__enter__()
    return _sandboxes[key]


def grade_file(
    path: Path,
    course: Course,
    assignment: str,
    *,
    level: str = "auto",
    student: str | None = None,
) -> Result:
    """Grade one notebook or `.py` file, put right against the assignment's notebook.

    Raises `AutogradedError` when it could not be graded for a reason outside the file's content.
    """
    known = course.assignment(assignment)
    content = content_of(path)
    repaired = repair(content, path.name, release_of(course, assignment), known, course.language)
    with use(course.language):
        handed_in = reader.read_cells(
            repaired.notebook["cells"], content, path.name, repaired.problem
        )
    grader = Grader(course, assignment, shared_sandbox(course, level))
    work = Work(handed_in, None, student, repaired.repairs, repaired.lacking)
    return grader.grade([work])[0].result


def grade_notebook(
    notebook: dict[str, Any],
    content: bytes,
    course: Course,
    assignment: str,
    folder: Path | None,
    timestamp: datetime | None = None,
) -> Graded:
    """Grade a notebook that nbgrader has put right.

    Args:
        notebook: the notebook as nbgrader's preprocessors left it; its metadata may say, under
            `SUBMISSION`, what had to be put right in the file that was handed in.
        content: the bytes of the submitted file, for the digest in the result.
        course: the course.
        assignment: the assignment's name.
        folder: the folder whose small files the student's code may read.
        timestamp: when it was handed in.
    """
    noted = notebook["metadata"].get(SUBMISSION, {})
    with use(course.language):
        handed_in = reader.read_cells(
            notebook["cells"], content, f"{assignment}.ipynb", noted.get("problem")
        )
    repairs = [Repair(one["id"], one["message"]) for one in noted.get("repairs", ())]
    grader = Grader(course, assignment, shared_sandbox(course))
    work = Work(handed_in, folder, None, repairs, noted.get("lacking", ()), timestamp)
    return grader.grade([work])[0]
