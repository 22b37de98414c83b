"""Mutates the solutions with cosmic-ray and grades every mutant with the hidden checks.

Each mutant is a submission: it runs confined, in a batch, like the work of a class. Exit status 1
when a mutant passes every check of its exercise and equivalent.toml does not say why it may.

    python tests/mutation/mutants.py            every mutant; rewrites report.md
    python tests/mutation/mutants.py --quick    one mutant in five, for every push
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from operators import OPERATORS

from autograded.authoring.source import Cell, Source
from autograded.course import Course
from autograded.grading.run import run_checks
from autograded.grading.session import shared_sandbox
from autograded.grading.submission import Caller
from autograded.sandbox.client import Sandbox
from autograded.sandbox.program import CodeCell, Program
from autograded.submissions import percent

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SEED = "mutants"
BATCH = 40
ONE_IN = 5


@dataclass(frozen=True)
class Mutant:
    """One change of one solution.

    `was` and `becomes` are the lines that changed, without indentation; `text` is the whole source.
    """

    exercise: str
    was: str
    becomes: str
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from the others."""
        return self.exercise, self.was, self.becomes


def operators() -> Iterator[Operator]:
    """Cosmic-ray's operators (but those that need to be told a variable's name), and ours."""
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        if not operator.arguments():
            yield operator()
    for operator in OPERATORS.values():
        yield operator()


def mutants(source: Source) -> Iterator[Mutant]:
    """Every mutant of an assignment that is still Python, each once."""
    text = source.path.read_text(encoding="utf-8")
    for cell in source.cells:
        if cell.kind != "exercise":
            continue
        seen = {cell.text}
        for changed in _changed(cell):
            if changed in seen:
                continue
            seen.add(changed)
            try:
                compile(changed, "mutant", "exec")
            except (SyntaxError, ValueError):
                continue
            assert text.count(cell.text) == 1
            was, becomes = _difference(cell.text, changed)
            name = f"{source.assignment.id}.{cell.key}"
            yield Mutant(name, was, becomes, text.replace(cell.text, changed))


def _changed(cell: Cell) -> Iterator[str]:
    """The cell with each mutation that lies in its solution."""
    lines = cell.text.splitlines()
    stripped = [line.strip() for line in lines]
    first = stripped.index("### BEGIN SOLUTION") + 1
    ends = [n for n, line in enumerate(stripped) if line in ("### INSTEAD", "### END SOLUTION")]
    last = ends[0] + 1
    tree = get_ast(cell.text + "\n")
    for operator in operators():
        positions = [p for node in ast_nodes(tree) for p in operator.mutation_positions(node)]
        for occurrence, (start, _end) in enumerate(positions):
            if first < start[0] < last:
                changed = mutate_code(cell.text + "\n", operator, occurrence)
                if changed is not None:
                    yield changed.removesuffix("\n")


def _difference(before: str, after: str) -> tuple[str, str]:
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return _joined(old), _joined(new)


def _joined(lines: Sequence[str]) -> str:
    return " ".join(" ".join(line.split()) for line in lines)


def survivors(course: Course, found: Sequence[Mutant]) -> list[Mutant]:
    """The mutants of one exercise that pass all its hidden checks."""
    sandbox = shared_sandbox(course)
    alive = []
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        assignment, _, name = batch[0].exercise.partition(".")
        openers = [_Opener(sandbox, mutant) for mutant in batch]
        outcomes = run_checks(course, assignment, openers, seed=SEED, only=[name])
        alive += [
            mutant
            for mutant, outcome in zip(batch, outcomes, strict=True)
            if all(check.passed for check in outcome.checks)
        ]
    return alive


@dataclass(frozen=True)
class _Opener:
    sandbox: Sandbox
    mutant: Mutant

    def __call__(self) -> AbstractContextManager[Caller]:
        cells = tuple(
            CodeCell(cell.source, f"line {cell.line}")
            for cell in percent.split(self.mutant.text)
            if cell.runs
        )
        name = self.mutant.exercise.partition(".")[0]
        return self.sandbox.open(Program(cells, f"{name}.py"), None)


def equivalent() -> dict[tuple[str, str, str], str]:
    """The mutants that no check can kill, with the reason."""
    listed = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return {
        (entry["exercise"], entry["was"], becomes): entry["reason"]
        for entry in listed.get("equivalent", [])
        for becomes in entry["becomes"]
    }


def chosen(mutant: Mutant) -> bool:
    """Whether the quick run takes a mutant; always the same ones."""
    digest = hashlib.sha256("\n".join(mutant.key).encode()).digest()
    return digest[0] % ONE_IN == 0


def main() -> int:
    """Run, and say what survived."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only one mutant in five")
    quick: bool = parser.parse_args().quick
    course = Course.load(ROOT / "course.yml")
    reasons = equivalent()
    rows: list[tuple[str, int, int]] = []
    unexplained: list[Mutant] = []
    known: set[tuple[str, str, str]] = set()
    alive: set[tuple[str, str, str]] = set()
    for assignment in course.assignments.values():
        found = list(mutants(Source.load(course, assignment.id)))
        known |= {mutant.key for mutant in found}
        for exercise in assignment.checked:
            mine = [m for m in found if m.exercise == exercise.id and (chosen(m) or not quick)]
            survived = survivors(course, mine)
            alive |= {mutant.key for mutant in survived}
            unexplained += [mutant for mutant in survived if mutant.key not in reasons]
            rows.append((exercise.id, len(mine), len(survived)))
            print(f"{exercise.id}: {len(mine)} mutants, {len(survived)} survive", flush=True)
    for mutant in unexplained:
        print(f"✗ {mutant.exercise}: `{mutant.was}` → `{mutant.becomes}` passes every check")
    stale = set(reasons) - known if quick else set(reasons) - alive
    for exercise, was, becomes in sorted(stale):
        print(f"✗ {exercise}: `{was}` → `{becomes}` is listed as equivalent, but does not survive")
    if not quick and not unexplained and not stale:
        (HERE / "report.md").write_text(report(rows, reasons), encoding="utf-8")
    made, lived = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{made} mutants: {made - lived} killed, {lived} survive, {len(unexplained)} unexplained")
    return 1 if unexplained or stale else 0


def report(rows: Sequence[tuple[str, int, int]], reasons: dict[tuple[str, str, str], str]) -> str:
    """The report that is committed."""
    made, lived = sum(row[1] for row in rows), sum(row[2] for row in rows)
    lines = [
        "# Mutants",
        "",
        f"`make mutants` changed the solutions with cosmic-ray {version('cosmic-ray')} and the "
        "operators in",
        f"[operators.py](operators.py), and graded all {made} mutants with the hidden checks. "
        f"{made - lived} were killed;",
        f"the other {lived} do what the exercise asks, for the reasons below.",
        "",
        "| exercise | mutants | killed | equivalent |",
        "|---|---:|---:|---:|",
        *(f"| `{name}` | {count} | {count - alive} | {alive} |" for name, count, alive in rows),
        f"| all | {made} | {made - lived} | {lived} |",
        "",
        "| exercise | line | becomes | why no check may kill it |",
        "|---|---|---|---|",
        *(
            f"| `{exercise}` | `{_cell(was)}` | `{_cell(becomes)}` | {reason} |"
            for (exercise, was, becomes), reason in reasons.items()
        ),
    ]
    return "\n".join(lines) + "\n"


def _cell(code: str) -> str:
    return code.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
