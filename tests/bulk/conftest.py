"""A class to grade in bulk, and what it needs around it: a database server, a cluster."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from autograded.course import Course
from autograded.simulation import Simulator, students

ASSIGNMENT = "relu_net"


def hand_in_class(course: Path, count: int, assignment: str = ASSIGNMENT) -> list[str]:
    """Hand in distinct work of a simulated class; returns the students' ids."""
    release = course / "classroom" / "release" / assignment
    simulator = Simulator(
        Course.load(course / "course.yml"), assignment, release / f"{assignment}.ipynb"
    )
    handed_in = []
    for student in students(count):
        made = simulator.hand_in(student.kind, student.id)
        if made.text is None:
            continue
        folder = course / "classroom" / "submitted" / student.id / assignment
        shutil.copytree(release, folder)
        text = made.text.replace('"cells": [', f'"comment": "{student.id}",\n "cells": [', 1)
        (folder / f"{assignment}.ipynb").write_text(text, encoding="utf-8")
        handed_in.append(student.id)
    return handed_in


def scores(course: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every grade row by student; a doubled row would show."""
    query = """
        select s.student_id, c.name, g.auto_score, g.needs_manual_grade
        from grade g
        join base_cell c on c.id = g.cell_id
        join submitted_notebook n on n.id = g.notebook_id
        join submitted_assignment s on s.id = n.assignment_id
        order by 1, 2
    """
    found: dict[str, list[tuple[Any, ...]]] = {}
    with sqlite3.connect(course / "classroom" / "gradebook.db") as database:
        for student, *rest in database.execute(query):
            found.setdefault(student, []).append(tuple(rest))
    return found


def left_over(course: Path) -> list[Path]:
    """Files that a killed run had under its hands."""
    found = (course / "classroom").rglob(".*")
    return [path for path in found if re.search(r"\.(new|old|\d+)$", path.name)]


def copy(course: Path, name: str) -> Path:
    target = course.with_name(name)
    shutil.copytree(course, target, symlinks=True)
    return target


def start_grading(
    course: Path, *arguments: str, assignment: str = ASSIGNMENT, **env: str
) -> subprocess.Popen[str]:
    """Start `autograded grade` and leave it running."""
    return subprocess.Popen(
        [sys.executable, "-m", "autograded", "grade", assignment, "--json", *arguments],
        cwd=course,
        env={**os.environ, "AUTOGRADED_SEED": "tests", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@dataclass(frozen=True)
class Postgres:
    """A server: its URL without a database's name, and its control program."""

    url: str
    control: Callable[..., None]

    def database(self, name: str) -> str:
        """Make a database; returns its URL."""
        engine = sa.create_engine(f"{self.url}/postgres", isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(f"create database {name}"))
        engine.dispose()
        return f"{self.url}/{name}"


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL on a loopback port."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not binaries:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed: apt-get install postgresql")
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    # The server refuses to run as root.
    user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    place = Path(tempfile.mkdtemp(prefix="autograded-postgres-"))
    port = free_port()
    if user:
        shutil.chown(place, "postgres")
    data = place / "data"

    def run(*command: str) -> None:
        subprocess.run([*user, *command], check=True, capture_output=True, cwd="/")

    run(str(binaries[-1] / "initdb"), "-D", str(data), "-A", "trust", "-U", "autograded")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {place} -c fsync=off"

    def control(*command: str) -> None:
        log = ("-o", options, "-l", str(place / "log")) if command[0] == "start" else ()
        run(str(binaries[-1] / "pg_ctl"), "-D", str(data), *log, "-w", *command)

    control("start")
    try:
        yield Postgres(f"postgresql+psycopg://autograded@127.0.0.1:{port}", control)
    finally:
        control("stop", "-m", "immediate")
        shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and two workers, each a process of its own on loopback."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    processes: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> None:
        log = (tmp_path / f"dask-{len(processes)}.log").open("wb")
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
                stdout=log,
                stderr=log,
                cwd=tmp_path,
            )
        )

    start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    _wait_for(port)
    for _ in range(2):
        start(
            "dask_worker", address, "--nworkers", "1", "--nthreads", "1", "--no-dashboard",
            "--host", "127.0.0.1",
        )  # fmt: skip
    try:
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _wait_for(port: int, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(f"nothing listens on port {port}")
