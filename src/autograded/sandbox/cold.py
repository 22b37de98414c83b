"""A worker in a process of its own, for systems where a warm process cannot be forked safely."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import NoReturn

from autograded.sandbox import worker
from autograded.sandbox.limits import Limits
from autograded.sandbox.loading import load


def main(port: int) -> NoReturn:
    """Read the configuration from standard input, connect to the trusted side, serve."""
    configuration = json.loads(sys.stdin.buffer.read())
    ready = load(configuration["scenarios"])
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(configuration["token"].encode())
    worker.enter_folder(Path(configuration["folder"]))
    worker.serve(connection, ready, Limits(**configuration["limits"]))
