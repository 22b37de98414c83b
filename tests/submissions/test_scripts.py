"""Python files that were made of a notebook are read as the notebook they were."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from autograded.submissions.code import pieces
from autograded.submissions.release import release_of
from submissions.conftest import repaired, the_course
from submissions.corpus import (
    Notebook,
    as_colabs_python,
    as_nbconverts_script,
    code_cell,
    solved,
)
from support import ASSIGNMENTS

FORMS: dict[str, Callable[[Notebook, str], str]] = {
    "Colab": as_colabs_python,
    "nbconvert": lambda notebook, name: as_nbconverts_script(notebook),
}


def shown(notebook: Notebook) -> list[tuple[str, str, str]]:
    return [(c["id"], c["cell_type"], c["source"].rstrip()) for c in notebook["cells"]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_an_untouched_release_is_the_release_again(form: str, assignment: str) -> None:
    release = json.loads(json.dumps(release_of(the_course(), assignment)))
    content = FORMS[form](release, assignment).encode()
    done = repaired(content, assignment, f"{assignment}.py")
    assert [one.id for one in done.repairs] == ["python-file"]
    assert shown(done.notebook) == shown(release)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_solved_work_is_the_same_notebook(form: str, assignment: str) -> None:
    notebook = solved(assignment)
    content = FORMS[form](notebook, assignment).encode()
    done = repaired(content, assignment, f"{assignment}.py")
    assert [one.id for one in done.repairs] == ["python-file"]
    assert shown(done.notebook) == shown(notebook)


def test_colabs_text_may_hold_what_python_strings_may_not() -> None:
    notebook = solved("relu_net")
    own = code_cell("x = '''\n\n\"\"\"\n\n'''\ny = \"it's\"  # don't", "own-code")
    notebook["cells"].insert(1, own)
    text = r"$\nabla f$, $\xi$ and $\N$: 'quoted', it's \\ done"
    notebook["cells"].insert(2, {"cell_type": "markdown", "id": "t", "source": text})
    content = as_colabs_python(notebook, "relu_net").encode()
    done = repaired(content, "relu_net", "relu_net.py")
    kinds = [(c["cell_type"], c["source"]) for c in done.notebook["cells"]]
    assert ("markdown", text) in kinds
    assert [one.id for one in done.repairs] == ["python-file"]
    assert shown(done.notebook)[-1] == shown(notebook)[-1]


def test_a_program_is_cut_so_that_what_fails_costs_no_definition() -> None:
    program = (
        "import one\nimport two  # note\n# about a and b\na = 1\nb = 2\n\nc = 3; d = 4\n"
        "# about f\n@decorated\ndef f():\n    return 1\n\n    # inside\n\nprint(f())\n# last"
    )
    assert pieces(program, []) == [
        "import one",
        "import two  # note",
        "# about a and b\na = 1\nb = 2",
        "c = 3; d = 4",
        "# about f\n@decorated\ndef f():\n    return 1",
        "    # inside",
        "print(f())",
        "# last",
    ]


def test_a_program_that_does_not_parse_is_cut_around_its_definitions() -> None:
    program = "1 / 0\nimport math\n\ndef f(:\n    pass\n\n@cached\ndef g():\n    return 1\n\nx = 2"
    assert pieces(program, ["f"]) == [
        "1 / 0",
        "import math",
        "def f(:\n    pass",
        "@cached\ndef g():\n    return 1",
        "x = 2",
    ]
