"""Hidden checks of `train_one_parameter`: the trained weight and every column of its history."""

import pytest
import torch

from autograded.grading import (
    assert_agrees,
    assert_plain_floats,
    assert_unchanged,
    expect_tuple,
    fail,
)

pytestmark = pytest.mark.exercise("training_loop.train_one_parameter")

LOSS, WEIGHT, GRAD = 0, 1, 2
COLUMNS = ("loss", "w", "grad")

# Lists become float32 tensors in most solutions, whatever the type of what they return.
RTOL = 2e-4


def points(rng, count, slope, scale=1.0):
    """Points (count,) near a line, as float32 holds them, and a learning rate that keeps 40 % of
    the error.
    """
    x = torch.randn(count, generator=rng, dtype=torch.float64) + 0.5
    y = scale * slope * x + 0.3 * scale * torch.randn(count, generator=rng, dtype=torch.float64)
    return x.float(), y.float(), 0.3 / x.square().mean().item()


_references = {}


def reference(rng, x, y, lr, epochs):
    """The trained weight and the history (epochs, 3), by autograd and torch.optim.SGD.

    The points follow from where `rng` stands, so one computation serves all submissions.
    """
    key = (rng.get_state().numpy().tobytes(), epochs)
    if key not in _references:
        _references[key] = five_steps(x, y, lr, epochs)
    return _references[key]


def five_steps(x, y, lr, epochs):
    x, y = (torch.as_tensor(values, dtype=torch.float64) for values in (x, y))
    w = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=lr)
    rows = []
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(w * x, y)
        loss.backward()
        rows.append([loss.item(), w.item(), w.grad.item()])
        optimizer.step()
    return w.detach(), torch.tensor(rows, dtype=torch.float64)


def parts_of(value, epochs):
    """The returned weight and history, of the right length, each row of three values."""
    w, history = expect_tuple(value, 2, names=("w", "history"))
    if not isinstance(history, list | tuple):
        fail(
            en="history must be a list with one (loss, w, grad) an epoch.",
            id="history harus berupa list berisi satu (loss, w, grad) per epoch.",
        )
    if len(history) != epochs:
        fail(
            en=f"history must have one row for each epoch, {epochs} here, not {len(history)}.",
            id=f"history harus berisi satu baris untuk setiap epoch, di sini {epochs}, bukan "
            f"{len(history)}.",
        )
    return w, [expect_tuple(row, 3, names=COLUMNS) for row in history]


def assert_column(history, expected, column, atol=None):
    """Compare one column epoch by epoch, so that the message names the first wrong epoch."""
    if atol is None:
        atol = 0.1 * RTOL * expected[:, column].abs().max().item()
    for row, due in enumerate(expected[:, column]):
        name = f"history[{row}] {COLUMNS[column]}"
        assert_agrees(history[row][column], due, name=name, rtol=RTOL, atol=atol)


@pytest.mark.check(en="finds the published table", id="menemukan tabel yang diterbitkan")
def test_finds_the_published_table(submission, rng):
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [2.5, 4.9, 7.6, 10.1, 12.4]
    w, history = parts_of(submission.train_one_parameter(x, y, 0.03, 12), 12)
    _, expected = reference(rng, x, y, 0.03, 12)
    for column in (LOSS, WEIGHT, GRAD):
        assert_column(history, expected, column, atol=1e-4)
    assert_agrees(w, 2.5, name="w", atol=1e-4)


@pytest.mark.check(
    en="returns the weight after the last step", id="mengembalikan bobot setelah langkah terakhir"
)
def test_returns_the_weight_after_the_last_step(submission, rng):
    x, y, lr = points(rng, 6, slope=-1.7)
    for epochs in (1, 3):
        answer = submission.train_one_parameter(x.tolist(), y.tolist(), lr, epochs)
        w, _ = parts_of(answer, epochs)
        assert_agrees(w, reference(rng, x, y, lr, epochs)[0], name="w", rtol=RTOL)


@pytest.mark.check(
    en="records the loss of every epoch, before its step",
    id="mencatat loss setiap epoch, sebelum langkahnya",
)
def test_records_the_loss_before_the_step(submission, rng):
    x, y, lr = points(rng, 9, slope=3.1)
    _, history = parts_of(submission.train_one_parameter(x, y, lr, 5), 5)
    assert_column(history, reference(rng, x, y, lr, 5)[1], LOSS)


@pytest.mark.check(
    en="records the weight of every epoch, before its step, and leaves x and y alone",
    id="mencatat bobot setiap epoch, sebelum langkahnya, dan tidak mengubah x dan y",
)
def test_records_the_weight_before_the_step(submission, rng):
    x, y, lr = points(rng, 4, slope=0.8)
    observation = submission.observe.train_one_parameter(x, y, lr, 4)
    _, history = parts_of(observation.value, 4)
    assert_column(history, reference(rng, x, y, lr, 4)[1], WEIGHT)
    assert_unchanged(observation)


@pytest.mark.check(
    en="records the gradient of every epoch alone",
    id="mencatat gradien masing-masing epoch saja",
    weight=2,
)
def test_records_the_gradient_of_every_epoch_alone(submission, rng):
    # Small numbers are numbers: nothing in the second run is near enough to 0 to stop, or to round.
    for scale in (1.0, 1e-9):
        x, y, lr = points(rng, 5, slope=2.2, scale=scale)
        answer = submission.train_one_parameter(x.tolist(), y.tolist(), lr, 4)
        assert_column(parts_of(answer, 4)[1], reference(rng, x, y, lr, 4)[1], GRAD)


@pytest.mark.check(en="keeps plain floats in its history", id="menyimpan float biasa di history")
def test_keeps_plain_floats_in_its_history(submission, rng):
    x, y, lr = points(rng, 3, slope=1.4)
    w, history = parts_of(submission.train_one_parameter(x.tolist(), y.tolist(), lr, 2), 2)
    expected, _ = reference(rng, x, y, lr, 2)
    assert_agrees(w, expected, name="w", rtol=RTOL)
    for epoch, row in enumerate(history):
        assert_plain_floats(row, name=f"history[{epoch}]")
