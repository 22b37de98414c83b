"""Imported once by a pool's server process, before it forks workers: all that a task needs."""

from autograded.gradebook import tasks

tasks.ready()
