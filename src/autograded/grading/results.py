"""One result document per submission: the only form in which a score leaves the grading.

Its JSON Schema is published as docs/results.schema.json, made from the models here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from autograded.course import Course, FeedbackLevel
from autograded.grading.diagnosis import Diagnosis
from autograded.grading.messages import Parts, compose
from autograded.grading.run import CheckOutcome
from autograded.submissions.documents import Repair


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CheckResult(_Document):
    """One check. `message` is empty when it passed; it is the full one, for the instructor."""

    id: str
    title: str
    passed: bool
    weight: float
    message: str
    parts: Parts = Field(default_factory=lambda: Parts())


class DiagnosisResult(_Document):
    """A misconception whose answers are those of the submission."""

    misconception: str
    message: str
    idea: str | None = None


class ExerciseResult(_Document):
    """One exercise: its points, shared among its checks by weight.

    `excused` says why it does not count, when it does not: its score is then the share of points
    that the other exercises earned, so that it changes nothing about that share.
    """

    id: str
    score: float
    max_score: float
    checks: list[CheckResult]
    diagnosis: list[DiagnosisResult] = Field(default_factory=list)
    excused: str | None = None


class WrittenAnswer(_Document):
    """An exercise that a person grades; its points are not part of `score` or `max_score`."""

    id: str
    max_score: float


class Flag(_Document):
    """Something a person should look at."""

    kind: str
    message: str


class RepairResult(_Document):
    """Something that had to be put right in the file before it could be graded."""

    id: str
    message: str


class Result(_Document):
    """What grading one submission found."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_: Literal["autograded/1"] = Field(default="autograded/1", alias="schema")
    assignment: str
    student: str | None = None
    score: float
    max_score: float
    exercises: list[ExerciseResult]
    written: list[WrittenAnswer] = Field(default_factory=list)
    flags: list[Flag] = Field(default_factory=list)
    repairs: list[RepairResult] = Field(default_factory=list)
    problem: str | None = None
    submission_sha256: str
    sandbox: str

    def to_document(self) -> dict[str, Any]:
        """The document as plain data, in a fixed order."""
        return self.model_dump(mode="json", by_alias=True)

    def exercise(self, exercise_id: str) -> ExerciseResult | None:
        """The result of one exercise, or None when it has none."""
        return next((e for e in self.exercises if e.id == exercise_id), None)


def points(value: float) -> float:
    """Round to what a gradebook needs, so that equal work has equal digits everywhere."""
    return round(value, 4) + 0.0


def score_of(max_score: float, outcomes: list[CheckOutcome]) -> float:
    """The points of an exercise: the share of its checks that passed, by weight."""
    total = sum(o.weight for o in outcomes)
    passed = sum(o.weight for o in outcomes if o.passed)
    if total <= 0 or passed <= 0:
        return 0.0
    return min(max_score, points(max_score * passed / total))


def result_of(
    course: Course,
    assignment: str,
    checks: list[CheckOutcome],
    *,
    diagnoses: dict[str, list[Diagnosis]],
    flags: list[Flag],
    sha256: str,
    sandbox: str,
    student: str | None = None,
    problem: str | None = None,
    repairs: Sequence[Repair] = (),
    excused: Mapping[str, str] = MappingProxyType({}),
) -> Result:
    """Make the document from the outcomes of all checks of one submission.

    `excused` says by id which exercises do not count, and why.
    """
    exercises = []
    for exercise in course.assignment(assignment).checked:
        mine = [o for o in checks if o.exercise == exercise.id]
        exercises.append(
            ExerciseResult(
                id=exercise.id,
                score=score_of(exercise.points, mine),
                max_score=exercise.points,
                excused=excused.get(exercise.id),
                checks=[
                    CheckResult(
                        id=o.check,
                        title=o.title.in_language(course.language),
                        passed=o.passed,
                        weight=o.weight,
                        message=o.message,
                        parts=o.parts,
                    )
                    for o in mine
                ],
                diagnosis=[
                    DiagnosisResult(misconception=d.misconception, message=d.message, idea=d.idea)
                    for d in diagnoses.get(exercise.id, [])
                ],
            )
        )
    _excuse(exercises)
    return Result(
        assignment=assignment,
        student=student,
        score=points(sum(e.score for e in exercises)),
        max_score=points(sum(e.max_score for e in exercises)),
        exercises=exercises,
        written=[
            WrittenAnswer(id=e.id, max_score=e.points)
            for e in course.assignment(assignment).written
        ],
        flags=flags,
        repairs=[RepairResult(id=repair.id, message=repair.message) for repair in repairs],
        problem=problem,
        submission_sha256=sha256,
        sandbox=sandbox,
    )


def _excuse(exercises: list[ExerciseResult]) -> None:
    """Give what is excused the share of points that the rest earned."""
    counting = [exercise for exercise in exercises if exercise.excused is None]
    most = sum(exercise.max_score for exercise in counting)
    share = sum(exercise.score for exercise in counting) / most if most else 0.0
    for exercise in exercises:
        if exercise.excused is not None:
            exercise.score = points(exercise.max_score * share)


def message_for_student(check: CheckResult, level: FeedbackLevel) -> str:
    """A check's message as far as the instructor lets students see it."""
    if check.passed or level == "names":
        return ""
    if not check.parts:
        return check.message
    return compose(check.parts, level)
