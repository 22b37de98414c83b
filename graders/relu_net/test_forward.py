"""Hidden checks of `forward`: z = w1·x, h = relu(z), y = w2·h."""

import pytest
import torch

from autograded.grading import assert_agrees, assert_unchanged, expect_tuple

pytestmark = pytest.mark.exercise("relu_net.forward")

# Right code may compute in float32 and hand back a Python float; a mistake differs far more.
RTOL = 1e-5


def between(rng, low, high):
    """Draw a float between low and high."""
    return low + (high - low) * torch.rand((), generator=rng, dtype=torch.float64).item()


def reference(x, w1, w2):
    """Return (z, h, y) by PyTorch's own operations, in float64."""
    x, w1, w2 = (torch.as_tensor(value, dtype=torch.float64) for value in (x, w1, w2))
    z = w1 * x
    h = torch.relu(z)
    return z, h, w2 * h


def check_all(submission, examples):
    """Make every call, then compare: a diagnosis needs the answers to all of them."""
    compare(examples, [submission.forward(*example) for example in examples])


def compare(examples, answers):
    """Compare the answers with PyTorch's."""
    for example, answer in zip(examples, answers, strict=True):
        z, h, y = expect_tuple(answer, 3, names=("z", "h", "y"))
        expected_z, expected_h, expected_y = reference(*example)
        assert_agrees(z, expected_z, name="z", rtol=RTOL)
        assert_agrees(h, expected_h, name="h", rtol=RTOL)
        assert_agrees(y, expected_y, name="y", rtol=RTOL)


@pytest.mark.check(
    en="agrees with PyTorch when the gate is open",
    id="sesuai dengan PyTorch ketika gerbang terbuka",
    weight=2,
)
def test_open_gate(submission, rng):
    examples = [
        (between(rng, 0.4, 0.9), between(rng, 0.2, 0.8), between(rng, 1.2, 2.5)),
        (between(rng, 2.0, 4.0), between(rng, 2.5, 4.0), between(rng, -2.5, -1.2)),
        (between(rng, -3.0, -1.2), between(rng, -3.0, -1.2), between(rng, 0.3, 0.8)),
    ]
    check_all(submission, examples)


@pytest.mark.check(
    en="closes the gate when z is negative, and when it is 0",
    id="menutup gerbang ketika z bernilai negatif, dan ketika 0",
    weight=2,
)
def test_closed_gate(submission, rng):
    examples = [
        (between(rng, 0.4, 0.9), between(rng, -0.8, -0.2), between(rng, 1.2, 2.5)),
        (between(rng, -4.0, -2.0), between(rng, 2.5, 4.0), between(rng, -2.5, -1.2)),
        (between(rng, 1.2, 3.0), 0.0, between(rng, 1.2, 2.5)),
    ]
    check_all(submission, examples)


@pytest.mark.check(
    en="opens the gate as soon as z is above 0",
    id="membuka gerbang begitu z di atas 0",
)
def test_barely_open_gate(submission, rng):
    check_all(submission, [(between(rng, 1.2, 3.0), 2e-13, between(rng, 1.2, 2.5))])


@pytest.mark.check(
    en="takes 0-d tensors too, and leaves them as they were",
    id="menerima tensor 0 dimensi juga, dan membiarkannya seperti semula",
)
def test_tensors(submission, rng):
    examples = []
    for dtype in (torch.float64, torch.float32):
        for sign in (1, -1):
            numbers = (between(rng, 1.2, 3.0), sign * between(rng, 0.3, 2.0), between(rng, -2, -1))
            examples.append(tuple(torch.tensor(number, dtype=dtype) for number in numbers))
    observations = [submission.observe.forward(*example) for example in examples]
    compare(examples, [observation.value for observation in observations])
    for observation in observations:
        assert_unchanged(observation)
