"""What a student's text and HTML may do on a teacher's screen: be read, nothing else.

Feedback pages and formgrader show a notebook's Markdown and outputs as they are, in the browser of
somebody who may change grades.
"""

from __future__ import annotations

import re
import secrets
from typing import Any

import bleach
from bleach.css_sanitizer import CSSSanitizer
from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograded.reports.mathml import mathml

_TAGS = frozenset(
    "a abbr b blockquote br caption center code col colgroup dd del details div dl dt em "
    "figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span "
    "strong sub summary sup table tbody td tfoot th thead tr tt u ul var".split()
)
_ATTRIBUTES = frozenset(
    "align alt border class colspan height id open rowspan scope start style title width".split()
)
_STYLES = frozenset(
    "background-color border border-bottom border-collapse border-left border-radius "
    "border-right border-top color display font font-family font-size font-style font-weight "
    "height line-height margin margin-bottom margin-left margin-right margin-top "
    "max-width min-width overflow-wrap padding padding-bottom padding-left padding-right "
    "padding-top text-align text-decoration vertical-align white-space width".split()
)
# Their text is not for reading; bleach alone would keep it.
_INVISIBLE = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.I | re.S)

_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif"})
_TAG = r"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>"
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")
_PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]+")
_LINK = re.compile(r"(https?://|mailto:|#)", re.I)


def _allowed(tag: str, name: str, value: str) -> bool:
    if name == "src":
        # A picture elsewhere would tell a third party who reads it, and when.
        return tag == "img" and _PICTURE.fullmatch(value) is not None
    if name == "href":
        return _LINK.match(value) is not None
    return name in _ATTRIBUTES


def safe_html(text: str) -> str:
    """HTML without scripts, forms, frames, event handlers or pictures from elsewhere."""
    return str(
        bleach.clean(
            _INVISIBLE.sub("", text),
            tags=_TAGS,
            attributes=_allowed,
            protocols={"http", "https", "mailto", "data"},
            css_sanitizer=CSSSanitizer(allowed_css_properties=_STYLES),
            strip=True,
        )
    )


def safe_data(data: dict[str, Any]) -> dict[str, str]:
    """The forms of an output (by MIME type) that may be shown, HTML among them made safe."""
    safe = {}
    for kind, value in data.items():
        text = "".join(map(str, value)) if isinstance(value, list) else str(value)
        if kind == "text/plain" or (kind in _PICTURES and _BASE64.fullmatch(text)):
            safe[kind] = text
        elif kind == "text/html":
            safe[kind] = safe_html(text)
    return safe


class _Renderer(IPythonRenderer):  # type: ignore[misc]
    """nbconvert's renderer, with formulas kept aside while the HTML is made safe.

    As MathML they need no script from elsewhere, and obey no macro a student defined.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(escape=False, **options)
        self._mark = f"formula{secrets.token_hex(8)}x"
        self._formulas: list[str] = []

    def block_math(self, body: str) -> str:
        return self._aside(body, block=True)

    def inline_math(self, body: str) -> str:
        return self._aside(body, block=False)

    def latex_environment(self, name: str, body: str) -> str:
        return self._aside(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)

    def _aside(self, tex: str, *, block: bool) -> str:
        self._formulas.append(mathml(tex.strip(), block=block))
        return f"{self._mark}{len(self._formulas) - 1}x"

    def put_back(self, html: str) -> str:
        """Put the formulas where they were in text; out of tags they are left."""
        mark = rf"{self._mark}(\d+)x"

        def replaced(found: re.Match[str]) -> str:
            number = found[1]
            return re.sub(mark, "", found[0]) if number is None else self._formulas[int(number)]

        return re.sub(rf"{_TAG}|{mark}", replaced, html)


@pass_context
def markdown2html(context: Any, source: str) -> str:
    """nbconvert's filter of this name, with safe HTML: set in `HTMLExporter.filters`."""
    renderer = _Renderer(attachments=context.get("cell", {}).get("attachments", {}))
    return renderer.put_back(safe_html(str(MarkdownWithMath(renderer=renderer).render(source))))
