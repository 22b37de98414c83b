"""Cells that an editor merged, with text among them, are the cells they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.conftest import repaired
from submissions.corpus import Notebook, cell_of, place_of, solved, text
from submissions.test_paths import program
from submissions.test_repair import quick
from support import ASSIGNMENTS


def merged(notebook: Notebook, first: int, last: int, glue: str = "\n\n") -> Notebook:
    """A notebook after `Merge Selected Cells`: of the first one's type, with its id."""
    cells = notebook["cells"]
    cells[first]["source"] = glue.join(cell["source"] for cell in cells[first : last + 1])
    del cells[first + 1 : last + 1]
    return notebook


@quick
@given(
    st.sampled_from(ASSIGNMENTS),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.sampled_from(["\n\n", "\n", "\n\n\n"]),
)
def test_any_cells_merged_define_what_they_defined(
    assignment: str, one: int, other: int, glue: str
) -> None:
    notebook = solved(assignment)
    count = len(notebook["cells"])
    first, last = sorted((one % count, other % count))
    wanted = program(notebook, assignment)
    found = program(merged(solved(assignment), first, last, glue), assignment)
    assert [source for source in wanted if source not in "\n\n".join(found)] == []


@pytest.mark.parametrize("first", ["forward-hints", "forward"])
def test_an_edited_text_among_them_costs_nothing(first: str) -> None:
    notebook = solved("relu_net")
    edited = cell_of(notebook, "forward-text-1")
    edited["source"] = edited["source"].replace("Leave the hidden", "Don't leave the hidden")
    place = place_of(notebook, first)
    wanted = program(solved("relu_net"), "relu_net")
    made = merged(notebook, place, place_of(notebook, "gradients-check"))
    assert program(made, "relu_net") == wanted


def test_a_mistake_in_one_of_them_costs_that_one() -> None:
    notebook = solved("relu_net")
    cell = cell_of(notebook, "forward")
    cell["source"] = cell["source"].replace("):", ")", 1)
    place = place_of(notebook, "forward")
    merged(notebook, place, place_of(notebook, "gradients-check"))
    done = repaired(text(notebook).encode(), "relu_net")
    right = cell_of(solved("relu_net"), "gradients")["source"]
    assert cell_of(done.notebook, "gradients")["source"] == right
    assert "def forward(x, w1, w2)\n" in cell_of(done.notebook, "forward")["source"]


def test_a_right_function_in_its_own_cell_is_not_replaced_by_notes() -> None:
    notebook = solved("relu_net")
    notes = cell_of(notebook, "forward-text-1")["source"]
    own = f"{notes}\n\nMy first try:\n\ndef forward(x, w1, w2):\n    return 0\n"
    cell = {"cell_type": "markdown", "id": "own", "metadata": {}, "source": own}
    notebook["cells"].append(cell)
    done = repaired(text(notebook).encode(), "relu_net")
    assert [one.id for one in done.repairs] == []
    assert cell_of(done.notebook, "own") == cell
