"""Beyond one machine: a Dask cluster, and PostgreSQL as gradebook."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bulk.conftest import ASSIGNMENT, Postgres, copy, hand_in_class, scores, start_grading
from bulk.test_interruption import lines_until
from support import command


def test_a_cluster_that_loses_a_worker_gives_the_local_result(
    classroom: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    hand_in_class(classroom, 50)
    local = copy(classroom, "local")
    assert command("autograded", "grade", ASSIGNMENT, cwd=local).returncode == 0
    address, workers = cluster

    process = start_grading(classroom, "--scheduler", address)
    lines_until(process, 1)
    workers[0].kill()
    _, errors = process.communicate(timeout=400)

    assert process.returncode == 0, errors
    assert scores(classroom) == scores(local)


def test_a_cluster_that_is_not_there_is_a_sentence(classroom: Path) -> None:
    hand_in_class(classroom, 1)

    done = command(
        "autograded", "grade", ASSIGNMENT, "--scheduler", "tcp://127.0.0.1:1", cwd=classroom
    )

    assert done.returncode == 2
    assert "There is no Dask scheduler at tcp://127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


def rows(url: str) -> list[Any]:
    query = """
        select s.student_id, c.name, g.auto_score
        from grade g
        join base_cell c on c.id = g.cell_id
        join submitted_notebook n on n.id = g.notebook_id
        join submitted_assignment s on s.id = n.assignment_id
        order by 1, 2
    """
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(sa.text(query))]
    engine.dispose()
    return found


def test_postgresql_as_gradebook_with_two_writers_at_once(
    postgres: Postgres, classroom: Path
) -> None:
    url = postgres.database("grades")
    here, there = classroom, copy(classroom, "there")
    for course in (here, there):
        hand_in_class(course, 25)
    built = command("autograded", "build", ASSIGNMENT, cwd=here, AUTOGRADED_DB_URL=url)
    assert built.returncode == 0, built.stderr

    # Two copies of one class on two machines write the same students at the same time.
    environment = {**os.environ, "AUTOGRADED_DB_URL": url, "AUTOGRADED_SEED": "tests"}
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "autograded", "grade", ASSIGNMENT, "--jobs", "1"],
            cwd=course,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for course in (here, there)
    ]
    for process in both:
        _, errors = process.communicate(timeout=400)
        assert process.returncode == 0, errors

    found = rows(url)
    assert len(found) == len(set(found)) > 0
    local = command("autograded", "grade", ASSIGNMENT, "--force", cwd=there)
    assert local.returncode == 0, local.stderr
    flat = [
        (s, cell, score) for s, all_rows in scores(there).items() for cell, score, _ in all_rows
    ]
    assert sorted(found) == sorted(flat)


def test_a_database_server_that_is_restarted_costs_nothing(
    postgres: Postgres, classroom: Path
) -> None:
    url = postgres.database("grades")
    students = hand_in_class(classroom, 40)
    local = copy(classroom, "local")
    assert command("autograded", "grade", ASSIGNMENT, cwd=local).returncode == 0
    there = {"AUTOGRADED_DB_URL": url}
    built = command("autograded", "build", ASSIGNMENT, cwd=classroom, **there)
    assert built.returncode == 0, built.stderr

    process = start_grading(classroom, **there)
    lines_until(process, 1)
    postgres.control("stop", "-m", "fast")
    time.sleep(6)
    during = process.poll()
    postgres.control("start")
    _, errors = process.communicate(timeout=400)

    assert during is None, "it ended before the server was back"
    assert process.returncode == 0, errors
    flat = [(s, cell, score) for s, found in scores(local).items() for cell, score, _ in found]
    assert sorted(rows(url)) == sorted(flat)
    assert len({student for student, *_ in flat}) == len(students)


def test_a_database_server_that_is_gone_is_a_sentence(postgres: Postgres, classroom: Path) -> None:
    url = postgres.database("grades")
    hand_in_class(classroom, 3)
    there = {"AUTOGRADED_DB_URL": url}
    assert command("autograded", "build", ASSIGNMENT, cwd=classroom, **there).returncode == 0
    postgres.control("stop", "-m", "fast")

    done = command("autograded", "grade", ASSIGNMENT, cwd=classroom, **there)

    assert done.returncode == 1
    assert "The gradebook postgresql+psycopg://" in done.stderr
    assert "Traceback" not in done.stderr
    postgres.control("start")
    assert command("autograded", "grade", ASSIGNMENT, cwd=classroom, **there).returncode == 0
    assert len({student for student, *_ in rows(url)}) > 0
