"""Single attacks through the other doors, and files of any kind through `grade-file`."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import time
from pathlib import Path

import pytest

from autograded.course import Course
from autograded.errors import CourseError
from autograded.sandbox import confinement
from autograded.sandbox.limits import Limits
from hostile.corpus import case, faults, gradebook, outputs_of, wrong_scores
from hostile.surroundings import leftovers, watched
from support import ROOT, command

BY_FILE = [
    "daemon-left-behind",
    "eq-always-true",
    "os-exit-at-import",
    "patched-pytest",
    "segfault-in-a-function",
    "wire-forged",
]
BY_NBGRADER = [
    "ast-transformers",
    "autograd-openly",
    "daemon-left-behind",
    "display-hooks",
    "local-conftest-py",
    "prints-script",
    "symlinks-in-the-folder",
]

pytestmark = pytest.mark.skipif(
    confinement.choose("auto") != "bubblewrap", reason="nothing can be confined here"
)


@pytest.mark.parametrize("name", BY_FILE)
def test_grade_file_gives_what_is_written_beside_it(name: str, tmp_path: Path) -> None:
    attack = case(name)

    done, left = watched(
        "autograded", "grade-file", attack.work, "-a", attack.expected["assignment"],
        cwd=ROOT, note=tmp_path / "left.txt",
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    printed = "\n".join(attack.expected.get("outputs", ()))  # grade-file shows no outputs
    assert faults(attack, result, printed) == []
    assert left == ""
    assert leftovers() == []


def test_nbgrader_autograde_gives_what_is_written_beside_them(
    classroom: Path, tmp_path: Path
) -> None:
    for name in BY_NBGRADER:
        case(name).hand_in(classroom / "classroom" / "submitted" / name / "relu_net")

    done, left = watched(
        "nbgrader", "autograde", "relu_net", "--create", cwd=classroom, note=tmp_path / "left.txt"
    )

    assert done.returncode == 0, done.stderr
    copied = classroom / "classroom/autograded/symlinks-in-the-folder/relu_net"
    assert not {"answers.py", "passwd", "gradebook.db"} & {p.name for p in copied.iterdir()}
    rows = gradebook(classroom)
    wrong = {}
    for name in BY_NBGRADER:
        notebook = classroom / "classroom/autograded" / name / "relu_net" / "relu_net.ipynb"
        scores = {cell.removesuffix("-check"): score for cell, score, *_ in rows[name]}
        printed = outputs_of(notebook)
        expected = case(name).expected
        wrong[name] = wrong_scores(case(name), scores)
        wrong[name] += [t for t in expected.get("outputs", ()) if t not in printed]
        wrong[name] += [t for t in expected.get("never_says", ()) if t in printed]
    assert not any(wrong.values()), wrong
    assert left == ""
    assert leftovers() == []


def ended_well(path: Path, *, within: float) -> str:
    """Grade any path; return the reason in the result, or the one sentence of a refusal."""
    start = time.monotonic()
    done = command("autograded", "grade-file", path, "-a", "relu_net", cwd=ROOT)
    assert time.monotonic() - start < within
    if done.returncode == 0:
        result = json.loads(done.stdout)
        assert result["score"] == 0
        return str(result.get("problem") or "")
    assert done.returncode == 2
    assert done.stdout == ""
    (sentence,) = done.stderr.strip().splitlines()
    assert sentence.startswith("autograded: ")
    assert "Traceback" not in sentence
    return sentence


@pytest.mark.parametrize("suffix", [".ipynb", ".py", ".zip"])
def test_random_bytes(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"relu_net{suffix}"
    path.write_bytes(random.Random(suffix).randbytes(100_000))

    assert ended_well(path, within=60)


def test_a_folder_and_a_fifo(tmp_path: Path) -> None:
    folder, fifo = tmp_path / "folder.ipynb", tmp_path / "relu_net.ipynb"
    folder.mkdir()
    os.mkfifo(fifo)

    assert "not a regular file" in ended_well(folder, within=30)
    assert "not a regular file" in ended_well(fifo, within=30)


def test_a_file_of_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "relu_net.ipynb"
    with path.open("wb") as file:
        file.truncate(2**30)

    assert ended_well(path, within=60)


def test_a_device(tmp_path: Path) -> None:
    assert "not a regular file" in ended_well(Path("/dev/zero"), within=30)


def test_a_notebook_nested_a_million_deep(tmp_path: Path) -> None:
    path = tmp_path / "relu_net.ipynb"
    path.write_text('{"cells": ' + "[" * 10**6)

    assert ended_well(path, within=60)


def test_what_teachers_and_students_open_obeys_nobody(classroom: Path) -> None:
    names = ["html-in-ids-and-sources", "html-in-outputs", "prints-script"]
    formula = case("spreadsheet-formula-as-name")
    for attack in (*map(case, names), formula):
        student = attack.expected.get("student", attack.name)
        attack.hand_in(classroom / "classroom" / "submitted" / student / "relu_net")

    graded = command("autograded", "grade", "relu_net", cwd=classroom)
    made = command("nbgrader", "generate_feedback", "relu_net", cwd=classroom)
    exported = command("nbgrader", "export", "--to=grades.csv", cwd=classroom)

    assert graded.returncode == 0, graded.stderr
    assert made.returncode == 0, made.stderr
    assert exported.returncode == 0, exported.stderr
    for name in names:
        page = (classroom / "classroom/feedback" / name / "relu_net/relu_net.html").read_text()
        assert "hostile()" in page
        assert re.findall(r"<script>\s*hostile\(|<[^<>]*\bon\w+=\W?hostile", page) == []
        assert re.findall(r"<[^<>]*[\"']\s*javascript:hostile", page) == []
    with (classroom / "grades.csv").open(newline="", encoding="utf-8") as file:
        fields = [field for row in csv.reader(file) for field in row]
    assert any("HYPERLINK" in field for field in fields)
    assert not any(field.startswith(("=", "+", "@", "\t")) for field in fields)


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ("{call_second: 3}", "limits.call_second: unknown key"),
        ("{call_seconds: 0}", "call_seconds must be above 0"),
        ("{memory_bytes: much}", "limits.memory_bytes: "),
    ],
)
def test_limits_in_course_yml_are_checked(limits: str, sentence: str, course: Path) -> None:
    file = course / "course.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}\nlimits: {limits}\n", encoding="utf-8")
    with pytest.raises(CourseError, match=re.escape(sentence)) as caught:
        Course.load(file)
    assert str(text.count("\n") + 2) in str(caught.value)

    file.write_text(f"{text}\nlimits: {{call_seconds: 20}}\n", encoding="utf-8")
    assert Course.load(file).limits == Limits(call_seconds=20)
