"""Hidden checks of `pitfalls.backward_twice`: what happens in f's graph, not only the number."""

import pytest
import torch

from autograded.grading import Recorder, assert_agrees, assert_unchanged, fail, scenario

pytestmark = pytest.mark.exercise("pitfalls.backward_twice")


def loss(rng, kind, shape, dtype=torch.float32):
    factor = 0.5 + torch.rand(shape, generator=rng)
    return scenario("pitfalls-loss", kind=kind, factor=factor.to(dtype))


def point(rng, shape, dtype=torch.float32):
    return (0.8 * torch.randn(shape, generator=rng)).to(dtype)


def twice(f, w):
    """Return the gradient two passes leave at w, and the gradient each pass brings into f."""
    record = Recorder()
    leaf = w.detach().clone().requires_grad_()
    result = f.build(record)(leaf)
    result.backward(retain_graph=True)
    result.backward()
    return leaf.grad, [e.data["gradient"] for e in record.events if e.kind == "walk"]


@pytest.mark.check(
    en="agrees with autograd on random functions", id="sesuai dengan autograd pada fungsi acak"
)
def test_agrees_with_autograd(submission, rng):
    # The graph of "shift" saves nothing, so that even code that drops the values comes through it.
    for kind in ("shift", "linear", "wave", "exp"):
        f, w = loss(rng, kind, (4,)), point(rng, (4,))
        assert_agrees(submission.backward_twice(f, w), twice(f, w)[0], name="gradient")


@pytest.mark.check(en="f is called exactly once", id="f dipanggil tepat satu kali")
def test_calls_f_once(submission, rng):
    f, w = loss(rng, "exp", (3,)), point(rng, (3,))
    seen = submission.observe.backward_twice(f, w)
    calls = seen.kinds().count("call")
    if calls != 1:
        fail(
            en=f"f was called {calls} times; both backward passes must go through the graph of "
            "one call.",
            id=f"f dipanggil {calls} kali; kedua backward harus melewati graf dari satu panggilan.",
        )
    assert_agrees(seen.value, twice(f, w)[0], name="gradient")


@pytest.mark.check(
    en="two full backward passes go through f's graph",
    id="dua backward penuh melewati graf f",
    weight=2,
)
def test_walks_the_graph_twice(submission, rng):
    f, w = loss(rng, "wave", (5,)), point(rng, (5,))
    seen = submission.observe.backward_twice(f, w)
    gradient, due = twice(f, w)
    walks = [event.data["gradient"] for event in seen.events if event.kind == "walk"]
    if len(walks) != len(due):
        fail(
            en=f"f's graph was walked {len(walks)} time(s), not twice.",
            id=f"Graf f dilewati {len(walks)} kali, bukan dua kali.",
        )
    for number, (walk, expected) in enumerate(zip(walks, due, strict=True), 1):
        assert_agrees(walk, expected, name=f"the gradient inside f in backward pass {number}")
    assert_agrees(seen.value, gradient, name="gradient")


@pytest.mark.check(
    en="nothing keeps f(w) or its graph alive",
    id="tidak ada yang membuat f(w) atau grafnya tetap hidup",
)
def test_lets_the_graph_go(submission, rng):
    for kind in ("exp", "linear"):
        f, w = loss(rng, kind, (3,)), point(rng, (3,))
        seen = submission.observe.backward_twice(f, w)
        if seen.report["graphs_alive"] or seen.report["results_alive"]:
            fail(
                en="After the return something still holds f(w) or its graph.",
                id="Setelah fungsi selesai masih ada yang memegang f(w) atau grafnya.",
            )
        assert_agrees(seen.value, twice(f, w)[0], name="gradient")


@pytest.mark.check(
    en="any shape, and w stays as it was", id="bentuk apa pun, dan w tetap seperti semula"
)
def test_any_shape_and_w_unchanged(submission, rng):
    for shape, dtype in (((2, 3), torch.float32), ((), torch.float64), ((1, 2, 2), torch.float32)):
        f, w = loss(rng, "wave", shape, dtype), point(rng, shape, dtype)
        w.requires_grad_()
        w.grad = torch.randn(shape, generator=rng).to(dtype)
        seen = submission.observe.backward_twice(f, w)
        assert_agrees(seen.value, twice(f, w)[0], name="gradient")
        assert_unchanged(seen)
