"""Where the `submission` fixture finds student code: one door for each kind of user."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
import torch

from autograded import scenarios
from autograded.course import Assignment, Language
from autograded.errors import AutogradedError
from autograded.grading import summary
from autograded.grading.failures import LAST_CALL, CheckFailed
from autograded.grading.messages import compose, parts_of
from autograded.grading.submission import (
    Caller,
    Exchange,
    LocalCaller,
    Submission,
    begin_check,
    transcript,
)
from autograded.i18n import use
from autograded.public import PublicAssignment
from autograded.pytest_plugin import exercise_of
from autograded.submissions.module import LearnerModule

_SUBMISSION: pytest.StashKey[Submission] = pytest.StashKey()
_PUBLIC_SEED = "public"


class Opener(Protocol):
    """Opens one submission of a batch: code that answers calls until it is closed."""

    def __call__(self) -> AbstractContextManager[Caller]:
        """Start it."""


class Door:
    """What the plugin asks for; the doors below say where student code comes from."""

    seed = _PUBLIC_SEED

    def language(self, item: pytest.Item) -> Language:
        """The language of messages about `item`."""
        raise NotImplementedError

    def caller(self, item: pytest.Item, number: int | None) -> Caller:
        """The student's code that `item` is to look at."""
        raise NotImplementedError

    def by_hand(self, item: pytest.Item) -> bool:
        """Whether the exercise forbids autograd."""
        raise NotImplementedError

    def finished(self, number: int) -> None:
        """All checks of submission `number` have run."""

    def summarize(self, reporter: Any, checks: Sequence[dict[str, Any]]) -> None:
        """Write a summary to the terminal."""

    def submission(self, item: pytest.Item, number: int | None) -> Submission:
        """Make the `submission` fixture's value for one check."""
        submission = Submission(self.caller(item, number))
        begin_check(submission, check_id(item), by_hand=self.by_hand(item))
        item.stash[_SUBMISSION] = submission
        return submission

    def generator(self, item: pytest.Item) -> torch.Generator:
        """A generator seeded from the door's seed and the check, never from the submission."""
        material = f"{self.seed}/{item.path.parent.name}/{item.path.name}/{check_id(item)}"
        digest = hashlib.sha256(material.encode()).digest()
        return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))

    def describe(self, item: pytest.Item) -> dict[str, Any]:
        """What a report says of a check, before it is known whether it passed."""
        marker = item.get_closest_marker("check")
        known = marker.kwargs if marker else {}
        name = check_id(item)
        readable = name.removeprefix("test_").replace("_", " ")
        number = getattr(getattr(item, "callspec", None), "params", {}).get("submission_number")
        return {
            "exercise": exercise_of(item),
            "check": name,
            "title": {"en": known.get("en", readable), "id": known.get("id", readable)},
            "weight": float(known.get("weight", 1)),
            "submission": number,
            "passed": True,
        }

    def explain(
        self,
        item: pytest.Item,
        excinfo: pytest.ExceptionInfo[BaseException],
        report: pytest.TestReport,
        metadata: dict[str, Any],
    ) -> None:
        """Put the message for the student into a failed check's report."""
        metadata["passed"] = False
        if isinstance(excinfo.value, AutogradedError):
            metadata["grader_error"] = report.longrepr = str(excinfo.value)
            return
        with use(self.language(item)):
            parts = parts_of(excinfo.value, exchange_of(item, excinfo.value))
            metadata["parts"] = parts
            metadata["message"] = compose(parts)
        report.longrepr = metadata["message"]


def check_id(item: pytest.Item) -> str:
    """The name of a check, without the submission it looks at."""
    name = str(getattr(item, "originalname", item.name))
    callspec = getattr(item, "callspec", None)
    if callspec is None:
        return name
    own = [part for part in callspec.id.split("-") if not part.startswith(BATCH_ID)]
    return f"{name}[{'-'.join(own)}]" if own else name


BATCH_ID = "submission:"


def exchange_of(item: pytest.Item, error: BaseException) -> Exchange | None:
    """The call that a failed check is about; None when it made none, or nobody can tell."""
    submission = item.stash.get(_SUBMISSION, None)
    calls = transcript(submission) if submission is not None else []
    value = error.about if isinstance(error, CheckFailed) else LAST_CALL
    if value is LAST_CALL or not calls:
        return calls[-1] if calls else None
    # A check may make all its calls before it looks at the first answer.
    gave = [call for call in calls if call.gave(value)]
    if len(gave) == 1 or (gave and not _is_shared(value)):
        return gave[-1]
    if gave and isinstance(error, CheckFailed) and error.expected is None:
        return gave[0]  # wrong wherever it comes, and so where it came first
    return calls[0] if len(calls) == 1 else None


def _is_shared(value: Any) -> bool:
    """Whether Python has one object for all values like it, which tells calls apart no more."""
    return value is None or isinstance(value, bool | int | str)


class LearnerDoor(Door):
    """`pytest exercises/`: the learner's own file, in this process."""

    def __init__(self) -> None:
        self._modules: dict[Path, LearnerModule] = {}
        self._assignments: dict[Path, PublicAssignment] = {}

    def assignment(self, item: pytest.Item) -> PublicAssignment:
        """The assignment a check belongs to, from the folder the check lies in."""
        folder = item.path.parent
        if folder not in self._assignments:
            self._assignments[folder] = PublicAssignment.load(folder)
        return self._assignments[folder]

    def language(self, item: pytest.Item) -> Language:
        """The language the assignment was built in."""
        return self.assignment(item).language

    def by_hand(self, item: pytest.Item) -> bool:
        """Whether the exercise forbids autograd."""
        name = str(exercise_of(item)).partition(".")[2]
        return self.assignment(item).exercise(name).by_hand

    def caller(self, item: pytest.Item, number: int | None) -> Caller:
        """The functions of the learner's file beside the checks."""
        self.load_scenarios(item)
        path = item.path.parent / f"{self.assignment(item).id}.py"
        if path not in self._modules:
            self._modules[path] = LearnerModule(path)
        return LocalCaller(self._modules[path].find, propagate=True)

    def load_scenarios(self, item: pytest.Item) -> None:
        """Register the scenarios that lie beside the checks."""
        path = item.path.parent / "scenarios.py"
        if path.is_file():
            scenarios.load(path)

    def summarize(self, reporter: Any, checks: Sequence[dict[str, Any]]) -> None:
        """Points per exercise, and the first exercise to do in the first assignment with one."""
        following: tuple[str, Language] | None = None
        for assignment in self._assignments.values():
            with use(assignment.language):
                exercise = summary.write(reporter, assignment, checks)
            if exercise is not None and following is None:
                following = exercise, assignment.language
        if following is not None:
            with use(following[1]):
                summary.write_next(reporter, following[0])


class Functions(Protocol):
    """Functions by name: a learner's file, or the variables of a notebook."""

    def find(self, function: str) -> Any:
        """Return a function, or raise `LookupError` that says what is missing."""


class GivenDoor(LearnerDoor):
    """`check()` and `autograded check`: functions that are already loaded."""

    def __init__(self, functions: Functions) -> None:
        super().__init__()
        self._functions = functions

    def caller(self, item: pytest.Item, number: int | None) -> Caller:
        """Those functions."""
        self.load_scenarios(item)
        return LocalCaller(self._functions.find, propagate=True)

    def summarize(self, reporter: Any, checks: Sequence[dict[str, Any]]) -> None:
        """Nothing: who asked shows a table instead."""


class BatchDoor(Door):
    """Hidden checks over many submissions in one pytest session."""

    def __init__(
        self, assignment: Assignment, language: Language, seed: str, openers: Sequence[Opener]
    ) -> None:
        self.seed = seed
        self._assignment = assignment
        self._language: Language = language
        self._openers = openers
        self._open: dict[int, tuple[Caller, ExitStack]] = {}
        self.transcripts: list[dict[str, list[Exchange]]] = [{} for _ in openers]

    def language(self, item: pytest.Item) -> Language:
        """The language of the course."""
        return self._language

    def by_hand(self, item: pytest.Item) -> bool:
        """Whether course.yml forbids autograd in the exercise."""
        name = str(exercise_of(item)).partition(".")[2]
        return self._assignment.exercises[name].autograd == "forbidden"

    def caller(self, item: pytest.Item, number: int | None) -> Caller:
        """The submission's process, started when the first of its checks runs."""
        assert number is not None
        if number not in self._open:
            stack = ExitStack()
            self._open[number] = (stack.enter_context(self._openers[number]()), stack)
        return self._open[number][0]

    def submission(self, item: pytest.Item, number: int | None) -> Submission:
        """Make the fixture's value, and keep its transcript by exercise."""
        submission = super().submission(item, number)
        assert number is not None
        calls = self.transcripts[number].setdefault(str(exercise_of(item)), [])
        submission._transcript = _Tail(calls)
        return submission

    def finished(self, number: int) -> None:
        """End the submission's process."""
        if number in self._open:
            self._open.pop(number)[1].close()

    @pytest.hookimpl
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run every check for every submission, all checks of one after another."""
        if "submission_number" in metafunc.fixturenames:
            count = len(self._openers)
            metafunc.parametrize(
                "submission_number",
                range(count),
                ids=[f"{BATCH_ID}{n}" for n in range(count)],
                scope="session",
                indirect=True,
            )


class _Tail(list[Exchange]):
    """The calls of one check, which also go to the end of the submission's transcript."""

    def __init__(self, whole: list[Exchange]) -> None:
        super().__init__()
        self._whole = whole

    def append(self, exchange: Exchange) -> None:
        super().append(exchange)
        self._whole.append(exchange)
