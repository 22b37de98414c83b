"""What a student reads in the page that `nbgrader generate_feedback` makes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import html5lib
import pytest
from bs4 import BeautifulSoup

from feedback.conftest import feedback, page_path

Page = Callable[[str, str], BeautifulSoup]
ALL = [
    ("ada", "relu_net"),
    ("zoe", "relu_net"),
    ("mallory", "relu_net"),
    ("emmy", "pitfalls"),
    ("ada", "pitfalls"),
]


def result(course: Path, student: str, assignment: str) -> dict[str, object]:
    path = course / "classroom" / "results" / assignment / f"{student}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def words(page: BeautifulSoup) -> str:
    return " ".join(page.get_text(" ").split())


def test_the_head_says_who_what_and_how_many_points(graded_class: Path, page: Page) -> None:
    found = result(graded_class, "ada", "relu_net")

    head = words(page("ada", "relu_net").header)

    assert "Backpropagation by hand" in head
    assert "ada" in head
    assert f"{found['score']:g} of 10 points" in head


def test_every_exercise_has_its_points_in_a_table_with_links(
    graded_class: Path, page: Page
) -> None:
    found = result(graded_class, "ada", "relu_net")
    made = page("ada", "relu_net")

    rows = made.select("table tbody tr")

    assert len(rows) == len(found["exercises"])
    for row, exercise in zip(rows, found["exercises"], strict=True):
        name = exercise["id"].partition(".")[2]
        assert row.a["href"] == f"#{name}"
        assert made.find(id=name) is not None
        passed = sum(check["passed"] for check in exercise["checks"])
        assert words(row).endswith(
            f"{passed} / {len(exercise['checks'])} "
            f"{round(exercise['score'], 2):g} / {exercise['max_score']:g}"
        )


def test_a_failed_check_says_why_and_what_happened(graded_class: Path, page: Page) -> None:
    found = result(graded_class, "ada", "relu_net")
    made = page("ada", "relu_net")

    failed = [e for e in found["exercises"] if e["score"] < e["max_score"]]

    assert failed
    for exercise in failed:
        section = made.find(id=exercise["id"].partition(".")[2])
        for check in exercise["checks"]:
            assert check["title"] in words(section)
            if not check["passed"]:
                assert check["parts"]["problem"] in section.get_text()
                assert f"autograd says {check['parts'].get('expected')}" not in section.get_text()
        for one in exercise["diagnosis"]:
            assert words(BeautifulSoup(one["message"].replace("`", ""), "html5lib")) in words(
                section
            )


def test_hints_are_folded_where_points_are_missing_and_nowhere_else(
    graded_class: Path, page: Page
) -> None:
    made = page("ada", "relu_net")
    for exercise in result(graded_class, "ada", "relu_net")["exercises"]:
        hints = made.find(id=exercise["id"].partition(".")[2]).select("details.hint")
        assert bool(hints) == (exercise["score"] < exercise["max_score"])
        assert not any(hint.has_attr("open") for hint in hints)
    assert made.find("math") is not None


def test_the_student_s_code_is_there_and_the_course_s_text_is_folded(page: Page) -> None:
    made = page("ada", "relu_net")

    assert "def batch_gradients(X, W1, W2, T):\n" in made.get_text()
    assert "The chain rule, one step at a time" not in words(made)
    for statement in made.select(".statement"):
        assert not statement.has_attr("open")


def test_written_answers_show_a_person_s_points_and_comment(page: Page) -> None:
    section = page("emmy", "pitfalls").find(id="explain")

    assert "1.5 / 2" in words(section.h2)
    comment = section.select_one(".comment")
    assert comment.strong.get_text() == "said"
    assert comment.math is not None
    assert "several losses and micro-batches" in words(section)


def test_an_answer_nobody_has_read_is_not_called_wrong(page: Page) -> None:
    made = page("ada", "pitfalls")

    assert "not read yet" in words(made.find(id="explain").h2)
    assert "have not been read by a person yet" in words(made.header)


def test_late_work_loses_points_and_says_so(graded_class: Path, page: Page) -> None:
    score = result(graded_class, "emmy", "pitfalls")["score"] + 1.5 - 0.5
    made = page("emmy", "pitfalls")

    assert "Handed in late −0.5" in words(made.table)
    assert f"Total {score:g} / 12" in words(made.table)
    assert f"{score:g} of 12 points" in words(made.header)
    assert "Emmy Noether & <b>" in words(made.header)


def test_a_cell_that_failed_shows_its_error(page: Page) -> None:
    errors = page("emmy", "pitfalls").select("pre.error")

    assert any("SyntaxError" in error.get_text() for error in errors)


def test_repairs_are_told(graded_class: Path, page: Page) -> None:
    repairs = result(graded_class, "mallory", "relu_net")["repairs"]

    head = words(page("mallory", "relu_net").header)

    assert repairs
    for repair in repairs:
        assert " ".join(repair["message"].split()) in head


def test_a_file_that_cannot_be_read_gets_a_page_that_says_so(
    graded_class: Path, page: Page
) -> None:
    problem = result(graded_class, "zoe", "relu_net")["problem"]
    made = page("zoe", "relu_net")

    head = words(made.header)

    assert "Your file could not be graded as it is" in head
    assert problem in head
    assert "0 of 10 points" in head
    assert len(made.select("tbody tr")) == 4
    assert not made.select(".exercise, a")


@pytest.mark.parametrize(("student", "assignment"), ALL)
def test_nothing_hidden_is_in_the_page(
    graded_class: Path, page: Page, student: str, assignment: str
) -> None:
    text = page(student, assignment).get_text()
    for grader in (graded_class / "graders" / assignment).glob("*.py"):
        for line in grader.read_text(encoding="utf-8").splitlines():
            if line.strip().startswith(("assert", "@pytest", "def test_")):
                assert line.strip() not in text
    for trace in ("src/autograded", "graders/", "site-packages", "/tmp/"):
        assert trace not in text


@pytest.mark.parametrize(("student", "assignment"), ALL)
def test_the_page_is_valid_small_and_needs_nothing_from_elsewhere(
    graded_class: Path, student: str, assignment: str
) -> None:
    text = page_path(graded_class, student, assignment).read_text(encoding="utf-8")

    html5lib.HTMLParser(strict=True).parse(text)
    made = BeautifulSoup(text, "html5lib")
    ids = [element["id"] for element in made.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert not made.find_all(["script", "iframe", "object", "form", "svg", "base"])
    assert not re.search(r"@import|url\(", text)
    for element in made.find_all(True):
        assert not [name for name in element.attrs if name.startswith("on") or name == "style"]
        for name in ("src", "href"):
            value = element.get(name, "#")
            if element.name == "a":
                assert value.startswith(("#", "https://"))
            else:
                assert value.startswith(("#", "data:"))
    assert len(text) < 100_000


def test_the_level_is_the_one_course_yml_has_now(graded_copy: Path) -> None:
    course, path = graded_copy / "course.yml", page_path(graded_copy, "ada", "relu_net")
    text = course.read_text(encoding="utf-8")

    course.write_text(text.replace("feedback: hints", "feedback: names"), encoding="utf-8")
    feedback(graded_copy, "relu_net", "--student=ada")
    names = BeautifulSoup(path.read_text(encoding="utf-8"), "html5lib")
    course.write_text(text.replace("feedback: hints", "feedback: full"), encoding="utf-8")
    feedback(graded_copy, "relu_net", "--student=ada")
    full = BeautifulSoup(path.read_text(encoding="utf-8"), "html5lib")

    assert names.select(".checks .failed")
    assert not names.select(".checks pre, .diagnosis, .hint")
    assert "which checks passed, and no more" in words(names)
    assert re.search(r"returned .*\nautograd says ", full.get_text())


def test_the_page_speaks_the_course_s_language(graded_copy: Path) -> None:
    course = graded_copy / "course.yml"
    text = course.read_text(encoding="utf-8")
    course.write_text(text.replace("language: en", "language: id"), encoding="utf-8")

    feedback(graded_copy, "relu_net", "--student=ada")

    made = BeautifulSoup(page_path(graded_copy, "ada", "relu_net").read_text("utf-8"), "html5lib")
    assert made.html["lang"] == "id"
    assert made.h1.get_text() == "Backpropagation dengan tangan"
    assert "Poin per latihan" in words(made)
    assert "Points by exercise" not in words(made)


def test_a_notebook_graded_by_an_earlier_version_keeps_its_messages(graded_copy: Path) -> None:
    path = graded_copy / "classroom/autograded/ada/relu_net/relu_net.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    del notebook["metadata"]["autograded_result"]
    path.chmod(0o644)
    path.write_text(json.dumps(notebook), encoding="utf-8")

    feedback(graded_copy, "relu_net", "--student=ada")

    made = BeautifulSoup(page_path(graded_copy, "ada", "relu_net").read_text("utf-8"), "html5lib")
    assert "✗" in words(made)
    assert "called " in words(made)


def test_a_course_may_lay_the_page_out_itself(graded_copy: Path) -> None:
    template = graded_copy / "templates" / "our_feedback"
    template.mkdir(parents=True)
    (template / "conf.json").write_text("{}", encoding="utf-8")
    (template / "index.html.j2").write_text("<p>{{ resources.page.grades.student }}</p>", "utf-8")
    with (graded_copy / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(
            f"c = get_config()\nc.FeedbackExporter.template_name = 'our_feedback'\n"
            f"c.FeedbackExporter.extra_template_basedirs = ['{graded_copy / 'templates'}']\n"
        )

    feedback(graded_copy, "pitfalls", "--student=emmy")

    made = page_path(graded_copy, "emmy", "pitfalls").read_text(encoding="utf-8")
    assert made.strip() == "<p>Emmy Noether &amp; &lt;b&gt;</p>"


def test_nbgrader_s_own_page_can_be_had_back(graded_copy: Path) -> None:
    with (graded_copy / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(
            "c = get_config()\n"
            "c.GenerateFeedback.exporter_class = 'nbconvert.exporters.HTMLExporter'\n"
            "c.GenerateFeedback.preprocessors = ['nbgrader.preprocessors.GetGrades']\n"
        )

    feedback(graded_copy, "pitfalls", "--student=emmy")

    made = page_path(graded_copy, "emmy", "pitfalls").read_text(encoding="utf-8")
    assert "autograded-checks" in made
    assert "Score: " in made
