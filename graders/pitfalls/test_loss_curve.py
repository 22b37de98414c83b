"""Hidden checks of `pitfalls.loss_curve`: losses as plain floats, and no graph kept for them."""

import pytest
import torch

from autograded.grading import (
    assert_agrees,
    assert_plain_floats,
    assert_unchanged,
    fail,
    scenario,
)

pytestmark = pytest.mark.exercise("pitfalls.loss_curve")

# While a batch goes forward, the variables of the turn before it may still hold that turn's graph;
# two leaves room for code that also looks at the previous loss.
GRAPHS_ALLOWED = 2


def training(rng, optimizer, lr, loss="mse", scale=1.0):
    weights = [torch.randn(3, 4, generator=rng), scale * torch.randn(4, 1, generator=rng)]
    return scenario("pitfalls-training", weights=weights, optimizer=optimizer, lr=lr, loss=loss)


def batches(rng, count, scale=1.0):
    return [
        (torch.randn(n, 3, generator=rng), 2 * scale * torch.randn(n, 1, generator=rng))
        for n in [4, 2, 5, 3][:count] + [4] * (count - 4)
    ]


def five_steps(run, data):
    """Return the loss of each batch and the parameters after the pass."""
    built = run.build()
    losses = []
    for inputs, targets in data:
        built.optimizer.zero_grad()
        loss = built.loss_fn(built.model(inputs), targets)
        loss.backward()
        built.optimizer.step()
        losses.append(loss.detach())
    return losses, [parameter.detach() for parameter in built.model.parameters()]


def observe(submission, run, data):
    return submission.observe.loss_curve(run.model, run.loss_fn, run.optimizer, data)


def assert_losses(seen, run, data):
    assert_plain_floats(seen.value, name="losses", length=len(data))
    for index, (value, due) in enumerate(zip(seen.value, five_steps(run, data)[0], strict=True)):
        assert_agrees(value, due, name=f"losses[{index}]", rtol=1e-4)


def assert_left_alone(seen):
    """Fail unless the parameters' values are all that changed."""
    assert_unchanged(seen)
    if not (seen.report["require_grad"] and seen.report["training_mode"]):
        fail(
            en="The function leaves the model in evaluation mode, or its parameters without "
            "requires_grad. Leave both as they were.",
            id="Fungsi ini meninggalkan model dalam mode evaluasi, atau parameternya tanpa "
            "requires_grad. Biarkan keduanya seperti semula.",
        )


@pytest.mark.check(
    en="the losses of each optimizer's path, as plain floats",
    id="loss di sepanjang jalur setiap optimizer, sebagai float biasa",
)
def test_plain_losses(submission, rng):
    # Small losses are losses: in the last run no digit of them is near enough to 0 to be rounded.
    for optimizer, lr, loss, scale in (
        ("sgd", 0.05, "mse", 1.0),
        ("momentum", 0.02, "poisson", 1.0),
        ("adam", 0.03, "mse", 1.0),
        ("sgd", 0.05, "mse", 1e-4),
    ):
        run, data = training(rng, optimizer, lr, loss, scale), batches(rng, 5, scale)
        seen = observe(submission, run, data)
        assert_losses(seen, run, data)
        for index, due in enumerate(five_steps(run, data)[1]):
            after = seen.report["parameters"][index]
            assert_agrees(after, due, name=f"parameter {index} after training")
        assert_left_alone(seen)


@pytest.mark.check(
    en="graphs of earlier batches are gone while training",
    id="graf batch sebelumnya sudah lenyap saat pelatihan",
)
def test_graphs_during_training(submission, rng):
    run, data = training(rng, "sgd", 0.04), batches(rng, 8)
    seen = observe(submission, run, data)
    most = max((e.data["graphs_alive"] for e in seen.events if e.kind == "forward"), default=0)
    if most > GRAPHS_ALLOWED:
        fail(
            en=f"At one of the forward passes the graphs of {most} earlier batches were alive.",
            id=f"Pada salah satu forward, graf dari {most} batch sebelumnya masih hidup.",
        )
    assert_losses(seen, run, data)


@pytest.mark.check(
    en="no graph is alive after the return", id="tidak ada graf yang hidup setelah fungsi selesai"
)
def test_graphs_afterwards(submission, rng):
    run, data = training(rng, "momentum", 0.03), batches(rng, 6)
    seen = observe(submission, run, data)
    if seen.report["graphs_alive"]:
        fail(
            en=f"After the return {seen.report['graphs_alive']} graph(s) were still alive.",
            id=f"Setelah fungsi selesai, {seen.report['graphs_alive']} graf masih hidup.",
        )
    assert_losses(seen, run, data)
