"""What reading says of code in exercises by hand: what a function uses, and nothing else."""

from __future__ import annotations

import pytest
import torch

from autograded.grading.byhand import uses_of_autograd
from autograded.sandbox import guard
from autograded.submissions.code import functions_and_classes
from support import ROOT

BODY = "def gradients(x, w1, w2, t):\n    return {}\n"


@pytest.mark.parametrize(
    ("cell", "expression", "used"),
    [
        ("import sympy as sp\ndw1 = sp.diff(L, a)", "dw1(x)", ["import sympy"]),
        ("from fractions import Fraction as F", "F(x)", ["from fractions import …"]),
        ("import multiprocessing as mp\nhere, there = mp.Pipe()", "here.recv()", ["import mu"]),
        ("from torch.func import grad as g\nD = {}\nD['a'] = g(loss)", "D['a'](x)", ["from torch"]),
        ("from torch.nn import Parameter as P", "P(w1)", ["Parameter"]),
        ("from sympy import *", "diff(x)", ["from sympy"]),
        ("import torch.autograd.forward_ad as fa", "fa.x", ["import torch.autograd.forward_ad"]),
        ("", "torch._VF._make_dual(x, 1)", ["_make_dual"]),
        ("", "L.grad_fn.next_functions", ["next_functions", "grad_fn"]),
        ("", "complex(w1, 1e-30).imag", [".imag", "complex"]),
        ("", "w1 + 1e-30j", ["complex"]),
    ],
)
def test_what_other_cells_computed_counts(cell: str, expression: str, used: list[str]) -> None:
    found = uses_of_autograd([cell, BODY.format(expression)], "gradients")

    assert len(found) == len(used)
    for mention, start in zip(found, used, strict=True):
        assert mention.startswith(start)


@pytest.mark.parametrize(
    "cell",
    [
        "import sympy\nimport multiprocessing",
        "x = torch.tensor(1.0, requires_grad=True)\nt = x.grad_fn",
        "import torch.autograd",
        "def check_mine(x):\n    x.backward()",
        "from torch.func import grad",
    ],
)
def test_what_the_function_does_not_use_does_not_count(cell: str) -> None:
    body = "def gradients(x, w1, w2, t):\n    grad = torch.relu(w1 * x)\n    return grad, t\n"

    assert uses_of_autograd(["import torch", cell, body], "gradients") == []


def test_right_code_is_not_suspected() -> None:
    source = (ROOT / "graders" / "relu_net" / "alternatives.py").read_text(encoding="utf-8")
    functions, classes = functions_and_classes(source)

    assert len(functions) > 20
    assert not any(uses_of_autograd([source], name) for name in functions | classes)


def square() -> torch.Tensor:
    return torch.tensor(3.0, requires_grad=True) ** 2


def test_a_graph_walked_without_the_engine_is_counted_and_one_that_is_only_made_is_not() -> None:
    with guard.counting(True) as made:
        square()
    with guard.counting(True) as walked:
        node = square().grad_fn
        assert node is not None
        node(torch.ones(()))

    assert (made.count, walked.count > 0) == (0, True)


def test_transforms_run_as_they_are_and_are_counted() -> None:
    with guard.counting(True) as runs:
        gradient = torch.func.grad(torch.square)(torch.tensor(3.0))
        _, tangent = torch.func.jvp(torch.square, (torch.tensor(3.0),), (torch.tensor(1.0),))
        square().sin()

    assert (gradient.item(), tangent.item()) == (6, 6)
    assert runs.count >= 2
