from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from autograded.authoring.source import Source
from autograded.errors import CourseError

if TYPE_CHECKING:
    from authoring.conftest import SmallCourse


def line_of(text: str, needle: str, nth: int = 1) -> int:
    """The line (1-based) of the nth line of `text` that begins with `needle`."""
    found = [n for n, line in enumerate(text.splitlines(), 1) if line.startswith(needle)]
    return found[nth - 1]


def test_cells_are_typed_and_know_their_line(small: SmallCourse) -> None:
    source = Source.load(small.load(), "small")
    kinds = [cell.kind for cell in source.in_language("id")]
    assert kinds == [
        *("prose", "code", "figure", "task", "hint", "hint", "hint"),
        *("exercise", "check", "task", "answer"),
    ]
    exercise = next(cell for cell in source.cells if cell.kind == "exercise")
    assert exercise.key == "double"
    assert exercise.line == line_of(small.SOURCE, "# %% exercise")
    assert exercise.text.startswith("def double(x):")
    assert source.hints("double", "id") == ["Pertama.", "Kedua.", "Ketiga."]


def test_a_yaml_header_is_no_cell(small: SmallCourse) -> None:
    header = "# ---\n# jupyter:\n#   jupytext:\n#     formats: ipynb,py:percent\n# ---\n\n"
    small.source.write_text(header + small.SOURCE, encoding="utf-8")
    first = Source.load(small.load(), "small").cells[0]
    assert (first.kind, first.line) == ("prose", 7)


FAULTS = {
    "unknown key": (
        ('# %% exercise="double"', '# %% exercize="double"'),
        ("# %% exercise", 1),
        "unknown key 'exercize': a code cell may have figure, exercise, check",
    ),
    "unknown cell type": (
        ('# %% [markdown] lang="id"\n# # Kecil', '# %% [markdwon] lang="id"\n# # Kecil'),
        ("# %% [markdown]", 2),
        "unknown cell type or title '[markdwon]'",
    ),
    "unknown exercise": (
        ('# %% check="double"', '# %% check="triple"'),
        ("# %% check", 1),
        "course.yml has no exercise small.triple",
    ),
    "two kinds at once": (
        ('# %% exercise="double"', '# %% exercise="double" figure="x"'),
        ("# %% exercise", 1),
        "a cell is one thing, not figure and exercise",
    ),
    "no quotes": (
        ('# %% exercise="double"', "# %% exercise=1"),
        ("# %% exercise", 1),
        "exercise=1 is not a name",
    ),
    "no language": (
        ('# %% [markdown] lang="en"', "# %% [markdown]"),
        ("# %% [markdown]", 1),
        'add lang="en" or lang="id"',
    ),
    "unknown language": (
        ('# %% [markdown] lang="id"', '# %% [markdown] lang="fr"'),
        ("# %% [markdown]", 2),
        'add lang="en" or lang="id"',
    ),
    "a twin is missing": (
        ('# %% [markdown] hint="double" lang="id"\n# Kedua.\n', ""),
        ('# %% [markdown] hint="double" lang="en"', 2),
        'write `# %% [markdown] hint="double" lang="id"` right after it',
    ),
    "a twin is of another kind": (
        ('# %% [markdown] task="double" lang="id"', '# %% [markdown] hint="double" lang="id"'),
        ('# %% [markdown] task="double"', 1),
        "has no twin",
    ),
    "twins in the wrong order": (
        ('# %% [markdown] lang="en"\n# # Small\n\n', ""),
        None,
        'write the lang="en" cell right before it',
    ),
    "a cell stands twice": (
        ('# %% check="double"', '# %% figure="line"\n1\n\n# %% check="double"'),
        ("# %% check", 1),
        'figure="line" stands twice (first in line 10)',
    ),
    "solution markers are missing": (
        ("    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION\n", "    return 2 * x\n"),
        ("def double", 1),
        "no solution markers",
    ),
    "no end of the solution": (
        ("    ### END SOLUTION\n", ""),
        ("    ### BEGIN", 1),
        "BEGIN SOLUTION without an END SOLUTION",
    ),
    "a solution in a shared cell": (
        ("import math", "import math\n### BEGIN SOLUTION\n### END SOLUTION"),
        ("# %%", 3),
        "only exercise cells may hold BEGIN SOLUTION",
    ),
    "the function has another name": (
        ("def double(x):", "def triple(x):"),
        ("# %% exercise", 1),
        "must define a function double",
    ),
    "the function is gone in the stub": (
        ("def double(x):\n    ### BEGIN SOLUTION\n", "### BEGIN SOLUTION\ndef double(x):\n"),
        ("# %% exercise", 1),
        "the stub must define a function double",
    ),
    "syntax error": (
        ("    return 2 * x", "    return 2 *"),
        ("    return 2", 1),
        "the exercise double is not valid Python",
    ),
    "two hints only": (
        (
            '# %% [markdown] hint="double" lang="en"\n# Third.\n\n'
            '# %% [markdown] hint="double" lang="id"\n# Ketiga.\n',
            "",
        ),
        None,
        "small.double has 2 hints: give it at least 3",
    ),
    "no check cell": (
        ('# %% check="double"\ncheck("small.double")\n', ""),
        ("# %% exercise", 1),
        "has no check cell",
    ),
    "another check": (
        ('check("small.double")', 'check("small.double");'),
        ("check(", 1),
        'must be exactly `check("small.double")`',
    ),
    "no task": (
        (
            '# %% [markdown] task="why" lang="en"\n# Why?\n\n'
            '# %% [markdown] task="why" lang="id"\n# Mengapa?\n',
            "",
        ),
        None,
        "small.why has no task",
    ),
    "not a title first": (
        ("", "# %%\nimport math\n\n"),
        None,
        "the first cell must be the title",
    ),
    "text before the first cell": (
        ("", "import math\n\n"),
        None,
        "text stands before the first cell",
    ),
    "a marker in a string": (
        ("    return 2 * x", '    """\n# %% no cell\n    """\n    return 2 * x'),
        None,
        "begins with `# %%`",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_sentence_with_file_and_line(small: SmallCourse, fault: str) -> None:
    (old, new), place, sentence = FAULTS[fault]
    small.edit(old, new)
    with pytest.raises(CourseError) as caught:
        Source.load(small.load(), "small")
    message = str(caught.value)
    assert sentence in message
    assert "\n" not in message
    found = re.match(rf"{re.escape(str(small.source))}:(\d+): ", message)
    assert found
    if place is not None:
        assert int(found[1]) == line_of(small.SOURCE, *place)


def test_a_header_that_is_none_is_a_fault(small: SmallCourse) -> None:
    header = "# ---\n# jupyter:\n#   kernelspec:\n#     name: python3\n# ---\n\n"
    small.source.write_text(header + small.SOURCE, encoding="utf-8")
    with pytest.raises(CourseError, match=r"small\.py:1: .*header.*'display_name'"):
        Source.load(small.load(), "small")


def test_an_exercise_without_a_cell_is_named_where_course_yml_has_it(small: SmallCourse) -> None:
    why = "      why: {points"
    small.edit(
        why,
        "      third: {points: 1, difficulty: 1, minutes: 1, idea: sums}\n" + why,
        small.root / "course.yml",
    )
    small.edit("points: 2\n", "points: 3\n", small.root / "course.yml")
    with pytest.raises(CourseError) as caught:
        Source.load(small.load(), "small")
    assert str(caught.value).startswith(
        f"{small.root / 'course.yml'}:{line_of(small.COURSE, why)}: "
    )
    assert '`# %% exercise="third"`' in str(caught.value)


def test_the_order_of_course_yml_is_the_order_of_the_source(small: SmallCourse) -> None:
    double = "      double: {points: 2, difficulty: 1, minutes: 5, idea: sums}\n"
    small.edit(double, "", small.root / "course.yml")
    with (small.root / "course.yml").open("a", encoding="utf-8") as file:
        file.write(double)
    with pytest.raises(CourseError, match=r"double stands where course\.yml has why"):
        Source.load(small.load(), "small")


def test_an_exercise_graded_by_a_person_has_no_check(small: SmallCourse) -> None:
    small.edit(", graded_by: person", "", small.root / "course.yml")
    small.edit("points: 2\n", "points: 3\n", small.root / "course.yml")
    with pytest.raises(CourseError, match=r"small.why has no cell"):
        Source.load(small.load(), "small")


def test_a_missing_source_is_named(small: SmallCourse) -> None:
    small.source.unlink()
    with pytest.raises(CourseError, match=r"course.yml:7: assignment small has no source: write"):
        Source.load(small.load(), "small")
