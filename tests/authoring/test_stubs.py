from __future__ import annotations

import pytest

from autograded.authoring.stubs import StubError, marks_solution, stub

CODE = """\
def f(x):
    \"\"\"Doc.\"\"\"
    ### BEGIN SOLUTION
    if x:
        return 1
    return 2
    ### END SOLUTION
"""


def test_a_solution_becomes_a_function_that_is_not_written() -> None:
    assert stub(CODE) == (
        'def f(x):\n    """Doc."""\n    # YOUR CODE HERE\n    raise NotImplementedError()\n'
    )


def test_every_region_is_replaced_at_its_own_indentation() -> None:
    code = (
        "class A:\n    def f(self):\n        ### BEGIN SOLUTION\n        return 1\n"
        "        ### END SOLUTION\n\n\ndef g():\n    ### BEGIN SOLUTION\n    return 2\n"
        "    ### END SOLUTION\n"
    )
    assert stub(code).count("        raise NotImplementedError()") == 1
    assert stub(code).count("raise NotImplementedError()") == 2


def test_what_stands_after_instead_is_what_the_student_gets() -> None:
    code = (
        "def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### INSTEAD\n"
        "    # if x:\n    #     return -x  # why?\n    #\n\n    # return x\n    ### END SOLUTION\n"
    )
    assert stub(code) == "def f(x):\n    if x:\n        return -x  # why?\n\n\n    return x\n"


@pytest.mark.parametrize(
    ("code", "line", "sentence"),
    [
        ("x = 1", 1, "no solution markers"),
        ("### BEGIN SOLUTION\nx = 1", 1, "without an END"),
        ("x = 1\n### END SOLUTION", 2, "without a BEGIN"),
        ("### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION", 2, "inside the one of line 1"),
        ("## BEGIN SOLUTION\nx = 1\n### END SOLUTION", 1, "write the marker"),
        ("### BEGIN SOLUTION\nx = 1\n### END SOLUTION here", 3, "write the marker"),
        ("### INSTEAD\n### BEGIN SOLUTION\n### END SOLUTION", 1, "INSTEAD outside"),
        ("### BEGIN SOLUTION\n### INSTEAD\n### INSTEAD\n### END SOLUTION", 3, "a second INSTEAD"),
        ("### BEGIN SOLUTION\n### INSTEAD\nx = 1\n### END SOLUTION", 3, "commented with"),
        ("  ### BEGIN SOLUTION\n  ### INSTEAD\n# x\n  ### END SOLUTION", 3, "commented with"),
    ],
)
def test_markers_that_do_not_pair_are_refused(code: str, line: int, sentence: str) -> None:
    with pytest.raises(StubError, match=sentence) as caught:
        stub(code)
    assert caught.value.line == line


def test_a_misspelt_marker_still_counts_as_a_solution() -> None:
    assert marks_solution("# BEGIN SOLUTION of the day")
    assert not marks_solution("the solution begins here")
