"""Public checks: simple inputs, the numbers of the lesson, and what each exercise is about."""

import pytest
import torch

from autograded.grading import (
    assert_agrees,
    assert_unchanged,
    expect_tuple,
    fail,
    scenario,
)

DOUBLE = torch.float64

# Shares such as 4/10 may be float32, as a quotient of integer tensors is.
SHARES = 1e-6


def tensor(values):
    """A float64 tensor."""
    return torch.tensor(values, dtype=DOUBLE)


def autograd_derivative(f, x):
    """df/dx at x, from autograd."""
    leaf = torch.tensor(x, dtype=DOUBLE, requires_grad=True)
    return torch.autograd.grad(f.build()(leaf), leaf)[0]


def autograd_vjp(f, x, v):
    """The reference for vᵀJ."""
    leaf = x.detach().clone().requires_grad_()
    return torch.autograd.grad(f.build()(leaf), leaf, v)[0]


@pytest.mark.exercise("backward.derivative")
@pytest.mark.check(en="x² at 3 has derivative 6", id="turunan x² di 3 adalah 6")
def test_derivative_of_the_square_at_3(submission):
    f = scenario("backward-square")
    assert_agrees(submission.derivative(f, 3.0), autograd_derivative(f, 3.0), name="df/dx")


@pytest.mark.exercise("backward.derivative")
@pytest.mark.check(en="1 + 2x − x³ at several points", id="1 + 2x − x³ di beberapa titik")
def test_derivative_of_a_polynomial(submission):
    f = scenario("backward-polynomial", coefficients=[1.0, 2.0, 0.0, -1.0])
    for x in (-1.5, 0.25, 2.0):
        got = submission.derivative(f, x)
        assert_agrees(got, autograd_derivative(f, x), name=f"df/dx at {x}", rtol=2e-4)


@pytest.mark.exercise("backward.derivative")
@pytest.mark.check(en="a function with an `if` inside", id="fungsi yang memuat `if`")
def test_derivative_follows_the_branch_taken(submission):
    f = scenario("backward-branches", right=0.5, left=-3.0)
    for x in (2.5, -2.5):
        got = submission.derivative(f, x)
        assert_agrees(got, autograd_derivative(f, x), name=f"df/dx at {x}", rtol=2e-4)


@pytest.mark.exercise("backward.derivative")
@pytest.mark.check(en="walks back through the graph of f", id="berjalan pulang melalui graf f")
def test_derivative_comes_from_backward(submission):
    f = scenario("backward-watched-cube", scale=0.5)
    observation = submission.observe.derivative(f, 2.0)
    if not observation.report["walked_back"]:
        fail(
            en="No backward came through f. Call backward() on the tensor that f returned: "
            "it knows the way back to your leaf.",
            id="Tidak ada backward yang melalui f. Panggil backward() pada tensor yang "
            "dikembalikan f: tensor itulah yang tahu jalan pulang ke tensor daun Anda.",
        )
    assert_agrees(observation.value, autograd_derivative(f, 2.0), name="df/dx", rtol=2e-4)


@pytest.mark.exercise("backward.vector_jacobian_product")
@pytest.mark.check(en="[1, 2] · 2, weighted by v", id="[1, 2] · 2, dengan bobot v")
def test_vector_jacobian_product_weighs_each_output(submission):
    f = scenario("backward-scaling", factor=2.0)
    x, v = tensor([1.0, 2.0]), tensor([1.0, 10.0])
    got = submission.vector_jacobian_product(f, x, v)
    assert_agrees(got, autograd_vjp(f, x, v), name="vᵀJ")


@pytest.mark.exercise("backward.vector_jacobian_product")
@pytest.mark.check(
    en="two numbers in, three numbers out", id="dua bilangan masuk, tiga bilangan keluar"
)
def test_vector_jacobian_product_with_another_shape_out(submission):
    f = scenario("backward-mixing", matrix=tensor([[1.0, 0.5], [0.0, -1.0], [2.0, 1.0]]), shape=[3])
    x, v = tensor([0.2, -0.4]), tensor([1.0, -2.0, 0.5])
    got = submission.vector_jacobian_product(f, x, v)
    assert_agrees(got, autograd_vjp(f, x, v), name="vᵀJ")


@pytest.mark.exercise("backward.vector_jacobian_product")
@pytest.mark.check(en="order matters: vᵀJ, not J v", id="urutan berpengaruh: vᵀJ, bukan J v")
def test_vector_jacobian_product_is_not_the_product_from_the_other_side(submission):
    f = scenario("backward-mixing", matrix=tensor([[1.0, 2.0], [0.0, 1.0]]), shape=[2])
    x, v = tensor([0.1, 0.2]), tensor([3.0, -1.0])
    got = submission.vector_jacobian_product(f, x, v)
    assert_agrees(got, autograd_vjp(f, x, v), name="vᵀJ")


@pytest.mark.exercise("backward.vector_jacobian_product")
@pytest.mark.check(en="x comes back as it was lent", id="x kembali seperti saat dipinjamkan")
def test_vector_jacobian_product_leaves_x_alone(submission):
    f = scenario("backward-scaling", factor=3.0)
    v = tensor([1.0, 4.0])
    untracked, tracked = tensor([1.0, 2.0]), tensor([1.0, 2.0]).requires_grad_()
    tracked.grad = tensor([100.0, 200.0])
    for x in (untracked, tracked):
        observation = submission.observe.vector_jacobian_product(f, x, v)
        assert_agrees(observation.value, autograd_vjp(f, x, v), name="vᵀJ")
        assert_unchanged(observation)


def micro_batches(sizes):
    """Micro-batches of the given sizes, with examples that are easy to follow."""
    batches, start = [], 0
    for size in sizes:
        x = torch.arange(start, start + size, dtype=DOUBLE)
        batches.append((torch.stack([x, x**2 / 10], dim=1), 2 * x - 1))
        start += size
    return batches


def autograd_full_batch(loss_of, w, batches):
    """The gradient of the mean loss over all examples at once."""
    leaf = w.detach().clone().requires_grad_()
    X, y = (torch.cat(column) for column in zip(*batches, strict=True))
    return torch.autograd.grad(loss_of.build()(leaf, X, y), leaf)[0]


@pytest.mark.exercise("backward.accumulated_gradient")
@pytest.mark.check(en="micro-batches of equal size", id="micro-batch yang sama besar")
def test_accumulated_gradient_of_equal_micro_batches(submission):
    loss_of, w = scenario("backward-mean-loss", kind="squared"), tensor([0.5, -1.0])
    batches = micro_batches([4, 4])
    got = submission.accumulated_gradient(loss_of, w, batches)
    assert_agrees(got, autograd_full_batch(loss_of, w, batches), name="gradient", rtol=SHARES)


@pytest.mark.exercise("backward.accumulated_gradient")
@pytest.mark.check(
    en="ragged micro-batches: 4, 4 and 2 examples",
    id="micro-batch tidak sama besar: 4, 4, dan 2 contoh",
)
def test_accumulated_gradient_of_ragged_micro_batches(submission):
    loss_of, w = scenario("backward-mean-loss", kind="squared"), tensor([0.5, -1.0])
    batches = micro_batches([4, 4, 2])
    got = submission.accumulated_gradient(loss_of, w, batches)
    assert_agrees(got, autograd_full_batch(loss_of, w, batches), name="gradient", rtol=SHARES)


@pytest.mark.exercise("backward.accumulated_gradient")
@pytest.mark.check(en="one graph alive at a time", id="satu graf hidup pada satu waktu")
def test_accumulated_gradient_keeps_one_graph_alive(submission):
    loss_of, w = scenario("backward-mean-loss", kind="squared"), tensor([0.5, -1.0])
    batches = micro_batches([4, 4, 2])
    observation = submission.observe.accumulated_gradient(loss_of, w, batches)
    kinds = observation.kinds()
    if kinds.count("backward") != len(batches):
        fail(
            en=f"There were {len(batches)} micro-batches, and backward came through "
            f"{kinds.count('backward')} losses. Walk back once for each.",
            id=f"Ada {len(batches)} micro-batch, tetapi backward melalui "
            f"{kinds.count('backward')} loss. Jalankan backward satu kali untuk masing-masing.",
        )
    if any(event.data["alive"] for event in observation.events if event.kind == "forward"):
        fail(
            en="A new micro-batch began while the graph of an earlier one was still alive. "
            "Walk back through one graph before you build the next, and do not retain it.",
            id="Micro-batch baru dimulai ketika graf micro-batch sebelumnya masih hidup. Lalui "
            "satu graf sampai pulang sebelum membuat graf berikutnya, dan jangan menyimpannya.",
        )
    assert_agrees(
        observation.value, autograd_full_batch(loss_of, w, batches), name="gradient", rtol=SHARES
    )


@pytest.mark.exercise("backward.accumulated_gradient")
@pytest.mark.check(en="w comes back as it was lent", id="w kembali seperti saat dipinjamkan")
def test_accumulated_gradient_leaves_w_alone(submission):
    loss_of, batches = scenario("backward-mean-loss", kind="squared"), micro_batches([3, 1])
    w = tensor([0.5, -1.0]).requires_grad_()
    w.grad = tensor([7.0, 7.0])
    observation = submission.observe.accumulated_gradient(loss_of, w, batches)
    assert_agrees(
        observation.value, autograd_full_batch(loss_of, w, batches), name="gradient", rtol=SHARES
    )
    assert_unchanged(observation)


NAMES = ("grad_a", "grad_b", "grad_sum")


def simple_heads():
    """One trunk with two heads, on two weights."""
    return scenario(
        "backward-two-heads",
        mixing=tensor([[1.0, 0.5], [-0.5, 1.0], [0.0, 2.0]]),
        weights_a=tensor([1.0, 2.0, -1.0]),
        weights_b=tensor([0.5, 0.0, 3.0]),
    )


def autograd_two_losses(heads, w):
    """The three gradients, each from a graph of its own."""
    built = heads.build()

    def gradient(loss):
        leaf = w.detach().clone().requires_grad_()
        return torch.autograd.grad(loss(built.trunk(leaf)), leaf)[0]

    return (
        gradient(built.head_a),
        gradient(built.head_b),
        gradient(lambda h: built.head_a(h) + built.head_b(h)),
    )


@pytest.mark.exercise("backward.two_losses")
@pytest.mark.check(en="the three gradients", id="ketiga gradien")
def test_two_losses_agree_with_autograd(submission):
    heads, w = simple_heads(), tensor([0.3, -0.2])
    value = submission.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    got = expect_tuple(value, 3, names=NAMES)
    for name, gradient, expected in zip(NAMES, got, autograd_two_losses(heads, w), strict=True):
        assert_agrees(gradient, expected, name=name)


@pytest.mark.exercise("backward.two_losses")
@pytest.mark.check(en="the trunk is called once", id="batang dipanggil satu kali")
def test_two_losses_call_the_trunk_once(submission):
    heads, w = simple_heads(), tensor([0.3, -0.2])
    observation = submission.observe.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    calls = observation.report["trunk_calls"]
    if calls != 1:
        fail(
            en=f"trunk was called {calls} times. Call it once, and walk back through its graph "
            "for each loss.",
            id=f"trunk dipanggil {calls} kali. Panggil satu kali saja, lalu telusuri grafnya untuk "
            "tiap loss.",
        )
    expect_tuple(observation.value, 3, names=NAMES)


@pytest.mark.exercise("backward.two_losses")
@pytest.mark.check(
    en="the gradients carry no graph of their own", id="gradien tidak membawa grafnya sendiri"
)
def test_two_losses_return_gradients_without_a_graph(submission):
    heads, w = simple_heads(), tensor([0.3, -0.2])
    observation = submission.observe.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    got = expect_tuple(observation.value, 3, names=NAMES)
    for gradient, expected in zip(got, autograd_two_losses(heads, w), strict=True):
        assert_agrees(gradient, expected, name="gradient")
    if observation.report["graphs_alive"] or any(
        isinstance(g, torch.Tensor) and g.facts.requires_grad for g in got
    ):
        fail(
            en="The graph is still alive after the function returned. To walk twice it is "
            "enough to keep the notes for one more walk; nobody needs a graph of the gradients.",
            id="Graf masih hidup setelah fungsi selesai. Untuk dua kali perjalanan, cukup simpan "
            "catatannya untuk satu perjalanan lagi; graf dari gradien tidak diperlukan.",
        )


@pytest.mark.exercise("backward.two_losses")
@pytest.mark.check(en="w comes back as it was lent", id="w kembali seperti saat dipinjamkan")
def test_two_losses_leave_w_alone(submission):
    heads, w = simple_heads(), tensor([0.3, -0.2]).requires_grad_()
    w.grad = tensor([7.0, 7.0])
    observation = submission.observe.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    got = expect_tuple(observation.value, 3, names=NAMES)
    for name, gradient, expected in zip(NAMES, got, autograd_two_losses(heads, w), strict=True):
        assert_agrees(gradient, expected, name=name)
    assert_unchanged(observation)
