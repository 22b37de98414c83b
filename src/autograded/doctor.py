"""What this machine can do, and what to install for the rest."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.markup import escape

from autograded.course import Course
from autograded.errors import AutogradedError

State = Literal["ok", "note", "fault"]


@dataclass(frozen=True)
class Finding:
    """One thing looked at: what it is, how it stands, and what to do about it."""

    what: str
    state: State
    told: str


def examine(course: Path | None = None, console: Console | None = None) -> bool:
    """Look at everything grading needs and print it; return whether grading can run."""
    console = console or Console(highlight=False)
    findings = list(_findings(course))
    width = max(len(f.what) for f in findings)
    marks = {"ok": "[green]✓[/green]", "note": "[yellow]![/yellow]", "fault": "[red]✗[/red]"}
    for finding in findings:
        console.print(f"{marks[finding.state]} {finding.what.ljust(width)}  {escape(finding.told)}")
    return not any(finding.state == "fault" for finding in findings)


def _findings(course: Path | None) -> Iterator[Finding]:
    yield _python()
    yield _package("torch", "fault", "pip install torch")
    yield _package("pytest_jsonreport", "fault", "pip install pytest-json-report")
    yield _package("nbgrader", "note", "for an instructor: pip install 'autograded[instructor]'")
    yield _package("distributed", "note", "for a cluster: pip install 'autograded[cluster]'")
    yield from _sandboxes()
    yield from _course(course)


def _python() -> Finding:
    # pip refuses to install this package on an older one.
    return Finding("Python", "ok", ".".join(map(str, sys.version_info[:3])))


def _package(module: str, missing: State, advice: str) -> Finding:
    if importlib.util.find_spec(module) is None:
        return Finding(module, missing, f"not installed; {advice}")
    names = metadata.packages_distributions().get(module, [module])
    return Finding(module, "ok", metadata.version(names[0]))


def _sandboxes() -> Iterator[Finding]:
    from autograded.sandbox.confinement import available

    # Nobody can make the level landlock work: it is no news that it does not.
    levels = [level for level in available() if level.level not in ("landlock", "off")]
    for level in levels:
        yield Finding(f"sandbox {level.level}", "ok" if level.usable else "fault", level.reason)
    if not any(level.usable for level in levels):
        yield Finding(
            "sandbox off", "note", "student code can be run unprotected with --sandbox off"
        )


def _course(folder: Path | None) -> Iterator[Finding]:
    try:
        course = Course.find() if folder is None else Course.load(folder / "course.yml")
        for name in course.assignments:
            course.require_graders(name)
    except AutogradedError as error:
        yield Finding("course", "note" if folder is None else "fault", str(error))
        return
    yield Finding("course", "ok", f"{len(course.assignments)} assignments in {course.root}")
