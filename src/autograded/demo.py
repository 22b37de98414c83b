"""A simulated class, graded end to end the way a real one is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import MappingProxyType

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

from autograded.authoring.build import build
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.simulation import HandIn, Kind, Simulator, Student, students

_COPIED = ("course.yml", "nbgrader_config.py", "exercises", "solutions", "graders")
_MARK = ".autograded-demo"


@dataclass(frozen=True)
class Graded:
    """One simulated submission and what nbgrader's gradebook says of it."""

    student: Student
    assignment: str
    hand_in: HandIn
    score: float | None
    max_score: float
    error: str | None

    @property
    def as_expected(self) -> bool:
        """Whether right work earned all points a machine gives, and other work fewer."""
        if self.score is None:
            return False
        return (self.score >= self.max_score - 1e-6) == self.hand_in.full_marks


def run(course: Course, *, students: int, folder: Path | None = None) -> None:
    """Make a class in `folder` and grade it: release, hand in, autograde, feedback, CSV.

    The class is a copy of the course with a `classroom/` of its own; a folder that an earlier demo
    made is made anew, any other is left alone.

    Raises:
        AutogradedError: when `folder` holds something else, or a step fails.
    """
    console = Console()
    place = (folder or course.root / "demo").resolve()
    start = perf_counter()
    _prepare(course, place)
    demo = Course.load(place / "course.yml")
    with _progress(console) as progress:
        with _step(progress, "release", len(demo.assignments)) as advance:
            for name in demo.assignments:
                build(demo, assignments=[name])
                advance()
        made = _hand_in(demo, students, progress)
        graded = _grade(demo, made, progress)
        _feedback(demo, progress)
    csv = place / "classroom" / "grades.csv"
    _nbgrader(place, "export", f"--to={csv}")
    _tell(console, graded)
    _where(console, place, csv)
    unexpected = [g for g in graded if not g.as_expected]
    seconds = perf_counter() - start
    console.print(f"{len(graded)} submissions of {students} students in {seconds:.0f} s.")
    if unexpected:
        names = ", ".join(f"{g.student.id}/{g.assignment}" for g in unexpected[:5])
        raise AutogradedError(f"{len(unexpected)} submissions were not graded as expected: {names}")


def _prepare(course: Course, place: Path) -> None:
    if place.exists():
        if not (place / _MARK).is_file() and any(place.iterdir()):
            raise AutogradedError(
                f"{place} is not empty and no demo made it; name another with --folder."
            )
        shutil.rmtree(place)
    place.mkdir(parents=True)
    (place / _MARK).write_text("Made by `autograded demo`, which may remove it.\n")
    for name in _COPIED:
        source = course.root / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.is_file():
            shutil.copy2(source, place / name)


@contextmanager
def _progress(console: Console) -> Iterator[Progress]:
    with Progress(
        TextColumn("{task.description:<30}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        yield progress


class _Advance:
    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def __call__(self, outcome: object = None) -> None:
        self._progress.advance(self._task)


@contextmanager
def _step(progress: Progress, name: str, total: int) -> Iterator[_Advance]:
    task = progress.add_task(name, total=total)
    yield _Advance(progress, task)
    if not progress.live.is_started or not progress.console.is_terminal:
        progress.console.print(f"{name}: {total}")


def _hand_in(
    demo: Course, count: int, progress: Progress
) -> dict[tuple[str, str], tuple[Student, HandIn]]:
    """Put simulated work into classroom/submitted, and the roster into the gradebook."""
    from nbgrader.api import Gradebook

    from autograded.gradebook.config import course_id, database_url

    roster = students(count)
    made = {}
    with Gradebook(database_url(demo), course_id(demo)) as gradebook:
        for student in roster:
            gradebook.update_or_create_student(
                student.id,
                first_name=student.first_name,
                last_name=student.last_name,
                email=student.email,
            )
    with _step(progress, "hand in", len(demo.assignments) * count) as advance:
        for name in demo.assignments:
            release = demo.classroom / "release" / name
            simulator = Simulator(demo, name, release / f"{name}.ipynb")
            for student in roster:
                hand_in = simulator.hand_in(student.kind, student.id)
                if hand_in.text is not None:
                    target = demo.classroom / "submitted" / student.id / name
                    shutil.copytree(release, target)
                    (target / f"{name}.ipynb").write_text(hand_in.text, encoding="utf-8")
                    made[student.id, name] = (student, hand_in)
                advance()
    return made


def _grade(
    demo: Course, made: dict[tuple[str, str], tuple[Student, HandIn]], progress: Progress
) -> list[Graded]:
    """Grade the first assignment with plain nbgrader, the others in bulk: it is one gradebook."""
    from autograded.gradebook.grade import Options, grade_class

    first, *others = demo.assignments
    counts = Counter(name for _, name in made)
    with _step(progress, f"nbgrader autograde {first}", counts[first]) as advance:
        _nbgrader(demo.root, "autograde", first)
        for _ in range(counts[first]):
            advance()
    graded = _as_graded(demo, made, first)
    for name in others:
        with _step(progress, f"autograded grade {name}", counts[name]) as advance:
            outcomes = grade_class(demo, name, Options(progress="none"), advance)
        errors = {outcome.student: outcome.error for outcome in outcomes}
        graded += _as_graded(demo, made, name, errors)
    return graded


def _as_graded(
    demo: Course,
    made: dict[tuple[str, str], tuple[Student, HandIn]],
    assignment: str,
    errors: Mapping[str, str | None] = MappingProxyType({}),
) -> list[Graded]:
    """Read the scores of an assignment back from nbgrader's gradebook."""
    from autograded.gradebook.grade import open_gradebook

    graded = []
    with open_gradebook(demo) as gradebook:
        for (student_id, name), (student, hand_in) in made.items():
            if name == assignment:
                error = errors.get(student_id)
                score = None if error else float(gradebook.find_submission(name, student_id).score)
                due = demo.assignment(name).points
                graded.append(Graded(student, name, hand_in, score, due, error))
    return graded


def _feedback(demo: Course, progress: Progress) -> None:
    with _step(progress, "generate_feedback", len(demo.assignments)) as advance:
        for name in demo.assignments:
            _nbgrader(demo.root, "generate_feedback", name)
            advance()


def _nbgrader(place: Path, *arguments: str) -> None:
    """Run a plain nbgrader command in the class's folder, as an instructor would."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise AutogradedError(f"`nbgrader {' '.join(arguments)}` failed: {' '.join(last)}")


_KINDS: dict[Kind, str] = {
    "perfect": "perfect work",
    "unusual": "right, in an unusual style",
    "mistaken": "one or two misconceptions",
    "unfinished": "unfinished",
    "broken": "a cell that is no Python",
    "absent": "nothing handed in",
}


def _tell(console: Console, graded: list[Graded]) -> None:
    table = Table(title="What was handed in, and what it earned", title_justify="left")
    table.add_column("work")
    table.add_column("submissions", justify="right")
    table.add_column("mean score", justify="right")
    table.add_column("as expected", justify="right")
    counts = Counter(g.student.kind for g in graded)
    for kind, words in _KINDS.items():
        mine = [g for g in graded if g.student.kind == kind]
        if not mine:
            continue
        shares = [g.score / g.max_score for g in mine if g.score is not None]
        mean = f"{100 * sum(shares) / len(shares):.0f} %" if shares else "–"
        right = sum(g.as_expected for g in mine)
        table.add_row(words, str(counts[kind]), mean, f"{right}/{len(mine)}")
    console.print(table)
    for g in graded:
        if g.error is not None:
            console.print(f"[red]{g.student.id}/{g.assignment}[/red] not graded: {escape(g.error)}")


def _where(console: Console, place: Path, csv: Path) -> None:
    feedback = sorted((place / "classroom" / "feedback").glob("*/*/*.html"))
    console.print("Where to look:")
    if feedback:
        console.print(f"  a student's feedback  {feedback[0]}", markup=False)
    console.print(f"  grades                {csv}", markup=False)
    console.print(f"  gradebook             {place / 'classroom' / 'gradebook.db'}", markup=False)
    console.print(
        f"  formgrader            cd {place} && jupyter lab   (menu Nbgrader)", markup=False
    )
