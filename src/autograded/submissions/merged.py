"""Takes apart cells in which code and the course's text were merged, so that neither runs."""

from __future__ import annotations

from collections.abc import Iterator

from autograded.i18n import _
from autograded.submissions import code, prose
from autograded.submissions.apart import apart
from autograded.submissions.documents import Cell
from autograded.submissions.plan import Plan
from autograded.submissions.work import Work

_MOST = 300
"""Cells that one may have been; more are no merged cell, but cost much."""

_LONG = 20
"""Characters of a line of text that nobody else writes."""


def take_apart(work: Work) -> None:
    """Cut merged cells at the course's own; the student's code between them is code again."""
    cells: list[Cell] = []
    names: list[str] = []
    for cell in work.document.cells:
        parts = _parts(cell, work)
        cells += parts or [cell]
        for part in parts or ():
            names += [*part.names, *_defined(part.source, work.plan)]
    work.document.cells = cells
    if names:
        # The answer to a question among them was in the same cell.
        work.told |= {*names, *(name.removesuffix("-task") for name in names)}
        work.note(
            "merged-cells",
            _("Code and text had been merged into one cell; they are apart again: {cells}."),
            names,
        )


def _parts(cell: Cell, work: Work) -> list[Cell] | None:
    """The cells that were merged into one; None when it is none of that kind."""
    plan = work.plan
    if cell.source.strip() in plan.by_text or not _defined(cell.source, plan):
        return None
    if cell.type == "code" and code.parsed(cell.source) is not None:
        return None
    if not any(len(line) > _LONG and line in plan.text_lines for line in cell.source.split("\n")):
        return None
    made: list[Cell] = []
    for part in apart(cell.source, plan.by_text):
        if part.is_released:
            slot = plan.by_text[part.text.strip()]
            made.append(
                Cell("code" if slot.type == "code" else "markdown", part.text, (slot.name,))
            )
        else:
            made += _own(part.text, plan)
    if len(made) > _MOST:
        return None
    found = {name for one in made if one.type == "code" for name in _defined(one.source, plan)}
    if cell.type != "code":
        found -= _written(work, cell)
    return made if found else None


def _own(text: str, plan: Plan) -> Iterator[Cell]:
    """What stands between the course's cells: the student's code, and text that was changed."""
    if code.parsed(text) is None:
        # Code inside of a function is indented, so that no line of it is taken for the course's.
        text = "\n".join(line for line in text.split("\n") if line.rstrip() not in plan.text_lines)
    for piece in [text] if code.parsed(text) is not None else code.pieces(text, plan.functions):
        if piece.strip():
            is_code = prose.is_code(piece) or _defined(piece, plan)
            yield Cell("code" if is_code else "markdown", piece.strip("\n"))


def _defined(source: str, plan: Plan) -> list[str]:
    """The assignment's functions that some code defines."""
    found = code.definitions(source, plan.functions)
    return [definition.name for definition in found if definition.kind == "function"]


def _written(work: Work, cell: Cell) -> set[str]:
    """The functions that code cells other than one define."""
    return {
        found.name
        for other in work.document.cells
        if other.type == "code" and other is not cell and code.parsed(other.source) is not None
        for found in code.definitions(other.source, work.plan.functions)
        if not work.plan.is_stub(found)
    }
