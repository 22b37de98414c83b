"""A made-up class as grading leaves it: result documents, records, notebooks, gradebook rows.

For tests and benchmarks: thousands of results in seconds, without running any code. Students have
an ability, exercises a difficulty, and two checks of each assignment are odd; code is drawn from
the course's known answers, with names, comments and small habits of one's own.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from autograded.course import Course, Exercise
from autograded.gradebook.config import course_id, database_url
from autograded.gradebook.store import Record, Store
from autograded.i18n import use
from autograded.reports.teaching import explanations

DUE = datetime(2026, 3, 1, 12)  # as the gradebook has it: UTC, without time zone

_GIVEN_NAMES = "Ada Budi Citra Dewi Emmy Fitri Gita Hadi Indah Joko Maya Noor".split()
_FAMILY_NAMES = "Lovelace Santoso Wijaya Lestari Pratama Noether Siregar Utami".split()
_LOCALS = "a b c tmp value out res grad_y upstream delta dz acc total step piece part".split()
_REMARKS = (
    "the chain rule",
    "from the lecture",
    "see the second slide of week three",
    "this took me a while",
    "shape is (n, k) here",
    "no idea why it needs this, but it does",
)
_HABITS = (
    "    assert True, 'reached'",
    "    print('done') if False else None",
    "    scale = float(1)",
    "    _ = None",
    "    count = len(locals())",
)


@dataclass(frozen=True)
class Copied:
    """Two students, the second of whom handed in the first one's code with other names."""

    assignment: str
    students: tuple[str, str]


@dataclass
class Simulated:
    """What was made.

    Attributes:
        students: their ids.
        copied: the pairs that were planted.
        submissions: how many were made.
    """

    students: list[str]
    copied: list[Copied] = field(default_factory=list)
    submissions: int = 0


def simulate(
    course: Course,
    students: int,
    *,
    assignments: Iterable[str] = (),
    seed: int = 0,
    copies: int = 2,
    gradebook: bool = True,
) -> Simulated:
    """Make a class in `course.classroom`, whose release and gradebook must be there.

    Args:
        course: the course; what its classroom holds of these assignments is added to.
        students: size of the class.
        assignments: all by default.
        seed: the same seed makes the same class.
        copies: pairs with copied code to plant in each assignment.
        gradebook: whether to write students, times and scores into the gradebook, too.
    """
    draw = random.Random(seed)
    made = Simulated([f"s{number:04}" for number in range(students)])
    ability = {student: draw.gauss(0, 1) for student in made.students}
    for name in assignments or course.assignments:
        maker = _Maker(course, name, draw)
        records = {
            student: maker.record(ability[student])
            for student in made.students
            if draw.random() > 0.05
        }
        there = list(records)
        for _copy in range(copies if len(there) >= 2 * copies else 0):
            first, second = there.pop(), there.pop()
            records[first], records[second] = maker.copied(ability[first])
            made.copied.append(Copied(name, (min(first, second), max(first, second))))
        _write(course, name, records)
        if gradebook:
            _record(course, name, made.students, records, draw)
        made.submissions += len(records)
    return made


def _write(course: Course, name: str, records: dict[str, Record]) -> None:
    with Store(course.classroom / "results", name) as store:
        keys = []
        for student, record in records.items():
            key = hashlib.sha256(f"{student}/{record.notebook}".encode()).hexdigest()
            store.put(key, record)
            store.document(student, record.result)
            keys.append((student, key))
            folder = course.classroom / "submitted" / student / name
            folder.mkdir(parents=True, exist_ok=True)
        store.mark_recorded(keys)


def _record(
    course: Course,
    name: str,
    students: Iterable[str],
    records: dict[str, Record],
    draw: random.Random,
) -> None:
    from nbgrader.api import Gradebook

    from autograded.gradebook.rows import Entry, GradebookRows

    with Gradebook(database_url(course), course_id(course)) as gradebook:
        gradebook.update_or_create_assignment(name, duedate=DUE)
        known = {student.id for student in gradebook.students}
        for student in students:
            if student not in known:
                gradebook.add_student(
                    student,
                    first_name=draw.choice(_GIVEN_NAMES),
                    last_name=draw.choice(_FAMILY_NAMES),
                )
    entries = [
        Entry(student, DUE + timedelta(hours=draw.gauss(-30, 20)), record.scores, {})
        for student, record in records.items()
    ]
    with GradebookRows(database_url(course), course_id(course), name) as rows:
        rows.write(entries, lambda _student, score, seconds: min(score, seconds / 36000))


class _Maker:
    """Makes records of one assignment."""

    def __init__(self, course: Course, name: str, draw: random.Random) -> None:
        self._course, self._name, self._draw = course, name, draw
        self._assignment = course.assignment(name)
        release = course.classroom / "release" / name / f"{name}.ipynb"
        self._release = release.read_text(encoding="utf-8")
        self._answers = answers(course.graders(name) / "alternatives.py")
        with use(course.language):
            self._wrong = explanations(course, name)
        self._checks = {e.id: _checks(course, name, e) for e in self._assignment.checked}
        self._hardness = {e.id: 0.7 * (e.difficulty - 2) for e in self._assignment.checked}
        self._helper = 0

    def record(self, ability: float) -> Record:
        """One student's work."""
        code = {e.name: self._code(e) for e in self._assignment.checked}
        return self._made(ability, code)

    def copied(self, ability: float) -> tuple[Record, Record]:
        """Two students' work that is the same but for names, comments and layout."""
        code = {
            e.name: f"{self._peculiar()}\n\n\n{self._code(e)}" for e in self._assignment.checked
        }
        again = {name: self._disguised(source) for name, source in code.items()}
        return self._made(ability, code), self._made(ability, again)

    def _made(self, ability: float, code: dict[str, str]) -> Record:
        draw = self._draw
        exercises: list[dict[str, Any]] = []
        for exercise in self._assignment.checked:
            mood = ability - self._hardness[exercise.id] + draw.gauss(0.8, 1)
            checks: list[dict[str, Any]] = []
            for check, title, weight in self._checks[exercise.id]:
                passed = draw.random() < 0.5 * (
                    1 + math.tanh(1.5 * self._mood(exercise, check, mood))
                )
                message = "" if passed else f"called {exercise.name}(…)\nreturned {draw.random()}"
                checks.append(
                    {
                        "id": check,
                        "title": title,
                        "passed": passed,
                        "weight": weight,
                        "message": message,
                        "parts": {} if passed else {"problem": message},
                    }
                )
            total = sum(check["weight"] for check in checks)
            share = sum(check["weight"] for check in checks if check["passed"]) / total
            known = [wrong for of, wrong in self._wrong if of == exercise.id]
            diagnosis = []
            if share < 1 and known and draw.random() < 0.6:
                wrong = known[min(int(draw.expovariate(0.5)), len(known) - 1)]
                text = self._wrong[exercise.id, wrong]
                diagnosis = [{"misconception": wrong, "message": text, "idea": exercise.idea}]
            exercises.append(
                {
                    "id": exercise.id,
                    "score": round(exercise.points * share, 4),
                    "max_score": exercise.points,
                    "checks": checks,
                    "diagnosis": diagnosis,
                }
            )
        notebook = self._notebook(code, exercises)
        result = {
            "schema": "autograded/1",
            "assignment": self._name,
            "student": None,
            "score": round(sum(e["score"] for e in exercises), 4),
            "max_score": self._assignment.points,
            "exercises": exercises,
            "written": [{"id": e.id, "max_score": e.points} for e in self._assignment.written],
            "flags": self._flags(),
            "repairs": self._repairs(),
            "problem": None,
            "submission_sha256": hashlib.sha256(notebook.encode()).hexdigest(),
            "sandbox": "bubblewrap",
        }
        scores: dict[str, float | None] = {
            f"{e.name}-check": made["score"]
            for e, made in zip(self._assignment.checked, exercises, strict=True)
        }
        scores |= {e.name: None for e in self._assignment.written}
        seconds = {"execute": draw.expovariate(20), "check": 0.02 + draw.expovariate(15)}
        return Record(result, notebook, scores, {}, seconds)

    def _mood(self, exercise: Exercise, check: str, mood: float) -> float:
        """How likely a check is to pass; the first exercise has two that are not right."""
        if exercise is not self._assignment.checked[0]:
            return mood
        place = [name for name, _title, _weight in self._checks[exercise.id]].index(check)
        if place == 0:
            return math.inf  # everybody passes it
        return 1 - 2 * mood if place == 1 else mood  # who can do the rest fails it

    def _flags(self) -> list[dict[str, str]]:
        if self._draw.random() > 0.02:
            return []
        message = "backward() stands in a function that is to be worked out by hand."
        return [{"kind": "autograd-in-by-hand-exercise", "message": message}]

    def _repairs(self) -> list[dict[str, str]]:
        if self._draw.random() > 0.1:
            return []
        message = "nbgrader's metadata was missing or changed; it is put back: 14 cells."
        return [{"id": "metadata", "message": message}]

    def _notebook(self, code: dict[str, str], exercises: list[dict[str, Any]]) -> str:
        notebook = json.loads(self._release)
        results = {f"{made['id'].partition('.')[2]}-check": made for made in exercises}
        for cell in notebook["cells"]:
            known = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if known in code:
                cell["source"] = code[known]
            elif known in results:
                html = "".join(f"<div>{check}</div>" for check in results[known]["checks"])
                data = {"text/html": html, "text/plain": html}
                cell["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]
        return json.dumps(notebook, indent=1, ensure_ascii=False)

    def _code(self, exercise: Exercise) -> str:
        """A known answer in somebody's hand: own names, a habit, a remark."""
        source = self._draw.choice(self._answers[exercise.id])
        if self._draw.random() < 0.3:
            first, _newline, rest = source.partition("\n")
            source = "\n".join([first, self._draw.choice(_HABITS), rest])
        return self._disguised(source)

    def _disguised(self, source: str) -> str:
        """The same program with other names and other remarks."""
        tree = ast.parse(source)
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        own = sorted({node.id for node in names if isinstance(node.ctx, ast.Store)})
        draw = self._draw
        new = {name: f"{draw.choice(_LOCALS)}_{draw.randrange(100)}" for name in own}
        for node in names:
            node.id = new.get(node.id, node.id)
        lines = ast.unparse(tree).split("\n")
        lines.insert(draw.randrange(1, len(lines) + 1), f"    # {draw.choice(_REMARKS)}")
        return "\n".join(lines)

    def _peculiar(self) -> str:
        """A helper that nobody else would write the same way."""
        draw = self._draw
        self._helper += 1
        lines = [f"def helper_{self._helper}(first, second):"]
        for _line in range(12):
            operator, other = draw.choice("+-*/%"), draw.choice(("max", "min", "pow", "divmod"))
            lines.append(
                f"    first = {other}(first {operator} {draw.randrange(1000)}, second)"
                f"[{draw.randrange(1000)}]"
            )
        return "\n".join([*lines, "    return first, second"])


def answers(path: Path) -> dict[str, list[str]]:
    """The sources of an assignment's alternatives, by exercise, named as the exercise is."""
    found: dict[str, list[str]] = {}
    for node in ast.parse(path.read_bytes()).body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "alternative":
                exercise = ast.literal_eval(decorator.args[0])
                assert isinstance(node, ast.FunctionDef)
                node.decorator_list, node.name = [], exercise.partition(".")[2]
                found.setdefault(exercise, []).append(ast.unparse(node))
    return found


def _checks(course: Course, assignment: str, exercise: Exercise) -> list[tuple[str, str, float]]:
    """The hidden checks of an exercise: (id, title, weight)."""
    path = course.graders(assignment) / f"test_{exercise.name}.py"
    found = []
    for node in ast.parse(path.read_bytes()).body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith(".check"):
                marks = {k.arg: ast.literal_eval(k.value) for k in decorator.keywords}
                assert isinstance(node, ast.FunctionDef)
                weight = float(marks.get("weight", 1))
                found.append((node.name, marks[course.language], weight))
    return found
