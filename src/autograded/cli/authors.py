"""Commands for authors of a course."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Optional

import typer

from autograded import completion
from autograded.cli.application import AUTHORS, app, course_in, examples, write
from autograded.cli.options import (
    CourseArgument,
    JobsOption,
    LanguageOption,
    SandboxArgument,
    SandboxOption,
)


@app.command(
    rich_help_panel=AUTHORS,
    epilog=examples(
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
    """Make stubs, source notebooks and release notebooks from solutions/.

    A stub in exercises/ that somebody has worked in is kept; `--force` overwrites it.
    """
    from autograded.authoring.build import build as build_forms
    from autograded.authoring.build import drift, worked_in

    found = course_in(course)
    if check_only:
        differing = drift(found, assignments or ())
        kept = {worked_in(found, name) for name in assignments or found.assignments}
        for path in differing:
            what = "worked in" if path in kept else "drifted"
            typer.echo(f"{what}: {path.relative_to(found.root)}", err=True)
        if kept.intersection(differing):
            typer.echo(
                "`autograded build` keeps what was worked in: move it away, or build with --force.",
                err=True,
            )
        if set(differing) - kept:
            typer.echo("Run `autograded build` and commit what it writes.", err=True)
        if differing:
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
        stub = built.kept and built.kept.relative_to(found.root)
        work = f"; kept {stub}, which was worked in (--force overwrites)" if stub else ""
        typer.echo(f"{built.assignment}: {changed}{where}{work}")


@app.command(
    rich_help_panel=AUTHORS,
    epilog=examples(
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
    jobs: JobsOption = None,
    sandbox: SandboxArgument = SandboxOption.auto,
    course: CourseArgument = None,
) -> None:
    """Prove the course: stubs fail, solutions pass, misconceptions are caught and told apart.

    Exit status 1 when anything does not hold; each fault is one line.
    """
    from autograded.verify import verify_and_show

    verdict = verify_and_show(
        course_in(course), only or (), pairs=pairs, jobs=jobs, level=sandbox.value, notes=notes
    )
    if evidence is not None:
        text = json.dumps(verdict.to_document(), indent=1, ensure_ascii=False)
        write(evidence, text + "\n")
    if not verdict.clean:
        raise typer.Exit(1)


@app.command(
    rich_help_panel=AUTHORS,
    epilog=examples(
        "autograded schema > results.schema.json",
    ),
)
def schema() -> None:
    """Print the JSON Schema of the result document."""
    from autograded.grading.results import Result

    document = Result.model_json_schema(by_alias=True, mode="serialization")
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
