"""What lets a grading process start, and end, sooner."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from types import ModuleType, SimpleNamespace
from typing import Any

_COMPILER = "torch._dynamo"


def skip_url_grammar() -> None:
    """Keep `jsonschema` from building a grammar of URLs, which takes it more than a second.

    nbformat and nbgrader import it; no schema of theirs asks for what the grammar would check.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def collect_rarely() -> None:
    """Look for garbage a hundred times less often than Python does by itself.

    Importing torch or nbgrader makes millions of objects that all stay; going through them again
    and again is a fourth of the time that it takes.
    """
    gc.set_threshold(100_000, 20, 100)


class _PostponedCompiler(ModuleType):
    """Stands for torch's compiler until something asks it for more than to stay away."""

    def __init__(self) -> None:
        super().__init__(_COMPILER)
        without = SimpleNamespace(_disable=nullcontext)
        self.__dict__.update(graph_break=_nothing, disable=_as_it_is, compiled_autograd=without)

    def __getattr__(self, name: str) -> Any:
        # Whoever looks through all modules, as tracebacks do, asks each for its file and the like.
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        if sys.modules.get(_COMPILER) is self:
            del sys.modules[_COMPILER], sys.modules["torch"]._dynamo
        return getattr(importlib.import_module(_COMPILER), name)


def _nothing(*_: object, **__: object) -> None:
    pass


def _as_it_is(function: Any = None, *_: object, **__: object) -> Any:
    return _as_it_is if function is None else function


def postpone_compiler() -> None:
    """Let torch's optimizers work without importing torch's compiler, a second and 70 MB.

    `torch.optim` only asks it not to compile what it does. Whoever asks for anything else, such as
    `torch.compile`, gets the real one then.
    """
    import torch

    if _COMPILER not in sys.modules:
        torch._dynamo = sys.modules[_COMPILER] = _PostponedCompiler()


def ending_quickly(command: Callable[[], None]) -> None:
    """Run a whole command; when it has ended, do not take all modules down in good order.

    That takes up to a second, and leaves nothing better behind.
    """
    status: list[object] = []

    def leave() -> None:
        if status and isinstance(status[0], int):
            # Where a stream cannot be written, Python says so in its own way.
            with contextlib.suppress(OSError, ValueError):
                for stream in (sys.stdout, sys.stderr):
                    if stream is not None:
                        stream.flush()
                os._exit(status[0])

    atexit.register(leave)  # the first to be registered is the last to be called
    try:
        command()
        status.append(0)
    except SystemExit as end:
        status.append(end.code or 0)
        raise
