"""The released notebook as the measure of a submission: what belongs where, and what is missing."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from autograded.course import Assignment
from autograded.submissions import code
from autograded.submissions.documents import (
    FORMAT,
    attachments_of,
    is_id,
    is_well_formed,
    names_of,
    text_of,
)

Role = Literal["solution", "answer", "check", "figure", "shared", "task", "prose"]

SUBMISSION = "autograded_submission"
"""Key of a repaired notebook's metadata under which nbgrader's steps find what was handed in."""

_COMPARED = ("grade", "grade_id", "locked", "points", "schema_version", "solution", "task")


@dataclass(frozen=True)
class Slot:
    """One cell of the release. `name` is its grade id, else its cell id."""

    index: int
    name: str
    type: str
    source: str
    role: Role
    cell: dict[str, Any]

    @property
    def required(self) -> bool:
        """Whether nbgrader knows it, so that it must be there."""
        return self.role != "prose"

    @property
    def locked(self) -> bool:
        """Whether students are to leave it as it is."""
        return self.role in ("check", "figure", "shared", "task")

    def is_released(self, source: str) -> bool:
        """Whether a cell of the student's holds nothing but what was handed out."""
        return source.strip() in ("", self.source.strip())

    def fresh(self) -> dict[str, Any]:
        """A copy of the released cell, without outputs."""
        made = copy.deepcopy(self.cell)
        made["source"] = self.source
        made.setdefault("id", self.name)
        if self.type == "code":
            made.update(outputs=[], execution_count=None)
        return made

    def has_metadata(self, nbgrader: dict[str, Any]) -> bool:
        """Whether nbgrader's metadata of a cell is what the release gave it."""
        if nbgrader.keys() - {*_COMPARED, "checksum", "cell_type"}:
            return False
        mine = self.cell["metadata"]["nbgrader"]
        return all(
            nbgrader.get(key) == mine.get(key) and type(nbgrader.get(key)) is type(mine.get(key))
            for key in _COMPARED
            if key != "points"
        ) and nbgrader.get("points") == mine.get("points")


class Plan:
    """A release, read once for all the submissions it is compared with."""

    def __init__(self, release: dict[str, Any], assignment: Assignment) -> None:
        self.release = release
        self.assignment = assignment
        self.functions = [exercise.name for exercise in assignment.checked]
        self.slots = [self._slot(i, cell) for i, cell in enumerate(release["cells"])]
        self.by_name = {slot.name: slot for slot in self.slots}
        self.required = [slot for slot in self.slots if slot.required]
        self.programs = [slot.source for slot in self.slots if slot.type == "code"]
        self._taken_ids = {slot.cell.get("id", slot.name) for slot in self.required}
        kernel = release["metadata"].get("kernelspec") or {}
        self.kernel = kernel.get("name")
        self._stubs = {
            name: {d.body for d in code.definitions(slot.source, [name])}
            for name, slot in self.by_name.items()
            if slot.role == "solution"
        }
        counts = Counter(slot.source.strip() for slot in self.slots)
        self._code_words = re.compile("|".join(map(re.escape, ("def ", "class ", *self.functions))))
        self.lines = {
            line.strip() for slot in self.slots for line in slot.source.split("\n") if line.strip()
        }
        self.text_lines = {
            line.rstrip()
            for slot in self.slots
            if slot.type != "code"
            for line in slot.source.split("\n")
            if line.strip()
        }
        self.by_text = {
            text: slot for slot in self.slots if counts[text := slot.source.strip()] == 1
        }

    def _slot(self, index: int, cell: dict[str, Any]) -> Slot:
        known = cell["metadata"].get("nbgrader") or {}
        name = known.get("grade_id") or cell.get("id") or f"cell-{index + 1}"
        role: Role = "prose"
        if known.get("solution"):
            role = "answer" if known.get("grade") else "solution"
        elif known.get("grade"):
            role = "check"
        elif known and cell["cell_type"] != "code":
            role = "task"
        elif known:
            role = "figure" if "figure" in (cell["metadata"].get("tags") or []) else "shared"
        return Slot(index, name, cell["cell_type"], text_of(cell["source"]), role, cell)

    def notebook(self, cells: list[dict[str, Any]]) -> dict[str, Any]:
        """A notebook with these cells and the release's own metadata."""
        return {
            "cells": cells,
            "metadata": copy.deepcopy(self.release["metadata"]),
            "nbformat": FORMAT[0],
            "nbformat_minor": FORMAT[1],
        }

    def untouched(self) -> dict[str, Any]:
        """The release itself."""
        return self.notebook([slot.fresh() for slot in self.slots])

    def is_stub(self, definition: code.Definition) -> bool:
        """Whether a function is still the one that was handed out."""
        return definition.empty or (
            definition.body is not None and definition.body in self._stubs.get(definition.name, ())
        )

    def clean(self, notebook: Any) -> dict[str, Any] | None:
        """The notebook without outputs, when repair would leave its code as it is; else None.

        This is the way of nearly every submission, so it validates against no schema: it compares.
        """
        if not isinstance(notebook, dict):
            return None
        if (notebook.get("nbformat"), notebook.get("nbformat_minor")) != FORMAT:
            return None
        metadata, cells = notebook.get("metadata"), notebook.get("cells")
        if not isinstance(metadata, dict) or not isinstance(cells, list):
            return None
        kernel = metadata.get("kernelspec")
        if not isinstance(kernel, dict) or kernel.get("name") != self.kernel:
            return None
        made, seen = [], set()
        blank = own_text = False
        waiting = iter(self.required)
        for cell in cells:
            if not isinstance(cell, dict) or not is_well_formed(cell):
                return None
            cell_id = cell.get("id")
            if cell_id is None or not is_id(cell_id) or cell_id in seen:
                return None
            seen.add(cell_id)
            source = text_of(cell["source"])
            nbgrader = cell["metadata"].get("nbgrader")
            if nbgrader is None:
                if not self._is_apart(cell, source):
                    return None
                own_text = own_text or self._may_answer(cell["cell_type"], source)
                made.append(extra_cell(cell["cell_type"], cell_id, source, attachments_of(cell)))
                continue
            slot = next(waiting, None)
            if (
                slot is None
                or not isinstance(nbgrader, dict)
                or cell["cell_type"] != slot.type
                or not slot.has_metadata(nbgrader)
            ):
                return None
            if slot.locked:
                if source.rstrip() != slot.source.rstrip():
                    return None
                source = slot.source
            elif not self._is_in_place(source, slot):
                return None
            blank = blank or (slot.role == "answer" and slot.is_released(source))
            one = slot.fresh()
            one["source"] = source
            if slot.role == "answer" and slot.type != "code" and "attachments" in cell:
                one["attachments"] = cell["attachments"]
            made.append(one)
        if next(waiting, None) or (blank and own_text):
            return None
        return self.notebook(made)

    def _may_answer(self, cell_type: str, source: str) -> bool:
        """Whether a cell of the student's holds anything that may be a written answer."""
        if source.strip() in self.by_text:
            return False
        return cell_type != "code" or any(mark in source for mark in "#\"'")

    def _is_in_place(self, source: str, slot: Slot) -> bool:
        """Whether a student's cell is an answer, or defines its function once and no other."""
        if slot is not self.by_text.get(source.strip(), slot) or "<<<<<<<" in source:
            return False
        if slot.role != "solution":
            return True
        if code.parsed(source) is None:
            return False
        found = code.definitions(source, self.functions)
        if slot.name not in self.functions:
            return not found
        return len(found) == 1 and (
            (found[0].name, found[0].kind, found[0].nested) == (slot.name, "function", False)
        )

    def _is_apart(self, cell: dict[str, Any], source: str) -> bool:
        """Whether a cell without nbgrader's metadata has nothing to do with the course's cells."""
        # A course's cell is called as in the release, so nothing else may be.
        meant = self.by_text.get(source.strip()) or self.named(names_of(cell, cell["metadata"]))
        if cell["id"] in self._taken_ids or (meant and meant.required) or "<<<<<<<" in source:
            return False
        if cell["cell_type"] == "code":
            tree = code.parsed(source)
            return tree is not None and not code.definitions(source, self.functions)
        if meant and meant.source == source:
            return True
        if not self._code_words.search(source) or code.parsed(source) is None:
            return True
        return not code.definitions(source, self.functions) and not any(
            code.functions_and_classes(source)
        )

    def named(self, names: Iterable[str]) -> Slot | None:
        """The cell of the release that is first called by one of a cell's names."""
        return next((self.by_name[name] for name in names if name in self.by_name), None)


def extra_cell(
    cell_type: str, cell_id: str, source: str, attachments: dict[str, Any] | None
) -> dict[str, Any]:
    """A cell that is the student's alone, without metadata and outputs."""
    made: dict[str, Any] = {
        "cell_type": cell_type,
        "id": cell_id,
        "metadata": {},
        "source": source,
    }
    if cell_type == "code":
        made.update(outputs=[], execution_count=None)
    elif attachments is not None:
        made["attachments"] = attachments
    return made
