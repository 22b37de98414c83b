"""Hidden checks of `derivative`: random functions, branches, and a kink no difference can see."""

import pytest
import torch

from autograded.grading import as_tensor, assert_agrees, fail, scenario

pytestmark = pytest.mark.exercise("backward.derivative")

# A leaf made by `torch.tensor(x, requires_grad=True)` is float32, and `.item()` hides it.
FLOAT32 = 2e-4


def autograd(f, x):
    """df/dx at x, in float64."""
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    f.build()(leaf).backward()
    return leaf.grad


def uniform(rng, low, high):
    """A random Python float."""
    return low + (high - low) * torch.rand((), generator=rng, dtype=torch.float64).item()


def kinked(rng, at):
    """A function whose kink at `at` no difference gets right, from whichever side."""
    slope, right, left = (uniform(rng, 1.0, 3.0) for _ in range(3))
    return scenario("backward-kink", slope=slope, right=right, left=left, at=at)


@pytest.mark.check(en="random polynomials", id="polinom acak", weight=2)
def test_agrees_with_autograd_on_polynomials(submission, rng):
    for low, high in ((-2.0, -1.0), (0.3, 0.9), (1.2, 2.0)):
        # Positive odd coefficients keep the slope away from 0, where float32 has no digits left.
        coefficients = [uniform(rng, 0.5, 2.0) * sign for sign in (1, 1, 0, 1, 0, 1)]
        f = scenario("backward-polynomial", coefficients=coefficients)
        x = uniform(rng, low, high)
        got = submission.derivative(f, x)
        assert_agrees(got, autograd(f, x), name=f"df/dx at {x:.4f}", rtol=FLOAT32)


@pytest.mark.check(en="a sine times an exponential", id="sinus kali eksponensial")
def test_agrees_with_autograd_on_a_wave(submission, rng):
    f = scenario("backward-wave", height=uniform(rng, 1.0, 3.0), frequency=uniform(rng, 1.0, 2.0))
    for x in (uniform(rng, 0.05, 0.5), uniform(rng, -0.4, -0.05)):
        got = submission.derivative(f, x)
        assert_agrees(got, autograd(f, x), name=f"df/dx at {x:.4f}", rtol=FLOAT32)


@pytest.mark.check(en="both sides of an `if`", id="kedua cabang sebuah `if`")
def test_follows_the_branch_taken(submission, rng):
    f = scenario("backward-branches", right=uniform(rng, 1.0, 3.0), left=uniform(rng, -4.0, -2.0))
    for x in (uniform(rng, 0.5, 2.0), uniform(rng, -2.0, -0.5)):
        got = submission.derivative(f, x)
        assert_agrees(got, autograd(f, x), name=f"df/dx at {x:.4f}", rtol=FLOAT32)


@pytest.mark.check(
    en="relu at its kink: what autograd says, not a difference",
    id="relu di titik patahnya: menurut autograd, bukan beda hingga",
    weight=3,
)
def test_takes_autograd_s_word_at_a_kink(submission, rng):
    answers = []
    for at in (0.0, 1.375):  # as float32 too, x lies on the kink and not beside it
        f = kinked(rng, at)
        answers.append((f, at, submission.derivative(f, at)))
    for f, at, got in answers:
        assert_agrees(got, autograd(f, at), name=f"df/dx at {at:.4g}", rtol=FLOAT32)


@pytest.mark.check(
    en="walks back through the graph of f", id="berjalan pulang melalui graf f", weight=3
)
def test_walks_back_through_f(submission, rng):
    f = scenario("backward-watched-cube", scale=uniform(rng, 1.0, 3.0))
    x = uniform(rng, 0.5, 1.5)
    observation = submission.observe.derivative(f, x)
    if not observation.report["walked_back"]:
        fail(
            en="No backward came through f. Call backward() on the tensor that f returned: "
            "it knows the way back to your leaf.",
            id="Tidak ada backward yang melalui f. Panggil backward() pada tensor yang "
            "dikembalikan f: tensor itulah yang tahu jalan pulang ke tensor daun Anda.",
        )
    assert_agrees(observation.value, autograd(f, x), name=f"df/dx at {x:.4f}", rtol=FLOAT32)


@pytest.mark.check(
    en="asking twice gives the same answer twice",
    id="bertanya dua kali memberi jawaban yang sama",
)
def test_nothing_piles_up_between_calls(submission, rng):
    f, x = kinked(rng, 0.625), 0.625
    first, second = submission.derivative(f, x), submission.derivative(f, x)
    one, other = as_tensor(first), as_tensor(second)
    if one is not None and other is not None and not torch.equal(one, other):
        fail(
            en="The same call gave another answer the second time: something that the first call "
            "left behind, such as a .grad that was never cleared, came into it.",
            id="Panggilan yang sama memberi jawaban lain pada kali kedua: sesuatu yang tertinggal "
            "dari panggilan pertama, misalnya .grad yang tidak pernah dikosongkan, ikut terhitung.",
        )
    assert_agrees(first, autograd(f, x), name="df/dx", rtol=FLOAT32)


@pytest.mark.check(
    en="a very small derivative keeps its digits", id="turunan yang sangat kecil tetap teliti"
)
def test_keeps_the_digits_of_a_small_slope(submission, rng):
    f = scenario("backward-wave", height=uniform(rng, 1e-7, 3e-7), frequency=uniform(rng, 1.0, 2.0))
    x = uniform(rng, 0.05, 0.5)
    got = submission.derivative(f, x)
    assert_agrees(got, autograd(f, x), name=f"df/dx at {x:.4f}", rtol=FLOAT32)


@pytest.mark.check(en="f is given a single number", id="f diberi satu bilangan", weight=2)
def test_gives_f_a_single_number(submission, rng):
    f, x = kinked(rng, 0.875), 0.875
    observation = submission.observe.derivative(f, x)
    for shape in map(tuple, observation.report["shapes"]):
        if shape:
            fail(
                en=f"f was called with a tensor of shape {shape}. f takes a single number, "
                "a 0-d tensor; a number in square brackets is a vector with one entry.",
                id=f"f dipanggil dengan tensor berbentuk {shape}. f menerima satu bilangan, "
                "yaitu tensor 0-d; bilangan di dalam kurung siku adalah vektor dengan satu unsur.",
            )
    assert_agrees(observation.value, autograd(f, x), name=f"df/dx at {x:.4f}", rtol=FLOAT32)
