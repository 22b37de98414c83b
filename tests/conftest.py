"""Fixtures every test may use: the course and copies of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import ROOT, command, copy_course

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Files students could hand in, some of them called conftest.py or test_*.py: never to be loaded.
collect_ignore = ["corpus"]


# What takes minutes begins first, so that no process, of several, waits for another at the end.
_FIRST = ("verify", "test_instructor.py", "submissions", "exports", "bulk", "formgrader")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long."""

    def place(item: pytest.Item) -> int:
        name = item.path.relative_to(ROOT / "tests").parts[0]
        return _FIRST.index(name) if name in _FIRST else len(_FIRST)

    items.sort(key=place)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's chromium. A process may not hold two, nor run asyncio beside one."""
    from browsing import chromium

    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def built_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course with its release made; tests only read it."""
    folder = copy_course(tmp_path_factory.mktemp("built") / "course")
    done = command("autograded", "build", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the course, without a class, that a test may change."""
    return copy_course(tmp_path / "course")


@pytest.fixture
def classroom(built_course: Path, tmp_path: Path) -> Path:
    """A copy of the course with its release and gradebook, that a test may change."""
    folder = tmp_path / "course"
    shutil.copytree(built_course, folder, symlinks=True)
    return folder
