"""The learner's door: `pytest exercises/`, `autograded check`, `autograded hint`."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from support import ASSIGNMENTS, command

CHECKED = 16  # exercises that checks grade, over the whole course


def solve(course: Path, *assignments: str) -> None:
    for name in assignments:
        solution = course / "solutions" / name / f"{name}.py"
        shutil.copy(solution, course / "exercises" / name)


def test_untouched_stubs_fail_every_exercise(course: Path) -> None:
    done = command("pytest", "exercises/", cwd=course)

    assert done.returncode == 1
    assert len(re.findall(r"^✗ ", done.stdout, re.MULTILINE)) == CHECKED
    assert not re.findall(r"^✓ ", done.stdout, re.MULTILINE)
    assert "next: relu_net.forward" in done.stdout
    assert " passed" not in done.stdout.splitlines()[-1]


def test_a_stub_says_what_to_write_and_shows_no_machinery(course: Path) -> None:
    done = command("pytest", "exercises/relu_net", "-k", "forward", cwd=course)

    assert "forward is not written yet: replace `raise NotImplementedError()`" in done.stdout
    assert "Traceback" not in done.stdout
    assert "src/autograded" not in done.stdout


def test_copied_solutions_pass_everything(course: Path) -> None:
    solve(course, *ASSIGNMENTS)

    done = command("pytest", "exercises/", cwd=course)

    assert done.returncode == 0, done.stdout
    assert len(re.findall(r"^✓ ", done.stdout, re.MULTILINE)) == CHECKED
    assert len(re.findall(r"points: 10 of 10", done.stdout)) == len(ASSIGNMENTS)
    assert "next:" not in done.stdout


def test_pytest_options_behave_as_anyone_expects(course: Path) -> None:
    one = command("pytest", "exercises/relu_net", cwd=course)
    chosen = command("pytest", "exercises/", "-k", "two_losses", cwd=course)
    first = command("pytest", "exercises/", "-x", cwd=course)

    assert "relu_net.forward" in one.stdout
    assert "backward.derivative" not in one.stdout
    assert set(re.findall(r"^✗ (\S+)", chosen.stdout, re.MULTILINE)) == {"backward.two_losses"}
    assert "1 failed" in first.stdout.splitlines()[-1]


def test_pdb_stops_in_the_learners_own_line(course: Path) -> None:
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    path.write_text(text.replace("raise NotImplementedError()", "return undefined_name, 0, 0", 1))

    done = command("pytest", "exercises/relu_net", "-k", "forward", "-x", "--pdb", cwd=course)

    assert "return undefined_name, 0, 0" in done.stdout
    assert re.search(r"> .*relu_net\.py\(\d+\)forward\(\)", done.stdout)


def test_an_exception_names_the_learners_line_only(course: Path) -> None:
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    path.write_text(text.replace("raise NotImplementedError()", "return undefined_name, 0, 0", 1))

    done = command("pytest", "exercises/relu_net", "-k", "forward", cwd=course)

    assert "NameError: name 'undefined_name' is not defined" in done.stdout
    assert "return undefined_name, 0, 0" in done.stdout
    assert "calls.py" not in done.stdout


def test_a_syntax_error_costs_only_its_own_cell(course: Path) -> None:
    solve(course, "relu_net")
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    path.write_text(text.replace("def batch_gradients(X, W1, W2, T):", "def batch_gradients(X"))

    done = command("pytest", "exercises/relu_net", cwd=course)

    assert "✗ relu_net.batch_gradients" in done.stdout
    assert "✓ relu_net.gradients" in done.stdout
    assert "✓ relu_net.numerical_gradient" in done.stdout
    assert re.search(r"relu_net\.py:\d+: SyntaxError", done.stdout)


def test_check_command_passes_and_fails_by_exit_status(course: Path) -> None:
    solve(course, "relu_net")

    right = command("autograded", "check", "relu_net", cwd=course)
    wrong = command("autograded", "check", "pitfalls.fit_slope", cwd=course)

    assert (right.returncode, wrong.returncode) == (0, 1)
    assert "10/10" in right.stdout
    assert "Next: pitfalls.fit_slope" in wrong.stdout


def test_hints_come_one_at_a_time(course: Path) -> None:
    data = json.loads((course / "exercises" / "relu_net" / "assignment.json").read_text())
    hints = next(e for e in data["exercises"] if e["name"] == "gradients")["hints"]

    shown = [
        command("autograded", "hint", "relu_net.gradients", cwd=course).stdout
        for _ in range(len(hints) + 1)
    ]

    for number, text in enumerate(shown[:-1], start=1):
        assert f"Hint {number} of {len(hints)}" in text
    assert "You have seen all" in shown[-1]
    again = command("autograded", "hint", "relu_net.gradients", "--again", cwd=course).stdout
    assert again.count("Hint ") >= len(hints)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["check", "nonesuch"], "There is no assignment 'nonesuch'"),
        (["check", "relu_net.nonesuch"], "There is no exercise 'relu_net.nonesuch'"),
        (["hint", "relu_net"], "There is no exercise 'relu_net'"),
    ],
)
def test_a_wrong_name_is_one_sentence(course: Path, arguments: list[str], sentence: str) -> None:
    done = command("autograded", *arguments, cwd=course)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
