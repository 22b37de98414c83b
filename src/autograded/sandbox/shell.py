"""An IPython shell that keeps what cells print and display, as nbformat outputs."""

from __future__ import annotations

import base64
import builtins
import contextlib
import inspect
import io
import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from IPython.core.autocall import ExitAutocall
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets import Type
from traitlets.config import Config

from autograded.i18n import _
from autograded.sandbox.limits import OUTPUTS_PER_CELL

_OWN = str(Path(__file__).parent)
_INSTALL = re.compile(r"\s*(\S*python\S*\s+-m\s+)?(pip3?|conda|mamba|uv)(\s+pip)?\s+install\b")

Output = dict[str, Any]


class Outputs:
    """The outputs of the running cell, in order and capped."""

    def __init__(self, cell_bytes: int, total_bytes: int) -> None:
        self.outputs: list[Output] = []
        self.muted = True
        self._cell_room, self._total_room = cell_bytes, total_bytes
        self._room = 0
        self._clear_next = self._told = False
        self._displays: dict[str, list[Output]] = {}

    def start(self) -> None:
        """Begin a cell."""
        self.outputs = []
        self._room = min(self._cell_room, self._total_room)
        self._told = self._clear_next = False
        self.muted = False

    def finish(self) -> list[Output]:
        """End the cell and return its outputs."""
        self.muted = True
        for output in self.outputs:
            if output["output_type"] == "stream":
                output["text"] = "".join(output["text"])
        return self.outputs

    def stream(self, name: str, text: str) -> None:
        """Add printed text; consecutive pieces of one stream become one output."""
        if self.muted or not text:
            return
        self._clear_if_asked()
        last = self.outputs[-1] if self.outputs else {}
        follows = last.get("output_type") == "stream" and last["name"] == name
        kept = text[: self._room] if follows or not self._full() else ""
        self._take(len(kept))
        if kept and follows:
            # Joined when the cell ends: adding to a string again and again is quadratic.
            last["text"].append(kept)
        elif kept:
            self.outputs.append({"output_type": "stream", "name": name, "text": [kept]})
        if len(kept) < len(text):
            self._tell()

    def add(self, output: Output, transient: dict[str, Any] | None = None) -> None:
        """Add any other output."""
        if self.muted:
            return
        self._clear_if_asked()
        size = len(json.dumps(output))
        if size > self._room or self._full():
            self._tell()
            return
        self._take(size)
        self.outputs.append(output)
        display_id = (transient or {}).get("display_id")
        if isinstance(display_id, str):
            self._displays.setdefault(display_id, []).append(output)

    def update(self, data: dict[str, Any], metadata: dict[str, Any], display_id: Any) -> None:
        """Replace what was displayed under an id."""
        size = len(json.dumps([data, metadata]))
        for output in self._displays.get(display_id, ()):
            if size <= self._room:
                self._take(size)
                output.update(data=data, metadata=metadata)

    def clear(self, wait: bool) -> None:
        """Clear the cell's outputs, at once or when the next one comes."""
        self._clear_next = True
        if not wait:
            self._clear_if_asked()

    def _clear_if_asked(self) -> None:
        if self._clear_next:
            self._clear_next = False
            self.outputs.clear()

    def _full(self) -> bool:
        return len(self.outputs) >= OUTPUTS_PER_CELL

    def _take(self, size: int) -> None:
        self._room -= size
        self._total_room -= size

    def _tell(self) -> None:
        if not self._told:
            self._told = True
            text = ["\n" + _("[the rest of this cell's output is left out: too much]") + "\n"]
            self.outputs.append({"output_type": "stream", "name": "stderr", "text": text})


class Stream(io.TextIOBase):
    """A standard stream whose text becomes an output."""

    encoding = "utf-8"

    def __init__(self, name: str, outputs: Outputs) -> None:
        self.name = name
        self._outputs = outputs

    def write(self, text: str) -> int:
        """Keep the text."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._outputs.stream(self.name, str(text))
        return len(text)

    def writable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor a child process would write to, which leads nowhere."""
        return 1 if self.name == "stdout" else 2


class _Hook(DisplayHook):  # type: ignore[misc]
    """Keeps the value of a cell's last expression."""

    def write_output_prompt(self) -> None:
        """Write no prompt."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        """Keep the representations."""
        self.shell.outputs.add(
            {
                "output_type": "execute_result",
                "execution_count": self.prompt_count,
                "data": _plain(format_dict),
                "metadata": _plain(md_dict or {}),
            }
        )

    def finish_displayhook(self) -> None:
        """Write nothing."""
        self._is_active = False


class _Publisher(DisplayPublisher):  # type: ignore[misc]
    """Keeps what `display` shows."""

    def publish(
        self,
        data: Any,
        metadata: Any = None,
        *args: Any,
        transient: Any = None,
        update: bool = False,
        **kwargs: Any,
    ) -> None:
        """Keep the representations."""
        data, metadata = _plain(data), _plain(metadata or {})
        outputs: Outputs = self.shell.outputs
        if update:
            outputs.update(data, metadata, (transient or {}).get("display_id"))
        else:
            outputs.add(
                {"output_type": "display_data", "data": data, "metadata": metadata}, transient
            )

    def clear_output(self, wait: bool = False) -> None:
        """Clear the cell's outputs."""
        self.shell.outputs.clear(wait)


def _plain(data: Any) -> dict[str, Any]:
    """Keep what JSON can hold; bytes become base64, as notebooks have them."""
    kept = {}
    for key, value in dict(data).items():
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode()
        with contextlib.suppress(TypeError, ValueError):
            kept[str(key)] = json.loads(json.dumps(value))
    return kept


class Shell(InteractiveShell):  # type: ignore[misc]
    """Runs cells without a terminal, a history file or a person to ask."""

    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)

    def __init__(self, **kwargs: Any) -> None:
        self.outputs = Outputs(0, 0)
        self.cell_names: dict[str, str] = {}
        super().__init__(**kwargs)
        self.compile.get_code_name = self._code_name
        builtins.input = _no_input
        for name in ("exit", "quit"):
            self.user_ns[name] = ExitAutocall(self)

    def _code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        name = self.cell_names.get(raw_code) or f"<cell {number}>"
        # Else every traceback searches all loaded modules, thousands with torch, for this file.
        path = os.path.normcase(os.path.abspath(name))  # noqa: PTH100 - as inspect writes it
        inspect.modulesbyfile[path] = "__main__"
        return name

    def _tee(self, channel: str) -> contextlib.AbstractContextManager[None]:
        """Keep no second, unbounded copy of what is printed, as IPython 9 does for its history."""
        return contextlib.nullcontext()

    def _get_exc_info(self, exc_tuple: Any = None) -> Any:
        """What a cell raised, without the frames of ours that a call into torch went through."""
        found = super()._get_exc_info(exc_tuple)
        trace = found[2]
        while trace is not None and trace.tb_next is not None:
            if trace.tb_next.tb_frame.f_code.co_filename.startswith(_OWN):
                trace.tb_next = trace.tb_next.tb_next
            else:
                trace = trace.tb_next
        return found

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        self.outputs.add(
            {
                "output_type": "error",
                "ename": getattr(etype, "__name__", str(etype)),
                "evalue": _text(evalue),
                "traceback": [line for part in stb for line in str(part).split("\n")][-400:],
            }
        )

    def ask_exit(self) -> None:
        """Leave the cell, for `exit()` and `quit()`."""
        raise SystemExit

    def enable_gui(self, gui: Any = None) -> None:
        """Enable nothing: there is no screen."""

    def system(self, cmd: str) -> None:
        """Run `!cmd` with its output shown; nothing can be installed."""
        text, self.user_ns["_exit_code"] = _run(self.var_expand(cmd, depth=1))
        sys.stdout.write(text)

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        """Return the output of `!cmd`, as lines by default."""
        text, self.user_ns["_exit_code"] = _run(self.var_expand(cmd, depth=depth + 1))
        return SList(text.splitlines()) if split else text

    def run(self, source: str) -> BaseException | None:
        """Run one cell; return what it raised, if anything."""
        result = self.run_cell(source, store_history=True)
        error: BaseException | None = result.error_before_exec or result.error_in_exec
        return error


def _run(command: str) -> tuple[str, int]:
    if _INSTALL.match(command):
        return _("Nothing can be installed where this notebook is graded.") + "\n", 1
    done = subprocess.run(
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace"), done.returncode


def _no_input(prompt: object = "") -> str:
    raise StdinNotImplementedError(_("input() has nobody to ask where this notebook is graded"))


def _text(value: object) -> str:
    try:
        return str(value)[:2_000]
    except Exception:  # noqa: BLE001 - a student's __str__ may raise anything
        return ""


def create() -> Shell:
    """Create the shell, with everything loaded that IPython would load when first used."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Context"
    shell: Shell = Shell.instance(config=config)
    with captured(shell, Outputs(10**6, 10**6)):
        shell.outputs.start()
        shell.run("def f():\n    return 1 / 0\nf()")
        shell.run("x = = 1")
        shell.run("import asyncio\nprint(1)\n[1]")
        shell.run("%matplotlib inline")
        shell.outputs.finish()
    shell.reset(new_session=True)
    shell.execution_count = 1
    warnings.filterwarnings("ignore", "To exit: use")
    return shell


@contextlib.contextmanager
def captured(shell: Shell, outputs: Outputs) -> Iterator[None]:
    """Let the shell and the standard streams write into `outputs`."""
    shell.outputs = outputs
    before = sys.stdout, sys.stderr
    sys.stdout = Stream("stdout", outputs)
    sys.stderr = Stream("stderr", outputs)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
