"""Outputs that a worker reports, made into nbformat outputs that are safe to keep and to show.

They were written beside student code, and a teacher's browser will show them: only known keys and
types pass, and of rich displays only what cannot carry a script. What is dropped (HTML, SVG,
Markdown, JavaScript, widgets) leaves its text form behind.
"""

from __future__ import annotations

import re
from typing import Any

from autograded.i18n import _
from autograded.sandbox.limits import OUTPUTS_PER_CELL
from autograded.sandbox.values import Json, MalformedError

_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
_MAX_OUTPUTS = OUTPUTS_PER_CELL + 1  # the last one says that there were more
_MAX_LINES = 500

Output = dict[str, Any]


def clean(reported: Json, max_characters: int) -> list[Output]:
    """Return valid nbformat 4 outputs.

    Raises `MalformedError` when these are none, or more than our own worker would let through.
    """
    if not isinstance(reported, list) or len(reported) > _MAX_OUTPUTS:
        raise MalformedError("outputs that are no list")
    outputs = [_one(output) for output in reported]
    if sum(_size(output) for output in outputs) > max_characters:
        raise MalformedError("more output than a cell may have")
    return outputs


def _one(output: Json) -> Output:
    if not isinstance(output, dict):
        raise MalformedError("an output that is no object")
    kind = output.get("output_type")
    if kind == "stream":
        name = "stdout" if output.get("name") == "stdout" else "stderr"
        return {"output_type": "stream", "name": name, "text": _text(output.get("text"))}
    if kind == "error":
        trace = output.get("traceback")
        if not isinstance(trace, list) or len(trace) > _MAX_LINES:
            raise MalformedError("a traceback that is no list")
        return {
            "output_type": "error",
            "ename": _text(output.get("ename")),
            "evalue": _text(output.get("evalue")),
            "traceback": [_text(line) for line in trace],
        }
    if kind == "display_data":
        return {"output_type": kind, "data": _data(output.get("data")), "metadata": {}}
    if kind == "execute_result":
        return {
            "output_type": kind,
            "data": _data(output.get("data")),
            "metadata": {},
            "execution_count": count(output.get("execution_count")),
        }
    raise MalformedError("an output of an unknown kind")


def _data(data: Json) -> dict[str, str]:
    if not isinstance(data, dict):
        raise MalformedError("a display without data")
    kept = {}
    dropped = []
    for kind, value in data.items():
        if _safe(kind, value):
            kept[kind] = value
        else:
            dropped.append(kind)
    if not kept and dropped:
        kept["text/plain"] = _("<a display of type {type}, left out>").format(
            type=str(dropped[0])[:60]
        )
    return kept


def _safe(kind: str, value: Json) -> bool:
    if not isinstance(value, str):
        return False
    if kind in ("image/png", "image/jpeg"):
        return _BASE64.fullmatch(value) is not None
    return kind == "text/plain" or (kind == "text/latex" and "<" not in value)


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise MalformedError("an output that is no text")
    return value


def count(value: Json) -> int | None:
    """Return an execution count; anything else is `None`."""
    return value if type(value) is int and 0 <= value < 10**6 else None


def _size(output: Output) -> int:
    texts = [*output.get("data", {}).values(), *output.get("traceback", ())]
    texts += [output.get(key, "") for key in ("text", "ename", "evalue")]
    return sum(map(len, texts))
