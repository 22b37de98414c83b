"""One call of a student's function: arguments in, plain answer out.

The worker answers calls with `perform`; a learner's own machine runs the same code in-process, so
both see the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from autograded.sandbox import guard
from autograded.sandbox.values import (
    Facts,
    Json,
    MalformedError,
    UnusableValueError,
    as_answer,
    as_argument,
    pack,
    unpack,
)
from autograded.scenarios import Event, Recorder, build, specification
from autograded.text import without_control

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class CallError:
    """Why a call has no value.

    `kind` is one of: missing (no such function), exception (the student's code raised), unusable
    (a value that cannot pass), timeout, died (the process ended), malformed (not our protocol).
    """

    kind: str
    message: str
    type: str = ""
    traceback: str = ""

    @property
    def unwritten(self) -> bool:
        """Whether an untouched stub raised it; what torch raises under this name has a message."""
        return (self.kind, self.type, self.message) == ("exception", "NotImplementedError", "")


@dataclass(frozen=True)
class Reply:
    """What came back from one call.

    Attributes:
        value: what the function returned.
        error: why there is no value.
        arguments: the arguments as they are afterwards, if that was asked for; likewise the next.
        events: what scenarios recorded.
        report: what scenarios report.
        rearranged: the way to the first place in a list or dict among the arguments where
            something else is now: "args" or "kwargs", then keys; empty when there is none.
        unusable: what was returned, when it cannot pass; `value` is None then.
        autograd_runs: how often the autograd engine ran, where that is counted.
        recording: whether the function left the recording of gradients switched on.
    """

    value: Any = None
    error: CallError | None = None
    arguments: tuple[list[Any], dict[str, Any]] = field(default_factory=lambda: ([], {}))
    events: tuple[Event, ...] = ()
    report: dict[str, Any] = field(default_factory=dict)
    rearranged: tuple[str | int, ...] = ()
    unusable: str = ""
    autograd_runs: int = 0
    recording: bool = True


def request(
    function: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    observe: bool = False,
    by_hand: bool = False,
) -> tuple[Json, Tensors]:
    """Return the document and tensors that ask for one call.

    `observe` asks for the arguments as they are afterwards, the events and the reports;
    `by_hand` has runs of the autograd engine counted. Raises `UnusableValueError` for arguments
    that cannot pass, which is a fault of the check.
    """
    packed, tensors, scenarios = pack({"args": list(args), "kwargs": kwargs})
    described = []
    for index, scenario in enumerate(scenarios):
        name, parameters = specification(scenario)
        document, more, nested = pack(parameters)
        if nested:
            raise UnusableValueError("a scenario inside the parameters of a scenario")
        described.append({"name": name, "parameters": _renamed(document, f"s{index}")})
        tensors.update({f"s{index}{key}": tensor for key, tensor in more.items()})
    return {
        "function": function,
        "arguments": packed,
        "scenarios": described,
        "observe": observe,
        "by_hand": by_hand,
    }, tensors


def _renamed(document: Json, prefix: str) -> Json:
    """Prefix the tensor names in a packed document."""
    if isinstance(document, list):
        return [_renamed(item, prefix) for item in document]
    if isinstance(document, dict):
        renamed = {key: _renamed(item, prefix) for key, item in document.items()}
        if document.get("$") == "tensor":
            renamed["n"] = prefix + document["n"]
        return renamed
    return document


class _Scenarios:
    """The scenario objects of one call, built when first mentioned."""

    def __init__(self, described: list[Json], tensors: Tensors) -> None:
        self.described, self.tensors = described, tensors
        self.built: dict[int, Any] = {}
        self.recorders: list[Recorder] = []

    def part(self, index: int, name: str | None) -> Any:
        if not 0 <= index < len(self.described):
            raise MalformedError("a scenario that was not sent")
        if index not in self.built:
            described = self.described[index]
            recorder = Recorder()
            parameters = unpack(described["parameters"], self.tensors, make=as_parameter)
            self.built[index] = build(described["name"], parameters, recorder)
            self.recorders.append(recorder)
        built = self.built[index]
        return built if name is None else getattr(built, name)


def as_parameter(tensor: torch.Tensor, facts: Facts) -> torch.Tensor:
    """Make a tensor among a scenario's parameters: plain, with its own storage."""
    return tensor.detach().clone()


@contextmanager
def _recording() -> Iterator[None]:
    """Record gradients, whatever a cell or an earlier call has switched off for good.

    In the notebook an exercise's own check came before such a cell.
    """
    with torch.inference_mode(mode=False), torch.enable_grad():
        yield


@_recording()
def perform(
    find: Callable[[str], Callable[..., Any]],
    call: Json,
    tensors: Tensors,
    describe: Callable[[BaseException], CallError],
) -> tuple[Json, Tensors]:
    """Answer the call that `request` described; `find` looks the student's function up by name.

    `find` raises `LookupError` when there is none. `describe` turns what the student's code raised
    into a `CallError`, or raises it again. Returns the reply's document and tensors.
    """
    scenarios = _Scenarios(call["scenarios"], tensors)
    arguments = unpack(call["arguments"], tensors, make=as_argument, part=scenarios.part)
    originals = _tensors_only(arguments) if call["observe"] else None
    try:
        function = find(call["function"])
    except LookupError as error:
        return failure(CallError("missing", str(error.args[0]))), {}
    try:
        with guard.counting(call["by_hand"]) as runs:
            value = function(*arguments["args"], **arguments["kwargs"])
            recording = torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
    except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt are answers too
        return failure(describe(error)), {}
    answer = {"value": value, "autograd_runs": runs.count, "recording": recording}
    if call["observe"]:
        # While `value` is alive: what it keeps alive is kept alive by the student.
        report: dict[str, Any] = {}
        for recorder in scenarios.recorders:
            report.update(recorder.reports())
        answer["arguments"] = originals
        answer["events"] = [
            [event.kind, event.data] for r in scenarios.recorders for event in r.events
        ]
        answer["report"] = report
        answer["rearranged"] = _rearranged(originals, arguments)
    return _packed(answer, observed=call["observe"])


def _packed(answer: dict[str, Any], *, observed: bool) -> tuple[Json, Tensors]:
    try:
        document, out, _ = pack(answer)
    except UnusableValueError as error:
        if not observed or "unusable" in answer:
            return failure(CallError("unusable", error.reason)), {}
        # What the function did may be all that is asked for.
        return _packed({**answer, "value": None, "unusable": error.reason}, observed=True)
    return document, out


def _rearranged(before: Any, after: Any) -> list[str | int] | None:
    """The way to the first place among the arguments where something else is now, if any is."""
    keys: Iterable[Any]
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        keys = before
    elif isinstance(before, list | tuple) and type(before) is type(after):
        if len(before) != len(after):
            return []
        keys = range(len(before))
    else:
        return None if before is None or before is after else []
    for key in keys:
        way = _rearranged(before[key], after[key])
        if way is not None:
            return [key, *way]
    return None


def _tensors_only(value: Any) -> Any:
    """Keep the structure and the very tensors of the arguments; drop what cannot change."""
    if isinstance(value, list):
        return [_tensors_only(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_tensors_only(item) for item in value)
    if isinstance(value, dict):
        return {key: _tensors_only(item) for key, item in value.items()}
    return value if isinstance(value, torch.Tensor | bool | int | float | str) else None


def failure(error: CallError) -> Json:
    """Return the document of a reply that has no value."""
    return {
        "$": "dict",
        "v": {
            "error": {
                "$": "dict",
                "v": {
                    "kind": error.kind,
                    "message": error.message[:2_000],
                    "type": error.type[:200],
                    "traceback": error.traceback[-20_000:],
                },
            }
        },
    }


def reply(document: Json, tensors: Tensors) -> Reply:
    """Read a reply. Whatever does not parse is a `CallError` of kind malformed, never a value."""
    try:
        answer = unpack(document, tensors, make=as_answer)
        if not isinstance(answer, dict):
            raise MalformedError("a reply that is no dict")
        if "error" in answer:
            return Reply(error=_read_error(answer["error"]))
        arguments = answer.get("arguments") or {"args": [], "kwargs": {}}
        runs, report = answer.get("autograd_runs"), answer.get("report", {})
        recording, unusable = answer.get("recording"), answer.get("unusable", "")
        if (
            type(runs) is not int
            or type(recording) is not bool
            or not isinstance(report, dict)
            or not isinstance(unusable, str)
            or "value" not in answer
        ):
            raise MalformedError("a reply that lacks a part")
        return Reply(
            value=answer["value"],
            arguments=_read_arguments(arguments),
            events=_read_events(answer.get("events", [])),
            report=report,
            rearranged=_read_way(answer.get("rearranged")),
            unusable=without_control(unusable[:200]),
            autograd_runs=runs,
            recording=recording,
        )
    except MalformedError as error:
        return Reply(error=CallError("malformed", str(error)[:200]))


def _read_error(error: Any) -> CallError:
    fields = ("kind", "message", "type", "traceback")
    if not isinstance(error, dict) or not all(isinstance(error.get(f), str) for f in fields):
        raise MalformedError("an error that is none")
    if error["kind"] not in ("missing", "exception", "unusable", "timeout"):
        raise MalformedError("an error of an unknown kind")
    return CallError(
        error["kind"],
        without_control(error["message"][:2_000]),
        without_control(error["type"][:200]),
        without_control(error["traceback"][-20_000:]),
    )


def _read_arguments(arguments: Any) -> tuple[list[Any], dict[str, Any]]:
    if not isinstance(arguments, dict):
        raise MalformedError("arguments that are none")
    args, kwargs = arguments.get("args"), arguments.get("kwargs")
    if not isinstance(args, list) or not isinstance(kwargs, dict):
        raise MalformedError("arguments that are none")
    return args, kwargs


def _read_way(way: Any) -> tuple[str | int, ...]:
    if way is None:
        return ()
    if not isinstance(way, list) or len(way) < 2 or not all(type(k) in (str, int) for k in way):
        raise MalformedError("a way that is none")
    return tuple(way)


def _read_events(events: Any) -> tuple[Event, ...]:
    if not isinstance(events, list) or not all(
        isinstance(event, list)
        and len(event) == 2
        and isinstance(event[0], str)
        and isinstance(event[1], dict)
        for event in events
    ):
        raise MalformedError("events that are none")
    return tuple(Event(kind, data) for kind, data in events)
