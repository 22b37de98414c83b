"""Registering what people get wrong, and right answers in other styles.

`graders/<assignment>/misconceptions.py` and `alternatives.py` use these decorators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from autograded.course import Text

Implementation = Callable[..., Any]


@dataclass(frozen=True)
class Family:
    """One implementation of an exercise with a switch for each of its mistakes."""

    exercise: str
    function: Implementation
    explanations: dict[str, Text]
    idea: str | None

    def implementation(self, wrong: Iterable[str]) -> Implementation:
        """The function with the named mistakes switched on; with none it is right."""
        return partial(self.function, frozenset(wrong))


@dataclass
class Library:
    """The misconceptions and alternatives of one assignment."""

    families: list[Family] = field(default_factory=list)
    alternatives: dict[str, dict[str, Implementation]] = field(default_factory=dict)

    def for_exercise(self, exercise: str) -> list[Family]:
        """The families of one exercise, in the order of the file."""
        return [family for family in self.families if family.exercise == exercise]


_collecting: list[Library] = []


def collect_into(library: Library) -> None:
    """Direct the decorators below to `library` (the loader calls this)."""
    _collecting[:] = [library]


def _current() -> Library:
    if not _collecting:
        _collecting.append(Library())
    return _collecting[0]


def mistakes(
    exercise: str, explanations: dict[str, dict[str, str]], idea: str | None = None
) -> Callable[[Implementation], Implementation]:
    """Register a family of misconceptions of an exercise.

    The decorated function takes, before the exercise's own arguments, a frozenset of the ids that
    are switched on. `explanations` holds for each id the text told to the student, in every
    language; `idea` is the idea it misses, by default the exercise's own.
    """
    texts = {key: Text(**value) for key, value in explanations.items()}

    def decorate(function: Implementation) -> Implementation:
        _current().families.append(Family(exercise, function, texts, idea))
        return function

    return decorate


def alternative(exercise: str, style: str) -> Callable[[Implementation], Implementation]:
    """Register a right solution of an exercise in another style."""

    def decorate(function: Implementation) -> Implementation:
        _current().alternatives.setdefault(exercise, {})[style] = function
        return function

    return decorate
