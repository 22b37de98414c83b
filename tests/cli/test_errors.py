"""What goes wrong is one sentence and an exit status; a traceback only with --debug."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import command

UNFORESEEN = """
import sys
import autograded.doctor
from autograded.cli import main

def examine(course):
    raise {error}

autograded.doctor.examine = examine
sys.argv = ["autograded", *{arguments!r}]
main()
"""


def unforeseen(
    folder: Path, error: str, *arguments: str, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the command line with a defect in `autograded doctor`."""
    program = folder / "program.py"
    program.write_text(UNFORESEEN.format(error=error, arguments=arguments))
    return command("program", cwd=folder, **env)


def test_an_error_of_ours_is_one_sentence_with_a_status_of_its_own(tmp_path: Path) -> None:
    done = unforeseen(tmp_path, "ZeroDivisionError('oh\\n\\x1b[31mno')", "doctor")

    assert done.returncode == 70
    (line,) = done.stderr.splitlines()
    assert line.startswith("autograded: internal error (ZeroDivisionError: oh); ")
    assert "--debug" in line
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("arguments", [["--debug", "doctor"], ["doctor", "--debug"]])
def test_debug_shows_the_traceback_wherever_it_stands(tmp_path: Path, arguments: list[str]) -> None:
    done = unforeseen(tmp_path, "ZeroDivisionError('oh')", *arguments)

    assert done.returncode == 70
    assert "Traceback (most recent call last)" in done.stderr
    assert "ZeroDivisionError: oh" in done.stderr


def test_an_expected_error_has_its_traceback_with_debug_too(tmp_path: Path) -> None:
    short = command("autograded", "check", cwd=tmp_path)
    long = command("autograded", "check", "--debug", cwd=tmp_path)

    assert (short.returncode, long.returncode) == (2, 2)
    assert len(short.stderr.splitlines()) == 1
    assert short.stderr.startswith("autograded: There is no course.yml in ")
    assert "Traceback" in long.stderr


def test_an_error_of_many_lines_is_cut_to_its_sentence(course: Path) -> None:
    (course / "exercises" / "relu_net" / "test_relu_net.py").write_text("def broken(:\n")

    short = command("autograded", "check", "relu_net", cwd=course)
    long = command("autograded", "check", "relu_net", "--debug", cwd=course)

    assert (short.returncode, long.returncode) == (2, 2)
    (line,) = short.stderr.splitlines()
    assert "could not be run: (--debug shows the rest)" in line
    assert "SyntaxError" in long.stderr


@pytest.mark.parametrize("arguments", [["nonesuch"], ["check", "--sideways"], ["hint"]])
def test_a_wrong_command_line_ends_with_two_and_the_usage(
    tmp_path: Path, arguments: list[str]
) -> None:
    done = command("autograded", *arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert "Usage:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", ["--help", "schema", "export --help"])
def test_a_reader_that_leaves_hears_nothing(tmp_path: Path, arguments: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as out:  # noqa: PTH123 - a descriptor, no path
        done = subprocess.run(
            [sys.executable, "-m", "autograded", *arguments.split()],
            cwd=tmp_path,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )

    assert done.stderr == ""
    assert done.returncode in (0, 1)


def test_an_encoding_without_our_characters_ends_no_command(course: Path) -> None:
    done = command("autograded", "hint", "relu_net.gradients", cwd=course, PYTHONIOENCODING="ascii")

    assert done.returncode == 0, done.stderr
    assert "Hint 1 of" in done.stdout


def test_ctrl_c_ends_a_check_with_130_and_no_traceback(course: Path) -> None:
    started = course / "started"
    path = course / "exercises" / "relu_net" / "relu_net.py"
    endless = f"    open({str(started)!r}, 'w').close()\n    while True:\n        pass\n"
    path.write_text(path.read_text().replace("    raise NotImplementedError()\n", endless, 1))
    child = subprocess.Popen(
        [sys.executable, "-m", "autograded", "check", "relu_net.forward"],
        cwd=course,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 90
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)

    assert started.exists()
    assert child.returncode == 130
    assert "Traceback" not in out + err
