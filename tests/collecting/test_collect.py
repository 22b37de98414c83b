"""`autograded collect`, on downloads as they come."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from autograded.collecting.collect import collect as find
from autograded.collecting.downloads import files
from autograded.collecting.roster import Roster
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.submissions.archives import Budget, members
from collecting.downloads import (
    ROSTER,
    canvas,
    gradescope,
    moodle,
    moodle_flat,
    submitter,
    zipped,
)
from submissions import corpus
from submissions.corpus import code_cell, solved, text
from support import command

NAME = "training_loop"
RIGHT = text(solved(NAME)).encode()


def version(number: int) -> bytes:
    """Right work that can be told from other right work."""
    notebook = solved(NAME)
    notebook["cells"].append(code_cell(f"print('version {number}')"))
    return text(notebook).encode()


@pytest.fixture
def place(classroom: Path) -> Path:
    """A course with a roster."""
    (classroom / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return classroom


def collect(place: Path, source: Path, *options: str) -> CompletedProcess[str]:
    return command("autograded", "collect", NAME, source, *options, cwd=place)


def collected(place: Path) -> dict[str, bytes]:
    """The notebooks that lie in classroom/submitted, by student."""
    found = (place / "classroom" / "submitted").glob(f"*/{NAME}/{NAME}.ipynb")
    return {path.parts[-3]: path.read_bytes() for path in found}


def stamp(place: Path, student: str) -> str | None:
    path = place / "classroom" / "submitted" / student / NAME / "timestamp.txt"
    return path.read_text() if path.is_file() else None


def test_moodle(place: Path, tmp_path: Path) -> None:
    source = moodle(
        tmp_path / "download.zip",
        {
            "Ada Lovelace_501": {"training_loop.ipynb": version(1)},
            "Zoë Łukasiewicz_502": {"training_loop (1).ipynb": version(2), "notes.txt": b"hi"},
            "SANTOSO Budi_503": {"work.zip": zip_of(tmp_path, "w/training_loop.ipynb", version(3))},
            "Somebody Else_504": {"training_loop.ipynb": version(4)},
        },
    )
    done = collect(place, source)
    assert done.returncode == 1
    assert collected(place) == {"ada": version(1), "zoe": version(2), "budi.s": version(3)}
    assert "Somebody Else (504)" in done.stdout
    assert "tan.1, tan.2" in done.stdout
    assert (place / "classroom/submitted/zoe" / NAME / "notes.txt").read_text() == "hi"


def zip_of(tmp_path: Path, name: str, content: bytes) -> bytes:
    return zipped(tmp_path / "inner.zip", {name: content}).read_bytes()


def test_moodle_without_folders_and_its_numbers(place: Path, tmp_path: Path) -> None:
    source = moodle_flat(
        tmp_path / "download.zip",
        {
            "Mei Tan_1004": {"training_loop.ipynb": version(1)},
            "Mei Tan_1005": {"training_loop.ipynb": version(2)},
        },
    )
    assert collect(place, source).returncode == 0
    assert collected(place) == {"tan.1": version(1), "tan.2": version(2)}


def test_a_name_that_two_students_share_is_nobodys(place: Path, tmp_path: Path) -> None:
    source = moodle(tmp_path / "d.zip", {"Mei Tan_7": {"training_loop.ipynb": RIGHT}})
    done = collect(place, source)
    assert done.returncode == 1
    assert "Mei Tan (7)" in done.stdout
    assert collected(place) == {}


def test_canvas(place: Path, tmp_path: Path) -> None:
    source = canvas(
        tmp_path / "submissions.zip",
        {
            "lovelaceada_31": {"training_loop-2.ipynb": version(1), "plot.csv": b"1,2\n"},
            "łukasiewiczzoë_LATE_32": {"training_loop.ipynb": version(2)},
            "tanmei_1005": {"training_loop-1.ipynb": version(3)},
        },
    )
    done = collect(place, source)
    assert done.returncode == 0, done.stdout
    assert collected(place) == {"ada": version(1), "zoe": version(2), "tan.2": version(3)}
    assert "late" in done.stdout
    assert stamp(place, "zoe") is None  # nothing says how late, and there is no due date


def test_canvas_late_against_the_due_date(place: Path, tmp_path: Path) -> None:
    due = "--duedate=2026-03-01 12:00:00 UTC"
    done = command("nbgrader", "db", "assignment", "add", NAME, due, cwd=place)
    assert done.returncode == 0, done.stderr
    source = canvas(
        tmp_path / "d.zip",
        {
            "lovelaceada_31": {"training_loop.ipynb": RIGHT},
            "santosobudi_LATE_33": {"training_loop.ipynb": RIGHT},
        },
    )
    assert collect(place, source).returncode == 0
    assert stamp(place, "budi.s") == "2026-03-01 12:00:01.000000 UTC"
    assert stamp(place, "ada") is None


def test_gradescope(place: Path, tmp_path: Path) -> None:
    pair = submitter("A. L.", "S-77", "") + "\n" + submitter("B.", "", "BUDI@example.org")
    source = gradescope(
        tmp_path / "export.zip",
        {
            pair: ("2026-02-27 21:14:05.123456789 Z", {"training_loop.ipynb": version(1)}),
            submitter("Zoë Łukasiewicz", "", ""): (
                "2026-03-02 00:10:00.000000000 +02:00",
                {"work.py": b"# %%\nimport torch\n\n# %%\ndef train(*a):\n    return []\n"},
            ),
        },
    )
    done = collect(place, source)
    assert done.returncode == 0, done.stdout
    found = collected(place)
    assert found["ada"] == found["budi.s"] == version(1)
    assert stamp(place, "ada") == "2026-02-27 21:14:05.123456 UTC"
    assert stamp(place, "zoe") == "2026-03-01 22:10:00.000000 UTC"
    assert (
        b"def train(*a)" in (place / "classroom/submitted/zoe" / NAME / f"{NAME}.py").read_bytes()
    )
    assert json.loads(found["zoe"])["nbformat"] == 4


def test_a_student_cannot_say_when_they_handed_in(place: Path, tmp_path: Path) -> None:
    forged = {f"{NAME}.ipynb": version(1), "timestamp.txt": b"2020-01-01 00:00:00 UTC"}
    who = submitter("Ada Lovelace", "", "")
    created = "2026-03-02 00:00:00 Z"
    for source in (
        moodle(tmp_path / "moodle.zip", {"Ada Lovelace_12": forged}),
        canvas(tmp_path / "canvas.zip", {"lovelaceada_1001": forged}),
        gradescope(tmp_path / "gradescope.zip", {who: (created, forged)}),
    ):
        shutil.rmtree(place / "classroom" / "submitted", ignore_errors=True)
        done = collect(place, source)
        assert collected(place) == {"ada": version(1)}, done.stdout
        stamps = [*(place / "classroom" / "submitted").glob("ada/*/timestamp.txt")]
        assert [path.read_text() for path in stamps] == (
            ["2026-03-02 00:00:00.000000 UTC"] if source.stem == "gradescope" else []
        )


def test_nbgraders_exchange_takes_the_newest_that_belongs(place: Path, tmp_path: Path) -> None:
    inbound = tmp_path / "exchange" / "course" / "inbound"
    attempts = {
        f"ada+{NAME}+2026-02-01 10:00:00.000000 UTC+abc": {f"{NAME}.ipynb": version(1)},
        f"ada+{NAME}+2026-02-03 10:00:00.000000 UTC+def": {
            f"{NAME}.ipynb": version(2),
            "timestamp.txt": b"2026-02-03 10:00:00.000000 UTC",
            "test_training_loop.py": b"def train(): pass",
        },
        f"ada+{NAME}+2026-02-04 10:00:00.000000 UTC+ghi": {"other.txt": b"nothing"},
        "ada+pitfalls+2026-02-05 10:00:00.000000 UTC": {f"{NAME}.ipynb": version(9)},
        f"budi.s+{NAME}+2026-02-02 10:00:00.000000 UTC+xyz": {f"{NAME}-Copy1.ipynb": version(3)},
    }
    for folder, theirs in attempts.items():
        for name, content in theirs.items():
            path = inbound / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    assert collect(place, inbound.parent).returncode == 0
    assert collected(place) == {"ada": version(2), "budi.s": version(3)}
    assert stamp(place, "ada") == "2026-02-03 10:00:00.000000 UTC"


@pytest.mark.parametrize(
    "name",
    [
        "ada/training_loop.ipynb",
        "ada/training_loop/training_loop.ipynb",
        "submitted/ada/training_loop/training_loop.ipynb",
        "Lovelace, Ada/my work/homework.ipynb",
        "ada.ipynb",
        "training_loop_ada.ipynb",
        "ADA training_loop (2).ipynb",
        "ada@example.org.ipynb",
        "week 3/Ada Lovelace - training_loop.ipynb",
    ],
)
def test_plain_folders_and_files(
    built_course: Path, roster: Roster, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "downloads" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(RIGHT)
    course = Course.load(built_course / "course.yml")
    found = find(course, NAME, files(tmp_path / "downloads"), roster)
    assert [work.student.id for work in found.collected] == ["ada"], found


@pytest.fixture
def roster(tmp_path: Path) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text(ROSTER, encoding="utf-8")
    return Roster.load(path)


def test_among_several_the_newest_that_belongs(place: Path, tmp_path: Path) -> None:
    other = solved("training_loop")
    other["cells"] = [code_cell('check("pitfalls.slope_at")')]
    files = {
        "ada/training_loop.ipynb": version(1),
        "ada/training_loop (1).ipynb": version(2),
        "ada/newest/pitfalls.ipynb": text(other).encode(),
        "ada/.ipynb_checkpoints/training_loop-checkpoint.ipynb": version(8),
        "__MACOSX/ada/._training_loop.ipynb": b"\0\5\26\7",
    }
    times = {name: (2026, 3, 1, 12, n, 0) for n, name in enumerate(files)}
    done = collect(place, zipped(tmp_path / "d.zip", files, times))
    assert done.returncode == 0
    assert collected(place) == {"ada": version(2)}
    assert "Several files" in done.stdout


def test_a_dry_run_writes_nothing(place: Path, tmp_path: Path) -> None:
    before = sorted(place.rglob("*"))
    source = moodle(tmp_path / "d.zip", {"Ada Lovelace_1": {"training_loop.ipynb": RIGHT}})
    done = collect(place, source, "--dry-run")
    assert done.returncode == 0
    assert "ada" in done.stdout
    assert "dry run" in done.stdout
    assert sorted(place.rglob("*")) == before


def test_a_dry_run_makes_no_gradebook(place: Path, tmp_path: Path) -> None:
    shutil.rmtree(place / "classroom")
    source = zipped(tmp_path / "d.zip", {"ada/training_loop.ipynb": RIGHT})
    before = sorted(place.rglob("*"))
    for options in ((), ("--enrol", "--roster", "nobody.csv"), ("--enrol",)):
        if options == ("--enrol",):
            (place / "roster.csv").unlink()
            before.remove(place / "roster.csv")
        collect(place, source, "--dry-run", *options)
        assert sorted(place.rglob("*")) == before


def test_a_resubmission_replaces_and_an_older_one_does_not(place: Path, tmp_path: Path) -> None:
    def at(day: int, content: bytes) -> Path:
        entry = {submitter("", "ada", ""): (f"2026-02-{day:02d} 12:00:00 Z", {"x.ipynb": content})}
        return gradescope(tmp_path / f"{day}.zip", entry)

    collect(place, at(10, version(1)))
    assert "there already" in collect(place, at(10, version(1))).stdout
    assert "replaces" in collect(place, at(12, version(2))).stdout
    assert collected(place) == {"ada": version(2)}
    assert "newer" in collect(place, at(11, version(3))).stdout
    assert collected(place) == {"ada": version(2)}


def test_no_name_leads_out_of_the_classroom(place: Path, tmp_path: Path) -> None:
    names = (
        "../../../ada/training_loop.ipynb",
        "/etc/ada/training_loop.ipynb",
        "ada\\..\\..\\training_loop.ipynb",
        "C:\\ada\\training_loop.ipynb",
        "ada/../../../../roster.csv",
        "../course.yml",
        "..\\..\\zoe/training_loop.ipynb",
        f"../../x+{NAME}+2026-01-01 10:00:00/training_loop.ipynb",
        f"..+{NAME}+2026-01-01 10:00:00/training_loop.ipynb",
        f".ssh+{NAME}+2026-01-01 10:00:00/training_loop.ipynb",
    )
    source = zipped(
        tmp_path / "d.zip",
        {**dict.fromkeys(names, RIGHT), "budi.s/training_loop.ipynb": version(1)},
    )
    before = {path: path.read_bytes() for path in outside(place)}
    collect(place, source, "--enrol")
    assert {path: path.read_bytes() for path in outside(place)} == before
    assert collected(place)["budi.s"] == version(1)
    assert set(collected(place)) <= {"ada", "budi.s", "zoe", "etc"}


def outside(place: Path) -> list[Path]:
    """Everything around the class, and in it, but the submissions and the gradebook."""
    submitted = place / "classroom" / "submitted"
    return [
        path
        for path in sorted(place.parent.rglob("*"))
        if path.is_file() and submitted not in path.parents and path.suffix not in (".db", ".zip")
    ]


@pytest.mark.parametrize(
    "student", ["..", ".", "a/b", "a\\b", "-rf", ".hidden", "nul\0", "x" * 130]
)
def test_an_id_that_is_no_folder_name_is_refused(tmp_path: Path, student: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(f'id,name\n"{student}",Eve\n', encoding="utf-8")
    with pytest.raises(AutogradedError, match=r"roster.csv:2|cannot be read"):
        Roster.load(path)


def test_links_and_pipes_are_left_alone(place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "downloads" / "ada"
    folder.mkdir(parents=True)
    (folder / "training_loop.ipynb").symlink_to(place / "course.yml")
    os.mkfifo(folder / "training_loop-2.ipynb")
    (folder / "mine.ipynb").write_bytes(RIGHT)
    assert collect(place, folder.parent).returncode == 0
    assert collected(place) == {"ada": RIGHT}


def test_a_damaged_archive_among_the_files(place: Path, tmp_path: Path) -> None:
    source = zipped(
        tmp_path / "d.zip",
        {"ada/work.zip": b"PK\3\4 nonsense", "zoe/training_loop.ipynb": RIGHT, "ada/a.txt": b""},
    )
    done = collect(place, source)
    assert done.returncode == 1
    assert "Nothing in it to grade" in done.stdout
    assert collected(place) == {"zoe": RIGHT}


def test_an_archive_that_unpacks_without_end(tmp_path: Path) -> None:
    zeros = {f"{n}.ipynb": b"0" * 2**20 for n in range(40)}
    inner = zipped(tmp_path / "inner.zip", zeros).read_bytes()
    bomb = zipped(tmp_path / "bomb.zip", {f"{n}.zip": inner for n in range(20)}).read_bytes()
    assert len(bomb) < 2**21
    read = [member.read() for member in members(bomb, (), Budget(2**24))]
    assert sum(len(content) for content in read if content is not None) <= 2**24


def test_without_a_class_nothing_is_collected(classroom: Path, tmp_path: Path) -> None:
    source = zipped(tmp_path / "d.zip", {"ada/training_loop.ipynb": RIGHT})
    done = collect(classroom, source)
    assert done.returncode == 2
    assert "roster.csv" in done.stderr
    assert "Traceback" not in done.stderr
    assert collect(classroom, source, "--enrol").returncode == 0
    assert collected(classroom) == {"ada": RIGHT}


def test_a_missing_source_is_said_before_a_missing_class(classroom: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(b"PK\3\4 nonsense")
    for source, sentence in ((tmp_path / "no.zip", "There is no"), (damaged, "not a zip archive")):
        done = collect(classroom, source)
        assert done.returncode == 2
        assert sentence in done.stderr
        assert "Nobody" not in done.stderr


def test_who_is_not_in_a_download_is_told_from_who_handed_in_nothing(
    place: Path, tmp_path: Path
) -> None:
    more = "".join(f"s{n:03d},,,,,\n" for n in range(200))
    (place / "roster.csv").write_text(ROSTER + more, encoding="utf-8")
    first = zipped(tmp_path / "1.zip", {"ada/x.ipynb": version(1), "zoe/x.ipynb": version(1)})
    second = zipped(tmp_path / "2.zip", {"budi.s/x.ipynb": version(2)})
    collect(place, first)
    done = collect(place, second)
    told = " ".join(done.stdout.split())
    assert "Not in this download, collected before (2): ada, zoe" in told
    assert "Handed in nothing (202): s000, s001" in told
    assert "s019 … and 182 more" in told
    assert "s020" not in told


def test_what_was_left_out_or_is_empty_is_an_exit_status(place: Path, tmp_path: Path) -> None:
    many = {f"ada/data/{n}.csv": b"1" for n in range(150)}
    for contents, sentence in (
        ({"ada/x.ipynb": RIGHT, **many}, "left out"),
        ({"ada/training_loop.ipynb": b""}, "the file is empty"),
    ):
        done = collect(place, zipped(tmp_path / "d.zip", contents))
        assert done.returncode == 1
        assert sentence in " ".join(done.stdout.split())


def test_a_moment_that_is_none_stops_no_grading(place: Path, tmp_path: Path) -> None:
    folder = place / "classroom" / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(RIGHT)
    (folder / "timestamp.txt").write_text("0001-01-01 00:00:00+14:00")
    done = command("nbgrader", "autograde", NAME, "--create", cwd=place)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "When it was handed in is not known" in done.stderr
    assert scores(place) == {"ada": 10.0}
    done = command("autograded", "grade", NAME, "--force", cwd=place)
    assert done.returncode == 0, done.stderr
    assert "timestamp.txt names no moment" in " ".join(done.stdout.split())
    done = collect(place, zipped(tmp_path / "d.zip", {"ada/training_loop.ipynb": version(2)}))
    assert done.returncode == 0, done.stderr


def test_the_gradebook_can_stand_in_for_a_roster(classroom: Path, tmp_path: Path) -> None:
    add = command("nbgrader", "db", "student", "add", "ada", "--first-name=Ada", cwd=classroom)
    assert add.returncode == 0, add.stderr
    source = zipped(tmp_path / "d.zip", {"ada/training_loop.ipynb": RIGHT})
    assert collect(classroom, source).returncode == 0


@pytest.mark.parametrize("source", ["nowhere", "course.yml/x"])
def test_no_such_source_is_one_sentence(place: Path, source: str) -> None:
    done = collect(place, Path(source))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_what_was_collected_is_graded(place: Path, tmp_path: Path) -> None:
    case = corpus.FOLDER / "a-python-file-without-cells" / "handed_in"
    source = moodle(
        tmp_path / "d.zip",
        {
            "Ada Lovelace_1": {"Zoë's loop.py": (case / f"{NAME}.py").read_bytes()},
            "Budi Santoso_2": {"x.ipynb": RIGHT},
        },
    )
    assert collect(place, source).returncode == 0
    done = command("nbgrader", "autograde", NAME, cwd=place)
    assert done.returncode == 0, done.stderr[-2000:]
    assert scores(place) == {"ada": 10.0, "budi.s": 10.0}
    listed = command("autograded", "repairs", NAME, cwd=place)
    assert "python-file" in listed.stdout
    assert "budi.s" not in listed.stdout


def scores(place: Path) -> dict[str, float]:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{place}/classroom/gradebook.db") as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(NAME)}


def test_nbgraders_zip_collect_knows_the_downloads(place: Path, tmp_path: Path) -> None:
    archive = place / "classroom" / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    source = canvas(
        tmp_path / "submissions.zip",
        {
            "lovelaceada_31": {
                "training_loop.ipynb": version(1),
                "training_loop-1.ipynb": version(2),
            },
            "santosobudi_LATE_33": {"homework.ipynb": version(3)},
            "nobody_34": {"training_loop.ipynb": version(4)},
        },
    )
    shutil.copy(source, archive / "submissions.zip")
    done = command("nbgrader", "zip_collect", NAME, cwd=place)
    assert done.returncode == 0, done.stderr
    assert collected(place) == {"ada": version(2), "budi.s": version(3)}
    assert "nobody (34) is not in the class" in done.stderr
