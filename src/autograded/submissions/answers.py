"""Finds written answers: in their own cells, or wherever else a student may have typed them."""

from __future__ import annotations

from difflib import get_close_matches

from autograded.i18n import _
from autograded.submissions import code, prose
from autograded.submissions.documents import Cell
from autograded.submissions.matching import Piece
from autograded.submissions.plan import Slot
from autograded.submissions.work import Work

_LONG = 20
"""Characters from which on a line that is like one of the course's counts as that."""

_WIDE = 400
"""Characters from which on a line is nobody's copy; likeness costs the square of them."""

_COMPARED = 60
"""Lines of a text that are compared."""

_MOST = 500
"""Cells, counted from the end, that are looked through."""

_ALIKE = 0.7
"""Share of such a line that has to be the same."""

_FEW_WORDS = 4
"""What text anywhere has to hold when the answer's own cell is gone: a name is no answer."""

_MANY_WORDS = 12
"""What it has to hold when the cell is there, empty: notes are no answer either."""


def settle_answers(work: Work) -> None:
    """Give every written answer's id to the cell that holds it."""
    twice = []
    for slot in work.plan.required:
        if slot.role != "answer":
            continue
        holders = [piece for piece in work.pieces if piece.slot is slot]
        changed = [p for p in holders if p.cell.source.strip() not in ("", slot.source.strip())]
        if not holders:
            continue
        owner = (changed or holders)[-1]
        if len(holders) > 1:
            twice.append(slot.name)
        for piece in holders:
            if piece is owner:
                continue
            piece.slot = None
            if piece not in changed:
                work.pieces.remove(piece)
        owner.settled = True
        if len(holders) > 1:
            work.told.add(slot.name)
        if owner.cell.type != slot.type:
            work.retyped.append(slot.name)
    if twice:
        work.note(
            "duplicate-answers",
            _("Several cells held an answer; the last that was written counts: {cells}."),
            twice,
        )
    _find_answers(work)


def _find_answers(work: Work) -> None:
    """Fill the cells of answers that are as released with what the student wrote elsewhere.

    A cell as released earns 0 without anybody looking at it; with any text in it, a person does.
    """
    moved, copied = [], []
    for slot in work.plan.required:
        owner = next((piece for piece in work.pieces if piece.slot is slot), None)
        if slot.role != "answer" or (owner is not None and not slot.is_released(owner.cell.source)):
            continue
        near = _near(work, slot, owner)
        aside = set(map(id, near))
        texts = [(piece, text) for piece in near if (text := _own_text(piece, work))]
        if texts:
            moved.append(slot.name)
            found = "\n\n".join(text for _piece, text in texts)
        else:
            was_deleted = owner is None and work.document.is_notebook
            least = _FEW_WORDS if was_deleted else _MANY_WORDS
            texts = [
                (piece, text)
                for piece in work.pieces[-_MOST:]
                if id(piece) not in aside
                and (text := _own_text(piece, work))
                and prose.amount(text) >= least
                and not (piece.slot is None and _is_program(piece))
            ]
            if not texts:
                continue
            copied.append(slot.name)
            doubt = _("This cell was empty. What follows stood elsewhere and may be the answer:")
            found = "\n\n".join((f"*{doubt}*", *(text for _piece, text in texts)))
        pictures = {
            name: forms
            for piece, _text in texts
            for name, forms in (piece.cell.attachments or {}).items()
        }
        if owner is None:
            owner = Piece(Cell("markdown", ""), slot, made=True)
            work.insert(owner, slot)
        owner.settled = True
        owner.cell.source = found
        owner.cell.attachments = {**(owner.cell.attachments or {}), **pictures} or None
        if slot.name in moved:
            for piece, _text in texts:
                if piece.slot is None and not _is_program(piece):
                    work.pieces.remove(piece)
    if moved:
        work.note(
            "answer-elsewhere",
            _("An answer stood outside of its cell; it was put there for a person: {cells}."),
            moved,
        )
    if copied:
        work.note(
            "answer-unclear",
            _(
                "The cell of an answer was empty; text from elsewhere that may be the answer "
                "was copied into it for a person to read: {cells}."
            ),
            copied,
        )


def _near(work: Work, slot: Slot, owner: Piece | None) -> list[Piece]:
    """The student's cells that follow the question, or the answer's own cell."""
    question = work.plan.by_name.get(f"{slot.name}-task")
    anchors = [p for p in work.pieces if p is owner or (p.slot is not None and p.slot is question)]
    found: list[Piece] = []
    for anchor in anchors:
        for piece in work.pieces[work.pieces.index(anchor) + 1 :]:
            if piece.slot is None:
                found += [piece] if piece not in found else []
            elif piece is not owner:
                break
    return found


def _own_text(piece: Piece, work: Work) -> str:
    """What a student wrote in a cell for people to read, without the course's own lines."""
    if piece.slot is not None and piece.slot.role not in ("prose", "check"):
        return ""
    text = piece.cell.source
    if piece.cell.type == "code":
        text = prose.written(text)
    elif prose.is_code(text):
        return ""
    like = sorted(line for line in work.plan.text_lines if len(line) > _LONG)
    own: list[str] = []
    for line in text.split("\n"):
        compared = _LONG < len(line) < _WIDE and len(own) < _COMPARED
        if line.strip() in work.plan.lines:
            continue
        if not (compared and get_close_matches(line.strip(), like, 1, _ALIKE)):
            own.append(line)
    text = "\n".join(own).strip()
    return text if prose.amount(text) else ""


def _is_program(piece: Piece) -> bool:
    """Whether a cell does something, so that it has to stay where it is."""
    tree = code.parsed(piece.cell.source) if piece.cell.type == "code" else None
    return tree is not None and not all(prose.is_text(node) for node in tree.body)
