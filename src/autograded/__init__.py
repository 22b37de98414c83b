"""A course on PyTorch autograd whose exercises grade themselves, and the engine that grades them.

`import autograded` is light: nothing heavy is imported until it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograded.notebook import check

__version__ = "0.1.0"
__all__ = ["__version__", "check"]


def __getattr__(name: str) -> Any:
    if name == "check":
        from autograded.notebook import check

        globals()["check"] = check
        return check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
