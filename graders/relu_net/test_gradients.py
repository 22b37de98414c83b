"""Hidden checks of `gradients`: dL/dw1 and dL/dw2 of L = (w2·relu(w1·x) − t)², by hand."""

import pytest
import torch

from autograded.grading import as_tensor, assert_agrees, assert_unchanged, expect_tuple, fail

pytestmark = pytest.mark.exercise("relu_net.gradients")

# Right code may compute in float32 and hand back a Python float; a mistake differs far more.
RTOL = 1e-5


def between(rng, low, high):
    """Draw a float between low and high."""
    return low + (high - low) * torch.rand((), generator=rng, dtype=torch.float64).item()


def autograd(x, w1, w2, t):
    """Return (dL/dw1, dL/dw2) by autograd, in float64."""
    x, w1, w2, t = (torch.as_tensor(v).detach().to(torch.float64) for v in (x, w1, w2, t))
    w1, w2 = w1.requires_grad_(), w2.requires_grad_()
    loss = (w2 * torch.relu(w1 * x) - t) ** 2
    return torch.autograd.grad(loss, (w1, w2))


def far(rng, w2):
    """An example with a target so far away that no difference of losses has digits left.

    L is about 1e16 and its float64 neighbours lie 2 apart, so a difference over 2·eps is off by
    1e-9 / eps. Any eps large enough for that to vanish crosses the corner, z = 3.4e-6. The offset
    is crooked because round numbers can come out right by luck.
    """
    return 1.7, 2e-6, w2, 1.0123e8 + between(rng, 0.0, 1e4)


# An example with an open gate, beside those whose gradients are 0: zeros must not pass for work.
OPEN = (1.5, 0.7, -1.2, 0.4)


def check_all(submission, examples, also=None):
    """Make every call, then compare: a diagnosis needs the answers to all of them.

    At `also` no gradient may be 0; what else it is, other checks ask.
    """
    answers = [submission.gradients(*example) for example in examples]
    if also is not None:
        not_zero(submission.gradients(*also))
    compare(examples, answers)


def compare(examples, answers):
    """Compare the answers with autograd's."""
    for example, answer in zip(examples, answers, strict=True):
        dw1, dw2 = expect_tuple(answer, 2, names=("dw1", "dw2"))
        expected_dw1, expected_dw2 = autograd(*example)
        assert_agrees(dw1, expected_dw1, name="dw1", rtol=RTOL)
        assert_agrees(dw2, expected_dw2, name="dw2", rtol=RTOL)


def not_zero(answer):
    """Fail unless both gradients are numbers other than 0."""
    names = ("dw1", "dw2")
    for name, value in zip(names, expect_tuple(answer, 2, names=names), strict=True):
        number = as_tensor(value)
        if number is None:
            fail(
                en=f"{name} must be a number where the gate is open, too.",
                id=f"{name} harus berupa bilangan, juga ketika gerbangnya terbuka.",
            )
        if not bool((number != 0).all()):
            fail(
                en=f"{name} is 0 where the gate is open, too.",
                id=f"{name} bernilai 0, padahal gerbangnya terbuka.",
            )


@pytest.mark.check(
    en="agrees with autograd when the gate is open",
    id="sesuai dengan autograd ketika gerbang terbuka",
    weight=3,
)
def test_open_gate(submission, rng):
    # Targets on the other side of the output keep y − t away from 0. z is below and above 1.
    examples = [
        (between(rng, 0.4, 0.9), between(rng, 0.2, 0.8), between(rng, 1.2, 2.5), -1.3),
        (between(rng, 2.0, 4.0), between(rng, 2.5, 4.0), between(rng, -2.5, -1.2), 2.7),
        (between(rng, -3.0, -1.2), between(rng, -3.0, -1.2), between(rng, 0.3, 0.8), -0.6),
        far(rng, between(rng, -2.5, -1.2)),
    ]
    check_all(submission, examples)


@pytest.mark.check(
    en="lets nothing through a closed gate",
    id="tidak meneruskan apa pun lewat gerbang tertutup",
    weight=2,
)
def test_closed_gate(submission, rng):
    examples = [
        (between(rng, 0.4, 0.9), between(rng, -0.8, -0.2), between(rng, 1.2, 2.5), 1.9),
        (between(rng, -4.0, -2.0), between(rng, 2.5, 4.0), between(rng, -2.5, -1.2), -0.7),
        # Closed by so little that a difference reaches across the corner.
        (between(rng, 1.2, 3.0), -1e-9, between(rng, 1.2, 2.5), between(rng, 0.5, 2.0)),
    ]
    check_all(submission, examples, also=OPEN)


@pytest.mark.check(
    en="takes the slope of relu at exactly 0 to be 0",
    id="menganggap kemiringan relu tepat di 0 bernilai 0",
)
def test_at_the_corner(submission, rng):
    # z must be 0 through the weight: with x = 0 a wrong slope is multiplied by 0 and never seen.
    examples = [
        (between(rng, 1.2, 3.0), 0.0, between(rng, 1.2, 2.5), between(rng, 0.5, 2.0)),
        (between(rng, -3.0, -1.2), 0.0, between(rng, -2.5, -1.2), between(rng, 0.5, 2.0)),
    ]
    check_all(submission, examples, also=OPEN)


@pytest.mark.check(
    en="keeps its digits with a far target: the chain rule, not differences",
    id="tetap teliti dengan target yang jauh: aturan rantai, bukan beda hingga",
)
def test_far_target(submission, rng):
    check_all(submission, [far(rng, between(rng, 1.2, 2.5)), far(rng, between(rng, -2.5, -1.2))])


@pytest.mark.check(
    en="opens the gate as soon as z is above 0",
    id="membuka gerbang begitu z di atas 0",
)
def test_barely_open_gate(submission, rng):
    examples = [(between(rng, 1.2, 3.0), 2e-13, between(rng, 1.2, 2.5), between(rng, 0.5, 2.0))]
    check_all(submission, examples)


@pytest.mark.check(
    en="takes 0-d tensors too, and leaves them as they were",
    id="menerima tensor 0 dimensi juga, dan membiarkannya seperti semula",
)
def test_tensors(submission, rng):
    examples = []
    for dtype in (torch.float64, torch.float32):
        for sign in (1, -1):
            x, w1, w2 = between(rng, 1.2, 3.0), sign * between(rng, 0.3, 2.0), between(rng, -2, -1)
            examples.append(tuple(torch.tensor(v, dtype=dtype) for v in (x, w1, w2, 1.6)))
        examples.append(tuple(torch.tensor(v, dtype=dtype) for v in far(rng, 1.3)))
    observations = [submission.observe.gradients(*example) for example in examples]
    compare(examples, [observation.value for observation in observations])
    for observation in observations:
        assert_unchanged(observation)
