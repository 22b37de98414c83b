"""Copied code is found behind other names; people who both know the short answer are left alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from autograded.course import Course
from autograded.reports.class_data import released_code
from autograded.reports.similarity import Comparison, compare, rarity
from autograded.reports.simulated import answers, simulate
from reports.classes import report, write_code
from support import ASSIGNMENTS, ROOT

STUB = '''def smooth(values, width):
    """Return the running mean of values."""
    # YOUR CODE HERE
    raise NotImplementedError()
'''

OBVIOUS = '''def smooth(values, width):
    """Return the running mean of values."""
    total = 0
    for value in values:
        total = total + value
    return total / width
'''

LONG = '''def smooth(values, width):
    """Return the running mean of values."""
    padded = [values[0]] * (width // 2) + list(values) + [values[-1]] * (width // 2)
    sums = [sum(padded[:width])]
    for leaving, coming in zip(padded, padded[width:]):
        sums.append(sums[-1] - leaving + coming)
    weights = {k: 1.0 / width if k % 2 else 2.0 / (width + 1) for k in range(len(sums))}
    best = max(sums, key=lambda s: (abs(s - sums[0]) ** 0.5, -s))
    while len(sums) > len(values) and sums[-1] != best:
        sums.pop()
    return [weights[k] * s for k, s in enumerate(sums)][: len(values)]
'''

DISGUISED = '''def smooth(data, n):
    """Return the running mean of values."""
    # I pad the ends first
    p = [data[0]] * (n // 2) \\
        + list(data) + [data[-1]] * (n // 2)

    acc = [sum(p[:n])]
    for old, new in zip(p, p[n:]):   # slide
        acc.append(acc[-1] - old + new)
    w = {i: 1.0 / n if i % 2 else 2.0 / (n + 1) for i in range(len(acc))}
    top = max(acc, key=lambda q: (abs(q - acc[0]) ** 0.5, -q))
    while len(acc) > len(data) and acc[-1] != top:
        acc.pop()
    return [w[i] * q for i, q in enumerate(acc)][: len(data)]
'''


def own_way(draw: random.Random) -> str:
    """A short right answer in one of the ways people have, with names of one's own."""
    total, value = draw.sample(("total", "s", "acc", "res", "v", "x", "item", "number"), 2)
    start = draw.choice(("0", "0.0", "float(0)"))
    add = draw.choice((f"{total} += {value}", f"{total} = {total} + {value}"))
    body = draw.choice(
        (
            f"    {total} = {start}\n    for {value} in values:\n        {add}\n"
            f"    return {total} / width\n",
            f"    {total} = sum(values)\n    return {total} / width\n",
            "    return sum(values) / width\n",
            f"    {total} = {start}\n    for {value} in range(len(values)):\n"
            f"        {total} += values[{value}]\n    return {total} / width\n",
        )
    )
    note = draw.choice(("", "    # add all up\n", "    print(width)\n", "    assert width > 0\n"))
    return f'def smooth(values, width):\n    """Return the running mean of values."""\n{note}{body}'


def compared(sources: dict[str, str], known: tuple[str, ...] = ()) -> Comparison:
    return compare({k: {"smooth": v} for k, v in sources.items()}, {"smooth": STUB}, known)


@pytest.mark.parametrize("others", [4, 20, 60, 400])
def test_a_copy_with_other_names_comments_and_layout_is_the_one_pair_found(others: int) -> None:
    draw = random.Random(others)
    sources = {f"other{n}": own_way(draw) for n in range(others)}
    found = compared({**sources, "ada": LONG, "budi": DISGUISED})
    assert [pair.students for pair in found.pairs] == [("ada", "budi")]
    (pair,) = found.pairs
    assert pair.similarity == 1
    assert pair.exercises == ("smooth",)
    assert pair.same_names is not None
    assert pair.same_names < 0.1  # the name of max's argument `key`
    assert pair.same_comments == 0


@pytest.mark.parametrize("size", [2, 3, 5, 12, 40, 300, 1000])
def test_people_who_all_write_a_short_right_answer_are_never_a_pair(size: int) -> None:
    draw = random.Random(size)
    assert compared({f"s{n}": own_way(draw) for n in range(size)}).pairs == []


@pytest.mark.parametrize("size", [2, 3, 30, 100])
def test_the_same_short_right_answer_is_no_pair(size: int) -> None:
    assert compared({f"s{n}": OBVIOUS for n in range(size)}).pairs == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_right_answers_in_other_styles_are_no_pairs_even_in_a_small_class(assignment: str) -> None:
    course = Course.load(ROOT / "course.yml")
    solution = course.solutions(assignment).read_text(encoding="utf-8")
    for exercise, styles in answers(course.graders(assignment) / "alternatives.py").items():
        assert len(styles) >= 5, exercise
        code = {f"s{number}": {exercise: style} for number, style in enumerate(styles)}
        assert compare(code, {}, known=(solution,)).pairs == [], exercise


def test_what_the_course_knows_is_no_evidence_however_long() -> None:
    assert compared({"ada": LONG, "budi": DISGUISED}).pairs
    assert compared({"ada": LONG, "budi": DISGUISED}, known=(LONG,)).pairs == []


def test_what_many_share_counts_as_usual() -> None:
    draw = random.Random(1)
    sources = {f"s{n}": own_way(draw) for n in range(50)}
    many = {f"m{n}": LONG for n in range(rarity(50) + 1)}
    assert compared({**sources, **many}).pairs == []


def test_the_released_stub_is_no_ones_work() -> None:
    found = compare({"ada": {"f": LONG}, "budi": {"f": LONG}}, {"f": LONG})
    assert found.compared == 0
    assert found.pairs == []


def test_the_same_names_and_comments_are_told() -> None:
    copy = LONG.replace("    sums = [sum", "    # the first window, by hand\n    sums = [sum")
    (pair,) = compared({"ada": copy, "budi": copy}).pairs
    assert pair.same_names == 1
    assert pair.same_comments == 1


def test_a_shared_part_of_answers_that_differ_is_no_pair() -> None:
    draw = random.Random(0)
    lines = [f"    width = [{draw.random()} ** k for k in range({n})]" for n in range(40)]
    parts = "\n".join(lines[:12])
    one, other = ("\n".join(half) for half in (lines[12:26], lines[26:]))
    other = other.replace("[", "sorted(").replace("]", ")").replace("**", "//")
    head = STUB.partition("    #")[0]
    both = {"ada": f"{head}{parts}\n{one}\n", "budi": f"{head}{parts}\n{other}\n"}
    assert compared(both).pairs == []
    assert compared({"ada": both["ada"], "budi": both["ada"]}).pairs != []


def test_code_that_is_not_python_is_compared_too() -> None:
    found = compared({"ada": LONG.replace("):", ")", 1), "budi": DISGUISED.replace("):", ")", 1)})
    assert len(found.pairs) == 1


def test_identical_files_are_told_once_and_not_as_pairs_again() -> None:
    code = {name: {"smooth": LONG} for name in ("ada", "budi", "citra")}
    found = compare(code, {"smooth": STUB}, digests={"ada": "1", "budi": "1", "citra": "2"})
    assert found.identical == [["ada", "budi"]]
    assert [pair.students for pair in found.pairs] == []  # three of three: nothing is unusual
    untouched = {name: {"smooth": STUB} for name in ("ada", "budi")}
    assert compare(untouched, {"smooth": STUB}, digests={"ada": "1", "budi": "1"}).identical == []


def test_planted_copies_in_a_class_are_listed_with_their_code_and_nobody_else(
    classroom: Path,
) -> None:
    course = Course.load(classroom / "course.yml")
    made = simulate(course, 60, assignments=["relu_net"], copies=3, gradebook=False)
    text = report(classroom, "relu_net")
    for copied in made.copied:
        assert f"Code of {copied.students[0]} and {copied.students[1]}" in text
    assert text.count("Code of ") == 3


def test_the_simulated_answers_of_the_course_are_no_pairs(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    simulate(course, 30, copies=0, gradebook=False)
    assert "Code of " not in report(classroom)


def test_students_who_keep_the_stub_share_nothing(classroom: Path) -> None:
    course = Course.load(classroom / "course.yml")
    stubs = released_code(course, "relu_net")
    assert set(stubs) == {"forward", "gradients", "batch_gradients", "numerical_gradient"}
    write_code(course, {"ada": stubs, "budi": stubs})
    text = report(classroom, "relu_net")
    assert "there is nothing to compare" in text
    assert "The same file" not in text
