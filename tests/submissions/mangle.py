"""Mangles right notebooks at random and grades them: `make mangle`.

    cd tests && python -m submissions.mangle [NUMBER] [ASSIGNMENT ...]

Every mangled notebook must earn full marks, and nbgrader's own checks must pass on it. A failure
prints the seed and what was done; `--seed SEED` repeats that one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter

from nbformat import from_dict, validate
from nbgrader.nbgraderformat import MetadataValidator

from autograded.course import Course
from autograded.grading.session import Grader, Work, shared_sandbox
from autograded.simulation import Simulator
from autograded.submissions.reader import read_cells
from autograded.submissions.release import release_of
from autograded.submissions.repair import Repaired, repair

from .mangling import mangled

ROOT = Path(__file__).parents[2]
BATCH = 25


class Mangler:
    """Makes and checks mangled notebooks of one assignment."""

    def __init__(self, course: Course, assignment: str, folder: Path) -> None:
        self.course, self.assignment = course, course.assignment(assignment)
        self.release = release_of(course, assignment)
        path = folder / f"{assignment}.ipynb"
        path.write_text(json.dumps(self.release), encoding="utf-8")
        self.simulator = Simulator(course, assignment, path)
        self.required = [
            cell["metadata"]["nbgrader"]["grade_id"]
            for cell in self.release["cells"]
            if "nbgrader" in cell["metadata"]
        ]

    def make(self, seed: str) -> tuple[bytes, list[str]]:
        """A mangled notebook; every third has right work in an unusual style."""
        kind = "unusual" if hash_of(seed) % 3 == 0 else "perfect"
        text = self.simulator.hand_in(kind, seed).text  # type: ignore[arg-type]
        assert text is not None
        return mangled(text, seed)

    def repaired(self, content: bytes) -> Repaired:
        """Repair it and check that nbgrader will take it."""
        name = f"{self.assignment.id}.ipynb"
        done = repair(content, name, self.release, self.assignment, self.course.language)
        node = from_dict(done.notebook)
        validate(node)
        MetadataValidator().validate_nb(node)
        found = [
            cell.metadata.nbgrader.grade_id for cell in node.cells if "nbgrader" in cell.metadata
        ]
        assert sorted(found) == sorted(self.required), sorted(
            set(found).symmetric_difference(self.required)
        )
        ids = [cell.id for cell in node.cells]
        assert len(ids) == len(set(ids)), [i for i, n in Counter(ids).items() if n > 1]
        return done


def hash_of(seed: str) -> int:
    """A number that is the same in every process."""
    return sum(map(ord, seed))


def run(course: Course, assignment: str, seeds: list[str], folder: Path) -> int:
    """Mangle and grade; return how many went wrong, after printing which."""
    mangler = Mangler(course, assignment, folder)
    grader = Grader(course, assignment, shared_sandbox(course), seed="mangle")
    wrong = 0
    seconds = []
    for start in range(0, len(seeds), BATCH):
        works, told = [], []
        for seed in seeds[start : start + BATCH]:
            content, done = mangler.make(seed)
            try:
                before = perf_counter()
                result = mangler.repaired(content)
                seconds.append(perf_counter() - before)
            except Exception as error:  # noqa: BLE001 - whatever goes wrong is to be told
                wrong += 1
                print(f"{assignment} seed {seed}: {', '.join(done)}: {error!r}")
                continue
            cells = result.notebook["cells"]
            works.append(Work(read_cells(cells, content, assignment, result.problem)))
            told.append((seed, done, result))
        for (seed, done, result), graded in zip(told, grader.grade(works), strict=True):
            if graded.result.score != graded.result.max_score:
                wrong += 1
                ids = [one.id for one in result.repairs]
                lost = [e.id for e in graded.result.exercises if e.score < e.max_score]
                print(f"{assignment} seed {seed}: {graded.result.score:g}, {lost}: {done} {ids}")
    mean = 1000 * sum(seconds) / max(len(seconds), 1)
    print(
        f"{assignment}: {len(seeds)} mangled, {wrong} wrong; {mean:.1f} ms to repair and validate"
    )
    return wrong


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=500)
    parser.add_argument("assignments", nargs="*")
    parser.add_argument("--seed")
    parser.add_argument("--course", type=Path, default=ROOT)
    arguments = parser.parse_args()
    course = Course.load(arguments.course / "course.yml")
    seeds = [arguments.seed] if arguments.seed else [str(i) for i in range(arguments.number)]
    with tempfile.TemporaryDirectory() as folder:
        wrong = sum(
            run(course, name, seeds, Path(folder))
            for name in arguments.assignments or course.assignments
        )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
