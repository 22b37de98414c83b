"""What student code finds loaded: torch, NumPy, IPython, matplotlib and the scenarios."""

from __future__ import annotations

import contextlib
import gc
import importlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from autograded import scenarios
from autograded.sandbox import guard
from autograded.sandbox.shell import Shell, create
from autograded.startup import postpone_compiler

# Imported when first used otherwise, which costs up to seconds in every fork.
_PRELOADED = (
    "autograded.notebook",
    "torch.optim",
    "torch.nn.functional",
    "torch.func",
    "matplotlib.pyplot",
    "matplotlib_inline.backend_inline",
)


def load(scenario_files: Sequence[str]) -> Shell:
    """Load it, seeded, at one thread; raises what a scenario file raises."""
    postpone_compiler()
    for name in _PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for file in scenario_files:
        scenarios.load(Path(file))
    repr(torch.ones(1))  # printing a tensor imports more of torch, as does an optimizer's step
    torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.0).step()
    gc.enable()
    gc.collect()
    gc.freeze()  # IPython collects again, and need not go through all of torch
    shell = create()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    np.random.seed(0)
    guard.install()
    guard.refuse_processes()
    return shell
