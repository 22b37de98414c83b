"""`autograded verify`: proves that the course measures what it claims to measure.

Every stub fails, every solution passes, every misconception is caught and told apart from all
others, every right solution in another style passes; the files are those the course names.
"""

from autograded.verify.course import Verdict, verify
from autograded.verify.table import verify_and_show

__all__ = ["Verdict", "verify", "verify_and_show"]
