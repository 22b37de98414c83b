"""Git's conflict markers in a file or a cell: what stood on either side."""

from __future__ import annotations

from autograded.text import lines_of


def has_conflict(source: str) -> bool:
    """Whether a text holds git's conflict markers."""
    return "<<<<<<<" in source and sides(source)[0] != source


def sides(source: str) -> tuple[str, str]:
    """A text with every conflict resolved to one side, and with every one to the other.

    A conflict that does not end is left as it is.
    """
    both: list[str] = []
    ours: list[str] = []
    theirs: list[str] = []
    marks: list[str] = []  # the conflict being read, as it stands, in case it does not end
    side: list[str] | None = None
    kept: tuple[list[str], list[str]] = ([], [])
    for line in lines_of(source, keep_ends=True):
        mark = line[:7] if line.rstrip("\r\n")[7:8] in ("", " ") else ""
        if side is None:
            if mark == "<<<<<<<":
                marks, kept = [line], ([], [])
                side = kept[0]
            else:
                ours.append(line)
                theirs.append(line)
            continue
        marks.append(line)
        if mark == "=======":
            side = kept[1]
        elif mark == "|||||||":
            side = both  # the common ancestor, which nobody wants
        elif mark == ">>>>>>>":
            ours += kept[0]
            theirs += kept[1]
            side = None
        else:
            side.append(line)
    if side is not None:
        ours += marks
        theirs += marks
    return "".join(ours), "".join(theirs)
