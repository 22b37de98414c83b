"""The class report says what the results say, whatever the class, and stops for nothing."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from autograded.course import Course
from autograded.grading.diagnosis import load_library
from autograded.i18n import use
from autograded.reports.teaching import explanations
from reports.classes import all_of, parse, report, result, write_code, write_results
from reports.conftest import ReportedClass
from support import ASSIGNMENTS, ROOT, command

NO_NUMBER = re.compile(r"\b(nan|NaN|inf|None)\b")


def visible(text: str) -> str:
    """What a page says, markup apart."""
    body = parse(text).find("{http://www.w3.org/1999/xhtml}body")
    for script in body.findall(".//{http://www.w3.org/1999/xhtml}script"):
        script.text = ""
    return " ".join(" ".join(body.itertext()).split())


def row(text: str, start: str) -> list[str]:
    """The cells of the table row whose heading is `start`."""
    for found in re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", found, re.DOTALL)
        if any(cell.strip() == start for cell in cells):
            return [re.sub(r"<[^>]*>", "", cell).strip() for cell in cells]
    raise AssertionError(f"no row {start!r}")


def test_the_page_is_html_and_stands_alone(reported: ReportedClass) -> None:
    parse(reported.text)
    assert "default-src 'none'" in reported.text
    for tag in re.findall(
        r"<(?:img|link|script|iframe|object|embed|source|video)\b[^>]*>", reported.text
    ):
        assert tag in ('<link rel="icon" href="data:,">', "<script>")
    assert "url(" not in reported.text
    assert "@import" not in reported.text
    assert " style=" not in reported.text
    assert "For teachers only." in reported.text


def test_every_part_is_there_for_every_assignment(reported: ReportedClass) -> None:
    for name in ASSIGNMENTS:
        section = reported.text.partition(f'<section aria-labelledby="{name}">')[2]
        section = section.partition("</section>")[0]
        for heading in (
            "Scores",
            "Worth a second look",
            "Exercises",
            "Checks",
            "Reliability",
            "Misconceptions",
            "Handing in",
            "Flags",
            "Repairs",
            "Similar submissions",
            "Timing",
        ):
            assert f"<h3>{heading}</h3>" in section, (name, heading)
    assert "Henrysson" in reported.text
    assert "Cronbach" in reported.text


def test_checks_that_are_odd_are_named_with_the_reason(reported: ReportedClass) -> None:
    section = reported.text.partition('id="relu_net"')[2].partition("<h3>Exercises</h3>")[0]
    named = re.findall(r"<li><strong>(.*?)</strong>(.*?)</li>", section, re.DOTALL)
    reasons = {title: re.sub(r"<[^>]*>", "", rest) for title, rest in named}
    assert "Everybody passes it" in reasons["agrees with PyTorch when the gate is open"]
    assert (
        "discrimination below 0" in reasons["closes the gate when z is negative, and when it is 0"]
    )


def test_missing_and_late_work_is_that_of_the_gradebook(reported: ReportedClass) -> None:
    there = {p.stem for p in (reported.course.classroom / "results" / "relu_net").glob("*.json")}
    missing = [student for student in reported.made.students if student not in there]
    assert missing
    section = reported.text.partition('id="relu_net"')[2].partition("</section>")[0]
    assert f"Missing ({len(missing)}):</strong> {', '.join(missing)}" in " ".join(section.split())
    assert "Late work in relu_net" in section


def test_numbers_are_those_of_the_class(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    results = {f"s{n}": result(all_of(True)) for n in range(6)}
    for n in range(6, 12):
        results[f"s{n}"] = result([[True] * 3, [True, True, False], [False] * 3, [False] * 3])
    results["s12"] = result([[False] * 3, *all_of(True)[1:]])
    write_results(course, results)
    text = report(classroom, "relu_net")
    assert row(text, "forward does thing 0")[2:4] == ["12", "92 %"]
    assert row(text, "gradients does thing 2")[2:4] == ["7", "54 %"]
    assert row(text, "forward")[1:4] == ["1", "0.92", "92 %"]
    rest = np.corrcoef([4] * 7 + [0] * 6, [6] * 6 + [5] + [3] * 6)[0, 1]
    expected = ["4", "2.15", "54 %", f"{rest:.2f}", "7", "6"]
    assert row(text, "batch_gradients")[1:7] == expected
    # 6 of 10 points, 6 of 3 points, one of 9.
    assert "0–10 %" not in text.partition("<desc")[2].partition("</desc>")[0]
    assert "30–40 %: 6, 90–100 %: 7" in text


def test_a_check_that_only_good_work_fails_is_named(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    passed = all_of(True)
    passed[1] = [True, True, False]
    results = {f"a{n}": result(passed) for n in range(4)}
    results |= {f"b{n}": result(all_of(True)) for n in range(4)}
    results |= {f"c{n}": result([[True] * 3, *all_of(False)[1:]]) for n in range(4)}
    write_results(course, results)
    text = report(classroom, "relu_net")
    assert "4 of the 8 who fail it pass every other check." in text


@pytest.mark.parametrize(
    "results",
    [
        {},
        {"ada": result(all_of(True))},
        {"ada": result(all_of(False))},
        {f"s{n}": result(all_of(True)) for n in range(12)},
        {f"s{n}": result(all_of(False)) for n in range(12)},
        {f"s{n}": result([[True] * 3, *all_of(n % 2 == 0)[1:]]) for n in range(12)},
        {"ada": result(all_of(False), problem="no notebook")},
        {"ada": result(all_of(True)), "budi": result(all_of(False))},
        {"ada": {**result(all_of(True)), "exercises": [], "score": 0.0, "max_score": 0.0}},
    ],
    ids=[
        "none",
        "one, perfect",
        "one, zero",
        "all perfect",
        "all zero",
        "an exercise without variation",
        "one that cannot be read",
        "two",
        "no exercises",
    ],
)
@pytest.mark.parametrize("language", ["en", "id"])
def test_any_class_has_a_sensible_page(
    classroom: Path, results: dict[str, dict[str, object]], language: str
) -> None:
    file = classroom / "course.yml"
    file.write_text(file.read_text().replace("language: en", f"language: {language}", 1))
    write_results(Course.load(file), results)
    text = report(classroom)
    assert f'<html lang="{language}">' in text
    assert not NO_NUMBER.search(visible(text))
    assert not re.search(r'="[^"]*\b(nan|inf)\b[^"]*"', text)
    if not results:
        heading = "Nothing has been graded yet" if language == "en" else "Belum ada yang dinilai"
        assert heading in text


def test_a_course_that_was_never_built_has_a_page(course: Path) -> None:
    done = command("autograded", "report", cwd=course)
    assert done.returncode == 0, done.stderr
    text = (course / "classroom" / "reports" / "class.html").read_text()
    assert "Nobody is in the class yet." in visible(text)


def test_an_indonesian_course_gets_an_indonesian_page(classroom: Path) -> None:
    file = classroom / "course.yml"
    file.write_text(file.read_text().replace("language: en", "language: id", 1))
    course = Course.load(file)
    wrong = result(all_of(False))
    wrong["exercises"][1]["diagnosis"] = [
        {"misconception": "no-factor-two", "message": "as graded in English", "idea": "chain-rule"}
    ]
    write_results(course, {"ada": wrong, "budi": result([[True] * 3, *all_of(False)[1:]])})
    text = visible(report(classroom, "relu_net"))
    assert "Laporan kelas" in text
    assert "turunan (y − t)² punya faktor 2" in text
    assert "aturan rantai" in text
    assert "0,50" in text  # a comma, as numbers are written there


def test_misconceptions_are_ranked_with_counts_and_a_note(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    results = {}
    for n in range(10):
        wrong = result(all_of(False))
        ids = ["no-factor-two"] if n < 6 else ["sign-flipped", "not-in-the-library"]
        wrong["exercises"][1]["diagnosis"] = [
            {"misconception": one, "message": "as graded", "idea": "chain-rule"} for one in ids
        ]
        results[f"s{n}"] = wrong
    write_results(course, results)
    text = report(classroom, "relu_net")
    table = text.partition("Misconceptions in relu_net")[2].partition("</table>")[0]
    ranked = re.findall(r'<th scope="row">(.*?)</th>', table)
    assert ranked == ["no-factor-two", "not-in-the-library", "sign-flipped"]
    assert row(text, "no-factor-two")[:2] == ["6", "60 %"]
    assert "the derivative of (y − t)² has a factor 2" in visible(text)
    assert "as graded" in row(text, "not-in-the-library")[4]


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_notes_are_the_texts_of_the_bug_library(assignment: str, language: str) -> None:
    course = Course.load(ROOT / "course.yml")
    expected = {
        (family.exercise, wrong): text.in_language(language)
        for family in load_library(course, assignment).families
        for wrong, text in family.explanations.items()
    }
    with use(language):
        assert explanations(course, assignment) == expected


DAMAGED = {
    "empty": "",
    "half": json.dumps(result(all_of(True)))[:300],
    "array": "[1, 2]",
    "not_a_number": json.dumps(result(all_of(True), score=float("nan"))),
    "too_much": json.dumps(result(all_of(True), score=1e9)),
    "negative": json.dumps(result(all_of(True), score=-1.0)),
    "other": json.dumps({**result(all_of(True)), "assignment": "backward"}),
    "strings": json.dumps({**result(all_of(True)), "exercises": "gone"}),
}


def test_damaged_documents_are_named_and_stop_nothing(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    write_results(course, {"ada": result(all_of(True))})
    folder = classroom / "classroom" / "results" / "relu_net"
    for name, text in DAMAGED.items():
        (folder / f"{name}.json").write_text(text)
    (folder / "bytes.json").write_bytes(b"\xff\x00\xfe")
    (folder / "folder.json").mkdir()
    done = command("autograded", "report", "relu_net", cwd=classroom)
    assert done.returncode == 1
    text = visible((classroom / "classroom" / "reports" / "relu_net.html").read_text())
    for name in (*DAMAGED, "bytes", "folder"):
        assert f"{name}.json" in text
        assert f"{name}.json" in done.stderr
    assert done.stdout.endswith("relu_net.html: 1\n")
    assert "Traceback" not in done.stderr


def test_damaged_records_gradebook_and_roster_are_named_and_stop_nothing(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    write_code(course, {"ada": {"forward": "def forward():\n    return 1\n"}, "budi": {}})
    store = classroom / "classroom" / "results" / ".store" / "relu_net"
    for record in store.glob("*.z"):
        record.write_bytes(b"no record")
    (classroom / "roster.csv").write_text("name\nAda\n")
    (classroom / "classroom" / "gradebook.db").write_bytes(b"no database" * 100)
    text = visible(report(classroom, "relu_net"))
    assert "the record of ada is missing or damaged" in text
    assert "the roster has no column id" in text
    assert "The gradebook cannot be read" in text
    assert "submissions 2" in text
    (store / "recorded.db").write_bytes(b"no database" * 100)
    assert "the records cannot be read" in visible(report(classroom, "relu_net"))


def test_results_of_other_checks_are_left_out_of_the_analysis_and_named(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    results = {f"s{n}": result(all_of(n % 2 == 0)) for n in range(6)}
    old = result(all_of(True))
    old["exercises"][0]["checks"][0]["id"] = "test_of_last_year"
    write_results(course, {**results, "late": old})
    text = report(classroom, "relu_net")
    assert "grade again: late" in visible(text)
    assert row(text, "forward does thing 0")[2:4] == ["3", "50 %"]


HOSTILE = (
    "</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>\"'\x1b[31m\u202e&amp;"
)


def test_nothing_a_student_writes_is_markup(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    draw = random.Random(0)
    lines = [f"    a = max(a * {draw.randrange(999)}, b)[{draw.randrange(99)}]" for _ in range(40)]
    code = "\n".join([f"# {HOSTILE}", "def helper(a, b):", *lines, f"    return {HOSTILE!r}"])
    write_code(course, {"ada": {"forward": code}, "budi": {"forward": code + "\n# mine"}})
    wrong = result(
        all_of(False),
        problem=HOSTILE,
        flags=[{"kind": HOSTILE, "message": HOSTILE}],
        repairs=[{"id": HOSTILE, "message": HOSTILE}],
    )
    for exercise in wrong["exercises"]:
        exercise["diagnosis"] = [{"misconception": HOSTILE, "message": HOSTILE, "idea": HOSTILE}]
        for check in exercise["checks"]:
            check["title"] = HOSTILE
    write_results(
        course, {"<b>evil": wrong, **{f"e{n}": {**wrong, "problem": None} for n in range(9)}}
    )
    text = report(classroom, "relu_net")
    assert "Code of ada and budi" in text
    assert "&lt;img src=x onerror=alert(2)&gt;" in text
    assert text.count("<script>") == 1
    assert "<img" not in text
    assert "<b>" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_one_assignment_names_the_file_and_output_another(
    reported: ReportedClass, tmp_path: Path
) -> None:
    root = reported.course.root
    done = command("autograded", "report", "backward", cwd=root)
    assert done.returncode == 0, done.stderr
    text = (root / "classroom" / "reports" / "backward.html").read_text()
    assert 'id="backward"' in text
    assert 'id="relu_net"' not in text
    other = tmp_path / "new" / "page.html"
    done = command("autograded", "report", "backward", "--output", other, cwd=root)
    assert done.returncode == 0, done.stderr
    assert 'id="backward"' in other.read_text()
    assert str(other) in done.stdout


def test_an_unknown_assignment_and_a_page_that_cannot_be_written_are_one_sentence(
    course: Path,
) -> None:
    done = command("autograded", "report", "knitting", cwd=course)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "relu_net" in done.stderr
    done = command("autograded", "report", "--output", "/proc/none/page.html", cwd=course)
    assert done.returncode == 2
    assert "--output" in done.stderr


def test_simulated_results_are_of_the_published_schema(reported: ReportedClass) -> None:
    schema = json.loads((ROOT / "docs" / "results.schema.json").read_text())
    paths = list((reported.course.classroom / "results").glob("*/*.json"))
    for path in paths[::7]:
        jsonschema.validate(json.loads(path.read_text()), schema)


def test_a_class_graded_by_the_command_is_reported(classroom: Path) -> None:
    release = classroom / "classroom" / "release" / "relu_net" / "relu_net.ipynb"
    right = (
        "def forward(x, w1, w2):\n    z = w1 * x\n    h = max(z, 0.0)\n    return z, h, w2 * h\n"
    )
    for student, source in {"ada": right, "budi": right.replace("max(z, 0.0)", "z")}.items():
        notebook = json.loads(release.read_text())
        for cell in notebook["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == "forward":
                cell["source"] = source
        folder = classroom / "classroom" / "submitted" / student / "relu_net"
        folder.mkdir(parents=True)
        (folder / "relu_net.ipynb").write_text(json.dumps(notebook))
    assert command("autograded", "grade", "relu_net", "--jobs", "1", cwd=classroom).returncode == 0
    done = command("autograded", "report", "relu_net", cwd=classroom)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("relu_net.html: 2\n")
    text = (classroom / "classroom" / "reports" / "relu_net.html").read_text()
    assert row(text, "no-relu")[:2] == ["1", "100 %"]
    answers = text.partition("Answers to relu_net")[2]
    assert row(answers, "forward")[1:5] == ["1", "1", "0", "0"]
    assert row(answers, "gradients")[1:5] == ["0", "0", "0", "2"]
    assert "running the cells" in text
