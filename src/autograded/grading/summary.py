"""The summary under `pytest exercises/`: points per exercise, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograded.i18n import _, say
from autograded.public import PublicAssignment, PublicExercise


@dataclass(frozen=True)
class Standing:
    """How an exercise stands: checks passed, of those that ran."""

    exercise: PublicExercise
    passed: int
    total: int

    @property
    def done(self) -> bool:
        """Whether every check that ran passed, and some ran."""
        return self.total > 0 and self.passed == self.total

    @property
    def score(self) -> float:
        """Points, all or nothing: public checks are a rehearsal, not the grade."""
        return self.exercise.points if self.done else 0.0


def standings(assignment: PublicAssignment, checks: Sequence[dict[str, Any]]) -> list[Standing]:
    """How every checked exercise of an assignment stands, from the checks that ran."""
    found = []
    for exercise in assignment.exercises:
        mine = [c for c in checks if c["exercise"] == exercise.id_in(assignment.id)]
        if exercise.graded_by == "checks":
            found.append(Standing(exercise, sum(c["passed"] for c in mine), len(mine)))
    return found


def write(
    reporter: Any, assignment: PublicAssignment, checks: Sequence[dict[str, Any]]
) -> str | None:
    """Write the standings of one assignment to pytest's terminal reporter.

    Returns the id of its first exercise that is not done, of those that ran; None without one.
    """
    rows = [row for row in standings(assignment, checks) if row.total]
    if not rows:
        return None
    reporter.write_sep("-", say(assignment.title))
    width = max(len(row.exercise.id_in(assignment.id)) for row in rows)
    for row in rows:
        mark, colour = ("✓", {"green": True}) if row.done else ("✗", {"red": True})
        name = row.exercise.id_in(assignment.id).ljust(width)
        points = f"{row.score:g}/{row.exercise.points:g}"
        passed = _("{passed} of {total} checks").format(passed=row.passed, total=row.total)
        reporter.write_line(f"{mark} {name}  {points:>5}  {passed}", **colour)
    total = sum(row.score for row in rows)
    due = sum(row.exercise.points for row in rows)
    reporter.write_line(_("points: {total} of {due}").format(total=f"{total:g}", due=f"{due:g}"))
    return next((row.exercise.id_in(assignment.id) for row in rows if not row.done), None)


def write_next(reporter: Any, exercise: str) -> None:
    """Write which exercise is to be done next."""
    sentence = _("next: {exercise}  (a hint: autograded hint {exercise})")
    reporter.write_line(sentence.format(exercise=exercise), bold=True)
