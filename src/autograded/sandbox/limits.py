"""What a submission may use, and for how long."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

OUTPUTS_PER_CELL = 1_000
"""Outputs of one cell, where consecutive text of one stream is one; the rest is left out."""


@dataclass(frozen=True)
class Limits:
    """Limits of one submission; times in seconds, sizes in bytes.

    Wall-clock times count only while the student's code is waited for. course.yml may change each
    under `limits:`.
    """

    # For pydantic, which reads them from course.yml.
    __pydantic_config__: ClassVar = {"extra": "forbid"}

    call_seconds: float = 10.0
    """One call of one function."""
    submission_seconds: float = 60.0
    """All cells and all calls together."""
    execute_seconds: float = 30.0
    """All cells together."""
    cell_seconds: float = 10.0
    """One cell; it is interrupted as by Jupyter's stop button, and the next cell runs."""
    memory_bytes: int = 4 * 2**30
    """Memory beyond what the warm process holds, per process and for all processes together."""
    cpu_seconds: int = 120
    """CPU time per process."""
    processes: int = 128
    """Processes and threads."""
    open_files: int = 256
    """Open files per process."""
    file_bytes: int = 64 * 2**20
    """One file."""
    disk_bytes: int = 256 * 2**20
    """Everything in the temporary folder, which is memory."""
    output_bytes_per_cell: int = 1 * 2**20
    """What one cell prints and displays; the rest is left out, which the output says."""
    output_bytes: int = 4 * 2**20
    """What all cells print and display."""
    reply_bytes: int = 80 * 2**20
    """One answer on the wire."""
    folder_files: int = 200
    """Files copied in from the submission's own folder."""
    folder_bytes: int = 16 * 2**20
    """Their size together."""

    def __post_init__(self) -> None:
        for known in fields(self):
            if getattr(self, known.name) <= 0:
                raise ValueError(f"{known.name} must be above 0")
