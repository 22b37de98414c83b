"""Processes start quickly, and what was left out for that is there when it is asked for."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import torch

from autograded.sandbox import confinement
from autograded.sandbox.client import Sandbox, Session
from autograded.sandbox.processes import Forking, WarmProcess
from support import command

from .conftest import LIMITS, answer, program

LEVELS = [found.level for found in confinement.available() if found.usable]

TRAINS = """
import sys, torch
from autograded.startup import postpone_compiler
postpone_compiler()
for optimizer in (torch.optim.SGD, torch.optim.Adam):
    w = torch.ones(2, requires_grad=True)
    trained = optimizer([w], lr=0.1)
    (w * w).sum().backward()
    trained.step()
    trained.zero_grad()
assert torch.func.grad(lambda v: (v * v).sum())(torch.ones(2)).tolist() == [2, 2]
assert "torch._dynamo.eval_frame" not in sys.modules
import torch._dynamo.eval_frame
assert torch._dynamo.is_compiling() is False
"""


def test_training_wakes_no_compiler_and_who_asks_gets_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRAINS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_torch_compile_works_in_student_code() -> None:
    source = (
        "import torch\n@torch.compile(backend='eager')\n"
        "def f(x):\n    return (x * torch.relu(x)).sum()\n"
    )
    limits = replace(
        LIMITS, cell_seconds=20, execute_seconds=30, call_seconds=30, submission_seconds=60
    )
    with Sandbox("bubblewrap", limits=limits) as sandbox:
        reply = answer(sandbox, source, torch.full((3,), 2.0))
    assert reply.error is None
    assert reply.value.item() == 12


def run(forking: Forking, source: str) -> object:
    with Session(forking.open(), program(source), None, LIMITS) as session:
        return session.call("f", (), {}).value


@pytest.mark.parametrize("level", LEVELS)
def test_clones_of_a_warm_process_run_submissions_each_on_its_own(level: str) -> None:
    warm = WarmProcess(level, [], LIMITS)
    try:
        one, other = warm.clone(), warm.clone()
        for number, forking in enumerate((one, other, warm, one)):
            assert run(forking, f"def f():\n    return {number}") == number
        one.close()
        assert run(other, "def f():\n    return 'still here'") == "still here"
        assert other.alive()
    finally:
        warm.close()
    deadline = time.monotonic() + 10
    while other.alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not other.alive()


def test_a_temporary_folder_with_too_long_a_name_is_a_sentence(
    classroom: Path, tmp_path: Path
) -> None:
    place = tmp_path / ("long" * 20)
    place.mkdir()
    done = command("autograded", "grade", "relu_net", cwd=classroom, TMPDIR=str(place))
    assert done.returncode == 2
    assert "set TMPDIR to a folder with a shorter one" in " ".join(done.stderr.split())


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with a name that is short wherever the tests run."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)


def test_a_class_leaves_no_file_behind(classroom: Path, place: Path) -> None:
    release = classroom / "classroom" / "release" / "relu_net"
    for student in ("ada", "bob", "cyd"):
        shutil.copytree(release, classroom / "classroom" / "submitted" / student / "relu_net")
    done = command("autograded", "grade", "relu_net", cwd=classroom, TMPDIR=str(place))
    assert done.returncode == 0, done.stderr
    mine = {str(place)}
    deadline = time.monotonic() + 20
    while any(mine & set(p.environ().values()) for p in psutil.process_iter() if _ours(p)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert [p.name for p in place.iterdir()] == []


def _ours(process: psutil.Process) -> bool:
    try:
        return "python" in process.name() and bool(process.environ())
    except psutil.Error:
        return False
