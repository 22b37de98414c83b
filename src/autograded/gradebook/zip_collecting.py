"""`nbgrader zip_collect`, knowing how Moodle, Canvas and Gradescope name what they let download."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

from nbgrader.plugins import FileNameCollectorPlugin
from traitlets import Unicode

from autograded.collecting.collect import Collected, collect
from autograded.collecting.command import the_class
from autograded.collecting.downloads import STAMP, files
from autograded.collecting.versions import STATES
from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.gradebook.students import due_date


class LmsCollector(FileNameCollectorPlugin):  # type: ignore[misc]
    """Tells whose a file is and which of a student's files is the work.

    nbgrader asks for one file at a time, and stops when two of a student's would have the same
    name; the choice is made once, over the whole folder. With `named_regexp` set, nbgrader's own
    way is taken.
    """

    course_root = Unicode("", help="The folder with course.yml.").tag(config=True)

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Say whose work a file is; None for a file that is nobody's."""
        if self.named_regexp:
            found: dict[str, str] | None = super().collect(submitted_file)
            return found
        name = unicodedata.normalize("NFC", str(Path(submitted_file).relative_to(self._folder())))
        work = self._chosen().get(name)
        if work is None:
            return None
        told = {"student_id": work.student.id, "file_id": f"{self._assignment()}.ipynb"}
        if STAMP in work.files:
            told["timestamp"] = work.files[STAMP].decode()
        return told

    def _assignment(self) -> str:
        return str(self.parent.coursedir.assignment_id)

    def _folder(self) -> Path:
        app: Any = self.parent
        below = app.collect_directory_structure.format(
            downloaded=app.downloaded_directory,
            assignment_id=self._assignment(),
            collect_step=app.extracted_directory,
        )
        return Path(str(app.coursedir.root), below)

    def _chosen(self) -> dict[str, Collected]:
        if not hasattr(self, "_works"):
            course = Course.load(Path(self.course_root) / "course.yml")
            name = self._assignment()
            try:
                found = collect(
                    course,
                    name,
                    files(self._folder()),
                    the_class(course, None, enrol=False),
                    due=due_date(course, name),
                )
            except AutogradedError as error:
                self.parent.fail(str(error))
            for label, paths in found.unknown.items():
                self.log.warning("%s is not in the class: %s", label, ", ".join(paths))
            for label, paths in found.unclear.items():
                self.log.warning("It is not clear whose this is: %s: %s", label, ", ".join(paths))
            for student, paths in found.without_work.items():
                self.log.warning("Nothing to grade from %s: %s", student, ", ".join(paths))
            for work in found.collected:
                if work.doubtful:
                    self.log.warning("%s: %s", work.student.id, "; ".join(work.notes))
                if not work.file.endswith(".ipynb"):
                    sentence = "%s: nbgrader passes by %s for its ending; use `autograded collect`"
                    self.log.warning(sentence, work.student.id, work.file)
                if work.state in ("older", "blank", "unsure"):
                    self.log.warning("%s: %s", work.student.id, STATES[work.state])
            self._works = {work.file: work for work in found.collected if work.is_written}
        return self._works
