"""The archive from which Gradescope makes an autograder: setup.sh, run_autograder, the course.

It holds what grading needs and nothing more. The graders among it hold expected answers, and the
bug library right ones, so students' code must be confined from them: see `docs/formats.md`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import yaml

from autograded.course import Course
from autograded.exports.wheel import archive, constraints, name, wheel
from autograded.grading.seed import course_seed
from autograded.submissions.release import released

COURSE = "course"
SETTINGS = "autograder.json"
SEED = "seed"
_SCRIPTS = Path(__file__).parent / "scripts"
_PRIVATE, _USUAL, _RUN = 0o600, 0o644, 0o755
# Right solutions in other styles; only `autograded verify` needs them.
_LEFT_OUT = ("alternatives.py",)


def autograder(course: Course, assignment: str, sandbox: str = "auto") -> bytes:
    """The archive's bytes, the same for the same course.

    Args:
        course: the course.
        assignment: what students hand in.
        sandbox: how student code is to be confined there: auto, bubblewrap, or off.

    Raises:
        CourseError: the course is not as it must be, or a grader is missing.
        AutogradedError: this package cannot be packed.
    """
    course.require_graders(assignment)
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    setup = (_SCRIPTS / "setup.sh").read_text().replace("@PYTHON@", python)
    settings = {"assignment": assignment, "sandbox": sandbox}
    files = {
        "setup.sh": (setup.encode(), _RUN),
        "run_autograder": ((_SCRIPTS / "run_autograder").read_bytes(), _RUN),
        SETTINGS: ((json.dumps(settings, indent=1) + "\n").encode(), _USUAL),
        SEED: (_seed(course, sandbox).encode() + b"\n", _PRIVATE),
        "constraints.txt": (constraints().encode(), _USUAL),
        name(): (wheel(), _USUAL),
    }
    for path, content in _course_files(course, assignment).items():
        files[f"{COURSE}/{path}"] = (content, _USUAL)
    return archive(files)


def _seed(course: Course, sandbox: str) -> str:
    """The class's seed, so that a score is the same here and there.

    Without confinement a submission could read it: then one that is made from it, and does not
    lead back.
    """
    seed = course_seed(course)
    if sandbox != "off":
        return seed
    return hashlib.sha256(f"gradescope/{seed}".encode()).hexdigest()[:32]


def _course_files(course: Course, assignment: str) -> dict[str, bytes]:
    graders = course.graders(assignment)
    files = {
        "course.yml": _course_yml(course, assignment),
        f"classroom/release/{assignment}/{assignment}.ipynb": json.dumps(
            released(course, assignment), ensure_ascii=False, indent=1
        ).encode(),
    }
    paths = [
        *(path for path in sorted(graders.rglob("*.py")) if path.name not in _LEFT_OUT),
        *sorted(course.root.glob("exercises/*/scenarios.py")),
    ]
    for path in paths:
        files[path.relative_to(course.root).as_posix()] = path.read_bytes()
    return files


def _course_yml(course: Course, assignment: str) -> bytes:
    """The course file with this one assignment, and without the gradebook's address."""
    data: dict[str, Any] = yaml.safe_load(course.file.read_text(encoding="utf-8"))
    data.pop("db_url", None)  # it may hold a password
    data["assignments"] = {assignment: data["assignments"][assignment]}
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
    return text.encode()
