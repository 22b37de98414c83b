"""docs/graders.md: its blocks are a sound grader, and what it says of inputs is so."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from support import ROOT
from verify.conftest import COURSE, PUBLIC, SOURCE, SmallCourse

PAGE = (ROOT / "docs" / "graders.md").read_text(encoding="utf-8")
BLOCK = re.compile(r'^```python title="(?P<title>[^"]+)"\n(?P<text>.*?)^```$', re.M | re.S)


def renamed(text: str) -> str:
    text = text.replace("small", "slopes").replace("slope(a, x)", "error_slope(y, t)")
    text = re.sub(r"\bslope\b(?!s)", "error_slope", text)
    return text.replace("2 * a * x", "2 * (y - t) / y.numel()")


@pytest.fixture
def slopes(lay_out: Callable[[dict[str, str]], SmallCourse]) -> SmallCourse:
    public = PUBLIC.replace(
        "submission.slope(1.0, 3.0), 6.0", "submission.slope(y, t), 2 * (y - t) / 3"
    )
    public = public.replace("import pytest\n", "import pytest\nimport torch\n")
    public = public.replace("    assert", "    y, t = torch.arange(3.0), torch.ones(3)\n    assert")
    blocks = {match["title"]: match["text"] for match in BLOCK.finditer(PAGE)}
    assert len(blocks) == 3
    return lay_out(
        {
            "course.yml": renamed(COURSE),
            "solutions/slopes/slopes.py": renamed(SOURCE),
            "exercises/slopes/test_slopes.py": renamed(public),
            **blocks,
        }
    )


def test_the_grader_of_the_page_is_sound(slopes: SmallCourse) -> None:
    done = slopes.verify("--notes")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "has 3 right solution(s) in other styles; 8 are good" in done.stdout


def test_with_two_elements_mistakes_cancel(slopes: SmallCourse) -> None:
    path = "graders/slopes/test_error_slope.py"
    slopes.replace(path, "[draw(rng, 5), draw(rng, 3)]", "[draw(rng, 2)]")
    slopes.replace(path, "draw(rng, 4)", "draw(rng, 2)")
    slopes.replace(
        "graders/slopes/misconceptions.py",
        '"sign-flipped": {',
        '"mean-twice": {"en": "Twice.", "id": "Dua kali."},\n        "sign-flipped": {',
    )
    slopes.replace(
        "graders/slopes/misconceptions.py",
        '    if "sign-flipped" in wrong:',
        '    if "mean-twice" in wrong:\n        error = error / error.numel()\n'
        '    if "sign-flipped" in wrong:',
    )

    done = slopes.verify("--no-pairs")

    assert "misconception no-factor-two is diagnosed as no-factor-two + mean-twice" in done.stdout
