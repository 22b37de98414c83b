"""nbgrader's step from source to release: stubs for solutions, and what the gradebook must know."""

from __future__ import annotations

from typing import Any

from nbgrader import preprocessors
from nbgrader.api import Comment, Grade, MissingEntry
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


class SaveCells(preprocessors.SaveCells):  # type: ignore[misc]
    """nbgrader's step, which also takes new cells when somebody has submitted already.

    nbgrader refuses any change then. A cell that is new costs nobody anything: what the gradebook
    has of the others stays, and a submission gets an empty grade for it, which grading fills.
    Taking cells away would take grades away, so that is refused, as ever.
    """

    def _create_notebook(self, nb: Any) -> None:
        try:
            notebook = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        except MissingEntry:
            notebook = None
        if notebook is not None and notebook.submissions:
            self._refuse_to_remove(notebook)
            self._add_cells(notebook)
        super()._create_notebook(nb)

    def _refuse_to_remove(self, notebook: Any) -> None:
        there = {cell.name for cell in notebook.source_cells}
        gone = sorted(there - set(self.new_source_cells))
        if gone:
            raise RuntimeError(
                f"cells that were released and submitted are missing now ({', '.join(gone)}): put "
                "them back, since the grades hang on them"
            )

    def _add_cells(self, notebook: Any) -> None:
        """Add what is new of each kind, and rows for it to every submission.

        Rows are looked for each time, so that an interrupted build can be done again.
        """
        kinds = {
            "grade": (notebook.grade_cells, self.new_grade_cells),
            "solution": (notebook.solution_cells, self.new_solution_cells),
            "source": (notebook.source_cells, self.new_source_cells),
        }
        for kind, (there, wanted) in kinds.items():
            known = {cell.name for cell in there}
            add = getattr(self.gradebook, f"add_{kind}_cell")
            for name, values in wanted.items():
                if name not in known:
                    add(name, self.notebook_id, self.assignment_id, **values)
        database = self.gradebook.db
        database.refresh(notebook)
        for submitted in notebook.submissions:
            graded = {grade.cell_id for grade in submitted.grades}
            commented = {comment.cell_id for comment in submitted.comments}
            for cell in notebook.grade_cells:
                if cell.id not in graded:
                    # Not a person's business yet: grading again decides about that.
                    database.add(
                        Grade(cell_id=cell.id, notebook=submitted, needs_manual_grade=False)
                    )
            for cell in notebook.solution_cells:
                if cell.id not in commented:
                    database.add(Comment(cell_id=cell.id, notebook=submitted))
        database.commit()
