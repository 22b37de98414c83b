"""Item analysis of one assignment: exercises, their checks, and which of them to look at again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from autograded.i18n import _
from autograded.reports import statistics
from autograded.reports.class_data import AssignmentData

FEW = 5
"""Submissions below which no check is named at all."""

LEAST = 10
"""Submissions below which a correlation is too uncertain to name a check for it."""

WEAK = 0.1
"""Discrimination below which a check hardly goes with the rest."""

_EXTREME = 0.05
"""Share of passes, or of failures, below which a low correlation is to be expected."""

_ALONE = 3
"""Submissions that must fail one check alone before it is named for that."""


@dataclass(frozen=True)
class CheckItem:
    """One check.

    Attributes:
        exercise: the id of its exercise.
        id: the name of its test function.
        title: what students read.
        passed: submissions that pass it.
        difficulty: share that pass, 0 to 1, of those not excused; None without submissions.
        discrimination: see `statistics.discrimination`.
        reasons: why it is worth a second look; mostly none.
    """

    exercise: str
    id: str
    title: str
    passed: int
    difficulty: float | None
    discrimination: float | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExerciseItem:
    """One exercise.

    Attributes:
        id: its id.
        max_score: its points.
        mean: mean points; None without submissions.
        difficulty: mean share of its points.
        discrimination: its points against those of all other exercises.
        full: submissions with all of its points.
        zero: submissions with none.
        excused: submissions that are excused from it; none of the figures above counts them.
    """

    id: str
    max_score: float
    mean: float | None
    difficulty: float | None
    discrimination: float | None
    full: int
    zero: int
    excused: int = 0


@dataclass(frozen=True)
class ItemAnalysis:
    """The item analysis of an assignment.

    Attributes:
        submissions: how many were compared.
        exercises, checks: in the order of the documents.
        alpha: Cronbach's alpha of the exercises.
        error: standard error of measurement, in points.
    """

    submissions: int = 0
    exercises: tuple[ExerciseItem, ...] = ()
    checks: tuple[CheckItem, ...] = ()
    alpha: float | None = None
    error: float | None = None

    @property
    def second_look(self) -> list[CheckItem]:
        """The checks with a reason to look at them again."""
        return [check for check in self.checks if check.reasons]


@dataclass
class _Columns:
    """Where the checks of each exercise stand in the matrix of all."""

    exercises: list[slice] = field(default_factory=list)
    points: list[float] = field(default_factory=list)


def analyse(data: AssignmentData) -> ItemAnalysis:
    """Analyse the submissions of an assignment that can be compared; reasons are in words.

    What a submission is excused from says nothing of that item. What sets an item against the
    total (discrimination, alpha) uses the submissions that are excused from nothing.
    """
    compared = data.comparable
    if not compared or data.form is None:
        return ItemAnalysis()
    columns = _Columns()
    for exercise in compared[0].result.exercises:
        start = len(columns.points)
        share = exercise.max_score / exercise.weight if exercise.weight else 0.0
        columns.points += [share * check.weight for check in exercise.checks]
        columns.exercises.append(slice(start, len(columns.points)))
    passed = np.array(
        [[check.passed for e in one.result.exercises for check in e.checks] for one in compared],
        dtype=bool,
    ).reshape(len(compared), len(columns.points))
    points = passed * np.array(columns.points, dtype=np.float64)
    counts = np.array([[e.excused is None for e in one.result.exercises] for one in compared])
    whole = counts.all(axis=1)
    total = points[whole].sum(axis=1)
    by_exercise = np.column_stack(
        [points[:, place].sum(axis=1) for place in columns.exercises] or [np.zeros(len(compared))]
    )
    first = compared[0].result.exercises
    alone = _alone(passed[whole])
    checks = []
    for exercise, place, mine in zip(first, columns.exercises, counts.T, strict=True):
        for column, check in enumerate(exercise.checks, start=place.start):
            share_passed = statistics.difficulty(passed[mine, column], 1)
            related = statistics.discrimination(points[whole, column], total)
            count = int(passed[mine, column].sum())
            checks.append(
                CheckItem(
                    exercise.id,
                    check.id,
                    check.title,
                    count,
                    share_passed,
                    related,
                    tuple(_reasons(int(mine.sum()), count, related, int(alone[column]))),
                )
            )
    exercises = tuple(
        ExerciseItem(
            exercise.id,
            exercise.max_score,
            statistics.summary(by_exercise[mine, column]).mean,
            statistics.difficulty(by_exercise[mine, column], exercise.max_score),
            statistics.discrimination(by_exercise[whole, column], total),
            int(passed[mine, place].all(axis=1).sum()) if place.stop > place.start else 0,
            int((~passed[mine, place].any(axis=1)).sum()),
            int((~mine).sum()),
        )
        for column, (exercise, place, mine) in enumerate(
            zip(first, columns.exercises, counts.T, strict=True)
        )
    )
    alpha = statistics.cronbach_alpha(by_exercise[whole])
    deviation = statistics.summary(total).deviation
    return ItemAnalysis(
        len(compared),
        exercises,
        tuple(checks),
        alpha,
        statistics.measurement_error(deviation, alpha),
    )


def _alone(passed: npt.NDArray[np.bool_]) -> Sequence[int]:
    """For each check the submissions that fail it and no other."""
    nearly = passed.sum(axis=1) == passed.shape[1] - 1
    counts: Sequence[int] = (nearly[:, None] & ~passed).sum(axis=0)
    return counts


def _reasons(submissions: int, passed: int, related: float | None, alone: int) -> list[str]:
    if submissions < FEW:
        return []
    failed = submissions - passed
    if not passed:
        return [
            _("Nobody passes it. Is the check right, and does the exercise's text ask for this?")
        ]
    if not failed:
        return [_("Everybody passes it: it does not tell who has understood.")]
    reasons = []
    if submissions >= LEAST and related is not None:
        share = passed / submissions
        if related < 0:
            reasons.append(
                _("Who passes it does worse in the rest (discrimination below 0). Is it right?")
            )
        elif related < WEAK and _EXTREME < share < 1 - _EXTREME:
            reasons.append(_("Passing it hardly goes with doing well in the rest."))
    if alone >= _ALONE and alone * 2 >= failed:
        reasons.append(
            _(
                "{alone} of the {failed} who fail it pass every other check. Does it test "
                "something that was not asked for?"
            ).format(alone=alone, failed=failed)
        )
    return reasons
