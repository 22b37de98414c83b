"""Build every form of an assignment from its source, and tell when committed forms drift."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograded import atomic
from autograded.authoring import wording
from autograded.authoring.forms import public_data, stub_text
from autograded.authoring.notebooks import notebook_text
from autograded.authoring.source import Source
from autograded.authoring.stamps import is_untouched
from autograded.course import Course, Language
from autograded.errors import AutogradedError, CourseError
from autograded.public import FILE


@dataclass(frozen=True)
class Built:
    """What building one assignment did.

    `written` are the files that changed; `kept` is the stub that somebody has worked in, None when
    it is as it was generated; `release` is nbgrader's release folder, None when it was not asked
    for.
    """

    assignment: str
    written: tuple[Path, ...]
    kept: Path | None
    release: Path | None


def build(
    course: Course,
    language: Language | None = None,
    assignments: Iterable[str] = (),
    *,
    release: bool = True,
    force: bool = False,
) -> list[Built]:
    """Write the stubs, the source notebooks and, through nbgrader, the release notebooks.

    A stub that somebody has worked in is kept: nothing else is made from it.

    Args:
        course: the course to build.
        language: of stubs and notebooks; the course's own by default.
        assignments: names of those to build; all by default.
        release: whether to make classroom/release (needs nbgrader).
        force: whether to overwrite a stub that somebody has worked in.

    Raises:
        CourseError: a source, course.yml or a public check is not as it must be.
        AutogradedError: nbgrader is missing, or could not make the release.
    """
    chosen = language or course.language
    # Everything is read before anything is written: a fault leaves every file as it was.
    sources = [Source.load(course, name) for name in assignments or course.assignments]
    plans = [(source, committed(source, chosen), classroom(source, chosen)) for source in sources]
    built = []
    for source, forms, copies in plans:
        kept = None if force else worked_in(course, source.assignment.id)
        texts = {path: text for path, text in {**forms, **copies}.items() if path != kept}
        written = [path for path, text in texts.items() if _write(path, text)]
        folder = _release(course, source.assignment.id) if release else None
        built.append(Built(source.assignment.id, tuple(written), kept, folder))
    return built


def drift(course: Course, assignments: Iterable[str] = ()) -> list[Path]:
    """Return the committed files (in exercises/) that are not what their source makes."""
    differing = []
    for name in assignments or course.assignments:
        forms = committed(Source.load(course, name), course.language)
        differing += [path for path, text in forms.items() if _read(path) != text]
    return differing


def committed(source: Source, language: Language) -> Mapping[Path, str]:
    """The generated files that live in exercises/<a>/, by path."""
    name = source.assignment.id
    folder = source.course.exercises_folder(name)
    return {
        folder / f"{name}.py": stub_text(source, language),
        folder / "README.md": wording.readme(source.course, source.assignment, language),
        folder / FILE: public_data(source, language).to_json(),
    }


def classroom(source: Source, language: Language) -> Mapping[Path, str]:
    """The files of classroom/source/<a>/, by path: the notebook and what check() needs."""
    course, name = source.course, source.assignment.id
    exercises = course.exercises_folder(name)
    folder = course.classroom / "source" / name
    checks = _read(exercises / f"test_{name}.py")
    if checks is None:
        line = course.line("assignments", name)
        raise CourseError(
            f"{course.file}:{line}: assignment {name} has no public checks: "
            f"write {exercises / f'test_{name}.py'}."
        )
    files = {
        folder / f"{name}.ipynb": notebook_text(source, language),
        folder / f"test_{name}.py": checks,
        folder / FILE: public_data(source, language).to_json(),
    }
    scenarios = _read(exercises / "scenarios.py")
    if scenarios is not None:
        files[folder / "scenarios.py"] = scenarios
    return files


def worked_in(course: Course, assignment: str) -> Path | None:
    """The assignment's stub when somebody has changed it since it was generated, else None."""
    path = course.exercises_folder(assignment) / f"{assignment}.py"
    there = _read(path)
    return path if there is not None and not is_untouched(there) else None


def _read(path: Path) -> str | None:
    """A file's text with `\\n` line ends (a checkout may have others), None when there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None


def _write(path: Path, text: str) -> bool:
    """Put `text` in place at once, unless it is there already; return whether it was not."""
    if _read(path) == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, text.encode())
    return True


def _release(course: Course, assignment: str) -> Path:
    """Make classroom/release/<assignment> with nbgrader; the old one stays until the new is whole.

    `generate_assignment --force` removes the release first and leaves nothing when it fails, so
    nbgrader writes beside it and the folders change places afterwards.
    """
    try:
        from nbgrader.apps import NbGraderAPI
        from nbgrader.coursedir import CourseDirectory
        from traitlets.config import Config
    except ImportError:
        raise AutogradedError(
            "The release notebooks are made by nbgrader, which is not installed: "
            "pip install 'autograded[instructor]'."
        ) from None
    from autograded.gradebook.config import configure
    from autograded.gradebook.reasons import reason

    workshop = course.classroom / f".building-{os.getpid()}"
    config = Config()
    configure(config, course.root)
    config.CourseDirectory.release_directory = workshop.name
    config.NbGraderAPI.log_level = "ERROR"
    try:
        api = NbGraderAPI(CourseDirectory(config=config), config=config)
        result = api.generate_assignment(assignment, force=True, create=True)
        if not result["success"]:
            raise AutogradedError(
                f"nbgrader could not make the release of {assignment} (an older one is as it "
                f"was): {reason(result)}"
            )
        return _exchange(workshop / assignment, course.classroom / "release" / assignment)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


def _exchange(new: Path, place: Path) -> Path:
    """Move the folder `new` to `place`; what was there goes to `new` and can be removed."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        old = new.with_name(f"{new.name}.old")
        place.rename(old)
        try:
            new.rename(place)
        except OSError:
            old.rename(place)
            raise
    else:
        new.rename(place)
    return place
