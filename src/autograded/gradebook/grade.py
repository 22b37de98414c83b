"""Grades all submissions of an assignment into the gradebook, in bulk.

Batches go to worker processes (or a cluster); what comes back is written down by this process
alone: the record by content hash, the autograded notebook, the gradebook's rows. Each step can be
done again, and a submission counts as recorded only after the last one, so a run that is stopped
at any moment loses and doubles nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config, PyFileConfigLoader

from autograded.course import Course
from autograded.errors import AutogradedError, unforeseen, why
from autograded.gradebook.config import configure, course_id, database_url
from autograded.gradebook.executors import DaskCluster, Executor, LocalPool
from autograded.gradebook.folders import submitted_files, write_autograded
from autograded.gradebook.progress import Form, Outcome, Reporter, reporting
from autograded.gradebook.rows import Entry, GradebookRows, Penalty, Standing
from autograded.gradebook.stamps import FILE, handed_in
from autograded.gradebook.store import Record, Store
from autograded.gradebook.tasks import Bundle, Item, Task, make_bundle
from autograded.grading.seed import course_seed
from autograded.i18n import _, use
from autograded.machine import cores
from autograded.submissions.candidates import submitted
from autograded.submissions.files import is_text

BATCH = 50
"""Submissions in one task, at most: enough to spread the start of a pytest session over."""
_LEAST = 8
"""Submissions in the last tasks, so that no process waits long for another's."""
_SHARE = 3
"""A process takes this part of its share of what is left at once."""


@dataclass(frozen=True)
class Options:
    """How to grade.

    Attributes:
        students: whom to grade; everybody who handed something in when empty.
        force: also grade again what is known already.
        jobs: worker processes; as many as there are cores by default.
        scheduler: address of a Dask scheduler, instead of processes of this machine.
        sandbox: the level of confinement.
        progress: how progress is shown.
    """

    students: Sequence[str] = ()
    force: bool = False
    jobs: int | None = None
    scheduler: str | None = None
    sandbox: str = "auto"
    progress: Form = "auto"


@dataclass(frozen=True)
class Submission:
    """One submission as it lies in classroom/submitted."""

    student: str
    folder: Path
    item: Item
    timestamp: datetime | None
    key: str


def nbgrader_config(course: Course) -> Config:
    """What nbgrader reads in the course: its `nbgrader_config.py`, or what ours makes.

    Raises:
        AutogradedError: the file cannot be run.
    """
    path = course.root / "nbgrader_config.py"
    if not path.is_file():
        config = Config()
        configure(config, course.root)
        return config
    try:
        return PyFileConfigLoader(path.name, path=str(course.root)).load_config()
    except Exception as error:
        raise AutogradedError(f"{path} cannot be run: {type(error).__name__}: {error}.") from error


def submitted_students(course: Course, assignment: str) -> list[str]:
    """Students who handed something in for an assignment, sorted."""
    folder = course.classroom / "submitted"
    if not folder.is_dir():
        return []
    return sorted(
        path.name
        for path in folder.iterdir()
        if not path.name.startswith(".")
        and (_is_there(path / assignment) or _astray(path, assignment))
    )


def _is_there(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except OSError:  # in a folder that may not be looked into: reading it will say so
        return True


def _astray(folder: Path, assignment: str) -> Path | None:
    """Work that lies in a student's folder rather than in the assignment's folder below."""
    if not folder.is_dir():
        return None
    found = sorted(folder.glob(f"{assignment}*"))
    return next((p for p in found if p.suffix in (".ipynb", ".py", ".zip") and p.is_file()), None)


def grade_class(
    course: Course,
    assignment: str,
    options: Options | None = None,
    report: Reporter | None = None,
) -> list[Outcome]:
    """Grade the submissions in classroom/submitted; one that fails does not stop the others.

    Args:
        course: the course.
        assignment: the assignment's name.
        options: how; see `Options`.
        report: told of each outcome besides the progress that is shown.

    Returns:
        An outcome for every submission, sorted by student.

    Raises:
        AutogradedError: nothing can be graded: no release, no such student, another run at work.
        GradebookError: gradebook or disk failed; what was recorded before stays.
    """
    options = options or Options()
    course.require_graders(assignment)
    students = _chosen(course, assignment, options.students)
    bundle = make_bundle(course, assignment, course_seed(course), options.sandbox)
    with (
        _alone(course),
        Store(course.classroom / "results", assignment) as store,
        GradebookRows(database_url(course), course_id(course), assignment) as rows,
        reporting(assignment, len(students), options.progress) as show,
    ):
        store.sweep()
        run = _Run(course, assignment, bundle, store, rows, [show, *([report] if report else [])])
        run.grade(students, options)
    return sorted(run.outcomes, key=lambda outcome: outcome.student)


def _chosen(course: Course, assignment: str, wanted: Sequence[str]) -> list[str]:
    found = submitted_students(course, assignment)
    missing = sorted(set(wanted) - set(found))
    if missing:
        raise AutogradedError(
            f"{', '.join(missing)} handed in nothing for {assignment}: "
            f"there is no {course.classroom / 'submitted' / missing[0] / assignment}."
        )
    if not found:
        raise AutogradedError(
            f"Nobody has handed in {assignment}: "
            f"submissions belong in {course.classroom / 'submitted'}/<student>/{assignment}/."
        )
    return [student for student in found if not wanted or student in wanted]


@contextmanager
def _alone(course: Course) -> Iterator[None]:
    """Keep a second run from working on the same class."""
    lock = FileLock(course.classroom / ".grading.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise AutogradedError(
            f"Another `autograded grade` is at work on {course.classroom}; "
            "wait until it has ended, then start again."
        ) from None
    except OSError as error:
        raise AutogradedError(f"{course.classroom} cannot be written: {why(error)}.") from error
    try:
        yield
    finally:
        lock.release()


class _Run:
    """One run over one assignment."""

    def __init__(
        self,
        course: Course,
        assignment: str,
        bundle: Bundle,
        store: Store,
        rows: GradebookRows,
        reporters: Sequence[Reporter],
    ) -> None:
        self.course, self.assignment, self.bundle = course, assignment, bundle
        self.store, self.rows, self.reporters = store, rows, reporters
        self.outcomes: list[Outcome] = []
        self._penalty = _late_penalty(course)
        self._waiting: list[tuple[Submission, Record, bool]] = []
        # Identical files of several students are graded once.
        self._by_key: dict[str, list[Submission]] = {}

    def grade(self, students: Sequence[str], options: Options) -> None:
        """Grade `students`: first what is known already, then the rest in batches."""
        executor = cache(lambda: _executor(options))  # a cluster is asked when there is work
        work = self._tasks(students, lambda: executor().width, force=options.force)
        first = next(work, None)
        if first is not None:
            for task, outcomes in executor().run(_chain(first, work)):
                for item, outcome in zip(task.items, outcomes, strict=True):
                    self._take(item.key(self.bundle), outcome)
                self._write_down()
        self._write_down()

    def _tasks(
        self, students: Sequence[str], width: Callable[[], int], *, force: bool
    ) -> Iterator[Task]:
        """Yield batches of what has to be graded; what is known is written down on the way."""
        recorded = {} if force else self.store.recorded()
        in_gradebook = self.rows.recorded()
        unchanged: list[Submission] = []
        batch: list[Item] = []
        for done_with, student in enumerate(students, start=1):
            try:
                submission = self._read(student)
            except AutogradedError as error:
                self._tell(Outcome(student, error=str(error)))
                continue
            done = recorded.get(student) == submission.key and student in in_gradebook
            if done and self._notebook(student).is_file():
                unchanged.append(submission)
            elif submission.key in self._by_key:
                self._by_key[submission.key].append(submission)
            elif not force and (known := self.store.get(submission.key)) is not None:
                self._waiting.append((submission, known, True))
            else:
                self._by_key[submission.key] = [submission]
                batch.append(submission.item)
            if len(self._waiting) >= BATCH:
                self._write_down()
            if batch and len(batch) >= _size(len(batch) + len(students) - done_with, width()):
                yield Task(self.bundle, tuple(batch))
                batch = []
        self._tell_unchanged(unchanged)
        if batch:
            yield Task(self.bundle, tuple(batch))

    def _notebook(self, student: str) -> Path:
        folder = self.course.classroom / "autograded" / student / self.assignment
        return folder / f"{self.assignment}.ipynb"

    def _read(self, student: str) -> Submission:
        folder = self.course.classroom / "submitted" / student / self.assignment
        if not is_text(student):
            raise AutogradedError(f"{folder.parent} has a name that is not UTF-8; rename it")
        if not _is_there(folder) and (path := _astray(folder.parent, self.assignment)):
            raise AutogradedError(f"{path} belongs into the folder {folder}; move it there")
        try:
            with use(self.course.language):
                chosen = submitted(folder, self.course, self.assignment)
            files = submitted_files(folder)
        except OSError as error:
            raise AutogradedError(f"{folder} cannot be read: {why(error)}") from error
        work = chosen.candidate
        item = Item(work.name, work.content, tuple(sorted(files.items())), chosen.repairs)
        timestamp = handed_in(files.get(FILE))
        return Submission(student, folder, item, timestamp, item.key(self.bundle))

    def _take(self, key: str, outcome: Record | str) -> None:
        if isinstance(outcome, Record):
            try:
                self.store.put(key, outcome)
            except ValueError as error:  # text that no file can hold
                outcome = unforeseen(error)
        for submission in self._by_key.pop(key):
            if isinstance(outcome, Record):
                self._waiting.append((submission, outcome, False))
            else:
                self._tell(Outcome(submission.student, error=outcome))

    def _write_down(self) -> None:
        """Write what is waiting: notebooks, gradebook rows in one transaction, then the mark."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        written, entries = [], []
        for submission, record, known in waiting:
            student = submission.student
            files = dict(submission.item.files)
            try:
                write_autograded(self.course, student, self.assignment, record.notebook, files)
                self.store.document(student, record.result)
            except ValueError as error:  # text that no file can hold
                self._tell(Outcome(student, error=unforeseen(error)))
                continue
            written.append((submission, record, known))
            entries.append(Entry(student, submission.timestamp, record.scores, record.comments))
        standings = self.rows.write(entries, self._penalty)
        self.store.mark_recorded((s.student, s.key) for s, _, _ in written)
        for submission, record, known in written:
            seconds = 0.0 if known else sum(record.seconds.values())
            repairs = tuple(repair["message"] for repair in record.result.get("repairs", ()))
            outcome = _outcome(submission, record.result, standings[submission.student])
            self._tell(replace(outcome, repairs=repairs, seconds=seconds, known=known))

    def _tell_unchanged(self, unchanged: Sequence[Submission]) -> None:
        students = [submission.student for submission in unchanged]
        self.rows.renew_penalties(students, self._penalty)
        standings = self.rows.standings(students)
        for submission in unchanged:
            result = self.store.document_of(submission.student)
            self._tell(_outcome(submission, result, standings[submission.student]))

    def _tell(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        for report in self.reporters:
            report(outcome)


def _outcome(submission: Submission, result: dict[str, Any], standing: Standing) -> Outcome:
    return Outcome(
        student=submission.student,
        score=standing.score,
        max_score=standing.max_score,
        needs_person=standing.needs_person,
        kept=standing.kept,
        flags=(*_flags(result), *_unclear_time(submission)),
        known=True,
    )


def _unclear_time(submission: Submission) -> tuple[str, ...]:
    stamp = dict(submission.item.files).get(FILE, b"")
    if submission.timestamp is not None or not stamp.strip():
        return ()
    return (_("timestamp.txt names no moment: when it was handed in is not known"),)


def _flags(result: dict[str, Any]) -> tuple[str, ...]:
    problem = [f"unreadable: {result['problem']}"] if result.get("problem") else []
    flags = result.get("flags", ())
    return (*problem, *(f"{flag['kind']}: {flag['message']}" for flag in flags))


def _executor(options: Options) -> Executor:
    if options.scheduler:
        return DaskCluster(options.scheduler)
    return LocalPool(options.jobs or len(cores()))


def _size(left: int, width: int) -> int:
    """How many of the submissions that are left go into the next task, of `width` at a time."""
    return min(BATCH, max(_LEAST, ceil(left / (_SHARE * width))))


def _chain(first: Task, rest: Iterator[Task]) -> Iterable[Task]:
    yield first
    yield from rest


def _late_penalty(course: Course) -> Penalty:
    """nbgrader's late penalty, from whatever plugin the course's configuration names."""
    step = AssignLatePenalties(config=nbgrader_config(course))
    step.init_plugin()

    def penalty(student: str, score: float, seconds: float) -> float | None:
        value: Any = step.plugin_inst.late_submission_penalty(student, score, seconds)
        return None if value is None else float(value)

    return penalty


def api(course: Course) -> NbGraderAPI:
    """nbgrader's own interface to the course."""
    config = nbgrader_config(course)
    config.NbGraderAPI.log_level = "ERROR"
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def open_gradebook(course: Course) -> Gradebook:
    """The course's gradebook through nbgrader's own interface."""
    return Gradebook(database_url(course), course_id(course))
