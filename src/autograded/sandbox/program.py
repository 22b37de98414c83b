"""What is run, the cells of a notebook or a script, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograded.sandbox.calls import CallError


@dataclass(frozen=True)
class CodeCell:
    """The source of one code cell, and the name it has in tracebacks and reports."""

    source: str
    name: str


@dataclass(frozen=True)
class Program:
    """A submission's code cells in order, and the name of the file they come from."""

    cells: tuple[CodeCell, ...]
    filename: str


@dataclass(frozen=True)
class CellRun:
    """What running one cell gave.

    `outputs` are nbformat 4 outputs in order, capped; `error` is "TypeError: …" or None.
    """

    outputs: list[dict[str, Any]]
    execution_count: int | None
    error: str | None
    seconds: float


@dataclass(frozen=True)
class Execution:
    """What running a program gave: one `CellRun` per cell.

    `error` is set (timeout, died, malformed) when the process did not get through all cells; the
    cells it did not get through say so in their `error`.
    """

    cells: tuple[CellRun, ...]
    error: CallError | None
    seconds: float
