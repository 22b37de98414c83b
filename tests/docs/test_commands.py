"""Every command block of README.md and docs/ does what its page says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from docs.blocks import LANGUAGES, PAGES, blocks, fences, language
from docs.conftest import Reader
from support import ROOT

NOT_RUN = {
    "changes a due date": 1,
    "deletes a student": 1,
    "needs a cluster": 1,
    "needs a database server": 1,
    "needs a package index": 4,
    "needs nbgrader's exchange": 3,
    "needs the assignment of this page": 3,  # tests/authoring and tests/verify follow these pages
    "opens a browser": 3,
    "runs until it is stopped": 2,
    "takes minutes": 3,
}
"""Why blocks may be left out, and how many."""

WITH_COMMANDS = [page for page in PAGES if any(b.reason is None for b in blocks(page))]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_a_page_works(page: Path, request: pytest.FixtureRequest) -> None:
    who: Reader = request.getfixturevalue("pelajar" if page.parent.name == "id" else "teacher")
    for block in blocks(page):
        if block.reason is not None:
            continue
        done = who.types(block.text)
        assert done.returncode == block.status, f"{block.name}\n{block.text}\n{done.stdout}"
        assert block.is_shown_by(done.stdout), f"{block.name} shows something else:\n{done.stdout}"


def test_the_blocks_left_out_are_known_and_say_why() -> None:
    reasons = (block.reason for page in PAGES for block in blocks(page))

    assert Counter(reason for reason in reasons if reason is not None) <= Counter(NOT_RUN)


def test_no_block_of_commands_hides_under_another_name() -> None:
    others = {
        f"{page.relative_to(ROOT)}:{(fence.map or [0])[0] + 1}": language(fence)
        for page in PAGES
        for fence, _before, _after in fences(page)
        if language(fence) not in LANGUAGES
    }

    assert others == {}
