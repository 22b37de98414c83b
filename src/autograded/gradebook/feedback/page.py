"""What stands in a student's feedback page, from the graded notebook and the gradebook."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from markupsafe import Markup
from pydantic import ValidationError

from autograded.course import Assignment, Course, Exercise, FeedbackLevel
from autograded.gradebook.feedback import RESULT
from autograded.gradebook.feedback.grades import Grade, Grades
from autograded.gradebook.feedback.outputs import Piece, pieces
from autograded.grading.results import ExerciseResult, Result, message_for_student
from autograded.reports.prose import hints_of, inline, prose
from autograded.reports.table import Row, Table, plain

_NOTHING = Markup()

# Flags that tell a student why marks are missing; the others are for a person to look at.
_TOLD = ("execution-", "call-")


@dataclass(frozen=True)
class Cell:
    """One cell as the page shows it.

    Attributes:
        whose: `answer` for an exercise's own cell, `student` for one the student added or changed,
            `course` for one of the course's that ran and showed something.
        code: the source of a code cell, highlighted; empty where it is the course's.
        text: the source of a Markdown cell, as HTML.
        untouched: whether an answer was left as it was released.
        outputs: what the cell showed.
    """

    whose: Literal["answer", "student", "course"]
    code: Markup = _NOTHING
    text: Markup = _NOTHING
    untouched: bool = False
    outputs: Sequence[Piece] = ()

    @property
    def failed(self) -> bool:
        """Whether the cell ended with an error."""
        return any(piece.kind == "error" for piece in self.outputs)


@dataclass
class Section:
    """A part of the notebook: one exercise and what stands around it, or what comes before.

    Attributes:
        name: the exercise's name, also its anchor; empty before the first exercise.
        title: its heading in the notebook.
        exercise: its entry in course.yml.
        statement: what the exercise asks for.
        cells: its cells, in order.
        grade: its points.
        table: its checks, as far as the course shows them.
        checks_text: its checks as text, where the notebook has no result document.
        excused: why the exercise does not count; empty where it does.
        hints: hints to unfold, where points are missing.
        comments: what a person wrote about it.
    """

    name: str = ""
    title: Markup = _NOTHING
    exercise: Exercise | None = None
    statement: Markup = _NOTHING
    cells: list[Cell] = field(default_factory=list)
    grade: Grade | None = None
    table: Table | None = None
    checks_text: str = ""
    excused: str = ""
    hints: Sequence[Markup] = ()
    comments: list[Markup] = field(default_factory=list)

    @property
    def shown(self) -> bool:
        """Whether there is something to say: points, a cell of the student's, or an error."""
        own = any(cell.whose != "course" or cell.failed for cell in self.cells)
        return self.grade is not None or own

    @property
    def missing(self) -> bool:
        """Whether points are missing that could have been had."""
        grade = self.grade
        if grade is None or grade.unread or self.excused:
            return False
        return grade.score < grade.max_score


@dataclass(frozen=True)
class Page:
    """One submission's page."""

    course: Course
    assignment: Assignment
    grades: Grades
    level: FeedbackLevel
    sections: Sequence[Section]
    problem: str | None
    notes: Sequence[str]
    repairs: Sequence[str]

    @property
    def exercises(self) -> list[Section]:
        """The sections with points."""
        return [section for section in self.sections if section.grade is not None]

    @property
    def score(self) -> float:
        """The total: points of all exercises less the late penalty, and not below 0."""
        points = sum(grade.score for grade in self.grades.cells.values())
        return max(0.0, points - self.grades.penalty)

    @property
    def max_score(self) -> float:
        """The points that could be had."""
        return sum(grade.max_score for grade in self.grades.cells.values())

    @property
    def unread(self) -> bool:
        """Whether a person has yet to give points."""
        return any(grade.unread for grade in self.grades.cells.values())

    @property
    def kept(self) -> bool:
        """Whether points count that a person gave before, and has to look at again."""
        return any(grade.kept for grade in self.grades.cells.values())

    @property
    def late_by(self) -> timedelta:
        """How long after the due date it was handed in, in whole minutes."""
        return timedelta(minutes=int(self.grades.seconds_late // 60))


def page_of(
    notebook: Any, released: Mapping[str, Any], grades: Grades, course: Course, assignment: str
) -> Page:
    """Put a page together. Messages are made in the language in use.

    Args:
        notebook: the graded notebook.
        released: the notebook students got.
        grades: what the gradebook says of the submission.
        course: the course.
        assignment: the assignment's name.

    Raises:
        CourseError: course.yml does not have the assignment.
    """
    known = course.assignment(assignment)
    result = _result(notebook)
    return Page(
        course=course,
        assignment=known,
        grades=grades,
        level=course.feedback,
        sections=_Sections(released, grades, course, known, result).of(notebook),
        problem=None if result is None or result.problem is None else plain(result.problem),
        notes=[
            plain(flag.message)
            for flag in (result.flags if result else ())
            if flag.kind.startswith(_TOLD)
        ],
        repairs=[plain(repair.message) for repair in (result.repairs if result else ())],
    )


def _result(notebook: Any) -> Result | None:
    """The result document in a notebook; None where another version graded it."""
    try:
        return Result.model_validate(notebook["metadata"].get(RESULT))
    except ValidationError:
        return None


class _Sections:
    """Cuts a notebook into its exercises."""

    def __init__(
        self,
        released: Mapping[str, Any],
        grades: Grades,
        course: Course,
        assignment: Assignment,
        result: Result | None,
    ) -> None:
        self._grades, self._course, self._assignment = grades, course, assignment
        self._result = result
        self._released = {cell["id"]: _source(cell) for cell in released["cells"] if "id" in cell}
        self._hints = hints_of(course, assignment.id) if course.feedback != "names" else {}

    def of(self, notebook: Any) -> list[Section]:
        """The sections with something to show, in the notebook's order."""
        sections = [Section()]
        for cell in notebook["cells"]:
            name = self._starts(cell)
            if name is not None and name != sections[-1].name:
                sections.append(Section(name, exercise=self._assignment.exercises[name]))
            self._add(cell, sections[-1])
        for section in sections:
            self._finish(section)
        return [s for s in sections if s.shown]

    def _starts(self, cell: Any) -> str | None:
        """The exercise that begins with a cell: with its task, or its answer."""
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        name = str(grade_id).removesuffix("-task")
        return name if name in self._assignment.exercises else None

    def _add(self, cell: Any, section: Section) -> None:
        known = cell["metadata"].get("nbgrader", {})
        grade_id = str(known.get("grade_id", ""))
        if known.get("grade") and not known.get("solution"):
            section.checks_text = _checks_text(cell)
            section.grade = self._grades.cells.get(grade_id)
        elif known.get("solution"):
            section.cells.append(self._answer(cell))
            if known.get("grade"):
                section.grade = self._grades.cells.get(grade_id)
            if grade_id in self._grades.comments:
                section.comments.append(Markup(prose(self._grades.comments[grade_id])))
        elif grade_id == f"{section.name}-task":
            section.title, section.statement = _task(_source(cell))
        elif known.get("locked"):
            shown = pieces(cell.get("outputs", ()))
            if shown:
                section.cells.append(Cell("course", outputs=shown))
        elif self._released.get(cell.get("id", "")) != _source(cell):
            section.cells.append(_cell(cell, "student"))

    def _answer(self, cell: Any) -> Cell:
        grade_id = cell["metadata"]["nbgrader"]["grade_id"]
        untouched = grade_id in self._grades.unanswered
        return _cell(cell, "answer", untouched=untouched)

    def _finish(self, section: Section) -> None:
        if section.exercise is None:
            return
        section.title = section.title or Markup(inline(f"`{section.name}`"))
        if section.exercise.graded_by == "checks" and self._result is not None:
            found = self._result.exercise(section.exercise.id)
            section.table = _table(section, found, self._course.feedback)
            section.excused = plain(found.excused or "") if found else ""
        if section.missing:
            section.hints = self._hints.get(section.name, ())


def _table(section: Section, found: ExerciseResult | None, level: FeedbackLevel) -> Table:
    told = found is not None and level != "names"
    return Table(
        heading=section.name,
        rows=[
            Row(check.title, check.passed, message_for_student(check, level))
            for check in (found.checks if found and not found.excused else ())
        ],
        diagnosis=[one.message for one in found.diagnosis] if found and told else [],
    )


def _cell(cell: Any, whose: Literal["answer", "student"], *, untouched: bool = False) -> Cell:
    source = _source(cell)
    if cell["cell_type"] == "markdown":
        return Cell(whose, text=Markup(prose(source, cell.get("attachments"))), untouched=untouched)
    if cell["cell_type"] == "raw":
        return Cell(whose, code=Markup.escape(plain(source)), untouched=untouched)
    return Cell(
        whose,
        code=highlighted(source),
        untouched=untouched,
        outputs=pieces(cell.get("outputs", ())),
    )


def highlighted(source: str) -> Markup:
    """Python as HTML with Pygments' classes; control characters are left out."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers.python import PythonLexer

    lexer = PythonLexer(stripnl=False)
    return Markup(highlight(plain(source), lexer, HtmlFormatter(nowrap=True)).rstrip("\n"))


_HEADING = re.compile(r"#{1,6} +(.+)")


def _task(text: str) -> tuple[Markup, Markup]:
    """An exercise's heading, and what follows it."""
    first, _newline, rest = text.partition("\n")
    heading = _HEADING.fullmatch(first.strip())
    if heading is None:
        return _NOTHING, Markup(prose(text))
    return Markup(inline(heading[1])), Markup(prose(rest))


def _checks_text(cell: Any) -> str:
    shown = [piece.text for piece in pieces(cell.get("outputs", ())) if piece.kind == "text"]
    return shown[-1] if len(shown) > 1 else ""


def _source(cell: Any) -> str:
    source = cell.get("source", "")
    return "".join(source) if isinstance(source, list) else str(source)
