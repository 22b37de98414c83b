"""A course of one exercise, and copies of the real one, in temporary folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograded.course import Course

ROOT = Path(__file__).parents[2]

COURSE = """\
title: {en: A small course, id: Kursus kecil}
ideas:
  sums:
    title: {en: adding up, id: penjumlahan}
    url: https://example.org/sums
assignments:
  small:
    title: {en: Small, id: Kecil}
    points: 2
    exercises:
      double: {points: 2, difficulty: 1, minutes: 5, idea: sums}
      why: {points: 1, difficulty: 1, minutes: 5, idea: sums, graded_by: person}
"""

SOURCE = """\
# %% [markdown] lang="en"
# # Small

# %% [markdown] lang="id"
# # Kecil

# %%
import math

# %% figure="line"
print(math.pi)

# %% [markdown] task="double" lang="en"
# ## Exercise
#
# Double it.

# %% [markdown] task="double" lang="id"
# ## Latihan
#
# Gandakan.

# %% [markdown] hint="double" lang="en"
# First.

# %% [markdown] hint="double" lang="id"
# Pertama.

# %% [markdown] hint="double" lang="en"
# Second.

# %% [markdown] hint="double" lang="id"
# Kedua.

# %% [markdown] hint="double" lang="en"
# Third.

# %% [markdown] hint="double" lang="id"
# Ketiga.


# %% exercise="double"
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% check="double"
check("small.double")

# %% [markdown] task="why" lang="en"
# Why?

# %% [markdown] task="why" lang="id"
# Mengapa?

# %% [markdown] answer="why" lang="en"
# *Your answer*

# %% [markdown] answer="why" lang="id"
# *Jawaban Anda*
"""


class SmallCourse:
    """A course of one assignment whose files a test may change before it loads them."""

    SOURCE = SOURCE
    COURSE = COURSE

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "solutions" / "small" / "small.py"
        self.exercises = root / "exercises" / "small"
        self.source.parent.mkdir(parents=True)
        self.exercises.mkdir(parents=True)
        (root / "course.yml").write_text(COURSE, encoding="utf-8")
        self.source.write_text(SOURCE, encoding="utf-8")
        (self.exercises / "test_small.py").write_text('"""Checks."""\n', encoding="utf-8")

    def load(self) -> Course:
        return Course.load(self.root / "course.yml")

    def edit(self, old: str, new: str, file: Path | None = None) -> None:
        path = file or self.source
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture
def small(tmp_path: Path) -> SmallCourse:
    return SmallCourse(tmp_path)


@pytest.fixture
def real_course(tmp_path: Path) -> Course:
    """A copy of this repository's course, without anything generated."""
    for name in ("solutions", "exercises", "graders"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("course.yml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    course = Course.load(tmp_path / "course.yml")
    for name in course.assignments:
        course.exercises_folder(name).joinpath(f"{name}.py").unlink(missing_ok=True)
    return course
