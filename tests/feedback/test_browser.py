"""Feedback pages in a real browser: both themes, a phone, paper, and hostile work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from browsing import PHONE, watched
from feedback.conftest import HOSTILE, page_path

PAGES = [("ada", "relu_net"), ("zoe", "relu_net"), ("mallory", "relu_net"), ("emmy", "pitfalls")]


@pytest.mark.parametrize(("student", "assignment"), PAGES)
@pytest.mark.parametrize(("width", "dark"), [(1000, False), (1000, True), (PHONE, False)])
def test_a_page_is_quiet_accessible_and_fits(
    graded_class: Path, browser: Browser, student: str, assignment: str, width: int, dark: bool
) -> None:
    address = page_path(graded_class, student, assignment).as_uri()
    with watched(browser, address, width=width, dark=dark) as seen:
        # Folded text must be readable too.
        seen.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

        assert seen.violations() == []
        assert seen.overflow() <= 0
        assert seen.said == []
        assert seen.asked == [address]


def test_themes_differ(graded_class: Path, browser: Browser) -> None:
    address = page_path(graded_class, "ada", "relu_net").as_uri()
    colours = []
    for dark in (False, True):
        with watched(browser, address, dark=dark) as seen:
            colours.append(seen.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert colours == ["rgb(255, 255, 255)", "rgb(20, 23, 28)"]


def test_hints_are_on_paper_and_folded_on_screen(graded_class: Path, browser: Browser) -> None:
    with watched(browser, page_path(graded_class, "ada", "relu_net").as_uri()) as seen:
        hint = seen.page.locator(".hint .prose").first

        assert not hint.is_visible()
        seen.page.emulate_media(media="print")
        assert hint.bounding_box() is not None
        assert hint.bounding_box()["height"] > 10


def test_everything_can_be_reached_by_keyboard(graded_class: Path, browser: Browser) -> None:
    with watched(browser, page_path(graded_class, "ada", "relu_net").as_uri()) as seen:
        wanted = seen.page.locator("a, summary").filter(visible=True).count()
        for _ in range(wanted):
            seen.page.keyboard.press("Tab")
        last = seen.page.evaluate("document.activeElement.textContent")
        seen.page.locator("summary").first.focus()
        seen.page.keyboard.press("Enter")

        assert last == "Back to the top"
        assert seen.page.locator("details").first.get_attribute("open") is not None


def test_hostile_work_is_text(
    graded_class: Path, page: Callable[[str, str], BeautifulSoup]
) -> None:
    made = page("mallory", "relu_net")
    text = made.get_text()

    assert HOSTILE in text
    assert "<img src=x onerror=hostile()>" in text
    for character in ("\x1b", "\u202e", "\x07"):
        assert character not in text
    assert [image["src"][:22] for image in made.select("img")] == ["data:image/png;base64,"]
    assert [a["href"] for a in made.select(".theirs a")] == ["https://example.org"]
    assert made.h1.get_text() == "Backpropagation by hand"
    assert len(made.find_all("h1")) == 1
    assert "(shortened)" in text
    assert max(map(len, text.splitlines())) < 12_000


def test_a_result_a_student_wrote_into_the_notebook_counts_for_nothing(
    graded_class: Path, page: Callable[[str, str], BeautifulSoup]
) -> None:
    assert "10 of 10 points" not in page("mallory", "relu_net").header.get_text()
    assert page("mallory", "relu_net").select(".checks .failed")
