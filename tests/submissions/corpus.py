"""Makes tests/corpus/broken/: right work, in the state in which tools and students leave it.

    cd tests && python -m submissions.corpus          writes the folders
    cd tests && python -m submissions.corpus --check  fails when they are not what this makes

Every case is a folder with the file (or files, below `handed_in/`) and `expected.json`: the
score, the ids of the repairs, and for a file that cannot be read a part of the reason.
"""

from __future__ import annotations

import copy
import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from autograded.authoring.source import Source
from autograded.course import Course
from autograded.submissions.release import release_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "corpus" / "broken"

Notebook = dict[str, Any]
Files = dict[str, bytes]


@dataclass(frozen=True)
class Case:
    """One case: its name, the row of threats.md it stands for, and what must come of it."""

    name: str
    row: int
    assignment: str
    repairs: tuple[str, ...]
    score: float
    problem: str | None
    make: Callable[[Notebook], Notebook | bytes | Files]

    def files(self) -> Files:
        """The files of the case, by name."""
        made = self.make(solved(self.assignment))
        if isinstance(made, dict) and "cells" not in made and "worksheets" not in made:
            return made
        content = made if isinstance(made, bytes) else text(made).encode()
        return {f"{self.assignment}.ipynb": content}

    def expected(self) -> dict[str, Any]:
        """The content of expected.json."""
        return {
            "assignment": self.assignment,
            "row": self.row,
            "score": self.score,
            "repairs": sorted(self.repairs),
            "problem": self.problem,
        }


CASES: list[Case] = []
_FULL = 10.0


def case(
    row: int,
    *repairs: str,
    assignment: str = "training_loop",
    score: float = _FULL,
    problem: str | None = None,
) -> Callable[[Callable[[Notebook], Any]], Callable[[Notebook], Any]]:
    """Register a case under the function's name."""

    def register(make: Callable[[Notebook], Any]) -> Callable[[Notebook], Any]:
        name = make.__name__.replace("_", "-")
        CASES.append(Case(name, row, assignment, repairs, score, problem, make))
        return make

    return register


@cache
def _course() -> Course:
    return Course.load(ROOT / "course.yml")


@cache
def _solved(assignment: str) -> str:
    course = _course()
    notebook = copy.deepcopy(release_of(course, assignment))
    source = Source.load(course, assignment)
    solutions = {cell.key: cell.text for cell in source.cells if cell.kind == "exercise"}
    for cell in notebook["cells"]:
        if cell["id"] in solutions:
            cell["source"] = without_markers(solutions[cell["id"]])
        elif cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = "It adds, so that micro-batches can share one gradient."
    return json.dumps(notebook)


def without_markers(code: str) -> str:
    """A solution as a student would have written it."""
    lines, instead = [], False
    for line in code.split("\n"):
        mark = line.strip()
        if mark == "### INSTEAD":
            instead = True
        elif mark == "### END SOLUTION":
            instead = False
        elif mark != "### BEGIN SOLUTION" and not instead:
            lines.append(line)
    return "\n".join(lines)


def solved(assignment: str) -> Notebook:
    """The released notebook with everything solved."""
    notebook: Notebook = json.loads(_solved(assignment))
    return notebook


def text(notebook: Notebook) -> str:
    """A notebook as a file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def cell_of(notebook: Notebook, cell_id: str) -> dict[str, Any]:
    """A cell by its id."""
    return next(cell for cell in notebook["cells"] if cell.get("id") == cell_id)


def place_of(notebook: Notebook, cell_id: str) -> int:
    """The index of a cell."""
    return notebook["cells"].index(cell_of(notebook, cell_id))


def code_cell(source: str, cell_id: str = "own", **metadata: Any) -> dict[str, Any]:
    """A code cell as Jupyter writes it."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": metadata,
        "outputs": [],
        "source": source,
    }


def stub_of(assignment: str, exercise: str) -> str:
    """An exercise as it was handed out."""
    cells = release_of(_course(), assignment)["cells"]
    return str(next(cell["source"] for cell in cells if cell["id"] == exercise))


def as_colabs_python(notebook: Notebook, name: str) -> str:
    """A notebook as Colab's *Download .py* writes it."""
    parts = [
        f'# -*- coding: utf-8 -*-\n"""{name}.ipynb\n\nAutomatically generated by Colab.\n\n'
        'Original file is located at\n    https://colab.research.google.com/drive/1abc\n"""\n'
    ]
    said = "# Commented out IPython magic to ensure Python compatibility.\n"
    for cell in notebook["cells"]:
        source = cell["source"]
        if cell["cell_type"] != "code":
            closing = '\n"""' if "\n" in source else '"""'
            source = f'"""{source}{closing}'
        elif source.startswith("%%"):
            source = said + re.sub("^", "# ", source, flags=re.MULTILINE)
        else:
            source = re.sub(r"^%", f"{said}# %", source, flags=re.MULTILINE)
            source = re.sub(r"^!", "# !", source, flags=re.MULTILINE)
        parts.append(f"{source}\n")
    return "\n".join(parts)


def as_nbconverts_script(notebook: Notebook) -> str:
    """A notebook as `jupyter nbconvert --to script` writes it."""
    parts = ["#!/usr/bin/env python\n# coding: utf-8\n"]
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            parts.append(f"# In[{number}]:\n\n\n{cell['source']}\n\n")
        else:
            parts.append("\n".join(f"# {line}" for line in cell["source"].split("\n")) + "\n")
    return "\n".join(parts)


def write(folder: Path) -> None:
    """Write all cases into a folder that is theirs alone."""
    if folder.exists():
        shutil.rmtree(folder)
    for one in CASES:
        for path, content in contents(one):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def contents(one: Case) -> list[tuple[Path, bytes]]:
    """The files of a case with their paths below the corpus."""
    files = one.files()
    made = [(Path(one.name) / "handed_in" / name, content) for name, content in files.items()]
    expected = json.dumps(one.expected(), indent=2) + "\n"
    return [*made, (Path(one.name) / "expected.json", expected.encode())]


def drifted(folder: Path) -> list[Path]:
    """The files of the corpus that are not what this module makes."""
    wanted = {path: content for one in CASES for path, content in contents(one)}
    there = {p.relative_to(folder) for p in folder.rglob("*") if p.is_file()}
    differing = [
        p for p, content in wanted.items() if p not in there or (folder / p).read_bytes() != content
    ]
    return sorted([*differing, *(there - wanted.keys())])


def main() -> None:
    """Write the corpus, or check it."""
    from submissions import corpus_cases  # noqa: F401 - registers the cases

    if "--check" in sys.argv:
        differing = drifted(FOLDER)
        for path in differing:
            print(f"drifted: {path}")
        sys.exit(1 if differing else 0)
    write(FOLDER)
    print(f"{len(CASES)} cases in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    # Cases register with the module under its own name, not with the one that runs as a script.
    from submissions.corpus import main as run

    run()
