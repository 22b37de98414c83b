"""The course verified once, and a course of one exercise to plant faults in."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support import command, copy_course

COURSE = """\
title: {en: A small course, id: Kursus kecil}
ideas:
  slopes:
    title: {en: slopes, id: kemiringan}
    url: https://example.org/slopes
assignments:
  small:
    title: {en: Small, id: Kecil}
    points: 2
    exercises:
      slope: {points: 2, difficulty: 1, minutes: 5, idea: slopes}
"""

SOURCE = '''\
# %% [markdown] lang="en"
# # Small

# %% [markdown] lang="id"
# # Kecil

# %%
from autograded import check

# %% [markdown] task="slope" lang="en"
# ### Exercise: `slope`
# Return the slope of a·x².

# %% [markdown] task="slope" lang="id"
# ### Latihan: `slope`
# Kembalikan kemiringan a·x².

# %% [markdown] hint="slope" lang="en"
# One.

# %% [markdown] hint="slope" lang="id"
# Satu.

# %% [markdown] hint="slope" lang="en"
# Two.

# %% [markdown] hint="slope" lang="id"
# Dua.

# %% [markdown] hint="slope" lang="en"
# Three.

# %% [markdown] hint="slope" lang="id"
# Tiga.


# %% exercise="slope"
def slope(a, x):
    """Return d(a·x²)/dx."""
    ### BEGIN SOLUTION
    return 2 * a * x
    ### END SOLUTION


# %% check="slope"
check("small.slope")
'''

PUBLIC = """\
import pytest

from autograded.grading import assert_agrees


@pytest.mark.exercise("small.slope")
@pytest.mark.check(en="at 3", id="di 3")
def test_slope_at_three(submission):
    assert_agrees(submission.slope(1.0, 3.0), 6.0, name="slope")
"""

GRADER = """\
import pytest

from autograded.grading import assert_agrees

pytestmark = pytest.mark.exercise("small.slope")


@pytest.mark.check(en="right of 0", id="di kanan 0")
def test_right(submission):
    assert_agrees(submission.slope(1.5, 3.0), 9.0, name="slope")


@pytest.mark.check(en="left of 0", id="di kiri 0")
def test_left(submission):
    assert_agrees(submission.slope(1.5, -2.0), -6.0, name="slope")
"""

MISCONCEPTIONS = """\
from autograded.grading import mistakes


@mistakes(
    "small.slope",
    {
        "no-two": {"en": "The factor 2 is missing.", "id": "Faktor 2 tidak ada."},
        "never-negative": {"en": "A slope may be negative.", "id": "Kemiringan boleh negatif."},
    },
)
def slope(wrong, a, x):
    value = a * x if "no-two" in wrong else 2 * a * x
    return abs(value) if "never-negative" in wrong else value
"""

ALTERNATIVES = """\
from autograded.grading import alternative

for number in range(1, 9):

    @alternative("small.slope", f"style {number}")
    def slope(a, x, number=number):
        return 2 * number * a * x / number
"""


@dataclass
class SmallCourse:
    """A sound course of one exercise; tests replace parts of its files."""

    root: Path

    def replace(self, path: str, old: str, new: str) -> None:
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def verify(self, *options: str) -> subprocess.CompletedProcess[str]:
        return command("autograded", "verify", "--jobs", "1", *options, cwd=self.root)


@pytest.fixture
def lay_out(tmp_path: Path) -> Callable[[dict[str, str]], SmallCourse]:
    """Write the files of a course and build it."""

    def write(files: dict[str, str]) -> SmallCourse:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = command("autograded", "build", "--no-release", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return SmallCourse(tmp_path)

    return write


@pytest.fixture
def small(lay_out: Callable[[dict[str, str]], SmallCourse]) -> SmallCourse:
    return lay_out(
        {
            "course.yml": COURSE,
            "solutions/small/small.py": SOURCE,
            "exercises/small/test_small.py": PUBLIC,
            "graders/small/test_slope.py": GRADER,
            "graders/small/misconceptions.py": MISCONCEPTIONS,
            "graders/small/alternatives.py": ALTERNATIVES,
        }
    )


@dataclass
class Verified:
    """What `autograded verify` printed, and the evidence it wrote."""

    done: subprocess.CompletedProcess[str]
    evidence: dict[str, Any]
    root: Path


@pytest.fixture(scope="session")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Verified:
    """The real course, verified once."""
    folder = copy_course(tmp_path_factory.mktemp("verified") / "course")
    done = command("autograded", "verify", "--json", "evidence.json", cwd=folder)
    evidence = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    return Verified(done, evidence, folder)
