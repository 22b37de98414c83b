"""A course with `language: id`: what a learner and a grader read is Indonesian, all of it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from i18n.catalogue import indonesian, sentences
from support import ROOT, command, copy_course

WORK = ROOT / "tests" / "corpus" / "indonesian" / "relu_net.py"


@pytest.fixture(scope="module")
def kursus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, built in Indonesian; its learner has written relu_net as in `WORK`."""
    folder = copy_course(tmp_path_factory.mktemp("kursus") / "course")
    settings = folder / "course.yml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("language: en ", "language: id "), encoding="utf-8")
    done = command("autograded", "build", "--no-release", cwd=folder)
    assert done.returncode == 0, done.stderr
    shutil.copy(WORK, folder / "exercises" / "relu_net")
    return folder


def assert_no_english(text: str) -> None:
    # Wrapped by a narrow terminal or indented: the words are the same.
    words = " ".join(text.split())
    found = [sentence for sentence in sentences() if sentence in words]
    assert not found


def test_pytest_tells_a_learner_in_indonesian_what_is_wrong_and_what_is_next(kursus: Path) -> None:
    done = command("pytest", "exercises/relu_net", "exercises/backward", cwd=kursus)

    assert done.returncode == 1
    assert "dipanggil gradients(2.0, 0.3, 1.0, 1.0)" in done.stdout
    assert "menurut autograd dw1 = -1.6" in done.stdout
    assert "dw1 adalah 1/2 kali hasil autograd." in done.stdout
    assert "Fungsi harus mengembalikan (z, h, y), tetapi yang dikembalikan adalah None" in (
        done.stdout
    )
    assert "batch_gradients mengembalikan tensor sparse, yang tidak bisa diperiksa." in done.stdout
    assert "karena ada sel yang gagal: relu_net.py:27: SyntaxError" in done.stdout
    assert "derivative belum ditulis: ganti `raise NotImplementedError()`" in done.stdout
    assert re.search(r"^✗ relu_net\.forward .* 0 dari \d pemeriksaan$", done.stdout, re.MULTILINE)
    assert "poin: 0 dari 10" in done.stdout
    assert "berikutnya: relu_net.forward  (untuk petunjuk: autograded hint" in done.stdout
    assert_no_english(done.stdout)


def test_check_and_hint_are_in_indonesian(kursus: Path) -> None:
    checked = command("autograded", "check", "relu_net", cwd=kursus)
    hint = command("autograded", "hint", "relu_net.gradients", cwd=kursus)
    unknown = command("autograded", "check", "relu_net.nonesuch", cwd=kursus)

    assert checked.returncode == 1
    assert re.search(r"latihan\s+pemeriksaan\s+poin", checked.stdout)
    assert "Berikutnya: relu_net.forward. Untuk petunjuk:" in checked.stdout
    assert "dikembalikan None" in checked.stdout
    assert "Petunjuk 1 dari" in hint.stdout
    assert "Tidak ada latihan 'relu_net.nonesuch'" in unknown.stderr
    for done in (checked, hint, unknown):
        assert_no_english(done.stdout + done.stderr)


def test_grade_file_writes_its_result_in_indonesian(kursus: Path) -> None:
    done = command("autograded", "grade-file", WORK, "-a", "relu_net", cwd=kursus)

    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    messages = "\n".join(
        check["message"] for exercise in result["exercises"] for check in exercise["checks"]
    )
    assert "dw1 adalah 1/2 kali hasil autograd." in messages
    # Said by the confined process, which is told the language.
    assert "mengembalikan tensor sparse, yang tidak bisa diperiksa." in messages
    assert re.search(r"karena ada sel yang gagal: sel \d+: SyntaxError", messages)
    (diagnosis,) = result["exercises"][1]["diagnosis"]
    assert diagnosis["misconception"] == "no-factor-two"
    assert "autograd" in diagnosis["message"]
    assert " Anda " in diagnosis["message"]
    assert any("berkas Python" in repair["message"] for repair in result["repairs"])
    assert_no_english(json.dumps(result, ensure_ascii=False))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "Berkasnya kosong."),
        (b"PK\x03\x04", "Berkas ini arsip zip, bukan notebook."),
        (b'{"cells": ', "Berkas ini bukan notebook: "),
    ],
)
def test_why_a_file_could_not_be_read_is_in_indonesian(
    kursus: Path, tmp_path: Path, content: bytes, problem: str
) -> None:
    path = tmp_path / "relu_net.ipynb"
    path.write_bytes(content)

    done = command("autograded", "grade-file", path, "-a", "relu_net", cwd=kursus)

    assert json.loads(done.stdout)["problem"].startswith(problem)


def test_what_grading_writes_into_a_notebook_is_in_indonesian(kursus: Path) -> None:
    from autograded.course import Course
    from autograded.gradebook.cells import cell_outputs, grade_outputs
    from autograded.grading.session import Grader, Work, shared_sandbox
    from autograded.i18n import use
    from autograded.submissions.reader import read_cells
    from autograded.submissions.release import release_of
    from autograded.submissions.repair import repair

    course = Course.load(kursus / "course.yml")
    assignment = course.assignment("relu_net")
    content = WORK.read_bytes()
    with use("id"):
        done = repair(content, WORK.name, release_of(course, "relu_net"), assignment, "id")
        handed_in = read_cells(done.notebook["cells"], content, WORK.name)
        (graded,) = Grader(course, "relu_net", shared_sandbox(course)).grade([Work(handed_in)])
        exercise = graded.result.exercise("relu_net.gradients")
        html = grade_outputs(exercise, 3.0, "hints")[1]["data"]["text/html"]
        assert graded.execution is not None
        outputs = [output for run in graded.execution.cells for output in cell_outputs(run)]

    assert "dari 3 poin" in html
    assert "Yang terjadi:" in html
    assert "(tidak lolos)" in html
    # `hints` keeps the right number from a student.
    assert indonesian("autograd says {value}").partition("{")[0] not in html
    assert "[sisa keluaran sel ini tidak disertakan: terlalu banyak]" in json.dumps(outputs)
    assert_no_english(html + json.dumps(outputs))
