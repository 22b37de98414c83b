"""Calls: values pass as data with what autograd knows of them, and failures have a reason."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from autograded.sandbox.client import Sandbox
from autograded.scenarios import scenario

from .conftest import answer, program


def test_values_come_back_as_they_are(sandbox: Sandbox) -> None:
    source = (
        "import torch, numpy as np\n"
        "def f(x):\n"
        "    return {'t': x * 2, 'p': 1.5, 'n': np.float32(2), 'l': [(1, None), True, 'é', 10**30],"
        "            'nan': float('nan'), 'a': np.arange(3)}"
    )
    value = answer(sandbox, source, torch.ones(2, dtype=torch.float64)).value
    assert torch.equal(value["t"], torch.full((2,), 2.0, dtype=torch.float64))
    assert (value["p"], value["l"]) == (1.5, [(1, None), True, "é", 10**30])
    assert isinstance(value["n"], np.float32)
    assert math.isnan(value["nan"])
    assert value["a"].tolist() == [0, 1, 2]


def test_facts_about_tensors_come_along(confined: Sandbox) -> None:
    source = "def f(x):\n    (x * x).sum().backward()\n    return x, (x * 3), x.detach()"
    x, product, detached = answer(confined, source, torch.ones(2, requires_grad=True)).value
    assert x.facts.is_leaf
    assert x.facts.requires_grad
    assert x.facts.grad.tolist() == [2.0, 2.0]
    assert (product.facts.is_leaf, product.facts.grad_fn) == (False, "MulBackward0")
    assert not detached.facts.requires_grad
    assert not x.requires_grad


def test_observation_shows_the_arguments_afterwards(confined: Sandbox) -> None:
    source = "def f(g, xs):\n    xs[0].add_(1)\n    return g(xs[0])"
    square = scenario("sandbox-square", factor=2.0)
    reply = answer(confined, source, square, [torch.zeros(1)], observe=True)
    assert reply.value.tolist() == [2.0]
    assert reply.arguments[0][1][0].tolist() == [1.0]
    assert [event.kind for event in reply.events] == ["call"]
    assert reply.report == {"done": True}


def test_runs_of_autograd_are_counted(confined: Sandbox) -> None:
    source = (
        "import torch\n"
        "def f(x):\n"
        "    torch.func.grad(lambda v: (v * v).sum())(x)\n"
        "    torch.func.jvp(lambda v: v * v, (x,), (x,))\n"
        "    y = x.clone().requires_grad_()\n"
        "    getattr((y * y).sum(), 'back' + 'ward')()\n"
        "    return torch.relu(x) @ x.T\n"
        "engine = torch.autograd.Variable._execution_engine\n"
        "def kept(x):\n"
        "    y = x.clone().requires_grad_()\n"
        "    seed = (torch.ones(()),)\n"
        "    engine.run_backward(((y * y).sum(),), seed, False, False, (y,), False, True)\n"
        "    return y.grad\n"
    )
    with confined.open(program(source)) as session:
        reply = session.call("f", (torch.ones(2),), {}, by_hand=True)
        kept = session.call("kept", (torch.ones(2),), {}, by_hand=True)
    # Once each for grad and backward; jvp opens a level, and makes a dual number on it.
    assert (reply.error, reply.autograd_runs) == (None, 4)
    # The engine, and the two factors it asks for.
    assert (kept.error, kept.autograd_runs) == (None, 3)
    honest = answer(confined, "def f(x):\n    return x @ x.T", torch.ones(2), by_hand=True)
    assert honest.autograd_runs == 0


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("g = 1", "missing", "no function 'f'"),
        ("f = [1]", "missing", "'f' is not a function but of type list"),
        ("def f():\n    raise KeyError('k')", "exception", "'k'"),
        ("def f():\n    raise SystemExit(0)", "exception", "0"),
        ("def f():\n    raise KeyboardInterrupt", "exception", ""),
        ("def f():\n    exit()", "exception", ""),
        ("def f():\n    return object()", "unusable", "object"),
        ("def f():\n    return lambda: 1", "unusable", "function"),
        ("def f():\n    x = []\n    x.append(x)\n    return x", "unusable", "deep"),
        ("def f():\n    return [0] * 10**6", "unusable", "more than"),
        ("def f():\n    return 'x' * 10**7", "unusable", "characters"),
        ("def f():\n    return 1 << 10**6", "unusable", "bits"),
        ("import torch\ndef f():\n    return torch.ones(2).to_sparse()", "unusable", "sparse"),
        ("import torch\ndef f():\n    return torch.ones(2, device='meta')", "unusable", "meta"),
        (
            "import torch\ndef f():\n    return torch.ones(2, dtype=torch.cfloat)",
            "unusable",
            "complex",
        ),
        ("import torch\ndef f():\n    return torch.zeros(1).expand(10**12)", "unusable", "MiB"),
        (
            "import numpy as np\ndef f():\n    return np.broadcast_to(0.0, 10**12)",
            "unusable",
            "MiB",
        ),
        ("import numpy as np\ndef f():\n    return np.array([object()])", "unusable", "object"),
        (
            "import torch\ndef f():\n"
            "    return torch.quantize_per_tensor(torch.ones(2), 1., 0, torch.quint8)",
            "unusable",
            "dtype",
        ),
        (
            "import torch\nclass T(torch.Tensor):\n    pass\n"
            "def f():\n    return torch.ones(2).as_subclass(T)",
            "unusable",
            "subclass",
        ),
        (
            "class E(Exception):\n    def __str__(self):\n        raise self\n"
            "def f():\n    raise E",
            "exception",
            "",
        ),
    ],
)
def test_what_has_no_value_has_a_reason(
    confined: Sandbox, source: str, kind: str, message: str
) -> None:
    error = answer(confined, source).error
    assert error is not None
    assert error.kind == kind
    assert message in error.message


def test_tracebacks_show_the_students_lines_only(confined: Sandbox) -> None:
    error = answer(confined, "def g():\n    return 1 / 0\ndef f():\n    return g()").error
    assert error is not None
    assert 'File "work.ipynb, cell 1", line 4, in f' in error.traceback
    assert "return 1 / 0" in error.traceback
    assert "autograded" not in error.traceback


def test_tracebacks_through_torch_show_neither_its_insides_nor_ours(confined: Sandbox) -> None:
    error = answer(confined, "import torch\ndef f():\n    torch.ones(1).backward()").error
    assert error is not None
    assert error.type == "RuntimeError"
    assert [line for line in error.traceback.splitlines() if line.startswith("  File")] == [
        '  File "work.ipynb, cell 1", line 3, in f'
    ]


def test_lying_subclasses_come_back_as_plain_data(confined: Sandbox) -> None:
    source = (
        "class Liar(float):\n"
        "    def __eq__(self, other):\n        return True\n"
        "    __hash__ = None\n"
        "class Pair(tuple):\n"
        "    def __len__(self):\n        return 7\n"
        "def f():\n    return Pair([Liar(3.0), Liar(4.0)])"
    )
    value = answer(confined, source).value
    assert type(value) is tuple
    assert [type(item) for item in value] == [float, float]
    assert value != (1.0, 1.0)


def test_patched_torch_stays_in_its_process(confined: Sandbox) -> None:
    source = (
        "import torch, builtins\n"
        "torch.allclose = torch.testing.assert_close = lambda *a, **k: True\n"
        "torch.Tensor.__eq__ = lambda a, b: True\n"
        "builtins.abs = lambda x: 0\n"
        "def f(x):\n    return x + 1"
    )
    assert answer(confined, source, torch.zeros(1)).value.tolist() == [1.0]
    assert not torch.allclose(torch.zeros(1), torch.ones(1))
    clean = (
        "import torch\ndef f():\n    return torch.allclose(torch.zeros(1), torch.ones(1)), abs(-1)"
    )
    assert answer(confined, clean).value == (False, 1)


def test_printing_during_calls_goes_nowhere(confined: Sandbox) -> None:
    source = (
        "import os\ndef f():\n    print('PASSED ' * 10**5)\n"
        "    os.write(1, b'PASSED')\n    return 1"
    )
    assert answer(confined, source).value == 1


def test_state_stays_within_a_submission(confined: Sandbox) -> None:
    with confined.open(program("n = 0\ndef f():\n    global n\n    n += 1\n    return n")) as one:
        assert [one.call("f", (), {}).value for _ in range(3)] == [1, 2, 3]
    with confined.open(program("def f():\n    return 'n' in globals()")) as other:
        assert other.call("f", (), {}).value is False


def test_sessions_run_side_by_side(confined: Sandbox) -> None:
    sessions = [confined.open(program(f"def f():\n    return {i}")) for i in range(4)]
    assert [session.call("f", (), {}).value for session in sessions] == [0, 1, 2, 3]
    sessions[1].close()
    assert sessions[2].call("f", (), {}).value == 2
    for session in sessions:
        session.close()
    assert sessions[0].call("f", (), {}).error is not None
