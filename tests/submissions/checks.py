"""What must hold for every repaired notebook."""

from __future__ import annotations

from collections import Counter
from typing import Any

from nbformat import from_dict, validate
from nbgrader.nbgraderformat import MetadataValidator


def assert_nbgrader_takes_it(notebook: dict[str, Any], release: dict[str, Any]) -> None:
    """Valid format, unique ids, and every cell that nbgrader knows there once, as released.

    Solutions and answers are the student's; everything else of a released cell must be the same.
    """
    node = from_dict(notebook)
    validate(node)
    MetadataValidator().validate_nb(node)
    ids = Counter(cell["id"] for cell in notebook["cells"])
    assert max(ids.values()) == 1, ids.most_common(3)
    found = _known(notebook)
    expected = _known(release)
    assert sorted(found) == sorted(expected)
    for name, cell in expected.items():
        mine = found[name]
        assert mine["metadata"] == cell["metadata"], name
        assert mine["cell_type"] == cell["cell_type"], name
        if not cell["metadata"]["nbgrader"]["solution"]:
            assert mine["source"] == cell["source"], name
    assert notebook["metadata"]["kernelspec"] == release["metadata"]["kernelspec"]


def _known(notebook: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        cell["metadata"]["nbgrader"]["grade_id"]: cell
        for cell in notebook["cells"]
        if "nbgrader" in cell["metadata"]
    }
