"""Whose a file is: what lies at the top of a download says it, and nothing that a student names."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograded.collecting import downloads as reading
from autograded.collecting.collect import Collection
from autograded.collecting.collect import collect as find
from autograded.collecting.downloads import Download, files
from autograded.collecting.roster import Roster, Student
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.submissions import archives
from collecting.downloads import ROSTER, Files, canvas, gradescope, moodle, submitter, zipped
from submissions.corpus import code_cell, solved, text

NAME = "training_loop"
EXCHANGE = f"budi.s+{NAME}+2026-02-03 10:00:00.000000 UTC+abc"


def version(number: int) -> bytes:
    """Right work that can be told from other right work."""
    notebook = solved(NAME)
    notebook["cells"].append(code_cell(f"print('version {number}')"))
    return text(notebook).encode()


OWN, FORGED = version(1), version(2)


@pytest.fixture
def course(built_course: Path) -> Course:
    return Course.load(built_course / "course.yml")


@pytest.fixture
def roster(tmp_path: Path) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text(ROSTER, encoding="utf-8")
    return Roster.load(path)


def collected(found: Collection) -> dict[str, bytes]:
    return {one.student.id: one.files[f"{NAME}.ipynb"] for one in found.collected}


def in_folder(place: Path, contents: Files) -> Path:
    for name, content in contents.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return place


def pack(tmp_path: Path, contents: Files) -> bytes:
    return zipped(tmp_path / "packed.zip", contents).read_bytes()


STOLEN = b"""\
submission_90000:
  :submitters:
  - :name: Budi Santoso
submission_90001:
  :submitters:
  - :name: Ada Lovelace
"""


def exported(tmp_path: Path, budis: Files) -> Path:
    return gradescope(
        tmp_path / "export.zip",
        {
            submitter("Ada Lovelace", "ada", ""): ("2026-02-01 00:00:00 Z", {"x.ipynb": OWN}),
            submitter("Budi Santoso", "budi.s", ""): ("2026-02-01 00:00:00 Z", budis),
        },
    )


@pytest.mark.parametrize("where", ["beside", "deeper", "packed"])
@pytest.mark.parametrize("as_folder", [False, True])
def test_a_student_cannot_say_whose_a_gradescope_submission_is(
    course: Course, roster: Roster, tmp_path: Path, where: str, as_folder: bool
) -> None:
    metadata = {"submission_metadata.yml": STOLEN, "submission_90000/x.ipynb": FORGED}
    budis: dict[str, Files] = {
        "beside": {"x.ipynb": FORGED, "submission_metadata.yml": STOLEN},
        "deeper": {"x.ipynb": FORGED, "a/submission_metadata.yml": STOLEN},
        "packed": {"x.ipynb": FORGED, "a.zip": pack(tmp_path, metadata)},
    }
    source = exported(tmp_path, budis[where])
    if as_folder:
        folder = tmp_path / "unpacked"
        archives.zipfile.ZipFile(source).extractall(folder)
        source = folder
    found = find(course, NAME, files(source), roster)
    assert collected(found) == {"ada": OWN, "budi.s": FORGED}


def test_two_gradescope_exports_at_once_are_refused(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    one = exported(tmp_path, {"x.ipynb": OWN})
    source = tmp_path / "two"
    for name in ("monday", "friday"):
        archives.zipfile.ZipFile(one).extractall(source / name)
    with pytest.raises(AutogradedError, match="one export at a time"):
        find(course, NAME, files(source), roster)


def test_gradescopes_folders_without_its_metadata_are_nobodys(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    source = zipped(
        tmp_path / "d.zip",
        {
            "export/submission_1/submission_metadata.yml": b"submission_9:\n  :submitters: []\n",
            "export/submission_1/budi.s/x.ipynb": FORGED,
        },
    )
    found = find(course, NAME, files(source), roster)
    assert collected(found) == {}
    assert list(found.unknown) == ["submission_1"]


def test_broken_metadata_of_gradescope_is_one_sentence(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    for content in (b"a: [}", b"- 1", b"\xff\xfe\x00"):
        source = zipped(
            tmp_path / "d.zip",
            {"e/submission_metadata.yml": content, "e/submission_1/x.ipynb": OWN},
        )
        with pytest.raises(AutogradedError, match=r"submission_metadata\.yml"):
            find(course, NAME, files(source), roster)


def test_a_students_broken_metadata_stops_nothing(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    budis = {"x.ipynb": FORGED, "submission_metadata.yml": b"a: [}"}
    plain = {f"budi.s/{name}": content for name, content in budis.items()}
    for source in (
        moodle(tmp_path / "m.zip", {"Ada Lovelace_1": {"x.ipynb": OWN}, "Budi Santoso_2": budis}),
        zipped(tmp_path / "d.zip", {"ada/x.ipynb": OWN, **plain}),
        exported(tmp_path, budis),
    ):
        found = find(course, NAME, files(source), roster)
        assert collected(found) == {"ada": OWN, "budi.s": FORGED}


@pytest.mark.parametrize(
    "name",
    [
        "x_1002_1_training_loop.ipynb",
        "Zoë Łukasiewicz_502_assignsubmission_file_/training_loop.ipynb",
        f"{EXCHANGE}/training_loop.ipynb",
        "submission_90001/training_loop.ipynb",
        "zoe/training_loop.ipynb",
        "work/budi.s/training_loop.ipynb",
        "budi.s.ipynb",
        "relu_2026_11_30.ipynb",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_names_in_a_students_folder_say_nothing_about_whose_they_are(
    course: Course, roster: Roster, tmp_path: Path, name: str, packed: bool
) -> None:
    hers: Files = {name: FORGED}
    if packed:
        hers = {"work.zip": pack(tmp_path, hers)}
    others = {"Zoë Łukasiewicz": ("zoe", version(3)), "Budi Santoso": ("budi.s", version(4))}
    expected = {"ada": FORGED, "zoe": version(3), "budi.s": version(4)}
    sources = [
        moodle(
            tmp_path / "m.zip",
            {
                "Ada Lovelace_501": hers,
                **{f"{who}_502": {"x.ipynb": work} for who, (_, work) in others.items()},
            },
        ),
        zipped(
            tmp_path / "d.zip",
            {
                **{f"ada/{path}": content for path, content in hers.items()},
                **{f"{student}/x.ipynb": work for student, work in others.values()},
            },
        ),
        gradescope(
            tmp_path / "g.zip",
            {
                submitter("Ada Lovelace", "", ""): ("2026-02-01 00:00:00 Z", hers),
                **{
                    submitter(who, "", ""): ("2026-02-01 00:00:00 Z", {"x.ipynb": work})
                    for who, (_, work) in others.items()
                },
            },
        ),
    ]
    if packed or "/" not in name:
        sources.append(
            canvas(
                tmp_path / "c.zip",
                {
                    "lovelaceada_1001": hers,
                    "łukasiewiczzoë_1002": {"x.ipynb": version(3)},
                    "santosobudi_7": {"x.ipynb": version(4)},
                },
            )
        )
    for source in sources:
        found = find(course, NAME, files(source), roster)
        assert collected(found) == expected, source
        assert not found.unknown


def test_behind_canvas_prefix_a_name_may_look_like_anything(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    for name in (
        "x_1002_assignsubmission_file_training_loop.ipynb",
        f"{EXCHANGE}.zip",
        "zoe_1002_7_training_loop.ipynb",
    ):
        content = pack(tmp_path, {"x.ipynb": OWN}) if name.endswith(".zip") else OWN
        source = canvas(tmp_path / "c.zip", {"lovelaceada_1001": {name: content}})
        assert collected(find(course, NAME, files(source), roster)) == {"ada": OWN}


def test_an_archive_named_after_a_student_is_theirs_alone(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    contents = {
        "ada.zip": pack(tmp_path, {"budi.s/x.ipynb": FORGED, "timestamp.txt": b"2020-01-01"}),
        "budi.s.zip": pack(tmp_path, {"x.ipynb": OWN}),
    }
    for source in (
        in_folder(tmp_path / "downloads", contents),
        zipped(tmp_path / "d.zip", contents),
    ):
        found = find(course, NAME, files(source), roster)
        assert collected(found) == {"ada": FORGED, "budi.s": OWN}
        assert [one.submitted for one in found.collected] == [None, None]


@pytest.mark.parametrize(
    "names",
    [
        ("A/ada/x.ipynb", "B/budi.s/x.ipynb"),
        ("course/inbound/" + EXCHANGE.replace("budi.s", "ada") + "/x.ipynb",
         f"course/inbound/{EXCHANGE}/x.ipynb",
         f"course/outbound/{NAME}/x.ipynb",
         *(f"course/feedback/{n}.html" for n in range(9))),
        ("week 3/ada.ipynb", "week 3/Budi Santoso - training_loop (1).ipynb"),
    ],
)  # fmt: skip
def test_folders_around_the_submissions(
    course: Course, roster: Roster, tmp_path: Path, names: tuple[str, ...]
) -> None:
    source = zipped(tmp_path / "d.zip", dict.fromkeys(names, OWN))
    found = find(course, NAME, files(source), roster)
    assert collected(found) == {"ada": OWN, "budi.s": OWN}
    assert not found.unknown


def test_a_class_archive_in_a_folder(course: Course, roster: Roster, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    folder.mkdir()
    moodle(folder / "submissions.zip", {"Ada Lovelace_1": {"x.ipynb": OWN}})
    assert collected(find(course, NAME, files(folder), roster)) == {"ada": OWN}


def test_somebody_unknown_is_nobody_else(course: Course, roster: Roster, tmp_path: Path) -> None:
    source = zipped(
        tmp_path / "d.zip",
        {"eve/budi.s/x.ipynb": FORGED, "mallory/x.ipynb": OWN, "trent/x.ipynb": OWN},
    )
    found = find(course, NAME, files(source), roster)
    assert collected(found) == {}
    assert sorted(found.unknown) == ["eve", "mallory", "trent"]


def test_enrolled_ids_that_are_one_folder_elsewhere(course: Course, tmp_path: Path) -> None:
    source = zipped(tmp_path / "d.zip", {"ada/x.ipynb": OWN, "Ada/x.ipynb": FORGED})
    found = find(course, NAME, files(source), Roster([]), enrol=True)
    assert collected(found) == {"ada": OWN} or collected(found) == {"Ada": FORGED}
    assert len(found.unknown) == 1


@pytest.mark.parametrize("stamp", ["0001-01-01 00:00:00+14:00", "9999-99-99 99:99:99", "soon"])
def test_a_moment_that_is_none_is_said(
    course: Course, roster: Roster, tmp_path: Path, stamp: str
) -> None:
    source = zipped(tmp_path / "d.zip", {"ada/x.ipynb": OWN, "ada/timestamp.txt": stamp.encode()})
    (work,) = find(course, NAME, files(source), roster).collected
    assert work.submitted is None
    assert "when it was handed in is not known: timestamp.txt names no moment" in work.notes


def test_a_virtual_environment_hides_nobodys_work(
    course: Course, roster: Roster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 20)
    junk = dict.fromkeys((f"ada/venv/lib/{n}.txt" for n in range(100)), b"")
    contents = {"ada/x.ipynb": OWN, **junk, "budi.s/x.ipynb": FORGED}
    found = find(course, NAME, files(zipped(tmp_path / "d.zip", contents)), roster)
    assert collected(found) == {"ada": OWN, "budi.s": FORGED}
    assert not any(one.doubtful for one in found.collected)


def test_too_many_files_of_one_student_are_named(
    course: Course, roster: Roster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 20)
    monkeypatch.setattr(reading, "MOST_MEMBERS", 20)
    many = dict.fromkeys((f"runs/{n}.txt" for n in range(100)), b"")
    for hers in (many, {"work.zip": pack(tmp_path, many)}):
        contents = {
            "ada/training_loop.ipynb": OWN,
            **{f"ada/{name}": content for name, content in hers.items()},
            "budi.s/x.ipynb": FORGED,
        }
        found = find(course, NAME, files(zipped(tmp_path / "d.zip", contents)), roster)
        assert collected(found) == {"ada": OWN, "budi.s": FORGED}
        (of_ada,) = [one for one in found.collected if one.doubtful]
        assert of_ada.student.id == "ada"
        assert any("left out" in note and "runs/" in note for note in of_ada.notes)


def test_of_files_that_are_no_work_those_cut_off_are_named_first(
    course: Course, roster: Roster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_MEMBERS", 20)
    source = zipped(tmp_path / "d.zip", {f"ada/{n:02d}.txt": b"" for n in range(30)})
    found = find(course, NAME, files(source), roster)
    assert found.without_work["ada"][0] == "ada/20.txt (too large, or one too many)"


def test_what_cannot_be_read_is_nothing_to_grade(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    source = tmp_path / "d.zip"
    with archives.zipfile.ZipFile(source, "w") as archive:
        link = archives.zipfile.ZipInfo("ada/training_loop.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("budi.s/../../training_loop.ipynb", OWN)
        archive.writestr(".", b"")
        archive.writestr("zoe/work.zip", b"PK\3\4 nonsense")
        archive.writestr("tan.1/.ipynb_checkpoints/training_loop.ipynb", OWN)
    found = find(course, NAME, files(source), roster)
    assert collected(found) == {}
    assert sorted(found.without_work) == ["ada", "budi.s", "tan.1", "zoe"]
    assert "link" in found.without_work["ada"][0]
    assert [one.id for one in found.absent] == ["tan.2"]


def test_an_empty_file_is_said_to_be_empty(course: Course, roster: Roster, tmp_path: Path) -> None:
    source = zipped(tmp_path / "d.zip", {"ada/training_loop.ipynb": b""})
    (work,) = find(course, NAME, files(source), roster).collected
    assert "the file is empty" in work.notes
    assert work.doubtful


def without_check_cells(name: str) -> bytes:
    notebook = solved(name)
    notebook["cells"] = [c for c in notebook["cells"] if "check(" not in "".join(c["source"])]
    return text(notebook).encode()


@pytest.mark.parametrize("filename", ["relu_net.ipynb", "backward.ipynb", "homework.ipynb"])
def test_work_on_another_assignment_does_not_belong(
    course: Course, roster: Roster, tmp_path: Path, filename: str
) -> None:
    source = zipped(tmp_path / "d.zip", {f"ada/{filename}": without_check_cells("relu_net")})
    found = find(course, "backward", files(source), roster)
    assert list(found.without_work) == ["ada"]
    assert [
        one.student.id for one in find(course, "relu_net", files(source), roster).collected
    ] == ["ada"]


def test_a_notebook_named_after_another_assignment_does_not_belong(
    course: Course, roster: Roster, tmp_path: Path
) -> None:
    nothing = text({**solved("relu_net"), "cells": [code_cell("1 + 1")]}).encode()
    source = zipped(tmp_path / "d.zip", {"ada/relu net final.ipynb": nothing})
    assert list(find(course, "backward", files(source), roster).without_work) == ["ada"]


def test_many_owners_of_many_files_are_read_in_one_pass() -> None:
    students = [Student(f"s{n:03d}") for n in range(300)]
    members = [
        archives.Member((one.id, f"{n}.txt"), 0, None, lambda: b"")
        for one in students
        for n in range(50)
    ]
    found = list(Download(members, NAME, Roster(students)).found())
    assert len(found) == len(members)


GROUPS = """\
id,first_name,last_name,aliases
ada,Ada,Lovelace,701
budi,Budi,Santoso,701
jun,Jun,Kim,
min,Min-jun,Kim,
marie,Anne-Marie,Le-Blanc,
"""


def in_groups(tmp_path: Path, course: Course, *prefixes: str) -> Collection:
    path = tmp_path / "groups.csv"
    path.write_text(GROUPS, encoding="utf-8")
    theirs: dict[str, Files] = {
        prefix: {"x.ipynb": version(number)} for number, prefix in enumerate(prefixes)
    }
    return find(course, NAME, files(moodle(tmp_path / "m.zip", theirs)), Roster.load(path))


@pytest.mark.parametrize(
    ("prefix", "student"),
    [
        ("Group A-Ada Lovelace_501", "ada"),
        ("Default group-LOVELACE Ada_501", "ada"),
        ("Lab 3-Team-Red-Ada Lovelace_501", "ada"),
        ("-Ada Lovelace_501", "ada"),
        ("A-B-Anne-Marie Le-Blanc_501", "marie"),
        ("Anne-Marie Le-Blanc_501", "marie"),
    ],
)
def test_a_group_may_stand_before_a_name_in_moodle(
    course: Course, tmp_path: Path, prefix: str, student: str
) -> None:
    assert collected(in_groups(tmp_path, course, prefix)) == {student: version(0)}


def test_behind_a_groups_name_only_one_student_may_fit(course: Course, tmp_path: Path) -> None:
    found = in_groups(tmp_path, course, "Group A-Min-jun Kim_501")
    assert collected(found) == {}
    assert list(found.unclear) == ["Group A-Min-jun Kim (501), who could be jun or min"]
    found = in_groups(tmp_path, course, "Min-jun Kim_501", "Group A-Ada King_502")
    assert collected(found) == {"min": version(0)}
    assert list(found.unknown) == ["Group A-Ada King (502)"]


def test_what_somebody_calls_themselves_takes_nobodys_place(course: Course, tmp_path: Path) -> None:
    found = in_groups(tmp_path, course, "Ada Lovelace_501", "Eve-Ada Lovelace_502")
    assert collected(found) == {"ada": version(0)}
    assert list(found.unknown) == ["Eve-Ada Lovelace (502)"]
    for other in ("Ada Lovelace_502", "lovelace ada_502"):
        found = in_groups(tmp_path, course, "Ada Lovelace_501", other)
        assert collected(found) == {}
        assert len(found.unclear) == 2


def test_an_alias_that_two_students_share_is_said_to_be_shared(
    course: Course, tmp_path: Path
) -> None:
    found = in_groups(tmp_path, course, "Team Red_701")
    assert collected(found) == {}
    assert not found.unknown
    assert list(found.unclear) == ["Team Red (701), who could be ada or budi"]


def test_a_shared_alias_in_gradescope_and_in_folders(course: Course, tmp_path: Path) -> None:
    path = tmp_path / "groups.csv"
    path.write_text(GROUPS, encoding="utf-8")
    by_sid = {submitter("Team", "701", ""): ("2026-02-01 00:00:00 Z", {"x.ipynb": OWN})}
    for source in (
        gradescope(tmp_path / "g.zip", by_sid),
        zipped(tmp_path / "d.zip", {"701/x.ipynb": OWN, "marie/x.ipynb": OWN}),
        zipped(tmp_path / "c.zip", {"team_701_9001_x.ipynb": OWN}),
    ):
        found = find(course, NAME, files(source), Roster.load(path), enrol=True)
        assert "ada or budi" in next(iter(found.unclear)), source
        assert not found.unknown
