"""What else a teacher wants to know of an assignment: misconceptions, lateness, flags, timing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from autograded.course import Course
from autograded.i18n import _, say
from autograded.reports.class_data import AssignmentData, ClassData, Graded, Seconds
from autograded.reports.statistics import Summary, summary
from autograded.reports.teaching import explanations


@dataclass(frozen=True)
class Misconception:
    """A misconception that was found.

    Attributes:
        exercise: the id of the exercise.
        id: its id in graders/.
        students: who has it.
        failing: submissions that do not get full marks in this exercise.
        note: what to say about it.
        idea, url: the idea it misses, and a page about it; empty when not known.
    """

    exercise: str
    id: str
    students: tuple[str, ...]
    failing: int
    note: str
    idea: str
    url: str


@dataclass(frozen=True)
class Answers:
    """How an exercise was answered, by what is known of the wrong answers."""

    exercise: str
    right: int
    explained: int
    unexplained: tuple[str, ...]
    untouched: int


@dataclass(frozen=True)
class Listed:
    """Something that concerns several students, such as a kind of repair."""

    id: str
    message: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Late:
    """One late submission."""

    student: str
    by: timedelta
    penalty: float

    @property
    def hours(self) -> float:
        """How late, in hours."""
        return self.by.total_seconds() / 3600


@dataclass(frozen=True)
class Timing:
    """Seconds of grading a submission."""

    total: Summary
    execute: Summary
    check: Summary
    slowest: tuple[tuple[str, Seconds], ...]


@dataclass(frozen=True)
class HandingIn:
    """Who handed in, and when.

    Attributes:
        missing: who is in the class and handed in nothing.
        waiting: whose work is there and has no result document.
        unread: whose file could not be read, with the reason.
        late: who was late.
        strangers: whose work is there though they are not in the class.
        timed: whether the gradebook knows any submission's time.
    """

    missing: tuple[str, ...]
    waiting: tuple[str, ...]
    unread: tuple[tuple[str, str], ...]
    late: tuple[Late, ...]
    strangers: tuple[str, ...]
    timed: bool


def misconceptions(course: Course, data: AssignmentData) -> list[Misconception]:
    """The misconceptions of an assignment, the most frequent first."""
    texts = explanations(course, data.assignment.id)
    students: dict[tuple[str, str], list[str]] = defaultdict(list)
    failing: dict[str, int] = defaultdict(int)
    told: dict[tuple[str, str], tuple[str, str | None]] = {}
    for one in data.graded:
        for exercise in one.result.exercises:
            if exercise.excused is not None:
                continue
            failing[exercise.id] += not all(check.passed for check in exercise.checks)
            for found in exercise.diagnosis:
                key = exercise.id, found.misconception
                if one.student not in students[key]:
                    students[key].append(one.student)
                told.setdefault(key, (found.message, found.idea))
    ranked = sorted(students, key=lambda key: (-len(students[key]), key))
    made = []
    for key in ranked:
        message, idea_id = told[key]
        idea = course.ideas.get(idea_id) if idea_id else None
        made.append(
            Misconception(
                *key,
                tuple(students[key]),
                failing[key[0]],
                texts.get(key, message),
                say(idea.title) if idea else "",
                idea.url if idea else "",
            )
        )
    return made


def answers(data: AssignmentData, stubs: Mapping[str, str]) -> list[Answers]:
    """For each exercise how many are right, explained, not explained, or not begun.

    Who is excused from it is not counted.
    """
    made = []
    for exercise in data.assignment.checked:
        exercise_id, name = exercise.id, exercise.name
        stub = stubs.get(name, "").split()
        right = explained = untouched = 0
        unexplained = []
        for one in data.graded:
            result = next((e for e in one.result.exercises if e.id == exercise_id), None)
            if result is None or result.excused is not None:
                continue
            source = one.code.get(name)
            if all(check.passed for check in result.checks):
                right += 1
            elif result.diagnosis:
                explained += 1
            elif source is not None and source.split() == stub:
                untouched += 1
            else:
                unexplained.append(one.student)
        made.append(Answers(exercise_id, right, explained, tuple(unexplained), untouched))
    return made


def flags(data: AssignmentData) -> list[tuple[str, str, str]]:
    """What a person should look at: (student, kind, message)."""
    return [(one.student, f.kind, f.message) for one in data.graded for f in one.result.flags]


def repairs(data: AssignmentData) -> list[Listed]:
    """The kinds of repair that were needed, the most frequent first, each with one message."""
    students: dict[str, list[str]] = defaultdict(list)
    messages: dict[str, str] = {}
    for one in data.graded:
        for repair in one.result.repairs:
            if one.student not in students[repair.id]:
                students[repair.id].append(one.student)
            messages.setdefault(repair.id, repair.message)
    ranked = sorted(students, key=lambda key: (-len(students[key]), key))
    return [Listed(key, messages[key], tuple(students[key])) for key in ranked]


def handing_in(the_class: ClassData, data: AssignmentData) -> HandingIn:
    """Who handed in an assignment, and when."""
    graded = {one.student for one in data.graded}
    late = [
        Late(student, row.late, row.penalty)
        for student, row in sorted(data.rows.items())
        if row.late is not None
    ]
    return HandingIn(
        tuple(sorted(the_class.enrolled - data.handed_in)),
        tuple(sorted(data.handed_in - graded)),
        tuple((one.student, one.result.problem or "") for one in data.graded if one.unread),
        tuple(late),
        tuple(sorted(data.handed_in - the_class.enrolled)) if the_class.enrolled else (),
        any(row.timestamp is not None for row in data.rows.values()),
    )


def timing(data: AssignmentData, most: int = 5) -> Timing:
    """How long grading took, and the slowest submissions."""
    known = [(one.student, one.seconds) for one in data.graded if one.seconds is not None]
    slowest = sorted(known, key=lambda pair: (-pair[1].total, pair[0]))[:most]
    return Timing(
        summary([seconds.total for _student, seconds in known]),
        summary([seconds.execute for _student, seconds in known]),
        summary([seconds.check for _student, seconds in known]),
        tuple(slowest),
    )


def standing(data: AssignmentData, student: str, one: Graded | None) -> tuple[float | None, str]:
    """A student's points for the list of the class, and what there is to say about them.

    Args:
        data: the assignment.
        student: the student's id.
        one: what grading found, if it did.
    """
    row = data.rows.get(student)
    if student not in data.handed_in:
        return None, _("missing")
    if one is None and row is None:
        return None, _("not graded")
    words = []
    if row is not None and row.late is not None:
        words.append(_("late"))
    if row is not None and row.needs_person:
        words.append(_("to grade by hand"))
    if one is not None and one.result.flags:
        words.append(_("flagged"))
    if one is not None and any(e.excused is not None for e in one.result.exercises):
        words.append(_("partly excused"))
    if one is not None and one.unread:
        words.append(_("unreadable"))
    score = row.score if row is not None else one.result.score if one is not None else None
    return score, ", ".join(words)
