"""What lets a command start sooner."""

from __future__ import annotations

import sys


def skip_url_grammar() -> None:
    """Keep `jsonschema` from building a grammar of URLs, which takes it more than a second.

    nbformat and nbgrader import it; no schema of theirs asks for what the grammar would check.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
