"""Canvas: grades into a gradebook that was exported there.

Canvas finds people by ID, else SIS User ID, else SIS Login ID, else name, and takes a column for
an assignment by the number in its header, `Title (123)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from autograded.collecting.roster import Roster
from autograded.course import Assignment
from autograded.errors import AutogradedError
from autograded.exports.files import number
from autograded.exports.filling import Person, Told, match, people_left, scaling, waiting
from autograded.exports.grades import Graded
from autograded.exports.template import Template, to_number

_ID = "ID"
_KEYS = (_ID, "SIS User ID", "SIS Login ID")
_NAMES = ("Student", "FirstName", "LastName")
_TEST_STUDENT = "Student, Test"
_ASSIGNMENT = re.compile(r"(?P<title>.*\S)\s*\((?P<id>\d+)\)\s*", re.DOTALL)


def fill(
    template: Template,
    assignment: Assignment,
    grades: Mapping[str, Graded],
    roster: Roster,
    column: str | None = None,
) -> Told:
    """Put an assignment's grades into its column; every other cell stays.

    Args:
        template: an exported gradebook; changed in place.
        assignment: whose grades.
        grades: by student.
        roster: the class.
        column: the column's header or Canvas's number of the assignment; found by the assignment's
            title or name by default.

    Raises:
        AutogradedError: it is no Canvas gradebook, or the column cannot be told.
    """
    columns = _columns(template)
    target = _target(template, assignment, column)
    title = template.header[target]
    people, points_rows = _people(template, columns)
    due, decimal = _due(template, points_rows, target, title)
    matches = match(people, roster)
    points = next((one.max_score for one in grades.values()), assignment.points)
    factor, said = scaling(points, due, title)
    told = Told(title, scale=said, waiting=waiting(grades.values()))
    for person in people:
        grade = grades.get(matches.students.get(person.row, ""))
        if grade is None:
            continue
        there = template.cell(person.row, target)
        if there.upper() == "EX":
            told.left.append((person.label, "excused (EX)"))
        elif there.upper() == "N/A":
            told.lost.append((person.label, "the assignment is not theirs in Canvas (N/A)"))
        else:
            value = number(grade.score * factor, decimal)
            told.replaced += bool(there) and to_number(there) != to_number(value)
            template.put(person.row, target, value)
            told.written += 1
    people_left(told, people, matches, grades)
    return told


def _columns(template: Template) -> dict[str, int]:
    columns = {name.strip(): place for place, name in reversed(list(enumerate(template.header)))}
    named = "Student" in columns or {"FirstName", "LastName"} <= set(columns)
    if not named or _ID not in columns:
        raise AutogradedError(
            f"{template.path} is no gradebook of Canvas: its header needs the columns Student and "
            f"ID, and has: {', '.join(filter(None, template.header))}."
        )
    return {name: columns[name] for name in (*_KEYS, *_NAMES) if name in columns}


def _target(template: Template, assignment: Assignment, column: str | None) -> int:
    """The column to fill."""
    found = {
        place: known
        for place, name in enumerate(template.header)
        if (known := _ASSIGNMENT.fullmatch(name))
    }
    if column is not None:
        wanted = column.strip()
        places = [
            place
            for place, name in enumerate(template.header)
            if place in found
            and wanted in (name.strip(), found[place]["id"], found[place]["title"])
        ]
    else:
        names = {_bare(text) for text in (assignment.id, assignment.title.en, assignment.title.id)}
        places = [place for place, known in found.items() if _bare(known["title"]) in names]
    if len(places) == 1:
        return places[0]
    what = f"the column {column!r}" if column is not None else f"a column for {assignment.id}"
    fault = "several times" if places else "not"
    listed = ", ".join(template.header[place].strip() for place in found) or "none"
    raise AutogradedError(
        f"{template.path} has {what} {fault}; its assignments are: {listed}. "
        "Name one with --column, by its header or its number."
    )


def _bare(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _people(template: Template, columns: Mapping[str, int]) -> tuple[list[Person], list[int]]:
    """The rows of students, and the rows above them, which are about assignments."""
    people: list[Person] = []
    others: list[int] = []
    for row in range(len(template.rows)):
        keys = tuple(template.cell(row, columns.get(name)) for name in _KEYS)
        first = template.cell(row, columns.get("FirstName"))
        last = template.cell(row, columns.get("LastName"))
        name = template.cell(row, columns.get("Student")) or f"{last}, {first}".strip(", ")
        if not any(keys) and (not name or not people):
            others.append(row)
        elif name != _TEST_STUDENT:
            label = f"{name} (ID {keys[0]})" if keys[0] else name
            people.append(Person(row, label, keys=keys, names=(name,)))
    return people, others


def _due(template: Template, rows: list[int], target: int, title: str) -> tuple[float | None, str]:
    """The points an assignment has in Canvas, and the decimal sign its numbers have."""
    due, decimal = None, "."
    for row in rows:
        text = template.cell(row, target)
        if text.startswith("(") and text.endswith(")"):
            raise AutogradedError(f"{template.path}: the column {title!r} is {text} in Canvas.")
        if to_number(text) is not None:
            due = to_number(text)
            decimal = "," if "," in text else "."
    return due, decimal
