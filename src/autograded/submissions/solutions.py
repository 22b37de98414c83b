"""Decides which of a student's cells is whose: functions by what defines them."""

from __future__ import annotations

import ast

from autograded.i18n import _
from autograded.submissions import code
from autograded.submissions.documents import Cell
from autograded.submissions.matching import Piece
from autograded.submissions.plan import Slot
from autograded.submissions.work import Work


def settle_solutions(work: Work) -> None:
    """Give every function's cell id to the cell that defines it; let no stub undo its work."""
    _retype(work)
    taken: set[int] = set()
    twice, elsewhere = [], []
    for slot in work.plan.required:
        if slot.role != "solution":
            continue
        holders = [piece for piece in work.pieces if piece.slot is slot]
        written = work.written(slot.name)
        owner = _owner(work, slot, holders, written, taken)
        if len(holders) > 1:
            twice.append(slot.name)
        if written and owner not in holders:
            # A cell that had lost its own id is no other cell.
            another = owner is None or owner.cell.grade_id in work.plan.by_name
            if holders or another:
                elsewhere.append(slot.name)
        for piece in holders:
            if piece is not owner:
                piece.slot = None
        if owner is None and written:
            # The cell that defines it is another function's: say so where it is looked for.
            name = written[-1].slot.name if written[-1].slot else ""
            owner = Piece(Cell("code", _pointer(slot.name, name)), made=True)
            work.insert(owner, slot)
        if owner is not None:
            owner.slot, owner.settled = slot, True
            taken.add(id(owner))
    undone = set(_set_stubs_aside(work)) - {*twice, *elsewhere}
    _keep_names(work)
    work.told |= {*twice, *elsewhere}
    if twice:
        work.note(
            "duplicate-cells",
            _("There were copies; the last that defines the function counts: {cells}."),
            twice,
        )
    if undone:
        work.note(
            "stub-below",
            _("The stub of a function stood below it; the function counts: {cells}."),
            sorted(undone),
        )
    if elsewhere:
        work.note(
            "code-elsewhere",
            _("The function stood in another cell than its own, and counts there: {cells}."),
            elsewhere,
        )


def _retype(work: Work) -> None:
    """Make code again of the student's code whose cell had become text."""
    changed = True
    while changed:  # code that is code again may need more of it
        changed = False
        for piece in work.pieces:
            cell, slot = piece.cell, piece.slot
            if cell.type == "code" or (slot is not None and slot.role != "solution"):
                continue
            if slot is not None and code.definitions(cell.source, [slot.name]):
                name: str | None = slot.name
            else:
                name = _lost_function(work, cell)
            if name:
                cell.type = "code"
                work.retyped.append(name)
                changed = True


def _lost_function(work: Work, cell: Cell) -> str | None:
    """A function or class that a text cell defines, no code cell does, and something needs.

    Nobody writes a text of nothing but imports: that was code, too.
    """
    tree = code.parsed(cell.source)
    if tree is None:
        return None
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    if imports and len(imports) == len(tree.body):
        return imports[0].names[0].name
    for found in code.definitions(cell.source, work.plan.functions):
        if not work.plan.is_stub(found) and not work.written(found.name):
            return found.name
    sources = [piece.cell.source for piece in work.pieces if piece.cell.type == "code"]
    there = set().union(*(set().union(*code.functions_and_classes(one)) for one in sources))
    for name in set().union(*code.functions_and_classes(cell.source)) - there:
        if name not in work.plan.functions and any(name in source for source in sources):
            return name
    return None


def _owner(
    work: Work, slot: Slot, holders: list[Piece], written: list[Piece], taken: set[int]
) -> Piece | None:
    """The cell that is to be a function's own: it defines it, and is not another's already."""
    free = [
        piece
        for piece in written
        if id(piece) not in taken and (piece.slot in (None, slot) or not _own_work(work, piece))
    ]
    runs = [piece for piece in free if code.parsed(piece.cell.source) is not None]
    for pool in (runs, free):
        mine = [piece for piece in pool if piece in holders]
        if pool:
            return (mine or pool)[-1]
    rest = [piece for piece in holders if piece.cell.source.strip()] or holders
    if written:
        # What is left of its own cell, unless that is but the stub.
        rest = [p for p in rest if not code.definitions(p.cell.source, [slot.name])]
        return rest[-1] if rest else None
    if rest:
        stubs = [p for p in rest if code.definitions(p.cell.source, [slot.name])]
        return (stubs or rest)[-1]
    return next(
        (
            piece
            for piece in work.pieces
            if piece.slot is None
            and piece.cell.type == "code"
            and code.definitions(piece.cell.source, [slot.name])
        ),
        None,
    )


def _own_work(work: Work, piece: Piece) -> bool:
    """Whether a solution cell defines the function it is meant for."""
    return piece.slot is not None and piece in work.written(piece.slot.name)


def _set_stubs_aside(work: Work) -> list[str]:
    """Take out stubs of functions that the student has written; return whose would undo them."""
    undone = []
    for name in work.plan.functions:
        written = work.written(name)
        if not written:
            continue
        last = [piece for piece in written if code.parsed(piece.cell.source)] or written
        end = (work.pieces.index(last[-1]), work.definitions(last[-1], name)[-1].first)
        for place, piece in enumerate(list(work.pieces)):
            if piece.cell.type != "code" or (piece.slot is not None and piece.slot.locked):
                continue
            stubs = [
                found
                for found in code.definitions(piece.cell.source, [name])
                # Under a condition it does no harm above the function, and may have to be there.
                if work.plan.is_stub(found) and (not found.nested or (place, found.first) > end)
            ]
            if not stubs:
                continue
            if any((place, stub.first) > end for stub in stubs):
                undone.append(name)
            piece.cell.source = code.without(piece.cell.source, stubs)
            if not piece.cell.source.strip():
                if piece.slot is None:
                    work.pieces.remove(piece)
                else:
                    piece.cell.source = _pointer(piece.slot.name, "")
    return undone


def _keep_names(work: Work) -> None:
    """Define a function again at the end when its name was used for something else later on.

    `loss_curve = loss_curve(model)` in a cell for trying things out must not cost the exercise.
    What reading cannot tell, such as what a call returns, is decided when the notebook is run.
    """
    reused = []
    for name in work.plan.functions:
        found = [
            (piece, definition)
            for piece in work.pieces
            for definition in work.definitions(piece, name)
            if code.parsed(piece.cell.source) is not None
        ]
        functions = [pair for pair in found if pair[1].kind == "function"]
        surely_run = [pair for pair in functions if not pair[1].nested]
        if not functions:
            continue
        chosen = (surely_run or functions)[-1]
        later = found[found.index(chosen) + 1 :] if surely_run else found
        if all(definition.kind == "function" for _piece, definition in later):
            continue
        again = code.unless_callable(chosen[0].cell.source, chosen[1])
        if found[-1][0].cell.source == again:
            continue
        work.pieces.append(Piece(Cell("code", again), made=True))
        reused.append(name)
    if reused:
        work.note(
            "name-reused",
            _(
                "The name of a function was used for something else; "
                "unless that can be called, the function counts: {cells}."
            ),
            reused,
        )


def _pointer(function: str, cell: str) -> str:
    if cell:
        sentence = _("{function} is defined in the cell of {cell}.")
    else:
        sentence = _("{function} is defined in another cell.")
    return "# " + sentence.format(function=function, cell=cell)
