"""The pytest plugin of all three doors: markers, the `submission` fixture, messages, the summary.

Installed as an entry point, so that `pytest exercises/` needs no conftest. It does nothing to tests
that do not carry the `exercise` marker, and imports torch only when one of them runs.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import torch

    from autograded.grading.doors import Door
    from autograded.grading.submission import Submission

DOOR: pytest.StashKey[Door] = pytest.StashKey()
METADATA: pytest.StashKey[dict[str, Any]] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers."""
    config.addinivalue_line(
        "markers", "exercise(id): the exercise a check belongs to, such as relu_net.gradients"
    )
    config.addinivalue_line(
        "markers",
        "check(en=..., id=..., weight=1): a check's title in both languages, and its share of the "
        "exercise's points",
    )


def exercise_of(item: pytest.Item) -> str | None:
    """The exercise a test belongs to, or None when it is not one of our checks."""
    marker = item.get_closest_marker("exercise")
    return str(marker.args[0]) if marker and marker.args else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the checks of several assignments in the order in which the course does them."""
    places = [n for n, item in enumerate(items) if exercise_of(item) is not None]
    checks = [items[n] for n in places]
    if len({item.path.parent for item in checks}) < 2:
        return
    from autograded.course import Course
    from autograded.errors import CourseError

    try:
        order = list(Course.find(checks[0].path.parent).assignments)
    except CourseError:
        return

    def place(item: pytest.Item) -> int:
        name = item.path.parent.name
        return order.index(name) if name in order else len(order)

    for n, item in zip(places, sorted(checks, key=place), strict=True):
        items[n] = item


def _door(config: pytest.Config) -> Door:
    door = config.stash.get(DOOR, None)
    if door is None:
        from autograded.grading.doors import LearnerDoor

        door = LearnerDoor()
        config.stash[DOOR] = door
    return door


@pytest.fixture(scope="session")
def submission_number(request: pytest.FixtureRequest) -> Generator[int | None]:
    """Which submission of a batch the checks look at; None outside a batch."""
    number = getattr(request, "param", None)
    yield number
    if number is not None:
        _door(request.config).finished(number)


@pytest.fixture
def submission(request: pytest.FixtureRequest, submission_number: int | None) -> Submission:
    """What the student handed in: call its functions as attributes."""
    return _door(request.config).submission(request.node, submission_number)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> torch.Generator:
    """A seeded generator: the same inputs for every submission, others for every check."""
    return _door(request.config).generator(request.node)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Let a check speak the language its messages are due in."""
    if exercise_of(item) is None:
        return (yield)
    from autograded.i18n import use

    with use(_door(item.config).language(item)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put the message for the student in the place of a traceback through our machinery."""
    if exercise_of(item) is None:
        return (yield)
    # Formatting the traceback that nobody will see takes longer than most checks.
    item.repr_failure = str  # type: ignore[method-assign, assignment]
    report = yield
    metadata = item.stash.setdefault(METADATA, _door(item.config).describe(item))
    if call.excinfo is not None and not isinstance(call.excinfo.value, pytest.skip.Exception):
        _door(item.config).explain(item, call.excinfo, report, metadata)
    # What the cells printed when the file was loaded is no part of the first check that fails.
    report.sections = [s for s in report.sections if not s[0].endswith(" setup")]
    report.autograded = metadata  # type: ignore[attr-defined]
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_json_runtest_metadata(item: pytest.Item, call: pytest.CallInfo[None]) -> dict[str, Any]:
    """Hand what we know of a check to pytest-json-report."""
    return item.stash.get(METADATA, {})


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show points per exercise, and the exercise to do next."""
    checks = [
        report.autograded
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "autograded", None) and report.when == "call"
    ]
    if checks and config.stash.get(DOOR, None) is not None:
        config.stash[DOOR].summarize(terminalreporter, checks)
