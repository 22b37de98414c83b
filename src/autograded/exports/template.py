"""A CSV file somebody downloaded, to be given back with other values in a few of its cells.

Rows that do not change stay as they are, byte for byte; in a changed row every other cell keeps
its value.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from autograded.errors import AutogradedError, why

_DELIMITERS = ",;\t"
_MOST_BYTES = 256 * 2**20
_LONGEST_CELL = 2**30  # a worksheet may hold whole essays; csv's own limit is 128 KiB


class Template:
    """A downloaded table: `header`, `rows` below it, and `put` to change a cell.

    Attributes:
        path: where it came from.
        header: the names of its columns.
        rows: the cells of every other row; blank lines are rows without cells.
    """

    def __init__(self, path: Path) -> None:
        """Read a template.

        Raises:
            AutogradedError: it cannot be read, is not UTF-8, or has no header.
        """
        self.path = path
        content = _read(path)
        self._mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
        try:
            text = content[len(self._mark) :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise AutogradedError(
                f"{path} is not UTF-8 ({error.reason} at byte {error.start}): download it again as "
                "CSV, and do not save it with another program in between."
            ) from error
        self._delimiter = max(
            _DELIMITERS, key=lambda one: len(next(_records(text, one), ("", []))[1])
        )
        try:
            records = list(_records(text, self._delimiter))
        except csv.Error as error:
            raise AutogradedError(f"{path} is not a CSV file: {error}.") from error
        if not records or not any(records[0][1]):
            raise AutogradedError(f"{path} has no header: download it again.")
        self._raw = [raw for raw, _cells in records[1:]]
        self._head, self.header = records[0]
        self.rows = [cells for _raw, cells in records[1:]]
        self._changed: set[int] = set()

    def cell(self, row: int, column: int | None) -> str:
        """A cell's text without the space around it; empty where the row or column has none."""
        cells = self.rows[row]
        return cells[column].strip() if column is not None and column < len(cells) else ""

    def put(self, row: int, column: int, value: str) -> None:
        """Give a cell another value."""
        cells = self.rows[row]
        cells += [""] * (column + 1 - len(cells))
        if cells[column] != value:
            cells[column] = value
            self._changed.add(row)

    def content(self) -> bytes:
        """The whole file."""
        rows = (
            self._written(index) if index in self._changed else raw
            for index, raw in enumerate(self._raw)
        )
        return self._mark + "".join((self._head, *rows)).encode("utf-8")

    def _written(self, index: int) -> str:
        raw = self._raw[index]
        ending = re.search(r"(\r\n|\r|\n)?\Z", raw)
        # Some programs quote everything; a row among such looks like its neighbours.
        quoted = re.match(r'\s*"', raw) is not None and raw.count('"') >= 2 * len(self.rows[index])
        text = io.StringIO(newline="")
        csv.writer(
            text,
            delimiter=self._delimiter,
            lineterminator=ending[0] if ending else "",
            quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL,
        ).writerow(self.rows[index])
        return text.getvalue()


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise AutogradedError(f"{path} is too large to be a gradebook.")
        return path.read_bytes()
    except FileNotFoundError:
        raise AutogradedError(f"There is no template {path}.") from None
    except OSError as error:
        raise AutogradedError(f"{path} cannot be read: {why(error)}.") from error


def _records(text: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the text of each record as it stands, and its cells."""
    lines: list[str] = []

    def noted() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            lines.append(line)
            yield line

    before = csv.field_size_limit(_LONGEST_CELL)  # of the whole process
    try:
        for cells in csv.reader(noted(), delimiter=delimiter):
            yield "".join(lines), cells
            lines.clear()
    finally:
        csv.field_size_limit(before)


def to_number(text: str) -> float | None:
    """The number in a cell, with a decimal point or comma; None when it holds none."""
    match = re.fullmatch(r"-?\d+(?:[.,]\d+)?", text.strip())
    return float(match[0].replace(",", ".")) if match else None
