"""What a shell offers after Tab: names from course.yml, read without checking them.

Each Tab starts a process, so that nothing but the YAML is loaded; a course.yml that is missing or
wrong offers nothing, since a shell has no place for a message.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

Offers = list[tuple[str, str]]


def assignments(context: typer.Context, incomplete: str) -> Offers:
    """Assignments that begin with `incomplete`, each with its title."""
    return _matching(_assignments(context), incomplete)


def exercises(context: typer.Context, incomplete: str) -> Offers:
    """Exercises that begin with `incomplete`, such as relu_net.forward."""
    return _matching(_exercises(context), incomplete)


def either(context: typer.Context, incomplete: str) -> Offers:
    """Assignments, and exercises once only one assignment, or none, is meant."""
    found = _matching(_assignments(context), incomplete)
    return found if len(found) > 1 else found + _matching(_exercises(context), incomplete)


def _matching(offers: Iterator[tuple[str, str]], incomplete: str) -> Offers:
    return [(name, title) for name, title in offers if name.startswith(incomplete)]


def _assignments(context: typer.Context) -> Iterator[tuple[str, str]]:
    course = _course(context)
    for name, assignment in _mapping(course, "assignments").items():
        title = _mapping(assignment, "title").get(course.get("language", "en"), "")
        yield str(name), str(title)


def _exercises(context: typer.Context) -> Iterator[tuple[str, str]]:
    for name, assignment in _mapping(_course(context), "assignments").items():
        for exercise, entry in _mapping(assignment, "exercises").items():
            points = entry.get("points", "?") if isinstance(entry, dict) else "?"
            yield f"{name}.{exercise}", f"{points} p"


def _mapping(data: Any, key: str) -> dict[Any, Any]:
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _course(context: typer.Context) -> dict[Any, Any]:
    import yaml

    named = context.params.get("course")
    here = Path(named) if named else Path.cwd()
    folders = [here] if named else [here, *here.parents]
    files = [folder if folder.name == "course.yml" else folder / "course.yml" for folder in folders]
    file = next((file for file in files if file.is_file()), None)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        data = yaml.load(file.read_text(encoding="utf-8"), Loader=loader) if file else {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    return data if isinstance(data, dict) else {}
