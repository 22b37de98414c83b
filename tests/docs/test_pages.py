"""What the pages say of files, keys and documents is so."""

from __future__ import annotations

import ast
import inspect
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt
from pydantic import BaseModel

from autograded import course, grading
from autograded.exports import wheel
from autograded.grading.results import Result
from autograded.sandbox.limits import Limits
from docs.blocks import PAGES, blocks, fences, language
from support import ASSIGNMENTS, ROOT

DOCS = ROOT / "docs"


def links(page: Path) -> list[str]:
    """The relative links and pictures of a page."""
    tokens = [
        t for block in MarkdownIt().parse(page.read_text("utf-8")) for t in block.children or ()
    ]
    found = [str(t.attrs.get("href") or t.attrs.get("src") or "") for t in tokens]
    return [link for link in found if link and not re.match(r"[a-z]+:|#", link)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_of_the_repository(page: Path) -> None:
    missing = [link for link in links(page) if not (page.parent / link.partition("#")[0]).is_file()]

    assert missing == []


def test_the_readme_leads_to_every_page() -> None:
    linked = {(ROOT / link).resolve() for link in links(ROOT / "README.md")}

    assert {page for page in PAGES if page.parent == DOCS} <= linked


@pytest.mark.parametrize("name", ["learn.md", "student.md"])
def test_the_indonesian_page_has_every_command_of_the_english_one(name: str) -> None:
    def commands(page: Path) -> set[str]:
        lines = "".join(block.text for block in blocks(page)).splitlines()
        return {line.partition("#")[0].strip() for line in lines}

    assert commands(DOCS / name) <= commands(DOCS / "id" / name)


def _first(page: str, name: str) -> str:
    return next(f.content for f, _, _ in fences(DOCS / page) if language(f) == name)


@pytest.mark.parametrize(
    "model", [course.Course, course.Assignment, course.Exercise, course.Idea, course.Page]
)
def test_the_page_about_course_yml_names_every_key(model: type[BaseModel]) -> None:
    text = (DOCS / "course.md").read_text("utf-8")

    assert [key for key in model.model_fields if f"`{key}`" not in text] == []


def test_the_course_yml_of_the_page_is_one(tmp_path: Path) -> None:
    file = tmp_path / "course.yml"
    file.write_text(_first("course.md", "yaml"), "utf-8")

    found = course.Course.load(file)

    used = {"title", "language", "feedback", "limits", "ideas", "assignments"}
    assert found.model_fields_set == used
    assert yaml.safe_load(file.read_text("utf-8"))["limits"].keys() <= {
        f.name for f in fields(Limits)
    }


def test_the_table_of_limits_is_that_of_the_program() -> None:
    text = (DOCS / "course.md").read_text("utf-8").partition("\n## Limits\n")[2]
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", text, re.MULTILINE)
    (limits,) = ast.parse(inspect.getsource(Limits)).body
    assert isinstance(limits, ast.ClassDef)
    told = [
        node.value.value
        for node in limits.body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ][1:]  # the first is the class's own

    expected = zip(fields(Limits), told, strict=True)
    assert rows == [(limit.name, str(limit.default), what) for limit, what in expected]


@pytest.mark.parametrize("page", ["README.md", "docs/student.md", "docs/id/student.md"])
def test_students_install_the_wheel_that_is_made(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")

    assert f"constraints.txt {wheel.name()} " in text
    assert f"dist/{wheel.name()}" in (DOCS / "teach.md").read_text("utf-8")


def test_the_result_document_of_the_page_is_one() -> None:
    shown = json.loads(_first("results.md", "json"))

    Result.model_validate(shown)

    assert shown.keys() == Result.model_json_schema(by_alias=True)["properties"].keys()


def test_the_page_for_authors_has_all_that_checks_may_import() -> None:
    text = (DOCS / "api.md").read_text("utf-8")

    assert [
        name for name in grading.__all__ if not re.search(rf"^::: .*\.{name}$", text, re.M)
    ] == []


@pytest.mark.parametrize("page", ["learn.md", "id/learn.md"])
def test_the_table_of_the_course_is_that_of_course_yml(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    found = course.Course.load(ROOT / "course.yml")

    for name in ASSIGNMENTS:
        assignment = found.assignment(name)
        minutes = sum(exercise.minutes for exercise in assignment.exercises.values())
        assert re.search(
            rf"^\| `{name}` \| {len(assignment.checked)}\b.* \| {minutes} \|", text, re.M
        )


def test_both_languages_have_the_same_style_and_script() -> None:
    for file in ("stylesheets/contrast.css", "scripts/keyboard.js"):
        assert (DOCS / file).read_bytes() == (DOCS / "id" / file).read_bytes()
