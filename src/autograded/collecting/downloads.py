"""Downloads as LMSs make them, read in place: every file with whose it is and from which attempt.

Knows the archives of Moodle, Canvas and Gradescope, nbgrader's exchange, folders named after
students, and files named after students.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml

from autograded.collecting.roster import Roster, Student
from autograded.errors import AutogradedError
from autograded.submissions.archives import Member, members
from autograded.submissions.candidates import is_hidden
from autograded.submissions.documents import MAX_BYTES
from autograded.submissions.files import content_of

_GRADESCOPE = "submission_metadata.yml"
_MOST_FILES = 200_000

_EXCHANGE = re.compile(
    r"(?P<student>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^+]*)(\+.*)?"
)
_MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<file>.*))?"
)
_CANVAS = re.compile(
    r"(?P<name>[^_]+)_(?:(?P<late>LATE)_)?(?P<user>\d+)_(?P<submission>\d+)_(?P<file>.+)"
)
_SUBMISSION = re.compile(r"submission_\d+")


@dataclass(frozen=True)
class Owner:
    """Whom a file is from: what the download calls them, and who that is in the class, if anyone.

    `id` is what the download holds for an id of the course's own, such as a folder's name.
    """

    label: str
    student: Student | None
    id: str | None = None


@dataclass(frozen=True)
class Found:
    """A file of a submission.

    Attributes:
        path: where it was found, for people.
        parts: its path within the student's submission.
        owner: whom it is from.
        attempt: what tells this attempt from the student's others.
        submitted: when it was handed in, if the download says.
        late: whether the download says that it was late.
        stamped: whether a timestamp.txt beside the work is the collector's. In what an LMS
            delivers it is one of the files that were handed in, and says what its author likes.
        changed: when the file was last changed, in seconds.
    """

    path: str
    parts: tuple[str, ...]
    owner: Owner
    attempt: str
    submitted: datetime | None
    late: bool
    stamped: bool
    changed: float | None
    size: int
    read: Callable[[], bytes | None] = field(repr=False)


def files(source: Path) -> Iterator[Member]:
    """All files below a folder or in an archive, archives among them opened.

    Raises:
        AutogradedError: there is no such folder, archive or file.
    """
    if source.is_dir():
        yield from _in_folder(source)
    elif source.is_file():
        yield from _of_file(source, (source.name,))
    else:
        raise AutogradedError(f"There is no folder or archive {source}.")


def _in_folder(source: Path) -> Iterator[Member]:
    seen = 0
    for parent, folders, names in os.walk(source, followlinks=False):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in sorted(names):
            path = Path(parent) / name
            seen += 1
            if seen > _MOST_FILES:
                raise AutogradedError(f"{source} holds more than {_MOST_FILES} files.")
            if not is_hidden(name) and stat.S_ISREG(path.lstat().st_mode):
                yield from _of_file(path, path.relative_to(source).parts)


def _of_file(path: Path, parts: tuple[str, ...]) -> Iterator[Member]:
    parts = tuple(unicodedata.normalize("NFC", part) for part in parts)
    known = path.stat()
    if path.suffix.lower() == ".zip":
        # The download itself is no part of the path that tells whose a file is.
        inner = () if len(parts) == 1 else parts
        yield from members(path.read_bytes(), inner)
        return

    def read() -> bytes | None:
        content = content_of(path)
        return content if len(content) <= MAX_BYTES else None

    yield Member(parts, known.st_size, known.st_mtime, read)


class Download:
    """Says of each file of a download whose it is."""

    def __init__(self, found: list[Member], assignment: str, roster: Roster) -> None:
        self._assignment = assignment
        self._roster = roster
        self._files = [member for member in found if not any(map(is_hidden, member.parts))]
        self._gradescope = self._gradescope_metadata()
        # Folders that all files lie in say nothing about whose they are.
        folders = [member.parts[:-1] for member in self._files]
        levels = takewhile(lambda level: len(set(level)) == 1, zip(*folders, strict=False))
        self._common = len(list(levels)) if len(folders) > 1 else 0

    def found(self) -> Iterator[Found]:
        """The files of submissions, each as often as it has owners."""
        for member in self._files:
            if member.parts[-1] == _GRADESCOPE:
                continue
            for one in self._read(member):
                if one.parts:
                    yield one

    def _read(self, member: Member) -> Iterator[Found]:
        for place, part in enumerate(member.parts):
            rest = member.parts[place + 1 :]
            above = "/".join(member.parts[: place + 1])
            if (known := _EXCHANGE.fullmatch(part)) and rest:
                if known["assignment"] == self._assignment:
                    owner = self._by_id(known["student"])
                    time = _time(known["time"])
                    yield self._one(member, rest, owner, above, submitted=time, stamped=True)
                return
            if known := _MOODLE.fullmatch(part):
                if known["kind"] == "file":
                    inner = ((known["file"],) if known["file"] else ()) + rest
                    yield self._one(member, inner, self._by_moodle(known), above)
                return
            if _SUBMISSION.fullmatch(part) and part in self._gradescope:
                entry = self._gradescope[part]
                for owner in self._by_gradescope(part, entry):
                    created = entry.get(":created_at", entry.get("created_at"))
                    yield self._one(member, rest, owner, above, submitted=_time(created))
                return
            if known := _CANVAS.fullmatch(part):
                owner = self._by_canvas(known)
                # One attempt: Canvas delivers only the last, its files side by side.
                attempt = f"canvas {known['user']}"
                late = known["late"] is not None
                yield self._one(member, (known["file"], *rest), owner, attempt, late=late)
                return
        yield self._by_place(member)

    def _one(
        self,
        member: Member,
        parts: tuple[str, ...],
        owner: Owner,
        attempt: str,
        *,
        submitted: datetime | None = None,
        late: bool = False,
        stamped: bool = False,
    ) -> Found:
        return Found(
            "/".join(member.parts),
            parts,
            owner,
            attempt,
            submitted,
            late,
            stamped,
            member.time,
            member.size,
            member.read,
        )

    def _by_place(self, member: Member) -> Found:
        """A file in a folder of the student's, or named after the student."""
        parts = member.parts
        for place, part in enumerate(parts[:-1]):
            student = self._roster.find(part) or self._roster.named(part)
            if student is not None:
                above = "/".join(parts[:place])
                owner = Owner(part, student, part)
                rest = self._below(parts, place)
                return self._one(member, rest, owner, above, stamped=True)
        filename = parts[-1]
        stem = filename.rpartition(".")[0]
        numbered = re.sub(r"[ _]?\(\d+\)$", "", stem)
        bare = re.sub(rf"(?i)[\s_.-]*{re.escape(self._assignment)}[\s_.-]*", "", numbered)
        for name in (stem, numbered, bare):
            student = self._roster.find(name) or self._roster.named(name)
            if student is not None:
                return self._one(member, (filename,), Owner(name, student, name), "")
        theirs = self._unknown_folder(parts)
        if theirs is None:
            return self._one(member, (filename,), Owner(bare or stem, None, bare or stem), "")
        owner = Owner(parts[theirs], None, parts[theirs])
        return self._one(member, self._below(parts, theirs), owner, "", stamped=True)

    def _below(self, parts: tuple[str, ...], folder: int) -> tuple[str, ...]:
        """A path below a student's folder, which may hold one for the assignment."""
        rest = parts[folder + 1 :]
        return rest[1:] if rest[0] == self._assignment and len(rest) > 1 else rest

    def _unknown_folder(self, parts: tuple[str, ...]) -> int | None:
        """Which folder of a path is most likely named after somebody who is not in the roster."""
        folders = parts[:-1]
        if self._assignment in folders[1:]:
            return folders.index(self._assignment, 1) - 1
        return self._common if self._common < len(folders) else None

    def _by_id(self, student_id: str) -> Owner:
        return Owner(student_id, self._roster.find(student_id), student_id)

    def _by_moodle(self, known: re.Match[str]) -> Owner:
        number = known["id"]
        keys = (number, f"Participant {number}", known["name"])
        student = self._roster.find(*keys) or self._roster.named(known["name"])
        return Owner(f"{known['name']} ({number})", student)

    def _by_canvas(self, known: re.Match[str]) -> Owner:
        student = self._roster.find(known["user"]) or self._roster.named(known["name"])
        return Owner(f"{known['name']} ({known['user']})", student)

    def _by_gradescope(self, part: str, entry: dict[str, Any]) -> list[Owner]:
        submitters = entry.get(":submitters", entry.get("submitters")) or []
        owners = []
        for one in submitters if isinstance(submitters, list) else []:
            if not isinstance(one, dict):
                continue
            name, sid, email = (
                str(one.get(f":{key}", one.get(key)) or "") for key in ("name", "sid", "email")
            )
            student = self._roster.find(sid, email) or self._roster.named(name)
            owners.append(Owner(name or email or sid or part, student))
        return owners or [Owner(part, None)]

    def _gradescope_metadata(self) -> dict[str, dict[str, Any]]:
        for member in self._files:
            if member.parts[-1] == _GRADESCOPE:
                content = member.read()
                try:
                    data = yaml.load(content or b"", Loader=_Loader)
                except (yaml.YAMLError, ValueError, RecursionError) as error:
                    raise AutogradedError(
                        f"{'/'.join(member.parts)} is not valid YAML ({type(error).__name__}): "
                        "download the submissions again."
                    ) from error
                if isinstance(data, dict):
                    return {str(k): v for k, v in data.items() if isinstance(v, dict)}
        return {}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads Gradescope's metadata, which holds every test's output: megabytes for a class."""


def _time(value: Any) -> datetime | None:
    """A moment as exchanges and Gradescope write it, in UTC when no zone is named."""
    if isinstance(value, datetime):
        moment = value
    else:
        text = re.sub(r"(\.\d{6})\d+", r"\1", str(value or "").strip())
        text = re.sub(r"\s*(UTC|Z)$", "+00:00", text)
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_time(text: str) -> datetime | None:
    """The moment that a timestamp.txt holds."""
    return _time(text)
