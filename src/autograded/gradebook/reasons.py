"""Why nbgrader could not do something, out of the log it captured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def reason(result: Mapping[str, Any]) -> str:
    """The last line of the traceback in what `NbGraderAPI` returned: the exception itself."""
    for text in (result.get("log") or "", result.get("error") or ""):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        # A record of the log begins with [; what follows it unmarked is a traceback.
        lines = [line for line in lines if not line.startswith("[")]
        if lines:
            return str(lines[-1])
    return "nbgrader gave no reason."
