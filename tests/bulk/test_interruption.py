"""A run that is stopped at any moment loses and doubles nothing."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from bulk.conftest import ASSIGNMENT, copy, hand_in_class, left_over, scores, start_grading
from support import ROOT, command

Rows = dict[str, list[tuple[object, ...]]]


@pytest.fixture(scope="module")
def simulated(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class that has handed in; tests work on copies."""
    folder = tmp_path_factory.mktemp("simulated") / "course"
    shutil.copytree(built_course, folder, symlinks=True)
    hand_in_class(folder, 30)
    return folder


@pytest.fixture(scope="module")
def undisturbed(simulated: Path) -> Rows:
    """The gradebook of a run that nobody stopped."""
    course = copy(simulated, "undisturbed")
    done = command("autograded", "grade", ASSIGNMENT, cwd=course)
    assert done.returncode == 0, done.stderr
    return scores(course)


@pytest.fixture
def handed_in(simulated: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    shutil.copytree(simulated, folder, symlinks=True)
    return folder


def lines_until(process: subprocess.Popen[str], count: int) -> list[dict[str, object]]:
    """Read progress events until `count` submissions are recorded."""
    assert process.stdout is not None
    events = []
    for line in process.stdout:
        events.append(json.loads(line))
        if sum(event["event"] == "graded" for event in events) >= count:
            break
    return events


def students_process(grading: subprocess.Popen[str]) -> psutil.Process:
    """Wait for the process of a submission that sleeps, and return it."""
    while grading.poll() is None:
        for process in psutil.Process(grading.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                above = process.parent()
                command_line = above.cmdline() if above else [""]
                forked = "python" in command_line[0] and "sandbox.warm" in " ".join(command_line)
                if forked and time.time() - process.create_time() > 0.5:
                    return process
    raise AssertionError(grading.communicate()[1])


def test_a_students_process_killed_from_outside_is_run_again(tmp_path: Path) -> None:
    solution = (ROOT / "solutions" / "backward" / "backward.py").read_text()
    handed_in = tmp_path / "backward.py"
    handed_in.write_text(f"{solution}\n\nimport time\ntime.sleep(2)\n")
    grading = subprocess.Popen(
        [sys.executable, "-m", "autograded", "grade-file", "-a", "backward", str(handed_in)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    students_process(grading).kill()
    output, errors = grading.communicate(timeout=120)

    assert grading.returncode == 0, errors
    result = json.loads(output)
    assert result["score"] == result["max_score"]
    assert result["flags"] == []


def test_killed_runs_are_finished_by_the_next(handed_in: Path, undisturbed: Rows) -> None:
    draw = random.Random(7)
    for moment in (0, draw.randrange(1, 10), draw.randrange(10, 20)):
        process = start_grading(handed_in, "--force" if moment == 0 else "--jobs=2")
        lines_until(process, moment)
        process.kill()
        process.wait()

    results = handed_in / "classroom" / "results" / ASSIGNMENT
    (results / ".budi.json.4321").write_text('{"schema"')  # as a kill in the middle leaves it

    done = command("autograded", "grade", ASSIGNMENT, cwd=handed_in)

    assert done.returncode == 0, done.stderr
    assert scores(handed_in) == undisturbed
    assert left_over(handed_in) == []


def test_a_killed_worker_costs_nothing(handed_in: Path, undisturbed: Rows) -> None:
    process = start_grading(handed_in)
    lines_until(process, 1)
    workers = [
        child
        for child in psutil.Process(process.pid).children(recursive=True)
        if "spawn_main" in " ".join(child.cmdline()) or "forkserver" in " ".join(child.cmdline())
    ]
    assert workers
    workers[-1].kill()
    _, errors = process.communicate(timeout=300)

    assert process.returncode == 0, errors
    assert scores(handed_in) == undisturbed


def test_ctrl_c_says_how_to_go_on_and_the_next_run_does(handed_in: Path, undisturbed: Rows) -> None:
    process = start_grading(handed_in)
    lines_until(process, 1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)

    assert process.returncode == 130
    assert "start again to go on" in errors
    assert "Traceback" not in errors

    done = command("autograded", "grade", ASSIGNMENT, cwd=handed_in)
    assert done.returncode == 0, done.stderr
    assert scores(handed_in) == undisturbed


def test_nothing_is_left_running_after_a_kill(handed_in: Path) -> None:
    process = start_grading(handed_in)
    lines_until(process, 1)
    family = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    _, alive = psutil.wait_procs(family, timeout=30)
    assert not [child for child in alive if child.status() != psutil.STATUS_ZOMBIE]


def test_a_second_run_at_once_is_refused_in_a_sentence(handed_in: Path) -> None:
    first = start_grading(handed_in)
    lines_until(first, 0)

    second = command("autograded", "grade", ASSIGNMENT, cwd=handed_in)

    assert second.returncode == 2
    assert "Another `autograded grade` is at work" in second.stderr
    _, errors = first.communicate(timeout=300)
    assert first.returncode == 0, errors
