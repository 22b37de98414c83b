"""A submission's code cells as a program to run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from autograded.i18n import _
from autograded.sandbox.program import CodeCell, Program
from autograded.submissions import percent
from autograded.submissions.documents import text_of


@dataclass(frozen=True)
class HandedIn:
    """A submission as it is to be run.

    Attributes:
        program: the code cells to run, in order.
        cell_indices: for each of them its index among the notebook's cells.
        sha256: digest of the file's bytes.
        problem: why nothing could be read, in the course's language, or None.
    """

    program: Program
    cell_indices: list[int] = field(default_factory=list)
    sha256: str = ""
    problem: str | None = None


def read_cells(
    cells: list[Any], content: bytes, filename: str, problem: str | None = None
) -> HandedIn:
    """Take a repaired notebook's cells as a submission; cells are named in the current language.

    Args:
        cells: the notebook's cells.
        content: the bytes of the file that was handed in, for the digest.
        filename: its name, for tracebacks.
        problem: why the file could not be read at all, if so; nothing is run then.
    """
    indices = [] if problem else [i for i, cell in enumerate(cells) if runs(cell)]
    program = Program(
        tuple(
            CodeCell(text_of(cells[i]["source"]), _("cell {number}").format(number=i + 1))
            for i in indices
        ),
        filename,
    )
    return HandedIn(program, indices, hashlib.sha256(content).hexdigest(), problem)


def runs(cell: Any) -> bool:
    """Whether grading runs a notebook's cell: code, and neither a figure nor a check."""
    if cell["cell_type"] != "code":
        return False
    metadata = cell["metadata"]
    if "figure" in metadata.get("tags", ()):
        return False
    graded = metadata.get("nbgrader", {})
    if graded.get("grade") and not graded.get("solution"):
        return False
    source = text_of(cell["source"])
    return bool(source.strip()) and not percent.only_checks(source)
