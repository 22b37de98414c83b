"""Grading: the pytest plugin, comparison with autograd, diagnosis, results.

What authors of checks use is exported here; it is imported when first used, since it imports torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograded.grading.compare import (
        agrees,
        as_tensor,
        assert_agrees,
        assert_plain_floats,
        assert_recording,
        assert_unchanged,
        expect_tuple,
        fail,
        show,
    )
    from autograded.grading.failures import CheckFailed
    from autograded.grading.families import alternative, mistakes
    from autograded.grading.observation import Observation
    from autograded.scenarios import Event, Recorder, scenario

__all__ = [
    "CheckFailed",
    "Event",
    "Observation",
    "Recorder",
    "agrees",
    "alternative",
    "as_tensor",
    "assert_agrees",
    "assert_plain_floats",
    "assert_recording",
    "assert_unchanged",
    "expect_tuple",
    "fail",
    "mistakes",
    "scenario",
    "show",
]

_HOMES = {
    "CheckFailed": "autograded.grading.failures",
    "Event": "autograded.scenarios",
    "Observation": "autograded.grading.observation",
    "Recorder": "autograded.scenarios",
    "alternative": "autograded.grading.families",
    "mistakes": "autograded.grading.families",
    "scenario": "autograded.scenarios",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, "autograded.grading.compare")), name)
    globals()[name] = value
    return value
