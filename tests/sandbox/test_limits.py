"""What runs too long, takes too much or ends itself costs its limit and nobody else anything."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from autograded.sandbox.client import Sandbox

from .conftest import LIMITS, answer, printed, program


@pytest.fixture(scope="module")
def patient() -> Iterator[Sandbox]:
    """Where another limit than time is what matters, on a busy machine too."""
    limits = replace(LIMITS, cell_seconds=20, execute_seconds=40, submission_seconds=60)
    with Sandbox("bubblewrap", limits=limits) as sandbox:
        yield sandbox


DEAF = (
    "import signal\n"
    "for number in range(1, 65):\n"
    "    try:\n        signal.signal(number, signal.SIG_IGN)\n"
    "    except (OSError, ValueError):\n        pass\n"
)


def test_an_endless_cell_is_stopped_and_the_next_runs(sandbox: Sandbox) -> None:
    with sandbox.open(program("while True:\n    pass", "print('on')")) as session:
        execution = session.execution()
    assert execution.cells[0].error == "TimeoutError: stopped after 1 s"
    assert printed(execution.cells[1]) == "on\n"
    assert execution.error is None


def test_a_cell_that_heeds_nothing_ends_the_submission(sandbox: Sandbox) -> None:
    source = (
        DEAF + "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    )
    start = time.monotonic()
    with sandbox.open(program("print('before')", source, "print('after')")) as session:
        execution = session.execution()
        reply = session.call("f", (), {})
    assert time.monotonic() - start < LIMITS.execute_seconds + 3
    assert execution.error is not None
    assert execution.error.kind == "timeout"
    assert printed(execution.cells[0]) == "before\n"
    assert execution.cells[1].error is not None
    assert "not run" in (execution.cells[2].error or "")
    assert reply.error == execution.error


def test_a_function_that_hangs_costs_one_wait_and_the_others_stay(confined: Sandbox) -> None:
    source = "def hang():\n    while True: pass\ndef f():\n    return 1"
    with confined.open(program(source)) as session:
        session.execution()
        start = time.monotonic()
        first = session.call("hang", (), {})
        once = time.monotonic() - start
        again = session.call("hang", (), {})
        assert time.monotonic() - start - once < 0.1
        assert first.error is not None
        assert first.error.kind == "timeout"
        assert again.error == first.error
        assert once < LIMITS.call_seconds + 1
        assert session.call("f", (), {}).value == 1


@pytest.mark.parametrize(
    "source",
    [
        "import time\ndef f():\n    while True:\n"
        "        try: time.sleep(100)\n        except BaseException: pass",
        DEAF + "def f():\n    while True: pass",
        "import torch\ndef f():\n    x = torch.ones(3000, 3000)\n"
        "    while True: torch.linalg.svd(x)",
        "import os\ndef f():\n    os.kill(os.getpid(), 19)\n    while True: pass",
        "import threading\ndef f():\n    threading.Event().wait()",
    ],
    ids=["sleep", "deaf", "in C", "stopped", "waiting"],
)
def test_a_call_never_waits_longer_than_its_limit(confined: Sandbox, source: str) -> None:
    with confined.open(program(source)) as session:
        session.execution()
        start = time.monotonic()
        error = session.call("f", (), {}).error
        assert time.monotonic() - start < LIMITS.call_seconds + 1.5
        assert error is not None
        assert error.kind == "timeout"


def test_the_budget_of_a_submission_is_kept(confined: Sandbox) -> None:
    functions = "".join(f"def f{i}():\n    time.sleep(0.9)\n    return 1\n" for i in range(20))
    start = time.monotonic()
    with confined.open(program("import time\n" + functions)) as session:
        replies = [session.call(f"f{i}", (), {}) for i in range(20)]
    assert time.monotonic() - start < LIMITS.submission_seconds + 2
    assert replies[0].value == 1
    assert replies[-1].error is not None
    assert "used up" in replies[-1].error.message


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import os\nos._exit(0)", "exit status 0"),
        ("import ctypes\nctypes.string_at(0)", "SIGSEGV"),
        ("import os, signal\nos.abort()", ""),
        ("import os\nos.close(3)", ""),
        ("import os\nos.closerange(0, 100)", ""),
        ("import sys\nsys.setrecursionlimit(10**9)\ndef g(x):\n    return g([x])\ng(1)", ""),
    ],
    ids=["exit", "segfault", "abort", "close", "close all", "recursion"],
)
def test_a_process_that_ends_is_a_failure_of_its_submission(
    confined: Sandbox, source: str, told: str
) -> None:
    start = time.monotonic()
    with confined.open(program(source, "print('on')")) as session:
        execution = session.execution()
        assert session.call("f", (), {}).error is not None
    assert time.monotonic() - start < LIMITS.execute_seconds + 2
    if told:
        assert execution.error is not None
        assert execution.error.kind == "died"
        assert told in execution.error.message
    assert answer(confined, "def f():\n    return 1").value == 1


def test_a_huge_tensor_is_an_error_of_its_call(confined: Sandbox) -> None:
    source = "import torch\ndef f():\n    return torch.ones(50 * 10**9 // 4).sum()"
    error = answer(confined, source).error
    assert error is not None
    assert error.kind == "exception"
    assert "memory" in error.message


def test_many_processes_share_one_limit_on_memory(confined: Sandbox) -> None:
    source = (
        "import os, time\n"
        "for _ in range(6):\n"
        "    if os.fork() == 0:\n"
        "        held = b'x' * (250 * 2**20)\n"
        "        time.sleep(60)\n"
    )
    with confined.open(program(source, *["time.sleep(0.9)"] * 4)) as session:
        error = session.execution().error
    assert error is not None
    assert error.kind == "died"
    assert "memory" in error.message


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("with open('f', 'wb') as f:\n    for _ in range(10): f.write(bytes(2**20))", "OSError"),
        (
            "for i in range(100):\n    with open(f'/tmp/{i}', 'wb') as f: f.write(bytes(2**19))",
            "OSError",
        ),
        ("for i in range(10**5): open(f'/tmp/{i}', 'w').close()", "OSError"),
        ("held = [open('/dev/null') for _ in range(10**4)]", "OSError"),
        (
            "import threading, time\n"
            "for _ in range(1000):\n"
            "    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
            "RuntimeError",
        ),
        (
            "import os, time\nfor _ in range(1000):\n    if os.fork() == 0: time.sleep(60)",
            "BlockingIOError",
        ),
    ],
    ids=["file size", "disk", "inodes", "descriptors", "threads", "processes"],
)
def test_resources_end_where_their_limit_is(patient: Sandbox, source: str, error: str) -> None:
    with patient.open(program(source, "print('on')")) as session:
        execution = session.execution()
    assert (execution.cells[0].error or "").startswith(error)


def test_a_fork_bomb_ends_with_its_submission(confined: Sandbox) -> None:
    bomb = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
    start = time.monotonic()
    with confined.open(program(bomb)) as session:
        session.execution()
    assert time.monotonic() - start < LIMITS.execute_seconds + 4
    assert answer(confined, "def f():\n    return 1").value == 1


def test_a_hanging_submission_does_not_slow_its_neighbours(confined: Sandbox) -> None:
    def once() -> float:
        start = time.monotonic()
        assert answer(confined, "def f():\n    return 1").value == 1
        return time.monotonic() - start

    alone = min(once() for _ in range(3))
    deaf = DEAF + "import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass"
    with confined.open(program(deaf)):
        assert min(once() for _ in range(3)) < 3 * alone + 0.2
