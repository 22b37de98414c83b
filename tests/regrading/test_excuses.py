"""Who is excused from an exercise, and how course.yml says so."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograded.course import Course
from autograded.errors import CourseError
from autograded.grading.excuses import excuses

COURSE = """\
title: {{en: A small course, id: Kursus kecil}}
ideas:
  sums: {{title: {{en: adding up, id: penjumlahan}}, url: https://example.org/sums}}
assignments:
  small:
    title: {{en: Small, id: Kecil}}
    points: 3
    exercises:
      double: {{points: 2, difficulty: 1, minutes: 5, idea: sums{double}}}
      triple: {{points: 1, difficulty: 1, minutes: 5, idea: sums{triple}}}
      why: {{points: 1, difficulty: 1, minutes: 5, idea: sums, graded_by: person{why}}}
"""
EXCUSED = ", added: {moment}, earlier: excused"


def load(folder: Path, *, double: str = "", triple: str = "", why: str = "") -> Course:
    path = folder / "course.yml"
    path.write_text(COURSE.format(double=double, triple=triple, why=why), encoding="utf-8")
    return Course.load(path)


@pytest.mark.parametrize(
    ("moment", "handed_in", "excused"),
    [
        ("2026-11-15", datetime(2026, 11, 14, 23, 59, 59), True),
        ("2026-11-15", datetime(2026, 11, 15), False),
        ("2026-11-15 08:00:00+07:00", datetime(2026, 11, 15, 0, 59, 59), True),
        ("2026-11-15 08:00:00+07:00", datetime(2026, 11, 15, 1), False),
        ("2026-11-15 08:00:00+07:00", datetime(2026, 11, 15, 0, 59, 59, tzinfo=UTC), True),
    ],
)
def test_the_moment_is_utc_unless_it_names_a_zone(
    tmp_path: Path, moment: str, handed_in: datetime, excused: bool
) -> None:
    course = load(tmp_path, triple=EXCUSED.format(moment=moment))
    found, in_doubt = excuses(course.assignment("small"), ["triple"], handed_in)
    assert (list(found), in_doubt) == (["small.triple"] if excused else [], [])


def test_only_what_is_lacking_and_so_marked_is_excused(tmp_path: Path) -> None:
    assignment = load(tmp_path, triple=EXCUSED.format(moment="2026-11-15")).assignment("small")
    before = datetime(2026, 1, 1)
    assert excuses(assignment, ["double"], before) == ({}, [])
    assert excuses(assignment, [], before) == ({}, [])
    assert excuses(assignment, [], None) == ({}, [])


def test_without_a_time_it_counts_and_is_flagged(tmp_path: Path) -> None:
    course = load(tmp_path, triple=EXCUSED.format(moment="2026-11-15"))
    found, (flag,) = excuses(course.assignment("small"), ["double", "triple"], None)
    assert (found, flag.kind) == ({}, "no-timestamp")
    assert "small.triple was added on 2026-11-15" in flag.message


@pytest.mark.parametrize(
    ("keys", "line", "sentence"),
    [
        ({"triple": ", earlier: excused"}, 10, "`earlier: excused` needs `added`"),
        ({"why": EXCUSED.format(moment="2026-11-15")}, 11, "who grades a written answer excuses"),
        ({"triple": ", added: soon"}, 10, "added: Input should be a valid datetime"),
        ({"triple": ", added: 2026-11-15, earlier: forgiven"}, 10, "'zero' or 'excused'"),
        (
            dict.fromkeys(("double", "triple"), EXCUSED.format(moment="2026-11-15")),
            8,
            "every exercise of small excuses earlier work",
        ),
    ],
)
def test_a_fault_is_named_with_its_line(
    tmp_path: Path, keys: dict[str, str], line: int, sentence: str
) -> None:
    with pytest.raises(CourseError) as caught:
        load(tmp_path, **keys)
    assert f"course.yml:{line}: " in str(caught.value)
    assert sentence in str(caught.value)
