"""What an exercise counts for work that was handed in before the exercise was there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from autograded.course import Assignment
from autograded.grading.results import Flag
from autograded.i18n import _


def excuses(
    assignment: Assignment, lacking: Sequence[str], timestamp: datetime | None
) -> tuple[dict[str, str], list[Flag]]:
    """Say which exercises do not count for a submission, and what is in doubt.

    Only what `earlier: excused` in course.yml names is excused, where nothing of the exercise was
    handed in and that was before it was added: cells that are deleted later excuse nobody.

    Args:
        assignment: its entry in course.yml.
        lacking: names of the exercises of which nothing was handed in.
        timestamp: when it was handed in (UTC where it names no zone); None when that is not known.

    Returns:
        Why it is excused, by exercise id; and a flag for each that would be, if its time were
        known.
    """
    excused, in_doubt = {}, []
    for exercise in assignment.checked:
        if exercise.earlier != "excused" or exercise.added is None or exercise.name not in lacking:
            continue
        day = exercise.added.strftime("%Y-%m-%d %H:%M UTC")
        if timestamp is None:
            sentence = _(
                "{exercise} was added on {day} and excuses earlier work; when this was handed in "
                "is not known, so the exercise counts."
            )
            message = sentence.format(exercise=exercise.id, day=day)
            in_doubt.append(Flag(kind="no-timestamp", message=message))
        elif _utc(timestamp) < exercise.added:
            sentence = _(
                "Excused: this exercise was added on {day}, after this was handed in. It gets the "
                "share of points that the other exercises earned: it counts neither for nor "
                "against you."
            )
            excused[exercise.id] = sentence.format(day=day)
    return excused, in_doubt


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
