"""A real browser for the tests of pages: Debian's chromium, without a window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

PHONE = 360
"""Width of a small phone, in CSS pixels."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; the test is skipped where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
    if path is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        # Root may not use chromium's own sandbox; the pages are our own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Watched:
    """A page, and what it did that it should not: errors, and requests to anywhere."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def violations(self) -> list[str]:
        """What axe-core finds, one line each: the rule and the first element."""
        found: list[dict[str, Any]] = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]

    def overflow(self) -> int:
        """Pixels by which the page is wider than its window."""
        return int(
            self.page.evaluate("document.documentElement.scrollWidth - document.body.clientWidth")
        )


@contextmanager
def watched(
    browser: Browser, address: str, *, width: int = 1000, dark: bool = False
) -> Iterator[Watched]:
    """Open a page and watch it."""
    context = browser.new_context(
        color_scheme="dark" if dark else "light", viewport={"width": width, "height": 800}
    )
    seen = Watched(context.new_page())
    seen.page.on("console", lambda message: seen.said.append(message.text))
    seen.page.on("pageerror", lambda error: seen.said.append(str(error)))
    seen.page.on("dialog", lambda dialog: (seen.said.append(dialog.message), dialog.dismiss()))
    seen.page.on(
        "request",
        lambda request: request.url.startswith("data:") or seen.asked.append(request.url),
    )
    seen.page.goto(address)
    yield seen
    context.close()
