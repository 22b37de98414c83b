"""Comparing what a student returned with what torch autograd says.

The expected side comes from the trusted process; the actual side is plain data. Tolerance follows
the less precise of the two dtypes, float32 at most unless autograd's own result is less precise;
NaN never agrees with a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import torch

from autograded.course import Text
from autograded.grading.failures import LAST_CALL, CheckFailed
from autograded.grading.observation import Observation
from autograded.i18n import _, say
from autograded.sandbox.values import Facts

# Relative tolerances, with the absolute one as the same multiple of the largest expected entry, so
# that small derivatives are not excused by a fixed absolute tolerance. float32 results of long
# sums legitimately lose two or three of their seven digits.
_RELATIVE = {
    torch.float64: 1e-8,
    torch.float32: 2e-4,
    torch.float16: 2e-2,
    torch.bfloat16: 5e-2,
}
_ABSOLUTE_SHARE = 1e-1

_NEAR = 1e-4
"""Up to this relative difference the idea was right, and digits were lost."""
_MANY_DIGITS = 12

SHOWN_IN_FULL = 6
"""Entries up to which a tensor is written out in a message."""


def fail(en: str, id: str, about: Any = LAST_CALL) -> NoReturn:
    """Fail the check with a message in both languages.

    The message names the check's last call, or the one that gave the value `about`.
    """
    __tracebackhide__ = True
    raise CheckFailed(say(Text(en=en, id=id)), about=about)


def as_tensor(value: Any) -> torch.Tensor | None:
    """Return a number, NumPy scalar or tensor as a tensor; None for anything else.

    Python numbers are exact: they count as float64.
    """
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, bool):
        return None
    if isinstance(value, np.generic):
        return torch.from_numpy(np.asarray(value))
    if isinstance(value, int | float):
        try:
            return torch.tensor(float(value), dtype=torch.float64)
        except OverflowError:
            return torch.tensor(float("inf"), dtype=torch.float64)
    return None


def relative_tolerance(*tensors: torch.Tensor) -> float:
    """The relative tolerance for comparing tensors: that of the least precise dtype."""
    return max(_RELATIVE.get(t.dtype, _RELATIVE[torch.float64]) for t in tensors)


def _tolerance(actual: torch.Tensor, expected: torch.Tensor) -> float:
    """The relative tolerance for an answer: numbers may become float32, torch's default, no less.

    A student who casts to bfloat16 may not be wrong by that much unless the inputs were.
    """
    return max(
        relative_tolerance(expected), min(relative_tolerance(actual), _RELATIVE[torch.float32])
    )


def agrees(
    actual: torch.Tensor,
    expected: torch.Tensor,
    rtol: float | None = None,
    atol: float | None = None,
) -> torch.Tensor:
    """Compare element by element; same shapes required. Returns a bool tensor.

    NaN and infinity agree with nothing, so that a reference that is not a number fails everybody
    and is noticed.
    """
    if rtol is None:
        rtol = _tolerance(actual, expected)
    a, e = actual.to(torch.float64), expected.to(torch.float64)
    if atol is None:
        scale = e.abs().max().item() if e.numel() else 0.0
        atol = rtol * _ABSOLUTE_SHARE * scale
    return torch.isfinite(a) & ((a - e).abs() <= atol + rtol * e.abs())


def assert_agrees(
    actual: Any,
    expected: Any,
    *,
    name: str,
    rtol: float | None = None,
    atol: float | None = None,
) -> None:
    """Fail the check unless `actual` is what autograd says.

    Args:
        actual: what the student returned: a number, NumPy scalar, array or tensor.
        expected: the reference, a number or tensor that this process computed with torch autograd.
        name: what to call the quantity in the message, such as "dw1".
        rtol: relative tolerance; by default it follows the dtypes, see above.
        atol: absolute tolerance; by default a tenth of `rtol` times the largest expected entry.

    Raises:
        CheckFailed: with the first differing index, the ratio when it is constant, or the shapes.
    """
    __tracebackhide__ = True
    reference = as_tensor(expected)
    if reference is None:
        raise TypeError(f"expected must be a number or a tensor, not {type(expected).__name__}")
    got = as_tensor(actual)
    if got is None:
        raise CheckFailed(
            _("{name} must be a number or a tensor, but it is {what}.").format(
                name=name, what=describe_type(actual)
            ),
            returned=f"{name} = {show(actual)}",
            about=actual,
        )
    if got.shape != reference.shape:
        raise CheckFailed(
            _("{name} has shape {got}; it must have shape {due}.").format(
                name=name, got=_shape(got), due=_shape(reference)
            ),
            returned=_("{name} of shape {shape}").format(name=name, shape=_shape(got)),
            expected=_("{name} of shape {shape}").format(name=name, shape=_shape(reference)),
            about=actual,
        )
    same = agrees(got, reference, rtol, atol)
    if bool(same.all()):
        return
    near = bool(agrees(got, reference, rtol=_NEAR).all())
    digits = _MANY_DIGITS if near else None
    raise CheckFailed(
        _lost_digits(name) if near else _difference(got, reference, same, name),
        returned=f"{name} = {show(got, same, digits)}",
        expected=f"{name} = {show(reference, same, digits)}",
        about=actual,
    )


def _lost_digits(name: str) -> str:
    return _(
        "{name} agrees with autograd in its first digits only: "
        "was it rounded, computed in float32, or taken from a difference?"
    ).format(name=name)


def _difference(got: torch.Tensor, due: torch.Tensor, same: torch.Tensor, name: str) -> str:
    if bool(torch.isnan(got).any()):
        return _("{name} is NaN (not a number), where autograd has a number.").format(name=name)
    if bool(torch.isinf(got).any()):
        return _("{name} is infinite, where autograd has a finite number.").format(name=name)
    ratio = constant_ratio(got, due)
    if ratio is not None:
        return _proportion(ratio, got.numel() > 1).format(name=name, ratio=_ratio_text(ratio))
    if got.numel() > 1:
        wrong = int((~same).sum())
        return _(
            "{name} differs from what autograd says in {wrong} of {all} entries, first at {index}."
        ).format(name=name, wrong=wrong, all=got.numel(), index=list(_first(same)))
    return _("{name} differs from what autograd says.").format(name=name)


def _proportion(ratio: float, several: bool) -> str:
    """The sentence for a value that is `ratio` times autograd's, in each of `several` entries."""
    if ratio == 0:
        return (
            _("{name} is 0 in every entry, but autograd does not say 0.")
            if several
            else _("{name} is 0, but autograd does not say 0.")
        )
    if _ratio_text(ratio) == "−1":
        return (
            _("{name} has the opposite sign of what autograd says, in every entry.")
            if several
            else _("{name} has the opposite sign of what autograd says.")
        )
    return (
        _("{name} is {ratio} times what autograd says, in every entry.")
        if several
        else _("{name} is {ratio} times what autograd says.")
    )


def constant_ratio(got: torch.Tensor, due: torch.Tensor) -> float | None:
    """Return got / due when it is one simple number in every entry, else None."""
    a, e = got.to(torch.float64).reshape(-1), due.to(torch.float64).reshape(-1)
    keep = e != 0
    if not bool(keep.any()) or bool((a[~keep] != 0).any()):
        return None
    ratios = a[keep] / e[keep]
    ratio = ratios[0].item()
    tolerance = max(1e-6, relative_tolerance(got, due))
    if not bool(((ratios - ratio).abs() <= tolerance * abs(ratio)).all()):
        return None
    if got.numel() == 1 and _simple(ratio) is None:
        return None  # any two numbers have a ratio; only a simple one says something
    return ratio


def _simple(ratio: float) -> str | None:
    for numerator in range(1, 13):
        for denominator in range(1, 13):
            if abs(abs(ratio) - numerator / denominator) <= 1e-5 * abs(ratio):
                text = str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
                return text if ratio > 0 else f"−{text}"
    return "0" if ratio == 0 else None


def _ratio_text(ratio: float) -> str:
    return _simple(ratio) or f"{ratio:.6g}"


def _first(same: torch.Tensor) -> tuple[int, ...]:
    return tuple(int(i) for i in (~same).nonzero()[0])


def number(value: float, digits: int = 10) -> str:
    """A number as a person reads it: up to ten digits, no trailing zeros."""
    return f"{value:.{digits}g}"


def _digits(dtype: torch.dtype) -> int:
    return 10 if dtype == torch.float64 else 7


def show(value: Any, same: torch.Tensor | None = None, digits: int | None = None) -> str:
    """A short text of a value; for a large tensor its shape and the first differing entry."""
    if isinstance(value, torch.Tensor):
        many = digits or _digits(value.dtype)
        if value.dim() == 0:
            item = value.item()
            return number(item, many) if isinstance(item, float) else str(item)
        if value.numel() <= SHOWN_IN_FULL:
            return str(_rounded(value.tolist(), digits or 7))
        if same is not None and not bool(same.all()):
            index = _first(same)
            place = ", ".join(map(str, index))
            return f"[…], [{place}] = {number(float(value[index]), many)}"
        return _("a tensor of shape {shape}").format(shape=_shape(value))
    if isinstance(value, np.generic):
        return number(float(value), 10 if value.dtype == np.float64 else 7)
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else f"{value:.6e}"
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:57] + "…")
    if isinstance(value, tuple | list):
        inner = ", ".join(show(item) for item in value[:4]) + (", …" if len(value) > 4 else "")
        if isinstance(value, tuple):
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{key}={show(item)}" for key, item in list(value.items())[:4])
        return f"{{{inner}}}"
    return str(value)


def _shape(value: torch.Tensor) -> str:
    """A shape as torch writes it; the empty one is explained."""
    return str(tuple(value.shape)) if value.dim() else _("() (a single number)")


def _rounded(value: Any, digits: int) -> Any:
    if isinstance(value, list):
        return [_rounded(item, digits) for item in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def describe_type(value: Any) -> str:
    """What kind of thing a value is, in words of the current language."""
    if value is None:
        return _("None (does the function return its result?)")
    if isinstance(value, torch.Tensor):
        return _("a tensor of shape {shape}").format(shape=_shape(value))
    if isinstance(value, tuple | list):
        return _("a {kind} of {count} values").format(kind=type(value).__name__, count=len(value))
    return _("a value of type {kind}").format(kind=type(value).__name__)


def expect_tuple(value: Any, length: int, *, names: Sequence[str]) -> tuple[Any, ...]:
    """Return `value` as a tuple of `length` values (a list passes), or fail the check.

    `names` are what the values are called in the message, one each.
    """
    __tracebackhide__ = True
    wanted = f"({', '.join(names)})"
    if not isinstance(value, tuple | list):
        raise CheckFailed(
            _("The function must return {wanted}, but it returned {what}.").format(
                wanted=wanted, what=describe_type(value)
            ),
            returned=show(value),
            about=value,
        )
    if len(value) != length:
        raise CheckFailed(
            _("The function must return {wanted}, {due} values, but it returned {got}.").format(
                wanted=wanted, due=length, got=len(value)
            ),
            returned=show(value),
            about=value,
        )
    return tuple(value)


def assert_plain_floats(values: Any, *, name: str, length: int | None = None) -> None:
    """Fail the check unless `values` is a list (or tuple) of plain Python floats."""
    __tracebackhide__ = True
    if not isinstance(values, list | tuple):
        raise CheckFailed(
            _("{name} must be a list of floats, but it is {what}.").format(
                name=name, what=describe_type(values)
            ),
            returned=show(values),
            about=values,
        )
    for index, value in enumerate(values):
        if type(value) is float:
            continue
        if isinstance(value, torch.Tensor):
            facts = getattr(value, "facts", Facts())
            reason = (
                _("a tensor, which keeps its whole graph alive")
                if facts.requires_grad
                else _("a tensor")
            )
        else:
            reason = describe_type(value)
        raise CheckFailed(
            _("{name}[{index}] must be a plain Python float, but it is {what}.").format(
                name=name, index=index, what=reason
            ),
            returned=show(values),
            about=values,
        )
    if length is not None and len(values) != length:
        raise CheckFailed(
            _("{name} must have {due} entries, but it has {got}.").format(
                name=name, due=length, got=len(values)
            ),
            returned=show(values),
            about=values,
        )


def assert_unchanged(observation: Observation) -> None:
    """Fail the check when anything that was passed in was modified, or recording left off.

    Compared are, of tensors, values (exactly), shape, requires_grad and `.grad`; of lists, what
    they hold.
    """
    __tracebackhide__ = True
    assert_recording(observation)
    place = observation.rearranged_place()
    if place is not None:
        raise CheckFailed(
            _(
                "The function changed the list it was given as {place}: something was taken out, "
                "put in or moved. Work on a copy, such as `list(…)`."
            ).format(place=place)
        )
    for place, before, after in observation.passed_tensors():
        facts = getattr(after, "facts", Facts())
        if before.shape != after.shape or not torch.equal(before.detach(), after):
            raise CheckFailed(
                _("The function changed its input {place}; it must leave it as it was.").format(
                    place=place
                ),
                returned=f"{place} = {show(after)}",
                about=after,
            )
        if before.requires_grad != facts.requires_grad:
            raise CheckFailed(
                _("The function changed requires_grad of its input {place}.").format(place=place),
                about=after,
            )
        if not _same_grad(before.grad if before.is_leaf else None, facts.grad):
            raise CheckFailed(
                _("The function changed .grad of its input {place}.").format(place=place),
                returned=f"{place}.grad = {show(facts.grad)}",
                about=after,
            )


def assert_recording(observation: Observation) -> None:
    """Fail the check when the function left the recording of gradients switched off."""
    __tracebackhide__ = True
    if not observation.recording:
        raise CheckFailed(
            _(
                "The function switched the recording of gradients off and left it off: whatever is "
                "computed afterwards has no gradients. `with torch.no_grad():` switches it on "
                "again at the end of the block."
            )
        )


def _same_grad(before: torch.Tensor | None, after: torch.Tensor | None) -> bool:
    if before is None or after is None:
        return before is None and after is None
    return torch.equal(before, after)
