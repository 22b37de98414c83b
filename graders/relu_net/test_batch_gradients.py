"""Hidden checks of `batch_gradients`: the gradients of F.mse_loss(relu(X W1) W2, T), by hand."""

import pytest
import torch

from autograded.grading import assert_agrees, assert_unchanged, expect_tuple

pytestmark = pytest.mark.exercise("relu_net.batch_gradients")


def autograd(X, W1, W2, T):
    """Return (dL/dW1, dL/dW2) by autograd."""
    W1, W2 = W1.clone().requires_grad_(), W2.clone().requires_grad_()
    loss = torch.nn.functional.mse_loss(torch.relu(X @ W1) @ W2, T)
    return torch.autograd.grad(loss, (W1, W2))


def draw(rng, n, d, h, o):
    """Draw (X, W1, W2, T) in float64, with open and closed gates and no gate near its corner."""
    while True:
        X, W1, W2, T = (
            torch.randn(shape, generator=rng, dtype=torch.float64)
            for shape in ((n, d), (d, h), (h, o), (n, o))
        )
        Z = X @ W1
        mixed = 0.25 < (Z > 0).double().mean().item() < 0.75
        if mixed and Z.abs().min() > 1e-3:
            return X, W1, W2, T


def far(rng, example):
    """The same example with targets so far away that a difference of losses has no digits left.

    L is about 1e16 and its float64 neighbours lie 2 apart: a difference is off by 1e-8 of the
    gradient or more unless eps is about 1, and then it crosses corners. The offset is crooked
    because round numbers can come out right by luck.
    """
    X, W1, W2, T = example
    return X, W1, W2, 1.0123e8 + 1e4 * torch.rand(T.shape, generator=rng, dtype=torch.float64)


def check_both(submission, rng, *examples):
    """Call with every example near and far, then compare: a diagnosis needs all the answers."""
    both = [*examples, *(far(rng, example) for example in examples)]
    answers = [submission.batch_gradients(*example) for example in both]
    for answer, example in zip(answers, both, strict=True):
        compare(answer, example)


def compare(answer, example):
    """Compare one answer with autograd's."""
    dW1, dW2 = expect_tuple(answer, 2, names=("dW1", "dW2"))
    expected_dW1, expected_dW2 = autograd(*example)
    assert_agrees(dW2, expected_dW2, name="dW2")
    assert_agrees(dW1, expected_dW1, name="dW1")


@pytest.mark.check(
    en="agrees with autograd on random batches",
    id="sesuai dengan autograd pada batch acak",
    weight=4,
)
def test_random_batches(submission, rng):
    check_both(submission, rng, draw(rng, 7, 3, 5, 2), draw(rng, 4, 6, 3, 5))


@pytest.mark.check(
    en="agrees with autograd on a single example (N = 1)",
    id="sesuai dengan autograd pada satu contoh (N = 1)",
)
def test_single_example(submission, rng):
    check_both(submission, rng, draw(rng, 1, 3, 6, 2))


@pytest.mark.check(
    en="agrees with autograd with a single output (O = 1)",
    id="sesuai dengan autograd dengan satu keluaran (O = 1)",
)
def test_single_output(submission, rng):
    check_both(submission, rng, draw(rng, 6, 3, 4, 1))


@pytest.mark.check(
    en="agrees with autograd when equal sizes make every multiplication possible",
    id="sesuai dengan autograd ketika ukuran yang sama membuat semua perkalian mungkin",
)
def test_equal_sizes(submission, rng):
    check_both(submission, rng, draw(rng, 4, 4, 4, 4))


@pytest.mark.check(
    en="takes the slope of relu at exactly 0 to be 0",
    id="menganggap kemiringan relu tepat di 0 bernilai 0",
)
def test_at_the_corner(submission, rng):
    # Through the weights: with a row of X at 0 a wrong slope is multiplied by 0 and never seen.
    X, W1, W2, T = draw(rng, 7, 3, 5, 2)
    W1[:, 1] = 0.0
    compare(submission.batch_gradients(X, W1, W2, T), (X, W1, W2, T))


@pytest.mark.check(
    en="opens the gate as soon as z is above 0",
    id="membuka gerbang begitu z di atas 0",
)
def test_barely_open_gates(submission, rng):
    X, W1, W2, T = draw(rng, 7, 3, 5, 2)
    W1[:, 1] *= 1e-13
    compare(submission.batch_gradients(X, W1, W2, T), (X, W1, W2, T))


@pytest.mark.check(
    en="keeps its digits with far targets: the chain rule, not differences",
    id="tetap teliti dengan target yang jauh: aturan rantai, bukan beda hingga",
    weight=2,
)
def test_far_targets(submission, rng):
    # L is about 1e16 and its float64 neighbours lie 2 apart: differences lose their digits unless
    # eps is large, and then they cross the corners, at z = 1e-5 or so. Signs are chosen so that
    # no sum cancels, and float32 keeps its digits too.
    def positive(*shape):
        return 0.5 + torch.rand(shape, generator=rng, dtype=torch.float64)

    X = positive(6, 3)
    W1 = 1e-5 * positive(3, 4) * torch.tensor([1.0, -1.0, 1.0, -1.0])
    W2 = positive(4, 2) * torch.tensor([[1.0], [1.0], [-1.0], [-1.0]])
    T = 1.0123e8 + 1e4 * positive(6, 2)
    compare(submission.batch_gradients(X, W1, W2, T), (X, W1, W2, T))


@pytest.mark.check(en="takes float32 too", id="menerima float32 juga")
def test_float32(submission, rng):
    example = tuple(tensor.float() for tensor in draw(rng, 5, 4, 3, 2))
    compare(submission.batch_gradients(*example), example)


@pytest.mark.check(
    en="leaves the tensors it is given as they were",
    id="membiarkan tensor yang diterimanya seperti semula",
)
def test_inputs_unchanged(submission, rng):
    example = far(rng, draw(rng, 5, 3, 4, 2))
    observation = submission.observe.batch_gradients(*example)
    assert_unchanged(observation)
    # A function that does nothing leaves its inputs alone too, and earns nothing by it.
    dW1, dW2 = expect_tuple(observation.value, 2, names=("dW1", "dW2"))
    expected = autograd(*example)
    assert_agrees(dW1, expected[0], name="dW1")
    assert_agrees(dW2, expected[1], name="dW2")
