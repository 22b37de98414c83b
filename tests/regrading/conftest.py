"""Two exercises that a teacher adds to `pitfalls` in the middle of the term."""

from __future__ import annotations

from pathlib import Path

NAME = "pitfalls"
ADDED = "2026-11-15"

_COMMON = f"difficulty: 1, minutes: 5, idea: no-grad, added: {ADDED}"
EXERCISES = f"""\
      double: {{points: 2, {_COMMON}, earlier: excused}}
      triple: {{points: 1, {_COMMON}}}
"""

SOURCE = '''

# %% [markdown] task="{name}" lang="en"
# ## Exercise: `{name}`
#
# Return {factor} times the tensor `x`.

# %% [markdown] task="{name}" lang="id"
# ## Latihan: `{name}`
#
# Kembalikan {factor} kali tensor `x`.
{hints}

# %% exercise="{name}"
def {name}(x):
    """Return {factor} times x."""
    ### BEGIN SOLUTION
    return {factor} * x
    ### END SOLUTION


# %% check="{name}"
check("pitfalls.{name}")
'''

HINT = """
# %% [markdown] hint="{name}" lang="{language}"
# {number}.
"""

PUBLIC = """

@pytest.mark.exercise("pitfalls.{name}")
def test_{name}_of_three(submission):
    got = submission.{name}(torch.tensor(3.0))
    assert_agrees(got, torch.tensor({factor} * 3.0), name="{name}(3)")
"""

HIDDEN = '''"""Hidden checks of `{name}`."""

import pytest
import torch

from autograded.grading import assert_agrees

pytestmark = pytest.mark.exercise("pitfalls.{name}")


@pytest.mark.check(en="any number", id="sembarang bilangan")
def test_any_number(submission, rng):
    x = torch.rand((), generator=rng) + 0.5
    assert_agrees(submission.{name}(x), {factor} * x, name="{name}")
'''


def add_exercises(course: Path) -> None:
    """Write `double`, which excuses earlier work, and `triple`, which does not."""
    path = course / "course.yml"
    text = path.read_text(encoding="utf-8")
    head, middle, tail = text.partition(f"  {NAME}:\n")
    tail = tail.replace("points: 10\n", "points: 13\n", 1)
    explain = next(line for line in tail.splitlines(keepends=True) if "explain:" in line)
    tail = tail.replace(explain, explain + EXERCISES, 1)
    path.write_text(head + middle + tail, encoding="utf-8")
    for name, factor in (("double", 2), ("triple", 3)):
        hints = "".join(
            HINT.format(name=name, language=language, number=number)
            for number in (1, 2, 3)
            for language in ("en", "id")
        )
        _append(
            course / "solutions" / NAME / f"{NAME}.py",
            SOURCE.format(name=name, factor=factor, hints=hints),
        )
        _append(
            course / "exercises" / NAME / f"test_{NAME}.py",
            PUBLIC.format(name=name, factor=factor),
        )
        hidden = course / "graders" / NAME / f"test_{name}.py"
        hidden.write_text(HIDDEN.format(name=name, factor=factor), encoding="utf-8")


def _append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
