"""Python values as a JSON document plus named tensors, and back.

Only plain data passes: numbers, strings, lists, tuples, dicts, NumPy scalars and arrays, dense
CPU tensors. What is known of a tensor beside its values (does it require grad, is it a leaf, its
`.grad`) passes as data too. The same functions serve a student's answers from another process and
a learner's answers in this one, so that a check sees the same thing in both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from autograded.i18n import _
from autograded.scenarios import Part, Scenario

MAX_DEPTH = 16
MAX_NODES = 200_000
MAX_TENSORS = 4_096
MAX_BYTES = 64 * 2**20
MAX_TEXT = 100_000
MAX_INTEGER_BITS = 4_096
_SAFE_INTEGER = 2**53

DTYPES: dict[str, torch.dtype] = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}
_SUPPORTED = frozenset(DTYPES.values())
_NUMPY_SCALARS = {
    name: getattr(np, name)
    for name in (
        *("float64", "float32", "float16", "int64", "int32", "int16", "int8"),
        *("uint64", "uint32", "uint16", "uint8"),
    )
}

Json = Any


class UnusableValueError(ValueError):
    """A value that cannot pass; `reason` completes "the function returned …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class MalformedError(ValueError):
    """A document that no honest peer writes."""


@dataclass(frozen=True)
class Facts:
    """What autograd knows of a tensor beside its values."""

    requires_grad: bool = False
    is_leaf: bool = True
    grad_fn: str | None = None
    grad: torch.Tensor | None = None
    kind: str = "tensor"  # tensor | parameter | ndarray


class _Packer:
    def __init__(self) -> None:
        self.tensors: dict[str, torch.Tensor] = {}
        self.scenarios: list[Scenario] = []
        self.nodes = 0
        self.bytes = 0

    def pack(self, value: Any, depth: int = 0) -> Json:
        self.nodes += 1
        if depth > MAX_DEPTH:
            raise UnusableValueError(
                _("values nested more than {count} deep").format(count=MAX_DEPTH)
            )
        if self.nodes > MAX_NODES:
            raise UnusableValueError(_("more than {count} values").format(count=MAX_NODES))
        if value is None or value is True or value is False:
            return value
        if isinstance(value, np.generic):
            return self._numpy_scalar(value)
        if isinstance(value, float):
            return float(value)
        if isinstance(value, int):
            return self._integer(int(value))
        if isinstance(value, str):
            if len(value) > MAX_TEXT:
                raise UnusableValueError(
                    _("a string of {count} characters").format(count=len(value))
                )
            return str(value).encode("utf-8", "replace").decode("utf-8")
        if isinstance(value, torch.Tensor):
            return self._tensor(value, depth)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, tuple):
            return {"$": "tuple", "v": [self.pack(v, depth + 1) for v in tuple(value)]}
        if isinstance(value, list):
            return [self.pack(v, depth + 1) for v in list(value)]
        if isinstance(value, dict):
            return {"$": "dict", "v": self._items(value, depth)}
        if isinstance(value, Part):
            return {"$": "part", "s": self._scenario(value.scenario), "p": value.name}
        if isinstance(value, Scenario):
            return {"$": "part", "s": self._scenario(value), "p": None}
        raise UnusableValueError(_("a value of type {kind}").format(kind=type(value).__name__))

    def _items(self, value: dict[Any, Any], depth: int) -> dict[str, Json]:
        items = {}
        for key, item in list(dict.items(value)):
            if not isinstance(key, str):
                raise UnusableValueError(
                    _("a dict with a key of type {kind}").format(kind=type(key).__name__)
                )
            items[str(key)] = self.pack(item, depth + 1)
        return items

    def _integer(self, value: int) -> Json:
        if -_SAFE_INTEGER < value < _SAFE_INTEGER:
            return value
        if value.bit_length() > MAX_INTEGER_BITS:
            raise UnusableValueError(
                _("an integer of {count} bits").format(count=value.bit_length())
            )
        return {"$": "int", "v": hex(value)}

    def _numpy_scalar(self, value: np.generic) -> Json:
        name = value.dtype.name
        if name == "bool":
            return bool(value)
        if isinstance(value, np.str_):
            return self.pack(str(value))
        if name not in _NUMPY_SCALARS:
            raise UnusableValueError(_("a NumPy scalar of type {kind}").format(kind=name))
        return {"$": "numpy", "t": name, "v": self.pack(value.item())}

    def _scenario(self, scenario: Scenario) -> int:
        for index, known in enumerate(self.scenarios):
            if known is scenario:
                return index
        self.scenarios.append(scenario)
        return len(self.scenarios) - 1

    def _tensor(self, value: torch.Tensor, depth: int) -> Json:
        kind = "parameter" if isinstance(value, torch.nn.Parameter) else "tensor"
        if type(value) not in (torch.Tensor, torch.nn.Parameter):
            raise UnusableValueError(
                _("a tensor subclass, {kind}").format(kind=type(value).__name__)
            )
        document: dict[str, Json] = {"$": "tensor", "n": self._store(value), "k": kind}
        if value.requires_grad:
            document["r"] = True
        if not value.is_leaf:
            document["f"] = type(value.grad_fn).__name__
        elif value.grad is not None:
            document["g"] = self._tensor(value.grad, depth + 1)
        return document

    def _array(self, value: np.ndarray[Any, Any]) -> Json:
        if value.nbytes > MAX_BYTES:  # before copying: a broadcast array takes no memory yet
            raise UnusableValueError(
                _("more than {count} MiB of arrays").format(count=MAX_BYTES // 2**20)
            )
        try:
            tensor = torch.from_numpy(np.array(value, copy=True))
        except (TypeError, ValueError):
            raise UnusableValueError(
                _("a NumPy array of type {kind}").format(kind=value.dtype)
            ) from None
        return {"$": "tensor", "n": self._store(tensor), "k": "ndarray"}

    def _store(self, value: torch.Tensor) -> str:
        if value.layout != torch.strided:
            raise UnusableValueError(_("a sparse tensor"))
        if value.device.type != "cpu":
            raise UnusableValueError(
                _("a tensor on the device {device}").format(device=value.device.type)
            )
        if value.is_quantized or value.dtype not in _SUPPORTED:
            raise UnusableValueError(
                _("a tensor of dtype {dtype}").format(dtype=str(value.dtype).removeprefix("torch."))
            )
        self.bytes += value.numel() * value.element_size()
        if self.bytes > MAX_BYTES:
            raise UnusableValueError(
                _("more than {count} MiB of tensors").format(count=MAX_BYTES // 2**20)
            )
        if len(self.tensors) >= MAX_TENSORS:
            raise UnusableValueError(_("more than {count} tensors").format(count=MAX_TENSORS))
        name = f"t{len(self.tensors)}"
        self.tensors[name] = value.detach().contiguous()
        return name


def pack(value: Any) -> tuple[Json, dict[str, torch.Tensor], list[Scenario]]:
    """Return `value` as (document, tensors by name, scenarios it mentions).

    Raises `UnusableValueError` for a value that is not plain data or is too large.
    """
    packer = _Packer()
    try:
        document = packer.pack(value)
    except RecursionError:
        raise UnusableValueError(_("a value that contains itself")) from None
    return document, packer.tensors, packer.scenarios


def as_answer(tensor: torch.Tensor, facts: Facts) -> torch.Tensor:
    """Make the tensor a check sees: detached, with what was known of it in `.facts`."""
    answer = tensor.detach().clone()
    answer.facts = facts  # type: ignore[attr-defined]
    return answer


def as_argument(tensor: torch.Tensor, facts: Facts) -> torch.Tensor:
    """Make the tensor a student's function receives: a leaf with its own storage."""
    argument = tensor.detach().clone()
    if facts.kind == "parameter":
        argument = torch.nn.Parameter(argument, requires_grad=facts.requires_grad)
    elif facts.requires_grad:
        argument.requires_grad_()
    if facts.grad is not None:
        argument.grad = facts.grad.detach().clone()
    return argument


def _no_parts(index: int, part: str | None) -> Any:
    raise MalformedError("a scenario where none may stand")


class _Unpacker:
    def __init__(
        self,
        tensors: dict[str, torch.Tensor],
        make: Callable[[torch.Tensor, Facts], torch.Tensor],
        part: Callable[[int, str | None], Any],
    ) -> None:
        self.tensors, self.make, self.part = tensors, make, part
        self.nodes = 0
        self.bytes = 0

    def unpack(self, document: Json, depth: int = 0) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise MalformedError("a document too deep or too large")
        if document is None or isinstance(document, bool | int | float | str):
            return document
        if isinstance(document, list):
            return [self.unpack(d, depth + 1) for d in document]
        if not isinstance(document, dict):
            raise MalformedError("not a JSON value")
        kind = document.get("$")
        if kind == "tuple":
            return tuple(self.unpack(d, depth + 1) for d in _typed(document, "v", list))
        if kind == "dict":
            items = _typed(document, "v", dict)
            return {key: self.unpack(item, depth + 1) for key, item in items.items()}
        if kind == "int":
            return _integer(_typed(document, "v", str))
        if kind == "numpy":
            return self._numpy(document)
        if kind == "tensor":
            return self._tensor(document, depth)
        if kind == "part":
            part = document.get("p")
            if part is not None and not isinstance(part, str):
                raise MalformedError("a part that has no name")
            return self.part(_typed(document, "s", int), part)
        raise MalformedError("an unknown kind of value")

    def _numpy(self, document: dict[str, Json]) -> Any:
        kind = _NUMPY_SCALARS.get(_typed(document, "t", str))
        value = self.unpack(document.get("v"), MAX_DEPTH)
        if kind is None or not isinstance(value, int | float):
            raise MalformedError("a NumPy scalar that is none")
        try:
            return kind(value)
        except (OverflowError, ValueError):
            raise MalformedError("a NumPy scalar out of range") from None

    def _tensor(self, document: dict[str, Json], depth: int) -> torch.Tensor:
        tensor = self.tensors.get(_typed(document, "n", str))
        if tensor is None or depth > MAX_DEPTH:
            raise MalformedError("a tensor that was not sent")
        # Each mention becomes a tensor of its own, and many may mention one that was sent.
        self.bytes += tensor.nbytes
        if self.bytes > MAX_BYTES:
            raise MalformedError("more tensors than may be sent")
        grad_document = document.get("g")
        grad = None
        if grad_document is not None:
            if not isinstance(grad_document, dict):
                raise MalformedError("a grad that is no tensor")
            grad = self._tensor(grad_document, depth + 1)
        grad_fn = document.get("f")
        facts = Facts(
            requires_grad=document.get("r") is True,
            is_leaf=grad_fn is None,
            grad_fn=None if grad_fn is None else str(grad_fn)[:100],
            grad=grad,
            kind=str(document.get("k", "tensor"))[:20],
        )
        return self.make(tensor, facts)


def unpack(
    document: Json,
    tensors: dict[str, torch.Tensor],
    make: Callable[[torch.Tensor, Facts], torch.Tensor] = as_answer,
    part: Callable[[int, str | None], Any] = _no_parts,
) -> Any:
    """Rebuild a value from `pack`'s document and tensors.

    `make` turns a received tensor and its facts into the tensor to use (`as_answer` or
    `as_argument`); `part` resolves mentions of scenarios. Raises `MalformedError` for a document
    that `pack` cannot have written.
    """
    return _Unpacker(tensors, make, part).unpack(document)


def _typed(document: dict[str, Json], key: str, kind: type) -> Any:
    value = document.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise MalformedError(f"{key!r} is not of type {kind.__name__}")
    return value


def _integer(text: str) -> int:
    if len(text) > MAX_INTEGER_BITS // 4 + 8:
        raise MalformedError("an integer too long")
    try:
        return int(text, 16)
    except ValueError:
        raise MalformedError("an integer that is none") from None
