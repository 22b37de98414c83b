"""What nbgrader must know about a course: `nbgrader_config.py` is one call of `configure`."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SAWarning

from autograded.course import Course
from autograded.gradebook.stamps import read_carefully

DB_URL = "AUTOGRADED_DB_URL"
"""Environment variable that names the gradebook's database; it wins over course.yml."""


def course_id(course: Course) -> str:
    """The course's name on a hub's exchange: its English title in plain letters."""
    return re.sub(r"[^a-z0-9]+", "-", course.title.en.lower()).strip("-") or "course"


def database_url(course: Course) -> str:
    """The gradebook's URL: the environment, else course.yml, else SQLite in classroom/."""
    default = f"sqlite:///{course.classroom / 'gradebook.db'}"
    return os.environ.get(DB_URL) or course.db_url or default


def configure(config: Any, root: Path) -> None:
    """Set nbgrader's configuration for the course in `root`.

    nbgrader's own lists of steps are kept; ours stand in the place of the two that trust what
    they should not: ClearSolutions (one rule for stubs, everywhere) and Execute (which would run
    student code in a kernel and believe its score).

    Args:
        config: traitlets' `Config`, changed in place.
        root: the folder with course.yml.

    Raises:
        CourseError: course.yml is not as it must be.
    """
    course = Course.load(root / "course.yml")
    course.classroom.mkdir(exist_ok=True)
    _find_alembic()
    read_carefully()
    # nbgrader adds rows in an order that SQLAlchemy warns of and that does no harm.
    warnings.filterwarnings("ignore", category=SAWarning, module=r"nbgrader\.api")

    config.CourseDirectory.course_id = course_id(course)
    config.CourseDirectory.root = str(course.classroom)
    config.CourseDirectory.db_url = database_url(course)
    config.CourseDirectory.ignore = [
        ".ipynb_checkpoints",
        "*.pyc",
        "__pycache__",
        ".pytest_cache",
        "feedback",
        # A student's relu_net.html would lie, read-only, where feedback is to be written.
        "*.html",
    ]

    config.GenerateAssignment.preprocessors = [
        "nbgrader.preprocessors.IncludeHeaderFooter",
        "nbgrader.preprocessors.LockCells",
        "autograded.gradebook.release.WriteStubs",
        "nbgrader.preprocessors.ClearOutput",
        "nbgrader.preprocessors.CheckCellMetadata",
        "nbgrader.preprocessors.ComputeChecksums",
        "autograded.gradebook.release.SaveCells",
        "nbgrader.preprocessors.ClearHiddenTests",
        "nbgrader.preprocessors.ClearMarkScheme",
        "nbgrader.preprocessors.ComputeChecksums",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
    config.Autograde.autograde_preprocessors = [
        "autograded.gradebook.preprocessors.GradeSubmission",
        "nbgrader.preprocessors.IgnorePattern",
        "nbconvert.preprocessors.ClearMetadataPreprocessor",
        "nbgrader.preprocessors.LimitOutput",
        "nbgrader.preprocessors.SaveAutoGrades",
        "nbgrader.preprocessors.AssignLatePenalties",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
    config.Autograde.exporter_class = "autograded.gradebook.repairing.SubmissionExporter"
    config.Autograde.pre_convert_hook = "autograded.gradebook.repairing.one_notebook"
    config.SubmissionExporter.course_root = str(course.root)
    config.ZipCollectApp.collector_plugin = "autograded.gradebook.zip_collecting.LmsCollector"
    config.LmsCollector.course_root = str(course.root)
    config.GenerateFeedback.exporter_class = (
        "autograded.gradebook.feedback.exporter.FeedbackExporter"
    )
    # The exporter reads the grades itself, with what nbgrader's step leaves out.
    config.GenerateFeedback.preprocessors = []
    config.FeedbackExporter.course_root = str(course.root)
    config.FeedbackExporter.course_id = course_id(course)
    config.HTMLExporter.filters = {"markdown2html": "autograded.gradebook.safety.markdown2html"}
    config.HTMLExporter.raw_mimetypes = []
    config.GradeSubmission.course_root = str(course.root)
    config.ExportApp.plugin_class = "autograded.exports.plugins.CsvExport"
    config.CourseExport.course_root = str(course.root)


def _find_alembic() -> None:
    """Put this interpreter's commands on PATH when `alembic` is not.

    nbgrader starts `alembic` by name when it makes a gradebook; in an environment that was not
    activated it finds none, and leaves tables without a version behind.
    """
    if shutil.which("alembic") is None:
        here = str(Path(sys.executable).parent)
        os.environ["PATH"] = os.pathsep.join([here, os.environ.get("PATH", os.defpath)])
