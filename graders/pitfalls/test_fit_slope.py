"""Hidden checks of `pitfalls.fit_slope`: the same path as five-step training, whatever the data."""

import pytest
import torch

from autograded.grading import assert_agrees, assert_unchanged

pytestmark = pytest.mark.exercise("pitfalls.fit_slope")


def five_steps(x, y, lr, epochs):
    w = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=lr)
    for _ in range(epochs):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(w * x.double(), y.double()).backward()
        optimizer.step()
    return w.detach()


def noisy_line(rng, n, slope, scale=1.0):
    x = 0.5 + torch.rand(n, generator=rng)
    return x, scale * (slope * x + 0.3 * torch.randn(n, generator=rng))


def assert_slope(actual, x, y, lr, epochs):
    assert_agrees(actual, five_steps(x, y, lr, epochs), name="w", rtol=1e-4)


@pytest.mark.check(
    en="agrees with five-step training on random data",
    id="sesuai dengan pelatihan lima langkah pada data acak",
    weight=2,
)
def test_agrees_with_five_steps(submission, rng):
    for n, slope in ((6, 1.7), (9, -2.3)):
        x, y = noisy_line(rng, n, slope)
        assert_slope(submission.fit_slope(x, y, 0.13, 5), x, y, 0.13, 5)


@pytest.mark.check(
    en="agrees after every number of epochs", id="sesuai untuk setiap banyaknya epoch"
)
def test_every_number_of_epochs(submission, rng):
    # Small numbers are numbers: nothing in the second run is near enough to 0 to stop, or to round.
    for scale in (1.0, 1e-9):
        x, y = noisy_line(rng, 7, 3.1, scale)
        for epochs in (1, 2, 3, 4):
            assert_slope(submission.fit_slope(x, y, 0.09, epochs), x, y, 0.09, epochs)


@pytest.mark.check(
    en="agrees for small and large learning rates",
    id="sesuai untuk laju pembelajaran kecil dan besar",
)
def test_learning_rates(submission, rng):
    x, y = noisy_line(rng, 5, -1.4)
    for lr in (0.017, 0.31):
        assert_slope(submission.fit_slope(x, y, lr, 6), x, y, lr, 6)


@pytest.mark.check(
    en="each call starts afresh and leaves its data alone",
    id="setiap panggilan mulai dari awal dan tidak mengubah datanya",
)
def test_each_call_starts_afresh(submission, rng):
    first, second = noisy_line(rng, 4, 2.2), noisy_line(rng, 8, -0.9)
    for x, y in (first, second, first):
        seen = submission.observe.fit_slope(x, y, 0.11, 3)
        assert_slope(seen.value, x, y, 0.11, 3)
        assert_unchanged(seen)
