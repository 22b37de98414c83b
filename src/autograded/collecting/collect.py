"""Chooses every student's work in a download and puts it where nbgrader looks for it."""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from autograded.collecting.downloads import Download, Found, Owner, files, read_time
from autograded.collecting.roster import Roster, Student, is_usable
from autograded.course import Assignment, Course
from autograded.errors import AutogradedError
from autograded.i18n import use
from autograded.submissions.archives import safe_parts
from autograded.submissions.candidates import MADE_FROM, Candidate, choose, may_be_work
from autograded.submissions.documents import MAX_BYTES
from autograded.submissions.repair import repair

State = Literal["new", "replaced", "unchanged", "older"]

STAMP = "timestamp.txt"
"""The file in which nbgrader looks for when a submission was handed in."""

_BESIDE_BYTES = 16 * 2**20
_BESIDE_FILES = 100
_CANDIDATES = 200
_CANDIDATE_BYTES = 2 * MAX_BYTES


@dataclass(frozen=True)
class Collected:
    """One student's work, chosen.

    Attributes:
        student: whose it is.
        file: where it was found in the download.
        submitted: when it was handed in, or None when nothing says so.
        late: whether the download says that it was late.
        state: what it means for what lies in the classroom already.
        notes: what a person should know about the choice.
    """

    student: Student
    file: str
    submitted: datetime | None
    late: bool
    state: State
    notes: tuple[str, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Collection:
    """What a download holds.

    Attributes:
        collected: the work found, by student.
        unknown: who handed in something and is not in the class, with what it was.
        without_work: students of the class whose files hold no work on the assignment.
        absent: students of the class of whom the download has nothing.
    """

    collected: list[Collected]
    unknown: dict[str, list[str]]
    without_work: dict[str, list[str]]
    absent: list[Student]


def collect(
    course: Course,
    assignment: str,
    source: Path,
    roster: Roster,
    *,
    due: datetime | None = None,
    enrol: bool = False,
) -> Collection:
    """Find every student's work in a download; nothing is written.

    Args:
        course: the course.
        assignment: the assignment's name.
        source: a folder, a zip archive or a file.
        roster: the class; who is not in it is listed as unknown.
        due: when the assignment was due, for downloads that only say that something was late.
        enrol: take people whom the download names by id even though the roster does not.

    Raises:
        AutogradedError: there is no such assignment or source, or its metadata is broken.
    """
    known = course.assignment(assignment)
    theirs: dict[str, list[Found]] = defaultdict(list)
    students: dict[str, Student] = {}
    unknown: dict[str, list[str]] = defaultdict(list)
    for one in Download(list(files(source)), assignment, roster).found():
        student = one.owner.student or (_enrolled(one.owner) if enrol else None)
        if student is None:
            unknown[one.owner.label].append(one.path)
        else:
            students[student.id] = student
            theirs[student.id].append(one)
    collected, without = [], {}
    with use(course.language):
        for student_id in sorted(theirs):
            work = _choose(course, known, students[student_id], theirs[student_id], due)
            if work is None:
                without[student_id] = [one.path for one in theirs[student_id]]
            else:
                collected.append(work)
    absent = [student for student in roster.students if student.id not in theirs]
    return Collection(collected, dict(unknown), without, absent)


def _enrolled(owner: Owner) -> Student | None:
    return Student(owner.id) if owner.id is not None and is_usable(owner.id) else None


def _choose(
    course: Course,
    assignment: Assignment,
    student: Student,
    found: list[Found],
    due: datetime | None,
) -> Collected | None:
    times = _attempt_times(found)
    by_name: dict[str, Found] = {}
    candidates: list[Candidate] = []
    room = _CANDIDATE_BYTES
    for one in [one for one in found if may_be_work(one.parts)][:_CANDIDATES]:
        content = one.read() if one.size <= room else None
        if content is None:
            continue
        room -= len(content)
        submitted = times.get(one.attempt)
        time = submitted.timestamp() if submitted else one.changed
        candidates.append(Candidate(one.path, content, time))
        by_name[one.path] = one
    chosen = choose(candidates, assignment)
    if chosen is None:
        return None
    work = by_name[chosen.candidate.name]
    submitted = times.get(work.attempt)
    notes = [repair.message for repair in chosen.repairs if repair.id == "several-candidates"]
    if work.late and submitted is None:
        if due is None:
            notes.append("late, but not by how much: the gradebook has no due date")
        else:
            submitted = due + timedelta(seconds=1)
            notes.append("late, by how much is not known; counted as one second")
    contents = {
        **_beside(work, found),
        **_as_notebook(course, assignment, work, chosen.candidate.content),
    }
    if submitted is not None:
        contents[STAMP] = _stamp(submitted).encode()
    return Collected(
        student,
        work.path,
        submitted,
        work.late or (submitted is not None and due is not None and submitted > due),
        _state(_place(course, assignment.id, student.id), contents),
        tuple(notes),
        contents,
    )


def _attempt_times(found: list[Found]) -> dict[str, datetime]:
    """When each attempt was handed in: what the download says, else its own timestamp.txt."""
    times = {one.attempt: one.submitted for one in found if one.submitted is not None}
    for one in found:
        if one.stamped and one.parts == (STAMP,) and one.size < 1000 and one.attempt not in times:
            written = read_time((one.read() or b"").decode("utf-8", "replace"))
            if written is not None:
                times[one.attempt] = written
    return times


def _beside(work: Found, found: list[Found]) -> dict[str, bytes]:
    """The small files that were handed in beside the work, by path relative to it."""
    contents: dict[str, bytes] = {}
    room = _BESIDE_BYTES
    above = work.parts[:-1]
    for one in found:
        inner = one.parts[len(above) :]
        if one.attempt != work.attempt or one.parts[: len(above)] != above or one is work:
            continue
        name = "/".join(inner)
        fits = one.size <= room and len(contents) < _BESIDE_FILES and name not in contents
        if not fits or not all(map(is_usable, inner)) or safe_parts(name) != inner:
            continue
        if name == STAMP or inner[-1].lower().endswith((".ipynb", ".zip", ".html", ".pyc")):
            continue
        content = one.read()
        if content is not None and len(content) <= room:
            room -= len(content)
            contents[name] = content
    return contents


def _as_notebook(
    course: Course, assignment: Assignment, work: Found, content: bytes
) -> dict[str, bytes]:
    """The work under the name nbgrader looks for.

    A Python file stays what it is, and what is graded; the notebook made from it lies beside it,
    because nbgrader passes by a folder that has none.
    """
    name = assignment.id
    if not work.parts[-1].lower().endswith(".py"):
        return {f"{name}.ipynb": content}
    # Slow to import, and most downloads hold notebooks only.
    from autograded.submissions.release import released

    release = released(course, name)
    notebook = repair(content, work.parts[-1], release, assignment, course.language).notebook
    notebook["metadata"][MADE_FROM] = f"{name}.py"
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    return {f"{name}.py": content, f"{name}.ipynb": text.encode()}


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")


def _place(course: Course, assignment: str, student: str) -> Path:
    return course.classroom / "submitted" / student / assignment


def _state(place: Path, contents: dict[str, bytes]) -> State:
    if not place.exists():
        return "new"
    there = {name: _content(place / name) for name in contents}
    if there == contents:
        return "unchanged"
    old = read_time((_content(place / STAMP) or b"").decode("utf-8", "replace"))
    new = read_time(contents.get(STAMP, b"").decode())
    return "older" if old is not None and new is not None and new < old else "replaced"


def _content(path: Path) -> bytes | None:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return None
    return path.read_bytes()


def write(course: Course, assignment: str, collected: Iterable[Collected]) -> Iterator[Collected]:
    """Put the work into classroom/submitted, each submission at once; yields what was written.

    What is there already and newer stays.

    Raises:
        AutogradedError: a folder cannot be written.
    """
    for one in collected:
        if one.state in ("unchanged", "older"):
            continue
        place = _place(course, assignment, one.student.id)
        try:
            _put(place, one.files)
        except OSError as error:
            raise AutogradedError(f"{place} cannot be written: {error.strerror}.") from error
        yield one


def _put(place: Path, contents: dict[str, bytes]) -> None:
    new = place.with_name(f".{place.name}.new-{os.getpid()}")
    old = place.with_name(f".{place.name}.old-{os.getpid()}")
    try:
        for name, content in contents.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if place.exists():
            place.rename(old)
        new.rename(place)
    finally:
        if old.exists() and not place.exists():
            old.rename(place)
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
