"""Hidden checks of `train`: judged by the path of the parameters, not by how the loop looks."""

from itertools import pairwise

import pytest
import torch

from autograded.grading import (
    Recorder,
    agrees,
    assert_agrees,
    assert_plain_floats,
    assert_recording,
    fail,
    scenario,
)

pytestmark = pytest.mark.exercise("training_loop.train")


def training(rng, sizes, batch_sizes, dtype=torch.float64, loss="mse", scale=1.0, **rest):
    """A training scenario with random weights and random data.

    A linear model is `scale` times itself, its gradients too, when weights and targets are.
    """

    def normal(*shape):
        return torch.randn(shape, generator=rng, dtype=torch.float64).to(dtype)

    weights = []
    for inputs, outputs in pairwise(sizes):
        weights += [0.8 * scale * normal(outputs, inputs), 0.5 * scale * normal(outputs)]
    batches = []
    for size in batch_sizes:
        if loss == "cross-entropy":
            targets = torch.randint(sizes[-1], (size,), generator=rng)
        elif loss == "poisson":
            targets = torch.randint(5, (size, sizes[-1]), generator=rng).to(dtype)
        else:
            targets = scale * normal(size, sizes[-1])
        batches.append((normal(size, sizes[0]), targets))
    return scenario("training", sizes=sizes, weights=weights, batches=batches, loss=loss, **rest)


_references = {}


def reference(rng, run, epochs):
    """The losses and the report of the five steps, on the same start as the student's.

    The scenario follows from where `rng` stands, so one computation serves all submissions.
    """
    key = (rng.get_state().numpy().tobytes(), epochs)
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
    if got == 0:
        fail(
            en="The optimizer that the function was given never made a step.",
            id="Optimizer yang diberikan kepada fungsi ini tidak pernah melangkah.",
        )
    if got != due:
        fail(
            en=f"The optimizer's steps: {got}. Due are {due}, one for each batch in each epoch "
            f"(epochs={epochs}).",
            id=f"Banyaknya langkah optimizer: {got}. Seharusnya {due}, satu untuk setiap batch di "
            f"setiap epoch (epochs={epochs}).",
        )


def assert_same_path(observation, expected, epochs):
    """Fail unless the parameters went where the five steps lead, step by step, and stayed there."""
    report = observation.report
    assert_step_count(report, expected, epochs)
    for step, (got, due) in enumerate(zip(report["path"], expected["path"], strict=True), start=1):
        if not bool(agrees(got, due).all()):
            fail(
                en=f"After optimizer step {step} the parameters are not where the five steps "
                "lead" + (", for the first time." if step > 1 else "."),
                id=f"Setelah langkah optimizer ke-{step}, parameter tidak berada di tempat yang "
                "dituju lima langkah" + (", untuk pertama kalinya." if step > 1 else "."),
            )
    if not bool(agrees(report["final"], expected["final"]).all()):
        fail(
            en="The parameters changed once more after the last optimizer step.",
            id="Parameter masih berubah setelah langkah optimizer yang terakhir.",
        )


def assert_left_alone(observation, expected):
    """Fail unless the parameters' values are all that changed."""
    assert_recording(observation)
    report = observation.report
    if report["requires_grad"] != expected["requires_grad"]:
        fail(
            en="The function changed requires_grad of a parameter. Training only moves parameters; "
            "one that is frozen stays frozen, and one that is not can be trained further.",
            id="Fungsi ini mengubah requires_grad sebuah parameter. Pelatihan hanya menggeser "
            "parameter; yang dibekukan tetap beku, dan yang tidak bisa dilatih lagi.",
        )
    if not report["training_mode"]:
        fail(
            en="The function leaves the model in evaluation mode. It came in training mode.",
            id="Fungsi ini meninggalkan model dalam mode evaluasi. Model datang dalam mode "
            "pelatihan.",
        )
    if not report["same_batches"]:
        fail(
            en="The function changed its batches: the list, or what one of its tensors holds or "
            "requires.",
            id="Fungsi ini mengubah batches: list-nya, atau isi maupun requires_grad salah satu "
            "tensornya.",
        )


@pytest.mark.check(
    en="two epochs of plain SGD move the parameters as the five steps do",
    id="dua epoch SGD biasa menggeser parameter seperti lima langkah",
)
def test_path_with_plain_sgd(submission, rng):
    run = training(rng, [2, 3, 1], (3, 3, 2), dtype=torch.float32, options={"lr": 0.2})
    _, expected = reference(rng, run, 2)
    observation = trained(submission, run, 2)
    assert_same_path(observation, expected, 2)
    assert_left_alone(observation, expected)


@pytest.mark.check(
    en="every step uses the gradient of its own batch, fresh",
    id="setiap langkah memakai gradien batch-nya sendiri, yang segar",
)
def test_every_step_uses_a_fresh_gradient(submission, rng):
    # Gradients of all sizes: who clips them changes the large ones.
    run = training(rng, [3, 2], (2, 4, 1, 3), loader="loader", options={"lr": 0.1}, scale=50)
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
                en=f"For optimizer step {step}, backward() is due once, on what loss_fn returned "
                f"for this batch. It ran on such a loss: {seen.count('backward')} times.",
                id=f"Untuk langkah optimizer ke-{step}, backward() seharusnya berjalan sekali, "
                "pada hasil loss_fn untuk batch ini. Pada loss seperti itu backward() berjalan "
                f"{seen.count('backward')} kali.",
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
            before = observation.report["gradients"][step - 2] if step > 1 else 0
            if bool(agrees(got, due + before).all()):
                fail(
                    en=f"What optimizer step {step} found in .grad is the gradient of this batch's "
                    "loss added to what the step before had found: .grad was not empty.",
                    id=f"Isi .grad saat langkah optimizer ke-{step} adalah gradien loss batch ini "
                    "ditambah isi pada langkah sebelumnya: .grad tidak kosong.",
                )
            fail(
                en=f"What optimizer step {step} found in .grad is not the gradient of loss_fn on "
                "this batch, at the parameters where training stood. The loss, the gradient or "
                "the parameters were changed on the way.",
                id=f"Isi .grad saat langkah optimizer ke-{step} bukan gradien loss_fn pada batch "
                "ini, di posisi parameter saat itu. Loss, gradien, atau parameternya diubah di "
                "tengah jalan.",
            )


@pytest.mark.check(
    en="works with momentum and weight decay, a frozen layer and ragged batches",
    id="bekerja dengan momentum dan weight decay, lapisan beku, dan batch yang tidak sama besar",
)
def test_path_with_momentum_and_weight_decay(submission, rng):
    options = {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.1}
    run = training(
        rng,
        [3, 4, 2, 2],
        (4, 4, 1),
        options=options,
        groups=[{}, {"lr": 0.1}, {"lr": 0.15}],
        frozen=[0, 1],
        used=True,
    )
    _, expected = reference(rng, run, 2)
    observation = trained(submission, run, 2)
    assert_same_path(observation, expected, 2)
    assert_left_alone(observation, expected)


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
    for sizes, batch_sizes, more in (
        ([2, 4, 3], (4, 3, 2), {"loss": "cross-entropy"}),
        # Small numbers are numbers: nothing here is near enough to 0 to stop, or to round.
        ([2, 1], (3, 2), {"scale": 1e-9}),
    ):
        run = training(rng, sizes, batch_sizes, options=options, **more)
        expected, _ = reference(rng, run, 2)
        losses = submission.train(run.model, run.loss_fn, run.optimizer, run.batches, 2)
        assert_plain_floats(losses, name="losses", length=len(expected))
        for step, due in enumerate(expected):
            assert_agrees(losses[step], due, name=f"losses[{step}]")
