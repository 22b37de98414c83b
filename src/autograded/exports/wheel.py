"""This package as a wheel, and the versions it runs with here, to be installed elsewhere.

The wheel is made from the package that is running, editable or not, so that what grades there is
what grades here. Its form is that of https://packaging.python.org/specifications/binary-distribution-format/.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import autograded
from autograded.errors import AutogradedError

_NAME = "autograded"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same content makes the same bytes


def name() -> str:
    """The wheel's file name."""
    return f"{_NAME}-{autograded.__version__}-py3-none-any.whl"


def wheel() -> bytes:
    """The wheel: the engine, without any course.

    Raises:
        AutogradedError: this package runs without having been installed.
    """
    files = dict(_package_files())
    info = f"{_NAME}-{autograded.__version__}.dist-info"
    files[f"{info}/METADATA"] = _metadata("METADATA")
    files[f"{info}/entry_points.txt"] = _metadata("entry_points.txt")
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: autograded\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    lines = [f"{path},{_digest(content)},{len(content)}\n" for path, content in files.items()]
    files[f"{info}/RECORD"] = "".join((*lines, f"{info}/RECORD,,\n")).encode()
    return archive({path: (content, 0o644) for path, content in files.items()})


def archive(files: dict[str, tuple[bytes, int]]) -> bytes:
    """A zip archive of files by path, each with its permissions; the same files, the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for path, (content, mode) in files.items():
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            made.writestr(entry, content)
    return buffer.getvalue()


def _package_files() -> Iterator[tuple[str, bytes]]:
    root = Path(autograded.__file__).parent
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        # An installed package holds the course's public exercises; a course brings its own.
        if path.is_file() and "__pycache__" not in inside.parts and inside.parts[0] != "exercises":
            yield f"{_NAME}/{inside.as_posix()}", path.read_bytes()


def _metadata(file: str) -> bytes:
    try:
        text = metadata.distribution(_NAME).read_text(file)
    except metadata.PackageNotFoundError:
        text = None
    if text is None:
        raise AutogradedError(
            f"{_NAME} is not installed here, so it cannot be packed: pip install it first."
        )
    return text.encode()


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={digest.decode()}"


def constraints() -> str:
    """The versions of everything this package needs, as installed here, one a line.

    A local part such as torch's `+cpu` is left out: it names a build, not a version.
    """
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found: dict[str, str] = {}
    waiting = [_NAME]
    while waiting:
        distribution = metadata.distribution(waiting.pop())
        for line in distribution.requires or ():
            needed = Requirement(line)
            key = canonicalize_name(needed.name)
            if key in found or (needed.marker and not needed.marker.evaluate({"extra": ""})):
                continue
            try:
                version = metadata.version(key)
            except metadata.PackageNotFoundError:
                continue
            found[key] = version.partition("+")[0]
            waiting.append(key)
    return "".join(f"{key}=={version}\n" for key, version in sorted(found.items()))
