"""Markdown as HTML that can do nothing but be read: no tags of its own, no styles, no pictures.

Hints, diagnoses and exercises are the course's text; written answers are a student's. Both are
shown the same way, so that neither can be taken for a part of the page around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin

from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.i18n import _, say
from autograded.public import PublicAssignment
from autograded.reports.mathml import mathml

_LONGEST = 20_000
"""Characters of one text that are shown."""

_LINK = re.compile(r"(https?://|mailto:)", re.I)
_ATTACHMENT = re.compile(r"attachment:(.+)")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")
_PICTURES = ("image/png", "image/jpeg")

Attachments = Mapping[str, Mapping[str, Any]]


def prose(
    text: str, attachments: Attachments | None = None, formulas: Literal["mathml", "tex"] = "mathml"
) -> str:
    """Markdown with formulas between dollar signs, as HTML.

    HTML in it is shown as text. Headings become bold lines, since a page has an outline of its
    own. The only pictures are `attachments`, as nbformat keeps them with a Markdown cell.

    Args:
        text: the Markdown.
        attachments: pictures by name, each by MIME type as base64.
        formulas: how formulas are written: `mathml`, which browsers show, or `tex`, between
            dollar signs, where Jupyter typesets it.
    """
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + " …"
    if attachments:
        return _rendered(text, attachments, formulas)
    return _prose(text, formulas)


@lru_cache(maxsize=1024)
def _prose(text: str, formulas: str) -> str:
    return _rendered(text, {}, formulas)


def inline(text: str) -> str:
    """One line of Markdown, such as a heading, as HTML without a paragraph around it."""
    return str(_markdown().renderInline(text, {}))


def _rendered(text: str, attachments: Attachments, formulas: str) -> str:
    return str(_markdown().render(text, {"attachments": attachments, "formulas": formulas}))


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    markdown.core.ruler.push("harmless", _make_harmless)
    for rule in ("math_inline", "math_inline_double", "math_block"):
        markdown.add_render_rule(rule, _formula)
    markdown.add_render_rule("image", _picture)
    markdown.add_render_rule("fence", _code)
    markdown.add_render_rule("code_block", _code)
    return markdown


def _make_harmless(state: Any) -> None:
    for token in _all(state.tokens):
        if token.type == "heading_open":
            token.tag, token.attrs = "p", {"class": "heading"}
        elif token.type == "heading_close":
            token.tag = "p"
        elif token.type == "link_open":
            address = str(token.attrs.get("href", ""))
            token.attrs = {"href": address} if _LINK.match(address) else {}
        elif token.type != "image":
            token.attrs = {k: v for k, v in token.attrs.items() if k == "start"}


def _all(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or [])


def _formula(_renderer: Any, tokens: list[Token], index: int, _options: Any, env: Any) -> str:
    token = tokens[index]
    block = token.type != "math_inline"
    if env.get("formulas") == "tex":
        mark = "$$" if block else "$"
        return f"{mark}{escape(token.content)}{mark}"
    made = mathml(token.content.strip(), block=block)
    return f'<div class="formula">{made}</div>\n' if token.type == "math_block" else made


def _code(_renderer: Any, tokens: list[Token], index: int, _options: Any, _env: Any) -> str:
    return f"<pre><code>{escape(tokens[index].content)}</code></pre>\n"


def _picture(_renderer: Any, tokens: list[Token], index: int, _options: Any, env: Any) -> str:
    token = tokens[index]
    said = escape(token.content.strip() or _("picture"))
    found = _ATTACHMENT.fullmatch(str(token.attrs.get("src", "")))
    data = env.get("attachments", {}).get(found[1], {}) if found else {}
    for kind in _PICTURES:
        content = data.get(kind)
        if isinstance(content, str) and _BASE64.fullmatch(content):
            return f'<img src="data:{kind};base64,{"".join(content.split())}" alt="{said}">'
    return f"[{said}]"


def hints_of(course: Course, assignment: str) -> dict[str, list[Markup]]:
    """Hints by exercise, as learners get them; none where they were not built."""
    try:
        public = PublicAssignment.load(course.exercises_folder(assignment))
    except AutogradedError:
        return {}
    return {e.name: [Markup(prose(say(hint))) for hint in e.hints] for e in public.exercises}
