"""Commands for teachers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from autograded import completion
from autograded.cli.application import TEACHERS, app, course_in, examples, write
from autograded.cli.options import (
    AssignmentArgument,
    AssignmentOption,
    CourseArgument,
    ExportOption,
    FormatOption,
    JobsOption,
    SandboxArgument,
    SandboxOption,
    StudentsOption,
)
from autograded.errors import Interrupted


@app.command(
    "grade-file",
    rich_help_panel=TEACHERS,
    epilog=examples(
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

    found = course_in(course)
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
        write(output, text)


@app.command(
    rich_help_panel=TEACHERS,
    epilog=examples(
        "autograded grade relu_net",
        "autograded grade relu_net --student ada --force",
        "autograded grade relu_net --jobs 8",
        "autograded grade relu_net --scheduler tcp://host:8786",
    ),
)
def grade(
    assignment: AssignmentArgument,
    student: StudentsOption = None,
    jobs: JobsOption = None,
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

    found = course_in(course)
    found.assignment(assignment)
    if scheduler is None:
        server.begin(found, sandbox.value)
    # Imports nbgrader, which takes a while, as the server does torch.
    from autograded.gradebook.closing import print_closing
    from autograded.gradebook.grade import Options, grade_class
    from autograded.i18n import use

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
        with use(found.language):
            print_closing(outcomes, perf_counter() - start)
    if any(outcome.error for outcome in outcomes):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=TEACHERS,
    epilog=examples(
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

    Exit status 1 when somebody is not in the class or handed in nothing that can be graded, or when
    something was left out of somebody's files.
    """
    from autograded.collecting.command import run

    if not run(course_in(course), assignment, source, roster=roster, enrol=enrol, dry_run=dry_run):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=TEACHERS,
    epilog=examples(
        "autograded repairs relu_net",
        "autograded repairs relu_net --student ada --no-diff",
    ),
)
def repairs(
    assignment: AssignmentArgument,
    student: StudentsOption = None,
    diff: Annotated[bool, typer.Option(help="Show what was changed.")] = True,
    course: CourseArgument = None,
) -> None:
    """List what has to be put right in the submissions of an assignment: who, what and why."""
    from autograded.reports.table import plain
    from autograded.submissions.review import review

    count = 0
    for found in review(course_in(course), assignment, student or ()):
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
    rich_help_panel=TEACHERS,
    epilog=examples(
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
    student: StudentsOption = None,
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
    if not run(course_in(course), request):
        raise typer.Exit(1)


@app.command(
    rich_help_panel=TEACHERS,
    epilog=examples(
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

        found = Course.find(me) if course is None else course_in(course)
        page = write_learner_page(me, found, assignments or (), output)
        for problem in page.problems:
            typer.echo(plain(f"not checked: {problem}"), err=True)
        typer.echo(f"{page.path}: {page.summary}")
        if page.problems:
            raise typer.Exit(1)
        return

    from autograded.reports.class_report import write_report

    made = write_report(course_in(course), assignments or (), output)
    for problem in made.problems:
        typer.echo(plain(f"not in the report: {problem}"), err=True)
    typer.echo(f"Graded submissions in {made.path}: {made.submissions}")
    if made.problems:
        raise typer.Exit(1)


@app.command(
    rich_help_panel=TEACHERS,
    epilog=examples(
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

    run(course_in(course), students=students, folder=folder)


@app.command(
    rich_help_panel=TEACHERS,
    epilog=examples(
        "autograded doctor",
        "autograded doctor --course ~/course",
    ),
)
def doctor(course: CourseArgument = None) -> None:
    """Say what this machine can do, and what to install. Exit status 1 when grading cannot run."""
    from autograded.doctor import examine

    if not examine(course):
        raise typer.Exit(1)
