"""What work in a download means for the work of the same student that was collected before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from autograded.collecting.downloads import STAMP, read_time
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.submissions.candidates import Candidate, is_written, submitted
from autograded.submissions.decoding import MAX_BYTES

State = Literal["new", "replaced", "unsure", "unchanged", "older", "blank"]
"""What work means for what lies in the classroom: `unsure` replaces it although it may be newer."""

STATES: dict[State, str] = {
    "new": "new",
    "replaced": "replaces what was there",
    "unsure": "replaces what was there; it is not known which of them is newer",
    "unchanged": "there already",
    "older": "left alone: what is there is newer",
    "blank": "left alone: nothing is written in this one, and something in what is there",
}

LEFT: tuple[State, ...] = ("unchanged", "older", "blank")
"""What is not written."""

_ZONES = timedelta(hours=26)
"""How far the clocks of two places in the world can be apart: archives name no time zone."""

_FIRST_DATE = datetime(1980, 1, 2, tzinfo=UTC).timestamp()
"""What archives without dates say is a day before."""

_LAST_DATE = datetime(9000, 1, 1, tzinfo=UTC).timestamp()

SOMEWHAT_LATE = timedelta(seconds=1)
"""What is counted when it is only known that something was late."""


@dataclass(frozen=True)
class Time:
    """When work was handed in, as far as it is known.

    Attributes:
        moment: what the download says.
        dated: the date of what was handed in, in seconds, which names no time zone.
        due: when the assignment was due.
    """

    moment: datetime | None
    dated: float | None
    due: datetime | None


def state_of(
    place: Path,
    work: Candidate,
    contents: dict[str, bytes],
    time: Time,
    course: Course,
    assignment: str,
) -> State:
    """What work means for what is there.

    Args:
        place: the folder of the student's submission.
        work: the work.
        contents: all files that would be written, by name.
        time: when it was handed in.
        course: the course.
        assignment: the assignment's name.
    """
    if not place.exists():
        return "new"
    if {name: _content(place / name) for name in contents} == contents:
        return "unchanged"
    try:
        there = submitted(place, course, assignment).candidate
    except AutogradedError:
        return "replaced"
    was_written = is_written(there, course, assignment)
    if was_written != is_written(work, course, assignment):
        return "blank" if was_written else "replaced"
    return _by_time(place, there, time)


def _by_time(place: Path, there: Candidate, time: Time) -> State:
    stamp = read_time((_content(place / STAMP) or b"").decode("utf-8", "replace"))
    if stamp is not None and time.due is not None and stamp == time.due + SOMEWHAT_LATE:
        stamp = None  # made up, for work that is known to be late and no more
    old_date, new_date = _as_moment(date_of(there.time)), _as_moment(time.dated)
    old, new = stamp or old_date, time.moment or new_date
    if old is not None and new is not None:
        # Only a moment says of which time zone it is.
        apart = timedelta(0) if (stamp is None) == (time.moment is None) else _ZONES
        if abs(new - old) > apart:
            return "older" if new < old else "replaced"
    # What is there cannot have been handed in after it was put there.
    elif new is not None and (put := _as_moment(there.time)) and new > put + _ZONES:
        return "replaced"
    return "unsure"


def date_of(changed: float | None) -> float | None:
    """When a file was last changed; None for the moment at which it was copied to this machine.

    What archives say, and `write` gives to files, is in whole seconds.
    """
    return changed if changed is not None and _as_moment(changed) and changed % 1 == 0 else None


def _as_moment(seconds: float | None) -> datetime | None:
    """A file's time; None for what stands there when there is none."""
    if seconds is None or not _FIRST_DATE <= seconds < _LAST_DATE:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def _content(path: Path) -> bytes | None:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return None
    return path.read_bytes()
