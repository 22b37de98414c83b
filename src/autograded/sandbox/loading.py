"""What student code finds loaded: torch, NumPy, IPython, matplotlib and the scenarios."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from autograded import scenarios
from autograded.sandbox import guard
from autograded.sandbox.shell import Shell, create

# Imported when first used otherwise, which costs up to seconds in every fork.
_PRELOADED = (
    "autograded.notebook",
    "torch._dynamo",
    "torch.optim",
    "torch.nn.functional",
    "torch.func",
    "matplotlib.pyplot",
    "matplotlib_inline.backend_inline",
)


def load(scenario_files: Sequence[str]) -> Shell:
    """Load it, seeded, at one thread; raises what a scenario file raises."""
    for name in _PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for file in scenario_files:
        scenarios.load(Path(file))
    repr(torch.ones(1))  # printing a tensor imports more of torch
    shell = create()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    np.random.seed(0)
    guard.install()
    guard.refuse_processes()
    return shell
