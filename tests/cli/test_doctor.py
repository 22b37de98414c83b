"""`autograded doctor`: what it says can be acted on, and is shown whole."""

from __future__ import annotations

import importlib.util
import io
from importlib.machinery import ModuleSpec

import pytest
from rich.console import Console

from autograded import doctor
from autograded.sandbox import confinement
from support import ROOT


def told(monkeypatch: pytest.MonkeyPatch, *, missing: tuple[str, ...] = ()) -> tuple[bool, str]:
    """Whether grading can run, and what is printed, where some packages are missing."""
    find = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in missing else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    out = io.StringIO()
    usable = doctor.examine(ROOT, Console(file=out, width=300, highlight=False))
    return usable, out.getvalue()


def test_what_to_install_is_shown_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    usable, text = told(monkeypatch, missing=("nbgrader", "distributed"))

    assert usable
    assert "! nbgrader" in text
    assert "pip install 'autograded[instructor]'" in text
    assert "pip install 'autograded[cluster]'" in text


def test_nothing_is_said_of_a_level_that_nobody_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    usable, text = told(monkeypatch)

    assert usable
    assert "sandbox bubblewrap" in text
    assert "landlock" not in text
    assert "!" not in text


def test_without_confinement_grading_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "_bubblewrap_fault", lambda: "bwrap [x] is refused here")

    usable, text = told(monkeypatch)

    assert not usable
    assert "✗ sandbox bubblewrap" in text
    assert "bwrap [x] is refused here" in text
    assert "! sandbox off" in text
