"""What teachers are told about misconceptions: their texts in graders/, in the page's language.

The decorators of misconceptions.py are read, not run: they hold the texts as literals, and running
the file would import torch for the sake of a few sentences.
"""

from __future__ import annotations

import ast
from pathlib import Path

from autograded.course import Course
from autograded.i18n import language


def explanations(course: Course, assignment: str) -> dict[tuple[str, str], str]:
    """The texts of an assignment in the current language, by (exercise, misconception).

    What is not written as a literal is left out; the result documents have those texts too.
    """
    path = course.graders(assignment) / "misconceptions.py"
    found = _read(path) if path.is_file() else {}
    return {key: texts[language()] for key, texts in found.items() if language() in texts}


def _read(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[tuple[str, str], dict[str, str]] = {}
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "mistakes":
                continue
            named = {keyword.arg: keyword.value for keyword in decorator.keywords}
            given = [
                *decorator.args,
                *(named[k] for k in ("exercise", "explanations") if k in named),
            ]
            try:
                exercise, texts = (ast.literal_eval(argument) for argument in given[:2])
                for wrong, text in texts.items():
                    found[exercise, wrong] = {key: str(value) for key, value in text.items()}
            except (ValueError, TypeError, AttributeError):
                continue
    return found
