"""Moodle: grades into an offline grading worksheet that was downloaded there.

Moodle finds people by the worksheet's own participant numbers, and needs the columns Identifier,
Grade and Last modified (grade), by the names they have in the language of who uploads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from autograded.collecting.roster import Roster
from autograded.errors import AutogradedError
from autograded.exports.files import number
from autograded.exports.filling import Person, Told, match, people_left, scaling, waiting
from autograded.exports.grades import Graded
from autograded.exports.template import Template, to_number

# The texts of Moodle's language packs, as worksheets downloaded in these languages show them:
# English, Indonesian, German, French, Spanish, Portuguese (Brazil and Portugal), Italian, Dutch.
_HEADERS: dict[str, tuple[str, ...]] = {
    "identifier": (
        *("Identifier", "Tanda pengenal", "Pengenal", "ID", "Identifiant", "Identificador"),
        *("Identificativo", "Identificatie"),
    ),
    "name": (
        *("Full name", "Nama lengkap", "Vollständiger Name", "Nom complet", "Nombre completo"),
        *("Nome completo", "Nome", "Volledige naam"),
        *("First name / Last name", "First name / Surname"),
    ),
    "email": (
        *("Email address", "Alamat surel", "Alamat email", "E-Mail-Adresse"),
        *("Adresse de courriel", "Dirección de correo", "Dirección Email", "Endereço de email"),
        *("Endereço de e-mail", "Indirizzo email", "E-mailadres"),
    ),
    "number": (
        *("ID number", "Nomor ID", "ID-Nummer", "Numéro d'identification", "Número de ID"),
        *("Número de identificação", "Codice identificativo", "ID-nummer"),
    ),
    "username": (
        *("Username", "Nama pengguna", "Anmeldename", "Nom d'utilisateur", "Nombre de usuario"),
        *("Identificação de usuário", "Nome de utilizador", "Gebruikersnaam"),
    ),
    "grade": (
        *("Grade", "Nilai", "Bewertung", "Note", "Calificación", "Nota", "Valutazione"),
        *("Cijfer", "Beoordeling"),
    ),
    "maximum": (
        *("Maximum Grade", "Maximum grade", "Nilai maksimum", "Bestwertung", "Note maximale"),
        *("Calificación máxima", "Nota máxima", "Valutazione massima", "Maximumcijfer"),
        "Maximale beoordeling",
    ),
    "scale": ("Scale", "Skala", "Barème", "Escala", "Scala", "Schaal"),
    "changeable": (
        *("Grade can be changed", "Nilai bisa diubah", "Nilai dapat diubah"),
        *("Bewertung kann geändert werden", "La note peut être modifiée"),
        *("La calificación puede ser cambiada", "Nota pode ser alterada"),
        *("A nota pode ser alterada", "La valutazione può essere cambiata"),
    ),
    "modified": (
        *("Last modified (grade)", "Terakhir diubah (nilai)", "Zuletzt geändert (Bewertung)"),
        *("Dernière modification (note)", "Última modificación (calificación)"),
        *("Última modificação (nota)", "Ultima modifica (valutazione)"),
        "Laatst gewijzigd (beoordeling)",
    ),
}
_NEEDED = ("identifier", "grade", "modified")
_YES = ("yes", "ya", "ja", "oui", "sí", "sim", "sì")
_NO = ("no", "tidak", "nein", "non", "não", "nee")
_YES_OR_NO = re.compile("|".join((*_YES, *_NO)), re.IGNORECASE)
_IDENTIFIER = re.compile(r"\D*?(\d+)")


@dataclass(frozen=True)
class _Columns:
    """Where the columns of a worksheet stand; None for one that it does not have."""

    identifier: int
    grade: int
    maximum: int | None
    changeable: int | None
    known: Mapping[str, int]


def fill(
    template: Template,
    assignment: str,
    points: float,
    grades: Mapping[str, Graded],
    roster: Roster,
    column: str | None = None,
) -> Told:
    """Put an assignment's grades into the worksheet's grade column; every other cell stays.

    Args:
        template: a downloaded worksheet; changed in place.
        assignment: the assignment's name, for messages.
        points: the assignment's points.
        grades: by student.
        roster: the class.
        column: the grade column's header, where it is in a language not known here.

    Raises:
        AutogradedError: it is no worksheet that can be recognised, or it wants words for grades.
    """
    columns = _columns(template, column)
    people = _people(template, columns)
    due, decimal = _maximum(template, people, columns)
    matches = match(people, roster)
    title = template.header[columns.grade]
    factor, said = scaling(points, due, f"{assignment} ({title})")
    told = Told(title, scale=said, waiting=waiting(grades.values()))
    for person in people:
        grade = grades.get(matches.students.get(person.row, ""))
        if grade is None:
            continue
        value = number(grade.score * factor, decimal)
        there = template.cell(person.row, columns.grade)
        same = to_number(there) == to_number(value)
        reason = _locked(template.cell(person.row, columns.changeable), columns)
        if not reason:
            told.replaced += bool(there) and not same
            template.put(person.row, columns.grade, value)
            told.written += 1
        elif same:
            told.left.append((person.label, reason))
        else:
            told.lost.append((person.label, f"{reason}, and has {there or 'no grade'}"))
    people_left(told, people, matches, grades)
    return told


def _columns(template: Template, grade: str | None) -> _Columns:
    places: dict[str, list[int]] = {}
    for place, name in enumerate(template.header):
        for kind, spellings in _HEADERS.items():
            if _folded(name) in map(_folded, spellings):
                places.setdefault(kind, []).append(place)
    if grade is not None:
        places["grade"] = [
            place for place, name in enumerate(template.header) if _folded(name) == _folded(grade)
        ]
        # Who names the grade column knows the language; the rest is found by what it holds.
        places.setdefault("identifier", _holding(template, _IDENTIFIER))
        places.setdefault("modified", [-1])
    if "changeable" not in places:
        # A column of yes and no alone is that one, whatever it is called: locked grades matter.
        places["changeable"] = _holding(template, _YES_OR_NO)
    listed = ", ".join(filter(None, template.header))
    if "grade" not in places and "scale" not in places and "identifier" not in places:
        raise AutogradedError(
            f"{template.path} is no offline grading worksheet of Moodle in a language known here; "
            f"its columns are: {listed}. Name the one for grades with --column, or download the "
            "worksheet with your language set to English."
        )
    lacking = [kind for kind in _NEEDED if len(places.get(kind, ())) != 1]
    if lacking:
        names = " and ".join(_HEADERS[kind][0] for kind in lacking)
        raise AutogradedError(
            f"{template.path}: there must be one column {names}; its columns are: {listed}. "
            "Moodle cannot read the worksheet back without them."
        )
    if "scale" in places and "maximum" not in places:
        raise AutogradedError(
            f"{template.path}: the assignment is graded with the words of a scale "
            f"({template.header[places['scale'][0]]}); set points in Moodle, and download again."
        )
    known = {kind: found[0] for kind, found in places.items() if len(found) == 1}
    return _Columns(
        known["identifier"], known["grade"], known.get("maximum"), known.get("changeable"), known
    )


def _folded(name: str) -> str:
    """A header without case, a full stop at its end, and ways to write one character."""
    text = unicodedata.normalize("NFKC", name).replace("’", "'")
    return " ".join(text.casefold().split()).rstrip(".")


def _holding(template: Template, pattern: re.Pattern[str]) -> list[int]:
    """The first column whose every cell looks like a pattern."""
    rows = [row for row in range(len(template.rows)) if any(template.rows[row])]
    for place in range(len(template.header)):
        if rows and all(pattern.fullmatch(template.cell(row, place)) for row in rows):
            return [place]
    return []


def _people(template: Template, columns: _Columns) -> list[Person]:
    people = []
    blind = not any(kind in columns.known for kind in ("name", "email", "number", "username"))
    for row, cells in enumerate(template.rows):
        if not any(cells):
            continue
        identifier, name, email, idnumber, username = (
            template.cell(row, columns.known.get(kind))
            for kind in ("identifier", "name", "email", "number", "username")
        )
        digits = _IDENTIFIER.fullmatch(identifier)
        # A participant's number is never an id of the course's, and an alias that looks like it
        # may be an id of a third system: it counts only where nothing else is told of anybody.
        aliases: tuple[str, ...] = (identifier,)
        if blind and digits:
            aliases += (digits[1], f"Participant {digits[1]}")
        people.append(
            Person(
                row,
                f"{name} ({identifier})" if name else identifier,
                keys=(email, idnumber, username),
                aliases=aliases,
                names=(name,),
            )
        )
    return people


def _maximum(
    template: Template, people: list[Person], columns: _Columns
) -> tuple[float | None, str]:
    """The points a grade can have in Moodle, and the decimal sign of the worksheet."""
    texts = {template.cell(person.row, columns.maximum) for person in people} - {""}
    values = {to_number(text) for text in texts}
    if len(values) > 1 or None in values:
        raise AutogradedError(
            f"{template.path}: the maximum grade is not one number for all, but "
            f"{', '.join(sorted(texts)[:3])}; set points in Moodle, and download again."
        )
    marked = texts | {template.cell(person.row, columns.grade) for person in people}
    decimal = "," if any("," in text for text in marked if to_number(text) is not None) else "."
    return (values.pop() if values else None), decimal


def _locked(text: str, columns: _Columns) -> str:
    """Why a grade may not be changed; empty when it may."""
    if columns.changeable is None or _folded(text) in _YES:
        return ""
    if _folded(text) in _NO:
        return "locked in Moodle"
    return f"whether it may be changed is not clear ({text or 'empty'})"
