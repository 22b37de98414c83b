"""Kills `autograded grade` at random moments, again and again: `make kills`.

    cd tests && python -m bulk.kills [KILLS] [SUBMISSIONS] [--seed SEED]

Each run is killed by SIGKILL at a moment drawn between its start and the length of an undisturbed
one; the next run goes on. A run that gets to its end must leave exactly the gradebook of the
undisturbed run, every notebook and nothing half-written; then the class is forgotten and graded
anew, until all kills are spent.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bulk.conftest import ASSIGNMENT, hand_in_class, scores
from support import command, copy_course


def grading(course: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "autograded", "grade", ASSIGNMENT, "--json"],
        cwd=course,
        env={**os.environ, "AUTOGRADED_SEED": "tests"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def forget(course: Path) -> None:
    classroom = course / "classroom"
    for name in ("results", "autograded"):
        shutil.rmtree(classroom / name, ignore_errors=True)
    shutil.copy2(classroom / "empty.db", classroom / "gradebook.db")


def finished(course: Path, students: list[str]) -> list[str]:
    """What is wrong with a class after a run that ended by itself."""
    classroom = course / "classroom"
    faults = [str(path) for path in classroom.rglob("*.new")]
    for student in students:
        path = classroom / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        if not path.is_file():
            faults.append(f"no notebook of {student}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kills", type=int, nargs="?", default=50)
    parser.add_argument("submissions", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="autograded-kills-") as place:
        course = copy_course(Path(place) / "course")
        built = command("autograded", "build", ASSIGNMENT, cwd=course)
        assert built.returncode == 0, built.stderr
        students = hand_in_class(course, options.submissions)
        shutil.copy2(course / "classroom" / "gradebook.db", course / "classroom" / "empty.db")
        start = time.monotonic()
        undisturbed = grading(course)
        _, errors = undisturbed.communicate()
        assert undisturbed.returncode == 0, errors.decode()
        length = time.monotonic() - start
        due = scores(course)
        assert len(due) == len(students)
        print(f"{len(students)} submissions, {length:.1f} s undisturbed")
        forget(course)
        return torment(course, students, due, length, draw, options.kills)


def torment(
    course: Path,
    students: list[str],
    due: dict[str, list[tuple[object, ...]]],
    length: float,
    draw: random.Random,
    kills: int,
) -> int:
    killed = rounds = 0
    while killed < kills or rounds == 0:
        moment = draw.uniform(0, length)
        process = grading(course)
        try:
            _, errors = process.communicate(timeout=moment if killed < kills else None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
            print(f"kill {killed} after {moment:.1f} s: {len(scores(course))} recorded", flush=True)
            continue
        if process.returncode != 0:
            print(f"a run failed: {errors.decode()}")
            return 1
        rounds += 1
        faults = finished(course, students)
        if scores(course) != due:
            faults.append("the gradebook is not that of an undisturbed run")
        if faults:
            print("\n".join(faults))
            return 1
        print(f"round {rounds}: the gradebook is that of the undisturbed run", flush=True)
        forget(course)
    print(f"{killed} kills, {rounds} classes graded to the end, nothing lost and nothing doubled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
