"""A written answer reaches the person who grades, wherever in the file it was typed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from autograded.course import Course
from autograded.gradebook.config import database_url
from autograded.submissions.release import release_of
from submissions.conftest import repaired, the_course
from submissions.corpus import Notebook, cell_of, code_cell, place_of, solved, text
from support import command

ANSWER = "It adds, so that micro-batches can share one gradient of the whole batch, as one sum."
RELEASED = "*Write your answer here.*"


def text_cell(source: str, cell_id: str = "own") -> dict[str, Any]:
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": source}


def blank() -> Notebook:
    """Everything solved but the written answer."""
    notebook = solved("pitfalls")
    cell_of(notebook, "explain")["source"] = RELEASED
    return notebook


def below(made: dict[str, Any]) -> Callable[[Notebook], None]:
    return lambda notebook: notebook["cells"].insert(place_of(notebook, "explain") + 1, made)


def above(made: dict[str, Any]) -> Callable[[Notebook], None]:
    return lambda notebook: notebook["cells"].insert(place_of(notebook, "explain"), made)


def under_the_question(notebook: Notebook) -> None:
    cell_of(notebook, "explain-task")["source"] += f"\n\n{ANSWER}"


def inside_the_question(notebook: Notebook) -> None:
    cell = cell_of(notebook, "explain-task")
    cell["source"] = cell["source"].replace("In `fit_slope`", f"{ANSWER}\n\nIn `fit_slope`")


def above_the_closing_text(notebook: Notebook) -> None:
    cell = cell_of(notebook, "hand-in")
    cell["source"] = f"{ANSWER}\n\n{cell['source']}"


def at_the_end_without_the_cell(notebook: Notebook) -> None:
    notebook["cells"].remove(cell_of(notebook, "explain"))
    notebook["cells"].append(text_cell(ANSWER))


def below_a_check(notebook: Notebook) -> None:
    cell_of(notebook, "loss_curve-check")["source"] += f"\n\n# {ANSWER}"


def at_the_top(notebook: Notebook) -> None:
    notebook["cells"].insert(0, text_cell(ANSWER))


def in_two_cells(notebook: Notebook) -> None:
    first, second = ANSWER.split(", so ")
    below(text_cell(f"so {second}", "two"))(notebook)
    below(text_cell(first))(notebook)


PLACES: dict[str, Callable[[Notebook], None]] = {
    "a text cell below": below(text_cell(ANSWER)),
    "a text cell above": above(text_cell(ANSWER)),
    "a comment below": below(code_cell(f"# {ANSWER}")),
    "text in a code cell": below(code_cell(ANSWER)),
    "a string": below(code_cell(f'"""\n{ANSWER}\n"""')),
    "a printed string": below(code_cell(f'print("{ANSWER}")')),
    "a named string": below(code_cell(f'answer = "{ANSWER}"')),
    "a comment with code": below(code_cell(f"# {ANSWER}\nx = 1")),
    "under the question": under_the_question,
    "inside the question": inside_the_question,
    "above the closing text": above_the_closing_text,
    "at the end, without the cell": at_the_end_without_the_cell,
    "at the top": at_the_top,
    "below a check": below_a_check,
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("keep_ids", [True, False], ids=["as saved", "without ids"])
def test_an_answer_outside_of_its_cell_is_put_there(place: str, keep_ids: bool) -> None:
    notebook = blank()
    PLACES[place](notebook)
    if not keep_ids:
        for cell in notebook["cells"]:
            cell["metadata"] = {}
            del cell["id"]
    done = repaired(text(notebook).encode(), "pitfalls")
    found = cell_of(done.notebook, "explain")["source"]
    assert ANSWER in found
    assert "A person reads this answer." not in found
    if keep_ids:
        assert {one.id for one in done.repairs} & {"answer-elsewhere", "answer-unclear"}
    again = repaired(json.dumps(done.notebook).encode(), "pitfalls")
    assert (again.repairs, again.notebook) == ([], done.notebook)


def test_an_answer_in_two_cells_keeps_its_order() -> None:
    notebook = blank()
    in_two_cells(notebook)
    done = repaired(text(notebook).encode(), "pitfalls")
    assert cell_of(done.notebook, "explain")["source"] == ANSWER.replace(", so ", "\n\nso ")
    assert not [cell for cell in done.notebook["cells"] if cell["id"] in ("own", "two")]


def test_pictures_come_along() -> None:
    notebook = blank()
    picture = {"drawn.png": {"image/png": "iVBORw0KGgo="}}
    below({**text_cell("![drawn](attachment:drawn.png)"), "attachments": picture})(notebook)
    done = repaired(text(notebook).encode(), "pitfalls")
    assert cell_of(done.notebook, "explain")["attachments"] == picture


NO_ANSWERS: dict[str, Callable[[Notebook], None]] = {
    "nothing": lambda notebook: None,
    "a short note elsewhere": lambda notebook: notebook["cells"].insert(
        3, text_cell("Ask about this in class!")
    ),
    "code": below(code_cell("x = torch.ones(3)\nprint(x)  # what is it?")),
    "code that fails to parse": below(code_cell("x = = 1")),
    "code in a text cell": below(text_cell("x = torch.ones(3)\ny = x + 1")),
    "code that was commented out": below(code_cell("# x = torch.ones(3)\n# y = x + 1")),
    "a long comment in code elsewhere": lambda notebook: notebook["cells"].insert(
        3, code_cell(f"# {ANSWER}\nx = 1")
    ),
    "a copy of the course's text": lambda notebook: notebook["cells"].append(
        text_cell(cell_of(notebook, "intro-text-2")["source"])
    ),
    "the course's text, a word of it changed": lambda notebook: cell_of(
        notebook, "intro-text-2"
    ).update(source=cell_of(notebook, "intro-text-2")["source"].replace("does not", "doesn't")),
    "the question, a word of it changed": lambda notebook: cell_of(notebook, "explain-task").update(
        source=cell_of(notebook, "explain-task")["source"].replace("ten", "twelve")
    ),
    "another task, a word of it changed": lambda notebook: cell_of(
        notebook, "loss_curve-task"
    ).update(source=cell_of(notebook, "loss_curve-task")["source"].replace(" the ", " that ")),
    "the cell deleted": lambda notebook: notebook["cells"].remove(cell_of(notebook, "explain")),
    "the cell deleted, a name at the top": lambda notebook: (
        notebook["cells"].remove(cell_of(notebook, "explain")),
        notebook["cells"].insert(0, text_cell("Ada Lovelace")),
    )[0],
}


@pytest.mark.parametrize("kind", NO_ANSWERS)
def test_what_is_no_answer_asks_for_no_person(kind: str) -> None:
    notebook = blank()
    NO_ANSWERS[kind](notebook)
    done = repaired(text(notebook).encode(), "pitfalls")
    assert cell_of(done.notebook, "explain")["source"] == RELEASED


def test_a_python_file_of_functions_with_comments_asks_for_no_person() -> None:
    notebook = solved("pitfalls")
    names = ("fit_slope", "slope_at", "loss_curve")
    sources = [f"# the loop was wrong here\n\n{cell_of(notebook, n)['source']}" for n in names]
    content = "\n\n\n".join(["import torch", *sources, "# that is all of it"]).encode()
    done = repaired(content, "pitfalls", "pitfalls.py")
    assert cell_of(done.notebook, "explain")["source"] == RELEASED


def test_an_untouched_release_asks_for_no_person_in_any_form() -> None:
    release = release_of(the_course(), "pitfalls")
    for keep_ids in (True, False):
        notebook = json.loads(json.dumps(release))
        for cell in notebook["cells"]:
            if not keep_ids:
                del cell["id"]
                cell["metadata"] = {}
        done = repaired(text(notebook).encode(), "pitfalls")
        assert cell_of(done.notebook, "explain")["source"] == RELEASED


@pytest.mark.parametrize("way", [("nbgrader", "autograde"), ("autograded", "grade")], ids=" ".join)
def test_a_person_is_asked_for_what_was_written_and_for_nothing_else(
    classroom: Path, way: tuple[str, str]
) -> None:
    for student, write in (("ada", PLACES["a comment below"]), ("budi", NO_ANSWERS["nothing"])):
        notebook = blank()
        write(notebook)
        folder = classroom / "classroom" / "submitted" / student / "pitfalls"
        folder.mkdir(parents=True)
        (folder / "pitfalls.ipynb").write_text(text(notebook))
    done = command(*way, "pitfalls", cwd=classroom)
    assert done.returncode == 0, done.stderr[-3000:]
    with Gradebook(database_url(Course.load(classroom / "course.yml"))) as gradebook:
        waits = {
            student: gradebook.find_grade(
                "explain", "pitfalls", "pitfalls", student
            ).needs_manual_grade
            for student in ("ada", "budi")
        }
    assert waits == {"ada": True, "budi": False}
