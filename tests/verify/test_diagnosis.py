"""Diagnosis keeps silent where answers say nothing of how they came about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
import torch

from autograded.course import Course
from autograded.grading.diagnosis import Diagnostician, only
from autograded.grading.run import run_checks
from autograded.grading.submission import LocalCaller
from support import ASSIGNMENTS, ROOT


def raises(*arguments: Any) -> None:
    raise ValueError("not enough values to unpack (expected 2, got 1)")


def unfinished(*arguments: Any) -> None:
    raise NotImplementedError


NOTHING_TO_SAY: dict[str, Callable[..., Any]] = {
    "raises": raises,
    "unfinished": unfinished,
    "one": lambda *arguments: 1.0,
    "zeros": lambda *arguments: (0.0, 0.0),
    "nan": lambda *arguments: float("nan"),
    "empty list": lambda *arguments: [],
    "a word": lambda *arguments: "gradient",
    "its tensors": lambda *arguments: [a for a in arguments if isinstance(a, torch.Tensor)],
}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_answers_that_say_nothing_are_told_nothing(assignment: str) -> None:
    course = Course.load(ROOT / "course.yml")
    diagnostician = Diagnostician(course, assignment)
    for exercise in course.assignment(assignment).checked:
        callers = [LocalCaller(only(exercise.name, f)) for f in NOTHING_TO_SAY.values()]
        outcomes = run_checks(
            course,
            assignment,
            [lambda caller=caller: nullcontext(caller) for caller in callers],
            seed="tests",
            only=[exercise.name],
        )
        for style, outcome in zip(NOTHING_TO_SAY, outcomes, strict=True):
            told = diagnostician.diagnose(exercise.id, outcome.transcript[exercise.id])
            assert told == [], (exercise.id, style)
            assert not all(check.passed for check in outcome.checks), (exercise.id, style)


def test_two_explanations_that_share_a_mistake_tell_what_they_share() -> None:
    # Both pairs return y alone, computed without relu: only that y stands alone is certain.
    course = Course.load(ROOT / "course.yml")

    def only_y_without_relu(x: float, w1: float, w2: float) -> float:
        return w2 * w1 * x

    (outcome,) = run_checks(
        course,
        "relu_net",
        [lambda: nullcontext(LocalCaller(only("forward", only_y_without_relu)))],
        seed="tests",
        only=["forward"],
    )

    diagnostician = Diagnostician(course, "relu_net")
    told = diagnostician.diagnose("relu_net.forward", outcome.transcript["relu_net.forward"])

    assert [diagnosis.misconception for diagnosis in told] == ["only-y"]
    assert told[0].idea == "chain-rule"


def test_a_float32_copy_of_a_mistake_is_recognised() -> None:
    course = Course.load(ROOT / "course.yml")

    def half(x: Any, w1: Any, w2: Any, t: Any) -> tuple[float, float]:
        x, w1, w2, t = (torch.tensor(float(v), dtype=torch.float32) for v in (x, w1, w2, t))
        h = torch.relu(w1 * x)
        dy = w2 * h - t
        return (dy * w2 * (h > 0) * x).item(), (dy * h).item()

    (outcome,) = run_checks(
        course,
        "relu_net",
        [lambda: nullcontext(LocalCaller(only("gradients", half)))],
        seed="tests",
        only=["gradients"],
    )

    diagnostician = Diagnostician(course, "relu_net")
    told = diagnostician.diagnose("relu_net.gradients", outcome.transcript["relu_net.gradients"])

    assert [diagnosis.misconception for diagnosis in told] == ["no-factor-two"]
