"""Runs what a grader must tell apart through the hidden checks of one exercise, in this process.

A trial is one implementation: a misconception, two of them at once, or a right solution in another
style. All trials of an exercise go through the same checks as a batch of submissions would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Literal

import torch

from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.grading.diagnosis import (
    COMPARISONS,
    Diagnostician,
    load_library,
    only,
)
from autograded.grading.doors import Opener
from autograded.grading.families import Implementation, Library
from autograded.grading.garbage import quick_collections
from autograded.grading.run import Checked, run_checks
from autograded.grading.submission import Exchange, LocalCaller
from autograded.i18n import use
from autograded.verify.blanks import blanks
from autograded.verify.faults import said

Kind = Literal["switched-off", "misconception", "pair", "alternative", "blank"]

# pytest's own summary compares every failed report with every other one, so that small sessions
# are faster than one large one; starting a session costs a tenth of a second.
_BATCH = 60


@dataclass(frozen=True)
class Check:
    """One hidden check: the misconceptions it fails, and those that it alone fails."""

    name: str
    titles: tuple[str, str]
    caught: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trial:
    """What the checks and the diagnosis said of one implementation.

    Attributes:
        kind: a family with every switch off (which must be right), a misconception, a pair of one
            family, an alternative, or an answer that takes no thought.
        name: for people: the id, the ids joined by " + ", the style.
        ids: the misconceptions switched on.
        failed: the checks that failed, in order; `passed` are the others.
        message: what the first of them said.
        diagnosis: the misconceptions reported; asked for right code too, which must get none.
        distinct: whether a pair answers otherwise than each of its two alone.
    """

    kind: Kind
    name: str
    ids: tuple[str, ...]
    failed: tuple[str, ...]
    passed: tuple[str, ...]
    message: str
    diagnosis: tuple[str, ...]
    distinct: bool = True

    @property
    def told(self) -> bool:
        """Whether exactly what was switched on was reported."""
        return sorted(self.diagnosis) == sorted(self.ids)


@dataclass(frozen=True)
class ExerciseTrials:
    """All trials of one exercise; `error` says why there are none."""

    exercise: str
    checks: tuple[Check, ...] = ()
    trials: tuple[Trial, ...] = ()
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    ideas: tuple[str, ...] = ()
    error: str = ""

    def of(self, kind: Kind) -> list[Trial]:
        """The trials of one kind, in the order of the file."""
        return [trial for trial in self.trials if trial.kind == kind]

    @property
    def pairs(self) -> list[Trial]:
        """The pairs that count: wrong, and other than each of the two alone."""
        return [trial for trial in self.of("pair") if trial.failed and trial.distinct]


@dataclass(frozen=True)
class _Subject:
    kind: Kind
    name: str
    family: int
    ids: tuple[str, ...]
    function: Implementation


def try_exercise(root: Path, exercise: str, seed: str, pairs: bool) -> ExerciseTrials:
    """Run all trials of an exercise; a fault of its grader or library is in `error`.

    Args:
        root: the course's folder.
        exercise: the exercise's id.
        seed: what inputs are drawn from.
        pairs: whether pairs are tried as well.
    """
    torch.set_num_threads(1)
    course = Course.load(root / "course.yml")
    try:
        with use("en"), quick_collections():
            return _tried(course, exercise, seed, pairs)
    except AutogradedError as error:
        return ExerciseTrials(exercise, error=str(error))
    except Exception as error:  # noqa: BLE001 - whatever a grader's author wrote
        return ExerciseTrials(exercise, error=said(error))


def _tried(course: Course, exercise: str, seed: str, pairs: bool) -> ExerciseTrials:
    assignment, _, name = exercise.partition(".")
    library = load_library(course, assignment)
    diagnostician = Diagnostician(course, assignment, library)
    subjects = list(_subjects(library, exercise, pairs))
    alone: dict[tuple[int, str], list[Exchange]] = {}
    trials: list[Trial] = []
    titles: dict[str, tuple[str, str]] = {}
    for start in range(0, len(subjects), _BATCH):
        batch = subjects[start : start + _BATCH]
        openers = [_opener(name, subject.function) for subject in batch]
        outcomes = run_checks(course, assignment, openers, seed=seed, only=[name])
        for subject, outcome in zip(batch, outcomes, strict=True):
            exchanges = outcome.transcript.get(exercise, [])
            if subject.kind == "misconception":
                alone[subject.family, subject.ids[0]] = exchanges
            singles = [alone[subject.family, one] for one in subject.ids]
            trials.append(_trial(subject, outcome, exchanges, singles, diagnostician))
            titles.update({o.check: (o.title.en, o.title.id) for o in outcome.checks})
    families = library.for_exercise(exercise)
    return ExerciseTrials(
        exercise,
        checks=tuple(_check(check, both, trials) for check, both in titles.items()),
        trials=tuple(trials),
        texts={key: (text.en, text.id) for f in families for key, text in f.explanations.items()},
        ideas=tuple(family.idea for family in families if family.idea),
    )


def _subjects(library: Library, exercise: str, pairs: bool) -> Iterator[_Subject]:
    """Everything to try; misconceptions stand before the pairs that are compared with them."""
    families = library.for_exercise(exercise)
    for number, family in enumerate(families):
        off = family.implementation(())
        yield _Subject("switched-off", f"family {number + 1}", number, (), off)
    sizes: list[tuple[int, Kind]] = [(1, "misconception")]
    if pairs:
        sizes.append((2, "pair"))
    for size, kind in sizes:
        for number, family in enumerate(families):
            for ids in combinations(family.explanations, size):
                function = family.implementation(ids)
                yield _Subject(kind, " + ".join(ids), number, ids, function)
    for style, function in library.alternatives.get(exercise, {}).items():
        yield _Subject("alternative", style, -1, (), function)
    if families:
        for what, function in blanks(families[0].implementation(())).items():
            yield _Subject("blank", what, -1, (), function)


def _opener(name: str, function: Implementation) -> Opener:
    return lambda: nullcontext(LocalCaller(only(name, function)))


def _trial(
    subject: _Subject,
    outcome: Checked,
    exchanges: Sequence[Exchange],
    singles: Sequence[Sequence[Exchange]],
    diagnostician: Diagnostician,
) -> Trial:
    failed = [check for check in outcome.checks if not check.passed]
    exercise = outcome.checks[0].exercise
    right = subject.kind in ("switched-off", "alternative")
    diagnoses = diagnostician.diagnose(exercise, exchanges) if failed or right else []
    return Trial(
        kind=subject.kind,
        name=subject.name,
        ids=subject.ids,
        failed=tuple(check.check for check in failed),
        passed=tuple(check.check for check in outcome.checks if check.passed),
        message=failed[0].message.rpartition("\n")[2] if failed else "",
        diagnosis=tuple(diagnosis.misconception for diagnosis in diagnoses),
        distinct=subject.kind != "pair" or not any(_same(exchanges, one) for one in singles),
    )


def _same(one: Sequence[Exchange], other: Sequence[Exchange]) -> bool:
    """Whether two transcripts hold the same answers."""
    return len(one) == len(other) and all(
        COMPARISONS[0].same_reply(a.reply, b.reply) for a, b in zip(one, other, strict=True)
    )


def _check(name: str, titles: tuple[str, str], trials: Sequence[Trial]) -> Check:
    wrong = [trial for trial in trials if trial.kind == "misconception"]
    return Check(
        name,
        titles,
        caught=tuple(trial.name for trial in wrong if name in trial.failed),
        alone=tuple(trial.name for trial in wrong if trial.failed == (name,)),
    )
