"""Every attack of the corpus in one class, between honest submissions, by `autograded grade`."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograded.sandbox import confinement
from hostile.corpus import CASES, Case, faults, gradebook, outputs_of
from hostile.surroundings import Listener, digests, leftovers, watched
from support import ROOT

SECRET = "tell-nobody-31415"

# Attacks that hang cost their whole limit; honest work needs far less than these.
LIMITS = """
limits:
  call_seconds: 2.5
  cell_seconds: 3
  execute_seconds: 6
  submission_seconds: 15
  memory_bytes: 1073741824
"""
HONEST = {
    "relu_net": {
        "solution": ROOT / "solutions/relu_net/relu_net.py",
        "stub": ROOT / "exercises/relu_net/relu_net.py",
        "mistaken": ROOT / "tests/corpus/graded/two-misconceptions/relu_net.py",
    },
    "training_loop": {
        "solution": ROOT / "solutions/training_loop/training_loop.py",
        "stub": ROOT / "exercises/training_loop/training_loop.py",
    },
}
EVERY = 6
"""So many attacks lie between two honest submissions."""


@dataclass(frozen=True)
class Graded:
    """A course after a class was graded, and what was to be seen around it."""

    course: Path
    students: dict[str, Case]
    honest: dict[str, str]
    left: list[str]
    heard: list[str]
    changed: dict[str, str]
    seconds: float

    def result(self, student: str, assignment: str) -> dict[str, Any]:
        path = self.course / "classroom" / "results" / assignment / f"{student}.json"
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return result

    def outputs(self, student: str, assignment: str) -> str:
        folder = self.course / "classroom" / "autograded" / student / assignment
        return outputs_of(folder / f"{assignment}.ipynb")


def hand_in_honest(course: Path, assignment: str, students: dict[str, str]) -> None:
    for student, kind in students.items():
        folder = course / "classroom" / "submitted" / student / assignment
        folder.mkdir(parents=True)
        text = HONEST[assignment][kind].read_text(encoding="utf-8")
        # Its own text, so that each is graded and not taken from another's record.
        (folder / f"{assignment}.py").write_text(f"# {student}\n{text}", encoding="utf-8")


def copy(built: Path, target: Path) -> Path:
    shutil.copytree(built, target, symlinks=True)
    with (target / "course.yml").open("a", encoding="utf-8") as file:
        file.write(LIMITS)
    return target


def grade(course: Path, assignment: str, note: Path) -> list[str]:
    done, left = watched(
        "autograded", "grade", assignment, "--jobs", "2",
        cwd=course, note=note, CI="true", HOSTILE_SECRET=SECRET,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return left.splitlines()


@pytest.fixture(scope="module", params=sorted(HONEST))
def graded(
    request: pytest.FixtureRequest, built_course: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Graded, Graded]:
    """The class with attacks, and the same class without them."""
    if confinement.choose("auto") != "bubblewrap":
        pytest.skip("nothing can be confined here")
    assignment = request.param
    cases = [case for case in CASES if case.expected["assignment"] == assignment]
    place = tmp_path_factory.mktemp("hostile")
    course, calm = copy(built_course, place / "course"), copy(built_course, place / "calm")
    kinds = sorted(HONEST[assignment])
    honest: dict[str, str] = {}
    students: dict[str, Case] = {}
    for index, case in enumerate(cases):
        if index % EVERY == 0:
            honest[f"n{index:03}-honest"] = kinds[index // EVERY % len(kinds)]
        student = case.expected.get("student", f"n{index:03}-{case.name}")
        students[student] = case
        case.hand_in(course / "classroom" / "submitted" / student / assignment)
    for kind in kinds:
        honest[f"zz-{kind}"] = kind
    outcomes = []
    for folder in (calm, course):
        hand_in_honest(folder, assignment, honest)
        before = digests(
            folder, "classroom/autograded", "classroom/results", "classroom/gradebook.db"
        )
        start = time.monotonic()
        with Listener() as listener:
            left = grade(folder, assignment, place / "left.txt")
        seconds = time.monotonic() - start
        after = digests(folder, "classroom/autograded", "classroom/results")
        changed = {
            str(Path(path).relative_to(folder)): "changed" if path in before else "new"
            for path in {*before, *after}
            if before.get(path) != after.get(path)
        }
        attacks = students if folder == course else {}
        outcomes.append(Graded(folder, attacks, honest, left, listener.heard, changed, seconds))
    return assignment, outcomes[1], outcomes[0]


Both = tuple[str, Graded, Graded]


def test_no_attack_earns_what_it_does_not_deserve(graded: Both) -> None:
    assignment, hostile, _ = graded
    wrong = {}
    for student, case in hostile.students.items():
        found = faults(
            case, hostile.result(student, assignment), hostile.outputs(student, assignment)
        )
        if found:
            wrong[student] = found
    assert wrong == {}


def test_honest_results_are_those_of_a_class_without_attacks(graded: Both) -> None:
    assignment, hostile, calm = graded
    for student in hostile.honest:
        assert hostile.result(student, assignment) == calm.result(student, assignment)
    rows = gradebook(hostile.course)
    assert {s: r for s, r in rows.items() if s in hostile.honest} == gradebook(calm.course)
    assert set(rows) == {*hostile.honest, *hostile.students}
    scores = {kind: calm.result(s, assignment)["score"] for s, kind in calm.honest.items()}
    assert (scores["solution"], scores["stub"]) == (10, 0)


def test_nothing_outside_is_changed(graded: Both) -> None:
    _, hostile, calm = graded
    assert hostile.left == []
    assert hostile.heard == []
    assert hostile.changed.keys() == calm.changed.keys()
    assert leftovers() == []
    for student in hostile.honest:
        kept = [
            sorted(p.name for p in (of.course / "classroom/autograded" / student).rglob("*"))
            for of in (hostile, calm)
        ]
        assert kept[0] == kept[1]


def test_secrets_are_in_no_result(graded: Both) -> None:
    _, hostile, _ = graded
    for name in ("results", "autograded"):
        for path in (hostile.course / "classroom" / name).rglob("*"):
            if path.suffix in (".json", ".jsonl", ".ipynb"):
                assert SECRET not in path.read_text(encoding="utf-8", errors="replace")


def test_what_teachers_open_carries_no_script(graded: Both) -> None:
    assignment, hostile, _ = graded
    for student in hostile.students:
        folder = hostile.course / "classroom" / "autograded" / student / assignment
        cells = json.loads((folder / f"{assignment}.ipynb").read_text(encoding="utf-8"))["cells"]
        for output in (output for cell in cells for output in cell.get("outputs", ())):
            kinds = set(output.get("data", {}))
            assert kinds <= {"text/plain", "text/latex", "image/png", "image/jpeg", "text/html"}
            if "text/html" in kinds:
                assert "hostile()" not in "".join(output["data"]["text/html"]) or (
                    "<script>hostile()" not in "".join(output["data"]["text/html"])
                )
