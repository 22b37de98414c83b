"""Grades into an offline grading worksheet as Moodle lets one download it."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from exports.school import command_line, table
from support import command

# Moodle: quotes where a text has a space, CRLF or LF, a participant's number that means nothing
# elsewhere, dates in words, comments over several lines.
ENGLISH = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"'
)
GERMAN = (
    'ID,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung,Bestwertung,'
    '"Bewertung kann geändert werden","Zuletzt geändert (Abgabe)","Zuletzt geändert (Bewertung)",'
    '"Feedback als Kommentar"'
)
INDONESIAN = (
    '"Tanda pengenal","Nama lengkap","Alamat surel",Status,Nilai,"Nilai maksimum",'
    '"Nilai bisa diubah","Terakhir diubah (ajuan)","Terakhir diubah (nilai)",'
    '"Komentar umpan balik."'
)
FRENCH = (
    'Identifiant,"Nom complet","Adresse de courriel",Statut,Note,"Note maximale",'
    '"La note peut être modifiée","Dernière modification (travail remis)",'
    '"Dernière modification (note)","Feedback par commentaires"'
)
SPANISH = (
    'Identificador,"Nombre completo","Dirección de correo",Estado,Calificación,'
    '"Calificación máxima","La calificación puede ser cambiada","Última modificación (entrega)",'
    '"Última modificación (calificación)","Comentarios de retroalimentación"'
)
BRAZILIAN = (
    'Identificador,"Nome completo","Endereço de email",Status,Nota,"Nota máxima",'
    '"Nota pode ser alterada","Última modificação (envio)","Última modificação (nota)",'
    '"Comentários de feedback"'
)
ADA = (
    '"Participant 101","Ada Lovelace",ada@example.org,"Submitted for grading - ",4.00,10.00,Yes,'
    '"Sunday, 1 March 2026, 12:30 PM",-,"=1+1, she ""said"":\nsee above"'
)
ZOE = 'Participant102,"Zoë Łukasiewicz",,"No submission",,10.00,Yes,-,-,'
BUDI = '"Participant 103","Budi Santoso",BUDI@example.org,,9.00,10.00,No,-,"Monday, 2 March 2026",'
TAN = '"Participant 104","Mei Tan",,,,10.00,Yes,-,-,'
TAN_1 = '"Participant 105","Mei Tan",mei.tan@example.org,,,10.00,Yes,-,-,'
STRANGER = '"Participant 1002","Somebody Else",else@example.org,,2.00,10.00,Yes,-,-,'


def worksheet(path: Path, *rows: str, mark: bool = False, end: str = "\n") -> Path:
    text = end.join(rows) + end
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + text.encode())
    return path


def export(school: Path, *more: str | Path, name: str = "relu_net") -> CompletedProcess[str]:
    words = ("export", name, "--format", "moodle", "-o", "out.csv")
    return command_line("autograded", *words, *more, cwd=school)


def test_only_the_grades_change(school: Path) -> None:
    source = worksheet(school / "w.csv", ENGLISH, ADA, ZOE, BUDI, TAN, TAN_1, STRANGER, mark=True)

    done = export(school, "--template", source)

    before, after = table(source), table(school / "out.csv")
    assert [row[4] for row in after] == ["Grade", "10", "7.5", "9.00", "", "3.3333", "2.00"]
    for old, new in zip(before, after, strict=True):
        assert old[:4] + old[5:] == new[:4] + new[5:]
    written = (school / "out.csv").read_bytes()
    for row in (ENGLISH, BUDI, TAN, STRANGER):
        assert row.encode() in written
    assert written.startswith(b"\xef\xbb\xbf")
    assert done.returncode == 1
    said = done.stderr
    assert "Not written: Budi Santoso (Participant 103): locked in Moodle, and has 9.00." in said
    assert "Not written: Mei Tan (Participant 104): the row is nobody's for certain, " in said
    assert "tan.1 and tan.2 share the name" in said
    # Zoë's alias 1002 is a number of another system's.
    assert "Left as it was: Somebody Else (Participant 1002): not in the class." in said


def test_a_participants_number_is_an_alias_only(school: Path) -> None:
    """A number of Moodle's must not be taken for a student's id that looks the same."""
    roster = (school / "roster.csv").read_text().replace("1005", "1005 Participant_9 109")
    (school / "roster.csv").write_text(roster)
    blind = 'Identifier,Status,Grade,"Maximum Grade","Last modified (grade)"'
    source = worksheet(
        school / "w.csv", blind, '"Participant 109",,,10.00,-', '"Participant 110",,,10.00,-'
    )

    done = export(school, "--template", source)

    assert [row[2] for row in table(school / "out.csv")] == ["Grade", "6.6667", ""]
    assert "Left as it was: Participant 110: not in the class." in done.stderr


def test_all_done_is_exit_status_0(school: Path) -> None:
    rows = [ADA, ZOE, BUDI.replace("No", "Yes"), TAN_1]
    rows += ['"Participant 106","Mei Tan",mei.tan2@example.org,,,10.00,Yes,-,-,']
    rows += ['"Participant 107",,formula@example.org,,,10.00,Yes,-,-,', "", STRANGER]
    done = export(school, "--template", worksheet(school / "w.csv", ENGLISH, *rows, end="\r\n"))

    assert done.returncode == 0, done.stderr
    assert "relu_net: 6 grades in 'Grade', 2 of them in the place of another" in done.stdout


@pytest.mark.parametrize(
    ("header", "yes", "no", "participant"),
    [
        (GERMAN, "Ja", "Nein", "Teilnehmer/in101"),
        (INDONESIAN, "Ya", "Tidak", "Peserta 101"),
        (FRENCH, "Oui", "Non", "Participant 101"),
        (SPANISH, "Sí", "No", "Participante 101"),
        (BRAZILIAN, "Sim", "Não", "Participante101"),
    ],
)
def test_headers_and_numbers_of_other_languages(
    school: Path, header: str, yes: str, no: str, participant: str
) -> None:
    rows = (
        f'{participant},"Zoë Łukasiewicz",zoe@example.org,"…","3,00","10,00",{yes},-,-,',
        f'{participant}1,"Ada Lovelace",ada@example.org,"…","3,00","10,00",{no},-,-,',
        f'{participant}2,"Mei Tan",mei.tan@example.org,"…",,"10,00",{yes},-,-,',
    )
    done = export(school, "--template", worksheet(school / "w.csv", header, *rows))

    assert [row[4] for row in table(school / "out.csv")][1:] == ["7,5", "3,00", "3,3333"]
    assert "locked in Moodle" in done.stderr


def test_another_maximum_scales_and_says_so(explained: Path) -> None:
    row = ADA.replace("10.00", "100.00")
    done = export(
        explained, "--template", worksheet(explained / "w.csv", ENGLISH, row), name="pitfalls"
    )

    grade = float(table(explained / "out.csv")[1][4])
    assert grade == pytest.approx(11.75 / 12 * 100, abs=1e-4)
    assert "is worth 100 points there and 12 here: every grade was multiplied by 8.33333" in (
        done.stderr
    )


def test_a_word_that_is_neither_yes_nor_no_leaves_the_grade(school: Path) -> None:
    source = worksheet(school / "w.csv", ENGLISH, ADA.replace("Yes", "Kyllä"))
    done = export(school, "--template", source)

    assert (school / "out.csv").read_bytes() == source.read_bytes()
    assert "whether it may be changed is not clear (Kyllä)" in done.stderr
    assert done.returncode == 1


FINNISH = ENGLISH.replace("Identifier", "Tunniste").replace("Grade,", "Arvosana,", 1)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (("a,b,c", "1,2,3"), "no offline grading worksheet of Moodle in a language known here"),
        ((ENGLISH.replace(",Grade,", ",Arvosana,"), ADA), "there must be one column Grade"),
        (
            (ENGLISH.replace('"Last modified (grade)"', "X"), ADA),
            "there must be one column Last modified (grade)",
        ),
        ((GERMAN.replace("Bestwertung", "Skala"), ADA), "graded with the words of a scale (Skala)"),
        ((ENGLISH, ADA, ZOE.replace("10.00", "20.00")), "is not one number for all"),
    ],
)
def test_what_is_not_recognised_names_the_columns(
    school: Path, rows: tuple[str, ...], sentence: str
) -> None:
    done = export(school, "--template", worksheet(school / "w.csv", *rows))

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (school / "out.csv").exists()
    if "scale" not in sentence and "number" not in sentence:
        assert rows[0].replace('"', "").replace(",", ", ") in done.stderr


def test_the_grade_column_of_an_unknown_language_can_be_named(school: Path) -> None:
    done = export(
        school, "-t", worksheet(school / "w.csv", FINNISH, ADA, ZOE), "--column", "Arvosana"
    )

    assert [row[4] for row in table(school / "out.csv")] == ["Arvosana", "10", "7.5"]
    assert "2 grades in 'Arvosana'" in done.stdout


def test_a_column_of_yes_and_no_is_known_by_what_it_holds(school: Path) -> None:
    header = ENGLISH.replace("Grade can be changed", "Cijfer mag veranderen")
    rows = (ADA.replace("Yes", "Ja"), BUDI.replace("No,", "Nee,"))
    done = export(school, "--template", worksheet(school / "w.csv", header, *rows))

    assert [row[4] for row in table(school / "out.csv")] == ["Grade", "10", "9.00"]
    assert "Budi Santoso (Participant 103): locked in Moodle" in done.stderr


def test_long_texts_are_kept(school: Path) -> None:
    essay = ADA.replace("see above", "see above " * 50_000)
    export(school, "--template", worksheet(school / "w.csv", ENGLISH, essay))

    assert len(table(school / "out.csv")[1][9]) > 500_000


def test_one_assignment_at_a_time(school: Path) -> None:
    source = worksheet(school / "w.csv", ENGLISH, ADA)
    words = ("export", "relu_net", "pitfalls", "-f", "moodle", "-t", str(source))
    done = command_line("autograded", *words, cwd=school)

    assert done.returncode == 2
    assert "This format holds one assignment" in done.stderr


def test_as_real_commands(school: Path) -> None:
    source = worksheet(school / "w.csv", ENGLISH, ADA, ZOE)
    ours = command("autograded", "export", "relu_net", "-f", "moodle", "-t", source, cwd=school)
    theirs = command(
        *("nbgrader", "export", "--exporter=autograded.exports.plugins.MoodleExport"),
        *(f"--TemplateExport.template={source}", "--assignment=['relu_net']", "--to=plugin.csv"),
        cwd=school,
    )

    written = school / "classroom" / "exports" / "relu_net-moodle.csv"
    assert ours.returncode == theirs.returncode == 1, theirs.stderr
    assert str(written) in ours.stdout
    assert written.read_bytes() == (school / "plugin.csv").read_bytes()
    assert [row[4] for row in table(written)] == ["Grade", "10", "7.5"]
