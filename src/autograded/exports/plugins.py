"""The exports as nbgrader's: `nbgrader export --exporter=autograded.exports.plugins.CanvasExport`.

`--to`, `--assignment` and `--student` are nbgrader's own options; a template is named with
`--TemplateExport.template=gradebook.csv`.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Unicode

from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.exports import export
from autograded.exports.export import Export, Exported, Wanted


class CourseExport(ExportPlugin):  # type: ignore[misc]
    """An export of a course's grades; the classes below say in which form."""

    course_root = Unicode("", help="The folder with course.yml.").tag(config=True)

    form: ClassVar[Export]
    default: ClassVar[str]
    """Where to write when `--to` names nothing."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the file or folder named by `--to`; errors are one sentence."""
        to = Path(self.to or self.default)
        try:
            done = self._export(gradebook, to)
        except AutogradedError as error:
            self.parent.fail(str(error))
        for sentence in done.told:
            self.log.warning(sentence)
        for what in done.written:
            self.log.info("Exported %s", what)
        if not done.complete:
            self.parent.exit(1)

    def _export(self, gradebook: Gradebook, to: Path) -> Exported:
        course = Course.load(Path(self.course_root) / "course.yml")
        return type(self).form(gradebook, course, self._wanted(), to)

    def _wanted(self) -> Wanted:
        return Wanted(tuple(map(str, self.assignment)), tuple(map(str, self.student)))


class CsvExport(CourseExport):
    """nbgrader's CSV, properly quoted: a row for every student and assignment.

    Who handed in nothing has a score of 0 and no timestamp, as in nbgrader's own export.
    """

    form = export.export_csv
    default = "grades.csv"


class TemplateExport(CourseExport):
    """Fills in a table that was downloaded; the classes below say from where."""

    template = Unicode("", help="The downloaded gradebook or worksheet, CSV.").tag(config=True)
    column = Unicode("", help="The column to fill, where it cannot be told.").tag(config=True)

    def _wanted(self) -> Wanted:
        wanted = super()._wanted()
        return Wanted(
            wanted.assignments,
            wanted.students,
            Path(self.template) if self.template else None,
            self.column or None,
        )


class CanvasExport(TemplateExport):
    """Grades into a gradebook that was exported from Canvas."""

    form = export.export_canvas
    default = "canvas.csv"


class MoodleExport(TemplateExport):
    """Grades into an offline grading worksheet that was downloaded from Moodle."""

    form = export.export_moodle
    default = "moodle.csv"


class GradescopeExport(CourseExport):
    """A folder with Gradescope's `results.json` for every student."""

    form = export.export_gradescope
    default = "gradescope"


class GithubExport(CourseExport):
    """A folder with GitHub Classroom's document for every student."""

    form = export.export_github
    default = "github"


class ChecksCsvExport(CourseExport):
    """A CSV with a row for every student and check."""

    form = export.export_checks_csv
    default = "checks.csv"


class ChecksParquetExport(CourseExport):
    """A Parquet file with a row for every student and check."""

    form = export.export_checks_parquet
    default = "checks.parquet"
