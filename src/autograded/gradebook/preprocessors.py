"""nbgrader's step between sanitizing and saving scores: grading in place of executing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from autograded.course import Course
from autograded.gradebook.stamps import handed_in_at
from autograded.gradebook.store import Store
from autograded.gradebook.writing import write_result
from autograded.grading.session import grade_notebook
from autograded.submissions.candidates import submitted
from autograded.submissions.plan import SUBMISSION
from autograded.submissions.release import require_exercises


class GradeSubmission(NbGraderPreprocessor):  # type: ignore[misc]
    """Runs the student's cells confined, runs the hidden checks, and writes scores and result.

    Stands where nbgrader has Execute. An exception here is a fault of ours, never the student's:
    nbgrader then reports this submission as not graded and goes on with the next.
    """

    course_root = Unicode("", help="The folder with course.yml.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Grade one notebook; its outputs and scores are written into `nb`."""
        course = Course.find(Path(self.course_root or resources["metadata"]["path"]))
        known = resources["nbgrader"]
        require_exercises(course, known["assignment"])
        # Its own files from where they were handed in: nbgrader's copies have followed links.
        folder = self._folder(known)
        content = submitted(folder, course, known["assignment"]).candidate.content
        when = handed_in_at(folder)
        graded = grade_notebook(nb, content, course, known["assignment"], folder, when)
        with Store(course.classroom / "results", known["assignment"]) as store:
            store.document(known["student"], graded.result.to_document())
        nb.metadata.pop(SUBMISSION, None)
        for grade_id in write_result(nb, graded, course):
            self.log.warning(
                "Grade cell %r is not as course.yml has it: run `autograded build`", grade_id
            )
        return nb, resources

    def _folder(self, known: dict[str, str]) -> Path:
        """Where the file lies as the student handed it in; nbgrader has changed its copy."""
        course_directory = CourseDirectory(parent=self)
        return Path(
            course_directory.format_path(
                course_directory.submitted_directory, known["student"], known["assignment"]
            )
        )
