"""From a graded submission to what nbgrader keeps: the autograded notebook and its scores."""

from __future__ import annotations

from typing import Any

from nbformat import from_dict
from nbformat.v4 import writes
from nbgrader.preprocessors import LimitOutput
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution

from autograded.authoring.notebooks import exercise_of_check
from autograded.course import Course
from autograded.gradebook.cells import cell_outputs, grade_outputs
from autograded.gradebook.feedback import RESULT
from autograded.gradebook.store import Record
from autograded.grading.session import Graded
from autograded.i18n import use
from autograded.text import cleaned

_limit = LimitOutput()


def write_result(notebook: Any, graded: Graded, course: Course) -> list[str]:
    """Write outputs and scores into a notebook's cells, and the result into its metadata, in place.

    Returns the grade ids of grade cells that course.yml does not know with these points.
    """
    unknown = []
    notebook.metadata[RESULT] = from_dict(cleaned(graded.result.to_document()))
    with use(course.language):
        if graded.execution is not None:
            # A program that ended early has fewer runs than cells.
            for index, run in zip(graded.cell_indices, graded.execution.cells, strict=False):
                cell = notebook.cells[index]
                cell.outputs = [from_dict(output) for output in cell_outputs(run)]
                cell.execution_count = run.execution_count
        for cell in notebook.cells:
            if cell.cell_type != "code" or not is_grade(cell) or is_solution(cell):
                continue
            grade_id = cell.metadata.nbgrader["grade_id"]
            points = float(cell.metadata.nbgrader["points"])
            result = graded.result
            exercise = result.exercise(f"{result.assignment}.{exercise_of_check(grade_id)}")
            if exercise is None or exercise.max_score != points:
                unknown.append(grade_id)
            # A grade cell without a number would get full marks: each gets one.
            cell.outputs = grade_outputs(exercise, points, course.feedback, result.problem)
            cell.execution_count = None
    return unknown


def record(notebook: dict[str, Any], graded: Graded, course: Course) -> Record:
    """Make the record of a graded submission: the notebook as nbgrader would leave it, and scores.

    `notebook` is the repaired submission; nbgrader's own functions read the scores back, so that
    they are what `nbgrader autograde` would have saved.
    """
    node = from_dict(notebook)
    for cell in node.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    write_result(node, graded, course)
    scores: dict[str, float | None] = {}
    comments: dict[str, str | None] = {}
    for index, cell in enumerate(node.cells):
        _limit.preprocess_cell(cell, {}, index)
        known = cell.metadata.get("nbgrader", {})
        if is_grade(cell):
            scores[known["grade_id"]] = determine_grade(cell)[0]
        if is_solution(cell):
            untouched = known.get("checksum") == compute_checksum(cell)
            comments[known["grade_id"]] = "No response." if untouched else None
    execution = graded.execution
    return Record(
        result=graded.result.to_document(),
        notebook=writes(node) + "\n",
        scores=scores,
        comments=comments,
        seconds={
            "execute": execution.seconds if execution else 0.0,
            "check": graded.check_seconds,
        },
    )
