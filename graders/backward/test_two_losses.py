"""Hidden checks of `two_losses`: three gradients from one trunk that is computed once."""

import math

import pytest
import torch

from autograded.grading import assert_agrees, assert_unchanged, expect_tuple, fail, scenario

pytestmark = pytest.mark.exercise("backward.two_losses")

NAMES = ("grad_a", "grad_b", "grad_sum")


def normal(rng, *shape):
    """Random float64 numbers, none of them nearly 0."""
    values = torch.randn(shape, generator=rng, dtype=torch.float64)
    return values + 0.2 * values.sign()


def random_heads(rng, w_shape, hidden):
    """A random trunk with two random heads."""
    return scenario(
        "backward-two-heads",
        mixing=normal(rng, hidden, math.prod(w_shape)) / 2,
        weights_a=normal(rng, hidden),
        weights_b=normal(rng, hidden),
    )


def autograd(heads, w):
    """The reference: each gradient from a graph of its own."""
    built = heads.build()
    gradients = []
    for loss in (
        built.head_a,
        built.head_b,
        lambda h: built.head_a(h) + built.head_b(h),
    ):
        leaf = w.detach().clone().requires_grad_()
        loss(built.trunk(leaf)).backward()
        gradients.append(leaf.grad)
    return gradients


def assert_three_gradients(value, heads, w):
    """Fail the check unless `value` is (grad_a, grad_b, grad_sum)."""
    __tracebackhide__ = True
    got = expect_tuple(value, 3, names=NAMES)
    for name, gradient, expected in zip(NAMES, got, autograd(heads, w), strict=True):
        assert_agrees(gradient, expected, name=name)
    return got


@pytest.mark.check(
    en="agrees with autograd on a random trunk",
    id="sesuai dengan autograd pada batang acak",
    weight=3,
)
def test_agrees_with_autograd(submission, rng):
    for width, hidden in ((3, 4), (4, 2)):
        heads, w = random_heads(rng, (width,), hidden), normal(rng, width)
        value = submission.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
        assert_three_gradients(value, heads, w)


@pytest.mark.check(en="w of any shape", id="w dengan bentuk apa pun")
def test_agrees_with_autograd_for_any_shape(submission, rng):
    for shape in ((2, 3), ()):
        heads, w = random_heads(rng, shape, 3), normal(rng, *shape)
        value = submission.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
        assert_three_gradients(value, heads, w)


@pytest.mark.check(en="a trunk that only adds", id="batang yang hanya menjumlahkan")
def test_agrees_with_autograd_on_a_trunk_that_saves_nothing(submission, rng):
    heads = scenario(
        "backward-shifted-heads",
        shift=normal(rng, 3),
        weights_a=normal(rng, 3),
        weights_b=normal(rng, 3),
    )
    w = normal(rng, 3)
    value = submission.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    assert_three_gradients(value, heads, w)


@pytest.mark.check(en="the trunk is called once", id="batang dipanggil satu kali", weight=2)
def test_calls_the_trunk_once(submission, rng):
    heads, w = random_heads(rng, (3,), 4), normal(rng, 3)
    observation = submission.observe.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    calls = observation.report["trunk_calls"]
    if calls != 1:
        fail(
            en=f"trunk was called {calls} times. Call it once, and walk back through its graph "
            "for each loss.",
            id=f"trunk dipanggil {calls} kali. Panggil satu kali saja, lalu telusuri grafnya untuk "
            "tiap loss.",
        )
    assert_three_gradients(observation.value, heads, w)


@pytest.mark.check(
    en="the gradients carry no graph of their own",
    id="gradien tidak membawa grafnya sendiri",
    weight=2,
)
def test_returns_gradients_without_a_graph(submission, rng):
    heads, w = random_heads(rng, (3,), 4), normal(rng, 3)
    observation = submission.observe.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    got = assert_three_gradients(observation.value, heads, w)
    # w does not require grad here: what requires grad among the answers does so by its own graph.
    carried = any(isinstance(g, torch.Tensor) and g.facts.requires_grad for g in got)
    if carried or observation.report["graphs_alive"]:
        fail(
            en="The graph is still alive after the function returned. To walk twice it is "
            "enough to keep the notes for one more walk; nobody needs a graph of the gradients.",
            id="Graf masih hidup setelah fungsi selesai. Untuk dua kali perjalanan, cukup simpan "
            "catatannya untuk satu perjalanan lagi; graf dari gradien tidak diperlukan.",
        )


@pytest.mark.check(
    en="w comes back as it was lent, with its .grad",
    id="w kembali seperti saat dipinjamkan, beserta .grad-nya",
    weight=2,
)
def test_leaves_w_alone(submission, rng):
    for tracked, leftover in ((True, True), (True, False), (False, False)):
        heads, w = random_heads(rng, (3,), 4), normal(rng, 3)
        w.requires_grad_(tracked)
        if leftover:
            w.grad = normal(rng, 3)
        observation = submission.observe.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
        assert_three_gradients(observation.value, heads, w)
        assert_unchanged(observation)


@pytest.mark.check(
    en="trunk and heads are given the shapes they were made for",
    id="batang dan kepala diberi bentuk yang memang untuknya",
    weight=2,
)
def test_gives_trunk_and_heads_their_shapes(submission, rng):
    heads, w = random_heads(rng, (2, 3), 4), normal(rng, 2, 3)
    observation = submission.observe.two_losses(heads.trunk, heads.head_a, heads.head_b, w)
    for name, due, key in (("trunk", (2, 3), "w_shapes"), ("a head", (4,), "h_shapes")):
        for shape in map(tuple, observation.report[key]):
            if shape != due:
                named = "batang" if name == "trunk" else "kepala"
                fail(
                    en=f"{name} was called with shape {shape}; what it was made for has shape "
                    f"{due}. It may use the dimensions: give it w, or trunk(w), as it is.",
                    id=f"{named} dipanggil dengan bentuk {shape}, padahal bentuk yang untuknya "
                    f"{due}. Ia bisa saja memakai dimensinya: berikan w, atau trunk(w) apa adanya.",
                )
    assert_three_gradients(observation.value, heads, w)
