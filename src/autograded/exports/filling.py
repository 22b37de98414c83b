"""Whose row of a template is whose, and what to say about a template that was filled in.

A grade must not go to the wrong person: where two things a row says of somebody lead to two
students, or two rows lead to one, nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autograded.collecting.roster import Roster, Student
from autograded.exports.files import number
from autograded.exports.grades import Graded
from autograded.reports.table import plain
from autograded.text import some


@dataclass(frozen=True)
class Person:
    """What a row of a template says of somebody.

    Attributes:
        row: its number.
        label: how to name them to the teacher.
        keys: ids and addresses, in the order in which they count.
        aliases: ids of the other system's own, which only a roster's aliases can know.
        names: their name, in any order and spelling.
    """

    row: int
    label: str
    keys: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Matches:
    """Which row belongs to which student, and why others do not belong to anybody.

    Attributes:
        students: a student's id by row.
        doubtful: why a row is nobody's although it might be, by row.
        unknown: rows of people who are not in the class.
    """

    students: Mapping[int, str]
    doubtful: Mapping[int, str]
    unknown: Sequence[int]


def match(people: Sequence[Person], roster: Roster) -> Matches:
    """Find the student of every row."""
    aliases: dict[str, list[str]] = {}
    for known in roster.students:
        for alias in known.aliases:
            aliases.setdefault(alias.casefold(), []).append(known.id)
    found: dict[int, str] = {}
    doubtful: dict[int, str] = {}
    unknown: list[int] = []
    for person in people:
        candidates = _candidates(person, roster, aliases)
        several = _several(person, roster) if not candidates else []
        if len(candidates) == 1:
            found[person.row] = candidates[0]
        elif candidates:
            doubtful[person.row] = f"it could be {' or '.join(candidates)}"
        elif several:
            doubtful[person.row] = f"{' and '.join(several)} share the name"
        else:
            unknown.append(person.row)
    rows = Counter(found.values())
    for row, theirs in list(found.items()):
        if rows[theirs] > 1:
            del found[row]
            doubtful[row] = f"{rows[theirs]} rows are those of {theirs}"
    return Matches(found, doubtful, unknown)


def _candidates(person: Person, roster: Roster, aliases: Mapping[str, list[str]]) -> list[str]:
    found: list[Student | None] = [roster.find(key) for key in person.keys if key]
    for alias in person.aliases:
        known = aliases.get(alias.casefold(), [])
        found += [roster.by_id[known[0]]] if len(known) == 1 else []
    found += [roster.named(name) for name in person.names if name]
    return list(dict.fromkeys(student.id for student in found if student is not None))


def _several(person: Person, roster: Roster) -> list[str]:
    return [
        student.id
        for student in roster.students
        if any(name and Roster([student]).named(name) for name in person.names)
    ]


@dataclass
class Told:
    """What filling in a template came to; `lines` says it, `complete` whether all was written.

    Attributes:
        column: the column that was filled.
        written: how many grades are in it now.
        scale: what every grade was multiplied with, and why, when it was.
        lost: grades that could not be written, with the reason.
        left: people of the template whose cell was left as it was, with the reason.
    """

    column: str
    written: int = 0
    replaced: int = 0
    scale: str = ""
    waiting: list[str] = field(default_factory=list)
    lost: list[tuple[str, str]] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every grade there is has been written."""
        return not self.lost

    def lines(self) -> list[str]:
        """Sentences for stderr, in order of weight."""
        said = []
        for title, entries in (("Not written", self.lost), ("Left as it was", self.left)):
            said += [f"{title}: {plain(who)}: {why}." for who, why in entries]
        said += waiting_line(self.waiting)
        if self.scale:
            said.append(self.scale)
        return said


def people_left(
    told: Told, people: Sequence[Person], matches: Matches, grades: Mapping[str, Graded]
) -> None:
    """Note rows that are nobody's, and grades that no row is there for."""
    labels = {person.row: person.label for person in people}
    for row, why in matches.doubtful.items():
        told.lost.append((labels[row], f"the row is nobody's for certain, {why}"))
    for row in matches.unknown:
        told.left.append((labels[row], "not in the class"))
    for row, student in matches.students.items():
        if student not in grades:
            told.left.append((labels[row], f"nothing of {student} is graded"))
    there = set(matches.students.values())
    for student in grades:
        if student not in there:
            told.lost.append((student, "the template has no row for them"))


def scaling(points: float, due: float | None, column: str) -> tuple[float, str]:
    """What to multiply grades with when the template wants another maximum, and what to say."""
    if due is None or due == points:
        return 1.0, ""
    if due <= 0 or points <= 0:
        return 1.0, (
            f"{column} is worth {number(due)} points there and {number(points)} here: "
            "the grades were written as they are."
        )
    return due / points, (
        f"{column} is worth {number(due)} points there and {number(points)} here: "
        f"every grade was multiplied by {due / points:.6g}."
    )


def waiting(grades: Iterable[Graded]) -> list[str]:
    """Students of whose work a person still has to grade a part."""
    return [one.student for one in grades if one.waits]


def waiting_line(students: Sequence[str]) -> list[str]:
    """The sentence about those students, if there are any."""
    if not students:
        return []
    return [f"To be graded or confirmed by a person ({len(students)}): {some(students)}."]
