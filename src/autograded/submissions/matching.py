"""Finds a submission's cells again in the release: by id, by content, by likeness."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

from autograded.submissions import code
from autograded.submissions.documents import Cell
from autograded.submissions.plan import Plan, Slot

_ALIKE = 0.5
"""Share of matching lines from which on a cell counts as a changed copy of a released one."""

_COMPARED = 300
"""Lines of a cell that are compared; likeness costs the square of it."""

_MOST = 200
"""Cells that are compared."""


@dataclass(eq=False)
class Piece:
    """One cell on its way into the repaired notebook.

    Attributes:
        cell: as handed in.
        slot: the cell of the release it stands for, if any.
        settled: whether it is the one cell that stands for its slot.
        restored: whether its content comes from the release, not from the student.
        made: whether the cell was made here and not handed in.
    """

    cell: Cell
    slot: Slot | None = None
    settled: bool = False
    restored: bool = False
    made: bool = False


def match(cells: list[Cell], plan: Plan) -> list[Piece]:
    """Tie every cell to the cell of the release it stands for, where there is one.

    A text that is word for word a released one is believed first, and a call of check(); then
    nbgrader's id, then the cell's own. Several cells may stand for the same one: copies. For
    solutions all this only proposes; which cell is a function's own is decided by what it defines.
    """
    pieces = [Piece(cell) for cell in cells]
    _tie(pieces, lambda cell: plan.by_text.get(cell.source.strip()))
    calls = {
        _call(slot.source): slot for slot in plan.slots if slot.role == "check" and slot.source
    }
    _tie(pieces, lambda cell: calls.get(_call(cell.source)) if cell.type == "code" else None)
    _tie(pieces, lambda cell: plan.by_name.get(cell.grade_id or ""))
    _tie(pieces, lambda cell: plan.named(cell.names))
    _untie_misplaced(pieces, plan)
    _tie_answers(pieces, plan)
    _tie_alike(pieces, plan)
    return pieces


def _untie_misplaced(pieces: list[Piece], plan: Plan) -> None:
    """Let go of cells that carry an id but are something else altogether."""
    prose: set[str] = set()
    for piece in pieces:
        slot = piece.slot
        if slot is None:
            continue
        if slot.role == "prose":
            # Prose is the student's to change: copies of it, and code in its place, are theirs.
            if slot.name in prose or piece.cell.type != slot.type:
                piece.slot = None
            prose.add(slot.name)
        elif slot.locked and _is_another(piece.cell, slot, plan):
            piece.slot = None


def _is_another(cell: Cell, slot: Slot, plan: Plan) -> bool:
    """Whether a cell under a locked cell's id is the student's work, not a changed copy."""
    if slot.source.strip() in cell.source or code.parsed(cell.source) is None:
        return False
    if cell.type == "code" and slot.type != "code":
        return True
    if code.definitions(cell.source, plan.functions):
        return True
    common = set(_lines(cell.source)) & set(_lines(slot.source))
    return not common and any(code.functions_and_classes(cell.source))


def _tie(pieces: list[Piece], find: Callable[[Cell], Slot | None]) -> None:
    for piece in pieces:
        if piece.slot is None:
            piece.slot = find(piece.cell)


def _call(source: str) -> str | None:
    """A cell that only calls check(), without its layout."""
    found = re.fullmatch(r"\s*(?:#[^\n]*\n\s*)*check\(\s*[\"']([\w.]+)[\"']\s*\)\s*", source)
    return found[1] if found else None


def _tie_answers(pieces: list[Piece], plan: Plan) -> None:
    """An answer without its ids is the first own text after the question."""
    for slot in plan.slots:
        if slot.role != "answer" or any(piece.slot is slot for piece in pieces):
            continue
        question = plan.by_name.get(f"{slot.name}-task")
        for i, piece in enumerate(pieces):
            if question is None or piece.slot is not question:
                continue
            after = pieces[i + 1] if i + 1 < len(pieces) else None
            if after is not None and after.slot is None and after.cell.type != "code":
                after.slot = slot
            break


def _tie_alike(pieces: list[Piece], plan: Plan) -> None:
    """Changed copies of cells whose ids are gone: the best likeness first."""
    there = {piece.slot.name for piece in pieces if piece.slot is not None}
    open_slots = [s for s in plan.required if s.name not in there and s.role != "answer"]
    # A cell that defines one of the functions is settled by that, whatever it looks like.
    open_pieces = [
        piece
        for piece in pieces
        if piece.slot is None
        and piece.cell.source.strip()
        and not code.definitions(piece.cell.source, plan.functions)
    ]
    found = []
    for slot in open_slots:
        matcher = SequenceMatcher(None, [], _lines(slot.source), autojunk=False)
        for number, piece in enumerate(open_pieces[:_MOST]):
            if (piece.cell.type == "code") != (slot.type == "code"):
                continue
            matcher.set_seq1(_lines(piece.cell.source))
            if matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE:
                found.append((matcher.ratio(), -slot.index, -number, slot, piece))
    for ratio, _slot, _piece, slot, piece in sorted(found, key=lambda f: f[:3], reverse=True):
        if ratio >= _ALIKE and piece.slot is None and slot.name not in there:
            piece.slot = slot
            there.add(slot.name)


def _lines(source: str) -> list[str]:
    return [line.strip() for line in source.split("\n") if line.strip()][:_COMPARED]
