"""The site as it is built, in a browser: whole, quiet, readable, without a network."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browsing import PHONE, watched
from docs.blocks import PAGES
from support import ROOT

BIN = Path(sys.executable).parent
NAMES = sorted(
    str(page.relative_to(ROOT / "docs").with_suffix(".html"))
    for page in PAGES
    if page.name != "README.md"
)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make docs` makes, from a copy."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "docs", folder / "docs")
    (folder / "src").symlink_to(ROOT / "src")
    for file in ROOT.glob("mkdocs*.yml"):
        shutil.copy(file, folder)
    for configuration in ("mkdocs.yml", "mkdocs.id.yml"):
        done = subprocess.run(
            [BIN / "zensical", "build", "--strict", "--config-file", configuration],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where a server of this machine shows the site."""
    handler = functools.partial(_Quiet, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_every_page_is_built(site: Path) -> None:
    assert {name for name in NAMES if not (site / name).is_file()} == set()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_quiet_readable_and_asks_nobody_else(
    name: str, dark: bool, address: str, browser: Browser
) -> None:
    with watched(browser, address + name, width=PHONE if dark else 1280, dark=dark) as seen:
        assert seen.violations() == []
        assert seen.overflow() == 0
        assert seen.said == []
        assert [url for url in seen.asked if not url.startswith(address)] == []


def test_pictures_are_shown(address: str, browser: Browser) -> None:
    for name in ("engine.html", "feedback.html", "report.html", "student.html"):
        with watched(browser, address + name) as seen:
            widths = seen.page.eval_on_selector_all(
                "article img", "all => all.map(i => i.naturalWidth)"
            )
            assert widths
            assert min(widths) > 0


def test_each_site_speaks_its_language_and_leads_to_the_other(
    address: str, browser: Browser
) -> None:
    for name, language in (("learn.html", "en"), ("id/learn.html", "id")):
        with watched(browser, address + name) as seen:
            assert seen.page.get_attribute("html", "lang") == language
            alternates = seen.page.eval_on_selector_all(
                ".md-select__link", "all => all.map(a => [a.hreflang, a.href])"
            )
            assert {lang for lang, _ in alternates} == {"en", "id"}
            (other,) = [href for lang, href in alternates if lang != language]
            response = seen.page.goto(other)
            assert response is not None
            assert response.status == 200
            assert seen.page.get_attribute("html", "lang") != language


def test_search_finds_a_command(address: str, browser: Browser) -> None:
    with watched(browser, f"{address}index.html", width=1280) as seen:
        seen.page.keyboard.press("Control+k")
        seen.page.keyboard.type("misconception")
        seen.page.wait_for_selector("a[href*='graders']:visible", timeout=10_000)


def test_the_reference_of_commands_is_the_program(site: Path) -> None:
    from typer.main import get_command

    from autograded.cli import app

    page = (site / "commands.html").read_text("utf-8")
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f'id="autograded-{name}"' in page
        for parameter in command.params:
            for option in parameter.opts:
                assert option in page
