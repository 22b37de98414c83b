"""Hidden checks of `accumulated_gradient`: ragged pieces, and one graph alive at a time."""

import pytest
import torch

from autograded.grading import assert_agrees, assert_unchanged, fail, scenario

pytestmark = pytest.mark.exercise("backward.accumulated_gradient")

# Shares such as 4/10 may be float32, as a quotient of integer tensors is.
SHARES = 1e-6

SQUARED = {"kind": "squared"}


def normal(rng, *shape):
    """Random float64 numbers."""
    return torch.randn(shape, generator=rng, dtype=torch.float64)


def regression(rng, sizes, w_shape):
    """Micro-batches for the model X · w, each drawn around another centre."""
    features = w_shape[:1]
    return [
        (normal(rng, n, *features) + k, normal(rng, n, *w_shape[1:]) * 2 - k)
        for k, n in enumerate(sizes)
    ]


def autograd(loss_of, w, batches):
    """The reference: one large batch, one backward."""
    leaf = w.detach().clone().requires_grad_()
    X, y = (torch.cat(column) for column in zip(*batches, strict=True))
    loss_of.build()(leaf, X, y).backward()
    return leaf.grad


@pytest.mark.check(en="micro-batches of equal size", id="micro-batch yang sama besar")
def test_agrees_with_autograd_on_equal_micro_batches(submission, rng):
    loss_of, w = scenario("backward-mean-loss", **SQUARED), normal(rng, 3)
    batches = regression(rng, (4, 4, 4), (3,))
    got = submission.accumulated_gradient(loss_of, w, batches)
    assert_agrees(got, autograd(loss_of, w, batches), name="gradient", rtol=SHARES)


@pytest.mark.check(en="ragged micro-batches", id="micro-batch yang tidak sama besar", weight=3)
def test_agrees_with_autograd_on_ragged_micro_batches(submission, rng):
    for sizes in ((4, 4, 2), (1, 5), (3, 2, 6, 1)):
        loss_of, w = scenario("backward-mean-loss", **SQUARED), normal(rng, 3)
        batches = regression(rng, sizes, (3,))
        got = submission.accumulated_gradient(loss_of, w, batches)
        assert_agrees(got, autograd(loss_of, w, batches), name="gradient", rtol=SHARES)


@pytest.mark.check(en="a single micro-batch", id="satu micro-batch saja")
def test_agrees_with_autograd_on_one_micro_batch(submission, rng):
    loss_of, w = scenario("backward-mean-loss", **SQUARED), normal(rng, 2)
    batches = regression(rng, (5,), (2,))
    got = submission.accumulated_gradient(loss_of, w, batches)
    assert_agrees(got, autograd(loss_of, w, batches), name="gradient", rtol=SHARES)


@pytest.mark.check(
    en="another loss, and w as a matrix or a single number",
    id="loss lain, dan w berupa matriks atau satu bilangan",
)
def test_agrees_with_autograd_for_any_loss_and_shape(submission, rng):
    loss_of, w = scenario("backward-mean-loss", kind="logistic"), normal(rng, 3, 2)
    batches = [(X, (y > 0).to(y.dtype)) for X, y in regression(rng, (3, 5, 1), (3, 2))]
    got = submission.accumulated_gradient(loss_of, w, batches)
    assert_agrees(got, autograd(loss_of, w, batches), name="gradient", rtol=SHARES)

    loss_of, w = scenario("backward-mean-loss", **SQUARED), normal(rng)
    batches = regression(rng, (2, 5), ())
    got = submission.accumulated_gradient(loss_of, w, batches)
    assert_agrees(got, autograd(loss_of, w, batches), name="gradient", rtol=SHARES)


@pytest.mark.check(
    en="one backward per micro-batch, one graph alive at a time",
    id="satu backward per micro-batch, satu graf hidup pada satu waktu",
    weight=3,
)
def test_keeps_one_graph_alive_at_a_time(submission, rng):
    loss_of, w = scenario("backward-mean-loss", **SQUARED), normal(rng, 3)
    batches = regression(rng, (4, 2, 4, 3), (3,))
    observation = submission.observe.accumulated_gradient(loss_of, w, batches)
    backward = [event.data["walk"] for event in observation.events if event.kind == "backward"]
    walks = len(set(backward))
    if walks < len(backward):
        fail(
            en=f"One backward came through several losses: {len(backward)} losses in {walks} "
            "walk(s). Walk back once for each micro-batch.",
            id=f"Satu backward melalui beberapa loss: {len(backward)} loss dalam {walks} "
            "perjalanan. Jalankan backward satu kali untuk tiap micro-batch.",
        )
    if walks != len(batches):
        fail(
            en=f"There were {len(batches)} micro-batches, and backward came through {walks} "
            "losses. Walk back once for each.",
            id=f"Ada {len(batches)} micro-batch, tetapi backward melalui {walks} loss. Jalankan "
            "backward satu kali untuk masing-masing.",
        )
    alive = max(event.data["alive"] for event in observation.events if event.kind == "forward")
    if alive:
        fail(
            en=f"A new micro-batch began while {alive} earlier graph(s) were still alive. Walk "
            "back through one graph before you build the next, and do not retain it.",
            id=f"Micro-batch baru dimulai ketika {alive} graf sebelumnya masih hidup. Lalui satu "
            "graf sampai pulang sebelum membuat graf berikutnya, dan jangan menyimpannya.",
        )
    assert_agrees(observation.value, autograd(loss_of, w, batches), name="gradient", rtol=SHARES)


@pytest.mark.check(
    en="w comes back as it was lent, with its .grad",
    id="w kembali seperti saat dipinjamkan, beserta .grad-nya",
    weight=2,
)
def test_leaves_w_alone(submission, rng):
    for tracked, leftover in ((True, True), (True, False), (False, False)):
        loss_of, w = scenario("backward-mean-loss", **SQUARED), normal(rng, 3)
        batches = regression(rng, (2, 3), (3,))
        w.requires_grad_(tracked)
        if leftover:
            w.grad = normal(rng, 3)
        observation = submission.observe.accumulated_gradient(loss_of, w, batches)
        assert_agrees(
            observation.value, autograd(loss_of, w, batches), name="gradient", rtol=SHARES
        )
        assert_unchanged(observation)
