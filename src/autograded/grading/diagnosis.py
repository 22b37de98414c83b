"""Which idea went wrong: a submission's answers compared with those of known misconceptions.

The transcript of a submission holds every call the hidden checks made, with the reply. Each
misconception is given the same calls; one whose replies are those of the submission on all of
them, and are not the right ones, is what the student did.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import torch

from autograded.course import Course
from autograded.grading.compare import agrees, as_tensor
from autograded.grading.families import Family, Implementation, Library, collect_into
from autograded.grading.garbage import quick_collections
from autograded.grading.submission import Exchange, LocalCaller
from autograded.i18n import say
from autograded.sandbox.calls import CallError, Reply
from autograded.sandbox.values import Facts
from autograded.scenarios import Event

# Two mistakes that give the same answers are told together; more than two say nothing.
MOST_TOLD = 2


@dataclass(frozen=True)
class Diagnosis:
    """A misconception that explains a submission's answers, as told to the student."""

    misconception: str
    message: str
    idea: str | None


def load_library(course: Course, assignment: str) -> Library:
    """Read the misconceptions and alternatives of an assignment; a missing file has none."""
    library = Library()
    collect_into(library)
    for name in ("misconceptions", "alternatives"):
        path = course.graders(assignment) / f"{name}.py"
        if path.is_file():
            _execute(path, f"autograded_graders_{assignment}_{name}")
    return library


def _execute(path: Path, name: str) -> None:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


class Diagnostician:
    """Diagnoses submissions of one assignment; replies of misconceptions are kept."""

    def __init__(self, course: Course, assignment: str, library: Library | None = None) -> None:
        self._course = course
        self._library = library or load_library(course, assignment)
        self._replies: dict[tuple[int, frozenset[str], str, int], Reply] = {}

    def diagnose(self, exercise: str, exchanges: Sequence[Exchange]) -> list[Diagnosis]:
        """Return what explains the answers of a submission that failed a check, or nothing.

        The strictest comparison goes first, since it tells the most misconceptions apart; in each,
        a single misconception goes before a pair of one family.
        """
        if not any(_says_something(e.reply) for e in exchanges):
            return []
        numbered = _numbered(exchanges)
        # Misconceptions do what torch warns about; that is no news for whoever grades.
        with quick_collections(), warnings.catch_warnings(action="ignore"):
            for comparison in COMPARISONS:
                for size in (1, 2):
                    found = self._matches(exercise, numbered, size, comparison)
                    if found:
                        return self._told(found)
        return []

    def _told(self, found: Sequence[tuple[Family, frozenset[str]]]) -> list[Diagnosis]:
        """Tell what all explanations together say, or, when that is too much, what they share."""
        explanations = [wrong for _, wrong in found]
        told = frozenset[str]().union(*explanations)
        if len(told) > MOST_TOLD:
            told = explanations[0].intersection(*explanations)
        by_id = {wrong: family for family, ids in found for wrong in sorted(ids)}
        return [
            Diagnosis(
                wrong,
                say(family.explanations[wrong]),
                family.idea or self._course.exercise(family.exercise).idea,
            )
            for wrong, family in by_id.items()
            if wrong in told
        ]

    def _matches(
        self, exercise: str, exchanges: Numbered, size: int, comparison: Comparison
    ) -> list[tuple[Family, frozenset[str]]]:
        found = []
        for number, family in enumerate(self._library.families):
            if family.exercise != exercise:
                continue
            for chosen in combinations(family.explanations, size):
                wrong = frozenset(chosen)
                if self._explains(number, family, wrong, exchanges, comparison):
                    found.append((family, wrong))
        return found

    def _explains(
        self,
        number: int,
        family: Family,
        wrong: frozenset[str],
        exchanges: Numbered,
        comparison: Comparison,
    ) -> bool:
        # A pair whose answers are those of one of the two alone never gets here: that single
        # misconception has matched already.
        differs = False
        for index, exchange in exchanges:
            reply = self._reply(number, family, wrong, exchange, index)
            if not comparison.same_reply(exchange.reply, reply):
                return False
            right = self._reply(number, family, frozenset(), exchange, index)
            differs = differs or not comparison.same_reply(reply, right)
        return differs

    def _reply(
        self, number: int, family: Family, wrong: frozenset[str], exchange: Exchange, index: int
    ) -> Reply:
        key = (number, wrong, exchange.check, index)
        if key not in self._replies:
            name = family.exercise.partition(".")[2]
            caller = LocalCaller(only(name, family.implementation(wrong)))
            self._replies[key] = caller.call(
                exchange.function,
                exchange.args,
                exchange.kwargs,
                observe=exchange.observe,
                by_hand=exchange.by_hand,
            )
        return self._replies[key]


def only(name: str, function: Implementation) -> Any:
    """Make a `find` that knows one function."""

    def find(wanted: str) -> Implementation:
        if wanted != name:
            raise LookupError("")
        return function

    return find


Numbered = list[tuple[int, Exchange]]


def _numbered(exchanges: Iterable[Exchange]) -> Numbered:
    """Number the calls within each check."""
    counts: dict[str, int] = {}
    numbered = []
    for exchange in exchanges:
        index = counts.get(exchange.check, 0)
        counts[exchange.check] = index + 1
        numbered.append((index, exchange))
    return numbered


def _says_something(reply: Reply) -> bool:
    """Whether a reply is the work of a student's code, and not of an untouched stub."""
    if reply.error is None:
        return True
    return reply.error.kind == "exception" and not reply.error.unwritten


@dataclass(frozen=True)
class Comparison:
    """How closely two replies are compared.

    Attributes:
        rtol: relative tolerance; None follows the dtypes. A student's float32 arithmetic leaves
            no dtype behind in Python floats, so a loose comparison is needed as well.
        kinds: whether a number and a 0-d tensor differ, and a tracked tensor and a detached one.
    """

    rtol: float | None
    kinds: bool

    def same_reply(self, one: Reply, other: Reply) -> bool:
        """Whether two replies to the same call say the same."""
        if one.error is not None or other.error is not None:
            return (
                one.error is not None
                and other.error is not None
                and _error_key(one.error) == _error_key(other.error)
            )
        return (
            self.same(one.value, other.value)
            and self.same(one.arguments, other.arguments)
            and self.same([_plain(e) for e in one.events], [_plain(e) for e in other.events])
            and self.same(one.report, other.report)
            and (one.rearranged, one.unusable, one.recording)
            == (other.rearranged, other.unusable, other.recording)
            and (one.autograd_runs > 0) == (other.autograd_runs > 0)
        )

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values are the same."""
        if _is_word(one) or _is_word(other):
            return type(one) is type(other) and bool(one == other)
        if isinstance(one, dict) and isinstance(other, dict):
            return one.keys() == other.keys() and all(self.same(one[k], other[k]) for k in one)
        if isinstance(one, list | tuple) and isinstance(other, list | tuple):
            return len(one) == len(other) and all(map(self.same, one, other))
        a, b = as_tensor(one), as_tensor(other)
        if a is None or b is None or a.shape != b.shape:
            return False
        if not self._same_facts(one, other):
            return False
        if a.dtype == b.dtype and torch.equal(a, b):
            return True
        a64, b64 = a.to(torch.float64), b.to(torch.float64)
        odd = ~torch.isfinite(b64)
        # One NaN would make the tolerance of all entries NaN.
        close = torch.where(odd, _identical(a64, b64), agrees(a, b.masked_fill(odd, 0), self.rtol))
        return bool(close.all())

    def _same_facts(self, one: Any, other: Any) -> bool:
        a, b = getattr(one, "facts", Facts()), getattr(other, "facts", Facts())
        if self.kinds and (
            isinstance(one, torch.Tensor) != isinstance(other, torch.Tensor)
            or (a.requires_grad, a.is_leaf) != (b.requires_grad, b.is_leaf)
        ):
            return False
        if a.grad is None or b.grad is None:
            return a.grad is None and b.grad is None
        return self.same(a.grad, b.grad)


COMPARISONS = (
    Comparison(rtol=None, kinds=True),
    Comparison(rtol=None, kinds=False),
    Comparison(rtol=2e-4, kinds=False),
)


def _error_key(error: CallError) -> tuple[str, str, str]:
    """What tells errors apart: torch says on the first line which rule was broken."""
    return error.kind, error.type, error.message.partition("\n")[0][:60]


def _is_word(value: Any) -> bool:
    return value is None or isinstance(value, str | bool)


def _plain(event: Event) -> list[Any]:
    return [event.kind, event.data]


def _identical(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return (a == b) | (torch.isnan(a) & torch.isnan(b))
