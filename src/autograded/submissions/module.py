"""A learner's own `.py` file, run in this process, so that a debugger works in it."""

from __future__ import annotations

import linecache
import sys
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograded.submissions import percent


class LearnerModule:
    """The functions of a py:percent file. A cell that fails costs only what depends on it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.module = types.ModuleType(path.stem)
        self.module.__file__ = str(path)
        self.errors: list[str] = []
        self._run(path.read_text(encoding="utf-8-sig"))

    def _run(self, text: str) -> None:
        filename = str(self.path)
        linecache.checkcache(filename)
        # Dataclasses and pickling look a class's module up by name.
        sys.modules[self.path.stem] = self.module
        for cell in percent.split(text):
            if not cell.runs:
                continue
            # Empty lines before the cell keep line numbers those of the file.
            source = "\n" * (cell.line - 1) + cell.source + "\n"
            try:
                exec(compile(source, filename, "exec"), self.module.__dict__)
            except SyntaxError as error:
                self.errors.append(f"{self.path.name}:{error.lineno}: SyntaxError: {error.msg}")
            except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a cell raises
                self.errors.append(_located(self.path, error))

    def find(self, function: str) -> Callable[..., Any]:
        """Return a function by name; `LookupError` says what is missing, and why if known."""
        value = self.module.__dict__.get(function)
        if callable(value):
            return value  # type: ignore[no-any-return]
        raise LookupError("; ".join(self.errors))


def _located(path: Path, error: BaseException) -> str:
    line = next(
        (
            frame.lineno
            for frame in reversed(traceback.extract_tb(error.__traceback__))
            if frame.filename == str(path)
        ),
        None,
    )
    place = f"{path.name}:{line}" if line else path.name
    return f"{place}: {type(error).__name__}: {error}"
