"""Hidden checks of `numerical_gradient`: central differences, entry by entry."""

import pytest
import torch

from autograded.grading import as_tensor, assert_agrees, assert_unchanged, fail, scenario

pytestmark = pytest.mark.exercise("relu_net.numerical_gradient")


def random(rng, *shape):
    """Draw a float64 tensor of standard normal numbers."""
    return torch.randn(shape, generator=rng, dtype=torch.float64)


def eighths(rng, *shape):
    """Draw multiples of 1/8 away from 0: sums and differences of these are exact."""
    sign = torch.randint(0, 2, shape, generator=rng) * 2 - 1
    return sign * torch.randint(3, 17, shape, generator=rng).double() / 8


def parabola(rng, entries):
    """A scenario: a quadratic function in which every entry meets every other."""
    return scenario(
        "numerical-quadratic",
        matrix=eighths(rng, entries, entries),
        linear=eighths(rng, entries),
    )


def autograd(f, w):
    """Return the gradient of a scenario function at w, by autograd."""
    w = w.clone().requires_grad_()
    return torch.autograd.grad(f.build()(w), w)[0]


@pytest.mark.check(
    en="agrees with autograd on smooth functions",
    id="sesuai dengan autograd pada fungsi yang mulus",
    weight=2,
)
def test_smooth_functions(submission, rng):
    f, w = scenario("numerical-waves", matrix=random(rng, 5, 6)), random(rng, 2, 3)
    X, W2, T = random(rng, 5, 3), random(rng, 4, 2), random(rng, 5, 2)
    W1 = random(rng, 3, 4)
    while (X @ W1).abs().min() < 1e-3:  # a corner between the two points has no slope to find
        W1 = random(rng, 3, 4)
    network = scenario("numerical-network", X=X, W2=W2, T=T)
    gradient = submission.numerical_gradient(f, w, 1e-5)
    gradient_of_network = submission.numerical_gradient(network, W1, 1e-5)
    assert_agrees(gradient, autograd(f, w), name="gradient", rtol=1e-6)
    assert_agrees(gradient_of_network, autograd(network, W1), name="gradient", rtol=1e-6)


@pytest.mark.check(
    en="goes to both sides: exact for a parabola, whatever eps is",
    id="melangkah ke kedua sisi: tepat untuk parabola, berapa pun eps",
    weight=2,
)
def test_is_central(submission, rng):
    f, w = parabola(rng, 4), eighths(rng, 4)
    gradients = [submission.numerical_gradient(f, w, eps) for eps in (0.25, 1.5)]
    for gradient in gradients:
        assert_agrees(gradient, autograd(f, w), name="gradient", rtol=1e-6)


@pytest.mark.check(
    en="takes any number of dimensions, 0 included",
    id="menerima berapa pun dimensi, termasuk 0",
)
def test_any_number_of_dimensions(submission, rng):
    points = [eighths(rng), eighths(rng, 2, 3), eighths(rng, 2, 1, 3)]
    functions = [parabola(rng, w.numel()) for w in points]
    gradients = [
        submission.numerical_gradient(f, w, 0.25) for f, w in zip(functions, points, strict=True)
    ]
    for f, w, gradient in zip(functions, points, gradients, strict=True):
        assert_agrees(gradient, autograd(f, w), name="gradient", rtol=1e-6)


@pytest.mark.check(
    en="calls f exactly twice per entry, at w ± eps in that entry alone",
    id="memanggil f tepat dua kali per entri, di w ± eps pada entri itu saja",
)
def test_where_f_is_called(submission, rng):
    f, w, eps = parabola(rng, 6), eighths(rng, 2, 3), 0.25
    observation = submission.observe.numerical_gradient(f, w, eps)
    calls = [event.data["w"] for event in observation.events]
    if len(calls) != 2 * w.numel():
        fail(
            en=f"f was called {len(calls)} times; w has {w.numel()} entries, so {2 * w.numel()} "
            "calls are needed: one above and one below for each.",
            id=f"f dipanggil {len(calls)} kali; w punya {w.numel()} entri, jadi diperlukan "
            f"{2 * w.numel()} panggilan: satu di atas dan satu di bawah untuk setiap entri.",
        )
    for shape in {tuple(call.shape) for call in calls} - {tuple(w.shape)}:
        fail(
            en=f"w has shape {tuple(w.shape)}, but f was called with shape {shape}. f may use the "
            "dimensions of w, such as rows and columns: give it what it was made for.",
            id=f"Bentuk w adalah {tuple(w.shape)}, tetapi f dipanggil dengan bentuk {shape}. f "
            "bisa saja memakai dimensi w, misalnya baris dan kolomnya: berikan bentuk yang memang "
            "untuknya.",
        )
    nudges = torch.stack([call.reshape(w.shape).double() - w for call in calls]).reshape(-1, 6)
    due = eps * torch.eye(6, dtype=torch.float64)
    for nudge in torch.cat([due, -due]):
        if not bool(torch.isclose(nudges, nudge, rtol=1e-6, atol=1e-6).all(dim=1).any()):
            fail(
                en="f must be called at w with one entry raised by eps, and at w with that entry "
                "lowered by eps, for each entry in turn; all other entries keep their value.",
                id="f harus dipanggil di w dengan satu entri dinaikkan sebesar eps, dan di w "
                "dengan entri itu diturunkan sebesar eps, bergiliran untuk setiap entri; semua "
                "entri lain tetap pada nilainya.",
            )


@pytest.mark.check(en="leaves w as it was", id="membiarkan w seperti semula")
def test_w_unchanged(submission, rng):
    # Eighths, so that adding eps and taking it away again restores w to the last digit.
    f, w = parabola(rng, 6), eighths(rng, 3, 2)
    observation = submission.observe.numerical_gradient(f, w, 0.125)
    assert_unchanged(observation)
    # A function that does nothing leaves w alone too, and earns nothing by it.
    assert_agrees(observation.value, autograd(f, w), name="gradient", rtol=1e-6)


@pytest.mark.check(
    en="keeps the digits of a float64 tensor", id="mempertahankan digit tensor float64"
)
def test_keeps_float64(submission, rng):
    f, w = parabola(rng, 3), eighths(rng, 3)
    gradient = submission.numerical_gradient(f, w, 0.5)
    tensor = as_tensor(gradient)
    if tensor is not None and tensor.dtype != torch.float64:
        fail(
            en="w is float64, but the gradient is not: somewhere a new tensor got PyTorch's "
            "default, float32.",
            id="w bertipe float64, tetapi gradiennya tidak: di suatu tempat ada tensor baru yang "
            "memakai bawaan PyTorch, float32.",
        )
    assert_agrees(gradient, autograd(f, w), name="gradient", rtol=1e-9)


@pytest.mark.check(
    en="takes float32 too, and answers in it", id="menerima float32 juga, dan menjawab dengannya"
)
def test_float32(submission, rng):
    f, w = parabola(rng, 4), eighths(rng, 4).float()
    gradient = submission.numerical_gradient(f, w, 0.25)
    tensor = as_tensor(gradient)
    if tensor is not None and tensor.dtype != torch.float32:
        fail(
            en="w is float32, but the gradient is not: it has the type of w, whatever you compute "
            "in.",
            id="w bertipe float32, tetapi gradiennya tidak: tipenya sama dengan tipe w, apa pun "
            "tipe yang dipakai untuk menghitung.",
        )
    assert_agrees(gradient, autograd(f, w), name="gradient", rtol=1e-5)
