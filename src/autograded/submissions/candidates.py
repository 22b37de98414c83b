"""Chooses, among the files somebody handed in, the one that is the work: the newest that belongs.

Files are looked for in sub-folders and inside zip archives too; nothing is unpacked to disk.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograded.course import Assignment
from autograded.errors import AutogradedError
from autograded.i18n import _
from autograded.submissions.archives import Budget, is_hidden, members
from autograded.submissions.documents import Repair
from autograded.submissions.files import content_of
from autograded.text import cleaned

_SAME_TIME = 2.0
"""Seconds within which files were written together, as by a copying program."""

_PAIRED = 60.0
"""Seconds within which a .py is the twin that an editor keeps of a notebook."""

MADE_FROM = "autograded_made_from"
"""Metadata key of a notebook that collecting made from a Python file lying beside it."""

_MOST_FILES = 2_000
_MOST_NAMED = 4
_SUFFIXES = (".ipynb", ".py")
_NOT_WORK = re.compile(r"(test_.*|.*_test|conftest|scenarios|setup)\.py")
_COPY = re.compile(r"[ _]?\((\d+)\)$|-Copy(\d+)$|-(\d{1,2})$")


@dataclass(frozen=True)
class Candidate:
    """A file that may be the work.

    Attributes:
        name: its path below the submission, with `/`; inside an archive after the archive's name.
        content: its bytes.
        time: when it was last changed, in seconds; None when that is not known.
    """

    name: str
    content: bytes
    time: float | None = None

    @property
    def filename(self) -> str:
        """The last part of the name."""
        return PurePosixPath(self.name).name

    @property
    def is_notebook(self) -> bool:
        """Whether it claims to be a notebook."""
        return self.filename.lower().endswith(".ipynb")


@dataclass(frozen=True)
class Chosen:
    """The file that is graded, and what there is to say about the choice."""

    candidate: Candidate
    repairs: tuple[Repair, ...] = ()


def submitted(folder: Path, assignment: Assignment) -> Chosen:
    """The work in a folder such as classroom/submitted/<student>/<assignment>.

    Repairs are in the current language.

    Raises:
        AutogradedError: nothing in the folder could be the work.
    """
    usual = folder / f"{assignment.id}.ipynb"
    original = _original(usual)
    if original is not None:
        return Chosen(Candidate(original.name, content_of(original), original.stat().st_mtime))
    names = [
        path
        for path in _files(folder)
        if may_be_work((path.name,)) or path.suffix.lower() == ".zip"
    ]
    if names == [usual]:
        return Chosen(Candidate(usual.name, content_of(usual), usual.stat().st_mtime))
    found = [one for path in names for one in _read(path, folder)]
    chosen = choose(found, assignment)
    if chosen is None:
        raise AutogradedError(f"There is no notebook in {folder}{_instead(folder)}.")
    return chosen


def _instead(folder: Path) -> str:
    """What lies in a folder without a notebook, as the end of a sentence."""
    names = [_told(path, folder) for path in _files(folder) if path.name != "timestamp.txt"]
    return f", only {_first_of(names)}" if names else ""


def _first_of(names: list[str]) -> str:
    """Names as a sentence lists them: some, and whether there are more."""
    return ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")


def _original(notebook: Path) -> Path | None:
    """The Python file that a notebook was made from when it was collected."""
    twin = notebook.with_suffix(".py")
    if twin.is_symlink() or not twin.is_file() or notebook.is_symlink():
        return None
    try:
        return twin if MADE_FROM.encode() in content_of(notebook) else None
    except AutogradedError:
        return None


def choose(
    candidates: Iterable[Candidate], assignment: Assignment, others: Iterable[Assignment] = ()
) -> Chosen | None:
    """The newest candidate that belongs to the assignment; None when none could be the work.

    A lone notebook that cannot be read still is what was handed in; another assignment's is not.
    `others` are the assignments besides, whose work is known by its functions and its name too.
    """
    besides = tuple(others)
    ranked = [(belongs(one, assignment, besides), one) for one in candidates]
    best = max((rank for rank, _one in ranked), default=0)
    if best <= 0:
        return None
    mine = [one for rank, one in ranked if rank == best]
    work = _newest(mine)
    repairs = []
    passed_over = sorted(one.name for one in mine if one is not work)
    if passed_over:
        sentence = _(
            "Several files were handed in; the newest was graded, {name}, and not: {rest}."
        )
        told = sentence.format(name=work.name, rest=_first_of(passed_over))
        repairs.append(Repair("several-candidates", told))
    elif work.is_notebook and work.name != f"{assignment.id}.ipynb":
        sentence = _("The file is called {name} instead of {expected}.")
        expected = f"{assignment.id}.ipynb"
        repairs.append(Repair("file-name", sentence.format(name=work.name, expected=expected)))
    return Chosen(work, tuple(repairs))


def belongs(candidate: Candidate, assignment: Assignment, others: Iterable[Assignment] = ()) -> int:
    """How surely a file is work on the assignment.

    3: its content is; 2: its name says so; 1: it is some notebook; 0: it is something else, such
    as what a name or a function of one of the `others` tells.
    """
    text = candidate.content.replace(b"\0", b"").decode("utf-8", "ignore")
    called = set(re.findall(r"check\(\\?[\"'](\w+)\.\w+\\?[\"']", text))
    mine = {exercise.name for exercise in assignment.checked}
    defines = not mine.isdisjoint(re.findall(r"\bdef (\w+)", text))
    if assignment.id in called or (defines and not called):
        return 3
    if called or not candidate.is_notebook:
        return 0
    besides = tuple(others)
    theirs = {exercise.name for other in besides for exercise in other.checked} - mine
    if any(name in theirs for name in re.findall(r"(?m)(?:^|\"|\\n)def (\w+)", text)):
        return 0
    plain = re.sub(r"[\W_]", "", candidate.filename.lower())
    if assignment.id.replace("_", "") in plain:
        return 2
    return 0 if any(other.id.replace("_", "") in plain for other in besides) else 1


def _newest(candidates: list[Candidate]) -> Candidate:
    times = [one.time for one in candidates if one.time is not None]
    latest = max(times, default=0.0)
    notebooks = [one for one in candidates if one.is_notebook]
    if any((one.time or 0.0) >= latest - _PAIRED for one in notebooks):
        candidates = notebooks
        latest = max(one.time or 0.0 for one in notebooks)
    recent = [one for one in candidates if (one.time or 0.0) >= latest - _SAME_TIME]
    return max(recent, key=lambda one: (_copy_number(one.filename), one.name))


def _copy_number(filename: str) -> int:
    """Browsers and Canvas number newer downloads upwards; Jupyter's copies are older states."""
    found = _COPY.search(PurePosixPath(filename).stem)
    if found is None:
        return 0
    return -1 if found[2] else int(found[1] or found[3])


def may_be_work(parts: tuple[str, ...]) -> bool:
    """Whether a file, by the parts of its path, may be somebody's work: notebook or program."""
    name = parts[-1].lower()
    return (
        name.endswith(_SUFFIXES)
        and not _NOT_WORK.fullmatch(name)
        and not any(map(is_hidden, parts))
    )


def _files(folder: Path) -> Iterator[Path]:
    """Regular files below a folder, hidden ones and links left out, sorted."""
    seen = 0
    for parent, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in sorted(names):
            seen += 1
            path = Path(parent) / name
            if seen > _MOST_FILES:
                return
            if not is_hidden(name) and stat.S_ISREG(path.lstat().st_mode):
                yield path


def _told(path: Path, folder: Path) -> str:
    """A file's name below a folder; one that is no text stays tellable."""
    name: str = cleaned(str(path.relative_to(folder)))
    return name


def _read(path: Path, folder: Path) -> Iterator[Candidate]:
    parts = PurePosixPath(_told(path, folder)).parts
    content = content_of(path)
    if not parts[-1].lower().endswith(".zip"):
        yield Candidate("/".join(parts), content, path.stat().st_mtime)
        return
    for member in members(content, parts, Budget()):
        if may_be_work(member.parts):
            inner = member.read()
            if inner is not None:
                yield Candidate("/".join(member.parts), inner, member.time)
