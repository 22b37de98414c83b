"""roster.csv: what is refused, in one sentence with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograded.collecting.roster import Roster
from autograded.errors import AutogradedError


def load(tmp_path: Path, text: str) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return Roster.load(path)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('id,first_name\nada,"Ada\nbudi,Budi\nmul,M\n', 2),
        ('id,first_name\nada,Ada\nbudi,"Budi\nmul,"M"\n', 3),
        ('id,first_name,last_name\nada,"Ada,L\nbudi,Budi,S\nmul,M",M\n', 2),
        ('id,"first_name\nada,Ada\n', 1),
        ("id,email\nada," + "x" * 200_000 + "\n", 2),
        ("id,email\n" + "x" * 200_000, 2),
    ],
)
def test_a_line_that_swallows_others_is_refused(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(AutogradedError, match=rf"roster\.csv:{line}: .*quote"):
        load(tmp_path, text)


@pytest.mark.parametrize("other", ["Ada", "ADA", "ada"])
def test_two_ids_that_are_one_folder_elsewhere_are_refused(tmp_path: Path, other: str) -> None:
    with pytest.raises(AutogradedError, match=r"roster\.csv:3"):
        load(tmp_path, f"id\nada\n{other}\n")


@pytest.mark.parametrize("device", ["CON", "con", "nul.txt", "COM1", "lpt9", "Aux.b.c"])
def test_the_name_of_a_device_is_no_id(tmp_path: Path, device: str) -> None:
    with pytest.raises(AutogradedError, match=r"roster\.csv:3"):
        load(tmp_path, f"id\nada\n{device}\n")


def test_quotes_semicolons_marks_and_empty_lines_are_read(tmp_path: Path) -> None:
    lines = ('"id";"first_name";"last_name"', '"ada";"A""da";"L, M"', "", "budi;;", "conny;;", "")
    roster = load(tmp_path, "\ufeff" + "\r\n".join(lines))
    assert [student.id for student in roster.students] == ["ada", "budi", "conny"]
    assert roster.by_id["ada"].name == 'A"da L, M'


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Elif Yılmaz", "Elif Yilmaz"),
        ("Elif Yılmaz", "ELIF YILMAZ"),
        ("Søren Sørensen", "Soren Sorensen"),
        ("Łukasz Wójcik", "Lukasz Wojcik"),
        ("Łukasz Wójcik", "wojciklukasz"),
        ("Đorđe Ðórsson", "Dorsson Dorde"),
        ("Ægir Œuvre", "Aegir Oeuvre"),
        ("Þór Strauß", "Thor Strauss"),
        ("İpek Işık", "Ipek Isik"),
        ("Lukasz Sorensen", "Łukasz Sørensen"),
    ],
)
def test_letters_that_a_system_does_not_have_are_found(
    tmp_path: Path, written: str, found: str
) -> None:
    roster = load(tmp_path, f"id,name\nx,{written}\ny,Ada Lovelace\n")
    student = roster.named(found)
    assert student is not None
    assert student.id == "x"


def test_two_students_whom_only_such_a_letter_tells_apart_are_not_mixed_up(tmp_path: Path) -> None:
    roster = load(tmp_path, "id,name\nx,Søren Berg\ny,Soren Berg\n")
    student = roster.named("Søren Berg")
    assert student is not None
    assert student.id == "x"
    assert roster.named("Soren Berg") is None
