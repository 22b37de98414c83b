"""Runs the hidden checks of an assignment over a batch of submissions, in one pytest session."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from autograded import scenarios
from autograded.course import Course, Text
from autograded.errors import AutogradedError
from autograded.grading.doors import BatchDoor, Door, Opener
from autograded.grading.messages import Parts
from autograded.grading.submission import Exchange
from autograded.i18n import _
from autograded.pytest_plugin import DOOR, exercise_of


@dataclass(frozen=True)
class CheckOutcome:
    """The outcome of one hidden check for one submission."""

    exercise: str
    check: str
    title: Text
    weight: float
    passed: bool
    message: str
    parts: Parts = field(default_factory=lambda: Parts())
    seconds: float = 0.0


@dataclass(frozen=True)
class Checked:
    """All check outcomes of one submission, with the calls made, by exercise."""

    checks: list[CheckOutcome]
    transcript: dict[str, list[Exchange]]

    def passed(self, exercise: str) -> float:
        """The weight of an exercise's checks that passed."""
        return sum(c.weight for c in self.checks if c.exercise == exercise and c.passed)

    def replaced(self, exercise: str, other: Checked) -> Checked:
        """The same with what `other` found about one exercise."""
        by_check = {c.check: c for c in other.checks if c.exercise == exercise}
        checks = [by_check[c.check] if c.exercise == exercise else c for c in self.checks]
        transcript = {**self.transcript, exercise: other.transcript.get(exercise, [])}
        return Checked(checks, transcript)


class _Session:
    """Gives a pytest session its door, and takes the JSON report out of it."""

    def __init__(self, door: Door, exercises: Sequence[str]) -> None:
        self.door = door
        self.exercises = frozenset(exercises)
        self.report: dict[str, Any] = {}

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[DOOR] = self.door

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if exercise_of(item) in self.exercises]

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        self.report = json_report

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        # Its summary goes through all checks again for each that failed, and nobody reads it
        # unless the session itself failed.
        session.config.option.no_summary = exitstatus in (0, 1)


def run_public_checks(folder: Path, door: Door, exercises: Sequence[str]) -> list[dict[str, Any]]:
    """Run the public checks in `folder` for some exercises, by id.

    Returns what the plugin knows of each check (`Door.describe`, `Door.explain`), in order.
    Raises `AutogradedError` when the checks cannot be run.
    """
    files = [str(path) for path in sorted(folder.glob("test_*.py"))]
    tests = _tests(files, folder, door, exercises)
    for test in tests:
        if "grader_error" in test["metadata"]:
            raise AutogradedError(test["metadata"]["grader_error"])
    return [{**t["metadata"], "passed": t["outcome"] == "passed"} for t in tests]


def run_checks(
    course: Course,
    assignment: str,
    openers: Sequence[Opener],
    *,
    seed: str,
    only: Sequence[str] = (),
) -> list[Checked]:
    """Run the hidden checks of `assignment` on every submission; results in their order.

    Args:
        course: the course.
        assignment: the assignment's name.
        openers: one for each submission; opened when its first check runs, closed after its last.
        seed: secret material that inputs are drawn from.
        only: exercise names to run, all by default.

    Raises:
        AutogradedError: when the checks themselves are at fault (not collected, no checks for an
            exercise) or a submission could not be run for a reason that is ours.
    """
    course.require_graders(assignment)
    for path in scenarios.find(course.root):
        scenarios.load(path)
    names = [e.name for e in course.assignment(assignment).checked if not only or e.name in only]
    door = BatchDoor(course.assignment(assignment), course.language, seed, openers)
    files = [str(course.graders(assignment) / f"test_{name}.py") for name in names]
    ids = [f"{assignment}.{name}" for name in names]
    tests = _tests(files, course.graders(assignment), door, ids)
    return _sorted_out(course, assignment, names, door, tests)


def _tests(
    files: list[str], folder: Path, door: Door, exercises: Sequence[str]
) -> list[dict[str, Any]]:
    session = _Session(door, exercises)
    output = _pytest(files, folder, [session, door])
    tests = session.report.get("tests")
    if tests is None or session.report.get("exitcode") not in (0, 1):
        raise AutogradedError(f"The checks in {folder} could not be run:\n{output}")
    return [test for test in tests if test.get("metadata")]


# Parts of pytest that a batch of checks has no use for; per check, they cost more than it does.
_WITHOUT = (
    "cacheprovider capture debugging doctest faulthandler junitxml logging pastebin "
    "setuponly setupplan stepwise threadexception unraisableexception warnings"
).split()
_OMITTED = "collectors log traceback streams warnings keywords".split()


def _pytest(files: list[str], folder: Path, plugins: list[Any]) -> str:
    """Run pytest in this process, undisturbed by configuration around it; returns its output."""
    captured = io.StringIO()
    with _own_environment(), redirect_stdout(captured), redirect_stderr(captured):
        pytest.main(
            [
                *files,
                f"--rootdir={folder}",
                f"--confcutdir={folder}",
                f"--config-file={Path(__file__).parent / 'graders.ini'}",
                "--import-mode=importlib",
                "--tb=native",
                "-q",
                *(part for name in _WITHOUT for part in ("-p", f"no:{name}")),
                *("-p", "pytest_jsonreport.plugin", "-p", "autograded.pytest_plugin"),
                *("--json-report", "--json-report-file=none", "--json-report-omit", *_OMITTED),
            ],
            plugins=plugins,
        )
    return captured.getvalue()[-4_000:]


@contextmanager
def _own_environment() -> Iterator[None]:
    """Set aside what the user's environment tells pytest.

    `PYTEST_ADDOPTS=-x` is meant for the user's own tests; here it would end a batch at the first
    check that fails.
    """
    theirs = {name: value for name, value in os.environ.items() if name.startswith("PYTEST_")}

    def forget() -> None:
        for name in [name for name in os.environ if name.startswith("PYTEST_")]:
            del os.environ[name]

    forget()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        forget()
        os.environ.update(theirs)


def _sorted_out(
    course: Course,
    assignment: str,
    names: Sequence[str],
    door: BatchDoor,
    tests: Sequence[dict[str, Any]],
) -> list[Checked]:
    checks: list[list[CheckOutcome]] = [[] for _transcript in door.transcripts]
    for test in tests:
        known = test.get("metadata", {})
        if "grader_error" in known:
            raise AutogradedError(known["grader_error"])
        number = known.get("submission")
        if number is None:
            raise AutogradedError(
                f"{course.graders(assignment) / test['nodeid']}: a hidden check must carry the "
                "`exercise` marker and use the `submission` fixture."
            )
        # Only a check that was called and passed in every stage counts as passed: a skip, an
        # expected failure or an error on the way does not.
        passed = (
            known["passed"]
            and test["outcome"] == "passed"
            and test.get("call", {}).get("outcome") == "passed"
        )
        checks[number].append(
            CheckOutcome(
                exercise=known["exercise"],
                check=known["check"],
                title=Text(**known["title"]),
                weight=known["weight"],
                passed=passed,
                message=known.get("message", "" if passed else _("This check was not run.")),
                parts=known.get("parts", {}),
                seconds=test.get("call", {}).get("duration", 0.0),
            )
        )
    for outcomes in checks:
        for name in names:
            if not any(o.exercise == f"{assignment}.{name}" for o in outcomes):
                raise AutogradedError(
                    f"{course.graders(assignment) / f'test_{name}.py'} has no check marked "
                    f'pytest.mark.exercise("{assignment}.{name}").'
                )
    return [Checked(o, t) for o, t in zip(checks, door.transcripts, strict=True)]
