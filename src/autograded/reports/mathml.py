"""TeX formulas as MathML, which browsers show without a script or a network."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape, unescape
from typing import Any

_LONGEST = 2_000
"""Characters of a formula that are converted; a longer one is shown as TeX."""

# Presentation elements of MathML Core, and the attributes that cannot do more than shape a formula.
_ELEMENTS = frozenset(
    "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace "
    "msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split()
)
_ATTRIBUTES = frozenset(
    "accent accentunder columnalign columnspan display displaystyle fence form largeop "
    "linethickness lspace mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel "
    "separator stretchy symmetric width".split()
)
_VALUE = re.compile(r"[A-Za-z0-9.+% -]{1,40}")


@lru_cache(maxsize=4096)
def mathml(tex: str, *, block: bool) -> str:
    """A formula as HTML: MathML, or its TeX as code where that cannot be made.

    The formula may be a student's: latex2mathml writes what `\\text{<script>}` holds as it is, and
    knows `\\href` and `\\style`; so its tree is written here, by a list of what may be in it.
    """
    from latex2mathml.converter import convert_to_element

    if len(tex) > _LONGEST:
        return _as_code(tex)
    try:
        element = convert_to_element(tex, display="block" if block else "inline")
        return _written(element)
    except Exception:  # noqa: BLE001 - the converter raises what it likes on TeX it does not know
        return _as_code(tex)


def _as_code(tex: str) -> str:
    return f"<code>{escape(tex)}</code>"


def _written(element: Any) -> str:
    inner = _text(element.text) + "".join(_written(child) + _text(child.tail) for child in element)
    if element.tag not in _ELEMENTS:
        return inner
    attributes = "".join(
        f' {name}="{value}"'
        for name, value in element.attrib.items()
        if name in _ATTRIBUTES and _VALUE.fullmatch(value)
    )
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _text(text: str | None) -> str:
    # The converter's tree holds its symbols as references, such as &#x0003D;.
    return escape(unescape(text or ""))
