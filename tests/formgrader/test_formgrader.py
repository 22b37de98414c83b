"""formgrader on our classroom, in a real browser: everything a teacher does there."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page, expect

from feedback.conftest import hand_in
from support import command

_PATIENCE = 120_000  # milliseconds: grading starts a sandbox, on a machine that may be busy


@pytest.fixture(scope="module")
def course(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two students handed in pitfalls; Ada's is graded, Emmy's is not."""
    folder = tmp_path_factory.mktemp("formgrader") / "course"
    shutil.copytree(built_course, folder, symlinks=True)
    hand_in(folder, "pitfalls", "ada", "broken")
    done = command("autograded", "grade", "pitfalls", cwd=folder)
    assert done.returncode == 0, done.stderr
    hand_in(folder, "pitfalls", "emmy", "unfinished")
    return folder


@pytest.fixture(scope="module")
def formgrader(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Jupyter's server in the course's folder; yields formgrader's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = tmp_path_factory.mktemp("jupyter")
    log = (home / "server.log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root",
         "--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0",
         "--IdentityProvider.token=", f"--ServerApp.root_dir={course}"],
        cwd=course, stdout=log, stderr=subprocess.STDOUT,
        env={**os.environ, "AUTOGRADED_SEED": "tests", "JUPYTER_CONFIG_DIR": str(home),
             "JUPYTER_RUNTIME_DIR": str(home), "JUPYTER_DATA_DIR": str(home / "data")},
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}/formgrader"
    try:
        _wait_for(address, server, home / "server.log")
        yield address
    finally:
        server.terminate()
        server.wait(timeout=60)
        log.close()


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        assert server.poll() is None, log.read_text()
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(address, timeout=30).close()
            return
        time.sleep(0.5)
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module")
def page(formgrader: str, browser: Browser) -> Page:
    """One teacher's browser window; it loads nothing from anywhere but formgrader."""
    window = browser.new_page(viewport={"width": 1200, "height": 900})
    window.set_default_timeout(_PATIENCE)
    # MathJax comes from a CDN, which a test should not depend on.
    window.route(lambda url: not url.startswith(formgrader[:22]), lambda r: r.abort())
    return window


def press(page: Page, student: str, button: str) -> str:
    """Press a button in a student's row; return what formgrader says when it is done."""
    page.locator(f"tr:has(td.student-id:text-is('{student}')) td.{button} a").click()
    said = page.locator(".modal.in .modal-body")
    said.wait_for()
    text = said.inner_text()
    page.locator(".modal.in button.btn").click()
    expect(page.locator(".modal")).to_have_count(0)
    return text


def test_assignments_and_submissions_are_listed(page: Page, formgrader: str) -> None:
    page.goto(formgrader)

    row = page.locator("tr:has(td.name[data-order='pitfalls'])")

    expect(row.locator("td.num-submissions")).to_have_text("2")
    expect(page.locator("tr:has(td.name[data-order])")).to_have_count(4)


def test_autograde_and_feedback_buttons_work(page: Page, formgrader: str, course: Path) -> None:
    page.goto(f"{formgrader}/manage_submissions/pitfalls")

    graded = press(page, "emmy", "autograde")
    told = press(page, "emmy", "generate-feedback")

    assert "Successfully autograded 'pitfalls' for student 'emmy'" in graded
    assert "Successfully generated feedback for 'pitfalls' for student 'emmy'" in told
    row = page.locator("tr:has(td.student-id:text-is('emmy'))")
    expect(row.locator("td.status")).to_have_text("needs manual grading")
    made = (course / "classroom/feedback/emmy/pitfalls/pitfalls.html").read_text("utf-8")
    assert "Points by exercise" in made


def test_a_regrade_from_formgrader_gives_the_same_score(page: Page, formgrader: str) -> None:
    page.goto(f"{formgrader}/manage_submissions/pitfalls")
    score = page.locator("tr:has(td.student-id:text-is('ada')) td.score")
    before = score.inner_text()

    assert "Successfully autograded" in press(page, "ada", "autograde")

    page.reload()
    expect(score).to_have_text(before)


def test_our_messages_are_shown_and_a_person_s_points_and_comment_reach_the_student(
    page: Page, formgrader: str, course: Path
) -> None:
    page.goto(f"{formgrader}/manage_submissions/pitfalls")
    page.locator("tr:has(td.student-id:text-is('ada')) td.student-name a").click()
    page.locator("td.name a").click()
    # What is typed before the points have been fetched is not saved.
    page.wait_for_url("**/submissions/**")
    page.wait_for_load_state("networkidle")

    assert page.locator(".autograded-checks").count() == 5
    expect(page.locator("body")).to_contain_text("SyntaxError")
    assert page.locator("math").count() > 10  # formulas, though nothing came from a CDN
    with page.expect_response(lambda r: "/api/grade/" in r.url and r.request.method == "PUT"):
        page.locator("#explain").fill("1.5")
        page.locator("#explain").press("Tab")
    with page.expect_response(lambda r: "/api/comment/" in r.url and r.request.method == "PUT"):
        page.locator("#explain-comment").fill("Well **said**: `w` is shared.")
        page.locator("#explain-comment").press("Tab")
    page.goto(f"{formgrader}/manage_submissions/pitfalls")
    assert "Successfully generated" in press(page, "ada", "generate-feedback")

    path = course / "classroom/feedback/ada/pitfalls/pitfalls.html"
    answer = BeautifulSoup(path.read_text("utf-8"), "html5lib").find(id="explain")
    assert "1.5 / 2" in answer.h2.get_text()
    assert "Well said: w is shared." in answer.select_one(".comment").get_text()
