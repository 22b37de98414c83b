"""A submission's folder is read without trusting what lies in it."""

from __future__ import annotations

import os
import socket
from dataclasses import replace
from pathlib import Path

from autograded.sandbox.folder import collect
from autograded.sandbox.limits import Limits


def test_only_small_regular_files_are_taken(tmp_path: Path) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    folder = tmp_path / "work"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("a")
    (folder / "sub" / "b.txt").write_text("b")
    (folder / "link.txt").symlink_to(outside)
    (folder / "up").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "fifo")
    os.link(outside, folder / "hard.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "socket"))
        with (folder / "huge.bin").open("wb") as huge:
            huge.truncate(10**12)  # sparse
        files = collect(folder, Limits())
    assert files == {"a.txt": b"a", "hard.txt": b"secret", "sub/b.txt": b"b"}


def test_devices_are_left_out() -> None:
    files = collect(Path("/dev"), replace(Limits(), folder_bytes=1_000))
    assert {"null", "zero", "full"}.isdisjoint(files)


def test_number_and_size_are_bounded(tmp_path: Path) -> None:
    for index in range(30):
        (tmp_path / f"{index:02}").write_bytes(bytes(10))
    limits = replace(Limits(), folder_files=20, folder_bytes=155)
    assert len(collect(tmp_path, limits)) == 15
    assert len(collect(tmp_path, replace(limits, folder_bytes=10**6))) == 20


def test_names_that_are_no_text_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "ok").write_bytes(b"1")
    with open(os.fsencode(tmp_path) + b"/\xff\xfe", "wb") as file:  # noqa: PTH123
        file.write(b"2")
    assert collect(tmp_path, Limits()) == {"ok": b"1"}


def test_deep_folders_end_somewhere(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(50):
        deep = deep / "d"
        deep.mkdir()
        (deep / "f").write_bytes(b"x")
    assert len(collect(tmp_path, Limits())) < 10


def test_a_folder_that_is_none_has_no_files(tmp_path: Path) -> None:
    assert collect(tmp_path / "missing", Limits()) == {}
