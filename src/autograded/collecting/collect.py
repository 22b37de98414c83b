"""Chooses every student's work in a download and puts it where nbgrader looks for it."""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograded.collecting.downloads import STAMP, Download, Found, Owner, read_time
from autograded.collecting.reasons import with_reason
from autograded.collecting.roster import Roster, Student, folded, is_usable
from autograded.collecting.versions import LEFT, SOMEWHAT_LATE, State, Time, date_of, state_of
from autograded.course import Assignment, Course
from autograded.errors import AutogradedError, why
from autograded.i18n import use
from autograded.submissions.archives import Loss, Member, safe_parts
from autograded.submissions.candidates import (
    MADE_FROM,
    Candidate,
    choose,
    is_misnamed,
    may_be_misnamed,
    may_be_work,
)
from autograded.submissions.decoding import MAX_BYTES
from autograded.submissions.repair import repair

_BESIDE_BYTES = 16 * 2**20
_BESIDE_FILES = 100
_STAMP_BYTES = 1000
_CANDIDATES = 200
_CANDIDATE_BYTES = 2 * MAX_BYTES

_TOLD: dict[Loss | None, int] = {"limit": 0, "hidden": 2}
"""What is told first of files that hold no work: what was cut off; last, what is nobody's."""


@dataclass(frozen=True)
class Collected:
    """One student's work, chosen.

    Attributes:
        student: whose it is.
        file: where it was found in the download.
        submitted: when it was handed in, or None when nothing says so.
        dated: when what was handed in was last changed, in seconds, as far as the download says.
        late: whether the download says that it was late.
        state: what it means for what lies in the classroom already.
        notes: what a person should know about the choice.
        doubtful: whether something that may have mattered was left out, or nothing is in the file.
    """

    student: Student
    file: str
    submitted: datetime | None
    dated: float | None
    late: bool
    state: State
    notes: tuple[str, ...] = ()
    doubtful: bool = False
    files: dict[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def is_written(self) -> bool:
        """Whether `write` puts it into the classroom."""
        return self.state not in LEFT


@dataclass(frozen=True)
class Collection:
    """What a download holds.

    Attributes:
        collected: the work found, by student.
        unknown: who handed in something and is not in the class, with what it was.
        unclear: the same of whom it is not clear who in the class they are, and who it could be.
        without_work: students of the class whose files hold no work on the assignment.
        absent: students of the class of whom nothing is there, in the download or before.
        earlier: students of whom the download has nothing and the classroom has work already.
    """

    collected: list[Collected]
    unknown: dict[str, list[str]]
    unclear: dict[str, list[str]]
    without_work: dict[str, list[str]]
    absent: list[Student]
    earlier: list[Student]


def collect(
    course: Course,
    assignment: str,
    download: Iterable[Member],
    roster: Roster,
    *,
    due: datetime | None = None,
    enrol: bool = False,
) -> Collection:
    """Find every student's work in a download; nothing is written.

    Args:
        course: the course.
        assignment: the assignment's name.
        download: what `files` finds in a folder, an archive or a file.
        roster: the class; who is not in it is listed as unknown.
        due: when the assignment was due, for downloads that only say that something was late.
        enrol: take people whom the download names by id even though the roster does not.

    Raises:
        AutogradedError: there is no such assignment, or the download's metadata is broken.
    """
    known = course.assignment(assignment)
    theirs: dict[str, list[Found]] = defaultdict(list)
    students: dict[str, Student] = {}
    strangers: dict[Owner, list[Found]] = defaultdict(list)
    spelled: dict[str, str] = {folded(student_id): student_id for student_id in roster.by_id}
    for one in Download(list(download), assignment, roster).found():
        student = one.owner.student or (_enrolled(one.owner) if enrol else None)
        if student is None or spelled.setdefault(folded(student.id), student.id) != student.id:
            strangers[one.owner].append(one)
        else:
            students[student.id] = student
            theirs[student.id].append(one)
    unknown: dict[str, list[str]] = {}
    unclear: dict[str, list[str]] = {}
    for owner, handed_in in strangers.items():
        paths = [one.path for one in handed_in if not _is_stamp(one)]
        if owner.shared:
            unclear[f"{owner.label}, who could be {' or '.join(owner.shared)}"] = paths
        else:
            unknown[owner.label] = unknown.get(owner.label, []) + paths
    collected, without = [], {}
    with use(course.language):
        for student_id in sorted(theirs):
            work = _choose(course, known, students[student_id], theirs[student_id], due)
            if work is None:
                told = [one for one in theirs[student_id] if not _is_stamp(one)]
                told.sort(key=lambda one: (_TOLD.get(one.lost, 1), not may_be_work(one.parts)))
                without[student_id] = [with_reason(course, one) for one in told]
            else:
                collected.append(work)
    missing = [student for student in roster.students if student.id not in theirs]
    there = {one.id for one in missing if _place(course, known.id, one.id).is_dir()}
    return Collection(
        collected,
        unknown,
        unclear,
        without,
        absent=[one for one in missing if one.id not in there],
        earlier=[one for one in missing if one.id in there],
    )


def _is_stamp(one: Found) -> bool:
    return one.stamped and one.parts == (STAMP,)


def _enrolled(owner: Owner) -> Student | None:
    if owner.id is None or owner.shared or not is_usable(owner.id):
        return None
    return Student(owner.id)


def _choose(
    course: Course,
    assignment: Assignment,
    student: Student,
    found: list[Found],
    due: datetime | None,
) -> Collected | None:
    times, unclear = _attempt_times(found)
    by_name: dict[str, Found] = {}
    candidates: list[Candidate] = []
    left_out = [one.path for one in found if one.lost == "limit"]
    room = _CANDIDATE_BYTES
    misnamed = [
        one
        for one in found
        if not may_be_work(one.parts) and may_be_misnamed(one.parts, one.size) and not one.lost
    ][:_CANDIDATES]
    named = [one for one in found if may_be_work(one.parts) and not one.lost]
    for one in (*named, *misnamed):
        is_named = may_be_work(one.parts)
        fits = one.size <= room and len(candidates) < _CANDIDATES
        content = one.read() if fits else None
        if content is None:
            left_out += [one.path] if is_named else []
            continue
        if not is_named and not is_misnamed(one.parts[-1], content):
            continue
        room -= len(content)
        when = times.get(one.attempt)
        time = when.timestamp() if when else one.changed
        candidates.append(Candidate(one.path, content, time))
        by_name[one.path] = one
    others = [one for one in course.assignments.values() if one.id != assignment.id]
    chosen = choose(candidates, course, assignment.id, others)
    if chosen is None:
        return None
    work = by_name[chosen.candidate.name]
    known = moment = times.get(work.attempt)
    notes = [repair.message for repair in chosen.repairs if repair.id == "several-candidates"]
    is_empty = not chosen.candidate.content.strip()
    if is_empty:
        notes.append("the file is empty")
    if work.late and moment is None:
        if due is None:
            notes.append("late, but not by how much: the gradebook has no due date")
        else:
            moment = due + SOMEWHAT_LATE
            notes.append("late, by how much is not known; counted as one second")
    if moment is None and work.attempt in unclear:
        notes.append(f"when it was handed in is not known: {STAMP} names no moment")
    beside, too_much = _beside(work, found, by_name)
    left_out += too_much
    if left_out:
        more = f" and {len(left_out) - 1} more" if len(left_out) > 1 else ""
        notes.append(f"left out, too large, too many or not to be read: {left_out[0]}{more}")
    contents = {**beside, **_as_notebook(course, assignment, chosen.candidate)}
    if moment is not None:
        contents[STAMP] = _stamp(moment).encode()
    dated = date_of(work.delivered)
    place = _place(course, assignment.id, student.id)
    return Collected(
        student,
        work.path,
        moment,
        dated,
        work.late or (moment is not None and due is not None and moment > due),
        state_of(place, chosen.candidate, contents, Time(known, dated, due), course, assignment.id),
        tuple(notes),
        is_empty or bool(left_out),
        contents,
    )


def _attempt_times(found: list[Found]) -> tuple[dict[str, datetime], set[str]]:
    """When each attempt was handed in: what the download says, else its own timestamp.txt.

    And the attempts whose timestamp.txt cannot be understood.
    """
    times = {one.attempt: one.submitted for one in found if one.submitted is not None}
    unclear = set()
    for one in found:
        if one.stamped and one.parts == (STAMP,) and one.attempt not in times:
            content = one.read() if one.size < _STAMP_BYTES else None
            written = read_time((content or b"").decode("utf-8", "replace"))
            if written is None:
                unclear.add(one.attempt)
            else:
                times[one.attempt] = written
    return times, unclear - times.keys()


def _beside(
    work: Found, found: list[Found], candidates: Container[str]
) -> tuple[dict[str, bytes], list[str]]:
    """The small files handed in beside the work, by path relative to it, and what was too much."""
    contents: dict[str, bytes] = {}
    too_much = []
    room = _BESIDE_BYTES
    above = work.parts[:-1]
    for one in found:
        inner = one.parts[len(above) :]
        if one.attempt != work.attempt or one.parts[: len(above)] != above or one is work:
            continue
        name = "/".join(inner)
        if not all(map(is_usable, inner)) or safe_parts(name) != inner or name in contents:
            continue
        if name == STAMP or inner[-1].lower().endswith((".ipynb", ".zip", ".html", ".pyc")):
            continue
        if one.lost or (one.path in candidates and not may_be_work(one.parts)):
            continue
        fits = one.size <= room and len(contents) < _BESIDE_FILES
        content = one.read() if fits else None
        if content is None or len(content) > room:
            too_much.append(one.path)
            continue
        room -= len(content)
        contents[name] = content
    return contents, too_much


def _as_notebook(course: Course, assignment: Assignment, work: Candidate) -> dict[str, bytes]:
    """The work under the name nbgrader looks for.

    A Python file stays what it is, and what is graded; the notebook made from it lies beside it,
    because nbgrader passes by a folder that has none.
    """
    name = assignment.id
    if not work.is_python:
        return {f"{name}.ipynb": work.content}
    # Slow to import, and most downloads hold notebooks only.
    from autograded.submissions.release import released

    release = released(course, name)
    notebook = repair(work.content, f"{name}.py", release, assignment, course.language).notebook
    notebook["metadata"][MADE_FROM] = f"{name}.py"
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    return {f"{name}.py": work.content, f"{name}.ipynb": text.encode()}


def _stamp(moment: datetime) -> str:
    # strftime writes no zeros before a year, and nbgrader takes year 1 for 2001.
    plain = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{plain.isoformat(' ', 'microseconds')} UTC"


def _place(course: Course, assignment: str, student: str) -> Path:
    return course.classroom / "submitted" / student / assignment


def write(course: Course, assignment: str, collected: Iterable[Collected]) -> Iterator[Collected]:
    """Put the work into classroom/submitted, each submission at once; yields what was written.

    What is there already and newer stays.

    Raises:
        AutogradedError: a folder cannot be written.
    """
    for one in collected:
        if not one.is_written:
            continue
        place = _place(course, assignment, one.student.id)
        try:
            _put(place, one.files, one.dated)
        except OSError as error:
            raise AutogradedError(f"{place} cannot be written: {why(error)}.") from error
        yield one


def _put(place: Path, contents: dict[str, bytes], dated: float | None) -> None:
    new = place.with_name(f".{place.name}.new-{os.getpid()}")
    old = place.with_name(f".{place.name}.old-{os.getpid()}")
    try:
        for name, content in contents.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            if dated is not None:
                os.utime(path, (dated, dated))
        if place.exists():
            place.rename(old)
        new.rename(place)
    finally:
        if old.exists() and not place.exists():
            old.rename(place)
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
