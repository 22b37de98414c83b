"""Gradescope's results.json and GitHub Classroom's document, of a class and of one file."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograded.exports.github import encoded, result_document, step_outputs
from autograded.exports.results import Outcome, Part
from exports.school import SHARES, command_line
from support import ROOT, command

TEST_KEYS = {"score", "max_score", "status", "name", "number", "output", "output_format"}


def export(school: Path, form: str, *more: str) -> Any:
    words = ("export", *more, "-f", form, "-o", "out")
    return command_line("autograded", *words, cwd=school)


def gradescope(school: Path, assignment: str, student: str) -> dict[str, Any]:
    path = school / "out" / assignment / student / "results.json"
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def shown(document: dict[str, Any]) -> float:
    """The points as GitHub's reporter shows them: the share of passed tests × max_score."""
    passed = sum(test["status"] == "pass" for test in document["tests"])
    return passed / len(document["tests"]) * document["max_score"]


def reported(document: dict[str, Any]) -> float:
    """The points as GitHub's reporter reports them to Classroom."""
    return sum(test["score"] for test in document["tests"])


def test_gradescope_has_one_document_a_student(school: Path) -> None:
    done = export(school, "gradescope", "relu_net")

    assert done.returncode == 0, done.stderr
    assert {path.name for path in (school / "out" / "relu_net").iterdir()} == set(SHARES)
    for student, share in SHARES.items():
        document = gradescope(school, "relu_net", student)
        assert document["score"] == pytest.approx(10 * share, abs=1e-3)
        assert document["score"] == pytest.approx(sum(t["score"] for t in document["tests"]))
        assert [t["max_score"] for t in document["tests"]] == [1, 3, 4, 2]
        assert all(set(t) >= TEST_KEYS for t in document["tests"])
        assert {t["visibility"] for t in document["tests"]} == {"visible"}
        assert all(t["status"] in ("passed", "failed") for t in document["tests"])
        assert [t["number"] for t in document["tests"]] == ["1", "2", "3", "4"]
    document = gradescope(school, "relu_net", "tan.1")
    assert document["extra_data"]["sandbox"] == "bubblewrap"
    assert "✓ check 0, of forward" in document["tests"][0]["output"]
    assert "✗ check 11, of forward" in document["tests"][0]["output"]
    assert "→ A factor 2." in document["tests"][0]["output"]


def test_students_see_no_more_than_the_course_lets_them(school: Path) -> None:
    export(school, "gradescope", "relu_net")
    at_hints = json.dumps(gradescope(school, "relu_net", "zoe"), ensure_ascii=False)
    text = (school / "course.yml").read_text()
    (school / "course.yml").write_text(text.replace("feedback: hints", "feedback: names"))
    export(school, "gradescope", "relu_net")
    at_names = json.dumps(gradescope(school, "relu_net", "zoe"), ensure_ascii=False)

    assert "SECRET" not in at_hints
    assert "HYPERLINK" in at_hints
    assert "\\u001b" not in at_hints
    assert "HYPERLINK" not in at_names
    assert "A factor 2." not in at_names


def test_the_gradebook_wins(explained: Path) -> None:
    export(explained, "gradescope", "pitfalls")

    ada = gradescope(explained, "pitfalls", "ada")
    assert ada["score"] == 11.75
    assert ada["tests"][-1]["name"] == "pitfalls.explain"
    assert (ada["tests"][-1]["score"], ada["tests"][-1]["max_score"]) == (1.75, 2)
    assert ada["tests"][-1]["output"] == "Graded by a person."
    zoe = gradescope(explained, "pitfalls", "zoe")
    assert zoe["score"] == 5.5
    assert sum(test["score"] for test in zoe["tests"]) == 7.5
    assert zoe["output"] == "Handed in late: 2 points were taken off."
    assert zoe["tests"][-1]["output"] == "Not graded by a person yet."


def test_points_of_another_grading_leave_its_texts_out(school: Path) -> None:
    path = school / "classroom" / "results" / "relu_net" / "zoe.json"
    result = json.loads(path.read_text(encoding="utf-8"))
    result["exercises"][1]["score"] = 3.0  # the gradebook has 2.25
    path.write_text(json.dumps(result), encoding="utf-8")
    (path.parent / "ada.json").unlink()

    done = export(school, "gradescope", "relu_net")

    tests = gradescope(school, "relu_net", "zoe")["tests"]
    assert (tests[1]["score"], tests[1]["output"]) == (2.25, "")
    assert tests[0]["output"]
    assert "1 have no result document, so only points are in theirs: ada." in done.stderr
    assert gradescope(school, "relu_net", "ada")["score"] == 10
    assert done.returncode == 0  # every grade is there


def test_github_has_one_document_a_student_whose_totals_agree(explained: Path) -> None:
    assert export(explained, "github", "relu_net", "pitfalls").returncode == 0

    for assignment, most in (("relu_net", 10), ("pitfalls", 12)):
        for student, share in SHARES.items():
            path = explained / "out" / assignment / f"{student}.json"
            document = json.loads(path.read_text(encoding="utf-8"))
            assert document["version"] == 3
            assert document["max_score"] == most
            assert isinstance(document["max_score"], int)
            assert document["status"] in ("pass", "fail")
            assert shown(document) == pytest.approx(reported(document), abs=1e-9)
            due = 5.5 if student == "zoe" else 10 * share  # Zoë was late
            if (assignment, student) == ("pitfalls", "ada"):
                due = 11.75
            assert reported(document) == pytest.approx(due, abs=1e-3)
            assert len(encoded(document)) < 131_072
            keys = {"name", "status", "message", "score", "task_id", "filename"}
            for test in document["tests"]:
                assert keys | {"line_no", "duration", "output"} == set(test)


scores = st.lists(
    st.tuples(
        st.sampled_from([0.5, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0]),
        st.integers(0, 24),
        st.integers(1, 24),
    ),
    min_size=1,
    max_size=6,
)


@given(scores, st.sampled_from([0.0, 0.5, 1.0, 1.37, 100.0]))
@settings(deadline=None)
def test_totals_agree_whatever_the_weights(
    drawn: list[tuple[float, int, int]], penalty: float
) -> None:
    parts = [
        Part(f"a.e{number}", round(points * min(passed, total) / total, 4), points, "")
        for number, (points, passed, total) in enumerate(drawn)
    ]
    document = result_document(parts, file="a.ipynb", penalty=penalty)
    most = sum(part.max_score for part in parts)
    scale = document["max_score"] / most
    due = max(0.0, sum(part.score for part in parts) - penalty)

    assert scale in (1.0, 2.0)
    assert shown(document) == pytest.approx(reported(document), abs=1e-9)
    assert len(document["tests"]) <= 721
    # A unit is the smallest thing that can be told; every exercise may be rounded to half of one.
    unit = document["max_score"] / len(document["tests"])
    assert abs(reported(document) - due * scale) <= len(parts) * unit / 2 + 1e-3 * scale
    assert (document["status"] == "pass") == all(t["status"] == "pass" for t in document["tests"])


@given(
    st.lists(st.tuples(st.sampled_from([1, 2, 3, 4]), st.integers(0, 12)), min_size=1, max_size=5)
)
@settings(deadline=None)
def test_twelfths_are_told_exactly(drawn: list[tuple[int, int]]) -> None:
    parts = [Part(f"a.e{i}", round(m * k / 12, 4), m, "") for i, (m, k) in enumerate(drawn)]
    document = result_document(parts, file="a.ipynb")

    exact = sum(m * k / 12 for m, k in drawn)
    assert reported(document) == pytest.approx(exact, abs=1e-9)
    assert shown(document) == pytest.approx(exact, abs=1e-9)


def test_outputs_of_a_step_are_a_document_an_exercise_that_add_up() -> None:
    outcome = Outcome(
        "a", [Part("a.one", 1.25, 2.5, "✗ first"), Part("a.two", 0.6667, 1.0, "✗ second")]
    )
    documents = {}
    for line in step_outputs(outcome).splitlines():
        name, _equals, value = line.partition("=")
        documents[name] = json.loads(base64.b64decode(value))

    assert list(documents) == ["one", "two"]
    # 2.5 is no whole number: all exercises count in halves.
    assert [d["max_score"] for d in documents.values()] == [5, 2]
    assert [round(reported(d), 6) for d in documents.values()] == [2.5, round(4 / 3, 6)]
    for document in documents.values():
        assert shown(document) == pytest.approx(reported(document))


def test_a_message_stands_once(tmp_path: Path) -> None:
    document = result_document([Part("a.one", 1.0, 3.0, "✗ why")], file="a.py", notes=["Late."])

    assert [test["message"] for test in document["tests"]] == ["Late.", "✗ why", ""]
    assert [test["name"] for test in document["tests"]] == [
        "a.one (1/3)",
        "a.one (2/3)",
        "a.one (3/3)",
    ]


@pytest.mark.parametrize(
    ("plugin", "form"), [("GradescopeExport", "gradescope"), ("GithubExport", "github")]
)
def test_as_real_commands(school: Path, plugin: str, form: str) -> None:
    ours = command("autograded", "export", "relu_net", "-f", form, "-o", "a", cwd=school)
    theirs = command(
        *("nbgrader", "export", f"--exporter=autograded.exports.plugins.{plugin}"),
        *("--assignment=['relu_net']", "--to=b"),
        cwd=school,
    )

    assert ours.returncode == theirs.returncode == 0, ours.stderr + theirs.stderr
    made = {path.relative_to(school / "a"): path for path in (school / "a").rglob("*.json")}
    assert len(made) == len(SHARES)
    for name, path in made.items():
        assert path.read_bytes() == (school / "b" / name).read_bytes()


@pytest.mark.parametrize("form", ["gradescope", "github"])
def test_one_file_in_the_form_of_a_platform(form: str) -> None:
    path = ROOT / "tests" / "corpus" / "graded" / "two-misconceptions" / "relu_net.py"
    words = ("grade-file", path, "-a", "relu_net")
    native = command("autograded", *words, cwd=ROOT)
    done = command("autograded", *words, "--format", form, cwd=ROOT)

    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    score = json.loads(native.stdout)["score"]
    if form == "gradescope":
        assert document["score"] == score
        assert document["extra_data"]["sandbox"] == json.loads(native.stdout)["sandbox"]
    else:
        assert shown(document) == pytest.approx(reported(document), abs=1e-9)
        assert reported(document) == pytest.approx(score, abs=1e-3)
        assert len(encoded(document)) < 131_072


def test_an_unwritable_folder_is_one_sentence(school: Path) -> None:
    (school / "out").write_text("in the way")
    done = export(school, "gradescope", "relu_net")

    assert done.returncode == 2
    assert "cannot be made: Not a directory." in done.stderr
    assert (school / "out").read_text() == "in the way"
