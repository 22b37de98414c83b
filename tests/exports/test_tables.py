"""nbgrader's CSV and the tables of checks."""

from __future__ import annotations

import csv
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from autograded.exports.checks import COLUMNS, SCHEMA
from autograded.exports.files import harmless
from exports.school import CHECKS, NAMES, SHARES, command_line
from support import ROOT, command


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def export(school: Path, form: str, *more: str) -> Any:
    return command_line("autograded", "export", *more, "-f", form, "-o", "out", cwd=school)


def test_nbgraders_csv_is_quoted_harmless_and_whole(explained: Path) -> None:
    done = export(explained, "csv")

    assert done.returncode == 0, done.stderr
    found = {(row["assignment"], row["student_id"]): row for row in rows(explained / "out")}
    assert len(found) == 4 * 7  # every assignment, everybody
    formula = found["relu_net", "formula"]
    assert (formula["first_name"], formula["last_name"]) == ("'=1+1", "'@SUM(A1), Jr.")
    ada, zoe = found["pitfalls", "ada"], found["pitfalls", "zoe"]
    assert (ada["raw_score"], ada["score"], ada["max_score"]) == ("11.75", "11.75", "12.0")
    assert (zoe["raw_score"], zoe["late_submission_penalty"], zoe["score"]) == ("7.5", "2.0", "5.5")
    assert found["relu_net", "ada"]["timestamp"] == "2026-03-01 12:30:00"
    nia = found["relu_net", "late.enrolled"]
    assert (nia["score"], nia["timestamp"]) == ("0.0", "")


def test_nbgraders_own_exporter_says_the_same(explained: Path) -> None:
    for exporter, to in (
        ("autograded.exports.plugins.CsvExport", "ours.csv"),
        ("nbgrader.plugins.CsvExportPlugin", "theirs.csv"),
    ):
        done = command("nbgrader", "export", f"--exporter={exporter}", f"--to={to}", cwd=explained)
        assert done.returncode == 0, done.stderr
    ours = rows(explained / "ours.csv")
    theirs = {
        (line[0], line[3]): line[-4:]
        for line in csv.reader((explained / "theirs.csv").open(newline=""))
    }
    assert ours[0]["student_id"]
    for row in ours:
        numbers = theirs[row["assignment"], row["student_id"]]
        columns = ("raw_score", "late_submission_penalty", "score", "max_score")
        assert [float(row[name]) for name in columns] == pytest.approx(list(map(float, numbers)))


def test_students_and_assignments_can_be_chosen(school: Path) -> None:
    export(school, "csv", "relu_net", "--student", "zoe")

    assert [(row["assignment"], row["student_id"]) for row in rows(school / "out")] == [
        ("relu_net", "zoe")
    ]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_what_a_spreadsheet_would_run_is_text(sign: str) -> None:
    assert harmless(f"{sign}1") == f"'{sign}1"
    assert harmless(f"a{sign}1") == f"a{sign}1"


def test_numbers_stay_numbers() -> None:
    assert harmless(-1.5) == -1.5


def test_a_row_for_every_student_and_check(school: Path) -> None:
    done = export(school, "checks-csv", "relu_net")

    assert done.returncode == 0, done.stderr
    found = rows(school / "out")
    assert tuple(found[0]) == COLUMNS
    assert len(found) == len(SHARES) * 4 * CHECKS
    one = next(r for r in found if r["student"] == "tan.1" and r["passed"] == "false")
    assert one["message"].startswith("'=HYPERLINK(")
    assert "\x1b" not in one["message"]
    assert one["misconceptions"] == "no-factor-two"
    assert one["submitted"] == "2026-03-01T12:30:00+00:00"
    assert {r["flags"] for r in found if r["student"] == "budi.s"} == {"call-died"}
    for student, share in SHARES.items():
        mine = [r for r in found if r["student"] == student and r["passed"] == "true"]
        assert sum(float(r["points"]) for r in mine) == pytest.approx(10 * share, abs=1e-3)


def test_parquet_has_types(school: Path) -> None:
    assert export(school, "checks-parquet").returncode == 0

    table = pq.read_table(school / "out")
    assert table.num_rows == len(SHARES) * CHECKS * (4 + 5)
    assert table.schema.names == list(COLUMNS)
    assert table.schema.field("passed").type == pa.bool_()
    assert table.schema.field("submitted").type == pa.timestamp("us", tz="UTC")
    assert table.schema.field("misconceptions").type == pa.list_(pa.string())
    first = table.to_pylist()[0]
    assert first["submitted"] == datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    assert first["message"] == "" or not first["passed"]
    assert set(table["assignment"].to_pylist()) == set(NAMES)


def test_the_documented_schema_is_the_one_that_is_written() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for name, kind, what in SCHEMA:
        assert f"| `{name}` | {kind} | {what} |" in page


def test_without_pyarrow_the_extra_is_named(school: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = export(school, "checks-parquet")

    assert done.returncode == 2
    assert "pip install 'autograded[analysis]'" in done.stderr
    assert not (school / "out").exists()


def test_missing_and_damaged_results_are_named(school: Path) -> None:
    results = school / "classroom" / "results" / "relu_net"
    (results / "ada.json").unlink()
    (results / "zoe.json").write_text("{")
    done = export(school, "checks-csv", "relu_net")

    assert done.returncode == 1
    assert "zoe.json is damaged" in done.stderr
    assert "2 have no result document, so they are not in the table: ada, zoe." in done.stderr
    assert {row["student"] for row in rows(school / "out")} == set(SHARES) - {"ada", "zoe"}


@pytest.mark.parametrize("form", ["csv", "checks-csv", "checks-parquet"])
def test_an_unwritable_place_is_one_sentence_and_leaves_nothing(school: Path, form: str) -> None:
    for to in ("nowhere/out.csv", "classroom"):
        before = sorted(path.name for path in school.iterdir())
        done = command_line("autograded", "export", "relu_net", "-f", form, "-o", to, cwd=school)

        assert done.returncode == 2
        assert f"{to} cannot be written: " in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        assert sorted(path.name for path in school.iterdir()) == before


def test_a_second_run_replaces_the_first_at_once(school: Path) -> None:
    export(school, "csv", "relu_net")
    reader = (school / "out").open("rb")
    first = (school / "out").read_bytes()

    export(school, "csv", "pitfalls")

    with reader:
        assert reader.read() == first  # who has it open keeps a whole file
    assert {row["assignment"] for row in rows(school / "out")} == {"pitfalls"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nonesuch",), "There is no assignment 'nonesuch'"),
        (("-t", "x.csv"), "--format csv takes no template"),
    ],
)
def test_what_cannot_run_is_one_sentence(
    school: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    done = export(school, "csv", *arguments)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_course_without_a_gradebook_says_what_to_do(course: Path) -> None:
    done = command("autograded", "export", cwd=course)

    assert done.returncode == 2
    assert "run `autograded build` and `autograded grade` first" in done.stderr
    assert not (course / "classroom" / "gradebook.db").exists()


@pytest.mark.parametrize(
    ("plugin", "form"),
    [("ChecksCsvExport", "checks-csv"), ("ChecksParquetExport", "checks-parquet")],
)
def test_as_real_commands(school: Path, plugin: str, form: str) -> None:
    ours = command("autograded", "export", "relu_net", "-f", form, "-o", "a", cwd=school)
    theirs = command(
        *("nbgrader", "export", f"--exporter=autograded.exports.plugins.{plugin}"),
        *("--assignment=['relu_net']", "--to=b"),
        cwd=school,
    )

    assert ours.returncode == theirs.returncode == 0, ours.stderr + theirs.stderr
    assert (school / "a").read_bytes() == (school / "b").read_bytes()
