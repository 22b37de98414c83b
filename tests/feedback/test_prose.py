"""Markdown and formulas as HTML that can be read and nothing else."""

from __future__ import annotations

import re

import html5lib
import pytest

from autograded.gradebook.feedback.outputs import pieces
from autograded.reports.mathml import mathml
from autograded.reports.prose import inline, prose
from autograded.reports.table import Row, Table, plain
from support import ROOT


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>hostile()</script>}",
        r"\href{javascript:hostile()}{x}",
        r"\style{position:fixed}{x}",
        r"\class{top}{x}",
        r"\mathrm{</math><script>hostile()</script>}",
        r"\def\x{\x\x}\x",
        r"\begin{matrix}a&b\end{matrix}<img src=x onerror=hostile()>",
        r"\color{red;background:url(//evil.example)}{x}",
        "{" * 5_000,
        r"\frac" * 300,
        "\x00\ud800",
        "",
    ],
)
def test_no_formula_becomes_anything_but_a_formula(tex: str) -> None:
    made = mathml(tex, block=True).encode("utf-8", "replace").decode()

    parsed = html5lib.parse(made, namespaceHTMLElements=False)
    names = {re.sub(r"\{.*\}", "", element.tag) for element in parsed.iter()}
    assert names & {"script", "img", "a", "style", "svg"} == set()
    for element in parsed.iter():
        assert not set(element.attrib) & {"href", "style", "class", "onerror", "id"}


def test_every_formula_of_the_course_is_shown_as_one() -> None:
    formulas = set()
    for path in sorted((ROOT / "solutions").glob("*/*.py")):
        text = re.sub(r"^# ?", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        formulas |= set(re.findall(r"(?<![\\$`])\$\$?([^$`]+)\$\$?", text))

    shown_as_tex = [tex for tex in formulas if not mathml(tex, block=False).startswith("<math")]

    assert len(formulas) > 100
    assert shown_as_tex == []


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a `b < c` **d**", "<p>a <code>b &lt; c</code> <strong>d</strong></p>"),
        ("# big", '<p class="heading">big</p>'),
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>"),
        ("[x](javascript:y)", "<p>[x](javascript:y)</p>"),
        ("[x](file.html)", "<p><a>x</a></p>"),
        ("[x](https://y.z 't')", '<p><a href="https://y.z">x</a></p>'),
        ("![x](https://y.z/p.png)", "<p>[x]</p>"),
        ("```python\na < b\n```", "<pre><code>a &lt; b\n</code></pre>"),
        ("costs 5 dollars \\$", "<p>costs 5 dollars $</p>"),
    ],
)
def test_markdown_is_read_and_html_in_it_is_not(text: str, made: str) -> None:
    assert prose(text).strip() == made


def test_a_heading_is_one_line() -> None:
    assert inline("Mend `fit_slope`") == "Mend <code>fit_slope</code>"


def test_outputs_are_merged_cut_and_cleaned() -> None:
    made = pieces(
        [
            {"output_type": "stream", "name": "stdout", "text": "a\x1b[31m"},
            {"output_type": "stream", "name": "stdout", "text": "b\n"},
            {
                "output_type": "display_data",
                "data": {"text/html": "<b>no</b>", "text/plain": "yes"},
            },
            {"output_type": "display_data", "data": {"image/svg+xml": "<svg>"}},
            {"output_type": "display_data", "data": {"image/png": '"><script>'}},
            {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[0mt"]},
            {"output_type": "stream", "name": "stdout", "text": "line\n" * 1_000},
        ]
    )

    assert [(p.kind, p.text) for p in made[:3]] == [
        ("text", "ab"),
        ("text", "yes"),
        ("error", "E: v"),
    ]
    assert made[2].more == "t"
    assert made[3].text.count("line") == 60
    assert [p.shortened for p in made] == [False, False, False, True]


def test_the_table_under_check_leaves_formulas_to_jupyter_and_a_student_s_dollars_alone() -> None:
    table = Table(
        "net.f", [Row("a $x$ <b>", False, "returned $y$")], hints=["Try $w_1 < 2$ and `f`."]
    )

    made = table.to_html()

    assert "Try $w_1 &lt; 2$ and <code>f</code>." in made
    assert "a &#36;x&#36; &lt;b&gt;" in made
    assert "returned &#36;y&#36;" in made


def test_plain_text_keeps_what_a_terminal_would_show() -> None:
    assert (
        plain("\x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \x1b[31mred\x1b[0m") == "link red"
    )
