"""Hidden checks of `pitfalls.slope_at`: the slope that autograd finds, on random curves."""

import pytest
import torch

from autograded.grading import assert_agrees, assert_recording, scenario

pytestmark = pytest.mark.exercise("pitfalls.slope_at")


def uniform(rng, low, high):
    return low + (high - low) * torch.rand((), generator=rng).item()


def assert_slope(submission, f, value):
    x = torch.tensor(value, dtype=torch.float64, requires_grad=True)
    f.build()(x).backward()
    # Observed, not only called: how f was called tells apart the ways to end up with None.
    seen = submission.observe.slope_at(f, value)
    assert_agrees(seen.value, x.grad, name="slope", rtol=1e-4)
    assert_recording(seen)


@pytest.mark.check(
    en="agrees with autograd on random polynomials",
    id="sesuai dengan autograd pada polinomial acak",
)
def test_polynomials(submission, rng):
    # A small slope is a slope: no digit of the second is near enough to 0 to be rounded.
    for degree, scale in ((2, 1.0), (4, 1e-9)):
        coefficients = [scale * uniform(rng, 0.5, 2.0) for _ in range(degree + 1)]
        f = scenario("pitfalls-curve", kind="polynomial", coefficients=coefficients)
        assert_slope(submission, f, uniform(rng, 0.6, 1.9))


@pytest.mark.check(
    en="agrees with autograd where x is used twice",
    id="sesuai dengan autograd ketika x dipakai dua kali",
)
def test_waves(submission, rng):
    for sign in (1.0, -1.0):
        f = scenario(
            "pitfalls-curve",
            kind="wave",
            coefficients=[uniform(rng, 1.0, 3.0), uniform(rng, 0.5, 1.0)],
        )
        assert_slope(submission, f, sign * uniform(rng, 0.5, 1.3))


@pytest.mark.check(
    en="agrees with autograd when f has a weight of its own",
    id="sesuai dengan autograd ketika f punya bobot sendiri",
)
def test_own_weight(submission, rng):
    # Here backward() finds a graph whatever x is: what comes back shows what was done with x.
    for kind in ("weighted", "polynomial"):
        coefficients = [uniform(rng, 0.5, 2.0) for _ in range(3)]
        f = scenario("pitfalls-curve", kind=kind, coefficients=coefficients)
        assert_slope(submission, f, uniform(rng, 0.6, 1.9))


@pytest.mark.check(
    en="keeps its digits on a curve far from zero",
    id="tetap teliti pada kurva yang jauh dari nol",
)
def test_large_offset(submission, rng):
    # Any difference of two values of f loses its digits here; a derivative does not see the offset.
    coefficients = [1.0123e12, uniform(rng, 1.0, 2.0), uniform(rng, 1.0, 2.0), 0.7]
    f = scenario("pitfalls-curve", kind="polynomial", coefficients=coefficients)
    assert_slope(submission, f, uniform(rng, 1.1, 1.8))
