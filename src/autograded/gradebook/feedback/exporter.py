"""nbconvert's exporter of feedback pages: `GenerateFeedback.exporter_class` in a course."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup
from nbconvert.exporters.templateexporter import TemplateExporter
from traitlets import Unicode, default

from autograded.course import Course
from autograded.gradebook.feedback.grades import read_grades
from autograded.gradebook.feedback.page import page_of
from autograded.i18n import _, language, say, use
from autograded.reports.prose import prose
from autograded.submissions.release import released

TEMPLATES = Path(__file__).parent / "templates"


class FeedbackExporter(TemplateExporter):  # type: ignore[misc]
    """Makes one HTML page of a graded notebook: self-contained, without scripts.

    What stands in it is decided by `page_of`; the template lays it out. A template of one's own
    is `FeedbackExporter.template_name` in a folder of `extra_template_basedirs`; it gets `page`
    among the resources, and everything it prints is escaped unless it is marked as HTML.
    """

    course_root = Unicode("", help="The folder with course.yml.").tag(config=True)
    course_id = Unicode("", help="The course's name in the gradebook.").tag(config=True)
    output_mimetype = "text/html"

    @default("file_extension")  # type: ignore[untyped-decorator]
    def _file_extension_default(self) -> str:
        return ".html"

    @default("template_name")  # type: ignore[untyped-decorator]
    def _template_name_default(self) -> str:
        return "autograded_feedback"

    @default("extra_template_basedirs")  # type: ignore[untyped-decorator]
    def _extra_template_basedirs_default(self) -> list[str]:
        return [str(TEMPLATES)]

    def from_notebook_node(
        self, nb: Any, resources: Any = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        """Convert a graded notebook; `resources["nbgrader"]` says whose it is."""
        known = resources["nbgrader"]
        path = Path(self.course_root) / "course.yml"
        course = _course(path, path.stat().st_mtime_ns)
        grades = read_grades(known["db_url"], self.course_id, known)
        with use(course.language):
            page = page_of(
                nb, released(course, known["assignment"]), grades, course, known["assignment"]
            )
            resources["page"] = page
            return super().from_notebook_node(nb, resources, **kw)  # type: ignore[no-any-return]

    def _create_environment(self) -> Any:
        """nbconvert's environment, which escapes what a template prints."""
        environment = super()._create_environment()
        environment.autoescape = True
        environment.trim_blocks = environment.lstrip_blocks = True
        environment.globals.update(
            _=_,
            say=say,
            language=language,
            prose=_prose,
            points=_points,
            style=self._style,
            policy=_policy,
        )
        return environment

    def _style(self, name: str) -> Markup:
        """A style sheet beside the template."""
        source, _path, _fresh = self.environment.loader.get_source(self.environment, name)
        # As a browser hashes it: the very text between the tags.
        return Markup(source)


@lru_cache(maxsize=4)
def _course(path: Path, changed: int) -> Course:
    return Course.load(path)


def _policy(style: str) -> str:
    """A Content-Security-Policy that allows one style sheet and pictures that the page holds."""
    digest = base64.b64encode(hashlib.sha256(str(style).encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _prose(text: str) -> Markup:
    return Markup(prose(text))


def _points(value: float) -> str:
    """Points with as many digits as they need, at most two."""
    return f"{round(value, 2):g}"
