"""Cells run as nbgrader would run them, and their outputs are those of a notebook."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from autograded.sandbox.client import Sandbox
from autograded.sandbox.program import Execution

from .conftest import Run, printed, program


def notebook(cells: list[str], execution: Execution) -> nbformat.NotebookNode:
    return nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                source, outputs=run.outputs, execution_count=run.execution_count
            )
            for source, run in zip(cells, execution.cells, strict=True)
        ]
    )


def test_outputs_are_valid_nbformat_in_order(sandbox: Sandbox) -> None:
    cells = [
        "import sys\nprint('a')\nprint('b')\nprint('c', file=sys.stderr)\nprint('d')\n{'e': 1}",
        "display(1)\nprint('between')\ndisplay(2)",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])",
        "def f(:",
        "raise ValueError('no')",
    ]
    with sandbox.open(program(*cells)) as session:
        execution = session.execution()
    nbformat.validate(nbformat.from_dict(notebook(cells, execution)))
    first, second, third, fourth, fifth = (cell.outputs for cell in execution.cells)
    assert [(o.get("name"), o.get("text")) for o in first[:3]] == [
        ("stdout", "a\nb\n"),
        ("stderr", "c\n"),
        ("stdout", "d\n"),
    ]
    assert first[3]["output_type"] == "execute_result"
    assert first[3]["data"] == {"text/plain": "{'e': 1}"}
    assert first[3]["execution_count"] == execution.cells[0].execution_count == 1
    assert [o["output_type"] for o in second] == ["display_data", "stream", "display_data"]
    assert "image/png" in third[-1]["data"]
    assert fourth[0]["ename"] == "SyntaxError"
    assert fifth[0]["evalue"] == "no"
    assert "ValueError: no" in fifth[0]["traceback"][-1]
    assert execution.cells[4].error == "ValueError: no"


def test_an_error_in_torch_shows_no_file_of_ours(run: Run) -> None:
    (cell,) = run("import torch\ntorch.ones(1).backward()").cells
    assert cell.error is not None
    assert cell.error.startswith("RuntimeError")
    assert "autograded" not in "".join(cell.outputs[0]["traceback"])


def test_a_cell_that_fails_costs_only_itself(run: Run) -> None:
    execution = run("x = 1", "def broken(:", "1 / 0", "import no_such_package", "print(x)")
    assert [cell.error and cell.error.split(":")[0] for cell in execution.cells] == [
        None,
        "SyntaxError",
        "ZeroDivisionError",
        "ModuleNotFoundError",
        None,
    ]
    assert printed(execution.cells[4]) == "1\n"
    assert execution.error is None


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("exit()", "SystemExit"),
        ("quit()", "SystemExit"),
        ("import sys\nsys.exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise BaseException('x')", "BaseException: x"),
        ("input('name? ')", "StdinNotImplementedError"),
    ],
)
def test_what_would_end_or_stop_a_script_is_an_error_of_its_cell(
    run: Run, source: str, error: str
) -> None:
    execution = run(source, "print('on')")
    assert (execution.cells[0].error or "").startswith(error)
    assert printed(execution.cells[1]) == "on\n"


def test_what_notebooks_hold_beside_python(run: Run) -> None:
    execution = run(
        "import asyncio\nawait asyncio.sleep(0)\nprint('awaited')",
        "%matplotlib inline",
        "!echo shell",
        "%pip install torch",
        "!pip install --quiet torch",
        "%%time\n1 + 1",
        "%load_ext autoreload\n%autoreload 2",
        "lines = !printf 'a\\nb'\nprint(lines)",
        "if __name__ == '__main__':\n    print('main')",
    )
    assert [cell.error for cell in execution.cells] == [None] * 9
    assert printed(execution.cells[0]) == "awaited\n"
    assert printed(execution.cells[2]) == "shell\n"
    assert "Nothing can be installed" in printed(execution.cells[3])
    assert "Nothing can be installed" in printed(execution.cells[4])
    assert printed(execution.cells[7]) == "['a', 'b']\n"
    assert printed(execution.cells[8]) == "main\n"


def test_check_does_nothing_while_grading(run: Run) -> None:
    execution = run("from autograded import check", "check('relu_net.gradients')")
    assert [cell.error for cell in execution.cells] == [None, None]
    assert printed(execution.cells[1]).count("\n") == 1


def test_files_of_the_submission_are_there_and_do_not_replace_ours(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "data.txt").write_text("some data")
    (tmp_path / "helpers.py").write_text("def double(x):\n    return 2 * x\n")
    for name in ("torch.py", "numpy.py", "sitecustomize.py", "conftest.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit('mine')\n")
    execution = run(
        "print(open('data.txt').read())",
        "from helpers import double\nprint(double(21))",
        "import torch, numpy, json, colorsys\nprint(torch.__file__.count('site-packages'))",
        folder=tmp_path,
    )
    assert [printed(cell) for cell in execution.cells] == ["some data\n", "42\n", "1\n"]


def test_what_is_too_much_is_cut_and_says_so(run: Run) -> None:
    execution = run("print('x' * 10**6)", *["print('y' * 90_000)"] * 4, "print('z')")
    assert len(printed(execution.cells[0])) < 101_000
    assert "left out" in printed(execution.cells[0])
    total = sum(len(printed(cell)) for cell in execution.cells)
    assert total < 252_000


def test_endless_printing_ends_with_its_cell(run: Run) -> None:
    execution = run("while True:\n    print('x' * 1_000_000)", "print('on')")
    assert "stopped after 1 s" in (execution.cells[0].error or "")
    assert printed(execution.cells[1]) == "on\n"


def test_the_browser_of_whoever_reads_outputs_is_not_given_code(run: Run) -> None:
    execution = run(
        "from IPython.display import HTML, Javascript, SVG, Markdown, Image, Math\n"
        "display(HTML('<script>alert(1)</script>'))\n"
        "display(Javascript('alert(1)'))\n"
        "display({'text/html': '<b>', 'image/svg+xml': '<svg onload=alert(1)>'}, raw=True)\n"
        "display({'image/png': '\"onerror=\"alert(1)'}, raw=True)\n"
        "display(Math('x^2'))\n"
        "display({'text/latex': '<script>'}, raw=True)\n"
        "display({'text/plain': 'p'}, raw=True, metadata={'image/png': {'width': '1 onload=x'}})"
    )
    outputs = execution.cells[0].outputs
    kinds = {kind for output in outputs for kind in output["data"]}
    assert kinds == {"text/plain", "text/latex"}
    assert all(output["metadata"] == {} for output in outputs)
    assert "left out" in outputs[2]["data"]["text/plain"]


def test_display_handles_update_and_clear(run: Run) -> None:
    execution = run(
        "handle = display('before', display_id=True)\nhandle.update('after')",
        "from IPython.display import clear_output\n"
        "print('gone')\nclear_output(wait=True)\nprint(1)",
    )
    assert [o["data"]["text/plain"] for o in execution.cells[0].outputs] == ["'after'"]
    assert printed(execution.cells[1]) == "1\n"


def test_hooks_of_ipython_reach_only_the_own_process(run: Run) -> None:
    hooks = (
        "ip = get_ipython()\n"
        "ip.input_transformers_cleanup.append(lambda lines: ['print(\"taken over\")\\n'])\n"
        "get_ipython = None\n"
    )
    assert printed(run(hooks, "1").cells[1]) == "taken over\n"
    assert printed(run("1").cells[0]) == "1"


def test_every_submission_begins_alike(run: Run) -> None:
    source = (
        "import random, torch, numpy as np\n"
        "print(random.random(), np.random.rand(), torch.rand(2), hash('x'))"
    )
    assert printed(run(source).cells[0]) == printed(run(source).cells[0])


def test_an_empty_program_gives_an_empty_execution(run: Run) -> None:
    execution = run()
    assert execution.cells == ()
    assert execution.error is None


def test_a_cold_process_does_the_same(cold: Sandbox) -> None:
    with cold.open(program("print('hi')", "def f(x):\n    return x * 2")) as session:
        assert printed(session.execution().cells[0]) == "hi\n"
        assert session.call("f", (3,), {}).value == 6


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nfor i in range(1500):\n    print(i)\n    print(i, file=sys.stderr)",
        "import warnings\nfor i in range(1500):\n    print(i)\n    warnings.warn(str(i))",
        "for i in range(5000):\n    display(i)",
        "for i in range(2500):\n    print(i)\n    display(i)\nraise ValueError('after all')",
    ],
    ids=["both streams", "warnings", "displays", "then an error"],
)
def test_a_cell_with_thousands_of_outputs_costs_nothing(confined: Sandbox, source: str) -> None:
    with confined.open(program(source, "def f():\n    return 1")) as session:
        execution = session.execution()
        assert session.call("f", (), {}).value == 1
    assert execution.error is None
    nbformat.validate(nbformat.from_dict(notebook([source, ""], execution)))
    assert 900 < len(execution.cells[0].outputs) <= 1001
    assert "the rest of this cell's output is left out" in execution.cells[0].outputs[-1]["text"]
