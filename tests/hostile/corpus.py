"""The corpus of attacks: what lies in tests/corpus/hostile, handed in and judged.

A case is a folder with the files a student would hand in and `expected.json`: `row` of the list of
threats, `attack` in words, `assignment`, `scores` by exercise (a number, or `{"at_most": number}`),
`flags` that must be there (alternatives with `|`), `outputs` that the cells must have printed (the
attack did run), `says` (must stand in the result), `never_says` (neither in the result nor in an
output), `never_in_result`, `special` files that git cannot keep, and `student`, an id that is part
of the attack.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from support import ROOT

CORPUS = ROOT / "tests" / "corpus" / "hostile"


@dataclass(frozen=True)
class Case:
    folder: Path
    expected: dict[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def work(self) -> Path:
        """The file that is graded."""
        assignment = self.expected["assignment"]
        (file,) = [p for p in self.folder.iterdir() if p.stem == assignment]
        return file

    def hand_in(self, folder: Path) -> None:
        """Put the files into a folder as they would be handed in."""
        shutil.copytree(self.folder, folder)
        (folder / "expected.json").unlink()
        for special in self.expected.get("special", ()):
            _make(folder / special["path"], special)


def _make(path: Path, special: dict[str, Any]) -> None:
    kind = special["kind"]
    if kind == "symlink":
        path.symlink_to(special["to"])
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)  # a full path could be too long
    elif kind == "device":
        with contextlib.suppress(PermissionError):
            os.mknod(path, 0o020666, os.makedev(1, 5))
    elif kind == "sparse":
        with path.open("wb") as file:
            file.truncate(special["size"])
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in special["members"].items():
                archive.writestr(name, text)
    else:
        path.write_text("hostile")


CASES = [
    Case(folder, json.loads((folder / "expected.json").read_text()))
    for folder in sorted(CORPUS.iterdir())
]


def case(name: str) -> Case:
    (found,) = [case for case in CASES if case.name == name]
    return found


def wrong_scores(case: Case, scores: dict[str, float | None]) -> list[str]:
    """Which scores, by exercise, are not as expected."""
    found = []
    for name, due in case.expected["scores"].items():
        got = scores.get(name)
        right = got is not None and (
            got <= due["at_most"] + 1e-9 if isinstance(due, dict) else got == pytest.approx(due)
        )
        if not right:
            found.append(f"{name} scores {got}, not {due}")
    return found


def faults(case: Case, result: dict[str, Any], outputs: str) -> list[str]:
    """What is not as expected of a result and of what the cells have printed and displayed."""
    expected = case.expected
    scores = {e["id"].partition(".")[2]: e["score"] for e in result["exercises"]}
    found = wrong_scores(case, scores)
    if result["score"] != pytest.approx(sum(scores.values())):
        found.append(f"the score is {result['score']}")
    kinds = {flag["kind"] for flag in result["flags"]}
    for wanted in expected.get("flags", ()):
        if not kinds & set(wanted.split("|")):
            found.append(f"no flag {wanted} among {sorted(kinds)}")
    told = json.dumps(result, ensure_ascii=False)
    found += [f"does not say {text!r}" for text in expected.get("says", ()) if text not in told]
    found += [
        f"did not print {text!r}" for text in expected.get("outputs", ()) if text not in outputs
    ]
    for text in expected.get("never_says", ()):
        if text in told or text in outputs:
            found.append(f"says {text!r}")
    texts = "\n".join(_strings(result))
    found += [f"says {text!r}" for text in expected.get("never_in_result", ()) if text in texts]
    if result["sandbox"] != "bubblewrap":
        found.append(f"was confined by {result['sandbox']}")
    return found


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def outputs_of(notebook: Path) -> str:
    """Everything the cells of a notebook have printed and displayed, as JSON and as text."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    texts = [text if isinstance(text, str) else "".join(text) for text in _texts(outputs)]
    return json.dumps(outputs) + "\n" + "\n".join(texts)


def _texts(outputs: list[dict[str, Any]]) -> list[Any]:
    texts: list[Any] = []
    for output in outputs:
        texts += [output.get("text", ""), *output.get("data", {}).values()]
        texts += [output.get("evalue", ""), *output.get("traceback", ())]
    return [text for text in texts if isinstance(text, str | list)]


def gradebook(course: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Grades and comments by student."""
    query = """
        select s.student_id, c.name, g.auto_score, g.manual_score, g.needs_manual_grade
        from grade g
        join base_cell c on c.id = g.cell_id
        join submitted_notebook n on n.id = g.notebook_id
        join submitted_assignment s on s.id = n.assignment_id
        order by 1, 2
    """
    rows: dict[str, list[tuple[Any, ...]]] = {}
    with sqlite3.connect(course / "classroom" / "gradebook.db") as database:
        for student, *rest in database.execute(query):
            rows.setdefault(student, []).append(tuple(rest))
    return rows
