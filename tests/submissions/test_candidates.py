"""What is said of a folder in which nothing could be the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograded.course import Course
from autograded.errors import AutogradedError
from autograded.submissions.candidates import submitted


def test_a_folder_without_a_notebook_says_what_there_is(
    tmp_path: Path, course_as_it_is: Course
) -> None:
    (tmp_path / "timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
    with pytest.raises(AutogradedError, match=r"There is no notebook in [^,]*\.$"):
        submitted(tmp_path, course_as_it_is, "training_loop")
    (tmp_path / "answers.docx").write_bytes(b"PK")
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "loop.txt").write_text("import torch")
    with pytest.raises(AutogradedError, match=r", only answers\.docx, part/loop\.txt\.$"):
        submitted(tmp_path, course_as_it_is, "training_loop")
