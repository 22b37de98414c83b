"""What run_autograder runs at Gradescope: one submission in, results.json out.

A fault that is not the student's writes no result: Gradescope then shows that the autograder
failed, and nobody gets 0 points for it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from autograded.errors import AutogradedError, why
from autograded.exports.files import folder, write
from autograded.exports.gradescope_autograder import COURSE, SEED, SETTINGS


def run(root: Path) -> dict[str, Any]:
    """Grade what lies in `root`/submission; returns the document that was written.

    Args:
        root: /autograder, or a folder laid out like it.

    Raises:
        AutogradedError: it could not be graded for a reason outside the submission.
    """
    start = perf_counter()
    from autograded import scenarios
    from autograded.course import Course
    from autograded.sandbox import early

    source = root / "source"
    settings = _json(source / SETTINGS)
    assignment, level = str(settings["assignment"]), str(settings["sandbox"])
    course = Course.load(source / COURSE / "course.yml")
    early.begin(level, [*scenarios.find(course.root)], course.limits)
    # Imports torch, which takes seconds, while the warm process does the same.
    from autograded.exports.gradescope import gradescope
    from autograded.exports.results import outcome_of
    from autograded.i18n import use

    student = _student(root / "submission_metadata.json")
    result = _grade(root / "submission", course, assignment, level, source / SEED, student)
    with use(course.language):
        document = gradescope(outcome_of(result, course.feedback), perf_counter() - start)
    document["extra_data"]["student"] = student
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    write(folder(root / "results") / "results.json", text.encode("utf-8", "replace"))
    return document


def _grade(
    submission: Path, course: Any, assignment: str, level: str, seed: Path, student: str | None
) -> Any:
    from autograded.grading.session import Grader, Work, shared_sandbox
    from autograded.i18n import _, use
    from autograded.sandbox.program import Program
    from autograded.submissions.candidates import submitted
    from autograded.submissions.reader import HandedIn, read_cells
    from autograded.submissions.release import released
    from autograded.submissions.repair import repair

    known = course.assignment(assignment)
    # Refuses, where it must, before anything is said about the submission.
    sandbox = shared_sandbox(course, level)
    grader = Grader(course, assignment, sandbox, seed.read_text(encoding="ascii").strip())
    with use(course.language):
        try:
            chosen = submitted(submission, course, assignment)
        except AutogradedError:
            sentence = _("There is no notebook for {assignment} in what was handed in.")
            nothing = HandedIn(Program((), ""), problem=sentence.format(assignment=assignment))
            return grader.grade([Work(nothing, student=student)])[0].result
        work = chosen.candidate
        repaired = repair(
            work.content, work.filename, released(course, assignment), known, course.language
        )
        handed_in = read_cells(
            repaired.notebook["cells"], work.content, f"{assignment}.ipynb", repaired.problem
        )
    repairs = (*chosen.repairs, *repaired.repairs)
    return grader.grade([Work(handed_in, submission, student, repairs, repaired.lacking)])[0].result


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {str(key): value for key, value in data.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise AutogradedError(f"{path} cannot be read: {why(error)}; export again.") from error


def _student(metadata: Path) -> str | None:
    """Whose submission it is, as Gradescope's metadata names them: ids or addresses."""
    try:
        users = json.loads(metadata.read_text(encoding="utf-8"))["users"]
        names = [user.get("sid") or user.get("email") or user.get("name") for user in users]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # a score does not depend on it
    return ", ".join(map(str, filter(None, names))) or None


def main() -> int:
    """Grade the submission in the folder that is named."""
    try:
        document = run(Path(sys.argv[1]))
    except AutogradedError as error:
        print(f"autograded: {error}", file=sys.stderr)
        return 1
    print(f"{document['score']:g} points")
    return 0


if __name__ == "__main__":
    sys.exit(main())
