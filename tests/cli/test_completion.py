"""Completion in a real bash, and the script for zsh."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="bash is not installed")
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}


def bash(script: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    assert BASH is not None
    return subprocess.run(
        [BASH, "--norc", "-c", script],
        cwd=cwd,
        env={**ENVIRONMENT, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def offered(line: str, cwd: Path) -> list[str]:
    """What bash offers for the last word of a line."""
    words = line.split(" ")
    done = bash(
        'eval "$(autograded --show-completion)"\n'
        f"COMP_WORDS=({line}{' ' + repr('') if not words[-1] else ''})\n"
        f"COMP_CWORD={len(words) - 1}\n"
        "_autograded_completion autograded\n"
        'printf "%s\\n" "${COMPREPLY[@]}"',
        cwd,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_commands_are_completed(course: Path) -> None:
    assert offered("autograded ch", course) == ["check"]
    assert offered("autograded gra", course) == ["grade-file", "grade"]


def test_assignments_and_exercises_come_from_course_yml(course: Path) -> None:
    exercises = [
        f"relu_net.{name}"
        for name in ("forward", "gradients", "batch_gradients", "numerical_gradient")
    ]

    assert offered("autograded check ", course / "exercises") == [
        "relu_net",
        "backward",
        "training_loop",
        "pitfalls",
    ]
    assert offered("autograded check rel", course) == ["relu_net", *exercises]
    assert offered("autograded hint relu_net.g", course) == ["relu_net.gradients"]
    assert offered("autograded grade pit", course) == ["pitfalls"]
    assert offered("autograded grade-file work.py -a b", course) == ["backward"]


def test_the_course_named_on_the_line_is_read(course: Path, tmp_path: Path) -> None:
    assert offered(f"autograded grade --course {course} pit", tmp_path) == ["pitfalls"]


@pytest.mark.parametrize("text", ["assignments: [", "- 1", "assignments: {relu_net: 1}", "\x00"])
def test_a_broken_course_offers_nothing_and_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "course.yml").write_text(text)

    assert offered("autograded hint re", tmp_path) == []


def test_completion_loads_nothing_heavy(course: Path) -> None:
    done = bash(
        "python -X importtime -m autograded",
        course,
        _AUTOGRADED_COMPLETE="complete_bash",
        COMP_WORDS="autograded check relu_net.",
        COMP_CWORD="2",
    )

    assert "relu_net.forward" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert loaded.isdisjoint({"torch", "numpy", "nbgrader", "sqlalchemy", "IPython"})


def test_installing_writes_a_script_that_the_shell_reads(tmp_path: Path) -> None:
    done = bash("autograded --install-completion; true", tmp_path, HOME=str(tmp_path))

    assert "completion installed" in done.stdout
    assert ".bash_completions/autograded.sh" in (tmp_path / ".bashrc").read_text()
    script = (tmp_path / ".bash_completions" / "autograded.sh").read_text()
    assert "complete -o default -F _autograded_completion autograded" in script


def test_zsh_gets_names_with_their_titles(course: Path) -> None:
    script = bash("autograded", course, _AUTOGRADED_COMPLETE="source_zsh")
    names = bash(
        "autograded",
        course,
        _AUTOGRADED_COMPLETE="complete_zsh",
        _TYPER_COMPLETE_ARGS="autograded grade re",
    )

    assert "compdef _autograded_completion autograded" in script.stdout
    assert '"relu_net":"Backpropagation by hand"' in names.stdout
