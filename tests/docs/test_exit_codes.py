"""The table of exit codes in docs/commands.md is what the commands do."""

from __future__ import annotations

import re

import pytest

from docs.conftest import Reader
from support import ROOT

CASES = {
    ("check", 0): "cp solutions/backward/backward.py exercises/backward/; "
    "autograded check backward.derivative",
    ("check", 1): "autograded check relu_net.forward",
    ("check", 2): "autograded check nope",
    ("watch", 2): "autograded watch nope",
    ("hint", 0): "autograded hint relu_net.forward",
    ("hint", 2): "autograded hint relu_net.nope",
    ("build", 0): "autograded build relu_net --no-release",
    ("build", 1): "echo >> exercises/pitfalls/README.md; autograded build pitfalls --check",
    ("build", 2): "sed -i 's/### END SOLUTION//' solutions/training_loop/training_loop.py; "
    "autograded build training_loop",
    ("verify", 2): "autograded verify --only nope",
    ("grade-file", 0): "autograded grade-file exercises/relu_net/relu_net.py -a relu_net",
    ("grade-file", 2): "autograded grade-file nope.ipynb -a relu_net",
    ("grade", 0): "autograded grade relu_net --jobs 1",
    ("grade", 1): "mkdir -p classroom/submitted/budi.s/backward; autograded grade backward -j 1",
    ("grade", 2): "autograded grade nope",
    ("schema", 0): "autograded schema",
    ("collect", 0): "autograded collect relu_net ~/Downloads/submissions.zip",
    ("collect", 1): "mkdir -p other/nobody; cp relu_net.ipynb other/nobody/; "
    "autograded collect relu_net other",
    ("collect", 2): "autograded collect relu_net nope.zip",
    ("repairs", 0): "autograded repairs relu_net",
    ("repairs", 2): "autograded repairs nope",
    ("export", 0): "autograded export relu_net --format csv",
    ("export", 1): "head -3 ~/Downloads/gradebook.csv > few.csv; "
    "autograded export relu_net --format canvas --template few.csv",
    ("export", 2): "autograded export relu_net --format canvas",
    ("report", 0): "autograded report relu_net",
    ("report", 1): "mkdir -p classroom/results/pitfalls; "
    "echo broken > classroom/results/pitfalls/ada.json; autograded report pitfalls",
    ("report", 2): "autograded report nope",
    ("demo", 2): "mkdir -p full; touch full/mine; autograded demo --students 1 --folder full",
    ("doctor", 0): "autograded doctor",
    ("doctor", 1): "autograded doctor --course nope",
}
ELSEWHERE = {("watch", 0), ("verify", 0), ("verify", 1), ("demo", 0)}
"""Shown by tests/watch, tests/verify and `make demo`: they need a terminal, or minutes."""


def documented() -> set[tuple[str, int]]:
    """The commands and exit codes that the table gives a meaning."""
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    return {
        (name, status)
        for name, *meanings in rows
        for status, meaning in enumerate(meanings)
        if meaning != "–"
    }


def test_every_command_stands_in_the_table() -> None:
    from typer.main import get_command

    from autograded.cli import app

    assert {name for name, _ in documented()} == set(get_command(app).commands)  # type: ignore[attr-defined]


def test_every_exit_code_in_the_table_is_tried() -> None:
    assert documented() == set(CASES) | ELSEWHERE


@pytest.mark.parametrize(
    ("case", "commands"), CASES.items(), ids=[f"{name}-{status}" for name, status in CASES]
)
def test_a_command_ends_as_the_table_says(
    case: tuple[str, int], commands: str, teacher: Reader
) -> None:
    done = teacher.types(commands)

    assert done.returncode == case[1], done.stdout
    if case[1] == 2:
        assert done.stdout.startswith("autograded: ")


def test_the_page_names_the_statuses_all_commands_share() -> None:
    from autograded.cli import INTERNAL_ERROR
    from autograded.errors import Interrupted

    page = " ".join((ROOT / "docs" / "commands.md").read_text("utf-8").split())

    assert f"{INTERNAL_ERROR} after an error in autograded itself" in page
    assert f"{Interrupted.exit_status} after Ctrl-C" in page
