"""Hidden checks of `pitfalls.elementwise_slope`: the diagonal of the Jacobian, in w's shape."""

import pytest
import torch

from autograded.grading import assert_agrees, assert_unchanged

pytestmark = pytest.mark.exercise("pitfalls.elementwise_slope")


def diagonal(w, scale):
    """The diagonal of the Jacobian of w·scale, from autograd's own full Jacobian."""
    flat = w.detach().reshape(-1)
    jacobian = torch.autograd.functional.jacobian(lambda v: v * scale, flat)
    return jacobian.diagonal().reshape(w.shape)


@pytest.mark.check(
    en="agrees with autograd on vectors, at 0 and far from it",
    id="sesuai dengan autograd pada vektor, di 0 dan jauh darinya",
)
def test_vectors(submission, rng):
    for n, scale in ((2, 3.7), (5, -0.45)):
        w = torch.randn(n, generator=rng)
        # A quotient by w has no value at 0, and a difference no digits left far from it.
        w[0] = 0.0
        w[1:] += 1.0123e12
        assert_agrees(submission.elementwise_slope(w, scale), diagonal(w, scale), name="slope")


@pytest.mark.check(en="works for any shape", id="berlaku untuk bentuk apa pun")
def test_any_shape(submission, rng):
    for shape in ((), (1,), (2, 3), (2, 1, 4)):
        w = torch.randn(shape, generator=rng)
        assert_agrees(submission.elementwise_slope(w, 1.6e-7), diagonal(w, 1.6e-7), name="slope")


@pytest.mark.check(
    en="float64, and a scale that is a tensor and stays as it was",
    id="float64, dan scale yang berupa tensor dan tidak berubah",
)
def test_double_precision(submission, rng):
    w = torch.randn(3, generator=rng, dtype=torch.float64)
    scale = torch.tensor(-2.3, dtype=torch.float64)
    seen = submission.observe.elementwise_slope(w, scale)
    assert_agrees(seen.value, diagonal(w, scale), name="slope")
    assert_unchanged(seen)


@pytest.mark.check(
    en="leaves w and its .grad as they were", id="membiarkan w dan .grad-nya seperti semula"
)
def test_leaves_w_alone(submission, rng):
    for shape in ((4,), (3, 2)):
        w = torch.randn(shape, generator=rng).requires_grad_()
        w.grad = torch.randn(shape, generator=rng)
        seen = submission.observe.elementwise_slope(w, 0.8)
        assert_agrees(seen.value, diagonal(w, 0.8), name="slope")
        assert_unchanged(seen)
