"""Kills `autograded grade` at random moments, again and again: `make kills`.

    cd tests && python -m bulk.kills [KILLS] [SUBMISSIONS] [--seed SEED]

At a moment drawn between a run's start and the length of an undisturbed one, SIGKILL goes to a
process of it: two times of three to the command itself, else to any of those below it, a student's
included. When it was the command, the next run goes on; else the run must get to its end by itself.
A run that does must leave exactly the gradebook of the undisturbed one, every notebook and nothing
half-written; then the class is forgotten and graded anew, until all kills are spent.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from bulk.conftest import ASSIGNMENT, hand_in_class, left_over, scores
from support import command, copy_course

COMMAND = "the command"


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


def kill_one(process: subprocess.Popen[bytes], draw: random.Random) -> str | None:
    """Kill a process of a run; return what it was, or None when the run had ended."""
    if process.poll() is not None:
        return None
    victim = main = psutil.Process(process.pid)
    below = main.children(recursive=True)
    if below and draw.random() < 1 / 3:
        victim = draw.choice(below)
    try:
        told = COMMAND if victim is main else f"{victim.name()} below it"
        victim.kill()
    except psutil.NoSuchProcess:  # a student's, that has just ended
        return None
    return told


def finished(course: Path, students: list[str]) -> list[str]:
    """What is wrong with a class after a run that ended by itself."""
    classroom = course / "classroom"
    faults = [f"left over: {path}" for path in left_over(course)]
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
        process = grading(course)
        victim = None
        if killed < kills:
            moment = draw.uniform(0, length)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(moment)
            victim = kill_one(process, draw)
        if victim is not None:
            killed += 1
            recorded = len(scores(course))
            print(f"kill {killed}, {victim}, {moment:.1f} s: {recorded} recorded", flush=True)
        _, errors = process.communicate()
        if victim == COMMAND:
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
