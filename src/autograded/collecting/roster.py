"""Who is in the class: roster.csv, and finding people in it by whatever name an LMS uses."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograded.errors import AutogradedError, why

FILE = "roster.csv"
"""Name of the roster, beside course.yml."""

_COLUMNS = {
    "id": ("id", "student_id", "username", "student"),
    "first_name": ("first_name", "firstname", "given_name"),
    "last_name": ("last_name", "lastname", "surname", "family_name"),
    "name": ("name", "full_name"),
    "email": ("email", "email_address", "e-mail", "mail"),
    "section": ("section", "group", "class"),
    "aliases": ("aliases", "other_ids", "lms_id", "lms_ids"),
}


_DEVICES = {
    *("CON", "PRN", "AUX", "NUL"),
    *(f"{device}{number}" for device in ("COM", "LPT") for number in range(1, 10)),
}
"""Names that Windows keeps from files, whatever ending they have."""


@dataclass(frozen=True)
class Student:
    """One student. `aliases` are ids that other systems have for the same person."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    section: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".strip()


def is_usable(student_id: str) -> bool:
    """Whether an id can be the name of a folder, here and on other systems, and nothing else."""
    return (
        0 < len(student_id.encode("utf-8", "surrogatepass")) <= 120
        and student_id == student_id.strip()
        and student_id.partition(".")[0].strip().upper() not in _DEVICES
        and not student_id.startswith((".", "-"))
        and not student_id.endswith(".")
        and not any(c in '/\\:*?"<>|' or unicodedata.category(c)[0] == "C" for c in student_id)
    )


class Roster:
    """The students of a class, found by id, e-mail address or name.

    A name that two students share finds neither: a submission must not go to the wrong one.
    """

    def __init__(self, students: Iterable[Student]) -> None:
        self.students = sorted(students, key=lambda student: student.id)
        self.by_id = {student.id: student for student in self.students}
        self._by_key: dict[str, set[str]] = defaultdict(set)
        self._by_name: dict[str, set[str]] = defaultdict(set)
        for student in self.students:
            for key in (student.id, student.email, *student.aliases):
                if key:
                    self._by_key[folded(key)].add(student.id)
            for name in _names(student):
                self._by_name[name].add(student.id)

    def find(self, *keys: str) -> Student | None:
        """The student with one of these ids, addresses or aliases; the first that is one."""
        for key in keys:
            if key in self.by_id:
                return self.by_id[key]
            found = self._by_key.get(folded(key), set()) if key else set()
            if len(found) == 1:
                return self.by_id[next(iter(found))]
        return None

    def named(self, name: str) -> Student | None:
        """The only student of that name, whatever its order, spacing, case and accents."""
        for spelling in _spellings(name):
            found = self._by_name.get(spelling, set()) if spelling else set()
            if len(found) == 1:
                return self.by_id[next(iter(found))]
        return None

    def called(self, *names: str) -> tuple[str, ...]:
        """The ids of all students of one of these names."""
        spellings = {spelling for name in names for spelling in _spellings(name) if spelling}
        return tuple(sorted(set().union(*(self._by_name.get(one, set()) for one in spellings))))

    def sharing(self, *texts: str) -> tuple[str, ...]:
        """The ids of all students to whom one of these, as an id, address, alias or name, fits."""
        keys = {folded(text) for text in texts if text}
        known = set().union(*(self._by_key.get(one, set()) for one in keys))
        return tuple(sorted(known.union(self.called(*texts))))

    @classmethod
    def load(cls, path: Path) -> Roster:
        """Read a roster: CSV in UTF-8 with a header; only the column `id` is needed.

        Raises:
            AutogradedError: one sentence with file, line and what to do.
        """
        try:
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise AutogradedError(f"There is no roster {path}.") from None
        except OSError as error:
            raise AutogradedError(f"{path} cannot be read: {why(error)}.") from error
        except UnicodeDecodeError as error:
            raise AutogradedError(f"{path} is not UTF-8 ({error}); save it as UTF-8.") from error
        students: dict[str, Student] = {}
        spelled: dict[str, str] = {}
        for place, student in _rows(path, text):
            if not is_usable(student.id):
                raise AutogradedError(
                    f"{place}: {student.id!r} cannot be the name of a student's folder everywhere: "
                    "use letters, digits, and . _ - + @ inside, and no name of a device such as "
                    "con or nul."
                )
            other = spelled.setdefault(folded(student.id), student.id)
            if student.id in students:
                raise AutogradedError(f"{place}: the id {student.id} stands twice; remove one.")
            if other != student.id:
                raise AutogradedError(
                    f"{place}: the ids {other} and {student.id} are one folder on many systems; "
                    "give one of them another."
                )
            students[student.id] = student
        return cls(students.values())


def _rows(path: Path, text: str) -> Iterator[tuple[str, Student]]:
    """The students that a roster's text holds, each with its file and line."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        columns = _columns(reader.fieldnames or ())
        if "id" not in columns:
            raise AutogradedError(
                f"{path}:1: the roster has no column id: begin it with "
                "id,first_name,last_name,email,section."
            )
        line = reader.line_num + 1
        for row in reader:
            if any("\n" in cell or "\r" in cell for cell in row.values() if isinstance(cell, str)):
                raise csv.Error("a quoted cell goes on over the end of the line")
            if any(row.values()):
                yield f"{path}:{reader.line_num}", _student(row, columns)
            line = reader.line_num + 1
    except csv.Error as error:
        raise AutogradedError(
            f"{path}:{line}: this is no line of a roster ({error}): look for a quote that is "
            "opened and not closed."
        ) from error


def _columns(header: Iterable[str | None]) -> dict[str, str]:
    given = {re.sub(r"[\s-]+", "_", (name or "").strip().lower()): name for name in header}
    found: dict[str, str] = {}
    for column, spellings in _COLUMNS.items():
        for spelling in spellings:
            name = given.get(spelling.replace("-", "_"))
            if name is not None:
                found.setdefault(column, name)
    return found


def _student(row: dict[str, str], columns: dict[str, str]) -> Student:
    def cell(column: str) -> str:
        value = row.get(columns.get(column, ""), "") or ""
        return unicodedata.normalize("NFC", value.strip())

    first, last = cell("first_name"), cell("last_name")
    if not first and not last:
        last, comma, first = cell("name").partition(",")
        if not comma:
            first, _space, last = last.rpartition(" ")
    return Student(
        id=cell("id"),
        first_name=first.strip(),
        last_name=last.strip(),
        email=cell("email"),
        section=cell("section"),
        aliases=tuple(re.split(r"[;\s]+", cell("aliases"))) if cell("aliases") else (),
    )


def folded(text: str) -> str:
    """A text in the one spelling of all that differ in case or in how accents are written."""
    return unicodedata.normalize("NFC", text).casefold().strip()


def _joined(name: str) -> str:
    """Letters and digits alone, as Canvas writes a name."""
    return "".join(c for c in folded(name) if c.isalnum())


def _sorted(name: str) -> str:
    """Words in order of the alphabet: given and family names come in either order."""
    return " ".join(sorted(re.findall(r"\w+", folded(name))))


# Letters that are no other letter with an accent, as they are written where they are missing.
_LETTERS = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t"}
    | {"æ": "ae", "œ": "oe", "þ": "th", "ß": "ss"}
)


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text).translate(_LETTERS)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _spellings(name: str) -> tuple[str, ...]:
    """How a name is looked up, the closest to how it is written first."""
    joined, words = _joined(name), _sorted(name)
    return joined, _plain(joined), words, _sorted(_plain(words))


def _names(student: Student) -> set[str]:
    if not student.name:
        return set()
    return {*_spellings(student.name), *_spellings(f"{student.last_name} {student.first_name}")}
