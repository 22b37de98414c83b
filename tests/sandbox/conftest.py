"""Sandboxes that the tests share, with limits short enough to be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograded.sandbox.calls import Reply
from autograded.sandbox.client import Sandbox, Session
from autograded.sandbox.limits import Limits
from autograded.sandbox.program import CellRun, CodeCell, Execution, Program

ROOT = Path(__file__).parents[2]
LIMITS = Limits(
    call_seconds=1.0,
    submission_seconds=8.0,
    execute_seconds=4.0,
    cell_seconds=1.0,
    memory_bytes=2**30,
    processes=40,
    file_bytes=2**20,
    disk_bytes=8 * 2**20,
    output_bytes_per_cell=100_000,
    output_bytes=250_000,
)
SCENARIOS = """
from autograded.scenarios import register, parts
import torch

@register("sandbox-square")
def square(record, factor):
    def f(x):
        record("call", value=x)
        return factor * x * x
    record.report(lambda: {"done": True})
    return f
"""


def program(*cells: str) -> Program:
    return Program(
        tuple(CodeCell(source, f"cell {i}") for i, source in enumerate(cells, 1)), "work.ipynb"
    )


@pytest.fixture(scope="session")
def scenario_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("course") / "exercises" / "squares" / "scenarios.py"
    file.parent.mkdir(parents=True)
    file.write_text(SCENARIOS)
    return file


@pytest.fixture(scope="session")
def confined(scenario_file: Path) -> Iterator[Sandbox]:
    with Sandbox("bubblewrap", [scenario_file], LIMITS) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def unconfined(scenario_file: Path) -> Iterator[Sandbox]:
    with Sandbox("off", [scenario_file], LIMITS) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def cold(scenario_file: Path) -> Iterator[Sandbox]:
    with Sandbox("off", [scenario_file], LIMITS) as sandbox:
        sandbox._forks = False
        yield sandbox


@pytest.fixture(params=["confined", "unconfined"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


Run = Callable[..., Execution]


@pytest.fixture
def run(confined: Sandbox) -> Run:
    """Run cells in a session of their own and return what they gave."""

    def run(*cells: str, folder: Path | None = None) -> Execution:
        with confined.open(program(*cells), folder) as session:
            return session.execution()

    return run


def printed(cell: CellRun) -> str:
    """What a cell printed, and the text of what it displayed."""
    parts = []
    for output in cell.outputs:
        parts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return "".join(parts)


def answer(sandbox: Sandbox, source: str, *args: Any, **options: Any) -> Reply:
    """Define `f` and call it once."""
    with sandbox.open(program(source)) as session:
        return session.call("f", args, {}, **options)


def alive(session: Session) -> bool:
    """Whether a session still answers."""
    return session.call("alive", (), {}).value is True
