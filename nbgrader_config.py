"""nbgrader, started in this folder, works on classroom/ as course.yml says."""

import sys
from pathlib import Path

from autograded.errors import AutogradedError
from autograded.gradebook.config import configure

try:
    configure(get_config(), Path(__file__).resolve().parent)  # noqa: F821 (traitlets has it)
except AutogradedError as error:
    # Any other exception nbgrader would log, and go on with a configuration of its own.
    sys.exit(f"nbgrader_config.py: {error}")
