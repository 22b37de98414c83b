"""A learner's hints: how a terminal shows them, and which have been seen."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock
from platformdirs import user_state_path

from autograded import atomic
from autograded.course import Course
from autograded.errors import why

FILE = ".progress.json"

_PATIENCE = 2.0
"""Seconds to wait for another command that writes the same file."""


_FORMULA = re.compile(
    r"(?P<code>```.*?```|`[^`]*`)|(?<!\\)(?P<mark>\$\$?)(?!\s)(?P<formula>[^$]+?)(?<!\s)(?P=mark)",
    re.DOTALL,
)
_NAMES = {
    "partial": "∂",
    "nabla": "∇",
    "cdot": "·",
    "times": "×",
    "odot": "⊙",
    "sum": "Σ",
    "prod": "Π",
    "infty": "∞",
    "pm": "±",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "approx": "≈",
    "in": "∈",
    "to": "→",
    "dots": "…",
    "ldots": "…",
    "cdots": "…",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "Delta": "Δ",
    "epsilon": "ε",
    "varepsilon": "ε",
    "eta": "η",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "sigma": "σ",
    "quad": " ",
    "qquad": " ",
}


def for_terminal(hint: str) -> str:
    """A hint's Markdown with its formulas as code in plain characters: no dollar signs, no LaTeX.

    Of a command that has no character here, the name is left.
    """
    return _FORMULA.sub(lambda found: found["code"] or f"`{_characters(found['formula'])}`", hint)


def _characters(formula: str) -> str:
    text = re.sub(r"\\(?:text|math\w+|operatorname)\{([^{}]*)\}", r"\1", formula)
    text = re.sub(r"\\sqrt\{([^{}]*)\}", r"√(\1)", text)
    text = re.sub(
        r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}",
        lambda found: f"{_factor(found[1])}/{_factor(found[2])}",
        text,
    )
    text = re.sub(r"\^\{?\\top\}?", "ᵀ", text)
    text = re.sub(r"\^\{?([023])\}?(?!\d)", lambda found: "⁰¹²³"[int(found[1])], text)
    text = re.sub(r"([_^])\{(\w+)\}", r"\1\2", text)
    text = re.sub(r"\\(?:left|right|big|Big)(?![a-zA-Z])\s*", "", text)
    text = re.sub(r"\\[,;:!> ]", " ", text)
    text = re.sub(
        r"\\([a-zA-Z]+)( ?)",
        # The space behind a letter such as \partial belongs to the command.
        lambda found: (
            _NAMES.get(found[1], found[1]) + ("" if found[1] in ("partial", "nabla") else found[2])
        ),
        text,
    )
    return re.sub(r"\\(.)", r"\1", text)


def _factor(text: str) -> str:
    """A part of a fraction, in parentheses when it is more than one thing."""
    return text if re.fullmatch(r"(\\[a-zA-Z]+ ?)?[\w.]*", text) else f"({text})"


class HintMemory:
    """How many hints of each exercise have been seen.

    They are kept in exercises/.progress.json; where that cannot be written, such as in a course
    that several people share, in the user's own folder for the state of programs. Several commands
    may run at once. A file that cannot be read costs nothing but seeing a hint again.
    """

    def __init__(self, course: Course) -> None:
        self._places = [course.root / "exercises" / FILE]
        state = user_state_path("autograded", appauthor=False)
        if state.is_absolute():  # not so for a user without a home
            digest = hashlib.sha256(str(course.root).encode("utf-8", "surrogateescape")).hexdigest()
            self._places.append(state / f"{digest[:16]}.json")
        self._here: dict[str, int] = {}

    def seen(self, exercise: str) -> int:
        """How many hints of an exercise have been seen, by its id."""
        return max(seen.get(exercise, 0) for seen in self._all())

    def see(self, exercise: str, count: int) -> str:
        """Remember that `count` hints of an exercise have been seen.

        Returns why that can be remembered only while this object lasts; empty when it is kept.
        """
        self._here[exercise] = max(self._here.get(exercise, 0), count)
        reason = ""
        for place in self._places:
            try:
                _add(place, exercise, count)
            except (OSError, NotImplementedError) as error:  # the latter: no locks on this disk
                reason = reason or why(error)
            else:
                return ""
        return reason

    def _all(self) -> Iterator[dict[str, int]]:
        yield self._here
        for place in self._places:
            yield _read(place)


def _read(place: Path) -> dict[str, int]:
    try:
        data = json.loads(place.read_text(encoding="utf-8"))["hints"]
        return {str(key): int(value) for key, value in data.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _add(place: Path, exercise: str, count: int) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{place}.lock", timeout=_PATIENCE):
        seen = _read(place)
        seen[exercise] = max(seen.get(exercise, 0), count)
        atomic.write(place, (json.dumps({"hints": seen}, indent=2) + "\n").encode())
