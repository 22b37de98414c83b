"""Text that others wrote, made safe to show."""

from __future__ import annotations

import re

# Terminal sequences; control characters except tab and line end; what turns the writing direction.
_CONTROL = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)?"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def without_control(text: str) -> str:
    """Return a text without what would act on a terminal or hide what it says."""
    return _CONTROL.sub("", text)
