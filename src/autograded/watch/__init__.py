"""`autograded watch`: the checks again on every save, and the next hint at a key."""

from autograded.watch.loop import watch

__all__ = ["watch"]
