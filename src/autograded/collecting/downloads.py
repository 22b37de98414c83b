"""Downloads as LMSs make them, read in place: every file with whose it is and from which attempt.

Knows the archives of Moodle, Canvas and Gradescope, nbgrader's exchange, folders named after
students, and files named after students.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import yaml

from autograded.collecting.roster import Roster, Student
from autograded.errors import AutogradedError, why
from autograded.submissions.archives import (
    MOST_MEMBERS,
    Budget,
    Loss,
    Member,
    is_hidden,
    lost,
    members,
)
from autograded.submissions.decoding import MAX_BYTES
from autograded.submissions.files import content_of

STAMP = "timestamp.txt"
"""The file in which nbgrader looks for when a submission was handed in."""

_GRADESCOPE = "submission_metadata.yml"
_MOST_FILES = 1_000_000
_DEEPEST = 6
"""Folders around the submissions that are looked through."""

_EXCHANGE = re.compile(
    r"(?P<student>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^+]*)(\+.*)?"
)
_MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<file>.*))?"
)
_CANVAS = re.compile(
    r"(?P<name>[^_]+)_(?:(?P<late>LATE)_)?(?P<user>\d+)_(?P<submission>\d+)_(?P<file>.+)"
)
_EXCHANGE_FOLDERS = {"inbound", "outbound", "feedback"}
_SUBMISSION = re.compile(r"submission_\d+")

Scheme = Literal["gradescope", "canvas", "moodle", "exchange", "named"]


@dataclass(frozen=True)
class Owner:
    """Whom a file is from: what the download calls them, and who that is in the class, if anyone.

    `id` is what the download holds for an id of the course's own, such as a folder's name; `shared`
    are the students that it could be, when that is not clear.
    """

    label: str
    student: Student | None
    id: str | None = None
    shared: tuple[str, ...] = ()


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
        delivered: the same of what was handed in: of the file, or of the archive it was packed in.
        lost: why it cannot be read, if that is known.
    """

    path: str
    parts: tuple[str, ...]
    owner: Owner
    attempt: str
    submitted: datetime | None
    late: bool
    stamped: bool
    changed: float | None
    delivered: float | None
    size: int
    read: Callable[[], bytes | None] = field(repr=False)
    lost: Loss | None = None


def files(source: Path) -> Iterator[Member]:
    """All files below a folder or in an archive, archives among them opened.

    Raises:
        AutogradedError: there is no such folder, archive or file, or it cannot be read.
    """
    try:
        if source.is_dir():
            yield from _in_folder(source)
        elif not source.is_file():
            raise AutogradedError(f"There is no folder or archive {source}.")
        elif source.suffix.lower() == ".zip":
            for member in members(source.read_bytes()):
                if not member.parts:
                    raise AutogradedError(
                        f"{source} is not a zip archive that can be read: download it again."
                    )
                yield member
        else:
            yield from _of_file(source, (source.name,))
    except OSError as error:
        raise AutogradedError(f"{source} cannot be read: {why(error)}.") from error


def _in_folder(source: Path) -> Iterator[Member]:
    closed: list[Path] = []

    def note(error: OSError) -> None:
        if Path(error.filename) == source:
            raise error
        closed.append(Path(error.filename))

    seen = 0
    for parent, folders, names in os.walk(source, onerror=note, followlinks=False):
        above = Path(parent).relative_to(source).parts
        for name in folders:
            if is_hidden(name):
                yield lost(_plain((*above, name)), "hidden")
            elif (Path(parent) / name).is_symlink():
                yield lost(_plain((*above, name)), "link")
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in sorted(names):
            path = Path(parent) / name
            seen += 1
            if seen > _MOST_FILES:
                raise AutogradedError(f"{source} holds more than {_MOST_FILES} files.")
            if is_hidden(name):
                yield lost(_plain((*above, name)), "hidden")
            elif not stat.S_ISREG(path.lstat().st_mode):
                yield lost(_plain((*above, name)), "link")
            else:
                yield from _of_file(path, (*above, name))
    for path in closed:
        yield lost(_plain(path.relative_to(source).parts), "damaged")


def _plain(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFC", part) for part in parts)


def _of_file(path: Path, parts: tuple[str, ...]) -> Iterator[Member]:
    parts = _plain(parts)
    known = path.stat()
    is_archive = path.suffix.lower() == ".zip"
    # An archive that lies at the top may hold a class.
    if known.st_size > MAX_BYTES and not (is_archive and len(parts) == 1):
        yield lost(parts, "limit")
    elif is_archive:
        try:
            content = path.read_bytes()
        except OSError:
            yield lost(parts, "damaged")
            return
        for member in members(content, parts, Budget() if len(parts) > 1 else None):
            yield member.within(parts, known.st_mtime)
    else:

        def read() -> bytes | None:
            try:
                return content_of(path)
            except AutogradedError:
                return None

        yield Member(parts, known.st_size, known.st_mtime, read)


class Download:
    """Says of each file of a download whose it is.

    Where the submissions lie and who named them is decided once, by what lies at the top. Names
    further down are the students' own and say nothing about whose a file is.

    Raises:
        AutogradedError: what says whose the submissions are is there twice or cannot be read.
    """

    def __init__(self, found: list[Member], assignment: str, roster: Roster) -> None:
        self._assignment = assignment
        self._roster = roster
        self._files = _handed_in(found)
        self._entries = [_entries(self._files, level) for level in range(_DEEPEST + 2)]
        self._level, self._scheme = self._layout()
        self._gradescope = self._metadata() if self._scheme == "gradescope" else {}
        self._people = self._claims() if self._scheme in ("moodle", "canvas") else {}

    def found(self) -> Iterator[Found]:
        """The files of submissions, each as often as it has owners."""
        counts: Counter[tuple[str, str]] = Counter()
        for member in self._files:
            for one in self._read(member):
                if not one.parts:
                    continue
                student = one.owner.student
                whose = ("student", student.id) if student else ("unknown", one.owner.label)
                if one.lost is None:
                    counts[whose] += 1
                if counts[whose] <= MOST_MEMBERS:
                    yield one
                elif counts[whose] == MOST_MEMBERS + 1 and one.lost is None:
                    yield replace(one, lost="limit")

    def _layout(self) -> tuple[int, Scheme]:
        """How many folders lie around the submissions, and who named these."""
        for level in range(_DEEPEST):
            scheme, known = self._known(level)
            if scheme and all(self._is_around(above, known) for above in range(level)):
                return level, scheme
            if known or self._without_metadata(level):
                break
        return self._unknown_level(), "named"

    def _without_metadata(self, level: int) -> bool:
        """Whether these are Gradescope's folders: what lies in them is the students'."""
        entries = self._entries[level]
        numbered = [path for path in entries if _SUBMISSION.fullmatch(path[-1])]
        return len(numbered) > 0 and 2 * len(numbered) >= len(entries)

    def _known(self, level: int) -> tuple[Scheme | None, set[tuple[str, ...]]]:
        """Whose naming scheme the entries of a level follow, and which of them do."""
        entries = self._entries[level]
        metadata = {path for path in entries if path[-1] == _GRADESCOPE and not entries[path]}
        others = entries.keys() - metadata
        numbered = {path for path in others if _SUBMISSION.fullmatch(path[-1]) and entries[path]}
        # A student's file can follow any scheme behind what the LMS puts before its name. Canvas's
        # and Moodle's prefixes are recognised first, so that they hold.
        schemes: list[tuple[Scheme | None, set[tuple[str, ...]]]] = [
            ("gradescope" if metadata else None, numbered),
            ("canvas", {path for path in others if _CANVAS.fullmatch(path[-1])}),
            ("moodle", {path for path in others if _MOODLE.fullmatch(path[-1])}),
            ("exchange", {path for path in others if entries[path] and _is_exchange(path[-1])}),
        ]
        for scheme, known in schemes:
            if known and 2 * len(known) >= len(others):
                return scheme, known
        named = {path for path in others if self._by_name(path[-1], entries[path]).student}
        return ("named" if named else None), named

    def _is_around(self, level: int, known: set[tuple[str, ...]]) -> bool:
        """Whether the folders of a level are around submissions, rather than submissions.

        One folder may be; of several most must hold some.
        """
        folders = {path for path, is_folder in self._entries[level].items() if is_folder}
        holding = {path[: level + 1] for path in known}
        return len(folders) == 1 or 2 * len(holding) > len(folders)

    def _unknown_level(self) -> int:
        """Where folders named after people most likely are when nobody is recognised."""
        for level in range(_DEEPEST):
            below = self._entries[level + 1]
            ours = [path for path in below if path[-1] == self._assignment and below[path]]
            if ours and 2 * len(ours) >= len(below):
                return level
        level = 0
        while level < _DEEPEST:
            below = self._entries[level + 1]
            if len(self._entries[level]) != 1 or not below or not all(below.values()):
                break
            if self._without_metadata(level):
                break
            level += 1
        return level

    def _read(self, member: Member) -> Iterator[Found]:
        level = min(self._level, len(member.parts) - 1)
        above = member.parts[: level + 1]
        if any(map(is_hidden, above)):
            return
        part, rest = above[-1], member.parts[level + 1 :]
        attempt = "/".join(above)
        scheme = self._scheme if level == self._level else "named"
        if scheme == "gradescope" and part == _GRADESCOPE and not rest:
            return
        if scheme == "gradescope" and _SUBMISSION.fullmatch(part):
            entry = self._gradescope.get(part, {})
            created = _time(entry.get(":created_at", entry.get("created_at")))
            for owner in self._by_gradescope(part, entry):
                yield self._one(member, rest, owner, attempt, submitted=created)
        elif scheme == "canvas" and (known := _CANVAS.fullmatch(part)):
            # One attempt: Canvas delivers only the last, its files side by side.
            attempt = f"canvas {known['user']}"
            inner = (known["file"], *rest)
            is_late = known["late"] is not None
            yield self._one(
                member, inner, self._people[_person(above, known)], attempt, late=is_late
            )
        elif scheme == "moodle" and (known := _MOODLE.fullmatch(part)):
            inner = ((known["file"],) if known["file"] else ()) + rest
            attempt = f"moodle {known['id']} {known['kind']}"
            yield self._one(member, inner, self._people[_person(above, known)], attempt)
        elif scheme == "exchange" and rest and (known := _EXCHANGE.fullmatch(part)):
            if known["assignment"] == self._assignment:
                owner, time = self._by_id(known["student"]), _time(known["time"])
                yield self._one(member, rest, owner, attempt, submitted=time, stamped=True)
        else:
            yield self._by_place(member, level)

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
            next((time for length, time in member.packed if length > self._level), member.time),
            member.size,
            member.read,
            member.lost,
        )

    def _by_place(self, member: Member, level: int) -> Found:
        """A file in a folder of the student's, or named after the student."""
        part, rest = member.parts[level], member.parts[level + 1 :]
        owner = self._by_name(part, is_folder=bool(rest))
        if not rest:
            return self._one(member, (part,), owner, "")
        if rest[0] == self._assignment and len(rest) > 1:
            rest = rest[1:]
        # What an archive holds is as the student packed it, its timestamp.txt too.
        stamped = not part.lower().endswith(".zip")
        return self._one(member, rest, owner, "/".join(member.parts[:level]), stamped=stamped)

    def _by_name(self, part: str, is_folder: bool) -> Owner:
        """Whom a folder, an archive or a file is named after."""
        if is_folder and not part.lower().endswith(".zip"):
            student = self._roster.find(part) or self._roster.named(part)
            return Owner(part, student, part, () if student else self._roster.sharing(part))
        stem = part.rpartition(".")[0] or part
        numbered = re.sub(r"[ _]?\(\d+\)$", "", stem)
        bare = re.sub(rf"(?i)[\s_.-]*{re.escape(self._assignment)}[\s_.-]*", "", numbered)
        for name in (stem, numbered, bare):
            student = self._roster.find(name) or self._roster.named(name)
            if student is not None:
                return Owner(name, student, name)
        label = bare or stem
        return Owner(label, None, label, self._roster.sharing(stem, numbered, bare))

    def _by_id(self, student_id: str) -> Owner:
        return Owner(student_id, self._roster.find(student_id), student_id)

    def _claims(self) -> dict[_Person, Owner]:
        """Who the people of Moodle's or Canvas's archive are.

        An id holds before a name, and that before what follows a group's name. When two people
        have an equal claim to be one student, neither is: names are what they call themselves.
        """
        people: dict[_Person, tuple[int, Owner]] = {}
        for path in self._entries[self._level]:
            pattern = _CANVAS if self._scheme == "canvas" else _MOODLE
            if known := pattern.fullmatch(path[-1]):
                people[_person(path, known)] = self._claim(known)
        claims: dict[tuple[Any, str], list[int]] = defaultdict(list)
        for (above, _number, _name), (strength, owner) in people.items():
            if owner.student is not None:
                claims[above, owner.student.id].append(strength)
        found = {}
        for person, (strength, owner) in people.items():
            found[person] = owner
            student = owner.student
            others = [] if student is None else claims[person[0], student.id]
            if student is not None and strength < max(others):
                found[person] = Owner(owner.label, None)
            elif student is not None and others.count(strength) > 1:
                found[person] = Owner(owner.label, None, shared=(student.id,))
        return found

    def _claim(self, known: re.Match[str]) -> tuple[int, Owner]:
        """Whom an LMS's prefix names, and how surely: 3 by an id, 2 by name, 1 behind a group's."""
        name = known["name"]
        if self._scheme == "canvas":
            number, ids = known["user"], [known["user"]]
        else:
            number = known["id"]
            ids = [number, f"Participant {number}"]
        label = f"{name} ({number})"
        if student := self._roster.find(*ids):
            return 3, Owner(label, student)
        if student := self._roster.find(name) or self._roster.named(name):
            return 2, Owner(label, student)
        shared = self._roster.sharing(*ids, name)
        if not shared and self._scheme == "moodle":
            # With team submissions a group's name and a hyphen stand before a student's.
            ends = [name[place + 1 :] for place, c in enumerate(name) if c == "-"]
            shared = self._roster.called(*ends)
        if len(shared) == 1:
            return 1, Owner(label, self._roster.by_id[shared[0]])
        return 0, Owner(label, None, shared=shared)

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
            shared = () if student else self._roster.sharing(sid, email, name)
            owners.append(Owner(name or email or sid or part, student, shared=shared))
        return owners or [Owner(part, None)]

    def _metadata(self) -> dict[str, dict[str, Any]]:
        """What Gradescope's own file beside the submissions says; a student's says nothing."""
        beside = [
            member
            for member in self._files
            if member.parts[-1] == _GRADESCOPE and len(member.parts) == self._level + 1
        ]
        names = " and ".join("/".join(member.parts) for member in beside)
        if len(beside) > 1:
            raise AutogradedError(
                f"{names} both say whose the submissions are: collect one export at a time."
            )
        content = beside[0].read()
        if content is None:
            raise AutogradedError(f"{names} cannot be read: download the submissions again.")
        try:
            data = yaml.load(content, Loader=_Loader)
        except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
            raise AutogradedError(
                f"{names} is not valid YAML ({type(error).__name__}): download the submissions "
                "again."
            ) from error
        if not isinstance(data, dict):
            raise AutogradedError(
                f"{names} does not say whose the submissions are: download them again."
            )
        return {str(key): value for key, value in data.items() if isinstance(value, dict)}


_Person = tuple[tuple[str, ...], str, str]
"""Where somebody's entries lie, their number in the LMS and their name."""


def _person(path: tuple[str, ...], known: re.Match[str]) -> _Person:
    """Whom an entry of Moodle's or Canvas's archive is from; it may have several."""
    groups = known.groupdict()
    return path[:-1], groups.get("id") or groups["user"], known["name"]


def _entries(found: Iterable[Member], level: int) -> dict[tuple[str, ...], bool]:
    """What lies so many folders down, and whether it is a folder or an archive."""
    entries: dict[tuple[str, ...], bool] = {}
    for member in found:
        path = member.parts[: level + 1]
        if len(path) > level and not any(map(is_hidden, path)):
            entries[path] = entries.get(path, False) or len(member.parts) > level + 1
    return entries


def _handed_in(found: list[Member]) -> list[Member]:
    """Of a whole exchange, what students put into it; of anything else, all of it."""
    for level in range(_DEEPEST):
        names = {path[-1] for path in _entries(found, level)}
        if "inbound" in names and names <= _EXCHANGE_FOLDERS:
            return [one for one in found if one.parts[level : level + 1] == ("inbound",)]
        if len(names) != 1:
            break
    return found


def _is_exchange(part: str) -> bool:
    # Its submissions are folders; an archive of that name is somebody's file.
    return _EXCHANGE.fullmatch(part) is not None and not part.lower().endswith(".zip")


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
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        return None


def read_time(text: str) -> datetime | None:
    """The moment that a timestamp.txt holds."""
    return _time(text)
