"""`autograded grade-file`: one file in, one result document out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import torch

from support import ASSIGNMENTS, ROOT, command

CASES = sorted((ROOT / "tests" / "corpus" / "graded").iterdir())


def grade(path: Path, assignment: str, cwd: Path = ROOT, *more: str) -> dict[str, Any]:
    done = command("autograded", "grade-file", path, "--assignment", assignment, *more, cwd=cwd)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_solution_earns_everything_and_stub_nothing(assignment: str) -> None:
    solution = grade(ROOT / "solutions" / assignment / f"{assignment}.py", assignment)
    stub = grade(ROOT / "exercises" / assignment / f"{assignment}.py", assignment)

    assert (solution["score"], solution["max_score"]) == (10, 10)
    assert (stub["score"], stub["max_score"]) == (0, 10)
    assert not any(check["passed"] for e in stub["exercises"] for check in e["checks"])


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_files_a_student_could_hand_in_get_what_is_written_beside_them(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text())
    (file,) = [path for path in case.iterdir() if path.name != "expected.json"]

    result = grade(file, expected["assignment"])

    scores = {e["id"].partition(".")[2]: e["score"] for e in result["exercises"]}
    told = json.dumps(result, ensure_ascii=False)
    assert scores == expected["scores"]
    assert result["score"] == sum(expected["scores"].values())
    for text in expected.get("says", []):
        assert text in told
    for text in expected.get("never_says", []):
        assert text not in told
    diagnosed = {d["misconception"] for e in result["exercises"] for d in e["diagnosis"]}
    assert diagnosed == set(expected.get("diagnosed", []))
    flags = {flag["kind"] for flag in result["flags"]}
    assert flags == set(expected.get("flags", []))


def test_results_follow_the_published_schema() -> None:
    schema = json.loads((ROOT / "docs" / "results.schema.json").read_text())
    for assignment in ("relu_net", "pitfalls"):
        result = grade(ROOT / "exercises" / assignment / f"{assignment}.py", assignment)
        jsonschema.validate(result, schema)


def test_the_published_schema_is_the_one_the_code_makes() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "autograded", "schema"], capture_output=True, text=True, check=True
    )
    assert made.stdout == (ROOT / "docs" / "results.schema.json").read_text()


def test_the_same_file_always_gets_the_same_result(tmp_path: Path) -> None:
    path = ROOT / "tests" / "corpus" / "graded" / "two-misconceptions" / "relu_net.py"

    assert grade(path, "relu_net") == grade(path, "relu_net")


@pytest.fixture(scope="module")
def usual() -> dict[str, Any]:
    """The result of a file with two mistakes, in the environment the tests are run in."""
    return grade(CASES[0].with_name("two-misconceptions") / "relu_net.py", "relu_net")


@pytest.mark.parametrize(
    "around",
    [
        {"PYTEST_ADDOPTS": "-x -k nothing --junitxml=report.xml"},
        {"PYTEST_PLUGINS": "a_plugin_of_theirs"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONOPTIMIZE": "2"},
        {"PYTHONWARNINGS": "error"},
        {"HOME": "/nowhere", "TZ": "Asia/Jakarta", "MPLBACKEND": "Qt5Agg"},
    ],
    ids=lambda around: next(iter(around)),
)
def test_the_environment_of_the_teacher_changes_nothing(
    around: dict[str, str], usual: dict[str, Any], tmp_path: Path
) -> None:
    file = CASES[0].with_name("two-misconceptions") / "relu_net.py"
    words = ("grade-file", file, "--assignment", "relu_net", "--course", ROOT)

    done = command("autograded", *words, cwd=tmp_path, **around)

    assert json.loads(done.stdout) == usual
    assert not list(tmp_path.iterdir())


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    stub = ROOT / "exercises" / "relu_net" / "relu_net.py"

    done = command("autograded", "grade-file", stub, "-a", "relu_net", "-o", target, cwd=ROOT)

    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads(target.read_text())["score"] == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty"), (b"\x00\xff\x01", "not text"), (b'{"cells": ', "not a notebook")],
)
def test_what_is_no_notebook_is_graded_0_with_the_reason(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "relu_net.ipynb"
    path.write_bytes(content)

    result = grade(path, "relu_net")

    assert result["score"] == 0
    assert reason in result["problem"]


def test_what_cannot_be_graded_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    stub = ROOT / "exercises" / "relu_net" / "relu_net.py"
    fifo = tmp_path / "relu_net.ipynb"
    os.mkfifo(fifo)
    cases = [
        ([tmp_path / "nothing.ipynb", "-a", "relu_net"], "There is no file"),
        ([tmp_path, "-a", "relu_net"], "not a regular file"),
        ([fifo, "-a", "relu_net"], "not a regular file"),
        ([stub, "-a", "nonesuch"], "There is no assignment 'nonesuch'"),
        ([stub, "-a", "relu_net", "--course", tmp_path], "There is no course.yml in"),
    ]
    for arguments, sentence in cases:
        done = command("autograded", "grade-file", *arguments, cwd=ROOT)

        assert done.returncode == 2
        assert sentence in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        assert done.stdout == ""


FORWARD = "    z = w1 * x\n    h = max(z, 0.0)\n    return z, h, w2 * h"
BACK = "    z, h, y = forward(x, w1, w2)\n    dy = 2 * (y - t)\n"


@pytest.mark.parametrize(
    ("forward", "gradients"),
    [
        (FORWARD, f"{BACK}    return dy * w2 * x, dy * h"),
        (FORWARD, f"{BACK}    return dy * h, (dy * w2 * x if z > 0 else 0.0)"),
        (FORWARD, f"{BACK}    return (-dy * w2 * x if z > 0 else 0.0), -dy * h"),
        (FORWARD, f"{BACK}    return (dy * w2 * x if z >= 0 else 0.0), dy * h"),
        (FORWARD, f"{BACK}    return (None if z <= 0 else dy * w2 * x), dy * h"),
        (FORWARD.replace("max(z, 0.0)", "abs(z)"), "    return 0.0, 0.0"),
        (FORWARD.replace("max(z, 0.0)", "z if z > 1 else 0.0"), "    return x, x"),
        (FORWARD.replace("return z,", "return h,"), "    return x, t"),
        (FORWARD, f"{BACK}    return (1 if z > 0 else 0), 0"),
    ],
    ids=["no gate", "swapped", "sign", "corner", "none", "abs", "late gate", "h for z", "whole"],
)
def test_the_call_in_a_message_gave_what_it_says(
    tmp_path: Path, forward: str, gradients: str
) -> None:
    source = f"def forward(x, w1, w2):\n{forward}\n\n\ndef gradients(x, w1, w2, t):\n{gradients}\n"
    path = tmp_path / "relu_net.py"
    path.write_text(source)
    done = command("autograded", "grade-file", path, "-a", "relu_net", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    defined: dict[str, Any] = {"tensor": torch.tensor}
    exec(source, defined)
    names = {"forward": ("z", "h", "y"), "gradients": ("dw1", "dw2")}
    seen = []
    for exercise in json.loads(done.stdout)["exercises"]:
        name = exercise["id"].partition(".")[2]
        for check in exercise["checks"]:
            parts = check["parts"]
            quantity, equals, said = parts.get("returned", "").partition(" = ")
            if check["passed"] or name not in names or not equals:
                continue
            if said in ("0", "1") and "called" not in parts:
                continue  # Python has one object for all of them: nobody can tell whose it is
            came = eval(parts["called"], defined)[names[name].index(quantity)]
            told = None if said == "None" else float(said)
            assert came == told or float(came) == pytest.approx(told, rel=1e-4), parts
            seen.append(check["id"])
    assert seen or "return (1 if" in gradients


BY_HAND = """\
# %%
def relu(z):
    return z if z > 0 else 0.0

def forward(x, w1, w2):
    z = w1 * x
    h = relu(z)
    return z, h, w2 * h

# %%
def gradients(x, w1, w2, t):
    z, h, y = forward(x, w1, w2)
    return (2 * (y - t) * w2 * x if z > 0 else 0.0 * y), 2 * (y - t) * h

# %%
{later}
"""


@pytest.mark.parametrize(
    "later",
    [
        "def relu(Z):\n    return Z.clamp(min=0)",
        "relu = 'done'",
        "for relu in (1, 2):\n    pass",
        "del relu",
        "from torch import *",
        "import torch.nn.functional as relu",
        "relu = lambda Z: Z.shape",
    ],
)
def test_a_later_cell_does_not_undo_an_exercise(tmp_path: Path, later: str) -> None:
    path = tmp_path / "relu_net.py"
    path.write_text(BY_HAND.format(later=later))

    result = grade(path, "relu_net")

    scores = {e["id"].partition(".")[2]: (e["score"], e["max_score"]) for e in result["exercises"]}
    for exercise in ("forward", "gradients"):
        assert scores[exercise][0] == scores[exercise][1] > 0
    if later != "from torch import *":  # its relu is as good, for tensors
        assert {flag["kind"] for flag in result["flags"]} == {"rebound"}


def test_what_was_wrong_in_its_own_cell_stays_wrong(tmp_path: Path) -> None:
    path = tmp_path / "relu_net.py"
    wrong = BY_HAND.replace("if z > 0 else 0.0\n\ndef forward", "if z > 1 else 0.0\n\ndef forward")
    path.write_text(wrong.format(later="def relu(Z):\n    return Z.clamp(min=0)"))

    result = grade(path, "relu_net")

    assert result["score"] < 6


def test_a_message_names_the_cell_that_failed_to_define_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "relu_net.py"
    path.write_text(BY_HAND.replace("h = relu(z)", "h = relu(z").format(later="forward(1, 2, 3)"))

    result = grade(path, "relu_net")

    by_id = {e["id"].partition(".")[2]: e for e in result["exercises"]}
    for exercise in ("forward", "gradients"):
        problem = by_id[exercise]["checks"][0]["parts"]["problem"]
        _, because, cells = problem.partition("because a cell failed")
        assert because
        assert "SyntaxError" in cells
        assert "NameError" not in cells, "the cell that only calls it is named as well"


def test_work_lost_on_its_way_is_flagged_and_work_left_out_is_not(tmp_path: Path) -> None:
    case = ROOT / "tests" / "corpus" / "broken" / "truncated-before-the-last-exercise"
    (notebook,) = (case / "handed_in").iterdir()
    cut_off = grade(notebook, "training_loop")
    (flag,) = cut_off["flags"]
    assert flag["kind"] == "damaged"
    assert "ask for it again" in flag["message"]

    part = tmp_path / "relu_net.py"
    part.write_text("def forward(x, w1, w2):\n    z = w1 * x\n    return z, max(z, 0.0), 1.0\n")
    assert grade(part, "relu_net")["flags"] == []
