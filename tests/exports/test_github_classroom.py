"""The student repository for GitHub Classroom, and what its workflow does."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from exports.school import command_line
from exports.test_platforms import reported, shown
from support import ASSIGNMENTS, ROOT, command

WORKFLOW = ".github/workflows/classroom.yml"


@pytest.fixture
def repository(built_course: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    words = ("export", "relu_net", "-f", "github-classroom", "-o", folder)
    done = command_line("autograded", *words, cwd=built_course)
    assert done.returncode == 0, done.stderr
    return folder


def workflow(folder: Path) -> dict[Any, Any]:
    document: dict[Any, Any] = yaml.safe_load((folder / WORKFLOW).read_text())
    return document


def step(folder: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """Run the checks' step as the workflow has it; returns the documents it hands on."""
    steps = workflow(folder)["jobs"]["autograding"]["steps"]
    (checks,) = [one for one in steps if one.get("id") == "checks"]
    output = folder / "github_output"
    output.unlink(missing_ok=True)
    done = subprocess.run(
        ["bash", "-e", "-c", checks["run"]],
        cwd=folder,
        env={
            **os.environ,
            **checks["env"],
            "GITHUB_OUTPUT": str(output),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    documents = {}
    for line in output.read_text().splitlines():
        name, _equals, value = line.partition("=")
        documents[name] = json.loads(base64.b64decode(value))
    return done, documents


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_workflow_follows_githubs_schema(
    built_course: Path, tmp_path: Path, assignment: str
) -> None:
    words = ("export", assignment, "-f", "github-classroom", "-o", tmp_path)
    assert command_line("autograded", *words, cwd=built_course).returncode == 0

    done = command(
        *("check_jsonschema", "--builtin-schema", "vendor.github-workflows", tmp_path / WORKFLOW),
        cwd=tmp_path,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    text = (tmp_path / WORKFLOW).read_text()
    assert "\non:\n  push:\n" in text
    assert yaml.safe_load(text)["permissions"]["contents"] == "read"


def test_every_result_reaches_the_reporter(repository: Path) -> None:
    steps = workflow(repository)["jobs"]["autograding"]["steps"]
    reporter = steps[-1]
    runners = reporter["with"]["runners"].split(",")

    assert runners == ["forward", "gradients", "batch_gradients", "numerical_gradient"]
    assert reporter["env"] == {
        f"{name.upper()}_RESULTS": f"${{{{ steps.checks.outputs.{name} }}}}" for name in runners
    }
    # Nothing that a student can write is put into a command.
    assert not any("${{" in one.get("run", "") for one in steps)


def test_the_repository_hides_nothing_because_it_holds_nothing_hidden(repository: Path) -> None:
    files = {path.relative_to(repository).as_posix() for path in repository.rglob("*.*")}
    (wheel,) = (repository / ".github" / "autograded").glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        packed = opened.namelist()

    assert "exercises/relu_net/relu_net.py" in files
    assert not any(re.search("graders|solutions|misconceptions|course.yml", name) for name in files)
    assert not any("solutions/" in name or "graders/" in name for name in packed)
    stub = (repository / "exercises/relu_net/relu_net.py").read_text()
    assert "raise NotImplementedError()" in stub
    assert "secrets." not in (repository / WORKFLOW).read_text()


def test_stub_and_solution_get_what_they_are_worth(repository: Path) -> None:
    _done, stub = step(repository)
    shutil.copy2(ROOT / "solutions/relu_net/relu_net.py", repository / "exercises/relu_net")
    done, solution = step(repository)

    assert done.returncode == 0, done.stderr
    assert list(stub) == ["forward", "gradients", "batch_gradients", "numerical_gradient"]
    assert [d["max_score"] for d in solution.values()] == [1, 3, 4, 2]
    assert [reported(d) for d in stub.values()] == [0, 0, 0, 0]
    assert [d["status"] for d in stub.values()] == ["fail"] * 4
    assert [reported(d) for d in solution.values()] == [1, 3, 4, 2]
    assert [shown(d) for d in solution.values()] == [1, 3, 4, 2]
    assert "✗" in json.dumps(stub, ensure_ascii=False)
    assert "relu_net.gradients: 3/3" in done.stderr


def test_work_that_prints_or_quits_costs_its_own_exercise(repository: Path) -> None:
    path = repository / "exercises/relu_net/relu_net.py"
    text = (ROOT / "solutions/relu_net/relu_net.py").read_text()
    text = text.replace(
        "def forward(", r"import os; os.write(1, b'gradients=forged\n')" "\ndef forward(", 1
    )
    text += (
        "\n\n# %%\ndef gradients(*args):\n    os._exit(0)\n"
        "def numerical_gradient(*args, **more):\n    return None\n"
    )
    path.write_text(text)

    done, documents = step(repository)

    assert done.returncode == 0, done.stderr
    assert [reported(d) for d in documents.values()] == [1, 0, 4, 0]
    # What the work prints goes to people, not between the outputs.
    assert "gradients=forged" in done.stderr
    assert "The checks ended without a result." in documents["gradients"]["tests"][0]["message"]


def test_a_loop_that_never_ends_costs_one_exercise(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autograded.exports import github_run

    path = repository / "exercises/relu_net/relu_net.py"
    text = (ROOT / "solutions/relu_net/relu_net.py").read_text()
    path.write_text(text + "\n\n# %%\ndef numerical_gradient(*args):\n    while True: pass\n")
    monkeypatch.setattr(github_run, "SECONDS", 20)

    parts = {part.name: part for part in github_run.outcome(path.parent).parts}

    assert parts["relu_net.numerical_gradient"].score == 0
    assert "no answer after 20 seconds" in parts["relu_net.numerical_gradient"].text
    assert parts["relu_net.gradients"].passed


def test_what_has_not_been_built_is_one_sentence(course: Path) -> None:
    (course / "exercises" / "relu_net" / "assignment.json").unlink()
    words = ("export", "relu_net", "-f", "github-classroom", "-o", "out")
    done = command_line("autograded", *words, cwd=course)

    assert done.returncode == 2
    assert "run `autograded build relu_net`" in done.stderr
    assert not (course / "out").exists()
