"""The operators added to cosmic-ray's do what their examples say."""

from __future__ import annotations

import ast

import pytest
from cosmic_ray.mutating import mutate_code
from mutants import HERE, equivalent
from operators import OPERATORS


@pytest.mark.parametrize("name", OPERATORS)
def test_examples(name: str) -> None:
    for example in OPERATORS[name].examples():
        mutated = mutate_code(example.pre_mutation_code, OPERATORS[name](), example.occurrence)

        assert mutated is not None
        assert mutated.strip() == example.post_mutation_code.strip()


def test_an_argument_goes_with_its_comma() -> None:
    code = "torch.tensor(x, dtype=d, requires_grad=True)\n"
    remove = OPERATORS["RemoveKeywordArgument"]()

    assert mutate_code(code, remove, 0) == "torch.tensor(x, requires_grad=True)\n"
    assert mutate_code(code, remove, 1) == "torch.tensor(x, dtype=d)\n"
    assert mutate_code(code, remove, 2) is None


def test_every_statement_is_taken_out_once() -> None:
    code = 'def f():\n    """Say."""\n    a = 1\n    for i in a:\n        b(i)\n    return a\n'
    found = []
    while (mutated := mutate_code(code, OPERATORS["RemoveStatement"](), len(found))) is not None:
        ast.parse(mutated)
        found.append(mutated)

    assert len(found) == 3
    assert all(mutated.count("pass") == 1 and '"""Say."""' in mutated for mutated in found)


def test_the_report_tells_of_every_listed_mutant() -> None:
    report = (HERE / "report.md").read_text(encoding="utf-8")

    for exercise, was, _becomes in equivalent():
        assert f"| `{exercise}` | `{was}` |" in report
