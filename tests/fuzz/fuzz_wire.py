"""Coverage-guided fuzzing of everything that reads what a submission sends.

    python tests/fuzz/fuzz_wire.py -max_total_time=60 [corpus folder]

Needs `pip install atheris` (Linux). The first byte of an input chooses what the rest is: a whole
message, its header, or its document, so that each layer is reached without guessing the one around
it. The document is read as a reply and as a cell's outputs. Only `MalformedError` may come out; a
crash, another exception, an endless loop or a memory peak is a finding, and libFuzzer leaves the
input in `crash-…`.
"""

from __future__ import annotations

import contextlib
import json
import struct
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["autograded.sandbox", "json"]):
    from autograded.sandbox import calls, outputs, wire
    from autograded.sandbox.values import MalformedError

import numpy as np
import torch

# Beyond this nothing new is found, and inputs stay quick.
MAX_LENGTH = 4_096


TENSORS = {"t0": torch.ones(2), "t1": torch.tensor(True), "t2": torch.empty(0, 3)}
DATA = bytes(64)


def message(kind: int, rest: bytes) -> bytes:
    """Return the message that an input stands for."""
    if kind == 0:
        return rest
    if kind == 1:
        return struct.pack("<Q", len(rest)) + rest + DATA
    text = rest.decode("utf-8", "replace")
    header = json.dumps({"__metadata__": {"json": text}}).encode()
    return struct.pack("<Q", len(header)) + header


def one_input(data: bytes) -> None:
    """Read one message as the trusted side would, whatever it holds."""
    kind = data[0] % 3 if data else 0
    try:
        document, tensors = wire.decode(message(kind, data[1:]))
    except MalformedError:
        return
    for tensor in tensors.values():
        tensor.clone()
    if kind == 2:
        tensors = TENSORS
    assert isinstance(calls.reply(document, tensors), calls.Reply)
    with contextlib.suppress(MalformedError):
        outputs.clean(document, 10_000)


def seeds() -> list[bytes]:
    """Return honest messages for the fuzzer to begin with."""
    value = {
        "value": (torch.ones(2, requires_grad=True), np.float32(2), [1, None, "x", 2**70]),
        "autograd_runs": 0,
        "events": [["call", {"x": torch.zeros(())}]],
        "report": {},
        "arguments": {"args": [], "kwargs": {}},
    }
    document, tensors, _ = calls.pack(value)
    tensors |= {"b": torch.tensor([True, False]), "h": torch.empty(0, 3, dtype=torch.bfloat16)}
    error = calls.failure(calls.CallError("exception", "no", "ValueError", "trace"))
    run = [
        {"output_type": "stream", "name": "stdout", "text": "hi"},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["a"]},
        {"output_type": "display_data", "data": {"image/png": "aGk="}, "metadata": {}},
        {"output_type": "execute_result", "data": {}, "metadata": {}, "execution_count": 1},
    ]
    messages = [wire.encode(document, tensors), wire.encode(error, {}), wire.encode(run, {})]
    headers = [body[8 : 8 + struct.unpack_from("<Q", body)[0]] for body in messages]
    documents = [json.dumps(part).encode() for part in (document, error, run)]
    layers = (messages, headers, documents)
    return [bytes([kind]) + seed for kind, layer in enumerate(layers) for seed in layer]


def main() -> None:
    """Fuzz from the seeds and from what a corpus folder holds."""
    with tempfile.TemporaryDirectory() as folder:
        for index, seed in enumerate(seeds()):
            (Path(folder) / f"seed-{index}").write_bytes(seed)
        arguments = [*sys.argv, folder, f"-max_len={MAX_LENGTH}", "-rss_limit_mb=2048"]
        atheris.Setup(arguments, one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
