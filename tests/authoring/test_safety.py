from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from nbconvert import HTMLExporter
from nbformat.v4 import new_markdown_cell, new_notebook, new_raw_cell
from traitlets.config import Config

from autograded.gradebook.config import configure
from autograded.gradebook.safety import safe_html

if TYPE_CHECKING:
    from authoring.conftest import SmallCourse


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("<script>alert(1)</script>x", "x"),
        ("<script>no end", ""),
        ("<scr<script></script>ipt>alert(1)</script>x", None),
        ("<img src=x onerror=alert(1)>", "<img>"),
        ('<img src="https://example.org/seen.png">', "<img>"),
        ('<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA">'),
        ('<a href="javascript:alert(1)">a</a>', "<a>a</a>"),
        ('<a href=" java\nscript:alert(1)">a</a>', "<a>a</a>"),
        ('<a href="data:text/html,x">a</a>', "<a>a</a>"),
        ('<a href="https://pytorch.org">a</a>', '<a href="https://pytorch.org">a</a>'),
        ('<p style="position:fixed;color:red">a</p>', '<p style="color:red;">a</p>'),
        ('<p style="background:url(//x)">a</p>', '<p style="">a</p>'),
        ("<iframe src=//x></iframe><form action=/grade><input></form>", ""),
        ("<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>", None),
        ("<details><summary>a</summary></details>", "<details><summary>a</summary></details>"),
    ],
)
def test_html_can_be_read_and_nothing_else(text: str, safe: str | None) -> None:
    made = safe_html(text)
    for word in ("<script", "javascript:", "onerror", "xlink"):
        assert word not in made
    if safe is not None:
        assert made.strip() == safe


def test_pages_made_from_notebooks_run_no_student_s_script(small: SmallCourse) -> None:
    config = Config()
    configure(config, small.load().root)
    cells = [
        new_markdown_cell("# Title\n\n<img src=x onerror=alert(1)> `a < b` $x < y$"),
        new_markdown_cell("<details><summary>Hint</summary>\n\n**bold**\n\n</details>"),
        new_markdown_cell("[click](javascript:alert(2))"),
        new_markdown_cell(r"$\text{<script>alert(4)</script>}$ $\href{javascript:alert(5)}{q}$"),
        new_markdown_cell(r"<b title='$w_1$'>$w_2$</b>" + "\n\n$$L = (y - t)^2$$"),
        new_raw_cell("<script>alert(3)</script>"),
    ]
    page, _resources = HTMLExporter(config=config).from_notebook_node(new_notebook(cells=cells))
    assert re.findall(r"<script[^>]*>[^<]*alert|<[^<>]+alert\(", page) == []
    assert "<code>a &lt; b</code>" in page
    assert page.count("<math") >= 4
    assert "<msub><mi>w</mi><mn>2</mn></msub>" in page
    assert '<math display="block">' in page
    assert "<summary>Hint</summary>" in page
    assert "<strong>bold</strong>" in page
