"""Verifies a course: every exercise's trials over the cores at hand, then one verdict."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing.context import BaseContext
from typing import Any

from autograded.course import Course
from autograded.grading.seed import VARIABLE, course_seed
from autograded.machine import cores
from autograded.parenthood import end_with_parent
from autograded.verify.faults import Findings
from autograded.verify.files import examine_listing, examine_source
from autograded.verify.forms import examine_grading, examine_public
from autograded.verify.judge import judge
from autograded.verify.trials import ExerciseTrials, try_exercise

_SEED = "verify"


@dataclass
class Verdict:
    """What verify found."""

    findings: Findings = field(default_factory=Findings)
    exercises: list[ExerciseTrials] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings.faults

    def to_document(self) -> dict[str, Any]:
        """The evidence as plain data, for tools."""
        return {
            "faults": [str(fault) for fault in self.findings.faults],
            "notes": [str(note) for note in self.findings.notes],
            "seconds": round(self.seconds, 1),
            "exercises": [asdict(exercise) for exercise in self.exercises],
        }


def verify(
    course: Course,
    only: Sequence[str] = (),
    *,
    pairs: bool = True,
    jobs: int | None = None,
    level: str = "auto",
    progress: Callable[[int, int], None] = lambda done, due: None,
) -> Verdict:
    """Prove the course, or the assignments named in `only`.

    Args:
        course: the course.
        only: names of assignments; all by default.
        pairs: whether two misconceptions at once are tried as well, most of the work.
        jobs: processes to use; by default one for each core.
        level: how the stubs and solutions are confined while they are graded.
        progress: called with the pieces of work done, and due.

    Raises:
        CourseError: an assignment in `only` does not exist.
    """
    started = time.perf_counter()
    verdict = Verdict()
    assignments = [course.assignment(name) for name in only or course.assignments]
    if not only:
        verdict.findings.extend([examine_listing(course)])
    with _seeded(course) as seed, pool(jobs) as workers:
        trials = [
            workers.submit(try_exercise, course.root, exercise.id, seed, pairs)
            for assignment in assignments
            for exercise in assignment.checked
        ]
        public = [workers.submit(examine_public, course.root, a.id) for a in assignments]
        work: list[Future[Any]] = [*trials, *public]
        for future in work:
            future.add_done_callback(
                lambda _: progress(sum(each.done() for each in work), len(work))
            )
        for assignment in assignments:
            verdict.findings.extend([examine_source(course, assignment.id)])
            verdict.findings.extend([examine_grading(course, assignment.id, level)])
        verdict.findings.extend(future.result() for future in public)
        verdict.exercises = [future.result() for future in trials]
    verdict.findings.extend(judge(course, tried) for tried in verdict.exercises)
    # A library that cannot be read fails in several places, in the same words.
    verdict.findings.faults = list(dict.fromkeys(verdict.findings.faults))
    verdict.seconds = time.perf_counter() - started
    return verdict


@contextmanager
def _seeded(course: Course) -> Iterator[str]:
    """The class's own seed where there is one: it is the inputs in use that must be proved."""
    if os.environ.get(VARIABLE) or (course.classroom / ".seed").is_file():
        yield course_seed(course)
        return
    os.environ[VARIABLE] = _SEED  # grading the stub and the solution must not make a seed
    try:
        yield _SEED
    finally:
        del os.environ[VARIABLE]


def pool(jobs: int | None = None, *, tasks_each: int | None = None) -> ProcessPoolExecutor:
    """Make the processes that trials run in.

    They are forked from one that has torch and has run nothing, where the system can: forking this
    process could hang the child, once torch has run on several threads.

    Args:
        jobs: how many; by default one for each core.
        tasks_each: after how many tasks a process is replaced; by default never.
    """
    context: BaseContext = multiprocessing.get_context("spawn")
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["autograded.verify.trials"])
    return ProcessPoolExecutor(
        jobs or len(cores()),
        mp_context=context,
        initializer=end_with_parent,
        max_tasks_per_child=tasks_each,
    )
