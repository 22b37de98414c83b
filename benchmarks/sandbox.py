"""What confinement costs: a submission against a bare fork, and the round trip of a call.

    python benchmarks/sandbox.py [--submissions 200] [--level bubblewrap]

Prints ratios from one run on one machine, since absolute times of shared machines mean little:

- submission / bare fork: a five-cell submission with twelve calls, opened, run, asked and killed
  with all it started, against fork, `exec` of the same cells, the same twelve calls in the
  process, and exit, from a process that holds the same modules;
- call: the round trip of a call with two small tensors, median;
- trusted memory: resident memory of this process after all submissions against after the first
  tenth.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch

from autograded.sandbox.client import Sandbox
from autograded.sandbox.loading import load
from autograded.sandbox.program import CodeCell, Program

CELLS = (
    "import torch\nfrom autograded import check",
    "def mse(y, t):\n    return ((y - t) ** 2).mean()",
    "def train_step(w, x, t, lr):\n"
    "    w = w.clone().requires_grad_()\n"
    "    loss = mse(x @ w, t)\n"
    "    loss.backward()\n"
    "    return (w - lr * w.grad).detach(), loss.item()",
    "w = torch.zeros(3)\n"
    "x = torch.randn(8, 3)\n"
    "for step in range(20):\n"
    "    w, loss = train_step(w, x, x @ torch.tensor([1.0, -2.0, 0.5]), 0.1)\n"
    "    if step % 10 == 0:\n"
    "        print(step, loss)",
    "w",
)
PROGRAM = Program(tuple(CodeCell(s, f"cell {i}") for i, s in enumerate(CELLS, 1)), "bench.ipynb")
CALLS = 12


def arguments() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, float]:
    return torch.zeros(3), torch.ones(4, 3), torch.ones(4), 0.1


def submission(sandbox: Sandbox, calls: list[float]) -> None:
    with sandbox.open(PROGRAM) as session:
        execution = session.execution()
        assert execution.error is None
        assert all(cell.error is None for cell in execution.cells)
        for _ in range(CALLS):
            start = time.perf_counter()
            reply = session.call("train_step", arguments(), {})
            calls.append(time.perf_counter() - start)
            assert reply.error is None


def bare_fork() -> None:
    pid = os.fork()
    if pid == 0:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        namespace: dict[str, object] = {"__name__": "__main__"}
        for cell in CELLS:
            exec(compile(cell, "cell", "exec"), namespace)
        train_step = namespace["train_step"]
        assert callable(train_step)
        for _ in range(CALLS):
            train_step(*arguments())
        os._exit(0)
    os.waitpid(pid, 0)


class Comparison:
    """A process that holds what the warm process holds, and forks without any confinement.

    It is not this one, whose memory is to tell about the engine alone.
    """

    def __init__(self) -> None:
        asked, self._ask = os.pipe()
        self._answer, answers = os.pipe()
        if os.fork() == 0:
            os.close(self._ask)
            load(())
            gc.collect()
            gc.freeze()
            while os.read(asked, 1):
                os.write(answers, f"{timed(bare_fork):.9f}".encode())
            os._exit(0)
        os.close(asked)

    def bare_fork(self) -> float:
        """Return the seconds that one bare fork took."""
        os.write(self._ask, b"x")
        return float(os.read(self._answer, 100))


def timed(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--level", default="auto")
    chosen = parser.parse_args()

    os.environ["AUTOGRADED_GRADING"] = "1"
    compare = Comparison()
    calls: list[float] = []
    totals: list[float] = []
    bares: list[float] = []
    memory: list[int] = []
    with Sandbox(level=chosen.level) as sandbox:
        ready = timed(sandbox.start)
        for _ in range(5):
            compare.bare_fork()
            submission(sandbox, [])
        for _ in range(chosen.submissions):
            # In turn, so that what else the machine does falls on both.
            bares.append(compare.bare_fork())
            totals.append(timed(lambda: submission(sandbox, calls)))
            memory.append(resident())
        level = sandbox.level
    bare = statistics.median(bares)
    whole = statistics.median(totals)
    early = memory[len(memory) // 10]
    print(f"level                       {level}, ready in {ready:.1f} s")
    print(f"bare fork, execute, exit    {bare * 1e3:8.1f} ms (median)")
    print(f"submission, {CALLS} calls        {whole * 1e3:8.1f} ms (median of {len(totals)})")
    print(f"submission / bare fork      {whole / bare:8.2f}")
    print(f"call, two small tensors     {statistics.median(calls) * 1e3:8.3f} ms (median)")
    print(f"slowest of 100 calls        {statistics.quantiles(calls, n=100)[98] * 1e3:8.3f} ms")
    print(f"trusted memory, end / early {memory[-1] / early:8.3f} ({memory[-1] / 2**20:.0f} MiB)")


if __name__ == "__main__":
    main()
