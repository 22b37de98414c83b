"""How long a class report takes, and how large it is: the command as a teacher runs it.

    python benchmarks/report.py [--students 1000] [--runs 3]

Makes a class of made-up results for every assignment of the course, in a folder of its own, then
runs `autograded report` on it. Prints seconds on the clock (start of Python included), processor
seconds, the page's size, and how many of the planted copies it lists. Exit status 1 when the best
run takes 10 s or more, or the page 5 MB or more.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograded.course import Course
from autograded.reports.simulated import simulate

ROOT = Path(__file__).parents[1]
MOST_SECONDS, MOST_BYTES = 10, 5_000_000


def copy_course(folder: Path) -> Course:
    for name in ("course.yml", "nbgrader_config.py"):
        shutil.copy2(ROOT / name, folder / name)
    for name in ("exercises", "solutions", "graders"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return Course.load(folder / "course.yml")


def report(course: Course) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "autograded", "report"],
        cwd=course.root,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="autograded-report-") as place:
        course = copy_course(Path(place))
        subprocess.run(
            [sys.executable, "-m", "autograded", "build"],
            cwd=course.root,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        made = simulate(course, options.students)
        runs = sorted(report(course) for _ in range(options.runs))
        page = course.classroom / "reports" / "class.html"
        size = page.stat().st_size
        text = page.read_text(encoding="utf-8")
        found = sum(", ".join(copied.students) in text for copied in made.copied)
    (best, processor), (slowest, _) = runs[0], runs[-1]
    print(f"{made.submissions} submissions of {options.students} students, {os.cpu_count()} cores")
    print(f"best of {options.runs}: {best:.2f} s ({processor:.2f} s of processor)")
    print(f"slowest: {slowest:.2f} s")
    print(f"page: {size / 1e6:.2f} MB")
    print(f"planted copies listed: {found} of {len(made.copied)}")
    return 0 if best < MOST_SECONDS and size < MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
