"""Turns the bytes of whatever was handed in into cells, as far as that can be done.

Knows every form a notebook arrives in (old and too-new formats, other tools' habits, damaged
files, Python files), but nothing of the assignment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal

from autograded.i18n import _
from autograded.submissions import code, conflicts, decoding, marimo, percent, scripts
from autograded.submissions.decoding import MAX_BYTES, decode_json

MAX_CELLS = 5_000
"""Cells of a notebook from which on it is not read."""

FORMAT = (4, 5)
"""The notebook format that is written."""

CellType = Literal["code", "markdown", "raw"]


@dataclass(frozen=True)
class Repair:
    """One thing that had to be done to a submission: its id, and a sentence for people."""

    id: str
    message: str


@dataclass
class Cell:
    """One cell of a submission.

    Attributes:
        type: code, markdown or raw.
        source: its text, with `\\n` line ends, valid as UTF-8.
        names: what its ids say it is, the most telling first.
        metadata: as it came.
        attachments: pictures of a Markdown cell.
        joined: whether its text now stands in the cell before it.
    """

    type: CellType
    source: str
    names: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    attachments: dict[str, Any] | None = None
    joined: bool = False

    @property
    def nbgrader(self) -> dict[str, Any]:
        """nbgrader's metadata of the cell, empty when it has none."""
        found = self.metadata.get("nbgrader")
        return found if isinstance(found, dict) else {}

    @property
    def grade_id(self) -> str | None:
        """nbgrader's id of the cell."""
        found = self.nbgrader.get("grade_id")
        return found if isinstance(found, str) else None


@dataclass
class Document:
    """A submission as read.

    Attributes:
        cells: in order.
        kernel: the name of the notebook's kernelspec, if it names one.
        is_notebook: False for a Python file.
        repairs: what reading it took.
        problem: why there are no cells, in the current language, or None.
    """

    cells: list[Cell] = field(default_factory=list)
    kernel: str | None = None
    is_notebook: bool = True
    repairs: list[Repair] = field(default_factory=list)
    problem: str | None = None


def read(
    content: bytes, filename: str, functions: Iterable[str], released: Iterable[str] = ()
) -> Document:
    """Read a file.

    Args:
        content: its bytes.
        filename: its name, whose suffix says what it claims to be.
        functions: the names that tell a program of this assignment from any other text.
        released: the cells of code that were handed out, by which a file without marks is cut.
    """
    if len(content) > MAX_BYTES:
        size, limit = len(content) // 2**20, MAX_BYTES // 2**20
        return Document(
            problem=_("The file has {size} MiB; at most {limit} are read.").format(
                size=size, limit=limit
            )
        )
    if not content.strip(b"\0 \t\r\n"):
        return Document(problem=_("The file is empty."))
    if content.startswith(b"PK\x03\x04"):
        return Document(problem=_("The file is a zip archive, not a notebook."))
    decoded = decoding.decoded(content)
    if decoded is None:
        return Document(problem=_("The file is not text."))
    text = decoded.text
    is_python = PurePath(filename).suffix.lower() == ".py"
    names = list(functions)
    if text.lstrip()[:1] in ("{", "[") or (conflicts.has_conflict(text) and not is_python):
        document = _read_json(text, names)
        if is_python and document.problem is None:
            document.repairs.append(
                Repair("file-kind", _("The file is named .py but is a notebook."))
            )
    else:
        document = _read_inside(text, names) or _read_python(text, names, list(released), is_python)
    if document.problem is None:
        document.repairs[:0] = _repairs(decoded)
    return document


def _repairs(decoded: decoding.Text) -> list[Repair]:
    """What it took to read a file's bytes as text."""
    repairs = []
    if decoded.encoding is not None:
        sentence = _("The file was encoded as {encoding} instead of UTF-8; it was converted.")
        repairs.append(Repair("encoding", sentence.format(encoding=decoded.encoding)))
    if decoded.lost:
        sentence = _(
            "The file is damaged: it holds bytes that are no text ({count}); the rest was read."
        )
        repairs.append(Repair("damaged", sentence.format(count=decoded.lost)))
    return repairs


# JSON: notebooks of every version


def _read_json(text: str, functions: list[str]) -> Document:
    if conflicts.has_conflict(text):
        return _read_conflict(text, functions)
    repairs = []
    try:
        data, end = decode_json(text.lstrip())
    except (ValueError, RecursionError) as error:
        cells = list(_complete_cells(text))
        if not cells:
            reason = str(error)[:200] or type(error).__name__
            sentence = _("The file is not a notebook: {error}.").format(error=reason)
            return Document(problem=sentence)
        data = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        sentence = _("The file is damaged or cut off; its first {count} cells were read.")
        repairs.append(Repair("damaged", sentence.format(count=len(cells))))
    else:
        if text.lstrip()[end:].strip():
            sentence = _("The file is damaged: what follows the notebook's end was left out.")
            repairs.append(Repair("damaged", sentence))
    document = _from_notebook(data)
    document.repairs = repairs + document.repairs
    return document


_LINE_OF_JSON = re.compile(r"^[ \t]*\{", re.MULTILINE)


def _read_inside(text: str, functions: list[str]) -> Document | None:
    """A notebook with something above it, such as a comment; None when there is none."""
    start = _LINE_OF_JSON.search(text)
    if start is None or '"cells"' not in text:
        return None
    document = _read_json(text[start.start() :], functions)
    if document.problem is not None:
        return None
    sentence = _("The file is damaged: what stands above the notebook was left out.")
    document.repairs.insert(0, Repair("damaged", sentence))
    return document


def _complete_cells(text: str) -> Iterator[Any]:
    """The cells of a broken file, up to the first that is not whole."""
    found = re.search(r'"cells"\s*:\s*\[', text)
    place = found.end() if found else len(text)
    while True:
        start = re.compile(r"[\s,]*(?=\{)").match(text, place)
        if start is None:
            return
        try:
            cell, place = decode_json(text, start.end())
        except (ValueError, RecursionError):
            return
        yield cell


def _read_conflict(text: str, functions: list[str]) -> Document:
    """Resolve a merge that git could not: to the side with more of the assignment's functions."""
    documents = [_read_json(side, functions) for side in conflicts.sides(text)]
    chosen = _fuller(documents, functions)
    if documents[chosen].problem is None:
        documents[chosen].repairs.append(_conflict_repair(chosen))
    return documents[chosen]


def _fuller(documents: list[Document], functions: list[str]) -> int:
    def amount(document: Document) -> tuple[bool, int]:
        found = {
            definition.name
            for cell in document.cells
            for definition in code.definitions(cell.source, functions)
            if not definition.empty and code.parsed(cell.source) is not None
        }
        return document.problem is None, len(found)

    return 1 if amount(documents[1]) > amount(documents[0]) else 0


def _conflict_repair(side: int) -> Repair:
    sentence = _("The file holds git's conflict markers; the {side} version was taken.")
    return Repair("merge-conflict", sentence.format(side=(_("first"), _("second"))[side]))


def _from_notebook(data: Any) -> Document:
    if isinstance(data, dict) and isinstance(data.get("content"), dict):
        data = data["content"]  # as Jupyter's own web interface delivers a notebook
    raw = _raw_cells(data)
    if raw is None:
        return Document(problem=_("The file is JSON, but not a notebook."))
    if len(raw) > MAX_CELLS:
        sentence = _("The notebook has {count} cells; at most {limit} are read.")
        return Document(problem=sentence.format(count=len(raw), limit=MAX_CELLS))
    metadata = data.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    name = kernel.get("name") if isinstance(kernel, dict) else None
    document = Document(kernel=name if isinstance(name, str) else None)
    version = data.get("nbformat"), data.get("nbformat_minor")
    if version != FORMAT:
        sentence = _("The notebook's format is {version}; it was converted to 4.5.")
        shown = ".".join("?" if part is None else str(part)[:10] for part in version)
        document.repairs.append(Repair("format", sentence.format(version=shown)))
    well_formed = isinstance(metadata, dict)
    seen: set[str] = set()
    ids_fit = True
    for one in raw:
        cell = _cell(one)
        if cell is None:
            well_formed = False
            continue
        well_formed = well_formed and is_well_formed(one)
        cell_id = one.get("id")
        ids_fit = ids_fit and is_id(cell_id) and cell_id not in seen
        seen.add(str(cell_id))
        document.cells.append(cell)
    if version == FORMAT and not well_formed:
        sentence = _("Parts that every notebook has were missing or of the wrong kind.")
        document.repairs.append(Repair("fields", sentence))
    if version == FORMAT and not ids_fit:
        sentence = _("Cell ids were missing, used twice or not valid; they were given anew.")
        document.repairs.append(Repair("cell-ids", sentence))
    return document


def _raw_cells(data: Any) -> list[Any] | None:
    if not isinstance(data, dict):
        return None
    cells = data.get("cells")
    sheets = data.get("worksheets")
    if cells is None and isinstance(sheets, list):
        cells = []
        for sheet in sheets:
            inner = sheet.get("cells") if isinstance(sheet, dict) else None
            cells += inner if isinstance(inner, list) else []
    return cells if isinstance(cells, list) else None


def is_id(value: Any) -> bool:
    """Whether nbformat takes a value for a cell id."""
    return isinstance(value, str) and re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", value) is not None


def is_well_formed(cell: dict[str, Any]) -> bool:
    """Whether a cell has the parts that nbformat 4 and nbgrader rely on."""
    if not isinstance(cell.get("metadata"), dict) or "source" not in cell:
        return False
    if "attachments" in cell and cell["attachments"] != attachments_of(cell):
        return False
    kind = cell.get("cell_type")
    if kind == "code":
        return isinstance(cell.get("outputs"), list) and "execution_count" in cell
    return kind in ("markdown", "raw")


_NAMES: tuple[Callable[[dict[str, Any], dict[str, Any]], Any], ...] = (
    lambda cell, metadata: cell.get("id"),
    # Colab, Kaggle and older editors keep the id in the metadata, Deepnote under its own name.
    lambda cell, metadata: metadata.get("id"),
    lambda cell, metadata: metadata.get("cell_id"),
    lambda cell, metadata: metadata.get("name"),
)


def _cell(raw: Any) -> Cell | None:
    if not isinstance(raw, dict):
        return None
    metadata = raw.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    source = text_of(raw.get("source", raw.get("input", "")))
    kind: CellType = "raw"
    if raw.get("cell_type") == "code":
        kind = "code"
    elif raw.get("cell_type") in ("markdown", "html"):
        kind = "markdown"
    elif raw.get("cell_type") == "heading":
        level = raw.get("level")
        kind, source = "markdown", f"{'#' * (level if isinstance(level, int) else 1)} {source}"
    return Cell(
        kind,
        source,
        names_of(raw, metadata),
        metadata,
        attachments_of(raw),
    )


def names_of(raw: dict[str, Any], metadata: dict[str, Any]) -> tuple[str, ...]:
    """What the ids of a cell say it is, the most telling first."""
    names = (name(raw, metadata) for name in _NAMES)
    return tuple(name for name in names if isinstance(name, str))


def attachments_of(cell: dict[str, Any]) -> dict[str, Any] | None:
    """A cell's pictures, by name and type, as far as nbformat takes them."""
    found = cell.get("attachments")
    if not isinstance(found, dict):
        return None
    return {
        name: {kind: data for kind, data in forms.items() if _is_text(data)}
        for name, forms in found.items()
        if isinstance(forms, dict)
    }


def _is_text(value: Any) -> bool:
    lines = value if isinstance(value, list) else [value]
    return all(isinstance(line, str) for line in lines)


def text_of(source: Any) -> str:
    """A cell's text, whichever way it is spelled, as UTF-8 can hold it."""
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str):
        return ""
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    text: str = source.encode("utf-8", "replace").decode("utf-8")
    return text


# Python files


def _read_python(text: str, functions: list[str], released: list[str], is_python: bool) -> Document:
    document = Document(is_notebook=False)
    if conflicts.has_conflict(text):
        documents = [
            _read_python(side, functions, released, is_python) for side in conflicts.sides(text)
        ]
        chosen = _fuller(documents, functions)
        if documents[chosen].problem is None:
            documents[chosen].repairs.append(_conflict_repair(chosen))
        return documents[chosen]
    text = text_of(text)
    unpacked = marimo.cells(text)
    if unpacked is not None:
        document.cells = [Cell("code", source) for source in unpacked]
    elif scripts.is_colab(text):
        document.cells = [Cell(*cell) for cell in scripts.colab(text, functions, released)]
    elif scripts.is_nbconvert(text):
        document.cells = [Cell(*cell) for cell in scripts.nbconvert(text)]
    elif percent.is_split(text):
        document.cells = [c for c in map(_percent_cell, percent.split(text)) if c is not None]
    else:
        document.cells = [Cell(*cell) for cell in scripts.plain(text, functions, released)]
    if len(document.cells) > MAX_CELLS:
        document.cells = [Cell("code", text)]
    if not is_python and not any(code.definitions(c.source, functions) for c in document.cells):
        return Document(problem=_("The file is not a notebook: it is not JSON."))
    sentence = _("A Python file was handed in; its cells were put into the notebook.")
    document.repairs.append(Repair("python-file", sentence))
    return document


_KEY = re.compile(r"\b(exercise|check|answer|task)=[\"']([\w-]+)[\"']")
_SUFFIXES = {"exercise": "", "answer": "", "check": "-check", "task": "-task"}


def _percent_cell(cell: percent.PercentCell) -> Cell | None:
    keys = tuple(name + _SUFFIXES[key] for key, name in _KEY.findall(cell.marker))
    source = cell.source.strip("\n")
    if "[markdown]" in cell.marker or "[md]" in cell.marker:
        lines = (re.sub(r"^# ?", "", line) for line in source.split("\n"))
        return Cell("markdown", "\n".join(lines), keys)
    if "[raw]" in cell.marker:
        return Cell("raw", source, keys)
    if percent.is_elsewhere(cell.marker) or not source.strip():
        return None  # figures and checks, commented out in the file; the release has them
    return Cell("code", source, keys)
