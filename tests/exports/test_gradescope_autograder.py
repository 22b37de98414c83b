"""The archive for Gradescope, unpacked and run in a folder laid out as Gradescope lays it out."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograded.course import Course
from autograded.exports.wheel import constraints
from autograded.sandbox.confinement import find_bubblewrap
from exports.school import command_line
from support import ROOT, command

TWO_WRONG = ROOT / "tests" / "corpus" / "graded" / "two-misconceptions"

METADATA = {
    "id": 123456,
    "created_at": "2026-03-01T12:30:00.123456-08:00",
    "assignment": {
        "id": 25828,
        "title": "relu_net",
        "due_date": "2026-03-02T00:00:00.000000-08:00",
        "group_size": None,
        "total_points": "10.0",
    },
    "submission_method": "upload",
    "users": [{"email": "ada@example.org", "id": 501, "name": "Ada Lovelace", "sid": "S-77"}],
    "previous_submissions": [],
}


@pytest.fixture(scope="module")
def archive(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive as the command makes it, of a course whose gradebook's address is a secret."""
    course = tmp_path_factory.mktemp("archive") / "course"
    shutil.copytree(built_course, course, symlinks=True)
    with (course / "course.yml").open("a") as file:
        file.write("db_url: postgresql://teacher:hunter2@db.example.org/grades\n")
    done = command(
        *("autograded", "export", "relu_net", "-f", "gradescope-autograder", "-o", "made.zip"),
        cwd=course,
    )
    assert done.returncode == 0, done.stderr
    assert "made.zip: " in done.stdout
    return course / "made.zip"


def unpacked(archive: Path, folder: Path) -> Path:
    """Lay the archive out as Gradescope does: its contents in source/, run_autograder above."""
    source = folder / "autograder" / "source"
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            path = Path(opened.extract(entry, source))
            path.chmod(stat.S_IMODE(entry.external_attr >> 16))
    root = source.parent
    shutil.copy2(source / "run_autograder", root / "run_autograder")
    (root / "submission").mkdir()
    (root / "results").mkdir()
    (root / "submission_metadata.json").write_text(json.dumps(METADATA))
    return root


def run(root: Path, *within: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run run_autograder as Gradescope does, with this environment's Python."""
    return subprocess.run(
        [*within, root / "run_autograder"],
        cwd=root.parent,
        env={**os.environ, "AUTOGRADED_PYTHON": sys.executable, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def results(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((root / "results" / "results.json").read_text())
    return document


def test_a_submission_gets_what_it_gets_at_home(archive: Path, tmp_path: Path) -> None:
    root = unpacked(archive, tmp_path)
    shutil.copy2(TWO_WRONG / "relu_net.py", root / "submission" / "relu_net (1).py")

    done = run(root, AUTOGRADED_SEED="not the class's")

    assert done.returncode == 0, done.stderr
    document = results(root)
    at_home = command(
        *("autograded", "grade-file", TWO_WRONG / "relu_net.py", "-a", "relu_net"),
        cwd=ROOT,
        AUTOGRADED_SEED="tests",
    )
    home = json.loads(at_home.stdout)
    assert document["score"] == home["score"]
    assert 0 < document["score"] < 10
    assert [t["score"] for t in document["tests"]] == [e["score"] for e in home["exercises"]]
    assert sum(t["score"] for t in document["tests"]) == pytest.approx(document["score"])
    assert document["execution_time"] > 0
    assert document["extra_data"]["sandbox"] == home["sandbox"] == "bubblewrap"
    assert document["extra_data"]["student"] == "S-77"
    assert "→ " in "".join(test["output"] for test in document["tests"])


def test_nothing_handed_in_is_nought_with_the_reason(archive: Path, tmp_path: Path) -> None:
    root = unpacked(archive, tmp_path)
    (root / "submission" / "essay.txt").write_text("hello")
    (root / "submission_metadata.json").unlink()

    done = run(root)

    assert done.returncode == 0, done.stderr
    assert results(root)["score"] == 0
    assert results(root)["output"] == "There is no notebook for relu_net in what was handed in."
    assert results(root)["extra_data"]["student"] is None


def test_where_confinement_is_refused_nobody_gets_nought(archive: Path, tmp_path: Path) -> None:
    """As in a container of Docker's: root there, and no further namespaces."""
    root = unpacked(archive, tmp_path)
    shutil.copy2(TWO_WRONG / "relu_net.py", root / "submission" / "relu_net.py")
    bubblewrap = find_bubblewrap()
    assert bubblewrap is not None
    container = (bubblewrap, "--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--")

    done = run(root, *container)

    assert done.returncode == 1
    assert "Student code cannot be confined here" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (root / "results" / "results.json").exists()


def test_off_is_a_choice_that_results_tell(
    built_course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AUTOGRADED_SEED", raising=False)
    course = tmp_path / "course"
    shutil.copytree(built_course, course, symlinks=True)
    done = command_line(
        *("autograded", "export", "relu_net", "-f", "gradescope-autograder", "-o", "made.zip"),
        *("--sandbox", "off"),
        cwd=course,
    )
    assert "it can read the graders in the archive" in done.stderr
    root = unpacked(course / "made.zip", tmp_path)
    shutil.copy2(ROOT / "solutions/relu_net/relu_net.py", root / "submission" / "relu_net.py")

    assert run(root).returncode == 0

    assert results(root)["score"] == 10
    assert results(root)["output"] == "Graded without confinement (sandbox off)."
    assert results(root)["extra_data"]["sandbox"] == "off"
    # A submission could read the seed: the class's is not there.
    seed = (course / "classroom" / ".seed").read_text().strip()
    assert seed not in (root / "source" / "seed").read_text()


def test_the_archive_holds_what_grading_needs_and_no_more(archive: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
        course = yaml.safe_load(opened.read("course/course.yml"))
        text = b"\n".join(opened.read(name) for name in names)
        notebook = opened.read("course/classroom/release/relu_net/relu_net.ipynb").decode()
    folders = {name.split("/")[1] for name in names if name.startswith("course/")}

    assert {"setup.sh", "run_autograder", "constraints.txt", "autograder.json"} <= set(names)
    assert folders == {"course.yml", "graders", "exercises", "classroom"}
    assert not any("solutions" in name or "alternatives" in name for name in names)
    assert not any(name.startswith("course/graders/backward") for name in names)
    assert list(course["assignments"]) == ["relu_net"]
    assert "db_url" not in course
    assert b"hunter2" not in text
    assert "raise NotImplementedError()" in notebook
    assert "BEGIN SOLUTION" not in notebook
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600


def test_scripts_are_run_and_say_where_they_are(archive: Path, tmp_path: Path) -> None:
    root = unpacked(archive, tmp_path)
    for script in ("setup.sh", "run_autograder"):
        path = root / "source" / script
        assert os.access(path, os.X_OK)
        subprocess.run(["bash", "-n", str(path)], check=True)
        code = [line for line in path.read_text().splitlines() if not line.startswith("#")]
        assert not any("/autograder/" in line for line in code)
    assert (
        f"python{sys.version_info.major}.{sys.version_info.minor} "
        in (root / "source" / "setup.sh").read_text()
    )


def test_the_same_course_makes_the_same_archive(archive: Path) -> None:
    words = ("export", "relu_net", "-f", "gradescope-autograder", "-o", "again.zip")
    done = command("autograded", *words, cwd=archive.parent)

    assert done.returncode == 0, done.stderr
    assert (archive.parent / "again.zip").read_bytes() == archive.read_bytes()


def test_the_wheel_installs_and_runs(archive: Path, tmp_path: Path) -> None:
    root = unpacked(archive, tmp_path)
    (wheel,) = (root / "source").glob("*.whl")
    target = tmp_path / "site"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"),
            *("--disable-pip-version-check", "--target", target, wheel),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # This environment's packages, but the wheel's own code in front of them.
    where = subprocess.run(
        [sys.executable, "-c", "import autograded.cli as c; print(c.__file__)"],
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert where.stdout.startswith(str(target))
    shutil.copy2(ROOT / "solutions/relu_net/relu_net.py", root / "submission" / "relu_net.py")
    graded = run(root, PYTHONPATH=str(target))
    assert graded.returncode == 0, graded.stderr
    assert results(root)["score"] == 10


def test_every_version_is_pinned_and_is_the_one_installed_here() -> None:
    pinned = dict(line.split("==") for line in constraints().splitlines())

    assert {"torch", "numpy", "pytest", "pydantic", "ipython", "nbformat"} <= set(pinned)
    assert "nbgrader" not in pinned
    assert not any("+" in version for version in pinned.values())
    known = (ROOT / "constraints.txt").read_text()
    assert f"torch=={pinned['torch']}\n" in known


def test_a_level_that_cannot_be_had_makes_no_archive(built_course: Path, tmp_path: Path) -> None:
    words = ("export", "relu_net", "-f", "gradescope-autograder", "-o", tmp_path / "made.zip")
    done = command_line("autograded", *words, "--sandbox", "landlock", cwd=built_course)

    assert done.returncode == 2
    assert "--sandbox landlock cannot be had anywhere" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_one_assignment_must_be_named(built_course: Path) -> None:
    done = command_line("autograded", "export", "-f", "gradescope-autograder", cwd=built_course)

    assert done.returncode == 2
    assert "name one of relu_net, backward, training_loop, pitfalls" in done.stderr
    assert Course.load(built_course / "course.yml")
