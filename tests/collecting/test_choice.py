"""Which of several files is the work, what it may be called, and what is said of what is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograded.collecting.collect import Collected
from autograded.collecting.collect import collect as find
from autograded.collecting.downloads import files
from autograded.collecting.roster import Roster
from autograded.course import Course
from autograded.submissions.candidates import is_written, submitted
from autograded.submissions.release import release_of
from collecting.downloads import ROSTER, Files, moodle, zipped
from submissions import corpus
from submissions.corpus import cell_of, code_cell, solved, text
from support import ROOT, command

NAME = "training_loop"
RIGHT = text(solved(NAME)).encode()
COURSE = Course.load(ROOT / "course.yml")
BLANK = text(release_of(COURSE, NAME)).encode()
CODE = "\n\n".join(
    "".join(cell_of(solved(NAME), name)["source"])
    for name in ("sgd_step", "train_one_parameter", "train")
).encode()
BLANK_CODE = b"def sgd_step(params, lr):\n    raise NotImplementedError\n"


@pytest.fixture
def course(built_course: Path) -> Course:
    return Course.load(built_course / "course.yml")


@pytest.fixture
def roster(tmp_path: Path) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text(ROSTER, encoding="utf-8")
    return Roster.load(path)


def adas(course: Course, roster: Roster, source: Path) -> Collected:
    (work,) = find(course, NAME, files(source), roster).collected
    assert work.student.id == "ada"
    return work


@pytest.mark.parametrize("hours", [-24, 0, 24], ids=["older", "same-time", "newer"])
@pytest.mark.parametrize(
    ("work", "blank"),
    [
        ("training_loop.ipynb", "training_loop (1).ipynb"),
        ("my_solution.ipynb", "training_loop.ipynb"),
        ("training_loop.ipynb", "training_loop-Copy1.ipynb"),
        ("training_loop.py", "training_loop.ipynb"),
        ("training_loop.ipynb", "training_loop.py"),
        ("training_loop.ipynb.txt", "training_loop.ipynb"),
    ],
)
def test_a_file_in_which_nothing_is_written_stands_for_no_work(
    course: Course, roster: Roster, tmp_path: Path, work: str, blank: str, hours: int
) -> None:
    contents = {
        f"ada/{work}": CODE if work.endswith(".py") else RIGHT,
        f"ada/{blank}": BLANK_CODE if blank.endswith(".py") else BLANK,
    }
    days = {f"ada/{blank}": (2026, 3, 2 + hours // 24, 12, 0, 0), f"ada/{work}": (2026, 3, 2, 12)}
    times = {name: (*time, 0, 0, 0)[:6] for name, time in days.items()}
    found = adas(course, roster, zipped(tmp_path / "d.zip", contents, times))
    assert found.file == f"ada/{work}"
    folder = tmp_path / "ada"
    folder.mkdir()
    for name, content in contents.items():
        (folder / Path(name).name).write_bytes(content)
    assert submitted(folder, course, NAME).candidate.name == work


def test_the_line_says_which_of_several_counts_and_why(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    def told(names: dict[str, bytes], minutes: tuple[int, ...]) -> str:
        contents = {f"ada/{name}": content for name, content in names.items()}
        times = {name: (2026, 3, 1, 12, n, 0) for name, n in zip(contents, minutes, strict=True)}
        return adas(course, roster, zipped(tmp_path / "d.zip", contents, times)).notes[0]

    other = text({**solved(NAME), "cells": [*solved(NAME)["cells"], code_cell("1 + 1")]}).encode()
    two = {"a.ipynb": RIGHT, "b.ipynb": other}
    assert "ada/b.ipynb counts (the newest)" in told(two, (1, 9))
    assert "ada/b.ipynb counts (by its name: the files' times do not tell" in told(two, (1, 1))
    blank = {"a.ipynb": RIGHT, "c.ipynb": BLANK}
    assert "ada/a.ipynb counts, for nothing is written in: ada/c.ipynb" in told(blank, (1, 9))
    three = {**two, "c.ipynb": BLANK}
    assert "(nothing is written in ada/c.ipynb; the newest of the others)" in told(three, (1, 5, 9))
    twins = {"a.ipynb": RIGHT, "a.py": CODE}
    assert "(the notebook rather than the Python file)" in told(twins, (1, 1))
    assert "(the newest)" in told({"a.ipynb": BLANK, "b.ipynb": BLANK}, (1, 9))


def test_an_answer_in_words_is_work(built_course: Path, roster: Roster, tmp_path: Path) -> None:
    course = Course.load(built_course / "course.yml")
    notebook = release_of(COURSE, "pitfalls")
    blank = text(notebook).encode()
    cell_of(answered := solved("pitfalls"), "explain")
    for cell in answered["cells"]:
        released = next((c for c in notebook["cells"] if c["id"] == cell["id"]), cell)
        if cell["cell_type"] == "code":
            cell["source"] = released["source"]
    contents = {"ada/pitfalls.ipynb": text(answered).encode(), "ada/pitfalls (1).ipynb": blank}
    source = zipped(tmp_path / "d.zip", contents)
    (work,) = find(course, "pitfalls", files(source), roster).collected
    assert work.file == "ada/pitfalls.ipynb"


def test_what_earns_points_is_work_however_it_is_damaged() -> None:
    for case in sorted(corpus.FOLDER.iterdir()):
        expected = json.loads((case / "expected.json").read_text())
        if expected["score"] > 0:
            work = submitted(case / "handed_in", COURSE, expected["assignment"]).candidate
            assert is_written(work, COURSE, expected["assignment"]), case.name


@pytest.mark.parametrize(
    "name",
    [
        "training_loop.ipynb.txt",
        "training_loop.ipynb.json",
        "training_loop.json",
        "training_loop.txt",
        "training_loop",
        "work.ipynb.download",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_notebook_is_known_by_its_content(
    course: Course, roster: Roster, tmp_path: Path, name: str, packed: bool
) -> None:
    hers: Files = {name: RIGHT}
    if packed:
        hers = {"work.zip": zipped(tmp_path / "in.zip", hers).read_bytes()}
    work = adas(course, roster, moodle(tmp_path / "m.zip", {"Ada Lovelace_501": hers}))
    assert work.files == {f"{NAME}.ipynb": RIGHT}
    folder = tmp_path / "ada"
    folder.mkdir()
    for path, content in hers.items():
        (folder / path).write_bytes(content)
    assert submitted(folder, course, NAME).candidate.content == RIGHT


def test_a_python_file_that_a_system_called_text(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    source = zipped(tmp_path / "d.zip", {"ada/training_loop.py.txt": CODE})
    assert adas(course, roster, source).files[f"{NAME}.py"] == CODE


def test_notes_and_data_are_no_work(course: Course, roster: Roster, tmp_path: Path) -> None:
    data = {"ada/notes.txt": CODE, "ada/data.json": b'{"cells": 3}', "ada/raw": b"\0\1"}
    contents = {"ada/training_loop.ipynb": RIGHT, **data}
    work = adas(course, roster, zipped(tmp_path / "d.zip", contents))
    assert work.file == "ada/training_loop.ipynb"
    assert not work.notes
    assert work.files["notes.txt"] == CODE
    alone = find(course, NAME, files(zipped(tmp_path / "d.zip", data)), roster)
    assert list(alone.without_work) == ["ada"]


def test_why_nothing_can_be_graded_is_said(course: Course, roster: Roster, tmp_path: Path) -> None:
    reasons: dict[str, tuple[bytes, str]] = {
        "backward.ipynb": (text(solved("backward")).encode(), "work on backward"),
        "backward.ipynb.txt": (text(solved("backward")).encode(), "work on backward"),
        "helpers.py": (b"x = 1\n", "defines none of the functions"),
        "hw.rar": (b"Rar!", "only .zip is"),
        "hw.tar.gz": (b"\x1f\x8b", "only .zip is"),
        "hw.7z": (b"7z", "only .zip is"),
        "work.pdf": (b"%PDF-1.7", "a PDF"),
        "onlinetext.html": (b"<p>https://colab</p>", "typed into"),
        "text.html": (b"<p>I forgot</p>", "typed into"),
        "training_loop.html": (b"<html>", "a web page"),
    }
    for name, (content, reason) in reasons.items():
        hers = {"a.txt": b"hi", name: content} if name.endswith(".ipynb") else {name: content}
        source = moodle(tmp_path / "m.zip", {"Ada Lovelace_501": hers})
        found = find(course, NAME, files(source), roster)
        assert reason in found.without_work["ada"][0], name


def test_what_is_printed_is_true_of_a_dry_run_and_counts_everybody(
    classroom: Path, tmp_path: Path
) -> None:
    (classroom / "roster.csv").write_text(
        "id,first_name,last_name,aliases\nada,Ada,Lovelace,701\nbudi,Budi,Santoso,701\nzoe,Zoë,Z,\n",
        encoding="utf-8",
    )
    ours = f"{NAME}+2026-11-20 10:00:00.000000 UTC+x7"
    source = zipped(
        tmp_path / "m.zip",
        {
            "Zoë Z_1_assignsubmission_file_/a.ipynb": RIGHT,
            "Zoë Z_1_assignsubmission_file_/b.ipynb": RIGHT,
            "Team Red_701_assignsubmission_file_/x.ipynb": RIGHT,
            "Ada Lovelace_2_assignsubmission_file_/x.pdf": b"%PDF",
        },
    )
    done = command("autograded", "collect", NAME, source, "--dry-run", cwd=classroom, COLUMNS="300")
    assert done.returncode == 1
    assert "? (file of 2026-03-01 12:00)" in done.stdout
    assert "was graded" not in done.stdout
    assert "Team Red (701), who could be ada or budi" in done.stdout
    assert "Not in the class" not in done.stdout
    assert (
        "1 of 1 submissions would be written; nothing was (dry run); besides, 1 with nothing to"
        in (done.stdout)
    )
    guest = {f"guest+{ours}/{NAME}.ipynb": RIGHT, f"guest+{ours}/timestamp.txt": b"2026-11-20"}
    source = zipped(tmp_path / "e.zip", guest)
    done = command("autograded", "collect", NAME, source, "--dry-run", cwd=classroom, COLUMNS="300")
    assert "guest" in done.stdout
    assert "more" not in done.stdout
