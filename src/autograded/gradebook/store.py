"""What grading found, kept by content hash, so that nothing is graded twice.

`classroom/results/<assignment>/<student>.json` is the result document of a submission, for people
and reports. Beside it, `.store/` holds whole records by key: whatever made the record (the
submission, the graders, the course's entry, the engine) is in the key, so a record is never stale.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograded import atomic
from autograded.errors import GradebookError, why


@dataclass(frozen=True)
class Record:
    """All that is to be written down about one submission.

    Attributes:
        result: the result document, without a student.
        notebook: the autograded notebook's text.
        scores: automatic score by grade id; None where a person has to grade.
        comments: automatic comment by grade id of solution cells.
        seconds: how long running the cells, and checking, took.
    """

    result: dict[str, Any]
    notebook: str
    scores: dict[str, float | None]
    comments: dict[str, str | None]
    seconds: dict[str, float]


class Store:
    """The results of one assignment in `classroom/results`."""

    def __init__(self, results: Path, assignment: str) -> None:
        self._documents = results / assignment
        self._records = results / ".store" / assignment
        try:
            self._documents.mkdir(parents=True, exist_ok=True)
            self._records.mkdir(parents=True, exist_ok=True)
            self._state = sqlite3.connect(self._records / "recorded.db", timeout=30)
            self._state.execute("PRAGMA journal_mode = WAL")
            self._state.execute(
                "CREATE TABLE IF NOT EXISTS recorded (student TEXT PRIMARY KEY, key TEXT NOT NULL)"
            )
            self._state.commit()
        except (OSError, sqlite3.Error) as error:
            raise GradebookError(f"{results} cannot be written: {why(error)}.") from error

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._state.close()

    def sweep(self) -> None:
        """Remove what a run that was killed left half-written; no other may be at work."""
        for folder in (self._documents, self._records):
            atomic.sweep(folder)

    def get(self, key: str) -> Record | None:
        """The record with this key; None when there is none, or it is damaged."""
        try:
            return Record(**json.loads(zlib.decompress(self._path(key).read_bytes())))
        except (OSError, ValueError, TypeError, zlib.error):
            return None

    def put(self, key: str, record: Record) -> None:
        """Keep a record; it is there whole or not at all."""
        text = json.dumps(asdict(record), ensure_ascii=False)
        self._write(self._path(key), zlib.compress(text.encode(), 1))

    def document(self, student: str, result: dict[str, Any]) -> None:
        """Write the result document of a student, with the student's id in it."""
        text = json.dumps({**result, "student": student}, indent=1, ensure_ascii=False) + "\n"
        self._write(self._documents / f"{student}.json", text.encode())

    def document_of(self, student: str) -> dict[str, Any]:
        """The result document of a student; empty when it is gone or damaged."""
        try:
            found = json.loads((self._documents / f"{student}.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def recorded(self) -> dict[str, str]:
        """For each student the key of the record that was last written to the gradebook."""
        return dict(self._state.execute("SELECT student, key FROM recorded"))

    def mark_recorded(self, keys: Iterable[tuple[str, str]]) -> None:
        """Remember what has been written to the gradebook, as (student, key)."""
        try:
            with self._state:
                self._state.executemany("INSERT OR REPLACE INTO recorded VALUES (?, ?)", keys)
        except sqlite3.Error as error:
            raise GradebookError(f"{self._records} cannot be written: {error}.") from error

    def _path(self, key: str) -> Path:
        return self._records / f"{key}.z"

    def _write(self, path: Path, content: bytes) -> None:
        try:
            atomic.write(path, content)
        except OSError as error:
            raise GradebookError(f"{path} cannot be written: {why(error)}.") from error
