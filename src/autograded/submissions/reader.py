"""Reads a file a student handed in as cells of code, as far as it can be read."""

from __future__ import annotations

import hashlib
import json
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograded.errors import AutogradedError
from autograded.i18n import _
from autograded.sandbox.program import CodeCell, Program
from autograded.submissions import percent

MAX_BYTES = 256 * 2**20


@dataclass(frozen=True)
class HandedIn:
    """A submission as read.

    Attributes:
        program: the code cells to run, in order.
        cell_indices: for each of them its index among the notebook's cells (for a `.py` file,
            among its percent cells).
        sha256: digest of the file's bytes.
        problem: why nothing could be read, in the current language, or None.
    """

    program: Program
    cell_indices: list[int] = field(default_factory=list)
    sha256: str = ""
    problem: str | None = None


def read(path: Path) -> HandedIn:
    """Read a `.ipynb` or `.py` file.

    A file whose content is not code is no error: it is work that earns nothing, and `problem` says
    why. Raises `AutogradedError` when there is no such file, or it is not a regular one.
    """
    try:
        mode = path.stat()
        if not stat.S_ISREG(mode.st_mode):
            raise AutogradedError(f"{path} is not a regular file; name a notebook or a .py file.")
        if mode.st_size > MAX_BYTES:
            size = mode.st_size // 2**20
            limit = MAX_BYTES // 2**20
            return _nothing(
                path,
                "",
                _("the file has {size} MiB; at most {limit} are read.").format(
                    size=size, limit=limit
                ),
            )
        content = path.read_bytes()
    except FileNotFoundError:
        raise AutogradedError(f"There is no file {path}.") from None
    except OSError as error:
        raise AutogradedError(f"{path} cannot be read: {error.strerror}.") from error
    return read_bytes(content, path)


def read_bytes(content: bytes, path: Path) -> HandedIn:
    """Read a submission's bytes; `path` gives its name and kind."""
    sha256 = hashlib.sha256(content).hexdigest()
    text = _decoded(content)
    if text is None:
        return _nothing(path, sha256, _("the file is not text."))
    if not text.strip():
        return _nothing(path, sha256, _("the file is empty."))
    if path.suffix == ".py" or not text.lstrip().startswith("{"):
        if path.suffix == ".ipynb":
            return _nothing(path, sha256, _("the file is not a notebook: it is not JSON."))
        cells = percent.split(text)
        indices = [i for i, cell in enumerate(cells) if cell.runs]
        return _handed_in(path.name, sha256, [cells[i].source for i in indices], indices)
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _nothing(
            path, sha256, _("the file is not a notebook: {error}.").format(error=str(error)[:200])
        )
    all_cells = notebook_cells(notebook)
    if all_cells is None:
        return _nothing(path, sha256, _("the file is JSON, but not a notebook."))
    return read_cells(all_cells, content, path.name)


def read_cells(cells: list[Any], content: bytes, filename: str) -> HandedIn:
    """Take a notebook's cells as a submission; `content` is the file, for the digest."""
    indices = [i for i, cell in enumerate(cells) if runs(cell)]
    return _handed_in(
        filename,
        hashlib.sha256(content).hexdigest(),
        [source_of(cells[i]) for i in indices],
        indices,
    )


def notebook_cells(notebook: Any) -> list[Any] | None:
    """The cells of a parsed notebook of format 3 or 4, or None when it is none."""
    if not isinstance(notebook, dict):
        return None
    cells = notebook.get("cells")
    if cells is None and isinstance(notebook.get("worksheets"), list):
        cells = [
            cell
            for sheet in notebook["worksheets"]
            if isinstance(sheet, dict)
            for cell in sheet.get("cells") or []
        ]
    return cells if isinstance(cells, list) else None


def runs(cell: Any) -> bool:
    """Whether grading runs a notebook's cell: code, and neither a figure nor a check."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return False
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    tags = metadata.get("tags")
    if isinstance(tags, list) and "figure" in tags:
        return False
    graded = metadata.get("nbgrader")
    if isinstance(graded, dict) and graded.get("grade") and not graded.get("solution"):
        return False
    source = source_of(cell)
    return bool(source.strip()) and not percent.only_checks(source)


def source_of(cell: Any) -> str:
    """The source of a cell, whichever way the format spells it."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        return "".join(str(line) for line in source)
    return str(source)


def _handed_in(filename: str, sha256: str, sources: list[str], indices: list[int]) -> HandedIn:
    cells = tuple(
        CodeCell(source, f"cell {index + 1}")
        for source, index in zip(sources, indices, strict=True)
    )
    return HandedIn(Program(cells, filename), indices, sha256)


def _nothing(path: Path, sha256: str, problem: str) -> HandedIn:
    return HandedIn(Program((), path.name), [], sha256, problem)


def _decoded(content: bytes) -> str | None:
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    encoding = "utf-16" if wide else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
