"""Downloads in the shape in which LMSs make them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, bytes]

ROSTER = """\
id,first_name,last_name,email,section,aliases
ada,Ada,Lovelace,ada@example.org,A,1001 S-77
zoe,Zoë,Łukasiewicz,zoe@example.org,A,1002
budi.s,Budi,Santoso,budi@example.org,B,
tan.1,Mei,Tan,mei.tan@example.org,B,1004
tan.2,Mei,Tan,mei.tan2@example.org,B,1005
"""


def zipped(path: Path, files: Files, times: Mapping[str, tuple[int, ...]] | None = None) -> Path:
    """Write a zip archive; names are taken as they are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            time = (times or {}).get(name, (2026, 3, 1, 12, 0, 0))
            info = zipfile.ZipInfo(name, time)  # type: ignore[arg-type]
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return path


def moodle(path: Path, theirs: Mapping[str, Files]) -> Path:
    """Moodle's "download all submissions": a folder per student, `Name_number`."""
    return zipped(
        path,
        {
            f"{who}_assignsubmission_file_/{name}": content
            for who, files in theirs.items()
            for name, content in files.items()
        },
    )


def moodle_flat(path: Path, theirs: Mapping[str, Files]) -> Path:
    """The same with "download submissions in folders" switched off."""
    return zipped(
        path,
        {
            f"{who}_assignsubmission_file_{name}": content
            for who, files in theirs.items()
            for name, content in files.items()
        },
    )


def canvas(path: Path, theirs: Mapping[str, Files]) -> Path:
    """Canvas's "download submissions": flat, `lastfirst_[LATE_]user_submission_name`."""
    return zipped(
        path,
        {
            f"{who}_{7000 + number}_{name}": content
            for who, files in theirs.items()
            for number, (name, content) in enumerate(files.items())
        },
    )


def gradescope(path: Path, theirs: Mapping[str, tuple[str, Files]]) -> Path:
    """Gradescope's export: numbered folders, and who they are in submission_metadata.yml.

    `theirs` gives for a submitter's YAML lines when it was created, and the files.
    """
    top = "assignment_4711_export"
    lines = ["---"]
    files: dict[str, bytes] = {}
    for number, (who, (created, mine)) in enumerate(theirs.items()):
        folder = f"submission_{90000 + number}"
        lines += [f"{folder}:", "  :submitters:", who, f"  :created_at: {created}", "  :score: 0.0"]
        files |= {f"{top}/{folder}/{name}": content for name, content in mine.items()}
    files[f"{top}/submission_metadata.yml"] = ("\n".join(lines) + "\n").encode()
    return zipped(path, files)


def submitter(name: str, sid: str, email: str) -> str:
    """One submitter as Gradescope writes it."""
    return f"  - :name: {name}\n    :sid: '{sid}'\n    :email: {email}"
