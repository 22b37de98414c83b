"""The unit of bulk work: a batch of submissions and all that is needed to grade it, as data.

The same task runs in a process of this machine's pool and on a worker of a Dask cluster; nothing
but the package itself has to be installed there, and nothing is read from or written to the class.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import signal
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from autograded.errors import AutogradedError, unforeseen
from autograded.grading.garbage import collect_after_batch, freeze_for_good
from autograded.parenthood import at_end, end_with_parent
from autograded.submissions.documents import Repair
from autograded.submissions.release import require_exercises

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue

    from autograded.course import Course
    from autograded.gradebook.store import Record
    from autograded.grading.session import Grader


@dataclass(frozen=True)
class Bundle:
    """What grades an assignment, travelling as data.

    Attributes:
        assignment: the assignment's name.
        archive: a zip of course.yml, graders, scenarios, and the released notebook.
        seed: the course's secret seed.
        sandbox: the level of confinement to use.
        digest: of everything that decides a result, the engine included.
    """

    assignment: str
    archive: bytes = field(repr=False)
    seed: str = field(repr=False)
    sandbox: str
    digest: str


@dataclass(frozen=True)
class Item:
    """One submission.

    Attributes:
        name: the path of the file that is graded, below the submission's folder.
        content: its bytes.
        files: the small files that lie beside it, by relative name.
        choice: what there was to say about choosing this file.
    """

    name: str
    content: bytes = field(repr=False)
    files: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    choice: tuple[Repair, ...] = ()

    @property
    def filename(self) -> str:
        """The last part of the name."""
        return PurePosixPath(self.name).name

    def key(self, bundle: Bundle) -> str:
        """Digest of everything that decides this submission's result."""
        digest = hashlib.sha256(f"{bundle.digest}/{self.choice}".encode())
        for name, content in ((self.name, self.content), *self.files):
            digest.update(f"{len(name.encode())}:{name}:{len(content)}:".encode())
            digest.update(content)
        return digest.hexdigest()


@dataclass(frozen=True)
class Task:
    """A batch of submissions to grade."""

    bundle: Bundle
    items: tuple[Item, ...]


def run(task: Task) -> list[Record | str]:
    """Grade a batch; for each submission its record, or one sentence why it could not be graded."""
    try:
        return _graded(task)
    finally:
        collect_after_batch()


def _graded(task: Task) -> list[Record | str]:
    """Grade a batch.

    One submission at a time is tried when the batch as a whole fails, so that a fault of ours
    around one of them costs the others nothing.
    """
    bench = _bench(task.bundle)
    try:
        return list(bench.grade(task.items))
    except AutogradedError as error:
        if len(task.items) == 1:
            return [str(error)]
    except Exception as error:  # noqa: BLE001 - whatever one file brought about
        if len(task.items) == 1:
            return [unforeseen(error)]
    return [_graded(Task(task.bundle, (item,)))[0] for item in task.items]


class _Bench:
    """A grader set up from a bundle, kept for the batches that follow."""

    def __init__(self, bundle: Bundle) -> None:
        import torch

        from autograded.course import Course
        from autograded.grading.session import Grader, shared_sandbox

        # One core a process: the pool has as many processes as there are cores.
        torch.set_num_threads(1)
        self.folder = Path(tempfile.mkdtemp(prefix="autograded-"))
        at_end(lambda: shutil.rmtree(self.folder, ignore_errors=True))
        with zipfile.ZipFile(io.BytesIO(bundle.archive)) as archive:
            archive.extractall(self.folder)
        self.course: Course = Course.load(self.folder / "course.yml")
        self.release = json.loads((self.folder / "release.ipynb").read_bytes())
        sandbox = shared_sandbox(self.course, bundle.sandbox)
        self.grader: Grader = Grader(self.course, bundle.assignment, sandbox, bundle.seed)
        self.assignment = self.course.assignment(bundle.assignment)

    def grade(self, items: tuple[Item, ...]) -> Iterator[Record]:
        """Repair, run and check a batch."""
        from autograded.gradebook.stamps import FILE, handed_in
        from autograded.gradebook.writing import record
        from autograded.grading.session import Work
        from autograded.i18n import use
        from autograded.submissions.reader import read_cells
        from autograded.submissions.repair import repair

        language = self.course.language
        repaired = [
            repair(i.content, i.filename, self.release, self.assignment, language) for i in items
        ]
        with _folders(items, self.folder) as folders, use(language):
            works = [
                Work(
                    read_cells(
                        r.notebook["cells"], i.content, f"{self.assignment.id}.ipynb", r.problem
                    ),
                    folder,
                    repairs=(*i.choice, *r.repairs),
                    lacking=r.lacking,
                    timestamp=handed_in(dict(i.files).get(FILE)),
                )
                for r, i, folder in zip(repaired, items, folders, strict=True)
            ]
            graded = self.grader.grade(works)
        for fixed, one in zip(repaired, graded, strict=True):
            yield record(fixed.notebook, one, self.course)


@contextmanager
def _folders(items: tuple[Item, ...], parent: Path) -> Iterator[list[Path | None]]:
    """Put the files beside each notebook into a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="autograded-", dir=parent) as place:
        folders: list[Path | None] = []
        for number, item in enumerate(items):
            folder = Path(place) / str(number) if item.files else None
            for name, content in item.files:
                assert folder is not None
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            folders.append(folder)
        yield folders


_benches: dict[str, _Bench] = {}


def _bench(bundle: Bundle) -> _Bench:
    if bundle.digest not in _benches:
        _benches.clear()  # another assignment, or changed graders: the old one is done with
        _benches[bundle.digest] = _Bench(bundle)
    return _benches[bundle.digest]


def make_bundle(course: Course, assignment: str, seed: str, sandbox: str = "auto") -> Bundle:
    """Pack what grades an assignment.

    Raises:
        AutogradedError: the assignment has not been released, or without one of its exercises.
    """
    release = course.classroom / "release" / assignment / f"{assignment}.ipynb"
    if not release.is_file():
        raise AutogradedError(
            f"{assignment} has not been released: run `autograded build {assignment}` first."
        )
    require_exercises(course, assignment)
    files = {
        "course.yml": course.file.read_bytes(),
        "release.ipynb": release.read_bytes(),
    }
    for path in sorted(course.graders(assignment).rglob("*.py")):
        files[str(path.relative_to(course.root))] = path.read_bytes()
    for path in sorted(course.root.glob("exercises/*/scenarios.py")):
        files[str(path.relative_to(course.root))] = path.read_bytes()
    digest = hashlib.sha256(f"{engine_digest()}/{seed}/{sandbox}".encode())
    common = course.model_dump_json(exclude={"assignments", "db_url", "title"})
    digest.update(common.encode() + course.assignment(assignment).model_dump_json().encode())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
            if name != "course.yml":
                digest.update(f"{name}:{len(content)}:".encode() + content)
    return Bundle(assignment, buffer.getvalue(), seed, sandbox, digest.hexdigest())


@cache
def engine_digest() -> str:
    """Digest of the engine's code and translations: a result is only as good as its engine."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.mo")]):
        digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return digest.hexdigest()


def prepare_worker(cores: SimpleQueue[int] | None = None) -> None:
    """Set a pool's process up: Ctrl-C is the main process's business, and it ends with it.

    Args:
        cores: cores to stay on, one for each process of the pool; None lets it wander. It and the
            student code it waits for are never at work at once, and waking a core that has gone
            to sleep each time they take turns costs an eighth of all time.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    freeze_for_good()
    if cores is not None:
        os.sched_setaffinity(0, {cores.get()})
