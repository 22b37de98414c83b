"""Hidden checks of `vector_jacobian_product`: random shapes and cotangents, and a borrowed x."""

import math

import pytest
import torch

from autograded.grading import assert_agrees, assert_unchanged, fail, scenario

pytestmark = pytest.mark.exercise("backward.vector_jacobian_product")


def normal(rng, *shape):
    """Random float64 numbers, none of them nearly 0."""
    values = torch.randn(shape, generator=rng, dtype=torch.float64)
    return values + 0.2 * values.sign()


def mixing(rng, x_shape, y_shape):
    """A random function from one shape to another."""
    matrix = normal(rng, math.prod(y_shape), math.prod(x_shape)) / 2
    return scenario("backward-mixing", matrix=matrix, shape=list(y_shape))


def autograd(f, x, v):
    """The reference: the gradient of Σ v·f(x)."""
    leaf = x.detach().clone().requires_grad_()
    (v * f.build()(leaf)).sum().backward()
    return leaf.grad


@pytest.mark.check(en="vectors of different length", id="vektor dengan panjang berbeda", weight=2)
def test_agrees_with_autograd_between_vectors(submission, rng):
    for n, m in ((3, 5), (4, 2)):
        f, x, v = mixing(rng, (n,), (m,)), normal(rng, n), normal(rng, m)
        got = submission.vector_jacobian_product(f, x, v)
        assert_agrees(got, autograd(f, x, v), name="vᵀJ")


@pytest.mark.check(en="x and f(x) of any shape", id="x dan f(x) dengan bentuk apa pun", weight=2)
def test_agrees_with_autograd_between_any_shapes(submission, rng):
    for x_shape, y_shape in (((2, 3), (4,)), ((3,), (2, 2)), ((2, 1, 2), (3, 2))):
        f, x, v = mixing(rng, x_shape, y_shape), normal(rng, *x_shape), normal(rng, *y_shape)
        got = submission.vector_jacobian_product(f, x, v)
        assert_agrees(got, autograd(f, x, v), name="vᵀJ")


@pytest.mark.check(en="a square Jacobian: vᵀJ is not J v", id="Jacobian persegi: vᵀJ bukan J v")
def test_multiplies_from_the_left(submission, rng):
    f, x, v = mixing(rng, (4,), (4,)), normal(rng, 4), normal(rng, 4)
    got = submission.vector_jacobian_product(f, x, v)
    assert_agrees(got, autograd(f, x, v), name="vᵀJ")


@pytest.mark.check(en="a 0-d x and a 0-d f(x)", id="x 0-d dan f(x) 0-d")
def test_agrees_with_autograd_on_single_numbers(submission, rng):
    for x_shape, y_shape in (((3,), ()), ((), (3,)), ((), ())):
        f, x, v = mixing(rng, x_shape, y_shape), normal(rng, *x_shape), normal(rng, *y_shape)
        got = submission.vector_jacobian_product(f, x, v)
        assert_agrees(got, autograd(f, x, v), name="vᵀJ")


@pytest.mark.check(
    en="relu at its kink: what autograd says, not a difference",
    id="relu di titik patahnya: menurut autograd, bukan beda hingga",
)
def test_takes_autograd_s_word_at_a_kink(submission, rng):
    f, x, v = scenario("backward-rectified", factor=1.5), normal(rng, 5), normal(rng, 5)
    x[1] = 0.0
    x[2], x[3] = x[2].abs(), -x[3].abs()
    got = submission.vector_jacobian_product(f, x, v)
    assert_agrees(got, autograd(f, x, v), name="vᵀJ")


@pytest.mark.check(
    en="x comes back as it was lent, with its .grad",
    id="x kembali seperti saat dipinjamkan, beserta .grad-nya",
    weight=2,
)
def test_leaves_x_alone(submission, rng):
    for tracked, leftover in ((True, True), (True, False), (False, False)):
        f, x, v = mixing(rng, (2, 2), (3,)), normal(rng, 2, 2), normal(rng, 3)
        x.requires_grad_(tracked)
        if leftover:
            x.grad = normal(rng, 2, 2)
        observation = submission.observe.vector_jacobian_product(f, x, v)
        assert_agrees(observation.value, autograd(f, x, v), name="vᵀJ")
        assert_unchanged(observation)


@pytest.mark.check(
    en="f is given x in its own shape", id="f diberi x dalam bentuknya sendiri", weight=2
)
def test_gives_f_the_shape_of_x(submission, rng):
    for x_shape, y_shape in (((2, 3), (4,)), ((), (2,))):
        f, x, v = mixing(rng, x_shape, y_shape), normal(rng, *x_shape), normal(rng, *y_shape)
        observation = submission.observe.vector_jacobian_product(f, x, v)
        for shape in map(tuple, observation.report["shapes"]):
            if shape != x_shape:
                fail(
                    en=f"x has shape {x_shape}, but f was called with shape {shape}. f may use "
                    "the dimensions of x, such as rows and columns: give it what it was made for.",
                    id=f"Bentuk x adalah {x_shape}, tetapi f dipanggil dengan bentuk {shape}. f "
                    "bisa saja memakai dimensi x, misalnya baris dan kolomnya: berikan bentuk yang "
                    "memang untuknya.",
                )
        assert_agrees(observation.value, autograd(f, x, v), name="vᵀJ")
