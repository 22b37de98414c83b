"""Named callables that run beside student code: functions, models, recording optimizers.

A callable does not cross the wire between the checks and the student's process. A check names a
scenario and gives it plain parameters; the worker and the check each build the same callable from
this registry. Everything here, and in the `exercises/<assignment>/scenarios.py` that extend it, is
public: a student may read it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograded.errors import AutogradedError

# Student code decides how often a recorder is called.
MAX_EVENTS = 20_000


@dataclass(frozen=True)
class Event:
    """Something a scenario object saw: what kind of thing, and plain data about it."""

    kind: str
    data: dict[str, Any] = field(default_factory=dict)


class Recorder:
    """Collects the events of one scenario during one call of a student's function."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._reports: list[Callable[[], dict[str, Any]]] = []

    def __call__(self, kind: str, **data: Any) -> None:
        """Record an event; past `MAX_EVENTS` it is dropped, since a loop may never end."""
        if len(self.events) < MAX_EVENTS:
            self.events.append(Event(kind, data))

    def report(self, function: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
        """Register a function that is evaluated after the student's function has returned."""
        self._reports.append(function)
        return function

    def reports(self) -> dict[str, Any]:
        """Evaluate the registered reports, merged in order."""
        merged: dict[str, Any] = {}
        for function in self._reports:
            merged.update(function())
        return merged


Factory = Callable[..., Any]
_registry: dict[str, Factory] = {}
_loaded: set[tuple[str, str]] = set()


def register(name: str) -> Callable[[Factory], Factory]:
    """Register a factory `factory(record, **parameters)` under a name.

    The factory returns one callable, or several objects as `parts(...)`.
    """

    def decorate(factory: Factory) -> Factory:
        _registry[name] = factory
        return factory

    return decorate


def parts(**named: Any) -> SimpleNamespace:
    """Return several objects that one scenario builds and that belong together."""
    return SimpleNamespace(**named)


class Scenario:
    """A scenario by name with its parameters. Attribute access names one of its parts."""

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        self._name = name
        self._parameters = parameters

    def __getattr__(self, part: str) -> Part:
        if part.startswith("_"):
            raise AttributeError(part)
        return Part(self, part)

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={_short(value)}" for key, value in self._parameters.items())
        return f"{self._name}({shown})"

    def build(self, record: Recorder | None = None) -> Any:
        """Build the callable (or the parts) in this process.

        Raises `AutogradedError` when no scenario has this name.
        """
        return build(self._name, self._parameters, record or Recorder())


def _short(value: Any) -> str:
    """A parameter as it stands in a message: written out when it is short."""
    text = repr(value.tolist() if hasattr(value, "tolist") else value)
    return text if len(text) <= 30 else "…"


@dataclass(frozen=True)
class Part:
    """One named part of a scenario, as an argument of a call."""

    scenario: Scenario
    name: str

    def __repr__(self) -> str:
        return self.name


def scenario(name: str, /, **parameters: Any) -> Scenario:
    """Name a scenario, to be passed to a student's function."""
    return Scenario(name, parameters)


def specification(scenario: Scenario) -> tuple[str, dict[str, Any]]:
    """Return the name and the parameters of a scenario, for sending it."""
    return scenario._name, scenario._parameters


def build(name: str, parameters: dict[str, Any], record: Recorder) -> Any:
    """Build the scenario `name` with `parameters`, recording into `record`."""
    try:
        factory = _registry[name]
    except KeyError:
        known = ", ".join(sorted(_registry)) or "none"
        raise AutogradedError(
            f"There is no scenario {name!r}; registered are: {known}. "
            "Write it in exercises/<assignment>/scenarios.py."
        ) from None
    return factory(record, **parameters)


def load(path: Path) -> None:
    """Run a `scenarios.py`, which registers what it defines; an unchanged file runs once."""
    content = path.read_bytes()
    key = (str(path), hashlib.sha256(content).hexdigest())
    if key in _loaded:
        return
    name = f"autograded_scenarios_{path.parent.name}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling of classes look their module up here
    spec.loader.exec_module(module)
    _loaded.add(key)


def find(root: Path) -> Iterator[Path]:
    """Yield the scenario files of a course, in order of assignment name."""
    yield from sorted(root.glob("exercises/*/scenarios.py"))
