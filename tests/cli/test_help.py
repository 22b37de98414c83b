"""`--help`: quick, fits a terminal, and what it shows as an example is a command."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from autograded.cli import app
from support import command

ROOT_COMMAND = typer.main.get_command(app)
COMMANDS = sorted(ROOT_COMMAND.commands)  # type: ignore[attr-defined]


def examples(name: str) -> list[str]:
    epilog = ROOT_COMMAND.commands[name].epilog or ""  # type: ignore[attr-defined]
    return re.findall(r"`(autograded [^`]+)`", epilog)


EXAMPLES = [example for name in COMMANDS for example in examples(name)]


def parse(example: str) -> str:
    """Parse a command line as the shell and the program would; the subcommand's name."""
    words = shlex.split(example.partition(" > ")[0], comments=True)[1:]
    with ROOT_COMMAND.make_context("autograded", words) as root:
        rest = [*root._protected_args, *root.args]
        name, found, arguments = ROOT_COMMAND.resolve_command(root, rest)  # type: ignore[attr-defined]
        with found.make_context(name, arguments, parent=root):
            return str(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_of_itself(name: str) -> None:
    assert examples(name)
    assert {parse(example) for example in examples(name)} == {name}


def test_an_example_with_a_wrong_option_would_be_noticed() -> None:
    with pytest.raises(Exception, match="No such option"):
        parse("autograded check --sideways")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_and_option_is_explained(name: str) -> None:
    for parameter in ROOT_COMMAND.commands[name].params:  # type: ignore[attr-defined]
        assert parameter.help, parameter.name


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_eighty_columns_and_keeps_examples_whole(name: str, tmp_path: Path) -> None:
    done = command("autograded", *name.split(), "--help", cwd=tmp_path, COLUMNS="80")

    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "…" not in done.stdout  # nothing cut short
    for example in examples(name) if name else []:
        assert f" • {example}" in done.stdout


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_has_a_short_name(name: str, tmp_path: Path) -> None:
    short = command("autograded", *name.split(), "-h", cwd=tmp_path)
    long = command("autograded", *name.split(), "--help", cwd=tmp_path)

    assert short.returncode == 0
    assert short.stdout == long.stdout


def test_help_says_what_exit_statuses_mean(tmp_path: Path) -> None:
    text = command("autograded", "--help", cwd=tmp_path).stdout

    for status in (0, 1, 2, 70, 130):
        assert f"• {status}: " in text


@pytest.mark.parametrize("arguments", [["--help"], ["grade", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    code = (
        "import sys, autograded.cli as cli\n"
        f"sys.argv = ['autograded', *{arguments!r}]\n"
        "try:\n    cli.main()\nfinally:\n    print('loaded:', *sorted(sys.modules))"
    )
    program = tmp_path / "program.py"
    program.write_text(code)

    done = command("program", cwd=tmp_path)

    loaded = done.stdout.rpartition("loaded: ")[2].split()
    assert "typer" in loaded
    heavy = {"torch", "numpy", "nbgrader", "sqlalchemy", "pytest", "IPython", "jinja2"}
    assert heavy.isdisjoint(loaded)
