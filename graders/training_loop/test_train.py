"""Hidden checks of `train`: judged by the path of the parameters, not by how the loop looks."""

from itertools import pairwise

import pytest
import torch

from autograded.grading import (
    Recorder,
    agrees,
    assert_agrees,
    assert_plain_floats,
    fail,
    scenario,
)

pytestmark = pytest.mark.exercise("training_loop.train")


def training(rng, sizes, batch_sizes, dtype=torch.float64, loss="mse", **rest):
    """A training scenario with random weights and random data."""

    def normal(*shape):
        return torch.randn(shape, generator=rng, dtype=torch.float64).to(dtype)

    weights = []
    for inputs, outputs in pairwise(sizes):
        weights += [0.8 * normal(outputs, inputs), 0.5 * normal(outputs)]
    batches = []
    for size in batch_sizes:
        if loss == "cross-entropy":
            targets = torch.randint(sizes[-1], (size,), generator=rng)
        elif loss == "poisson":
            targets = torch.randint(5, (size, sizes[-1]), generator=rng).to(dtype)
        else:
            targets = normal(size, sizes[-1])
        batches.append((normal(size, sizes[0]), targets))
    return scenario("training", sizes=sizes, weights=weights, batches=batches, loss=loss, **rest)


_references = {}


def reference(rng, run, epochs):
    """The losses and the report of the five steps, on the same start as the student's.

    The scenario follows from the seed of `rng`, so one computation serves all submissions.
    """
    key = (rng.initial_seed(), epochs)
    if key not in _references:
        _references[key] = five_steps(run, epochs)
    return _references[key]


def five_steps(run, epochs):
    record = Recorder()
    built = run.build(record)
    losses = []
    for _ in range(epochs):
        for inputs, targets in built.batches:
            built.optimizer.zero_grad()
            loss = built.loss_fn(built.model(inputs), targets)
            loss.backward()
            built.optimizer.step()
            losses.append(loss.item())
    return losses, record.reports()


def trained(submission, run, epochs):
    """What the student's loop did with the scenario."""
    return submission.observe.train(run.model, run.loss_fn, run.optimizer, run.batches, epochs)


def assert_step_count(report, expected, epochs):
    """Fail unless the optimizer stepped once for every batch of every epoch."""
    got, due = len(report["path"]), len(expected["path"])
    if got != due:
        fail(
            en=f"The optimizer made {got} steps; {due} are due: one for each batch, in each of "
            f"{epochs} epochs.",
            id=f"Optimizer melakukan {got} langkah; seharusnya {due}: satu untuk setiap batch, di "
            f"masing-masing dari {epochs} epoch.",
        )


def assert_same_path(observation, expected, epochs):
    """Fail unless the parameters went where the five steps lead, step by step, and stayed there."""
    report = observation.report
    assert_step_count(report, expected, epochs)
    for step, (got, due) in enumerate(zip(report["path"], expected["path"], strict=True), start=1):
        if not bool(agrees(got, due).all()):
            fail(
                en=f"After optimizer step {step} the parameters are not where the five steps "
                f"lead. The {step - 1} steps before it were right.",
                id=f"Setelah langkah optimizer ke-{step}, parameter tidak berada di tempat yang "
                f"dituju lima langkah. {step - 1} langkah sebelumnya benar.",
            )
    if not bool(agrees(report["final"], expected["final"]).all()):
        fail(
            en="The parameters changed once more after the last optimizer step.",
            id="Parameter masih berubah setelah langkah optimizer yang terakhir.",
        )


@pytest.mark.check(
    en="two epochs of plain SGD move the parameters as the five steps do",
    id="dua epoch SGD biasa menggeser parameter seperti lima langkah",
)
def test_path_with_plain_sgd(submission, rng):
    run = training(rng, [2, 3, 1], (3, 3, 2), dtype=torch.float32, options={"lr": 0.2})
    _, expected = reference(rng, run, 2)
    assert_same_path(trained(submission, run, 2), expected, 2)


@pytest.mark.check(
    en="every step uses the gradient of its own batch, fresh",
    id="setiap langkah memakai gradien batch-nya sendiri, yang segar",
)
def test_every_step_uses_a_fresh_gradient(submission, rng):
    run = training(rng, [3, 2], (2, 4, 1, 3), loader="loader", options={"lr": 0.1})
    _, expected = reference(rng, run, 1)
    observation = trained(submission, run, 1)
    assert_step_count(observation.report, expected, 1)

    rounds, kinds = [[]], observation.kinds()
    for kind in kinds:
        rounds[-1].append(kind)
        if kind == "step":
            rounds.append([])
    for step, (got, due) in enumerate(
        zip(observation.report["gradients"], expected["gradients"], strict=True), start=1
    ):
        seen = rounds[step - 1]
        if seen.count("backward") != 1:
            fail(
                en=f"backward() ran {seen.count('backward')} times before optimizer step {step} "
                "and after the step before it; it is due once, on the loss of this batch.",
                id=f"backward() berjalan {seen.count('backward')} kali sebelum langkah optimizer "
                f"ke-{step} dan sesudah langkah sebelumnya; seharusnya sekali, pada loss batch "
                "ini.",
            )
        if "forward" not in seen[: seen.index("backward")]:
            fail(
                en=f"There was no new forward pass before optimizer step {step}: its gradient "
                "comes from parameters that have moved since.",
                id=f"Tidak ada forward baru sebelum langkah optimizer ke-{step}: gradiennya "
                "berasal dari parameter yang sejak itu sudah bergeser.",
            )
        if not bool(agrees(got, due).all()):
            if not got.any():
                fail(
                    en=f"When optimizer step {step} ran, .grad was already empty: nobody may clear "
                    "it between backward() and step().",
                    id=f"Saat langkah optimizer ke-{step} berjalan, .grad sudah kosong: tidak "
                    "boleh ada yang mengosongkannya di antara backward() dan step().",
                )
            fail(
                en=f"What optimizer step {step} found in .grad is not the gradient of this "
                "batch's loss alone. What was in .grad when backward() added to it?",
                id=f"Isi .grad saat langkah optimizer ke-{step} bukan gradien loss batch ini "
                "saja. Apa isi .grad ketika backward() menambahkannya?",
            )


@pytest.mark.check(
    en="works with momentum and weight decay, on ragged batches",
    id="bekerja dengan momentum dan weight decay, pada batch yang tidak sama besar",
)
def test_path_with_momentum_and_weight_decay(submission, rng):
    options = {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.1}
    run = training(rng, [3, 4, 2], (4, 4, 1), options=options)
    _, expected = reference(rng, run, 2)
    assert_same_path(trained(submission, run, 2), expected, 2)


@pytest.mark.check(
    en="works with Adam, a normalized model and another loss",
    id="bekerja dengan Adam, model ternormalisasi, dan fungsi loss lain",
)
def test_path_with_adam_and_another_module(submission, rng):
    run = training(
        rng,
        [2, 3, 3, 1],
        (4, 3),
        loss="poisson",
        optimizer="adam",
        options={"lr": 0.05, "weight_decay": 0.02},
        normalized=True,
        loader="loader",
        leftover=0.0,
    )
    _, expected = reference(rng, run, 2)
    assert_same_path(trained(submission, run, 2), expected, 2)


@pytest.mark.check(
    en="returns one plain float for each optimizer step, in order",
    id="mengembalikan satu float biasa untuk setiap langkah optimizer, berurutan",
)
def test_returns_one_plain_float_a_step(submission, rng):
    options = {"lr": 0.3, "momentum": 0.5}
    run = training(rng, [2, 4, 3], (4, 3, 2), loss="cross-entropy", options=options)
    for epochs in (0, 2):
        expected, _ = reference(rng, run, epochs)
        losses = submission.train(run.model, run.loss_fn, run.optimizer, run.batches, epochs)
        assert_plain_floats(losses, name="losses", length=len(expected))
        for step, due in enumerate(expected):
            assert_agrees(losses[step], due, name=f"losses[{step}]")
