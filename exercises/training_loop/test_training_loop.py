"""Checks of the assignment training_loop, on small numbers that you can follow by hand."""

import pytest
import torch

from autograded.grading import (
    assert_agrees,
    assert_plain_floats,
    assert_recording,
    assert_unchanged,
    expect_tuple,
    fail,
    scenario,
)

X = [1.0, 2.0, 3.0, 4.0, 5.0]
Y = [2.5, 4.9, 7.6, 10.1, 12.4]

# The published table: epoch → (loss, w before the step, gradient, w after the step).
TABLE = {
    1: (68.7580, 0.0000, -55.0000, 1.6500),
    2: (7.9555, 1.6500, -18.7000, 2.2110),
    3: (0.9267, 2.2110, -6.3580, 2.4017),
    12: (0.0080, 2.5000, -0.0004, 2.5000),
}
DIGITS = 1e-4


def parameter(values, grad):
    """A leaf that requires grad, with its .grad set."""
    made = torch.tensor(values, requires_grad=True)
    made.grad = None if grad is None else torch.tensor(grad)
    return made


@pytest.mark.exercise("training_loop.sgd_step")
@pytest.mark.check(en="one step takes w from 0 to 1.65", id="satu langkah membawa w dari 0 ke 1.65")
def test_sgd_step_published_step(submission):
    observation = submission.observe.sgd_step([parameter(0.0, -55.0)], 0.03)
    (w,) = observation.arguments[0]
    assert_agrees(w, torch.tensor(1.65), name="w")


@pytest.mark.exercise("training_loop.sgd_step")
@pytest.mark.check(
    en="moves vectors and matrices too, from a tuple",
    id="menggeser vektor dan matriks juga, dari sebuah tuple",
)
def test_sgd_step_vectors_and_matrices(submission):
    params = (
        parameter([1.0, 2.0], [10.0, -10.0]),
        parameter([[0.0, 1.0], [2.0, 3.0]], [[1.0, 2.0], [3.0, 4.0]]),
    )
    vector, matrix = submission.observe.sgd_step(params, 0.5).arguments[0]
    assert_agrees(vector, torch.tensor([-4.0, 7.0]), name="params[0]")
    assert_agrees(matrix, torch.tensor([[-0.5, 0.0], [0.5, 1.0]]), name="params[1]")


@pytest.mark.exercise("training_loop.sgd_step")
@pytest.mark.check(
    en="parameters stay leaves that require grad, and .grad stays as it was",
    id="parameter tetap tensor daun yang memerlukan gradien, dan .grad tidak berubah",
)
def test_sgd_step_leaves_the_rest_alone(submission):
    observation = submission.observe.sgd_step([parameter([3.0, 4.0], [1.0, 2.0])], 0.1)
    (w,) = observation.arguments[0]
    assert_agrees(w, torch.tensor([2.9, 3.8]), name="w")
    assert_recording(observation)
    if not (w.facts.requires_grad and w.facts.is_leaf):
        fail(
            en="After the step w must still be a leaf tensor that requires grad; the next "
            "backward() counts on it.",
            id="Setelah langkah, w harus tetap tensor daun yang memerlukan gradien; backward() "
            "berikutnya mengandalkannya.",
        )
    if w.facts.grad is None:
        fail(
            en="After the step .grad is None. The step only reads .grad; emptying it is another "
            "of the five steps.",
            id="Setelah langkah, .grad menjadi None. Langkah ini hanya membaca .grad; "
            "mengosongkannya adalah tugas langkah lain.",
        )
    assert_agrees(w.facts.grad, torch.tensor([1.0, 2.0]), name="w.grad")


@pytest.mark.exercise("training_loop.sgd_step")
@pytest.mark.check(
    en="skips a parameter whose .grad is None", id="melewati parameter yang .grad-nya None"
)
def test_sgd_step_skips_none(submission):
    params = [parameter([1.0], None), parameter([1.0], [2.0])]
    unused, used = submission.observe.sgd_step(params, 0.25).arguments[0]
    assert_agrees(unused, torch.tensor([1.0]), name="params[0]")
    assert_agrees(used, torch.tensor([0.5]), name="params[1]")


def history_of(value, epochs):
    """The returned weight and history, checked for their form."""
    w, history = expect_tuple(value, 2, names=("w", "history"))
    if not isinstance(history, list | tuple) or len(history) != epochs:
        fail(
            en="history must be a list with one (loss, w, grad) an epoch; "
            f"epochs={epochs} makes {epochs}.",
            id="history harus berupa list berisi satu (loss, w, grad) per epoch; "
            f"epochs={epochs} berarti {epochs}.",
        )
    return w, [expect_tuple(row, 3, names=("loss", "w", "grad")) for row in history]


def assert_row(history, epoch):
    loss, w, grad, _ = TABLE[epoch]
    row = f"history[{epoch - 1}]"
    assert_agrees(history[epoch - 1][0], loss, name=f"{row} loss", atol=DIGITS)
    assert_agrees(history[epoch - 1][1], w, name=f"{row} w", atol=DIGITS)
    assert_agrees(history[epoch - 1][2], grad, name=f"{row} grad", atol=DIGITS)


@pytest.mark.exercise("training_loop.train_one_parameter")
@pytest.mark.check(
    en="the first epoch starts at w = 0: loss 68.7580, gradient −55",
    id="epoch pertama mulai dari w = 0: loss 68.7580, gradien −55",
)
def test_train_one_parameter_first_epoch(submission):
    w, history = history_of(submission.train_one_parameter(X, Y, 0.03, 1), 1)
    assert_row(history, 1)
    assert_agrees(w, TABLE[1][3], name="w", atol=DIGITS)


@pytest.mark.exercise("training_loop.train_one_parameter")
@pytest.mark.check(
    en="the second and third epoch have their own gradients: −18.7, then −6.358",
    id="epoch kedua dan ketiga punya gradiennya sendiri: −18.7, lalu −6.358",
)
def test_train_one_parameter_next_epochs(submission):
    w, history = history_of(submission.train_one_parameter(X, Y, 0.03, 3), 3)
    assert_row(history, 2)
    assert_row(history, 3)
    assert_agrees(w, TABLE[3][3], name="w", atol=DIGITS)


@pytest.mark.exercise("training_loop.train_one_parameter")
@pytest.mark.check(
    en="twelve epochs find w = 2.5, from tensors, which stay as they were",
    id="dua belas epoch menemukan w = 2.5, dari tensor, yang tidak berubah",
)
def test_train_one_parameter_twelve_epochs(submission):
    observation = submission.observe.train_one_parameter(torch.tensor(X), torch.tensor(Y), 0.03, 12)
    w, history = history_of(observation.value, 12)
    for epoch in TABLE:
        assert_row(history, epoch)
    assert_agrees(w, TABLE[12][3], name="w", atol=DIGITS)
    assert_unchanged(observation)


@pytest.mark.exercise("training_loop.train_one_parameter")
@pytest.mark.check(en="the history holds plain floats", id="history berisi float biasa")
def test_train_one_parameter_plain_floats(submission):
    _, history = history_of(submission.train_one_parameter(X, Y, 0.01, 2), 2)
    for index, row in enumerate(history):
        assert_plain_floats(row, name=f"history[{index}]")


def line(x, y, **options):
    """The model w·x + b with w = 0, as a scenario; one batch for each list of points.

    b is frozen at 0: it does not require grad.
    """
    batches = [
        (torch.tensor(xs, dtype=torch.float64)[:, None], torch.tensor(ys).double()[:, None])
        for xs, ys in zip(x, y, strict=True)
    ]
    weights = [torch.zeros(shape, dtype=torch.float64) for shape in [(1, 1), (1,)]]
    return scenario(
        "training", sizes=[1, 1], weights=weights, frozen=[1], batches=batches, **options
    )


def trained(submission, run, epochs):
    return submission.observe.train(run.model, run.loss_fn, run.optimizer, run.batches, epochs)


def assert_steps(observation, due):
    """Fail unless the optimizer made `due` steps; return w after each of them."""
    path = observation.report["path"]
    if len(path) != due:
        fail(
            en=f"The optimizer's steps: {len(path)}. Due are {due}, one for each batch in each "
            "epoch.",
            id=f"Banyaknya langkah optimizer: {len(path)}. Seharusnya {due}, satu untuk setiap "
            "batch di setiap epoch.",
        )
    return path[:, 0]


@pytest.mark.exercise("training_loop.train")
@pytest.mark.check(
    en="repeats the published table with a real optimizer",
    id="mengulang tabel yang diterbitkan dengan optimizer sungguhan",
)
def test_train_published_table(submission):
    observation = trained(submission, line([X], [Y], options={"lr": 0.03}), 12)
    w = assert_steps(observation, 12)
    for epoch, (_, _, _, after) in TABLE.items():
        assert_agrees(w[epoch - 1], after, name=f"w[{epoch}]", atol=DIGITS)


@pytest.mark.exercise("training_loop.train")
@pytest.mark.check(
    en="every batch gets its own five steps, with a fresh gradient",
    id="setiap batch mendapat lima langkahnya sendiri, dengan gradien yang segar",
)
def test_train_fresh_gradients(submission):
    run = line([[1.0], [2.0]], [[8.0], [8.0]], options={"lr": 0.0625}, loader="loader")
    observation = trained(submission, run, 2)
    w = assert_steps(observation, 4)
    # d/dw (w·x − y)² = 2x (w·x − y): −16 at w = 0, then −24 at 1. A loader that shuffles gives the
    # batches of the second epoch the other way round: −12 at w = 2.5, then −9.5 at 3.25.
    rounds = [(1.0, -16.0), (2.5, -24.0), (3.25, -12.0), (3.84375, -9.5)]
    for step, (due, grad) in enumerate(rounds):
        found = observation.report["gradients"][step, 0].item()
        if abs(found - grad) > DIGITS:
            fail(
                en=f"At optimizer step {step + 1}, .grad was {found:g}; the gradient of this batch "
                f"alone is {grad:g}. Is it this batch's turn (each epoch loops over `batches` "
                "anew, and a loader may shuffle), and was .grad empty before backward()?",
                id=f"Pada langkah optimizer ke-{step + 1}, isi .grad adalah {found:g}; gradien "
                f"batch ini saja adalah {grad:g}. Apakah ini giliran batch tersebut (setiap epoch "
                "mengulang `batches` dari awal, dan loader boleh mengacaknya), dan apakah .grad "
                "kosong sebelum backward()?",
            )
        assert_agrees(w[step], due, name=f"w[{step + 1}]", atol=DIGITS)


@pytest.mark.exercise("training_loop.train")
@pytest.mark.check(
    en="lets the optimizer do its own step (momentum), and changes nothing but w",
    id="membiarkan optimizer melangkah sendiri (momentum), dan tidak mengubah apa pun selain w",
)
def test_train_momentum(submission):
    run = line([[1.0]], [[4.0]], options={"lr": 0.125, "momentum": 0.5})
    observation = trained(submission, run, 3)
    w = assert_steps(observation, 3)
    # The velocity is half of the old one plus the gradient: −8, then −4 − 6, then −5 − 3.5.
    for step, due in enumerate([1.0, 2.25, 3.3125]):
        assert_agrees(w[step], due, name=f"w[{step + 1}]", atol=DIGITS)
    assert_recording(observation)
    report = observation.report
    if report["requires_grad"] != [True, False]:
        fail(
            en="The function changed requires_grad of a parameter: w requires grad before and "
            "after, and the frozen b does not.",
            id="Fungsi ini mengubah requires_grad sebuah parameter: w memerlukan gradien sebelum "
            "dan sesudahnya, sedangkan b yang dibekukan tidak.",
        )
    if not (report["training_mode"] and report["same_batches"]):
        fail(
            en="The function changed the model's mode or the batches. Leave them as they were.",
            id="Fungsi ini mengubah mode model atau batches. Biarkan seperti semula.",
        )


@pytest.mark.exercise("training_loop.train")
@pytest.mark.check(
    en="returns one plain float for each step: the loss before it",
    id="mengembalikan satu float biasa untuk setiap langkah: loss sebelum langkah itu",
)
def test_train_losses(submission):
    run = line([[1.0, 1.0], [2.0]], [[4.0, 4.0], [4.0]], options={"lr": 0.125})
    losses = trained(submission, run, 2).value
    assert_plain_floats(losses, name="losses", length=4)
    for step, due in enumerate([16.0, 4.0, 4.0, 1.0]):
        assert_agrees(losses[step], due, name=f"losses[{step}]", atol=DIGITS)
