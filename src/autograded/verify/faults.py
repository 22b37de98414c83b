"""What verify complains about: one line each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """Something that does not hold: where, and one sentence with what to do."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass
class Findings:
    """Faults make verify fail; notes are for the teacher to weigh."""

    faults: list[Fault] = field(default_factory=list)
    notes: list[Fault] = field(default_factory=list)

    def add(self, where: str, what: str) -> None:
        """Add a fault."""
        self.faults.append(Fault(where, what))

    def note(self, where: str, what: str) -> None:
        """Add a note."""
        self.notes.append(Fault(where, what))

    def extend(self, others: Iterable[Findings]) -> None:
        """Take over what others found."""
        for other in others:
            self.faults += other.faults
            self.notes += other.notes


def said(error: BaseException) -> str:
    """An exception as the end of a fault's sentence."""
    return f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ")
