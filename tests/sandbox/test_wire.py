"""The wire: what was sent arrives, and nothing else gets through."""

from __future__ import annotations

import contextlib
import json
import math
import socket
import struct
import threading
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from autograded.sandbox import calls, wire
from autograded.sandbox.values import DTYPES, MAX_BYTES, MalformedError, pack, unpack

texts = st.text(max_size=20)
documents = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
dtypes = st.sampled_from(sorted(DTYPES))
shapes = st.lists(st.integers(0, 4), max_size=4)


@st.composite
def tensors(draw: st.DrawFn) -> torch.Tensor:
    dtype, shape = DTYPES[draw(dtypes)], draw(shapes)
    count = math.prod(shape) * dtype.itemsize
    content = draw(st.binary(min_size=count, max_size=count))
    if dtype is torch.bool:
        content = bytes(byte % 2 for byte in content)
    if not content:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(content), dtype=dtype).reshape(shape)


def same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Equal in dtype, shape and every bit, NaN or not."""
    return (
        one.dtype == other.dtype
        and one.shape == other.shape
        and wire.encode(0, {"t": one}) == wire.encode(0, {"t": other})
    )


def message(header: Any, data: bytes = b"") -> bytes:
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + data


def described(document: str = "0", **tensors: Any) -> dict[str, Any]:
    return {"__metadata__": {"json": document}, **tensors}


@settings(max_examples=300, deadline=None)
@given(documents, st.dictionaries(st.text(min_size=1, max_size=8), tensors(), max_size=4))
def test_what_is_encoded_is_decoded(document: Any, sent: dict[str, torch.Tensor]) -> None:
    sent.pop("__metadata__", None)
    received_document, received = wire.decode(wire.encode(document, sent))
    assert received_document == document
    assert received.keys() == sent.keys()
    assert all(same(received[name], sent[name]) for name in sent)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), tensors(), max_size=4))
def test_the_safetensors_library_reads_what_we_write(sent: dict[str, torch.Tensor]) -> None:
    read = safetensors.torch.load(wire.encode({"a": 1}, sent))
    assert all(same(read[name], sent[name]) for name in sent)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), tensors(), max_size=4))
def test_we_read_what_the_safetensors_library_writes(sent: dict[str, torch.Tensor]) -> None:
    blob = safetensors.torch.save(sent, {"json": '{"a": 1}'})
    document, read = wire.decode(blob)
    assert document == {"a": 1}
    assert all(same(read[name], sent[name]) for name in sent)


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=400))
@example(b"")
@example(struct.pack("<Q", 2**63) + b"{}")
def test_any_bytes_are_a_message_or_malformed(data: bytes) -> None:
    with contextlib.suppress(MalformedError):
        wire.decode(data)


@settings(max_examples=500, deadline=None)
@given(documents, st.data())
def test_a_damaged_message_is_a_message_or_malformed(document: Any, data: st.DataObject) -> None:
    body = bytearray(wire.encode(document, {"t": torch.arange(6.0)}))
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        _, tensors = wire.decode(body[: data.draw(st.integers(0, len(body)))])
    except MalformedError:
        return
    for tensor in tensors.values():
        tensor.clone()


@settings(max_examples=300, deadline=None)
@given(documents, st.dictionaries(st.sampled_from(["t0", "t1"]), tensors(), max_size=2))
def test_any_document_is_a_reply_or_malformed(document: Any, sent: dict[str, Any]) -> None:
    for wrapped in (document, {"$": "dict", "v": document}):
        assert isinstance(calls.reply(wrapped, sent), calls.Reply)


T = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"\x01", id="shorter than a length"),
        pytest.param(message(b"not json"), id="no JSON"),
        pytest.param(message(b"\xff\xfe"), id="no UTF-8"),
        pytest.param(message([]), id="a list as header"),
        pytest.param(message({}), id="no metadata"),
        pytest.param(message({"__metadata__": {"json": 3}}), id="a document that is no text"),
        pytest.param(message(described("{")), id="a document cut short"),
        pytest.param(message(described('"\\ud800"')), id="half a surrogate pair"),
        pytest.param(message(described("9" * 10_000)), id="an endless integer"),
        pytest.param(message(described("[" * 500 + "]" * 500)), id="nested deeply"),
        pytest.param(message(described("[" * 100_000)), id="nested very deeply"),
        pytest.param(message(described("[" + "0," * 1_100_000 + "0]")), id="too many values"),
        pytest.param(message(described(t=3)), id="a tensor that is a number"),
        pytest.param(message(described(t={**T, "dtype": "C64"}), bytes(8)), id="unknown dtype"),
        pytest.param(message(described(t={**T, "shape": [-2]}), bytes(8)), id="negative size"),
        pytest.param(message(described(t={**T, "shape": [2.0]}), bytes(8)), id="size not whole"),
        pytest.param(message(described(t={**T, "shape": [True, 2]}), bytes(8)), id="a bool size"),
        pytest.param(message(described(t={**T, "shape": [2**62, 4]}), bytes(8)), id="overflow"),
        pytest.param(
            message(described(t={**T, "shape": [0, 2**39, 2**39], "data_offsets": [0, 0]})),
            id="empty but huge",
        ),
        pytest.param(message(described(t={**T, "shape": [1] * 40}), bytes(4)), id="40 dimensions"),
        pytest.param(message(described(t={**T, "data_offsets": [8, 0]}), bytes(8)), id="backwards"),
        pytest.param(message(described(t={**T, "data_offsets": [0, 4]}), bytes(4)), id="too few"),
        pytest.param(message(described(t=T), bytes(4)), id="data cut short"),
        pytest.param(message(described(t=T), bytes(12)), id="data left over"),
        pytest.param(message(described(t=T, u=T), bytes(8)), id="two tensors in one place"),
        pytest.param(
            message(described(t=T, u={**T, "data_offsets": [12, 20]}), bytes(20)), id="a gap"
        ),
        pytest.param(
            message(
                described(
                    **{
                        f"t{i}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}
                        for i in range(5_000)
                    }
                )
            ),
            id="too many tensors",
        ),
    ],
)
def test_malformed_messages_are_refused(body: bytes) -> None:
    with pytest.raises(MalformedError):
        wire.decode(body)


@pytest.mark.parametrize(
    "text",
    ['["' + '\\"' * 2_000_000, '["' * 500_000, "[]" * 490_000, ("[" * 95 + "]" * 95 + ",") * 5_000],
    ids=["unclosed string", "strings within", "many empty", "many deep"],
)
def test_refusing_takes_little_time(text: str) -> None:
    body = message(described("[" * 100 + text))
    start = time.process_time()
    with pytest.raises(MalformedError):
        wire.decode(body)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "document", [["\\"], ['\\"['] * 200, ["[" * 500], {"\\": ['"', "\\\\"] * 100}, [[[]]] * 60]
)
def test_brackets_in_strings_do_not_count(document: Any) -> None:
    assert wire.decode(wire.encode(document, {}))[0] == document


def test_bytes_that_are_no_bool_become_one() -> None:
    place = {"dtype": "BOOL", "shape": [3], "data_offsets": [0, 3]}
    _, received = wire.decode(message(described(t=place), b"\x00\x01\x07"))
    assert received["t"].view(torch.uint8).tolist() == [0, 1, 1]


def test_views_that_share_memory_arrive_apart() -> None:
    whole = torch.arange(4.0)
    sent = {
        "whole": whole,
        "part": whole[1:3],
        "turned": whole.reshape(2, 2).T,
        "wide": whole[:1].expand(5),
    }
    _, received = wire.decode(wire.encode(None, sent))
    received["whole"].zero_()
    assert received["part"].tolist() == [1.0, 2.0]
    assert received["turned"].tolist() == [[0.0, 2.0], [1.0, 3.0]]
    assert received["wide"].tolist() == [0.0] * 5


def test_many_mentions_of_one_tensor_cannot_fill_the_memory() -> None:
    large = torch.zeros(MAX_BYTES // 8, dtype=torch.uint8)
    mention = {"$": "tensor", "n": "t", "k": "tensor"}
    assert len(unpack([mention] * 8, {"t": large})) == 8
    with pytest.raises(MalformedError):
        unpack([mention] * 9, {"t": large})


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def test_a_message_passes_a_socket(pair: tuple[socket.socket, socket.socket]) -> None:
    # Larger than any socket buffer, so that both ends have to wait for each other.
    large = torch.arange(2_000_000)
    sender = threading.Thread(target=wire.send, args=(pair[0], {"a": [1]}, {"t": large}))
    sender.start()
    document, received = wire.receive(pair[1], deadline=time.monotonic() + 10)
    sender.join()
    assert document == {"a": [1]}
    assert torch.equal(received["t"], large)


def test_a_claimed_length_costs_nothing(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[0].sendall(struct.pack("<Q", 90 * 2**20) + b"x")
    tracemalloc.start()
    with pytest.raises(TimeoutError):
        wire.receive(pair[1], deadline=time.monotonic() + 0.05)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 2**20


def test_a_length_beyond_the_limit_is_malformed(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[0].sendall(struct.pack("<Q", 1_001))
    with pytest.raises(MalformedError):
        wire.receive(pair[1], max_bytes=1_000)


def test_bytes_one_by_one_do_not_extend_the_deadline(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    stop = threading.Event()

    def trickle() -> None:
        pair[0].sendall(struct.pack("<Q", 1_000))
        while not stop.wait(0.01):
            pair[0].sendall(b"x")

    thread = threading.Thread(target=trickle)
    thread.start()
    start = time.monotonic()
    with pytest.raises(TimeoutError):
        wire.receive(pair[1], deadline=start + 0.2)
    assert time.monotonic() - start < 1
    stop.set()
    thread.join()


def test_a_closed_socket_is_told_apart(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[0].close()
    with pytest.raises(wire.ClosedError):
        wire.receive(pair[1])


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**100), 2**100)
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8"), max_size=10)
    | st.sampled_from([np.float64(1.5), np.float32(0.25), np.int64(-3), np.uint8(7)]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(values)
def test_a_value_passes_with_its_types(value: Any) -> None:
    document, sent, _ = pack(value)
    received = unpack(*wire.decode(wire.encode(document, sent)))
    assert received == value
    assert repr(received) == repr(value)  # 1, True and 1.0 are equal; their types matter too
