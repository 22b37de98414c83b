"""A course as nbgrader's users write it today: hidden tests in the notebook's own cells.

The same submissions and the same checks as ours, run by stock nbgrader with its own settings: the
text of our hidden checks stands in each grade cell, and a few lines call every check of it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from autograded.course import Course

_DRIVER = """
_tests = {name: value for name, value in dict(globals()).items() if name.startswith("test_")}
from autograded.grading.submission import LocalCaller, Submission as _Submission
for _name, _test in _tests.items():
    _arguments = {"submission": _Submission(LocalCaller(lambda name: globals()[name]))}
    if "rng" in _test.__code__.co_varnames[: _test.__code__.co_argcount]:
        _arguments["rng"] = torch.Generator().manual_seed(hash(_name) % 2**31)
    _test(**_arguments)
    del globals()[_name]
"""


def make(course: Course, assignment: str, notebooks: list[str], folder: Path) -> None:
    """Lay out a stock nbgrader course in `folder` with `notebooks` handed in."""
    (folder / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.root = '.'\n")
    scenarios = (course.exercises_folder(assignment) / "scenarios.py").read_text()
    source = folder / "source" / assignment
    source.mkdir(parents=True)
    (source / "stock_scenarios.py").write_text(scenarios)
    (source / f"{assignment}.ipynb").write_text(_with_tests(course, assignment, notebooks[0]))
    _nbgrader(folder, "generate_assignment", assignment)
    release = json.loads((folder / "release" / assignment / f"{assignment}.ipynb").read_text())
    for number, text in enumerate(notebooks):
        target = folder / "submitted" / f"s{number}" / assignment
        target.mkdir(parents=True)
        (target / f"{assignment}.ipynb").write_text(_handed_in(release, json.loads(text)))


def grade(folder: Path, assignment: str) -> float:
    """Autograde everything; returns seconds."""
    start = perf_counter()
    _nbgrader(folder, "autograde", assignment, "--create")
    return perf_counter() - start


def scores(folder: Path) -> list[float]:
    """Total scores, by student."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        return [
            float(submission.score)
            for assignment in gradebook.assignments
            for submission in sorted(assignment.submissions, key=lambda s: s.student_id)
        ]


def _with_tests(course: Course, assignment: str, release: str) -> str:
    notebook = json.loads(release)
    cells = []
    for cell in notebook["cells"]:
        known = cell["metadata"].get("nbgrader", {})
        if known.get("grade") and not known.get("solution"):
            exercise = known["grade_id"].removesuffix("-check")
            cell["source"] = _tests(course, assignment, exercise)
        if known.get("solution") and not known.get("grade"):
            name = known["grade_id"]
            cell["source"] = (
                f"### BEGIN SOLUTION\n{cell['source']}\n### END SOLUTION\n"
                if f"def {name}" in "".join(cell["source"])
                else cell["source"]
            )
        if "figure" not in cell["metadata"].get("tags", []):
            cells.append(cell)
    notebook["cells"] = cells
    return json.dumps(notebook)


def _tests(course: Course, assignment: str, exercise: str) -> str:
    text = (course.graders(assignment) / f"test_{exercise}.py").read_text()
    text = re.sub(r"^pytestmark = .*$", "", text, flags=re.MULTILINE)
    load = (
        "from pathlib import Path as _Path\nfrom autograded import scenarios as _scenarios\n"
        "_scenarios.load(_Path('stock_scenarios.py'))\nimport torch\n"
    )
    return f"### BEGIN HIDDEN TESTS\n{load}{text}{_DRIVER}\n### END HIDDEN TESTS"


def _handed_in(release: dict[str, Any], filled: dict[str, Any]) -> str:
    code = {
        cell["metadata"]["nbgrader"]["grade_id"]: cell["source"]
        for cell in filled["cells"]
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }
    notebook = json.loads(json.dumps(release))
    for cell in notebook["cells"]:
        known = cell["metadata"].get("nbgrader", {})
        if known.get("solution"):
            cell["source"] = code[known["grade_id"]]
    return json.dumps(notebook)


def _nbgrader(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        # nbgrader starts `alembic` by name.
        env={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
