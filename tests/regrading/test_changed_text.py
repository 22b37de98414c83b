"""A release that is made again with other words: work handed in before is graded as it was."""

from __future__ import annotations

import json
from pathlib import Path

from support import command
from test_instructor import hand_in, scores

NAME = "relu_net"


def run(*arguments: str, cwd: Path) -> str:
    done = command(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def change_text(course: Path) -> list[str]:
    """Add a word to the first line of every text; returns whose tasks were changed."""
    path = course / "solutions" / NAME / f"{NAME}.py"
    lines, tasks, text = [], [], False
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if text and line.strip() and line != "#\n" and not line.startswith("# #"):
            line = line.rstrip("\n") + " Mended.\n"
            text = False
        if line.startswith("# %%"):
            text = "[markdown]" in line
            if 'task="' in line and 'lang="en"' in line:
                tasks.append(line.split('task="')[1].split('"')[0])
        lines.append(line)
    path.write_text("".join(lines), encoding="utf-8")
    return tasks


def test_work_handed_in_before_keeps_full_marks(classroom: Path) -> None:
    submitted = hand_in(classroom, NAME, "ada", "perfect")
    release = classroom / "classroom" / "release" / NAME / f"{NAME}.ipynb"
    tasks = change_text(classroom)
    before = release.read_text(encoding="utf-8")

    run("autograded", "grade", NAME, cwd=classroom)
    run("autograded", "build", NAME, cwd=classroom)
    assert release.read_text(encoding="utf-8").count("Mended.") > len(tasks) > 0
    assert "Mended." not in before + submitted.read_text(encoding="utf-8")

    assert "(0 known already)" in run("autograded", "grade", NAME, cwd=classroom)
    bulk = scores(classroom)
    kept = classroom / "classroom" / "results" / NAME / "ada.json"
    result = json.loads(kept.read_text(encoding="utf-8"))
    assert result["score"] == 10
    assert [repair["id"] for repair in result["repairs"]] == ["locked-changed"]
    named = result["repairs"][0]["message"].rpartition(": ")[2].rstrip(".").split(", ")
    assert named == [f"{task}-task" for task in tasks]
    run("nbgrader", "autograde", NAME, "--force", cwd=classroom)
    assert scores(classroom) == bulk


def test_nbgraders_update_changes_nothing(classroom: Path) -> None:
    submitted = hand_in(classroom, NAME, "ada", "perfect")
    run("nbgrader", "update", "classroom/release", cwd=classroom)
    run("nbgrader", "update", str(submitted), cwd=classroom)

    run("autograded", "grade", NAME, cwd=classroom)

    kept = classroom / "classroom" / "results" / NAME / "ada.json"
    result = json.loads(kept.read_text(encoding="utf-8"))
    assert (result["score"], result["repairs"]) == (10, [])


def test_an_exercise_that_has_grades_is_not_taken_away(classroom: Path) -> None:
    hand_in(classroom, NAME, "ada", "perfect")
    run("autograded", "grade", NAME, cwd=classroom)
    before = scores(classroom)
    release = classroom / "classroom" / "release" / NAME / f"{NAME}.ipynb"
    text = release.read_text(encoding="utf-8")
    source = classroom / "solutions" / NAME / f"{NAME}.py"
    code = source.read_text(encoding="utf-8")
    head, marker, _tail = code.partition('# %% [markdown] task="numerical_gradient" lang="en"')
    assert marker
    source.write_text(head, encoding="utf-8")
    course = classroom / "course.yml"
    lines = course.read_text(encoding="utf-8").splitlines(keepends=True)
    lines = [line for line in lines if "numerical_gradient:" not in line]
    course.write_text("".join(lines).replace("points: 10", "points: 8", 1), encoding="utf-8")

    done = command("autograded", "build", NAME, cwd=classroom)

    assert done.returncode == 2
    assert "numerical_gradient-check" in done.stderr
    assert "grades hang on them" in done.stderr
    assert release.read_text(encoding="utf-8") == text
    assert scores(classroom) == before
