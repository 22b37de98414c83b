"""The state of one repair, and what its steps share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from autograded.i18n import _
from autograded.submissions import code
from autograded.submissions.documents import Document, Repair, is_id
from autograded.submissions.matching import Piece
from autograded.submissions.plan import Plan, Slot, extra_cell

_NAMED = 6
"""Cells that a message names; more are counted."""


@dataclass
class Work:
    """One submission on its way to the repaired notebook.

    Attributes:
        plan: the release.
        document: the submission as read.
        pieces: its cells, and those put in, in order.
        repairs: what had to be done so far.
        retyped: names of cells whose type had to be changed back.
        told: names of cells of which it is said already why their metadata was not theirs.
    """

    plan: Plan
    document: Document
    pieces: list[Piece] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    retyped: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def note(self, repair_id: str, sentence: str, names: Iterable[str] = (), **parts: str) -> None:
        """Add a repair; `{cells}` in the sentence becomes the named cells."""
        listed = list(dict.fromkeys(names))
        if len(listed) > _NAMED:
            cells = _("{count} cells").format(count=len(listed))
        else:
            cells = ", ".join(listed)
        self.repairs.append(Repair(repair_id, sentence.format(cells=cells, **parts)))

    def insert(self, piece: Piece, slot: Slot, *, below_own: bool = False) -> None:
        """Put a piece after the nearest cell that comes before it in the release.

        With `below_own`, also after the student's own cells that follow that one.
        """
        places = {p.slot.index: i for i, p in enumerate(self.pieces) if p.slot is not None}
        before = [index for index in places if index < slot.index]
        place = places[max(before)] + 1 if before else 0
        while below_own and place < len(self.pieces) and self.pieces[place].slot is None:
            place += 1
        self.pieces.insert(place, piece)

    def definitions(self, piece: Piece, name: str) -> list[code.Definition]:
        """Where a student's code cell binds a function's name, stubs left out."""
        if piece.cell.type != "code" or (piece.slot is not None and piece.slot.locked):
            return []
        found = code.definitions(piece.cell.source, [name])
        return [definition for definition in found if not self.plan.is_stub(definition)]

    def is_function(self, definition: code.Definition) -> bool:
        """Whether a definition binds something that can be called, as far as reading tells."""
        if definition.kind != "unsure":
            return definition.kind == "function"
        functions, classes = self._own_names()
        return bool(
            definition.arguments & (functions | classes)
            or (definition.call is not None and definition.call in classes)
        )

    def _own_names(self) -> tuple[set[str], set[str]]:
        functions: set[str] = set()
        classes: set[str] = set()
        for piece in self.pieces:
            if piece.cell.type == "code":
                names = code.functions_and_classes(piece.cell.source)
                functions |= names[0]
                classes |= names[1]
        return functions, classes

    def written(self, name: str) -> list[Piece]:
        """The cells in which the student wrote a function.

        Those that surely bind something to call, or else those that may.
        """
        found = [
            (piece, [d for d in self.definitions(piece, name) if d.kind != "value"])
            for piece in self.pieces
        ]
        surely = [piece for piece, there in found if any(map(self.is_function, there))]
        return surely or [piece for piece, there in found if there]

    def cells(self) -> list[dict[str, Any]]:
        """The cells of the repaired notebook."""
        used = {p.slot.cell.get("id", p.slot.name) for p in self.pieces if p.slot is not None}
        made = []
        number = 0
        for piece in self.pieces:
            if piece.slot is not None:
                cell = piece.slot.fresh()
                if not piece.slot.locked and not piece.restored:
                    cell["source"] = piece.cell.source
                    if piece.slot.type != "code" and piece.cell.attachments is not None:
                        cell["attachments"] = piece.cell.attachments
            else:
                cell_id = piece.cell.names[0] if piece.cell.names else ""
                while not is_id(cell_id) or cell_id in used:
                    number += 1
                    cell_id = f"extra-{number}"
                used.add(cell_id)
                cell = extra_cell(
                    piece.cell.type, cell_id, piece.cell.source, piece.cell.attachments
                )
            made.append(cell)
        return made
