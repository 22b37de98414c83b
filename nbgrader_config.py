"""nbgrader, started in this folder, works on classroom/ as course.yml says."""

from pathlib import Path

from autograded.gradebook.config import configure

configure(get_config(), Path(__file__).resolve().parent)  # noqa: F821 (traitlets provides it)
