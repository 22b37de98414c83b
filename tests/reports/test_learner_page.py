"""A learner's own page: `autograded report --me`, and what a browser makes of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import html5lib
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from browsing import PHONE, watched
from i18n.test_indonesian import assert_no_english
from support import command, copy_course

HOSTILE = "</pre><script>hostile()</script><img src=x onerror=hostile()>"


def learner(course: Path) -> None:
    """Give a course a learner: backward is finished, relu_net begun, with a hostile answer."""
    exercises = course / "exercises"
    shutil.copy(course / "solutions" / "backward" / "backward.py", exercises / "backward")
    path = exercises / "relu_net" / "relu_net.py"
    text = path.read_text(encoding="utf-8")
    for body in (
        "    h = max(w1 * x, 0.0)\n    return w1 * x, h, w2 * h\n",
        "    return (w2 * w1 * x - t) * w2 * x, 0.0\n",
        f"    raise ValueError({HOSTILE!r} + chr(27) + '[31m' + chr(0x202E))\n",
    ):
        text = text.replace("    raise NotImplementedError()\n", body, 1)
    path.write_text(text, encoding="utf-8")
    # A learner has neither.
    shutil.rmtree(course / "graders")
    shutil.rmtree(course / "solutions")
    for _ in range(2):
        assert command("autograded", "hint", "relu_net.gradients", cwd=course).returncode == 0


@pytest.fixture(scope="module")
def learners(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A learner's course with their page; tests only read it."""
    course = copy_course(tmp_path_factory.mktemp("learner") / "course")
    learner(course)
    done = command("autograded", "report", "--me", "exercises/", cwd=course)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "exercises/progress.html: 5 of 16 exercises, 11 of 40 points\n"
    return course


@pytest.fixture(scope="module")
def text(learners: Path) -> str:
    return (learners / "exercises" / "progress.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html5lib")


def article(page: BeautifulSoup, exercise: str) -> BeautifulSoup:
    found = page.find("article", attrs={"aria-labelledby": exercise})
    assert found is not None
    return found


def test_it_is_valid_html(text: str) -> None:
    html5lib.HTMLParser(strict=True).parse(text)


def test_it_says_how_far_the_learner_is_and_what_comes_next(page: BeautifulSoup) -> None:
    assert page.header.select_one(".total").get_text(" ", strip=True) == (
        "11 of 40 points · 5 of 16 exercises"
    )
    following = page.select_one(".next")
    assert following.a["href"] == "#relu_net.gradients"
    assert "about 20 minutes · difficulty 2 of 3" in following.get_text()
    assert "autograded hint relu_net.gradients" in following.get_text()


def test_each_exercise_shows_its_checks_with_their_messages(page: BeautifulSoup) -> None:
    wrong = article(page, "relu_net.gradients")
    right = article(page, "relu_net.forward")

    assert "called gradients(2.0, 0.3, 1.0, 1.0)" in wrong.pre.get_text()
    assert "autograd says dw1 = -1.6" in wrong.pre.get_text()
    assert wrong.details.has_attr("open")  # it is the next one
    assert not right.details.has_attr("open")
    assert right.summary.get_text() == "4 of 4 checks"
    assert not right.select(".checks .failed")
    assert len(article(page, "training_loop.train").select("pre")) == 1  # said once


def test_hints_seen_are_there_and_folded_and_no_other(page: BeautifulSoup) -> None:
    hints = article(page, "relu_net.gradients").select(".hint")

    assert [hint.summary.get_text() for hint in hints] == ["Hint 1 of 4", "Hint 2 of 4"]
    assert not any(hint.has_attr("open") for hint in hints)
    assert all(len(hint.select_one(".prose").get_text(strip=True)) > 20 for hint in hints)
    assert not article(page, "relu_net.forward").select(".hint")
    assert len(page.select(".hint")) == 2


def test_a_finished_assignment_names_what_to_read(page: BeautifulSoup) -> None:
    (finished,) = page.select(".notice.good")

    assert finished.find_parent("section")["aria-labelledby"] == "backward"
    assert [a["href"] for a in finished.select("a")] == [
        "https://pytorch.org/docs/stable/notes/autograd.html",
        "https://pytorch.org/blog/overview-of-pytorch-autograd-engine/",
    ]


def test_pictures_are_in_words_too(page: BeautifulSoup) -> None:
    first, second, *_rest = page.select(".overview svg")

    assert first.title.get_text() == (
        "forward: passed; gradients: 0 of 5 checks; batch_gradients: 0 of 5 checks; "
        "numerical_gradient: 0 of 5 checks"
    )
    assert len(first.select(".done")) == 1
    assert len(second.select(".done")) == len(second.select(".frame")) == 4


def test_a_written_answer_is_named_and_not_counted(page: BeautifulSoup) -> None:
    assert "a person reads it" in article(page, "pitfalls.explain").get_text()


def test_hostile_answers_are_text(page: BeautifulSoup, text: str) -> None:
    assert HOSTILE in article(page, "relu_net.batch_gradients").get_text()
    assert not page.select("script, img, [onerror], [style]")
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize(("width", "dark"), [(1000, False), (1000, True), (PHONE, True)])
def test_a_browser_finds_it_quiet_accessible_and_fitting(
    learners: Path, browser: Browser, width: int, dark: bool
) -> None:
    address = (learners / "exercises" / "progress.html").as_uri()
    with watched(browser, address, width=width, dark=dark) as seen:
        seen.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")

        assert seen.violations() == []
        assert seen.overflow() <= 0
        assert seen.said == []
        assert seen.asked == [address]
        background = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == ("rgb(20, 23, 28)" if dark else "rgb(255, 255, 255)")


def test_hints_are_on_paper(learners: Path, browser: Browser) -> None:
    with watched(browser, (learners / "exercises" / "progress.html").as_uri()) as seen:
        hint = seen.page.locator(".hint .prose").first

        assert not hint.is_visible()
        seen.page.emulate_media(media="print")
        assert hint.bounding_box()["height"] > 10


def test_files_that_cannot_be_checked_are_named_and_the_rest_is_there(course: Path) -> None:
    (course / "exercises" / "relu_net" / "relu_net.py").unlink()
    (course / "exercises" / "backward" / "backward.py").write_bytes(b"# \xff\xfe")
    target = course / "pages" / "mine.html"

    done = command(
        "autograded",
        "report",
        "relu_net",
        "backward",
        "--me",
        "exercises",
        "-o",
        target,
        cwd=course,
    )

    assert done.returncode == 1
    missing, unreadable = done.stderr.splitlines()
    assert missing.startswith("not checked: There is no exercises/relu_net/relu_net.py; ")
    assert unreadable.startswith("not checked: exercises/backward/backward.py cannot be read: ")
    page = BeautifulSoup(target.read_text(encoding="utf-8"), "html5lib")
    assert len(page.select(".notice")) == 2
    assert "forward: not checked" in page.svg.get_text()
    assert not page.select("article[aria-labelledby^=pitfalls]")


def test_somebody_elses_folder_is_checked_against_the_course(course: Path, tmp_path: Path) -> None:
    work = tmp_path / "work" / "backward"
    work.mkdir(parents=True)
    shutil.copy(course / "solutions" / "backward" / "backward.py", work)

    done = command(
        "autograded", "report", "backward", "--me", work.parent, "--course", course, cwd=tmp_path
    )

    assert done.returncode == 0, done.stderr
    assert "4 of 4 exercises, 10 of 10 points" in done.stdout
    page = BeautifulSoup((work.parent / "progress.html").read_text(encoding="utf-8"), "html5lib")
    assert "Everything here passes." in page.select_one(".next").get_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--me", "solutions/relu_net"],
            "holds no work: name the folder with relu_net/relu_net.py",
        ),
        (["nonesuch", "--me", "exercises"], "There is no assignment 'nonesuch'"),
        (["backward", "--me", "exercises", "-o", "course.yml/x"], "cannot be written: "),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    course: Path, arguments: list[str], sentence: str
) -> None:
    done = command("autograded", "report", *arguments, cwd=course)

    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert sentence in line


def test_an_indonesian_course_makes_an_indonesian_page(course: Path, browser: Browser) -> None:
    settings = course / "course.yml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("language: en ", "language: id "), encoding="utf-8")
    built = command("autograded", "build", "--no-release", cwd=course)
    assert built.returncode == 0, built.stderr
    learner(course)

    done = command("autograded", "report", "--me", "exercises", cwd=course)

    assert done.returncode == 0, done.stderr
    assert "5 dari 16 latihan, 11 dari 40 poin" in done.stdout
    path = course / "exercises" / "progress.html"
    page = BeautifulSoup(path.read_text(encoding="utf-8"), "html5lib")
    assert page.html["lang"] == "id"
    assert page.h1.get_text() == "Kemajuan saya"
    shown = page.get_text().replace(HOSTILE, "")
    assert_no_english(shown)
    with watched(browser, path.as_uri()) as seen:
        assert seen.violations() == []
