"""Grading: the pytest plugin, comparison with autograd, diagnosis, results.

What authors of checks use is exported here.
"""

from autograded.grading.compare import (
    agrees,
    as_tensor,
    assert_agrees,
    assert_plain_floats,
    assert_unchanged,
    expect_tuple,
    fail,
    show,
)
from autograded.grading.failures import CheckFailed
from autograded.grading.mistakes import alternative, mistakes
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
    "assert_unchanged",
    "expect_tuple",
    "fail",
    "mistakes",
    "scenario",
    "show",
]
