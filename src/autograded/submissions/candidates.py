"""Chooses, among the files somebody handed in, the one that is the work.

It is the newest that belongs to the assignment and in which something was written.

Files are looked for in sub-folders and inside zip archives too; nothing is unpacked to disk.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograded.course import Assignment, Course
from autograded.errors import AutogradedError
from autograded.i18n import _
from autograded.submissions import code
from autograded.submissions.archives import Budget, is_hidden, members
from autograded.submissions.documents import Repair, text_of
from autograded.submissions.files import content_of
from autograded.submissions.plan import Plan
from autograded.submissions.repair import repair
from autograded.text import cleaned

_SAME_TIME = 2.0
"""Seconds within which files were written together, as by a copying program."""

_PAIRED = 60.0
"""Seconds within which a .py is the twin that an editor keeps of a notebook."""

MADE_FROM = "autograded_made_from"
"""Metadata key of a notebook that collecting made from a Python file lying beside it."""

_MOST_FILES = 2_000
_MOST_NAMED = 4
_MOST_LOOKED_INTO = 100
"""Files of one student that are read to see whether something was written in them."""

_SUFFIXES = (".ipynb", ".py")
_NOT_WORK = re.compile(r"(test_.*|.*_test|conftest|scenarios|setup)\.py")
_MISNAMED = re.compile(r"[^.]+|.*\.(txt|json)|.*\.ipynb[. ].*")
"""What notebooks come to be called when systems hide or add endings."""

_MISNAMED_PYTHON = re.compile(r".*\.py\.txt")
_MISNAMED_BYTES = 16 * 2**20
_HEAD = 2**16
_BEGINS_AS_JSON = re.compile(rb"[\xef\xbb\xbf\xff\xfe\s]*\{")
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
        """Whether it claims to be a notebook, by its name or, under another name, by its text."""
        name = self.filename.lower()
        return name.endswith(".ipynb") or (not self.is_python and _begins_as_notebook(self.content))

    @property
    def is_python(self) -> bool:
        """Whether it claims to be a Python file."""
        name = self.filename.lower()
        return name.endswith(".py") or _MISNAMED_PYTHON.fullmatch(name) is not None


@dataclass(frozen=True)
class Chosen:
    """The file that is graded, and what there is to say about the choice."""

    candidate: Candidate
    repairs: tuple[Repair, ...] = ()


def submitted(folder: Path, course: Course, assignment: str) -> Chosen:
    """The work in a folder such as classroom/submitted/<student>/<assignment>.

    Repairs are in the current language.

    Raises:
        AutogradedError: nothing in the folder could be the work.
    """
    usual = folder / f"{assignment}.ipynb"
    original = _original(usual)
    if original is not None:
        return Chosen(Candidate(original.name, content_of(original), original.stat().st_mtime))
    names = [
        path
        for path in _files(folder)
        if may_be_work((path.name,))
        or path.suffix.lower() == ".zip"
        or (
            may_be_misnamed((path.name,), path.stat().st_size)
            and is_misnamed(path.name, content_of(path))
        )
    ]
    if names == [usual]:
        return Chosen(Candidate(usual.name, content_of(usual), usual.stat().st_mtime))
    found = [one for path in names for one in _read(path, folder)]
    chosen = choose(found, course, assignment)
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
    candidates: Iterable[Candidate],
    course: Course,
    assignment: str,
    others: Iterable[Assignment] = (),
) -> Chosen | None:
    """The newest candidate that belongs to the assignment; None when none could be the work.

    One in which nothing was written stands behind all others. A lone notebook that cannot be read
    still is what was handed in; another assignment's is not. `others` are the assignments besides,
    whose work is known by its functions and its name too.
    """
    known, besides = course.assignment(assignment), tuple(others)
    ranks: dict[int, list[Candidate]] = {3: [], 2: [], 1: [], 0: []}
    for one in candidates:
        ranks[belongs(one, known, besides)].append(one)
    mine = next((ranks[rank] for rank in (3, 2, 1) if ranks[rank]), [])
    if not mine:
        return None
    blank: list[Candidate] = []
    work = mine[0]
    if len(mine) > 1:
        work, blank = _first_written(mine, course, assignment)
    repairs = []
    if len(mine) > 1:
        repairs.append(Repair("several-candidates", _why(work, mine, blank)))
    elif work.is_notebook and work.name != f"{assignment}.ipynb":
        sentence = _("The file is called {name} instead of {expected}.")
        expected = f"{assignment}.ipynb"
        repairs.append(Repair("file-name", sentence.format(name=work.name, expected=expected)))
    return Chosen(work, tuple(repairs))


def _first_written(
    candidates: list[Candidate], course: Course, assignment: str
) -> tuple[Candidate, list[Candidate]]:
    """The newest in which something was written, and those passed over; else simply the newest."""
    known: dict[tuple[bytes, bool], bool] = {}
    blank: list[Candidate] = []
    rest = candidates
    while rest and len(known) < _MOST_LOOKED_INTO:
        newest = _newest(rest)
        key = newest.content, newest.is_python
        if key not in known:
            known[key] = is_written(newest, course, assignment)
        if known[key]:
            return newest, blank
        blank.append(newest)
        rest = [one for one in rest if one is not newest]
    return _newest(candidates), []


def is_written(candidate: Candidate, course: Course, assignment: str) -> bool:
    """Whether something of an exercise was written: a function, or an answer in words."""
    # Imported here because most students hand in one file, of which this is not asked.
    from autograded.submissions.release import released

    known, release = course.assignment(assignment), released(course, assignment)
    filename = f"{assignment}.py" if candidate.is_python else candidate.filename
    repaired = repair(candidate.content, filename, release, known, course.language)
    if repaired.problem is not None:
        return False
    plan = Plan(release, known)
    slots = {slot.cell.get("id", slot.name): slot for slot in plan.slots}
    for cell in repaired.notebook["cells"]:
        slot, source = slots.get(cell["id"]), text_of(cell["source"])
        if slot is not None and slot.role == "answer":
            if source.strip() not in ("", slot.source.strip()):
                return True
        elif cell["cell_type"] == "code" and (slot is None or not slot.locked):
            found = code.definitions(source, plan.functions)
            if not all(map(plan.is_stub, found)):
                return True
    return False


def _why(work: Candidate, mine: list[Candidate], blank: list[Candidate]) -> str:
    """Which of several files counts and why, as a person may check it."""
    rest = _names(one for one in mine if one is not work)
    others = [one for one in mine if not any(one is other for other in (work, *blank))]
    if not others:
        sentence = _(
            "Several files were handed in; {name} counts, for nothing is written in: {rest}."
        )
        return sentence.format(name=work.name, rest=rest)
    reasons = []
    if blank:
        reasons.append(_("nothing is written in {names}").format(names=_names(blank)))
    latest = (work.time or 0.0) - _SAME_TIME
    rivals = [one for one in others if (one.time or 0.0) >= latest]
    if not rivals:
        reasons.append(_("the newest of the others") if blank else _("the newest"))
    elif work.is_notebook and not any(one.is_notebook for one in rivals):
        reasons.append(_("the notebook rather than the Python file"))
    else:
        reasons.append(_("by its name: the files' times do not tell which is newest"))
    sentence = _("Several files were handed in; {name} counts ({why}), and not: {rest}.")
    return sentence.format(name=work.name, why="; ".join(reasons), rest=rest)


def _names(candidates: Iterable[Candidate]) -> str:
    return _first_of(sorted(one.name for one in candidates))


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
    if ".ipynb" not in candidate.filename.lower():
        return 0
    return 0 if any(other.id.replace("_", "") in plain for other in besides) else 1


def work_of(candidate: Candidate, course: Course) -> str | None:
    """The assignment of the course that a file surely is work on."""
    ranks = {name: belongs(candidate, one) for name, one in course.assignments.items()}
    best = [name for name, rank in ranks.items() if rank == max(ranks.values())]
    return best[0] if len(best) == 1 and ranks[best[0]] > 1 else None


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


def may_be_misnamed(parts: tuple[str, ...], size: int) -> bool:
    """Whether a look into a file could show that it is work under a name of another kind."""
    name = parts[-1].lower()
    return (
        size <= _MISNAMED_BYTES
        and name != "timestamp.txt"
        and _MISNAMED.fullmatch(name) is not None
        and not any(map(is_hidden, parts))
    )


def is_misnamed(name: str, content: bytes) -> bool:
    """Whether a file that `may_be_misnamed` is a notebook or a Python file."""
    return _MISNAMED_PYTHON.fullmatch(name.lower()) is not None or _begins_as_notebook(content)


def _begins_as_notebook(content: bytes) -> bool:
    head = content[:_HEAD].replace(b"\0", b"")
    if not _BEGINS_AS_JSON.match(head):
        return False
    return b'"cells"' in head or b'"worksheets"' in head


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
        misnamed = may_be_misnamed(member.parts, member.size)
        if misnamed or may_be_work(member.parts):
            inner = member.read()
            if inner is not None and (not misnamed or is_misnamed(member.parts[-1], inner)):
                yield Candidate("/".join(member.parts), inner, member.time)
