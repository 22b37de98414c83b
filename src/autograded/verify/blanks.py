"""Answers that take no thought: nothing, zeros, ones. No check may pass one of them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch

from autograded.grading.families import Implementation


def blanks(right: Implementation) -> dict[str, Implementation]:
    """Functions that answer with None, and with zeros and ones in the shape that is due.

    `right` is a right solution; it tells the shape where no callable is among the arguments, which
    it might record in. There the first tensor's shape is taken, or a number's.
    """
    return {
        "None": lambda *args: None,
        "zeros": _Constant(right, 0.0),
        "ones": _Constant(right, 1.0),
    }


class _Constant:
    """Answers with one number everywhere, and leaves the arguments alone."""

    def __init__(self, right: Implementation, number: float) -> None:
        self._right, self._number = right, number

    def __call__(self, *args: Any) -> Any:
        if not any(callable(argument) for argument in args):
            return self._filled(self._right(*deepcopy(args)))
        tensors = [argument for argument in args if isinstance(argument, torch.Tensor)]
        return self._filled(tensors[0] if tensors else 0.0)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return torch.full_like(value.detach(), self._number)
        if isinstance(value, tuple | list):
            return [self._filled(item) for item in value]
        return None if value is None else self._number
