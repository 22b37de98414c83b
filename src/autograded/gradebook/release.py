"""nbgrader's step from source to release: stubs in the place of solutions."""

from __future__ import annotations

from typing import Any

from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_solution

from autograded.authoring.stubs import marks_solution, stub


class WriteStubs(NbGraderPreprocessor):  # type: ignore[misc]
    """Replaces solutions by stubs, by the same rule as the .py files in exercises/.

    A written answer is left as the author wrote it: its text is what the student starts from.
    """

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Stub a solution cell; a solution anywhere else is refused, as it would be released."""
        if cell.cell_type == "code" and is_solution(cell):
            cell.source = stub(cell.source)
        elif marks_solution(cell.source):
            raise ValueError(f"Cell {index} holds a solution but is not a solution cell.")
        return cell, resources
