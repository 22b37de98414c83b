"""Says why a file that somebody handed in is nothing to grade."""

from __future__ import annotations

from pathlib import PurePath

from autograded.collecting.downloads import Found
from autograded.course import Course
from autograded.submissions.archives import Loss
from autograded.submissions.candidates import Candidate, may_be_misnamed, may_be_work, work_of

_LOSSES: dict[Loss, str] = {
    "link": "a link or no file",
    "outside": "its name leads out of the archive",
    "damaged": "damaged or locked",
    "limit": "too large, or one too many",
    "hidden": "left by programs",
}
_KINDS = {
    ".pdf": "a PDF, not the notebook",
    ".html": "a web page, not the notebook",
    ".ipynb": "no work on this assignment",
    ".py": "a Python file that defines none of the functions asked for",
    **dict.fromkeys(
        (".rar", ".7z", ".gz", ".tgz", ".tar", ".bz2", ".xz"),
        "an archive of a kind that is not read: only .zip is",
    ),
}
_ONLINE = ("onlinetext.html", "text.html")
"""What Moodle and Canvas call the text that was typed into their page."""


def with_reason(course: Course, one: Found) -> str:
    """A file's path, and why it is nothing to grade if that can be told."""
    name = one.parts[-1].lower()
    if one.lost:
        reason = _LOSSES[one.lost]
    elif name in _ONLINE:
        reason = "text typed into the LMS's page, not the notebook"
    else:
        reason = _KINDS.get(PurePath(name).suffix, "")
        if may_be_work(one.parts) or may_be_misnamed(one.parts, one.size):
            content = one.read()
            other = content and work_of(Candidate(one.path, content), course)
            reason = f"work on {other}" if other else reason
    return f"{one.path} ({reason})" if reason else one.path
