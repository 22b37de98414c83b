"""The commands. Each is thin over a function; errors are one sentence on stderr.

Exit status: 0 when the command did its work, 1 when part of it could not be done or something it
checks does not hold, 2 when nothing could run, 70 after an error of our own, 130 after Ctrl-C.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from autograded import completion
from autograded.errors import AutogradedError, Interrupted

if TYPE_CHECKING:
    from autograded.course import Course

INTERNAL_ERROR = 70
"""Exit status after an error that no command foresaw (EX_SOFTWARE of sysexits.h)."""

_LEARNERS, _TEACHERS, _AUTHORS = "For learners", "For teachers", "For authors of a course"


def _list(title: str, *lines: str) -> str:
    """A list for the end of a help page; blank lines keep its items apart."""
    return "\n\n".join([f"{title}:", *(f"- {line}" for line in lines)])


def _examples(*commands: str) -> str:
    return _list("Examples", *(f"`{command}`" for command in commands))


app = typer.Typer(
    name="autograded",
    help="A course on PyTorch autograd whose exercises grade themselves, and its engine.",
    epilog=_list(
        "Exit status",
        "0: the command did its work",
        "1: part of it could not be done, or something it checks does not hold",
        "2: nothing could run; one sentence on stderr says why",
        "70: an error in autograded itself; `--debug` shows it whole",
        "130: stopped by Ctrl-C",
    )
    + "\n\n`autograded COMMAND --help` shows examples. `--debug` may stand anywhere.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


class LanguageOption(StrEnum):
    """Languages of the course text."""

    en = "en"
    id = "id"


class SandboxOption(StrEnum):
    """How student code is confined."""

    auto = "auto"
    bubblewrap = "bubblewrap"
    landlock = "landlock"
    off = "off"


class FormatOption(StrEnum):
    """Forms in which a result can be written."""

    native = "native"
    gradescope = "gradescope"
    github = "github"


class ExportOption(StrEnum):
    """Forms in which grades and courses can leave for other programs."""

    csv = "csv"
    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    github = "github"
    checks_csv = "checks-csv"
    checks_parquet = "checks-parquet"
    gradescope_autograder = "gradescope-autograder"
    github_classroom = "github-classroom"


CourseArgument = Annotated[
    Optional[Path],  # noqa: UP045 - typer reads the annotation
    typer.Option("--course", help="The course's folder; by default the nearest with a course.yml."),
]
AssignmentOption = Annotated[
    str,
    typer.Option(
        "--assignment",
        "-a",
        help="The assignment's name.",
        autocompletion=completion.assignments,
    ),
]
AssignmentArgument = Annotated[
    str, typer.Argument(help="The assignment's name.", autocompletion=completion.assignments)
]
ExerciseArgument = Annotated[
    Optional[str],  # noqa: UP045
    typer.Argument(
        help="An assignment or one exercise; everything by default.",
        autocompletion=completion.either,
    ),
]
SandboxArgument = Annotated[
    SandboxOption,
    typer.Option(
        "--sandbox",
        help="How student code is confined; `off` runs it unprotected, and results say so.",
    ),
]


def _course(folder: Path | None) -> Course:
    from autograded.course import Course

    if folder is None:
        return Course.find()
    return Course.load(folder if folder.name == "course.yml" else folder / "course.yml")


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show a traceback where an error is one sentence.")
    ] = False,
) -> None:
    context.obj = {"debug": debug}
    if version:
        from autograded import __version__

        typer.echo(f"autograded {__version__}")
        raise typer.Exit


@app.command(
    rich_help_panel=_LEARNERS,
    epilog=_examples(
        "autograded check",
        "autograded check relu_net",
        "autograded check relu_net.gradients",
    ),
)
def check(
    exercise: ExerciseArgument = None,
    course: CourseArgument = None,
) -> None:
    """Run a learner's own checks on the files in exercises/. Exit status 1 while any fails."""
    from autograded.learner import check_exercises

    if not check_exercises(_course(course), exercise):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=_LEARNERS,
    epilog=_examples(
        "autograded watch",
        "autograded watch relu_net",
    ),
)
def watch(
    exercise: ExerciseArgument = None,
    course: CourseArgument = None,
) -> None:
    """Run a learner's checks again on every save; keys bring hints and move on."""
    from autograded.watch import watch as run

    run(_course(course), exercise)


@app.command(
    rich_help_panel=_LEARNERS,
    epilog=_examples(
        "autograded hint relu_net.gradients",
        "autograded hint relu_net.gradients --again",
    ),
)
def hint(
    exercise: Annotated[
        str,
        typer.Argument(
            help="An exercise, such as relu_net.gradients.", autocompletion=completion.exercises
        ),
    ],
    again: Annotated[
        bool, typer.Option("--again", help="Show those seen so far, and no new one.")
    ] = False,
    course: CourseArgument = None,
) -> None:
    """Reveal the next hint of an exercise, from the idea towards the code."""
    from autograded.learner import next_hint

    next_hint(_course(course), exercise, again=again)


@app.command(
    rich_help_panel=_AUTHORS,
    epilog=_examples(
        "autograded build",
        "autograded build relu_net --language id",
        "autograded build --check  # in CI",
    ),
)
def build(
    assignments: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            help="Assignments to build; all by default.", autocompletion=completion.assignments
        ),
    ] = None,
    language: Annotated[
        Optional[LanguageOption],  # noqa: UP045
        typer.Option(
            "--language", help="Language of stubs and notebooks; course.yml's by default."
        ),
    ] = None,
    check_only: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit status 1 when exercises/ has drifted."),
    ] = False,
    release: Annotated[
        bool, typer.Option(help="Also make classroom/release through nbgrader.")
    ] = True,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite stubs that somebody has worked in.")
    ] = False,
    course: CourseArgument = None,
) -> None:
    """Make stubs, source notebooks and release notebooks from solutions/."""
    from autograded.authoring.build import build as build_forms
    from autograded.authoring.build import drift

    found = _course(course)
    if check_only:
        differing = drift(found, assignments or ())
        for path in differing:
            typer.echo(f"drifted: {path.relative_to(found.root)}", err=True)
        if differing:
            typer.echo("Run `autograded build` and commit what it writes.", err=True)
            raise typer.Exit(1)
        typer.echo("exercises/ is what solutions/ makes.")
        return
    for built in build_forms(
        found,
        language.value if language else None,
        assignments or (),
        release=release,
        force=force,
    ):
        changed = f"{len(built.written)} files written" if built.written else "nothing changed"
        where = f", release in {built.release.relative_to(found.root)}" if built.release else ""
        typer.echo(f"{built.assignment}: {changed}{where}")


@app.command(
    rich_help_panel=_AUTHORS,
    epilog=_examples(
        "autograded verify",
        "autograded verify --only relu_net --no-pairs",
        "autograded verify --json evidence.json",
    ),
)
def verify(
    only: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--only",
            help="Prove only this assignment; may be repeated.",
            autocompletion=completion.assignments,
        ),
    ] = None,
    pairs: Annotated[
        bool, typer.Option(help="Try two misconceptions at once as well (most of the work).")
    ] = True,
    notes: Annotated[
        bool, typer.Option("--notes", help="Show what is not wrong, but worth a look.")
    ] = False,
    evidence: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--json", help="Write there what every check said of every misconception."),
    ] = None,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--jobs", "-j", min=1, help="Processes; one for each core by default."),
    ] = None,
    sandbox: SandboxArgument = SandboxOption.auto,
    course: CourseArgument = None,
) -> None:
    """Prove the course: stubs fail, solutions pass, misconceptions are caught and told apart.

    Exit status 1 when anything does not hold; each fault is one line.
    """
    from autograded.verify import verify_and_show

    verdict = verify_and_show(
        _course(course), only or (), pairs=pairs, jobs=jobs, level=sandbox.value, notes=notes
    )
    if evidence is not None:
        text = json.dumps(verdict.to_document(), indent=1, ensure_ascii=False)
        _write(evidence, text + "\n")
    if not verdict.clean:
        raise typer.Exit(1)


@app.command(
    "grade-file",
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded grade-file relu_net.ipynb -a relu_net",
        "autograded grade-file work.py -a pitfalls --output result.json",
    ),
)
def grade_file(
    path: Annotated[Path, typer.Argument(help="A notebook or a .py file.")],
    assignment: AssignmentOption,
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--output", "-o", help="Write the result there instead of printing it."),
    ] = None,
    student: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--student", help="Student id to write into the result."),
    ] = None,
    result_format: Annotated[
        FormatOption, typer.Option("--format", help="Form of the result.")
    ] = FormatOption.native,
    sandbox: SandboxArgument = SandboxOption.auto,
    course: CourseArgument = None,
) -> None:
    """Grade one file with the hidden checks and print the result as JSON.

    Exit status 0 whenever it could be graded, whatever the score; 2 when it could not.
    """
    from autograded import scenarios
    from autograded.sandbox import early

    found = _course(course)
    found.assignment(assignment)
    early.begin(sandbox.value, [*scenarios.find(found.root)], found.limits)
    # Imports torch, which takes seconds, while the warm process does the same.
    from autograded.grading.session import grade_file as grade

    result = grade(path, found, assignment, level=sandbox.value, student=student)
    if result_format is FormatOption.native:
        document = result.to_document()
    else:
        from autograded.exports.github import github_classroom
        from autograded.exports.gradescope import gradescope
        from autograded.exports.results import outcome_of

        form = gradescope if result_format is FormatOption.gradescope else github_classroom
        document = form(outcome_of(result, found.feedback))
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        _write(output, text)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise AutogradedError(f"{path} cannot be written: {error.strerror}.") from error


@app.command(
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded grade relu_net",
        "autograded grade relu_net --student ada --force",
        "autograded grade relu_net --jobs 8",
        "autograded grade relu_net --scheduler tcp://host:8786",
    ),
)
def grade(
    assignment: AssignmentArgument,
    student: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--student", help="Grade only this student; may be repeated."),
    ] = None,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--jobs", "-j", min=1, help="Worker processes; one for each core by default."),
    ] = None,
    scheduler: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--scheduler", help="Address of a Dask scheduler to grade on its workers."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Grade again what has been graded.")
    ] = False,
    json_events: Annotated[
        bool, typer.Option("--json", help="Print one JSON event a line instead of a bar.")
    ] = False,
    sandbox: SandboxArgument = SandboxOption.auto,
    course: CourseArgument = None,
) -> None:
    """Grade all submissions of an assignment into the gradebook.

    Exit status 0 when all were graded, 1 when some could not be, 2 when nothing could run.
    """
    from time import perf_counter

    from autograded.gradebook import server

    found = _course(course)
    found.assignment(assignment)
    if scheduler is None:
        server.begin(found, sandbox.value)
    # Imports nbgrader, which takes a while, as the server does torch.
    from autograded.gradebook.closing import print_closing
    from autograded.gradebook.grade import Options, grade_class

    start = perf_counter()
    options = Options(
        students=student or (),
        force=force,
        jobs=jobs,
        scheduler=scheduler,
        sandbox=sandbox.value,
        progress="json" if json_events else "auto",
    )
    try:
        outcomes = grade_class(found, assignment, options)
    except KeyboardInterrupt:
        raise Interrupted("Stopped; what was recorded stays: start again to go on.") from None
    if not json_events:
        print_closing(outcomes, perf_counter() - start)
    if any(outcome.error for outcome in outcomes):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=_AUTHORS,
    epilog=_examples(
        "autograded schema > results.schema.json",
    ),
)
def schema() -> None:
    """Print the JSON Schema of the result document."""
    from autograded.grading.results import Result

    document = Result.model_json_schema(by_alias=True, mode="serialization")
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


@app.command(
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded collect relu_net moodle.zip --dry-run",
        "autograded collect relu_net downloads/ --roster roster.csv",
    ),
)
def collect(
    assignment: AssignmentArgument,
    source: Annotated[
        Path,
        typer.Argument(
            help="What Moodle, Canvas or Gradescope let you download, an nbgrader exchange, "
            "or a folder or zip with a folder or file per student."
        ),
    ],
    roster: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--roster", help="The class as CSV; by default roster.csv, else the gradebook."
        ),
    ] = None,
    enrol: Annotated[
        bool, typer.Option("--enrol", help="Also take people who are not in the roster, by id.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done.")] = False,
    course: CourseArgument = None,
) -> None:
    """Bring handed-in work into classroom/submitted, the newest of each student.

    Exit status 1 when somebody is not in the class or handed in nothing that can be graded.
    """
    from autograded.collecting.command import run

    if not run(_course(course), assignment, source, roster=roster, enrol=enrol, dry_run=dry_run):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded repairs relu_net",
        "autograded repairs relu_net --student ada --no-diff",
    ),
)
def repairs(
    assignment: AssignmentArgument,
    student: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--student", help="Only this student; may be repeated."),
    ] = None,
    diff: Annotated[bool, typer.Option(help="Show what was changed.")] = True,
    course: CourseArgument = None,
) -> None:
    """List what has to be put right in the submissions of an assignment: who, what and why."""
    from autograded.reports.table import plain
    from autograded.submissions.review import review

    count = 0
    for found in review(_course(course), assignment, student or ()):
        count += 1
        typer.echo(plain(f"{found.student}  {found.file}"))
        if found.problem:
            typer.echo(f"  not graded: {found.problem}")
        for repair in found.repairs:
            typer.echo(plain(f"  {repair.id}: {repair.message}"))
        if diff:
            for line in found.diff:
                typer.echo(plain(f"    {line}"))
    typer.echo(f"{count} submissions of {assignment} are not as released.")


@app.command(
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded export --format csv",
        "autograded export relu_net --format canvas --template gradebook.csv",
        "autograded export relu_net -f moodle -t worksheet.csv -o grades.csv",
        "autograded export --format checks-parquet",
        "autograded export relu_net --format gradescope-autograder",
    ),
)
def export(
    assignments: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            help="Assignments to export; all by default, where the format allows.",
            autocompletion=completion.assignments,
        ),
    ] = None,
    export_format: Annotated[
        ExportOption, typer.Option("--format", "-f", help="Form to write.")
    ] = ExportOption.csv,
    template: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--template",
            "-t",
            help="For canvas and moodle: the gradebook or worksheet downloaded there. One column "
            "is filled in; every other cell stays.",
        ),
    ] = None,
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--output", "-o", help="File or folder to write; by default in classroom/exports."
        ),
    ] = None,
    column: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--column", help="For canvas and moodle: the column to fill, where it cannot be told."
        ),
    ] = None,
    student: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--student", help="Export only this student; may be repeated."),
    ] = None,
    sandbox: Annotated[
        SandboxOption,
        typer.Option(
            "--sandbox", help="For gradescope-autograder: how student code is confined there."
        ),
    ] = SandboxOption.auto,
    course: CourseArgument = None,
) -> None:
    """Write grades and results in the forms that other programs read.

    Exit status 0 when all was written, 1 when some of it could not be, 2 when nothing could.
    """
    from autograded.exports.command import Request, run

    request = Request(
        export_format.value,
        tuple(assignments or ()),
        output,
        template,
        column,
        tuple(student or ()),
        sandbox.value,
    )
    if not run(_course(course), request):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded report",
        "autograded report relu_net backward --output midterm.html",
        "autograded report --me exercises/  # a learner's own page",
    ),
)
def report(
    assignments: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            help="Assignments to report on; all by default.", autocompletion=completion.assignments
        ),
    ] = None,
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--output",
            "-o",
            help="The page's file; by default in classroom/reports, named after the assignment, "
            "or class.html; with --me, progress.html in the folder.",
        ),
    ] = None,
    me: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            "--me",
            help="A learner's folder, such as exercises/: make their own page instead, from their "
            "files and the public checks.",
        ),
    ] = None,
    course: CourseArgument = None,
) -> None:
    """Make the class report, one HTML page for teachers; with --me, a learner's own page.

    The class report shows scores, items, misconceptions and likeness; a learner's page how far
    they are, what their code does, the hints they have seen, and what comes next.

    Exit status 1 when something could not be read; the page then names it and holds the rest.
    """
    from autograded.reports.table import plain

    if me is not None:
        from autograded.course import Course
        from autograded.reports.learner_page import write_learner_page

        found = Course.find(me) if course is None else _course(course)
        page = write_learner_page(me, found, assignments or (), output)
        for problem in page.problems:
            typer.echo(plain(f"not checked: {problem}"), err=True)
        typer.echo(f"{page.path}: {page.summary}")
        if page.problems:
            raise typer.Exit(1)
        return

    from autograded.reports.class_report import write_report

    made = write_report(_course(course), assignments or (), output)
    for problem in made.problems:
        typer.echo(plain(f"not in the report: {problem}"), err=True)
    typer.echo(f"Graded submissions in {made.path}: {made.submissions}")
    if made.problems:
        raise typer.Exit(1)


@app.command(
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded demo",
        "autograded demo --students 12 --folder /tmp/demo",
    ),
)
def demo(
    students: Annotated[int, typer.Option("--students", min=1, help="Size of the class.")] = 30,
    folder: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--folder", help="Where to make the class; by default demo/ in the course."),
    ] = None,
    course: CourseArgument = None,
) -> None:
    """Simulate a class, grade it end to end through nbgrader, and say where to look."""
    from autograded.demo import run

    run(_course(course), students=students, folder=folder)


@app.command(
    rich_help_panel=_TEACHERS,
    epilog=_examples(
        "autograded doctor",
        "autograded doctor --course ~/course",
    ),
)
def doctor(course: CourseArgument = None) -> None:
    """Say what this machine can do, and what to install. Exit status 1 when grading cannot run."""
    from autograded.doctor import examine

    if not examine(course):
        raise typer.Exit(1)


def main() -> None:
    """Run the command line; turn errors into one sentence and an exit status."""
    from autograded.startup import collect_rarely, ending_quickly, skip_url_grammar

    collect_rarely()
    skip_url_grammar()
    ending_quickly(_main)


def _main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What a terminal's encoding lacks must not end a command.
            stream.reconfigure(errors="backslashreplace")
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    debug = len(arguments) < len(sys.argv) - 1
    try:
        app(args=arguments, prog_name="autograded")
    except AutogradedError as error:
        _explain(error, debug=debug)
        sys.exit(error.exit_status)
    except Exception as error:  # noqa: BLE001 - nobody who teaches is to read a traceback
        _explain(error, debug=debug)
        sys.exit(INTERNAL_ERROR)
    finally:
        _let_go_of_output()


def _explain(error: Exception, *, debug: bool) -> None:
    """Print an error as one sentence, or as a traceback."""
    if debug:
        traceback.print_exc()
        return
    from autograded.reports.table import plain

    first, *more = str(error).splitlines() or [""]
    if isinstance(error, AutogradedError):
        sentence = f"{first} (--debug shows the rest)" if more else first
    else:
        reason = f"{type(error).__name__}: {first}" if first else type(error).__name__
        sentence = (
            f"internal error ({reason}); run it again with --debug, and send what it prints to "
            "those who maintain autograded."
        )
    typer.echo(plain(f"autograded: {sentence}"), err=True)


def _let_go_of_output() -> None:
    """Write out what is buffered, and say nothing when nobody reads it any more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
