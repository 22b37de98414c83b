"""A py:percent file as cells, tolerant of whatever a student made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograded.text import lines_of

# `# In[3]:` is how nbconvert marks the cells of a notebook it writes as a script.
_MARKER = re.compile(r"^# ?%%(?P<rest>.*)$|^# In ?\[[ \d*]*\]:?\s*$")
_LEFT_OUT = re.compile(r"\[(markdown|md|raw)\]|\b(figure|check|active|hint|task|answer)\s*=")
_CHECK_CALL = re.compile(r"^\s*(autograded\.)?check\(.*\)\s*$")


@dataclass(frozen=True)
class PercentCell:
    """One cell: its marker's text, its code, and the line its code starts at (1-based)."""

    marker: str
    source: str
    line: int

    @property
    def runs(self) -> bool:
        """Whether grading runs it: code that is neither a figure nor a check."""
        return not _LEFT_OUT.search(self.marker) and not only_checks(self.source)


def is_elsewhere(marker: str) -> bool:
    """Whether a cell is for the notebook only: `active="ipynb"`, as jupytext writes it."""
    return re.search(r"\bactive\s*=", marker) is not None


def only_checks(source: str) -> bool:
    """Whether a cell does nothing but call check(), which has no place in grading."""
    lines = [
        line for line in lines_of(source) if line.strip() and not line.lstrip().startswith("#")
    ]
    return bool(lines) and all(_CHECK_CALL.match(line) for line in lines)


def split(text: str) -> list[PercentCell]:
    """Split a file at its `# %%` markers; a file without any is one cell."""
    cells: list[PercentCell] = []
    marker, start, lines = "", 1, list[str]()
    for number, line in enumerate(lines_of(text), start=1):
        found = _MARKER.match(line)
        if found:
            if lines:
                cells.append(PercentCell(marker, "\n".join(lines), start))
            marker, start, lines = found["rest"] or "", number + 1, []
        else:
            lines.append(line)
    if lines:
        cells.append(PercentCell(marker, "\n".join(lines), start))
    return cells


def is_split(text: str) -> bool:
    """Whether a file has any markers."""
    return any(_MARKER.match(line) for line in lines_of(text))
