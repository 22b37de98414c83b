"""What `autograded grade` says at its end."""

from __future__ import annotations

import io

from rich.console import Console

from autograded.gradebook.closing import print_closing
from autograded.gradebook.progress import Outcome
from autograded.i18n import use


def test_the_end_of_a_run_speaks_the_courses_language() -> None:
    outcomes = [
        Outcome("ada", 8.0, 10.0, flags=("time: lama",), repairs=("nama",), seconds=1.0),
        Outcome("budi", error="tidak ada berkas"),
    ]
    outcomes += [Outcome(f"s{n}", 10.0, 10.0, True, repairs=("nama",)) for n in range(38)]
    out = io.StringIO()

    with use("id"):
        print_closing(outcomes, 60.0, Console(file=out, width=200))
        print_closing(outcomes * 2, 0.0, Console(file=out, width=200))

    english = ("Not graded", "To look at", "Put right", "Slowest", "graded", "score", "minute")
    assert [words for words in english if words in out.getvalue()] == []
    assert "39 dinilai (0 sudah dikenal), 1 tidak dinilai" in out.getvalue()
