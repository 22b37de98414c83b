"""From solution to stub: what a student finds in place of a solution."""

from __future__ import annotations

import re

_BEGIN = "BEGIN SOLUTION"
_INSTEAD = "### INSTEAD"
_END = "END SOLUTION"
_STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")


class StubError(ValueError):
    """Solution markers that do not fit; `line` is the line in the cell (1-based)."""

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(sentence)
        self.line = line


def marks_solution(text: str) -> bool:
    """Whether a cell's text holds a solution marker, well-formed or not."""
    return _BEGIN in text or _END in text


def stub(code: str) -> str:
    """Return a cell's code with every solution region replaced by what the student gets.

    A region runs from `### BEGIN SOLUTION` to `### END SOLUTION`. Lines after `### INSTEAD` in it,
    each commented out at the region's indentation, are put in its place; without them the stub is
    `# YOUR CODE HERE` and `raise NotImplementedError()`.

    Raises:
        StubError: no region, or markers that do not pair.
    """
    out: list[str] = []
    begin: tuple[int, str] | None = None
    instead: list[str] | None = None
    regions = 0
    for number, line in enumerate(code.split("\n"), 1):
        marker = line.strip()
        if _BEGIN in line:
            if begin:
                raise StubError(f"BEGIN SOLUTION inside the one of line {begin[0]}", number)
            if marker != f"### {_BEGIN}":
                raise StubError("write the marker as `### BEGIN SOLUTION`", number)
            begin = (number, line[: len(line) - len(line.lstrip())])
            instead = None
        elif _END in line:
            if not begin:
                raise StubError("END SOLUTION without a BEGIN SOLUTION before it", number)
            if marker != f"### {_END}":
                raise StubError("write the marker as `### END SOLUTION`", number)
            out += [begin[1] + text for text in _STUB] if instead is None else instead
            begin = None
            regions += 1
        elif marker == _INSTEAD:
            if not begin:
                raise StubError("INSTEAD outside a solution region", number)
            if instead is not None:
                raise StubError("a second INSTEAD in one solution region", number)
            instead = []
        elif begin and instead is not None:
            instead.append(_uncommented(line, begin[1], number))
        elif not begin:
            out.append(line)
    if begin:
        raise StubError("BEGIN SOLUTION without an END SOLUTION after it", begin[0])
    if not regions:
        raise StubError("no solution markers: put the solution between BEGIN and END SOLUTION", 1)
    return "\n".join(out)


def solved(code: str) -> str:
    """Return a cell's code as somebody who solved it would have written it: without markers.

    The code must be one that `stub` takes.
    """
    out: list[str] = []
    left_out = False
    for line in code.split("\n"):
        marker = line.strip()
        if marker == _INSTEAD:
            left_out = True
        elif marker == f"### {_END}":
            left_out = False
        elif not left_out and marker != f"### {_BEGIN}":
            out.append(line)
    return "\n".join(out)


def _uncommented(line: str, indentation: str, number: int) -> str:
    match = re.fullmatch(re.escape(indentation) + r"#(?: (.*)|())", line)
    if match:
        text = match.group(1) or ""
        return indentation + text if text else ""
    if not line.strip():
        return ""
    raise StubError("lines after INSTEAD are commented with `# ` at the marker's indent", number)
