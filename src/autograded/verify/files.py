"""The files of the course: none missing, none that nothing lists, none that has drifted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autograded.authoring.build import drift
from autograded.authoring.source import Source
from autograded.course import LANGUAGES, Course
from autograded.grading.diagnosis import load_library
from autograded.public import FILE
from autograded.verify.faults import Findings
from autograded.verify.forms import reported

_FOLDERS = ("exercises", "solutions", "graders")


@reported
def examine_source(findings: Findings, course: Course, assignment: str) -> None:
    """Read the assignment's source, whose faults say their line, and compare what it makes.

    Reading it is what proves that every exercise has its task, its check cell and at least three
    hints, each in both languages.
    """
    source = Source.load(course, assignment)
    for exercise in course.assignment(assignment).checked:
        for language in LANGUAGES:
            for number, hint in enumerate(source.hints(exercise.name, language), 1):
                if not hint.strip():
                    findings.add(exercise.id, f"hint {number} ({language}) is empty: write it.")
    for path in drift(course, [assignment]):
        findings.add(
            str(path.relative_to(course.root)),
            "is not what solutions/ makes: run `autograded build` and commit what it writes.",
        )
    course.require_graders(assignment)
    for name in ("misconceptions.py", "alternatives.py"):
        path = course.graders(assignment) / name
        if not path.is_file():
            findings.add(str(path.relative_to(course.root)), "is missing: write it.")
    library = load_library(course, assignment)
    known = {exercise.id for exercise in course.assignment(assignment).checked}
    for name in {f.exercise for f in library.families} | set(library.alternatives):
        if name not in known:
            findings.add(
                f"graders/{assignment}",
                f"misconceptions or alternatives of {name!r}, which course.yml does not have: "
                "correct the name.",
            )


def examine_listing(course: Course) -> Findings:
    """Find what lies in exercises/, solutions/ and graders/ though the course does not name it."""
    findings = Findings()
    listed = set(_listed(course))
    for folder in _FOLDERS:
        for path in sorted((course.root / folder).rglob("*")):
            relative = path.relative_to(course.root)
            hidden = any(part.startswith(".") or part == "__pycache__" for part in relative.parts)
            if path.is_file() and not hidden and relative not in listed:
                findings.add(
                    str(relative), "course.yml does not account for this file: remove or move it."
                )
    return findings


def _listed(course: Course) -> Iterator[Path]:
    for name, assignment in course.assignments.items():
        yield Path("solutions", name, f"{name}.py")
        for file in (f"{name}.py", f"test_{name}.py", "scenarios.py", "README.md", FILE):
            yield Path("exercises", name, file)
        for exercise in assignment.checked:
            yield Path("graders", name, f"test_{exercise.name}.py")
        for file in ("misconceptions.py", "alternatives.py"):
            yield Path("graders", name, file)
