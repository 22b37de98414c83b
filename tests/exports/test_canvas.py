"""Grades into a gradebook as Canvas exports it."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from exports.school import command_line, table
from support import command

# Canvas: a byte-order mark where the user asked for it, CRLF or LF, a row on posting, the points
# with four spaces before them, read-only totals, names with commas in quotes, the test student.
HEADER = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Essay (70),relu_net (71),"
    '"Find and mend, with care (72)",Assignments Current Score,Final Grade'
)
POSTING = ",,,,,,,Manual Posting,,,"
POINTS = "    Points Possible,,,,,,5.00,10.00,10.00,(read only),(read only)"
ADA = '"Lovelace, Ada",31,S-77,ada@example.org,A,"likes ""loops"", a lot",4.50,,,90.00,A-'
ZOE = '"Łukasiewicz, Zoë",1002,,zoe.l,A,,EX,3.00,,50.00,'
BUDI = '"Santoso, Budi",33,,,B,=keep(1),,EX,,0.00,'
TAN_1 = '"Tan, Mei",34,,mei.tan@example.org,B,,,,,,'
TAN_2 = '"Tan, Mei",1005,,,B,,,N/A,,,'
FORMULA = '"@SUM(A1), Jr., =1+1",36,1006,,B,,,,,,'
STRANGER = '"Else, Somebody",99,S-99,else@example.org,B,,,2.00,,,'
TESTER = '"Student, Test",98,,b1946ac92492d2347c6235b4d2611184,A,,,,,,'
ROWS = (HEADER, POSTING, POINTS, ADA, ZOE, BUDI, TAN_1, TAN_2, FORMULA, STRANGER, TESTER)


def template(
    path: Path, rows: tuple[str, ...] = ROWS, *, mark: bool = True, end: str = "\r\n"
) -> Path:
    text = end.join(rows) + end
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + text.encode())
    return path


def export(school: Path, *more: str | Path) -> CompletedProcess[str]:
    words = ("export", "relu_net", "--format", "canvas", "-o", "out.csv")
    return command_line("autograded", *words, *more, cwd=school)


def grades(school: Path, column: int = 7) -> dict[str, str]:
    """What stands in a column of the written file, by name and Canvas's id."""
    return {f"{row[0]} {row[1]}": row[column] for row in table(school / "out.csv")}


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_only_one_column_changes(school: Path, mark: bool, end: str) -> None:
    source = template(school / "gradebook.csv", mark=mark, end=end)

    export(school, "--template", source)

    before, after = source.read_bytes(), (school / "out.csv").read_bytes()
    assert after.startswith(b"\xef\xbb\xbf") == mark
    assert after.count(b"\r\n") == before.count(b"\r\n")
    for old, new in zip(table(source), table(school / "out.csv"), strict=True):
        assert old[:7] + old[8:] == new[:7] + new[8:]
    # Rows of people whose grade does not change are there to the byte.
    lines = after.removeprefix(b"\xef\xbb\xbf").decode().split(end)
    assert len(lines) == len(ROWS) + 1
    for place, row in enumerate(ROWS):
        assert (lines[place] == row) == (row not in (ADA, ZOE, TAN_1, FORMULA))


def test_everybody_gets_their_own_grade(school: Path) -> None:
    done = export(school, "--template", template(school / "gradebook.csv"))

    assert grades(school) == {
        "Student ID": "relu_net (71)",
        " ": "Manual Posting",
        "    Points Possible ": "10.00",
        "Lovelace, Ada 31": "10",  # by SIS User ID, which is an alias
        "Łukasiewicz, Zoë 1002": "7.5",  # by ID
        "Santoso, Budi 33": "EX",
        "Tan, Mei 34": "3.3333",  # by login: two share the name
        "Tan, Mei 1005": "N/A",
        "@SUM(A1), Jr., =1+1 36": "5",
        "Else, Somebody 99": "2.00",
        "Student, Test 98": "",
    }
    assert "relu_net: 4 grades in 'relu_net (71)', 1 of them in the place of another" in done.stdout
    assert "Left as it was: Santoso, Budi (ID 33): excused (EX)." in done.stderr
    assert "Left as it was: Else, Somebody (ID 99): not in the class." in done.stderr
    assert "Not written: Tan, Mei (ID 1005): the assignment is not theirs in Canvas" in done.stderr
    assert "Student, Test" not in done.stderr
    assert done.returncode == 1  # Mei Tan's grade could not be written


def test_a_template_of_the_whole_class_is_exit_status_0(school: Path) -> None:
    rows = (HEADER, POINTS, ADA, ZOE, BUDI, TAN_1, TAN_2.replace("N/A", ""), FORMULA, STRANGER)
    done = export(school, "--template", template(school / "gradebook.csv", rows))

    assert done.returncode == 0, done.stderr
    assert grades(school)["Tan, Mei 1005"] == "6.6667"


def test_who_is_graded_and_not_in_the_template_is_named(school: Path) -> None:
    done = export(school, "--template", template(school / "gradebook.csv", (HEADER, POINTS, ADA)))

    assert done.returncode == 1
    assert "Not written: zoe: the template has no row for them." in done.stderr
    assert "late.enrolled" not in done.stderr  # nothing of theirs is graded


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        # The number Canvas has for one person is the id that another has here.
        ((ADA.replace("31", "1002", 1),), "it could be zoe or ada"),
        (('"Tan, Mei",777,,,B,,,,,,',), "tan.1 and tan.2 share the name"),
        ((ADA, ADA), "2 rows are those of ada"),
        # A name says one person, a login another.
        (('"Lovelace, Ada",31,,zoe@example.org,A,,,,,,',), "it could be zoe or ada"),
    ],
)
def test_a_doubtful_row_gets_no_grade(school: Path, rows: tuple[str, ...], why: str) -> None:
    source = template(school / "gradebook.csv", (HEADER, POINTS, *rows))

    done = export(school, "--template", source)

    assert done.returncode == 1
    assert why in done.stderr
    assert (school / "out.csv").read_bytes() == source.read_bytes()


def test_other_points_there_scale_every_grade_and_are_told(school: Path) -> None:
    points = POINTS.replace("10.00", "40.00", 1)
    done = export(
        school, "--template", template(school / "gradebook.csv", (HEADER, points, ADA, ZOE))
    )

    assert grades(school)["Lovelace, Ada 31"] == "40"
    assert grades(school)["Łukasiewicz, Zoë 1002"] == "30"
    assert (
        "relu_net (71) is worth 40 points there and 10 here: every grade was multiplied by 4"
        in (done.stderr)
    )


def test_manual_scores_and_penalties_count(explained: Path) -> None:
    source = template(explained / "gradebook.csv", (HEADER, POINTS, ADA, ZOE))
    done = command(
        *("autograded", "export", "relu_net", "pitfalls", "-f", "canvas", "-t", source),
        *("-o", "out.csv"),
        cwd=explained,
    )

    assert "'Find and mend, with care (72)'" not in done.stdout
    assert done.returncode == 2  # that title is not the assignment's
    assert "has a column for pitfalls not; its assignments are: Essay (70), relu_net (71)" in (
        done.stderr
    )
    assert not (explained / "out.csv").exists()

    done = command_line(
        *("autograded", "export", "pitfalls", "-f", "canvas", "-t", source, "--column", "72"),
        *("-o", "out.csv"),
        cwd=explained,
    )
    assert "worth 10 points there and 12 here" in done.stderr
    ada, zoe = (
        grades(explained, 8)[name] for name in ("Lovelace, Ada 31", "Łukasiewicz, Zoë 1002")
    )
    assert float(ada) == pytest.approx((10 + 1.5 + 0.25) * 10 / 12, abs=1e-4)
    assert float(zoe) == pytest.approx((7.5 - 2) * 10 / 12, abs=1e-4)
    assert "To be graded or confirmed by a person (5)" in done.stderr


def test_german_canvas_writes_semicolons_and_commas(school: Path) -> None:
    rows = (
        "Student;ID;SIS Login ID;Section;relu_net (71);Assignments Current Score",
        "    Points Possible;;;;10,00;(schreibgeschützt)",
        "Łukasiewicz, Zoë;1002;zoe;A;3,00;50,00",
    )
    export(school, "--template", template(school / "gradebook.csv", rows))

    written = table(school / "out.csv", ";")
    assert written[2] == ["Łukasiewicz, Zoë", "1002", "zoe", "A", "7,5", "50,00"]


def test_first_and_last_names_may_have_columns_of_their_own(school: Path) -> None:
    rows = (
        "LastName,FirstName,ID,SIS Login ID,Section,relu_net (71)",
        "    Points Possible,,,,,10.00",
        "Santoso,Budi,33,,B,",
    )
    export(school, "--template", template(school / "gradebook.csv", rows))

    assert table(school / "out.csv")[2][5] == "0"


@pytest.mark.parametrize(
    ("rows", "more", "sentence"),
    [
        (("Name,Grade", "Ada,1"), (), "is no gradebook of Canvas"),
        ((HEADER, POINTS, ADA), ("--column", "Essay (71)"), "has the column 'Essay (71)' not"),
        (
            (HEADER + ",RELU net (80)", POINTS + ",1", ADA),
            (),
            "a column for relu_net several times",
        ),
        ((HEADER, POINTS.replace("10.00", "(read only)"), ADA), (), "is (read only) in Canvas"),
    ],
)
def test_what_cannot_be_filled_is_one_sentence(
    school: Path, rows: tuple[str, ...], more: tuple[str, ...], sentence: str
) -> None:
    done = export(school, "--template", template(school / "gradebook.csv", rows), *more)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (school / "out.csv").exists()


def test_a_template_must_be_named_be_there_and_be_text(school: Path) -> None:
    (school / "latin.csv").write_bytes(HEADER.encode() + b"\n\xe9,1\n")
    (school / "empty.csv").write_bytes(b"")
    for more, sentence in (
        ((), "Name with --template what you downloaded"),
        (("--template", "nothing.csv"), "There is no template nothing.csv."),
        (("--template", "latin.csv"), "latin.csv is not UTF-8"),
        (("--template", "empty.csv"), "empty.csv has no header"),
        (("--template", "."), "cannot be read: Is a directory."),
    ):
        done = export(school, *more)
        assert done.returncode == 2
        assert sentence in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_nbgrader_exports_the_same(school: Path) -> None:
    source = template(school / "gradebook.csv")
    export(school, "--template", source)

    done = command(
        *("nbgrader", "export", "--exporter=autograded.exports.plugins.CanvasExport"),
        *(f"--TemplateExport.template={source}", "--assignment=['relu_net']", "--to=plugin.csv"),
        cwd=school,
    )

    assert (school / "plugin.csv").read_bytes() == (school / "out.csv").read_bytes()
    assert done.returncode == 1
    assert "excused (EX)" in done.stderr


def test_nbgrader_says_in_a_sentence_what_is_wrong(school: Path) -> None:
    done = command(
        *("nbgrader", "export", "--exporter=autograded.exports.plugins.CanvasExport"), cwd=school
    )

    assert done.returncode == 1
    assert "Name with --template" in done.stderr
    assert "Traceback" not in done.stderr
