"""Every message of the engine has a translation that fits, and the committed files are current."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograded.i18n import _, language, use
from i18n.catalogue import PO, catalogue, fields, indonesian, messages
from support import ROOT

SOURCES = sorted((ROOT / "src" / "autograded").rglob("*.py"))


@pytest.mark.parametrize("message", messages())
def test_a_translation_has_the_placeholders_of_its_message(message: str) -> None:
    assert fields(messages()[message]) == fields(message)


def test_nothing_is_untranslated_or_unsure() -> None:
    assert [m.id for m in catalogue() if m.id and not m.string] == []
    assert [m.id for m in catalogue() if m.id and m.fuzzy] == []


def test_the_engine_speaks_what_the_catalogue_says() -> None:
    assert {m: indonesian(m) for m in messages()} == messages()


def test_a_language_lasts_as_long_as_its_block() -> None:
    with use("id"):
        assert (language(), _("passed")) == ("id", "lolos")
    assert (language(), _("passed")) == ("en", "passed")


def test_every_message_in_the_sources_is_extracted() -> None:
    # A message inside an f-string, or made at run time, would be missed without a word.
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "_"
            ):
                (argument,) = node.args
                assert isinstance(argument, ast.Constant), f"{path}:{node.lineno}"
                assert argument.value in messages(), f"{path}:{node.lineno}"


def run_tool(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / "tools" / "messages.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of what the catalogues are made from, and of them."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    shutil.copy(ROOT / "babel.cfg", tmp_path)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    return tmp_path


def test_committed_catalogues_are_what_the_sources_make(sources: Path) -> None:
    done = run_tool(sources, "--check")

    assert (done.returncode, done.stderr) == (0, "")


def test_a_new_message_is_drift_until_it_is_translated(sources: Path) -> None:
    module = sources / "src" / "autograded" / "new.py"
    module.write_text("from autograded.i18n import _\n\nSENTENCE = _('a new sentence')\n")

    before = run_tool(sources, "--check")
    written = run_tool(sources)
    after = run_tool(sources, "--check")
    po = sources / PO.relative_to(ROOT)
    po.write_text(
        po.read_text(encoding="utf-8").replace(
            'msgid "a new sentence"\nmsgstr ""', 'msgid "a new sentence"\nmsgstr "kalimat baru"'
        ),
        encoding="utf-8",
    )
    uncompiled = run_tool(sources, "--check")
    run_tool(sources)
    translated = run_tool(sources, "--check")

    assert "drifted: src/autograded/locale/autograded.pot" in before.stderr
    assert "not translated: 'a new sentence'" in written.stderr
    assert after.stderr == "id: not translated: 'a new sentence'\n"
    assert "drifted" in uncompiled.stderr
    assert "autograded.mo" in uncompiled.stderr
    assert (translated.returncode, translated.stderr) == (0, "")
