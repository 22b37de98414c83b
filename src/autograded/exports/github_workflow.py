"""A student repository for GitHub Classroom: one assignment, its public checks, and a workflow.

Students can change every file of their repository, the workflow included, and read every secret it
may use. So it holds nothing hidden: the workflow runs the public checks, which is a rehearsal; the
grade comes from `autograded collect` and `autograded grade`, where the hidden ones are.
"""

from __future__ import annotations

import sys
from typing import Any

import yaml

from autograded.course import Course
from autograded.errors import CourseError
from autograded.exports.wheel import constraints, name, wheel
from autograded.public import FILE

WORKFLOW = ".github/workflows/classroom.yml"
_INSTALLED = ".github/autograded"
_MINUTES = 15

# The step's outputs must exist whatever happens, or the reporter fails without saying why.
_CHECK = 'python -m autograded.exports.github_run "$FOLDER" >> "$GITHUB_OUTPUT"'

_HEADER = f"""\
# Runs the public checks of {{assignment}} on every push and shows the points to GitHub Classroom.
# Written by `autograded export --format github-classroom`; it holds no secret and needs none.
# Whoever owns this repository can change it: what it shows is a rehearsal, not the grade.
# Time limit of a job: {_MINUTES} minutes; of the checks of one exercise: a minute.
"""


def repository(course: Course, assignment: str) -> dict[str, bytes]:
    """The repository's files by path.

    Raises:
        CourseError: the assignment has not been built.
        AutogradedError: this package cannot be packed.
    """
    folder = course.exercises_folder(assignment)
    files = {
        WORKFLOW: workflow(course, assignment).encode(),
        f"{_INSTALLED}/{name()}": wheel(),
        f"{_INSTALLED}/constraints.txt": constraints().encode(),
    }
    for file in (f"{assignment}.py", f"test_{assignment}.py", FILE):
        if not (folder / file).is_file():
            raise CourseError(f"There is no {folder / file}: run `autograded build {assignment}`.")
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix in (".py", ".md", ".json") and path.name[0] != ".":
            files[path.relative_to(course.root).as_posix()] = path.read_bytes()
    return files


def workflow(course: Course, assignment: str) -> str:
    """The workflow's text."""
    exercises = [exercise.name for exercise in course.assignment(assignment).checked]
    results = {f"{e.upper()}_RESULTS": f"${{{{ steps.checks.outputs.{e} }}}}" for e in exercises}
    steps: list[dict[str, Any]] = [
        {"name": "Fetch the work", "uses": "actions/checkout@v4"},
        {
            "name": "Set up Python",
            "uses": "actions/setup-python@v5",
            "with": {
                "python-version": f"{sys.version_info.major}.{sys.version_info.minor}",
                "cache": "pip",
                "cache-dependency-path": f"{_INSTALLED}/constraints.txt",
            },
        },
        {
            # torch first, from its index of CPU builds: the usual one brings gigabytes of CUDA.
            "name": "Install the checks",
            "run": (
                "python -m pip install --quiet"
                f" --constraint {_INSTALLED}/constraints.txt"
                " --index-url https://download.pytorch.org/whl/cpu"
                " --extra-index-url https://pypi.org/simple torch\n"
                "python -m pip install --quiet"
                f" --constraint {_INSTALLED}/constraints.txt {_INSTALLED}/{name()}\n"
            ),
        },
        {
            "name": "Run the public checks",
            "id": "checks",
            "env": {"FOLDER": f"exercises/{assignment}"},
            "run": _CHECK,
        },
        {
            "name": "Show the points",
            "if": "${{ always() && steps.checks.outcome == 'success' }}",
            "uses": "classroom-resources/autograding-grading-reporter@v1",
            "env": results,
            "with": {"runners": ",".join(exercises)},
        },
    ]
    job = {
        "runs-on": "ubuntu-24.04",
        "if": "github.actor != 'github-classroom[bot]'",
        "timeout-minutes": _MINUTES,
        "steps": steps,
    }
    document = {
        "name": f"Checks of {assignment}",
        # Classroom asks for a new run by a repository_dispatch.
        "on": {"push": None, "repository_dispatch": None, "workflow_dispatch": None},
        "permissions": {"contents": "read", "actions": "read", "checks": "write"},
        "jobs": {"autograding": job},
    }
    return _HEADER.format(assignment=assignment) + _Dumper.text(document)


class _Dumper(yaml.SafeDumper):
    """Writes `on` without quotes, as GitHub and people expect it, and long commands as blocks."""

    @classmethod
    def text(cls, document: dict[str, Any]) -> str:
        """A document as YAML."""
        text: str = yaml.dump(document, Dumper=cls, sort_keys=False, width=1000)
        return text.replace("'on':", "on:", 1)


def _block(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _nothing(dumper: yaml.SafeDumper, value: None) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:null", "")


_Dumper.add_representer(str, _block)
_Dumper.add_representer(type(None), _nothing)
