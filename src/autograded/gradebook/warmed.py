"""Imported once by a pool's server process, before it forks workers: all that a task needs."""

import contextlib
import gc
import importlib

from autograded.errors import AutogradedError
from autograded.gradebook import server
from autograded.parenthood import end_quickly
from autograded.sandbox import early
from autograded.startup import collect_rarely, skip_url_grammar

collect_rarely()
skip_url_grammar()
with contextlib.suppress(AutogradedError):  # the workers will say it
    server.begin_warm_process()
for module in (
    "autograded.grading.session",
    "autograded.submissions.reader",
    "autograded.gradebook.writing",
):
    importlib.import_module(module)
gc.freeze()  # collections in the workers need not go through all that was imported
early.share()
end_quickly()
