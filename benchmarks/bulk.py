"""How fast a class is graded, everything included, against stock nbgrader in the same run.

    python benchmarks/bulk.py [--sizes 50 200 1000] [--stock 4] [--assignment training_loop]

Prints Markdown tables: submissions a minute and cost per submission for each class size and for one
and two workers, split into running the cells, checking, and writing; peak memory of each process; a
second run over the unchanged class; plain `nbgrader autograde` with our configuration; and stock
nbgrader on a small sample of the same submissions, with the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

import stock
from autograded.course import Course
from autograded.gradebook.store import Store
from autograded.simulation import Simulator, students

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Run:
    """One grading run."""

    submissions: int
    workers: int
    seconds: float
    execute: float
    check: float
    peak: dict[str, int]

    @property
    def per_minute(self) -> float:
        return 60 * self.submissions / self.seconds

    @property
    def cost(self) -> float:
        """Milliseconds of wall clock a submission."""
        return 1000 * self.seconds / self.submissions


def copy_course(folder: Path) -> Course:
    for name in ("course.yml", "nbgrader_config.py"):
        shutil.copy2(ROOT / name, folder / name)
    for name in ("exercises", "solutions", "graders"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return Course.load(folder / "course.yml")


def hand_in(course: Course, assignment: str, count: int) -> list[str]:
    """Fill classroom/submitted with distinct files of a simulated class."""
    release = course.classroom / "release" / assignment
    simulator = Simulator(course, assignment, release / f"{assignment}.ipynb")
    texts: list[str] = []
    number = 0
    while len(texts) < count:
        for student in students(30, seed=number // 30):
            made = simulator.hand_in(student.kind, f"{number}")
            number += 1
            if made.text is None or len(texts) == count:
                continue
            notebook = json.loads(made.text)
            # Real students' files are never the same to the letter.
            notebook["cells"].append(
                {
                    "cell_type": "markdown",
                    "id": f"note-{number}",
                    "metadata": {},
                    "source": f"Student {number}",
                }
            )
            text = json.dumps(notebook)
            folder = course.classroom / "submitted" / f"s{len(texts):04}" / assignment
            shutil.copytree(release, folder)
            (folder / f"{assignment}.ipynb").write_text(text)
            texts.append(text)
    return texts


def forget(course: Course) -> None:
    # Not deleted: a file system looks for a place among inodes freed just now for half a minute.
    old = Path(tempfile.mkdtemp(prefix="old-", dir=course.root))
    for name in ("results", "autograded"):
        if (course.classroom / name).exists():
            (course.classroom / name).rename(old / name)
    shutil.copy2(course.classroom / "empty.db", course.classroom / "gradebook.db")


class Memory(threading.Thread):
    """Samples the resident memory of a process and all below it."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._process = psutil.Process(pid)
        self.peak: dict[str, int] = {}
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(0.2):
            try:
                family = [self._process, *self._process.children(recursive=True)]
            except psutil.Error:
                return
            for process in family:
                try:
                    line = " ".join(process.cmdline())
                    size = process.memory_info().rss
                except psutil.Error:
                    continue
                kind = "main" if process.pid == self._process.pid else _kind(line)
                self.peak[kind] = max(self.peak.get(kind, 0), size)

    def end(self) -> None:
        self._ended.set()
        self.join()


def _kind(line: str) -> str:
    if "forkserver" in line or "spawn" in line:
        return "grading worker"
    return "warm process and forks"


def grade(course: Course, assignment: str, count: int, workers: int) -> Run:
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "autograded", "grade", assignment, "--jobs", str(workers)],
        cwd=course.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    memory = Memory(process.pid)
    memory.start()
    _, errors = process.communicate()
    seconds = time.perf_counter() - start
    memory.end()
    if process.returncode:
        raise SystemExit(errors)
    execute = check = 0.0
    with Store(course.classroom / "results", assignment) as store:
        for key in store.recorded().values():
            record = store.get(key)
            assert record is not None
            execute += record.seconds["execute"]
            check += record.seconds["check"]
    return Run(count, workers, seconds, execute, check, memory.peak)


def row(run: Run) -> str:
    busy = run.workers * run.seconds
    rest = max(0.0, busy - run.execute - run.check)
    parts = [1000 * part / run.submissions for part in (run.execute, run.check, rest)]
    peak = max(run.peak.values(), default=0) / 2**20
    return (
        f"| {run.submissions} | {run.workers} | {run.per_minute:.0f} | {run.cost:.0f} "
        f"| {parts[0]:.0f} | {parts[1]:.0f} | {parts[2]:.0f} | {peak:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 200, 1000])
    parser.add_argument("--stock", type=int, default=4, help="submissions for stock nbgrader")
    parser.add_argument("--plain", type=int, default=20, help="submissions for plain nbgrader")
    parser.add_argument("--assignment", default="training_loop")
    options = parser.parse_args()
    os.environ["AUTOGRADED_SEED"] = "benchmark"
    with tempfile.TemporaryDirectory(prefix="autograded-bench-") as place:
        course = copy_course(Path(place))
        subprocess.run(
            [sys.executable, "-m", "autograded", "build", options.assignment],
            cwd=course.root,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        shutil.copy2(course.classroom / "gradebook.db", course.classroom / "empty.db")
        measure(course, options)


def measure(course: Course, options: argparse.Namespace) -> None:
    assignment = options.assignment
    print(f"`{assignment}`, {os.cpu_count()} cores; times in ms a submission, memory in MiB\n")
    print("| N | workers | a minute | wall | execute | check | rest | peak of a process |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    runs: dict[tuple[int, int], Run] = {}
    texts: list[str] = []
    for size in options.sizes:
        shutil.rmtree(course.classroom / "submitted", ignore_errors=True)
        texts = hand_in(course, assignment, size)
        for workers in (1, 2):
            forget(course)
            run = grade(course, assignment, size, workers)
            print(row(run), flush=True)
            runs[size, workers] = run
    print()
    for size in options.sizes:
        ratio = runs[size, 1].seconds / runs[size, 2].seconds
        print(f"N = {size}: two workers are {ratio:.2f} times one.")
    best = max(runs.values(), key=lambda run: run.per_minute)
    again = grade(course, assignment, options.sizes[-1], 2)
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import nbgrader.apps"], check=True)
    idle = time.perf_counter() - start
    unchanged = 1000 * (again.seconds - idle) / again.submissions
    print(f"\nSecond run over the unchanged class of {again.submissions}: {again.seconds:.1f} s,")
    print(f"{unchanged:.1f} ms a submission beyond the start of nbgrader.\n")
    plain = plain_seconds(course, assignment, texts[: options.plain])
    with tempfile.TemporaryDirectory(prefix="autograded-stock-") as place:
        stock.make(course, assignment, texts[: options.stock], Path(place))
        seconds = stock.grade(Path(place), assignment) / options.stock
        print(f"Scores by stock nbgrader: {stock.scores(Path(place))}")
    print("| | s a submission | times faster |")
    print("|---|--:|--:|")
    print(f"| stock nbgrader, {options.stock} submissions | {seconds:.2f} | 1 |")
    print(f"| `nbgrader autograde`, our configuration | {plain:.2f} | {seconds / plain:.1f} |")
    fast = best.seconds / best.submissions
    print(
        f"| `autograded grade`, N = {best.submissions}, {best.workers} workers "
        f"| {fast:.3f} | {seconds / fast:.0f} |"
    )


def plain_seconds(course: Course, assignment: str, texts: list[str]) -> float:
    forget(course)
    submitted = course.classroom / "submitted"
    for folder in sorted(submitted.iterdir())[len(texts) :]:
        shutil.rmtree(folder)
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "nbgrader", "autograde", assignment, "--create"],
        cwd=course.root,
        check=True,
        capture_output=True,
    )
    return (time.perf_counter() - start) / len(texts)


if __name__ == "__main__":
    main()
