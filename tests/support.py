"""What the tests share: the course, copies of it, and the commands as users run them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASSIGNMENTS = ("relu_net", "backward", "training_loop", "pitfalls")


def copy_course(target: Path) -> Path:
    """Copy what a course consists of, without a class."""
    target.mkdir(parents=True, exist_ok=True)
    for name in ("course.yml", "nbgrader_config.py"):
        shutil.copy2(ROOT / name, target / name)
    for name in ("exercises", "solutions", "graders"):
        shutil.copytree(
            ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    return target


def command(*arguments: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a module of this environment as a user does: a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "AUTOGRADED_SEED": "tests", "COLUMNS": "120", **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=1_800,
    )
