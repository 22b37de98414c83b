"""Public checks of `pitfalls`: simple inputs, the published numbers, and what a graph keeps."""

import pytest
import torch

from autograded.grading import (
    as_tensor,
    assert_agrees,
    assert_plain_floats,
    assert_recording,
    assert_unchanged,
    fail,
    scenario,
)

X = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
Y = torch.tensor([2.5, 4.9, 7.6, 10.1, 12.4])


def five_steps(x, y, lr, epochs):
    """The slope after `epochs` steps of torch.optim.SGD on the mean squared error, from w = 0."""
    w = torch.zeros((), requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=lr)
    for _ in range(epochs):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(w * x, y).backward()
        optimizer.step()
    return w.detach()


@pytest.mark.exercise("pitfalls.fit_slope")
@pytest.mark.check(
    en="two epochs: the second step uses only the second gradient",
    id="dua epoch: langkah kedua hanya memakai gradien kedua",
)
def test_fit_slope_second_step(submission):
    w = submission.fit_slope(X, Y, 0.03, 2)
    got = as_tensor(w)
    if got is not None and got.numel() == 1 and abs(got.item() - 3.8610) < 5e-4:
        fail(
            en="After two epochs w is 3.8610, not 2.2110: the step of epoch 2 used −73.7, which is "
            "the gradient of epoch 2 (−18.7) and still that of epoch 1 (−55). `.grad` is a sum.",
            id="Setelah dua epoch w bernilai 3,8610, bukan 2,2110: langkah epoch 2 memakai −73,7, "
            "yaitu gradien epoch 2 (−18,7) yang masih ditambah gradien epoch 1 (−55). `.grad` "
            "adalah jumlahan.",
        )
    assert_agrees(w, five_steps(X, Y, 0.03, 2), name="w", rtol=1e-4)
    assert_agrees(w, 2.2110, name="w", rtol=0, atol=5e-5)


@pytest.mark.exercise("pitfalls.fit_slope")
@pytest.mark.check(en="three epochs: w is 2.4017", id="tiga epoch: w bernilai 2,4017")
def test_fit_slope_third_step(submission):
    w = submission.fit_slope(X, Y, 0.03, 3)
    assert_agrees(w, five_steps(X, Y, 0.03, 3), name="w", rtol=1e-4)
    assert_agrees(w, 2.4017, name="w", rtol=0, atol=5e-5)


@pytest.mark.exercise("pitfalls.fit_slope")
@pytest.mark.check(
    en="twelve epochs: w settles at 2.5000", id="dua belas epoch: w tenang di 2,5000"
)
def test_fit_slope_settles(submission):
    w = submission.fit_slope(X, Y, 0.03, 12)
    assert_agrees(w, five_steps(X, Y, 0.03, 12), name="w", rtol=1e-4)
    assert_agrees(w, 2.5000, name="w", rtol=0, atol=5e-5)


@pytest.mark.exercise("pitfalls.fit_slope")
@pytest.mark.check(en="a falling line", id="garis yang menurun")
def test_fit_slope_falling_line(submission):
    x, y = torch.tensor([1.0, -2.0, 0.5]), torch.tensor([-2.0, 4.5, -0.5])
    assert_agrees(submission.fit_slope(x, y, 0.1, 4), five_steps(x, y, 0.1, 4), name="w", rtol=1e-4)


def twice(f, w):
    """The gradient that two backward passes through one graph of f leave at w."""
    leaf = w.clone().requires_grad_()
    loss = f.build()(leaf)
    loss.backward(retain_graph=True)
    loss.backward()
    return leaf.grad


@pytest.mark.exercise("pitfalls.backward_twice")
@pytest.mark.check(en="(w·2).sum() at 3 gives 4.0", id="(w·2).sum() di 3 menghasilkan 4,0")
def test_backward_twice_published_number(submission):
    f = scenario("pitfalls-loss", kind="linear", factor=torch.tensor(2.0))
    gradient = submission.backward_twice(f, torch.tensor(3.0))
    assert_agrees(gradient, twice(f, torch.tensor(3.0)), name="gradient")
    assert_agrees(gradient, 4.0, name="gradient")


@pytest.mark.exercise("pitfalls.backward_twice")
@pytest.mark.check(en="f is called exactly once", id="f dipanggil tepat satu kali")
def test_backward_twice_calls_f_once(submission):
    f = scenario("pitfalls-loss", kind="exp", factor=torch.tensor([2.0, -1.0]))
    w = torch.tensor([0.5, 1.0])
    seen = submission.observe.backward_twice(f, w)
    calls = seen.kinds().count("call")
    if calls != 1:
        fail(
            en=f"f was called {calls} times. Each call builds a graph of its own; here both "
            "backward passes must go through the graph of one call.",
            id=f"f dipanggil {calls} kali. Setiap panggilan membangun grafnya sendiri; di sini "
            "kedua backward harus melewati graf dari satu panggilan.",
        )
    assert_agrees(seen.value, twice(f, w), name="gradient")


@pytest.mark.exercise("pitfalls.backward_twice")
@pytest.mark.check(
    en="the gradient passes through f's graph twice", id="gradien melewati graf f dua kali"
)
def test_backward_twice_walks_the_graph_twice(submission):
    f = scenario("pitfalls-loss", kind="wave", factor=torch.tensor([1.0, 3.0]))
    w = torch.tensor([0.5, -1.0])
    seen = submission.observe.backward_twice(f, w)
    walks = seen.kinds().count("walk")
    if walks != 2:
        fail(
            en=f"A hook inside f saw {walks} gradient(s) come by; two backward passes make two. "
            "The number alone can be had by multiplying, but that is not what is asked.",
            id=f"Hook di dalam f melihat {walks} gradien lewat; dua backward menghasilkan dua. "
            "Angkanya saja bisa diperoleh dengan perkalian, tetapi bukan itu yang diminta.",
        )
    assert_agrees(seen.value, twice(f, w), name="gradient")


@pytest.mark.exercise("pitfalls.backward_twice")
@pytest.mark.check(
    en="nothing keeps the graph alive afterwards",
    id="tidak ada yang membuat graf tetap hidup sesudahnya",
)
def test_backward_twice_lets_the_graph_go(submission):
    f = scenario("pitfalls-loss", kind="exp", factor=torch.tensor([1.0, 0.5]))
    w = torch.tensor([1.0, 2.0])
    seen = submission.observe.backward_twice(f, w)
    if seen.report["graphs_alive"] or seen.report["results_alive"]:
        fail(
            en="After the return something still holds f(w) or its graph: a name outside the "
            "function, or the gradient itself, when a graph was recorded for it.",
            id="Setelah fungsi selesai masih ada yang memegang f(w) atau grafnya: sebuah nama di "
            "luar fungsi, atau gradien itu sendiri, jika graf ikut dicatat untuknya.",
        )
    assert_agrees(seen.value, twice(f, w), name="gradient")


def each_slope(w, scale):
    """The derivative of every entry of w·scale with respect to its own entry of w."""
    leaf = w.detach().clone().requires_grad_()
    (leaf * scale).sum().backward()
    return leaf.grad


@pytest.mark.exercise("pitfalls.elementwise_slope")
@pytest.mark.check(en="scale 3 gives [3, 3]", id="scale 3 menghasilkan [3, 3]")
def test_elementwise_slope_published_number(submission):
    w = torch.tensor([1.0, 2.0])
    slope = submission.elementwise_slope(w, 3.0)
    got = as_tensor(slope)
    if got is not None and got.shape == w.shape and torch.equal(got, torch.full((2,), 1.5)):
        fail(
            en="Each entry is 1.5, half of 3: in the mean of two elements each counts only 1/2.",
            id="Setiap entri 1,5, setengah dari 3: dalam rata-rata dua elemen, masing-masing hanya "
            "terhitung 1/2.",
        )
    assert_agrees(slope, each_slope(w, 3.0), name="slope")
    assert_agrees(slope, torch.tensor([3.0, 3.0]), name="slope")


@pytest.mark.exercise("pitfalls.elementwise_slope")
@pytest.mark.check(en="keeps the shape of w", id="mempertahankan bentuk w")
def test_elementwise_slope_matrix(submission):
    w = torch.tensor([[1.0, -2.0, 0.5], [3.0e8, 0.0, 4.0]])
    assert_agrees(submission.elementwise_slope(w, -0.5), each_slope(w, -0.5), name="slope")


@pytest.mark.exercise("pitfalls.elementwise_slope")
@pytest.mark.check(en="leaves w as it was", id="membiarkan w apa adanya")
def test_elementwise_slope_leaves_w_alone(submission):
    w = torch.tensor([2.0, -1.0, 4.0], requires_grad=True)
    w.grad = torch.tensor([10.0, 20.0, 30.0])
    seen = submission.observe.elementwise_slope(w, 2.0)
    assert_agrees(seen.value, each_slope(w, 2.0), name="slope")
    assert_unchanged(seen)


def slope(f, value):
    """The derivative of f at value."""
    x = torch.tensor(value, dtype=torch.float64, requires_grad=True)
    f.build()(x).backward()
    return x.grad


def assert_slope(seen, f, value):
    """Fail the check unless what came back is the slope of f at value."""
    if seen.value is None:
        fail(
            en="The function returned None. No gradient had reached x when `.grad` was read: "
            "backward() had not run yet, or its way back did not lead to x.",
            id="Fungsi mengembalikan None. Belum ada gradien yang sampai ke x ketika `.grad` "
            "dibaca: backward() belum dijalankan, atau jalan mundurnya tidak menuju x.",
        )
    assert_agrees(seen.value, slope(f, value), name="slope", rtol=1e-4)
    assert_recording(seen)


@pytest.mark.exercise("pitfalls.slope_at")
@pytest.mark.check(en="x² at 3 has slope 6", id="kemiringan x² di 3 adalah 6")
def test_slope_at_square(submission):
    f = scenario("pitfalls-curve", kind="polynomial", coefficients=[0.0, 0.0, 1.0])
    seen = submission.observe.slope_at(f, 3.0)
    assert_slope(seen, f, 3.0)
    assert_agrees(seen.value, 6.0, name="slope", rtol=1e-4)


@pytest.mark.exercise("pitfalls.slope_at")
@pytest.mark.check(en="a cubic at a negative point", id="fungsi kubik di titik negatif")
def test_slope_at_cubic(submission):
    f = scenario("pitfalls-curve", kind="polynomial", coefficients=[1.0, -2.0, 0.0, 0.5])
    assert_slope(submission.observe.slope_at(f, -2.0), f, -2.0)


@pytest.mark.exercise("pitfalls.slope_at")
@pytest.mark.check(en="x·sin(x) at 1", id="x·sin(x) di 1")
def test_slope_at_wave(submission):
    f = scenario("pitfalls-curve", kind="wave", coefficients=[1.0, 1.0])
    assert_slope(submission.observe.slope_at(f, 1.0), f, 1.0)


WEIGHTS = [torch.tensor([[0.5, -0.25], [0.75, 1.0]]), torch.tensor([[1.0], [-0.5]])]
BATCHES = [
    (torch.tensor([[1.0, 2.0], [0.0, -1.0]]), torch.tensor([[1.0], [0.0]])),
    (torch.tensor([[-1.0, 0.5], [2.0, 1.0]]), torch.tensor([[-1.0], [2.0]])),
    (torch.tensor([[0.5, 0.5], [1.0, -1.0]]), torch.tensor([[0.5], [-1.0]])),
    (torch.tensor([[3.0, 0.0], [-2.0, 1.0]]), torch.tensor([[1.5], [0.0]])),
    (torch.tensor([[0.0, 1.0], [1.0, 1.0]]), torch.tensor([[1.0], [2.0]])),
]


def plain_run():
    """A small network and plain gradient descent."""
    return scenario("pitfalls-training", weights=WEIGHTS, optimizer="sgd", lr=0.1)


def five_step_losses(run, batches):
    """The loss of each batch in one pass of the five steps."""
    built = run.build()
    losses = []
    for inputs, targets in batches:
        built.optimizer.zero_grad()
        loss = built.loss_fn(built.model(inputs), targets)
        loss.backward()
        built.optimizer.step()
        losses.append(loss.detach())
    return losses


def assert_losses(values, run, batches):
    """Fail the check unless the values are the losses of one pass, as plain floats."""
    assert_plain_floats(values, name="losses", length=len(batches))
    for index, (value, due) in enumerate(zip(values, five_step_losses(run, batches), strict=True)):
        assert_agrees(value, due, name=f"losses[{index}]", rtol=1e-4)


@pytest.mark.exercise("pitfalls.loss_curve")
@pytest.mark.check(
    en="one plain float for each batch, in order", id="satu float biasa per batch, sesuai urutan"
)
def test_loss_curve_plain_floats(submission):
    run = plain_run()
    seen = submission.observe.loss_curve(run.model, run.loss_fn, run.optimizer, BATCHES)
    assert_losses(seen.value, run, BATCHES)
    assert_unchanged(seen)
    if not (seen.report["require_grad"] and seen.report["training_mode"]):
        fail(
            en="The function changed the model's mode or requires_grad of its parameters. Leave "
            "both as they were.",
            id="Fungsi ini mengubah mode model atau requires_grad parameternya. Biarkan keduanya "
            "seperti semula.",
        )


@pytest.mark.exercise("pitfalls.loss_curve")
@pytest.mark.check(
    en="no earlier graph is alive while training",
    id="tidak ada graf lama yang hidup saat pelatihan",
)
def test_loss_curve_graphs_during_training(submission):
    run = plain_run()
    seen = submission.observe.loss_curve(run.model, run.loss_fn, run.optimizer, BATCHES)
    most = max((e.data["graphs_alive"] for e in seen.events if e.kind == "forward"), default=0)
    if most > 2:
        fail(
            en=f"At one of the forward passes the graphs of {most} earlier batches were still "
            "alive. Whatever holds on to a loss tensor holds on to its graph.",
            id=f"Pada salah satu forward, graf dari {most} batch sebelumnya masih hidup. Apa pun "
            "yang memegang tensor loss ikut memegang grafnya.",
        )
    assert_losses(seen.value, run, BATCHES)


@pytest.mark.exercise("pitfalls.loss_curve")
@pytest.mark.check(en="no graph is alive afterwards", id="tidak ada graf yang hidup sesudahnya")
def test_loss_curve_graphs_afterwards(submission):
    run = plain_run()
    seen = submission.observe.loss_curve(run.model, run.loss_fn, run.optimizer, BATCHES)
    alive = seen.report["graphs_alive"]
    if alive:
        fail(
            en=f"After the return {alive} graph(s) are still alive: what the function returned, or "
            "a name outside it, still leads to them.",
            id=f"Setelah fungsi selesai, {alive} graf masih hidup: nilai yang dikembalikan, atau "
            "sebuah nama di luar fungsi, masih menuju ke sana.",
        )
    assert_losses(seen.value, run, BATCHES)
