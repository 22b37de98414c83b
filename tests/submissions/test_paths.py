"""What is run does not depend on what else about a file had to be put right."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograded.submissions import code
from autograded.submissions.reader import runs
from autograded.submissions.release import release_of
from submissions import corpus
from submissions.conftest import repaired, the_course
from submissions.corpus import Notebook, code_cell, solved, stub_of, text
from submissions.mangling import mangled
from submissions.test_repair import quick
from support import ASSIGNMENTS

CASES = sorted(corpus.FOLDER.glob("*/handed_in/*.ipynb"))


def program(notebook: Notebook, assignment: str) -> list[str]:
    """The code that grading runs of a notebook; what defines nothing is left out."""
    cells = repaired(text(notebook).encode("utf-8", "replace"), assignment).notebook["cells"]
    stubs = {cell["source"] for cell in release_of(the_course(), assignment)["cells"] if _own(cell)}
    sources = [cell["source"].strip() for cell in cells if runs(cell) and _does_something(cell)]
    return [source for source in sources if source not in stubs]


def _own(cell: Notebook) -> bool:
    return bool(cell["metadata"].get("nbgrader", {}).get("solution"))


def _does_something(cell: Notebook) -> bool:
    tree = code.parsed(cell["source"])
    return tree is None or tree.body != []


def with_another_kernel(notebook: Notebook) -> Notebook:
    made = copy.deepcopy(notebook)
    made["metadata"] = {"kernelspec": {"name": "venv", "display_name": ".venv (3.12.3)"}}
    return made


def stripped(notebook: Notebook) -> Notebook:
    """As after pasting into a new notebook in Colab."""
    made = {**copy.deepcopy(notebook), "nbformat": 4, "nbformat_minor": 0}
    for number, cell in enumerate(made["cells"]):
        cell["metadata"] = {"id": f"Tq3{number:03d}vXbnZk"}
        cell.pop("id", None)
    return made


Style = Callable[[str, str, str], tuple[str, str]]
"""From a function's name, its right source and its stub to its cell and one further down."""


def _wrapped(head: str, source: str) -> str:
    return head + "".join(f"\n    {line}" if line else "\n" for line in source.split("\n"))


STYLES: dict[str, Style] = {
    "right": lambda name, right, stub: (right, ""),
    "untouched": lambda name, right, stub: (stub, ""),
    "its stub below it": lambda name, right, stub: (f"{right}\n\n\n{stub}", ""),
    "its stub above it": lambda name, right, stub: (f"{stub}\n\n\n{right}", ""),
    "one that passes below it": lambda name, right, stub: (
        f"{right}\n\n\ndef {name}(*arguments):\n    pass",
        "",
    ),
    "one that passes in another cell": lambda name, right, stub: (
        right,
        f"def {name}(*arguments):\n    return None",
    ),
    "another version in another cell": lambda name, right, stub: (
        right,
        f"def {name}(*arguments):\n    return 3.0",
    ),
    "in text": lambda name, right, stub: (stub, f"MARKDOWN{right}"),
    "copied as text": lambda name, right, stub: (right, f"MARKDOWN{right}"),
    "in another cell": lambda name, right, stub: (stub, right),
    "its name used for a value": lambda name, right, stub: (f"{right}\n\n{name} = 3.0", ""),
    "its name used for an attribute": lambda name, right, stub: (right, f"{name} = torch.pi"),
    "its name used by a loop": lambda name, right, stub: (
        right,
        f"for {name} in [1, 2]:\n    print({name})",
    ),
    "its name deleted": lambda name, right, stub: (right, f"del {name}"),
    "under a condition": lambda name, right, stub: (
        _wrapped(f"if False:\n    def {name}():\n        pass\nelse:", right),
        "",
    ),
    "guarded": lambda name, right, stub: (
        f"try:\n    {name}\nexcept NameError:\n    def {name}():\n        raise "
        f"NotImplementedError()\n{right}",
        "",
    ),
    "made by another": lambda name, right, stub: (
        f"def {name}():\n    return 0\n"
        + _wrapped("def make():", right)
        + f"\n    return {name}\n{name} = make()",
        "",
    ),
    "deleted": lambda name, right, stub: ("", ""),
    "broken": lambda name, right, stub: (right.replace("):", ")", 1), ""),
    "indented": lambda name, right, stub: (_wrapped("", right).lstrip("\n"), ""),
    "indented in another cell": lambda name, right, stub: (stub, _wrapped("", right)),
    "with prompts": lambda name, right, stub: (
        ">>> " + right.replace("\n\n", "\n").replace("\n", "\n... "),
        "",
    ),
    "unusual": lambda name, right, stub: (f"{name} = lambda *arguments: None", ""),
    "beside an import": lambda name, right, stub: (f"import math\n\n\n{right}", "import math"),
}


def styled(assignment: str, draw: random.Random) -> tuple[Notebook, dict[str, str]]:
    """A solved notebook with each function written in some style, and which."""
    notebook, chosen = solved(assignment), {}
    below = []
    for cell in notebook["cells"]:
        if _own(cell) and cell["cell_type"] == "code":
            name = cell["id"]
            chosen[name] = style = draw.choice(list(STYLES))
            stub = stub_of(assignment, name)
            cell["source"], further = STYLES[style](name, cell["source"], stub)
            if further:
                below.append(code_cell(further.removeprefix("MARKDOWN"), f"own-{name}"))
                if further.startswith("MARKDOWN"):
                    del below[-1]["outputs"], below[-1]["execution_count"]
                    below[-1]["cell_type"] = "markdown"
    notebook["cells"] += below
    return notebook, chosen


@pytest.mark.parametrize("style", STYLES)
def test_one_function_in_every_style_gives_one_program(style: str) -> None:
    assignment = "training_loop"
    notebook = solved(assignment)
    cell = corpus.cell_of(notebook, "train")
    cell["source"], below = STYLES[style]("train", cell["source"], stub_of(assignment, "train"))
    if below:
        notebook["cells"].append(code_cell(below.removeprefix("MARKDOWN")))
        if below.startswith("MARKDOWN"):
            notebook["cells"][-1]["cell_type"] = "markdown"
    wanted = program(notebook, assignment)
    assert program(with_another_kernel(notebook), assignment) == wanted
    assert program(stripped(notebook), assignment) == wanted


@quick
@given(st.sampled_from(ASSIGNMENTS), st.integers(0, 10**9))
def test_all_functions_in_drawn_styles_give_one_program(assignment: str, seed: int) -> None:
    notebook, styles = styled(assignment, random.Random(seed))
    wanted = program(notebook, assignment)
    assert program(with_another_kernel(notebook), assignment) == wanted, styles
    assert program(stripped(notebook), assignment) == wanted, styles


@quick
@given(st.sampled_from(ASSIGNMENTS), st.integers(0, 10**9))
def test_another_kernel_changes_no_mangled_notebooks_program(assignment: str, seed: int) -> None:
    content, done_to_it = mangled(text(solved(assignment)), str(seed))
    try:
        notebook = json.loads(content.decode())
    except ValueError:
        return
    made = with_another_kernel(notebook)
    assert program(made, assignment) == program(notebook, assignment), done_to_it


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parts[-3])
def test_another_kernel_changes_no_cases_program(path: Path) -> None:
    assignment = json.loads((path.parents[1] / "expected.json").read_text())["assignment"]
    try:
        notebook = json.loads(path.read_bytes())
    except ValueError:
        return
    if "cells" in notebook:
        made = with_another_kernel(notebook)
        assert program(made, assignment) == program(notebook, assignment)
