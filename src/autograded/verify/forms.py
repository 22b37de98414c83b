"""The stub and the solution of an assignment, through the doors of learners and of grading."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from itertools import zip_longest
from pathlib import Path
from typing import Any

import torch

from autograded import scenarios
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.grading.diagnosis import load_library
from autograded.grading.doors import Functions, GivenDoor
from autograded.grading.garbage import quick_collections
from autograded.grading.results import Result
from autograded.grading.run import run_public_checks
from autograded.grading.session import grade_file
from autograded.i18n import use
from autograded.submissions.module import LearnerModule
from autograded.verify.faults import Findings, said


def reported(examine: Callable[..., None]) -> Callable[..., Findings]:
    """Make of a function that fills in findings one that never raises for the course's faults.

    The function is called with the findings, the course and an assignment's name, and what follows.
    """

    @functools.wraps(examine)
    def examined(course: Course, assignment: str, *rest: Any) -> Findings:
        findings = Findings()
        try:
            examine(findings, course, assignment, *rest)
        except AutogradedError as error:
            findings.add(assignment, str(error))
        except Exception as error:  # noqa: BLE001 - whatever the course's author wrote
            findings.add(assignment, f"{said(error)}.")
        return findings

    return examined


@reported
def examine_grading(findings: Findings, course: Course, assignment: str, level: str) -> None:
    """Grade the stub and the solution confined, as files that were handed in.

    Args:
        findings: what is found goes there.
        course: the course.
        assignment: the assignment's name.
        level: how the code is confined.
    """
    solution = grade_file(course.solutions(assignment), course, assignment, level=level)
    for flag in solution.flags:
        findings.add(f"solutions/{assignment}", f"is flagged ({flag.kind}): {flag.message}")
    for exercise in solution.exercises:
        for check in exercise.checks:
            if not check.passed:
                said_last = check.message.rpartition("\n")[2]
                findings.add(exercise.id, f"the solution fails {check.id}: {said_last}")
    stub = course.exercises_folder(assignment) / f"{assignment}.py"
    _stub_earns_nothing(findings, grade_file(stub, course, assignment, level=level))


def _stub_earns_nothing(findings: Findings, result: Result) -> None:
    for exercise in result.exercises:
        for check in exercise.checks:
            if check.passed:
                findings.add(
                    exercise.id,
                    f"the untouched stub passes {check.id}: ask there for something only work "
                    "can give.",
                )


def examine_public(root: Path, assignment: str) -> Findings:
    """Run the public checks on the stub, the solution and the alternatives, in this process."""
    torch.set_num_threads(1)
    return _examine_public(Course.load(root / "course.yml"), assignment)


@reported
def _examine_public(findings: Findings, course: Course, assignment: str) -> None:
    for path in scenarios.find(course.root):
        scenarios.load(path)
    folder = course.exercises_folder(assignment)
    exercises = [exercise.id for exercise in course.assignment(assignment).checked]
    with use("en"), quick_collections():
        _public_forms(findings, course, assignment, folder, exercises)
        for styles, functions in _alternatives(course, assignment):
            wanted = [f"{assignment}.{name}" for name in styles]
            for check in run_public_checks(folder, GivenDoor(functions), wanted):
                if not check["passed"]:
                    style = styles[check["exercise"].partition(".")[2]]
                    findings.add(
                        check["exercise"],
                        f'alternative "{style}" fails the public {check["check"]}: '
                        f"{check['message'].rpartition(chr(10))[2]}",
                    )


def _public_forms(
    findings: Findings, course: Course, assignment: str, folder: Path, exercises: list[str]
) -> None:
    solution = GivenDoor(_module(course.solutions(assignment)))
    checks = run_public_checks(folder, solution, exercises)
    for check in checks:
        if not check["passed"]:
            last = check["message"].rpartition("\n")[2]
            findings.add(
                check["exercise"], f"the solution fails the public {check['check']}: {last}"
            )
    stub = GivenDoor(_module(folder / f"{assignment}.py"))
    for check in run_public_checks(folder, stub, exercises):
        if check["passed"]:
            findings.add(
                check["exercise"],
                f"the untouched stub passes the public {check['check']}: ask there for something "
                "only work can give.",
            )
    tried = {check["exercise"] for check in checks}
    for exercise in exercises:
        if exercise not in tried:
            findings.add(exercise, f"test_{assignment}.py has no public check of it: write one.")


def _module(path: Path) -> LearnerModule:
    with redirect_stdout(io.StringIO()):  # the demonstrations in it print
        return LearnerModule(path)


class _Together:
    """One alternative of each exercise, as if one student had written them all."""

    def __init__(self, functions: dict[str, Callable[..., Any]]) -> None:
        self._functions = functions

    def find(self, function: str) -> Any:
        if function in self._functions:
            return self._functions[function]
        raise LookupError("")


def _alternatives(course: Course, assignment: str) -> Iterator[tuple[dict[str, str], Functions]]:
    """Yield sets of alternatives, each with a style for every exercise that has one left."""
    known = load_library(course, assignment).alternatives
    columns = [
        [(exercise.name, style, function) for style, function in known[exercise.id].items()]
        for exercise in course.assignment(assignment).checked
        if exercise.id in known
    ]
    for row in zip_longest(*columns):
        chosen = [entry for entry in row if entry is not None]
        styles = {name: style for name, style, _ in chosen}
        yield styles, _Together({name: function for name, _, function in chosen})
