"""docs/authoring.md, followed to the letter: its blocks are the files of a fifth assignment."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from autograded.authoring.build import build, drift
from autograded.course import Course

PAGE = Path(__file__).parents[2] / "docs" / "authoring.md"
BLOCK = re.compile(
    r'^(?P<fence>`{3,})\w+ title="(?P<title>[^"]+)"\n(?P<text>.*?)^(?P=fence)$', re.M | re.S
)


@pytest.fixture
def course(real_course: Course) -> Course:
    """The course with the page's blocks put where their titles say."""
    blocks = {found["title"]: found["text"] for found in BLOCK.finditer(PAGE.read_text("utf-8"))}
    text = real_course.file.read_text("utf-8")
    text = text.replace("\nideas:\n", "\nideas:\n" + blocks.pop("course.yml, ideas"))
    text += "\n" + blocks.pop("course.yml, assignments")
    real_course.file.write_text(text, "utf-8")
    for title, content in blocks.items():
        path = real_course.root / title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return Course.load(real_course.file)


def test_it_is_built_like_the_others(course: Course) -> None:
    (built,) = build(course, assignments=["curvature"])
    assert built.release is not None
    release = nbformat.read(built.release / "curvature.ipynb", 4)
    ids = [cell.id for cell in release.cells]
    assert ids[-4:] == [
        *("second_derivative-hints", "second_derivative", "second_derivative-check", "hand-in")
    ]
    assert "raise NotImplementedError()" in release.cells[-3].source
    assert drift(course, ["curvature"]) == []


def submit(course: Course, student: str, change: tuple[str, str] | None = None) -> None:
    """Hand in what is in classroom/source (the solution), or a changed release."""
    folder = "source" if change is None else "release"
    notebook = (course.classroom / folder / "curvature" / "curvature.ipynb").read_text("utf-8")
    if change is not None:
        assert change[0] in notebook
        notebook = notebook.replace(*change)
    submitted = course.classroom / "submitted" / student / "curvature"
    submitted.mkdir(parents=True)
    (submitted / "curvature.ipynb").write_text(notebook, "utf-8")


SLOPE = (
    'raise NotImplementedError()"',
    'leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)\\n",\n'
    '    "    return torch.autograd.grad(f(leaf), leaf)[0]"',
)


def test_it_is_graded_like_the_others(course: Course) -> None:
    from nbgrader.api import Gradebook
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    from autograded.gradebook.config import configure, database_url

    build(course, assignments=["curvature"])
    submit(course, "right")
    submit(course, "untouched", ("Curvature", "Curvature"))
    submit(course, "slope", SLOPE)
    config = Config()
    configure(config, course.root)
    api = NbGraderAPI(config=config)
    scores = {}
    for student in ("right", "untouched", "slope"):
        result = api.autograde("curvature", student)
        assert result["success"], result.get("log")
    with Gradebook(database_url(course)) as gradebook:
        for student in ("right", "untouched", "slope"):
            scores[student] = gradebook.find_submission("curvature", student).score
    assert scores == {"right": 4, "untouched": 0, "slope": 0}
    graded = course.classroom / "autograded" / "slope" / "curvature" / "curvature.ipynb"
    assert "The curvature is the slope of the slope." in graded.read_text("utf-8")
