"""What happens when the gradebook or the disk does not take what is written."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bulk.conftest import ASSIGNMENT, hand_in_class, scores
from support import command


def test_a_locked_gradebook_is_a_sentence_and_nothing_is_lost(classroom: Path) -> None:
    hand_in_class(classroom, 3)
    database = sqlite3.connect(classroom / "classroom" / "gradebook.db", isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")

    locked = command("autograded", "grade", ASSIGNMENT, cwd=classroom)
    database.execute("COMMIT")
    database.close()

    assert locked.returncode == 1
    assert "has been locked by another program" in locked.stderr
    assert "Traceback" not in locked.stderr
    assert not scores(classroom)
    again = command("autograded", "grade", ASSIGNMENT, cwd=classroom)
    assert again.returncode == 0, again.stderr
    assert len(scores(classroom)) == 3


def test_a_gradebook_that_is_no_database_is_a_sentence(classroom: Path) -> None:
    hand_in_class(classroom, 2)
    (classroom / "classroom" / "gradebook.db").write_bytes(b"this is no database" * 100)

    done = command("autograded", "grade", ASSIGNMENT, cwd=classroom)

    assert done.returncode == 1
    assert "gradebook" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("place", "is_folder", "reason"),
    [
        ("results", False, "cannot be written: Not a directory."),
        (".seed", True, "cannot be read or made (Is a directory)"),
        (".grading.lock", True, "cannot be written: Is a directory."),
    ],
)
def test_what_lies_in_the_way_is_a_sentence(
    classroom: Path, place: str, is_folder: bool, reason: str
) -> None:
    hand_in_class(classroom, 1)
    path = classroom / "classroom" / place
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.mkdir() if is_folder else path.write_text("")

    done = command("autograded", "grade", ASSIGNMENT, cwd=classroom, AUTOGRADED_SEED="")

    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert reason in line
    assert "Errno" not in line


def test_a_full_disk_is_a_sentence_and_the_next_run_finishes(
    classroom: Path, tmp_path: Path
) -> None:
    handed_in = hand_in_class(classroom, 20)
    size = sum(p.stat().st_size for p in classroom.rglob("*") if p.is_file()) // 1024 + 900
    script = (
        'set -e; mount -t tmpfs -o "size=$1k" none "$2"; cp -r "$3"/. "$2"; cd "$2"; '
        'set +e; "$4" -m autograded grade relu_net; echo "status $?" >&2; '
        'mount -o "remount,size=200m" "$2"; "$4" -m autograded grade relu_net; '
        'echo "status $?" >&2; cp classroom/gradebook.db "$3"/classroom/gradebook.db'
    )
    small = tmp_path / "small"
    small.mkdir()
    command_line = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    if subprocess.run(["unshare", "-Urm", "true"], check=False).returncode:
        pytest.skip("no namespaces here: a small file system cannot be made")

    done = subprocess.run(
        [*command_line, str(size), str(small), str(classroom), sys.executable],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )

    said = done.stderr
    assert said.count("status 1") == 1, said
    assert said.count("status 0") == 1, said
    assert "room" in said
    assert "Traceback" not in said
    assert sorted(scores(classroom)) == sorted(handed_in)
    shutil.rmtree(small, ignore_errors=True)
