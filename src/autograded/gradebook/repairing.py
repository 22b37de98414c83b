"""nbgrader's way in: whatever lies in a student's folder becomes the notebook it grades."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import from_dict
from nbgrader.converters import base
from nbgrader.coursedir import CourseDirectory
from traitlets import Unicode

from autograded.course import Course
from autograded.i18n import use
from autograded.submissions.candidates import submitted
from autograded.submissions.files import is_text
from autograded.submissions.plan import SUBMISSION
from autograded.submissions.release import released
from autograded.submissions.repair import Repair, Repaired, repair


@lru_cache(maxsize=4)
def _course(root: Path, changed: int) -> Course:
    return Course.load(root / "course.yml")


class SubmissionExporter(NotebookExporter):  # type: ignore[misc]
    """Reads a student's file, however it arrived, and puts it right before nbgrader sees it.

    nbgrader reads a submission with nbformat, which refuses what is not a notebook to the letter.
    It reads its own autograded notebooks too; those are taken as they are.
    """

    course_root = Unicode("", help="The folder with course.yml.").tag(config=True)

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Convert a file; `filename` says whose it is, not necessarily what it is called."""
        path = Path(filename)
        known = (resources or {}).get("nbgrader")
        if known is None or path.parent != self._submitted_folder(known):
            return super().from_filename(filename, resources, **kw)
        root = Path(self.course_root)
        course = _course(root, (root / "course.yml").stat().st_mtime_ns)
        assignment = course.assignment(known["assignment"])
        with use(course.language):
            chosen = submitted(path.parent, course, assignment.id)
        work = chosen.candidate
        repaired = repair(
            work.content,
            work.filename,
            released(course, assignment.id),
            assignment,
            course.language,
        )
        notebook = from_dict(noted(repaired, work.name, work.content, chosen.repairs))
        resources["metadata"] = {"name": path.stem, "path": str(path.parent)}
        return self.from_notebook_node(notebook, resources, **kw)

    def _submitted_folder(self, known: dict[str, str]) -> Path:
        course_directory = CourseDirectory(parent=self)
        return Path(
            course_directory.format_path(
                course_directory.submitted_directory, known["student"], known["assignment"]
            )
        )


def noted(
    repaired: Repaired, name: str, content: bytes, choice: Sequence[Repair]
) -> dict[str, Any]:
    """The repaired notebook, with a note in its metadata of what was handed in and put right.

    Args:
        repaired: the submission put right.
        name: the file's path below the submission.
        content: its bytes.
        choice: what there was to say about choosing this file.
    """
    notebook = dict(repaired.notebook)
    notebook["metadata"] = {
        **notebook["metadata"],
        SUBMISSION: {
            "file": name,
            "sha256": hashlib.sha256(content).hexdigest(),
            "problem": repaired.problem,
            "lacking": list(repaired.lacking),
            "repairs": [
                {"id": one.id, "message": one.message} for one in (*choice, *repaired.repairs)
            ],
        },
    }
    return notebook


def one_notebook(assignment: str, student: str, notebooks: list[str]) -> None:
    """Let nbgrader work on the assignment's one notebook, whatever the files are called.

    Of the files beside it, it is shown the regular ones: it would copy what a link leads to.

    nbgrader's `pre_convert_hook`: it would refuse `relu_net (1).ipynb` as unknown, and take
    every other notebook in the folder for part of the work. `SubmissionExporter` then chooses.
    """
    if notebooks:
        _handed_in.add(str(Path(notebooks[0]).parent))
        if base.find_all_files is not _regular_files:
            base.find_all_files = _regular_files
        notebooks[:] = [str(Path(notebooks[0]).with_name(f"{assignment}.ipynb"))]


_handed_in: set[str] = set()
_find_all_files = base.find_all_files


def _regular_files(path: str, exclude: list[str]) -> list[str]:
    """nbgrader's list of files, of a student's folder without links, pipes and devices."""
    files: list[str] = _find_all_files(path, exclude)
    if str(Path(path)) not in _handed_in:
        return files
    return [file for file in files if stat.S_ISREG(os.lstat(file).st_mode) and is_text(file)]
