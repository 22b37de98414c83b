"""Reads result documents and graded notebooks, as far as reports need them.

The models that write documents bring torch along; these read the same schema and nothing else, so
that a report of thousands of submissions starts at once. What does not hold together is refused:
a document may be damaged, and much in it comes from a student.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from autograded.errors import AutogradedError
from autograded.i18n import _
from autograded.submissions.files import content_of

Points = Annotated[float, Field(ge=0, allow_inf_nan=False)]

_SLACK = 1e-3
"""Points by which a score may exceed its maximum: scores are rounded to four digits."""


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Scored(_Read):
    score: Points
    max_score: Points

    @model_validator(mode="after")
    def _within_bounds(self) -> _Scored:
        if self.score > self.max_score + _SLACK:
            raise ValueError("a score above its maximum")
        return self


class ReadCheck(_Read):
    """One check: whether it passed, and what share of the exercise it is."""

    id: str
    title: str
    passed: bool
    weight: Points


class ReadDiagnosis(_Read):
    """A misconception that explains a submission's answers."""

    misconception: str
    message: str
    idea: str | None = None


class ReadExercise(_Scored):
    """One exercise with its checks."""

    id: str
    checks: tuple[ReadCheck, ...]
    diagnosis: tuple[ReadDiagnosis, ...] = ()
    excused: str | None = None

    @property
    def weight(self) -> float:
        """Sum of its checks' weights."""
        return sum(check.weight for check in self.checks)


class ReadNote(_Read):
    """A flag."""

    kind: str
    message: str


class ReadRepair(_Read):
    """Something that had to be put right."""

    id: str
    message: str


class ReadResult(_Scored):
    """What grading one submission found."""

    schema_: Literal["autograded/1"] = Field(alias="schema")
    assignment: str
    exercises: tuple[ReadExercise, ...]
    flags: tuple[ReadNote, ...] = ()
    repairs: tuple[ReadRepair, ...] = ()
    problem: str | None = None
    submission_sha256: str = ""
    sandbox: str = ""

    @property
    def checks(self) -> Form:
        """What was checked for how much: documents of one form can be compared."""
        return tuple(
            (exercise.id, exercise.max_score, tuple((c.id, c.weight) for c in exercise.checks))
            for exercise in self.exercises
        )


class _Marks(_Read):
    solution: bool = False
    grade_id: str = ""


class _Metadata(_Read):
    nbgrader: _Marks | None = None


class _Cell(_Read):
    cell_type: str
    source: str | list[str]
    metadata: _Metadata


class _Notebook(_Read):
    cells: list[_Cell]


OWN_CELLS = ""
"""Name under which code stands that a student wrote into cells of their own."""


def written_code(notebook: str) -> dict[str, str]:
    """The code a student wrote in a graded notebook, by exercise; see `OWN_CELLS`.

    Raises:
        ValueError: it is no notebook.
    """
    found: dict[str, str] = {}
    own = []
    for cell in _Notebook.model_validate_json(notebook).cells:
        if cell.cell_type == "code":
            text = cell.source if isinstance(cell.source, str) else "".join(cell.source)
            marks = cell.metadata.nbgrader
            if marks is None:
                own.append(text)
            elif marks.solution:
                found[marks.grade_id] = text
    if own:
        found[OWN_CELLS] = "\n".join(own)
    return found


Form = tuple[tuple[str, float, tuple[tuple[str, float], ...]], ...]


def read_result(path: Path, assignment: str) -> ReadResult:
    """Read one document.

    Raises:
        AutogradedError: it cannot be read, is damaged, or is another assignment's.
    """
    content = content_of(path)
    try:
        result = ReadResult.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = f"{where}: {first['msg']}" if where else first["msg"]
        raise AutogradedError(
            _("{file} is damaged ({reason}).").format(file=path.name, reason=reason)
        ) from None
    if result.assignment != assignment:
        raise AutogradedError(
            _("{file} is a result of another assignment, {other}.").format(
                file=path.name, other=result.assignment
            )
        )
    return result
