"""One student's folder costs nobody else a grade, and the summary says what was wrong with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bulk.conftest import ASSIGNMENT, hand_in_class, scores


def grade(course: Path) -> subprocess.CompletedProcess[str]:
    """Grade as somebody whom permissions hold back, root or not."""
    without = "-dac_override,-dac_read_search"
    drop = ["setpriv", f"--bounding-set={without}", f"--inh-caps={without}"]
    command = [sys.executable, "-m", "autograded", "grade", ASSIGNMENT, "--jobs", "1"]
    return subprocess.run(
        [*(drop if os.getuid() == 0 else []), *command],
        cwd=course,
        env={**os.environ, "AUTOGRADED_SEED": "tests", "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )


def name_that_is_no_text(folder: Path) -> None:
    folder.rename(os.fsdecode(os.fsencode(folder.parent) + b"/l-\xff"))


def closed(folder: Path) -> None:
    folder.chmod(0)


def one_folder_too_high(folder: Path) -> None:
    (folder / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").rename(folder / f"{ASSIGNMENT}.ipynb")
    shutil.rmtree(folder / ASSIGNMENT)


def surrogate_in_its_metadata(folder: Path) -> None:
    notebook = folder / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    document = json.loads(notebook.read_text(encoding="utf-8"))
    document["metadata"]["kernelspec"] = {"name": "\ud800", "display_name": "\udfff"}
    document["cells"][0]["attachments"] = {"\ud800": 5}
    notebook.write_text(json.dumps(document), encoding="utf-8")


def empty_file(folder: Path) -> None:
    (folder / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").write_bytes(b"")


@pytest.mark.parametrize(
    ("spoil", "status", "said"),
    [
        (name_that_is_no_text, 1, "has a name that is not UTF-8"),
        (closed, 1, "cannot be read: Permission denied"),
        (one_folder_too_high, 1, "belongs into the folder"),
        (surrogate_in_its_metadata, 0, ""),
        (empty_file, 0, "unreadable: The file is empty."),
    ],
)
def test_a_bad_folder_is_named_and_costs_the_others_nothing(
    classroom: Path, spoil: object, status: int, said: str
) -> None:
    students = hand_in_class(classroom, 4)
    folder = classroom / "classroom" / "submitted" / students[1]
    assert callable(spoil)
    spoil(folder)
    try:
        done = grade(classroom)
    finally:
        if folder.exists():
            folder.chmod(0o755)

    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert said in done.stdout
    assert {students[0], *students[2:]} <= set(scores(classroom))
