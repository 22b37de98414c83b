"""What a learner may know of an assignment: `assignment.json`, beside the public checks.

`autograded build` writes it from course.yml and solutions/; everything on the learner's side
(`check()`, hints, summaries) reads it, so that a student needs neither course.yml nor solutions.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from autograded.course import Idea, Identifier, Language, Text, _Strict
from autograded.errors import CourseError
from autograded.i18n import _

FILE = "assignment.json"


class PublicExercise(_Strict):
    """One exercise as a learner sees it."""

    name: Identifier
    points: float
    difficulty: int
    minutes: int
    idea: Idea
    by_hand: bool = False
    graded_by: str = "checks"
    hints: list[Text]

    def id_in(self, assignment: str) -> str:
        """`assignment.exercise`."""
        return f"{assignment}.{self.name}"


class PublicAssignment(_Strict):
    """One assignment as a learner sees it."""

    id: Identifier
    title: Text
    language: Language
    points: float
    exercises: list[PublicExercise]

    def exercise(self, name: str) -> PublicExercise:
        """Return an exercise by its name, or raise `CourseError`."""
        for exercise in self.exercises:
            if exercise.name == name:
                return exercise
        known = ", ".join(e.name for e in self.exercises)
        raise CourseError(
            _("There is no exercise {exercise}; {assignment} has: {known}.").format(
                exercise=f"{self.id}.{name}", assignment=self.id, known=known
            )
        )

    @classmethod
    def load(cls, folder: Path) -> PublicAssignment:
        """Read `assignment.json` in `folder`; a fault is a `CourseError`."""
        path = folder / FILE
        try:
            return cls.model_validate_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise CourseError(f"{path} is missing; run `autograded build`.") from None
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            raise CourseError(
                f"{path} cannot be read ({type(error).__name__}); run `autograded build`."
            ) from error

    def to_json(self) -> str:
        """The text of `assignment.json`, the same for the same content."""
        return self.model_dump_json(indent=2) + "\n"
