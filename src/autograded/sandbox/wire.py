"""Messages between the trusted process and a worker: a JSON document and named tensors.

One message is a length (8 bytes, little-endian) and a safetensors blob whose metadata holds the
document as text. The blob is read here rather than by the safetensors library, because what
arrives was written by an attacker: every size, count and depth is checked before anything of that
size is allocated, and only the dtypes of `values.DTYPES` exist. No pickle in either direction.
"""

from __future__ import annotations

import json
import re
import socket
import struct
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch

from autograded.sandbox.values import DTYPES, MAX_TENSORS, Json, MalformedError

MAX_HEADER = 16 * 2**20
MAX_MESSAGE = 96 * 2**20
MAX_JSON_DEPTH = 96
MAX_JSON_NODES = 1_000_000
MAX_DIMENSIONS = 32
_MAX_SIZE = 2**40
_CHUNK = 2**20

_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_LENGTH = struct.Struct("<Q")
_STRING = re.compile(r'"[^"]*"')
_NOT_BRACKET = re.compile(r"[^\[\]{}]+")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

Tensors = dict[str, torch.Tensor]


class ClosedError(ConnectionError):
    """The other side is gone."""


def encode(document: Json, tensors: Mapping[str, torch.Tensor]) -> bytes:
    """Return the message body for a JSON document and CPU tensors.

    Raises `ValueError` or `TypeError` for what cannot be written.
    """
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    header: dict[str, Any] = {"__metadata__": {"json": text}}
    chunks = []
    offset = 0
    # Wide dtypes first: safetensors readers may ask that each tensor is aligned to its own size.
    for name, tensor in sorted(tensors.items(), key=lambda item: -item[1].element_size()):
        plain = tensor.detach().resolve_neg().contiguous()
        dtype = _NAMES[plain.dtype]
        if dtype == "BF16":
            plain = plain.view(torch.int16)
        data = plain.numpy().tobytes()
        header[name] = {
            "dtype": dtype,
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + len(data)],
        }
        offset += len(data)
        chunks.append(data)
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    head += b" " * (-len(head) % 8)
    return b"".join((_LENGTH.pack(len(head)), head, *chunks))


def decode(data: bytes | bytearray | memoryview) -> tuple[Json, Tensors]:
    """Return the document and the tensors of a message body, each with its own storage.

    Raises `MalformedError` for anything that `encode` cannot have written.
    """
    view = memoryview(data)
    if len(view) < _LENGTH.size:
        raise MalformedError("a message without a header")
    (length,) = _LENGTH.unpack_from(view)
    if length > MAX_HEADER or length > len(view) - _LENGTH.size:
        raise MalformedError("a header longer than its message")
    start = _LENGTH.size + length
    header = _parse(_text(view[_LENGTH.size : start]))
    if not isinstance(header, dict):
        raise MalformedError("a header that is no object")
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or not isinstance(metadata.get("json"), str):
        raise MalformedError("a message without a document")
    if len(header) > MAX_TENSORS:
        raise MalformedError(f"more than {MAX_TENSORS} tensors")
    tensors = _tensors(header, view[start:])
    return _parse(metadata["json"]), tensors


def _text(data: memoryview) -> str:
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        raise MalformedError("a header that is not UTF-8") from None


def _parse(text: str) -> Json:
    """Parse JSON whose depth and number of values are known to be bounded."""
    containers = text.count("[") + text.count("{")
    if containers > MAX_JSON_DEPTH or text.count(",") > MAX_JSON_NODES:
        # Escapes first: a pattern that knows them takes quadratic time on an unclosed string.
        bare = _STRING.sub("", text.replace("\\\\", "").replace('\\"', ""))
        if bare.count(",") + bare.count("[") + bare.count("{") > MAX_JSON_NODES:
            raise MalformedError("a document with too many values")
        brackets = _NOT_BRACKET.sub("", bare)
        # Each pass takes the innermost pairs away, so that what is left after n passes was deeper.
        for _ in range(MAX_JSON_DEPTH):
            if not brackets:
                break
            brackets = brackets.replace("[]", "").replace("{}", "")
        if brackets:
            raise MalformedError("a document nested too deep")
    try:
        document = json.loads(text)
        text.encode()
        if _SURROGATE.search(text):
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise MalformedError("a document that is not JSON") from None
    return document


class _Place(NamedTuple):
    start: int
    end: int
    name: str
    dtype: str
    shape: list[int]


def _tensors(header: dict[str, Json], data: memoryview) -> Tensors:
    places = sorted(_place(name, described) for name, described in header.items())
    expected = 0
    for place in places:
        if place.start != expected:
            raise MalformedError("tensors that overlap or leave gaps")
        expected = place.end
    if expected != len(data):
        raise MalformedError("tensors that do not fill their message")
    return {place.name: _tensor(place, data) for place in places}


def _place(name: str, described: Json) -> _Place:
    if not isinstance(described, dict):
        raise MalformedError("a tensor that is not described")
    dtype = described.get("dtype")
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise MalformedError("a tensor of an unknown dtype")
    shape, offsets = _sizes(described.get("shape")), _sizes(described.get("data_offsets"))
    if len(offsets) != 2:
        raise MalformedError("a tensor without a place")
    size = DTYPES[dtype].itemsize
    for dimension in shape:
        # Zero dimensions do not make a huge one harmless: strides would overflow.
        size *= max(dimension, 1)
        if size > _MAX_SIZE:
            raise MalformedError("a tensor too large")
    if 0 in shape:
        size = 0
    if offsets[1] - offsets[0] != size:
        raise MalformedError("a tensor whose bytes do not match its shape")
    return _Place(offsets[0], offsets[1], name, dtype, shape)


def _sizes(value: Json) -> list[int]:
    if (
        not isinstance(value, list)
        or len(value) > MAX_DIMENSIONS
        or not all(type(item) is int and 0 <= item <= _MAX_SIZE for item in value)
    ):
        raise MalformedError("a tensor with impossible sizes")
    return value


def _tensor(place: _Place, data: memoryview) -> torch.Tensor:
    dtype = DTYPES[place.dtype]
    if place.start == place.end:
        return torch.empty(place.shape, dtype=dtype)
    own = bytearray(data[place.start : place.end])
    if dtype is torch.bool:
        # A byte that is neither 0 nor 1 is not a bool in C++.
        return torch.frombuffer(own, dtype=torch.uint8).ne(0).reshape(place.shape)
    return torch.frombuffer(own, dtype=dtype).reshape(place.shape)


def send(
    connection: socket.socket,
    document: Json,
    tensors: Mapping[str, torch.Tensor],
    *,
    deadline: float | None = None,
) -> None:
    """Send one message; `deadline` is a reading of `time.monotonic`.

    Raises `TimeoutError` past the deadline and `ClosedError` when the other side is gone.
    """
    send_body(connection, encode(document, tensors), deadline=deadline)


def send_body(connection: socket.socket, body: bytes, *, deadline: float | None = None) -> None:
    """Send an encoded message, as `send` does."""
    rest = memoryview(_LENGTH.pack(len(body)) + body)
    try:
        while rest:
            _set_timeout(connection, deadline)
            sent = connection.send(rest[:_CHUNK])
            rest = rest[sent:]
    except (BrokenPipeError, ConnectionResetError):
        raise ClosedError("the other side is gone") from None


def receive(
    connection: socket.socket,
    *,
    deadline: float | None = None,
    max_bytes: int = MAX_MESSAGE,
) -> tuple[Json, Tensors]:
    """Receive one message; `deadline` is a reading of `time.monotonic`.

    Raises `TimeoutError` past the deadline, `ClosedError` when the other side is gone, and
    `MalformedError` for what is no message or has more than `max_bytes` bytes.
    """
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size, deadline))
    if length > max_bytes:
        raise MalformedError(f"a message of {length} bytes")
    return decode(_exactly(connection, length, deadline))


def _exactly(connection: socket.socket, count: int, deadline: float | None) -> bytearray:
    # Grown as bytes arrive: a claimed length costs nothing until it is sent.
    data = bytearray()
    try:
        while len(data) < count:
            _set_timeout(connection, deadline)
            chunk = connection.recv(min(count - len(data), _CHUNK))
            if not chunk:
                raise ClosedError("the other side is gone")
            data += chunk
    except ConnectionResetError:
        raise ClosedError("the other side is gone") from None
    return data


def _set_timeout(connection: socket.socket, deadline: float | None) -> None:
    if deadline is None:
        connection.settimeout(None)
        return
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise TimeoutError("no answer in time")
    connection.settimeout(remaining)
