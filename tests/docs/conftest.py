"""A course with a small class, as the reader of a page has it before them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from collecting.downloads import moodle
from support import ROOT

BIN = Path(sys.executable).parent

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,relu_net (4711)
    Points Possible,,,,,10
"Lovelace, Ada",1001,S-77,ada@example.org,A,
"Santoso, Budi",1003,budi.s,budi@example.org,B,
"""

ROSTER = """\
id,first_name,last_name,email,section,aliases
ada,Ada,Lovelace,ada@example.org,A,1001 S-77
budi.s,Budi,Santoso,budi@example.org,B,1003
"""

MOODLE = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
Last modified (grade),Feedback comments
Participant 501,Ada Lovelace,ada@example.org,Submitted,,10.00,Yes,-,
Participant 502,Budi Santoso,budi@example.org,Submitted,,10.00,Yes,-,
"""


class Reader:
    """A person with a course, who types what a page says."""

    def __init__(self, home: Path, source: Path) -> None:
        """Copy the built course in `source`, with what `make setup` leaves and two downloads."""
        self.home, self.course = home, home / "course"
        shutil.copytree(source, self.course, symlinks=True)
        for name in ("Makefile", "README.md", "pyproject.toml", "constraints.txt"):
            shutil.copy2(ROOT / name, self.course / name)
        # `make setup` finds everything installed, as it does the second time.
        scripts = self.course / ".venv" / "bin"
        scripts.mkdir(parents=True)
        (scripts / "activate").write_text(f'export PATH="{BIN}:$PATH"\n')
        (scripts.parent / ".installed").touch()

        solved = (self.course / "classroom/source/relu_net/relu_net.ipynb").read_bytes()
        stub = (self.course / "classroom/release/relu_net/relu_net.ipynb").read_bytes()
        theirs = {
            "Ada Lovelace_501": {"relu_net.ipynb": solved},
            "Budi Santoso_502": {"relu_net.ipynb": stub},
        }
        downloads = home / "Downloads"
        downloads.mkdir()
        moodle(downloads / "submissions.zip", theirs)
        (downloads / "gradebook.csv").write_text(CANVAS)
        (downloads / "worksheet.csv").write_text(MOODLE)
        (self.course / "relu_net.ipynb").write_bytes(solved)
        (self.course / "roster.csv").write_text(ROSTER)

    def types(self, commands: str) -> subprocess.CompletedProcess[str]:
        """Run lines of a shell in the course's folder; the first that fails ends them."""
        env = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        env |= {
            "AUTOGRADED_SEED": "tests",
            "COLUMNS": "100",
            "HOME": str(self.home),
            "NO_COLOR": "1",
            "PATH": f"{BIN}:{env['PATH']}",
            "PIP_NO_INDEX": "1",  # nothing a page says may reach for the network here
        }
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=self.course,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
            timeout=300,
        )


@pytest.fixture(scope="module")
def teacher(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Somebody who has collected and graded the work of two."""
    reader = Reader(tmp_path_factory.mktemp("reader"), built_course)
    for line in (
        "autograded collect relu_net ~/Downloads/submissions.zip",
        "autograded grade relu_net --jobs 1",
    ):
        done = reader.types(line)
        assert done.returncode == 0, done.stdout
    return reader


@pytest.fixture(scope="module")
def pelajar(built_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Somebody who reads Indonesian, and has set the course's language."""
    reader = Reader(tmp_path_factory.mktemp("pembaca"), built_course)
    file = reader.course / "course.yml"
    file.write_text(file.read_text("utf-8").replace("\nlanguage: en", "\nlanguage: id"), "utf-8")
    return reader
