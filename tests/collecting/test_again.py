"""Collecting again: what is there and worth more stays, whatever the download says."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograded.collecting.collect import collect as find
from autograded.collecting.collect import write
from autograded.collecting.downloads import files
from autograded.collecting.roster import Roster
from autograded.course import Course
from autograded.submissions.release import release_of
from collecting.downloads import ROSTER, canvas, gradescope, submitter, zipped
from submissions.corpus import code_cell, solved, text
from support import ROOT, command

NAME = "training_loop"
ADA = "Ada Lovelace_501_assignsubmission_file_"
BLANK = text(release_of(Course.load(ROOT / "course.yml"), NAME)).encode()


def version(number: int) -> bytes:
    """Right work that can be told from other right work."""
    notebook = solved(NAME)
    notebook["cells"].append(code_cell(f"print('version {number}')"))
    return text(notebook).encode()


@pytest.fixture
def place(classroom: Path) -> Path:
    (classroom / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return classroom


@pytest.fixture
def again(place: Path) -> Callable[[Path], str]:
    """Collect a download, and say what came of Ada's work."""

    def run(source: Path) -> str:
        course = Course.load(place / "course.yml")
        found = find(course, NAME, files(source), Roster.load(place / "roster.csv"))
        list(write(course, NAME, found.collected))
        return {one.student.id: one.state for one in found.collected}["ada"]

    return run


def hers(place: Path) -> bytes:
    return (place / "classroom" / "submitted" / "ada" / NAME / f"{NAME}.ipynb").read_bytes()


def of_moodle(path: Path, content: bytes, day: int) -> Path:
    name = f"{ADA}/{NAME}.ipynb"
    return zipped(path / f"m{day}.zip", {name: content}, {name: (2026, 11, day, 10, 0, 0)})


def of_gradescope(path: Path, content: bytes, day: int) -> Path:
    made = f"2026-11-{day:02d} 12:00:00 Z"
    return gradescope(
        path / f"g{day}.zip", {submitter("", "ada", ""): (made, {"x.ipynb": content})}
    )


SOURCES = {"moodle": of_moodle, "gradescope": of_gradescope}


@pytest.mark.parametrize("first", SOURCES)
@pytest.mark.parametrize("second", SOURCES)
def test_an_older_download_replaces_nothing_and_a_newer_one_does(
    place: Path, tmp_path: Path, again: Callable[[Path], str], first: str, second: str
) -> None:
    assert again(SOURCES[first](tmp_path, version(1), 20)) == "new"
    assert again(SOURCES[second](tmp_path, version(2), 15)) == "older"
    assert hers(place) == version(1)
    assert again(SOURCES[second](tmp_path, version(3), 25)) == "replaced"
    assert hers(place) == version(3)
    assert again(SOURCES[first](tmp_path, version(4), 21)) == "older"
    assert hers(place) == version(3)


def test_a_time_without_a_zone_on_the_same_day_does_not_tell(
    tmp_path: Path, again: Callable[[Path], str]
) -> None:
    again(of_gradescope(tmp_path, version(1), 20))
    assert again(of_moodle(tmp_path, version(2), 20)) == "unsure"


@pytest.mark.parametrize("in_folder", [False, True])
def test_of_an_archive_that_was_handed_in_its_own_date_counts(
    place: Path, tmp_path: Path, again: Callable[[Path], str], in_folder: bool
) -> None:
    def packed(number: int, inside: int, outside: int) -> Path:
        inner = zipped(
            tmp_path / "in.zip",
            {"w/x.ipynb": version(number)},
            {"w/x.ipynb": (2026, 11, inside, 0, 0, 0)},
        )
        name = f"{ADA}/work.zip"
        times = {name: (2026, 11, outside, 0, 0, 0)}
        source = zipped(tmp_path / f"{number}.zip", {name: inner.read_bytes()}, times)
        if in_folder:
            folder = tmp_path / str(number)
            path = folder / name
            path.parent.mkdir(parents=True)
            path.write_bytes(inner.read_bytes())
            moment = datetime(2026, 11, outside, tzinfo=UTC).timestamp()
            os.utime(path, (moment, moment))
            return folder
        return source

    assert again(packed(1, inside=5, outside=20)) == "new"
    assert again(packed(2, inside=6, outside=19)) == "older"
    assert again(packed(3, inside=4, outside=21)) == "replaced"
    assert hers(place) == version(3)


def test_the_date_of_a_class_archive_is_no_students(
    place: Path, tmp_path: Path, again: Callable[[Path], str]
) -> None:
    for number, day, came in ((1, 20, "new"), (2, 19, "older")):
        folder = tmp_path / str(number)
        folder.mkdir()
        of_moodle(folder, version(number), day)
        assert again(folder) == came


def test_what_was_put_there_by_hand_was_handed_in_before(
    place: Path, tmp_path: Path, again: Callable[[Path], str]
) -> None:
    again(of_moodle(tmp_path, version(1), 20))
    path = place / "classroom" / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    path.write_bytes(version(2))
    assert again(of_moodle(tmp_path, version(3), 21)) == "unsure"
    name = f"{ADA}/{NAME}.ipynb"
    times = {name: (2090, 1, 1, 0, 0, 0)}
    assert again(zipped(tmp_path / "late.zip", {name: version(4)}, times)) == "replaced"


def test_the_line_says_that_it_is_not_known_which_is_newer(place: Path, tmp_path: Path) -> None:
    for number in (1, 2):
        source = canvas(
            tmp_path / f"{number}.zip", {"lovelaceada_31": {"x.ipynb": version(number)}}
        )
        done = command("autograded", "collect", NAME, source, cwd=place, COLUMNS="400")
        assert done.returncode == 0, done.stderr
    assert "it is not known which of them is newer" in done.stdout
    times = {"ada/x.ipynb": (2025, 1, 1, 0, 0, 0)}
    source = zipped(tmp_path / "old.zip", {"ada/x.ipynb": version(3)}, times)
    done = command("autograded", "collect", NAME, source, cwd=place, COLUMNS="400")
    assert "left alone: what is there is newer" in done.stdout
    assert hers(place) == version(2)


def test_a_blank_notebook_never_replaces_work_and_work_replaces_a_blank_one(
    place: Path, tmp_path: Path, again: Callable[[Path], str]
) -> None:
    again(of_moodle(tmp_path, BLANK, 20))
    assert again(of_moodle(tmp_path, version(1), 10)) == "replaced"
    assert again(of_moodle(tmp_path, BLANK, 25)) == "blank"
    assert hers(place) == version(1)


def test_zip_collect_leaves_what_is_newer(place: Path, tmp_path: Path) -> None:
    archive = place / "classroom" / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    folder = place / "classroom" / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(version(1))
    (folder / "timestamp.txt").write_text("2026-11-20 10:00:00 UTC")
    gradescope(
        archive / "d.zip",
        {
            submitter("", "ada", ""): ("2026-11-10 12:00:00 Z", {"x.ipynb": version(2)}),
            submitter("", "budi.s", ""): ("2026-11-10 12:00:00 Z", {"x.ipynb.txt": version(3)}),
        },
    )
    done = command("nbgrader", "zip_collect", NAME, "--force", cwd=place)
    assert done.returncode == 0, done.stderr
    assert "ada: left alone: what is there is newer" in done.stderr
    assert "budi.s: nbgrader passes by" in done.stderr
    assert hers(place) == version(1)
