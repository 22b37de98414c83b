"""nbgrader's step between sanitizing and saving scores: grading in place of executing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbformat import from_dict
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Unicode

from autograded.authoring.notebooks import exercise_of_check
from autograded.course import Course
from autograded.gradebook.cells import cell_outputs, grade_outputs
from autograded.grading.results import Result
from autograded.grading.session import grade_notebook
from autograded.i18n import use
from autograded.sandbox.program import CellRun


class GradeSubmission(NbGraderPreprocessor):  # type: ignore[misc]
    """Runs the student's cells confined, runs the hidden checks, and writes the scores.

    Stands where nbgrader has Execute. An exception here is a fault of ours, never the student's:
    nbgrader then reports this submission as not graded and goes on with the next.
    """

    course_root = Unicode("", help="The folder with course.yml.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Grade one notebook; its outputs and scores are written into `nb`."""
        course = Course.find(Path(self.course_root or resources["metadata"]["path"]))
        known = resources["nbgrader"]
        graded = grade_notebook(
            nb,
            self._submitted(known),
            course,
            known["assignment"],
            Path(resources["metadata"]["path"]),
        )
        with use(course.language):
            if graded.execution is not None:
                self._write_outputs(nb, graded.cell_indices, graded.execution.cells)
            self._write_scores(nb, course, graded.result)
        return nb, resources

    def _submitted(self, known: dict[str, str]) -> bytes:
        """The file as the student handed it in; nbgrader has changed the one it works on."""
        course_directory = CourseDirectory(parent=self)
        folder = course_directory.format_path(
            course_directory.submitted_directory, known["student"], known["assignment"]
        )
        return (Path(folder) / f"{known['notebook']}.ipynb").read_bytes()

    def _write_outputs(self, nb: Any, indices: Sequence[int], runs: Sequence[CellRun]) -> None:
        # A program that ended early has fewer runs than cells.
        for index, run in zip(indices, runs, strict=False):
            cell = nb.cells[index]
            cell.outputs = [from_dict(output) for output in cell_outputs(run)]
            cell.execution_count = run.execution_count

    def _write_scores(self, nb: Any, course: Course, result: Result) -> None:
        for cell in nb.cells:
            if cell.cell_type != "code" or not is_grade(cell) or is_solution(cell):
                continue
            grade_id = cell.metadata.nbgrader["grade_id"]
            points = float(cell.metadata.nbgrader["points"])
            exercise = result.exercise(f"{result.assignment}.{exercise_of_check(grade_id)}")
            if exercise is None or exercise.max_score != points:
                self.log.warning(
                    "Grade cell %r (%g points) is not as course.yml has it: run `autograded build`",
                    grade_id,
                    points,
                )
            # A grade cell without a number would get full marks: each gets one.
            cell.outputs = grade_outputs(exercise, points, course.feedback, result.problem)
            cell.execution_count = None
