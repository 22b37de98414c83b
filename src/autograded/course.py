"""course.yml as checked data: the course, its assignments and their exercises.

Faults are reported as one sentence with file and line (`CourseError`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from autograded.errors import CourseError, why
from autograded.i18n import _
from autograded.sandbox.limits import Limits

Language = Literal["en", "id"]
LANGUAGES: tuple[Language, ...] = ("en", "id")
FeedbackLevel = Literal["names", "hints", "full"]

# nbgrader's assignment names and grade ids, and Python functions, must all be able to hold it.
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


def _is_address(text: str) -> str:
    if not text.startswith(("https://", "http://")) or len(text.split()) != 1:
        raise ValueError("an address must start with https:// or http:// and hold no spaces")
    return text


Address = Annotated[str, AfterValidator(_is_address)]


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Text(_Strict):
    """One text in every language of the course."""

    en: str
    id: str

    def in_language(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.id if language == "id" else self.en


class Idea(_Strict):
    """A concept that exercises test and misconceptions miss, with a page to read about it."""

    title: Text
    url: Address


class Page(_Strict):
    """Something to read after an assignment."""

    title: Text
    url: Address


class Exercise(_Strict):
    """One function the student writes, or one written answer (`graded_by: person`).

    `added` is when it came to an assignment that was out already (UTC where no zone is named), and
    `earlier` what it counts for work handed in before that, without it.
    """

    points: float = Field(gt=0)
    difficulty: Literal[1, 2, 3]
    minutes: int = Field(gt=0)
    idea: str
    autograd: Literal["allowed", "forbidden"] = "allowed"
    graded_by: Literal["checks", "person"] = "checks"
    added: Moment | None = None
    earlier: Literal["zero", "excused"] = "zero"

    _name: str = PrivateAttr("")
    _assignment: str = PrivateAttr("")

    @property
    def name(self) -> str:
        """The name of the student's function; also the grade id of its cell."""
        return self._name

    @property
    def id(self) -> str:
        """`assignment.exercise`."""
        return f"{self._assignment}.{self._name}"

    @model_validator(mode="after")
    def _can_excuse(self) -> Exercise:
        if self.earlier == "excused" and self.added is None:
            raise ValueError("`earlier: excused` needs `added`, the day from which it counts")
        if self.earlier == "excused" and self.graded_by == "person":
            raise ValueError("who grades a written answer excuses from it, too: remove `earlier`")
        return self


class Assignment(_Strict):
    """One notebook, with the exercises in it, in order."""

    title: Text
    points: float = Field(gt=0)
    exercises: dict[Identifier, Exercise] = Field(min_length=1)
    reading: tuple[Page, ...] = ()

    _id: str = PrivateAttr("")

    @property
    def id(self) -> str:
        """The name of the assignment, of its folders and of its notebook."""
        return self._id

    @property
    def checked(self) -> list[Exercise]:
        """The exercises that checks grade, in order."""
        return [e for e in self.exercises.values() if e.graded_by == "checks"]

    @property
    def written(self) -> list[Exercise]:
        """The answers that a person grades, in order."""
        return [e for e in self.exercises.values() if e.graded_by == "person"]


class Course(_Strict):
    """The whole course. Load it with `Course.load` or `Course.find`."""

    title: Text
    language: Language = "en"
    feedback: FeedbackLevel = "hints"
    db_url: str | None = None
    limits: Limits = Field(default_factory=Limits)
    ideas: dict[str, Idea] = Field(default_factory=dict)
    assignments: dict[Identifier, Assignment] = Field(min_length=1)

    _root: Path = PrivateAttr(Path())
    _lines: dict[tuple[str, ...], int] = PrivateAttr(default_factory=dict)

    @property
    def root(self) -> Path:
        """The folder that holds course.yml."""
        return self._root

    @property
    def file(self) -> Path:
        """The path of course.yml."""
        return self._root / "course.yml"

    def solutions(self, assignment: str) -> Path:
        """Path of the one source of an assignment."""
        return self._root / "solutions" / assignment / f"{assignment}.py"

    def exercises_folder(self, assignment: str) -> Path:
        """Folder of the learner's stub and the public checks."""
        return self._root / "exercises" / assignment

    def graders(self, assignment: str) -> Path:
        """Folder of the hidden checks."""
        return self._root / "graders" / assignment

    @property
    def classroom(self) -> Path:
        """nbgrader's `CourseDirectory.root`."""
        return self._root / "classroom"

    def assignment(self, name: str) -> Assignment:
        """Return an assignment by name, or raise `CourseError` that lists the known ones."""
        try:
            return self.assignments[name]
        except KeyError:
            known = ", ".join(self.assignments)
            raise CourseError(
                _("There is no assignment {name!r} in {file}; it has: {known}.").format(
                    name=name, file=self.file, known=known
                )
            ) from None

    def exercise(self, exercise_id: str) -> Exercise:
        """Return an exercise by its id `assignment.exercise`."""
        assignment_name, _dot, name = exercise_id.partition(".")
        assignment = self.assignment(assignment_name)
        try:
            return assignment.exercises[name]
        except KeyError:
            known = ", ".join(e.id for e in assignment.exercises.values())
            raise CourseError(
                _("There is no exercise {name!r} in {file}; {assignment} has: {known}.").format(
                    name=exercise_id, file=self.file, assignment=assignment_name, known=known
                )
            ) from None

    def reading(self, assignment: str) -> list[Page]:
        """What to read after an assignment: its `reading`, or the pages of its ideas."""
        found = self.assignment(assignment)
        if found.reading:
            return list(found.reading)
        pages: dict[str, Page] = {}
        for exercise in found.exercises.values():
            idea = self.ideas[exercise.idea]
            pages.setdefault(idea.url, Page(title=idea.title, url=idea.url))
        return list(pages.values())

    def line(self, *keys: str) -> int:
        """Line in course.yml where the value at `keys` stands (1-based)."""
        while keys and keys not in self._lines:
            keys = keys[:-1]
        return self._lines.get(keys, 1)

    def require_graders(self, assignment: str) -> None:
        """Raise `CourseError` unless every checked exercise has its hidden grader."""
        for exercise in self.assignment(assignment).checked:
            path = self.graders(assignment) / f"test_{exercise.name}.py"
            if not path.is_file():
                line = self.line("assignments", assignment, "exercises", exercise.name)
                raise CourseError(
                    f"{self.file}:{line}: exercise {exercise.id} has no grader: "
                    f"write {path.relative_to(self._root)}."
                )

    @classmethod
    def find(cls, start: Path | None = None) -> Course:
        """Load the course.yml in `start` (default: the current folder) or the nearest one above."""
        here = (start or Path.cwd()).resolve()
        for folder in (here, *here.parents):
            if (folder / "course.yml").is_file():
                return cls.load(folder / "course.yml")
        raise CourseError(
            f"There is no course.yml in {here} or above; "
            "go to the course's folder, or name it with --course."
        )

    @classmethod
    def load(cls, path: Path) -> Course:
        """Read and check `path`; any fault is a `CourseError` with file and line."""
        path = path.resolve()
        try:
            text = path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise CourseError(
                f"There is no {path.name} in {path.parent}; name the course's folder with --course."
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            reason = why(error)
            raise CourseError(f"{path}: cannot be read: {reason}.") from error
        data, lines = _parse(path, text)
        try:
            course = cls.model_validate(data)
        except ValidationError as error:
            raise CourseError(_sentence(path, lines, error)) from None
        course._root = path.parent
        course._lines = lines
        for assignment_name, assignment in course.assignments.items():
            assignment._id = assignment_name
            for name, exercise in assignment.exercises.items():
                exercise._name, exercise._assignment = name, assignment_name
        course._check_sums_and_ideas()
        return course

    def _check_sums_and_ideas(self) -> None:
        for assignment in self.assignments.values():
            total = sum(e.points for e in assignment.checked)
            if abs(total - assignment.points) > 1e-9:
                line = self.line("assignments", assignment.id, "points")
                raise CourseError(
                    f"{self.file}:{line}: assignment {assignment.id} says "
                    f"{assignment.points:g} points, but its exercises add up to {total:g}: "
                    "change one of them."
                )
            if all(e.earlier == "excused" for e in assignment.checked):
                line = self.line("assignments", assignment.id, "exercises")
                raise CourseError(
                    f"{self.file}:{line}: every exercise of {assignment.id} excuses earlier work: "
                    "one at least must count."
                )
            for exercise in assignment.exercises.values():
                if exercise.idea not in self.ideas:
                    line = self.line(
                        "assignments", assignment.id, "exercises", exercise.name, "idea"
                    )
                    raise CourseError(
                        f"{self.file}:{line}: exercise {exercise.id} names the idea "
                        f"{exercise.idea!r}, which `ideas:` does not have: add it there, "
                        "or correct the name."
                    )


def _parse(path: Path, text: str) -> tuple[Any, dict[tuple[str, ...], int]]:
    """Return the data of a YAML text, and the line of every key in it."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = mark.line + 1 if mark else 1
        raise CourseError(f"{path}:{line}: not valid YAML: {error.problem}.") from None
    except yaml.YAMLError as error:
        raise CourseError(f"{path}:1: not valid YAML: {error}.") from None
    lines: dict[tuple[str, ...], int] = {}
    for keys, line, repeated in _walk(node, ()):
        if repeated is not None:
            raise CourseError(
                f"{path}:{line}: the id {keys[-1]!r} stands twice (first in line {repeated}): "
                "rename or remove one."
            )
        lines[keys] = line
    if not isinstance(node, yaml.MappingNode):
        raise CourseError(f"{path}:1: expected keys such as title and assignments.")
    try:
        return yaml.safe_load(text), lines
    except yaml.YAMLError as error:
        raise CourseError(f"{path}:1: not valid YAML: {error}.") from None


def _walk(
    node: yaml.Node | None, keys: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], int, int | None]]:
    """Yield (path of keys, line, line of an earlier key of the same name or None)."""
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            line = key_node.start_mark.line + 1
            yield (*keys, key), line, seen.get(key)
            seen[key] = line
            yield from _walk(value_node, (*keys, key))
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield (*keys, str(index)), item.start_mark.line + 1, None
            yield from _walk(item, (*keys, str(index)))


def _sentence(path: Path, lines: Mapping[tuple[str, ...], int], error: ValidationError) -> str:
    first = error.errors()[0]
    keys = tuple(str(part) for part in first["loc"] if part != "[key]")
    known = keys
    while known and known not in lines:
        known = known[:-1]
    where = ".".join(keys)
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        message = "unknown key; remove it or correct its name"
    elif first["type"] == "missing":
        message = "is missing; add it"
    elif first["type"] == "string_pattern_mismatch":
        message = "a name must be lower-case letters, digits and _, and start with a letter"
    return f"{path}:{lines.get(known, 1)}: {where}: {message}."
