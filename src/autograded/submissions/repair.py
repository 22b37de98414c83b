"""Puts a submission right against the released notebook, and says what that took.

The student's own cells keep their order and their code; what belongs to the course is restored
around them. Nothing here runs code, and nothing raises for anything a student could hand in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from autograded.course import Assignment, Language
from autograded.i18n import _, use
from autograded.submissions import code, conflicts, documents
from autograded.submissions.answers import settle_answers
from autograded.submissions.decoding import MAX_BYTES, decode_json
from autograded.submissions.documents import Repair
from autograded.submissions.matching import match
from autograded.submissions.merged import take_apart
from autograded.submissions.plan import Plan
from autograded.submissions.restoring import move_shared_up, put_back_missing, restore_locked
from autograded.submissions.solutions import settle_solutions
from autograded.submissions.work import Work

__all__ = ["Repair", "Repaired", "repair"]

_PIECES = 3
"""Further pieces that one cell may have been cut in."""

_PASSES = 3
"""How often a repaired notebook is looked at again."""


@dataclass(frozen=True)
class Repaired:
    """A submission put right.

    Attributes:
        notebook: nbformat 4.5, without outputs; what belongs to the course is as released.
        repairs: what had to be done, empty for a notebook that was in order.
        problem: why the file could not be read at all; `notebook` is then the untouched release,
            and the work earns nothing.
        lacking: exercises of which nothing was there: no task, no code, no check.
    """

    notebook: dict[str, Any]
    repairs: list[Repair] = field(default_factory=list)
    problem: str | None = None
    lacking: tuple[str, ...] = ()


def repair(
    content: bytes,
    filename: str,
    release: dict[str, Any],
    assignment: Assignment,
    language: Language,
) -> Repaired:
    """Read a submission and put it right.

    Args:
        content: the bytes that were handed in.
        filename: the file's name; its suffix says what the file claims to be.
        release: the released notebook, nbformat 4.5 as plain data, not changed by the caller
            between calls.
        assignment: the assignment it belongs to.
        language: the language of the repairs' messages.
    """
    plan = _plan(release, assignment)
    with use(language):
        repaired = _once(content, filename, plan)
        # What is put right may uncover something else: a piece of a cell whose other piece was
        # hidden, say. Nothing is left to do when a notebook of ours comes back as it is.
        for _attempt in range(_PASSES):
            if repaired.problem is not None or not repaired.repairs:
                break
            again = _once(json.dumps(repaired.notebook).encode(), f"{assignment.id}.ipynb", plan)
            if not again.repairs:
                break
            more = [repair for repair in again.repairs if repair not in repaired.repairs]
            repaired = replace(repaired, notebook=again.notebook, repairs=repaired.repairs + more)
        return repaired


def _once(content: bytes, filename: str, plan: Plan) -> Repaired:
    is_python = filename.lower().endswith(".py")
    clean = None if is_python else plan.clean(_json(content))
    if clean is not None:
        return Repaired(clean)
    document = documents.read(content, filename, plan.functions, plan.programs)
    if document.problem is not None:
        return Repaired(plan.untouched(), problem=document.problem)
    work = Work(plan, document, repairs=list(document.repairs))
    _resolve_conflicts(work)
    _make_plain(work, plan.functions)
    take_apart(work)
    _join_split_cells(work)
    _make_plain(work)
    work.pieces = match(document.cells, plan)
    restore_locked(work)
    settle_solutions(work)
    settle_answers(work)
    _note_types(work)
    _note_metadata(work)
    _note_kernel(work)
    lacking = _lacking(work)
    put_back_missing(work)
    move_shared_up(work)
    return Repaired(plan.notebook(work.cells()), work.repairs, lacking=lacking)


def _lacking(work: Work) -> tuple[str, ...]:
    """The exercises of which nothing was handed in, not even their text."""
    there = {p.slot.name for p in work.pieces if p.slot is not None}
    return tuple(
        name
        for name in work.plan.functions
        if there.isdisjoint((name, f"{name}-task", f"{name}-check"))
    )


def _json(content: bytes) -> Any:
    """The data of a file that is plain JSON, None for any other."""
    if len(content) > MAX_BYTES or b"\0" in content:
        return None
    try:
        data, end = decode_json(text := content.decode("utf-8").lstrip(" \t\r\n"))
    except (ValueError, RecursionError):
        return None
    return None if text[end:].strip() else data


_latest: list[Plan] = []


def _plan(release: dict[str, Any], assignment: Assignment) -> Plan:
    """The plan of a release; that of the one used last is kept."""
    for plan in _latest:
        if plan.release is release and plan.assignment is assignment:
            return plan
    _latest[:] = [Plan(release, assignment)]
    return _latest[0]


def _resolve_conflicts(work: Work) -> None:
    """Git's markers inside a cell: take the side that is Python."""
    resolved = False
    for cell in work.document.cells:
        if conflicts.has_conflict(cell.source):
            first, second = conflicts.sides(cell.source)
            works = code.parsed(first) is None and code.parsed(second) is not None
            cell.source = second if works else first
            resolved = True
    if resolved:
        work.note(
            "merge-conflict",
            _("Cells hold git's conflict markers; of each conflict one version was taken."),
        )


def _make_plain(work: Work, names: list[str] | None = None) -> None:
    """Take away the indentation and the prompts that IPython does not mind.

    With `names`, only where one of them is defined: any other may be the rest of a cut cell.
    """
    for cell in work.document.cells:
        if cell.type == "code" and code.parsed(cell.source) is None:
            plain = code.plain(cell.source)
            if code.parsed(plain) and (names is None or code.definitions(plain, names)):
                cell.source = plain


def _join_split_cells(work: Work) -> None:
    """Join cells that an editor cut in pieces in the middle of a function."""
    cells = work.document.cells
    joined = False
    # A released cell is whole: what cannot run below it is no piece of it.
    whole_already = {"", *(slot.source.strip() for slot in work.plan.slots)}
    for place, cell in enumerate(cells):
        while cell.type == "code" and cell.source.strip() not in whole_already:
            following = [other for other in cells[place + 1 :] if other.source.strip()][:_PIECES]
            pieces = list(takewhile(lambda other: other.type == "code", following))
            whole = next(
                (
                    (text, pieces[:count])
                    for count in range(1, len(pieces) + 1)
                    if (text := code.joined(cell.source, [p.source for p in pieces[:count]]))
                ),
                None,
            )
            if whole is None:
                break
            cell.source = whole[0]
            joined = True
            for piece in whole[1]:
                piece.source = ""
                piece.joined = True
    work.document.cells = [cell for cell in cells if not cell.joined]
    if joined:
        work.note("split-cell", _("A cell that had been cut in pieces was joined again."))


def _note_types(work: Work) -> None:
    """Say which cells had changed their type."""
    if work.retyped:
        work.note(
            "cell-type",
            _("Cells had been turned from code into text or back; that is undone: {cells}."),
            work.retyped,
        )


def _note_metadata(work: Work) -> None:
    """Say whose metadata is put back; a Python file has none to begin with."""
    if not work.document.is_notebook:
        return
    lost = [
        piece.slot.name
        for piece in work.pieces
        if piece.slot is not None
        and piece.settled
        and not piece.slot.has_metadata(piece.cell.nbgrader)
        and not piece.made
        and piece.slot.name not in work.told
    ]
    unknown = [
        piece
        for piece in work.pieces
        if piece.slot is None
        and piece.cell.nbgrader
        and not piece.made
        and piece.cell.grade_id not in work.plan.by_name
    ]
    if lost:
        work.note(
            "metadata",
            _("nbgrader's metadata was missing or changed; it is put back: {cells}."),
            lost,
        )
    elif unknown:
        work.note(
            "metadata",
            _("Cells of the student's own had nbgrader's metadata; it is taken away."),
        )


def _note_kernel(work: Work) -> None:
    """Say that the kernelspec was another than the course's."""
    damaged = any(repair.id == "damaged" for repair in work.repairs)
    if work.document.is_notebook and not damaged and work.document.kernel != work.plan.kernel:
        work.note(
            "kernelspec",
            _("The notebook names the kernel {kernel} instead of {own}; that is put right."),
            kernel=str(work.document.kernel or _("(none)"))[:40],
            own=str(work.plan.kernel),
        )
