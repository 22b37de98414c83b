"""The page in a real browser: silent, offline, accessible in both themes, sorted by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from autograded.course import Course
from reports.classes import all_of, report, result, write_results
from reports.conftest import ReportedClass

Theme = Literal["light", "dark"]
DESKTOP, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}


def opened(
    browser: Browser, page: Path, theme: Theme = "light", size: dict[str, int] = DESKTOP
) -> Page:
    """Open a file as a double click does; what the browser complains of is an error."""
    context = browser.new_context(color_scheme=theme, viewport=size, offline=True)
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("request", lambda request: complaints.append(f"loads {request.url}"))
    address = page.as_uri()
    tab.goto(address)
    assert complaints == [f"loads {address}"]
    return tab


def column(tab: Page, caption: str, number: int) -> list[str]:
    """The texts of a column of the table with this caption."""
    table = tab.locator("table", has=tab.locator("caption", has_text=caption)).first
    return table.locator(f"tbody tr > :nth-child({number + 1})").all_inner_texts()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(
    browser: Browser, reported: ReportedClass, theme: Theme, size: dict[str, int]
) -> None:
    tab = opened(browser, reported.page, theme, size)
    for details in tab.locator("details").all():
        details.evaluate("element => { element.open = true }")
    found = Axe().run(tab)
    assert found.violations_count == 0, found.generate_report()
    # What axe could not decide must not be contrast: that is decided by the colours below.
    assert "color-contrast" in {rule["id"] for rule in found.response["passes"]}
    dark = "rgb(20, 23, 28)"
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == dark) == (theme == "dark")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_in_figures_has_contrast_too(
    browser: Browser, reported: ReportedClass, theme: Theme
) -> None:
    # axe does not look into SVG.
    tab = opened(browser, reported.page, theme)
    text = tab.evaluate("getComputedStyle(document.querySelector('svg text')).fill")
    bar = tab.evaluate("getComputedStyle(document.querySelector('svg .bar')).fill")
    page = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert contrast(text, page) >= 4.5
    assert contrast(bar, page) >= 3  # WCAG 1.4.11: what is no text


def contrast(one: str, other: str) -> float:
    """Contrast of two colours such as `rgb(0, 0, 0)` (WCAG 2.2)."""
    first, second = sorted((luminance(one), luminance(other)))
    return (second + 0.05) / (first + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour[4:-1].split(",")]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_table_is_sorted_by_keyboard_and_says_so(
    browser: Browser, reported: ReportedClass
) -> None:
    tab = opened(browser, reported.page)
    heading = tab.locator("table", has_text="Checks of relu_net").locator(
        "th", has_text="discrimination"
    )
    before = column(tab, "Checks of relu_net", 1)
    heading.locator("button").focus()
    tab.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    rising = [text for text in column(tab, "Checks of relu_net", 4) if text != "–"]
    values = [float(text.replace("−", "-")) for text in rising]
    assert values == sorted(values)
    assert column(tab, "Checks of relu_net", 4)[-1] == "–"  # no value: last, in either order
    tab.keyboard.press("Space")
    assert heading.get_attribute("aria-sort") == "descending"
    assert column(tab, "Checks of relu_net", 4)[0] == rising[-1]
    assert column(tab, "Checks of relu_net", 4)[-1] == "–"
    title = tab.locator("table", has_text="Checks of relu_net").locator("th[scope=col]").nth(1)
    title.locator("button").click()
    assert heading.get_attribute("aria-sort") is None
    assert sorted(column(tab, "Checks of relu_net", 1)) == sorted(before)


def test_points_are_sorted_as_numbers(browser: Browser, reported: ReportedClass) -> None:
    tab = opened(browser, reported.page)
    caption = "Points as the gradebook has them"
    heading = tab.locator("table", has_text=caption).locator("th", has_text="relu_net")
    heading.locator("button").click()
    values = [float(t.split()[0]) for t in column(tab, caption, 2) if t[:1].isdigit()]
    assert len(values) > 30
    assert values == sorted(values)


def test_names_are_sorted_as_text_either_way(browser: Browser, reported: ReportedClass) -> None:
    tab = opened(browser, reported.page)
    caption = "Points as the gradebook has them"
    heading = tab.locator("table", has_text=caption).locator("th", has_text="name")
    heading.locator("button").click()
    names = column(tab, caption, 1)
    assert names == sorted(names)
    heading.locator("button").click()
    assert column(tab, caption, 1) == sorted(names, reverse=True)


@pytest.mark.parametrize("results", [0, 1], ids=["none", "one"])
def test_an_empty_class_and_a_class_of_one_pass_axe(
    browser: Browser, classroom: Path, results: int
) -> None:
    course = Course.load(classroom / "course.yml")
    write_results(course, {f"s{n}": result(all_of(True)) for n in range(results)})
    report(classroom)
    found = Axe().run(opened(browser, course.classroom / "reports" / "class.html"))
    assert found.violations_count == 0, found.generate_report()


def test_a_phone_scrolls_tables_and_never_the_page(
    browser: Browser, reported: ReportedClass
) -> None:
    tab = opened(browser, reported.page, size=PHONE)
    for details in tab.locator("details").all():
        details.evaluate("element => { element.open = true }")
    assert tab.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_the_page_prints_without_what_is_for_the_screen(
    browser: Browser, reported: ReportedClass
) -> None:
    tab = opened(browser, reported.page, "dark")
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not tab.locator("nav").is_visible()
    assert tab.pdf(format="A4").startswith(b"%PDF")


def test_a_script_in_the_page_that_is_not_its_own_does_not_run(
    browser: Browser, reported: ReportedClass, tmp_path: Path
) -> None:
    other = tmp_path / "changed.html"
    added = "<script>document.title = 'taken over'</script></body>"
    other.write_text(reported.text.replace("</body>", added), encoding="utf-8")
    tab = browser.new_page()
    tab.goto(other.as_uri())
    assert tab.title().startswith("Class report")
