"""Puts the course's own cells back: their content, their presence, their place."""

from __future__ import annotations

from autograded.i18n import _
from autograded.submissions import code
from autograded.submissions.documents import Cell
from autograded.submissions.matching import Piece
from autograded.submissions.plan import Slot
from autograded.submissions.work import Work


def restore_locked(work: Work) -> None:
    """Give locked cells their released content; keep what students added to them."""
    changed, kept, twice = [], [], []
    for slot in work.plan.required:
        mine = [piece for piece in work.pieces if piece.slot is slot]
        if not slot.locked or not mine:
            continue
        right = [piece for piece in mine if _is_same(piece.cell.source, slot)]
        chosen = (right or mine)[-1]
        if chosen.cell.type != slot.type:
            work.retyped.append(slot.name)
        # A program of one's own may well begin with lines of the course's.
        is_part = not work.document.is_notebook and _is_part(chosen.cell.source, slot)
        if not right and not is_part:
            changed.append(slot.name)
        if len(mine) > 1:
            twice.append(slot.name)
        for piece in mine:
            rest = _rest(piece, slot)
            if rest and slot.type == "code":
                kept.append(slot.name)
            if piece is chosen:
                chosen.settled = True
                if rest:
                    work.pieces.insert(
                        work.pieces.index(piece) + 1, Piece(_own(slot, rest), made=True)
                    )
            elif rest:
                piece.slot, piece.cell, piece.made = None, _own(slot, rest), True
            else:
                work.pieces.remove(piece)
    if changed:
        work.note(
            "locked-changed",
            _("Cells of the course had been changed; they are as released again: {cells}."),
            changed,
        )
    if kept:
        work.note(
            "locked-additions",
            _("What was added to cells of the course stands below them: {cells}."),
            kept,
        )
    if twice:
        work.note(
            "duplicate-locked",
            _("Cells of the course stood there more than once: {cells}."),
            twice,
        )


def put_back_missing(work: Work) -> None:
    """Insert the required cells that nobody claimed, as released.

    Work of which the file was cut off is not work that was not done: its cells say so.
    """
    there = {piece.slot.name for piece in work.pieces if piece.slot is not None}
    missing = [slot for slot in work.plan.required if slot.name not in there]
    cut_off = any(repair.id == "damaged" for repair in work.repairs)
    questions = {f"{slot.name}-task" for slot in work.plan.required if slot.role == "answer"}
    last = max((piece.slot.index for piece in work.pieces if piece.slot is not None), default=-1)
    for slot in missing:
        piece = Piece(Cell("code", ""), slot, settled=True, made=True)
        piece.restored = slot.locked or not cut_off or slot.index < last
        if not piece.restored:
            piece.cell.source = _lost(slot)
        # Below a question that was not there no cell is its answer.
        work.insert(piece, slot, below_own=slot.name in questions)
    if missing and work.document.is_notebook:
        work.note(
            "missing-cells",
            _("Cells were missing; they are put back as released: {cells}."),
            (slot.name for slot in missing),
        )


def _lost(slot: Slot) -> str:
    """What stands in the place of the student's work that is missing from a damaged file."""
    sentence = _("This cell was lost: the file is damaged or cut off. Hand it in again.")
    if slot.role == "answer":
        return f"*{sentence}*"
    return f"raise RuntimeError({sentence!r})\n\n\n{slot.source}"


def move_shared_up(work: Work) -> None:
    """Shared code must stand before the exercises it was written for."""
    moved = []
    for slot in work.plan.required:
        if slot.role != "shared":
            continue
        place = next(i for i, p in enumerate(work.pieces) if p.slot is slot)
        late = next(
            (
                i
                for i, p in enumerate(work.pieces[:place])
                if p.slot is not None and p.slot.role == "solution" and p.slot.index > slot.index
            ),
            None,
        )
        if late is None:
            continue
        while late > 0 and work.pieces[late - 1].slot is None:
            late -= 1
        piece = work.pieces.pop(place)
        work.pieces.insert(late, piece)
        if not piece.restored:
            moved.append(slot.name)
    if moved:
        work.note(
            "moved-cells",
            _("Code of the course stood below exercises that need it; it is moved up: {cells}."),
            moved,
        )


def _is_same(source: str, slot: Slot) -> bool:
    """Whether a copy of a locked cell says what the released one says, layout apart."""
    if source.split() == slot.source.split():
        return True
    return slot.type == "code" and code.is_same(source, slot.source)


def _is_part(source: str, slot: Slot) -> bool:
    """Whether all the lines of some code are a locked cell's."""
    return slot.type == "code" and set(source.split("\n")) <= set(slot.source.split("\n"))


def _rest(piece: Piece, slot: Slot) -> str:
    """What a changed copy of a locked cell holds that is the student's own."""
    source = piece.cell.source
    if _is_same(source, slot):
        return ""
    if slot.type != "code":
        return source
    return code.additions(source, slot.source)


def _own(slot: Slot, source: str) -> Cell:
    return Cell("code" if slot.type == "code" else "markdown", source)
