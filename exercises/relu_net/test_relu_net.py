"""Public checks of `relu_net`: what you can run yourself while you write."""

import pytest
import torch

from autograded.grading import (
    agrees,
    as_tensor,
    assert_agrees,
    assert_unchanged,
    expect_tuple,
    fail,
    scenario,
)

# A Python float may have been computed in float32 on its way.
SCALAR_RTOL = 1e-5


def autograd_gradients(x, w1, w2, t):
    """Return (dL/dw1, dL/dw2) of the network with two weights, by autograd."""
    x, w1, w2, t = (torch.tensor(value, dtype=torch.float64) for value in (x, w1, w2, t))
    w1.requires_grad_()
    w2.requires_grad_()
    loss = (w2 * torch.relu(w1 * x) - t) ** 2
    return torch.autograd.grad(loss, (w1, w2))


def autograd_batch_gradients(X, W1, W2, T):
    """Return (dL/dW1, dL/dW2) of the network for a batch, by autograd."""
    W1, W2 = W1.clone().requires_grad_(), W2.clone().requires_grad_()
    loss = torch.nn.functional.mse_loss(torch.relu(X @ W1) @ W2, T)
    return torch.autograd.grad(loss, (W1, W2))


def differs(actual, expected):
    """Is this a number that is not the expected one?"""
    number = as_tensor(actual)
    return number is not None and not bool(agrees(number, as_tensor(expected), SCALAR_RTOL).all())


# forward


@pytest.mark.exercise("relu_net.forward")
@pytest.mark.check(
    en="gives the published numbers: z, h and y are 0.6",
    id="menghasilkan angka yang diterbitkan: z, h, dan y bernilai 0.6",
)
def test_forward_published_numbers(submission):
    z, h, y = expect_tuple(submission.forward(2.0, 0.3, 1.0), 3, names=("z", "h", "y"))
    assert_agrees(z, 0.6, name="z", rtol=SCALAR_RTOL)
    assert_agrees(h, 0.6, name="h", rtol=SCALAR_RTOL)
    assert_agrees(y, 0.6, name="y", rtol=SCALAR_RTOL)


@pytest.mark.exercise("relu_net.forward")
@pytest.mark.check(
    en="closes the gate when z is negative", id="menutup gerbang ketika z bernilai negatif"
)
def test_forward_closed_gate(submission):
    z, h, y = expect_tuple(submission.forward(2.0, -0.3, 5.0), 3, names=("z", "h", "y"))
    if differs(z, -0.6):
        fail(
            en="z is the value before relu: w1·x, here −0.6. Relu makes h from it and leaves z.",
            id="z adalah nilai sebelum relu: w1·x, di sini −0.6. Relu membuat h darinya dan "
            "membiarkan z.",
        )
    assert_agrees(z, -0.6, name="z", rtol=SCALAR_RTOL)
    if differs(h, 0.0):
        fail(
            en="z is −0.6, so the gate is closed and h must be 0: relu takes the larger of z and "
            "0.",
            id="z bernilai −0.6, jadi gerbang tertutup dan h harus 0: relu mengambil yang terbesar "
            "di antara z dan 0.",
        )
    assert_agrees(h, 0.0, name="h")
    assert_agrees(y, 0.0, name="y")


@pytest.mark.exercise("relu_net.forward")
@pytest.mark.check(
    en="puts no relu on the output: y may be negative",
    id="tidak memasang relu pada keluaran: y boleh negatif",
)
def test_forward_negative_output(submission):
    z, h, y = expect_tuple(submission.forward(2.0, 1.5, -2.0), 3, names=("z", "h", "y"))
    assert_agrees(z, 3.0, name="z", rtol=SCALAR_RTOL)
    assert_agrees(h, 3.0, name="h", rtol=SCALAR_RTOL)
    assert_agrees(y, -6.0, name="y", rtol=SCALAR_RTOL)


@pytest.mark.exercise("relu_net.forward")
@pytest.mark.check(en="takes 0-d tensors too", id="menerima tensor 0 dimensi juga")
def test_forward_tensors(submission):
    x, w1, w2 = torch.tensor(2.0), torch.tensor(-0.3), torch.tensor(1.0)
    z, h, y = expect_tuple(submission.forward(x, w1, w2), 3, names=("z", "h", "y"))
    assert_agrees(z, w1 * x, name="z")
    assert_agrees(h, torch.relu(w1 * x), name="h")
    assert_agrees(y, w2 * torch.relu(w1 * x), name="y")


# gradients


@pytest.mark.exercise("relu_net.gradients")
@pytest.mark.check(
    en="gives the published numbers: −1.6 and −0.48",
    id="menghasilkan angka yang diterbitkan: −1.6 dan −0.48",
)
def test_gradients_published_numbers(submission):
    dw1, dw2 = expect_tuple(submission.gradients(2.0, 0.3, 1.0, 1.0), 2, names=("dw1", "dw2"))
    assert_agrees(dw1, -1.6, name="dw1", rtol=SCALAR_RTOL)
    assert_agrees(dw2, -0.48, name="dw2", rtol=SCALAR_RTOL)


@pytest.mark.exercise("relu_net.gradients")
@pytest.mark.check(
    en="agrees with autograd when the gate is open",
    id="sesuai dengan autograd ketika gerbang terbuka",
)
def test_gradients_open_gate(submission):
    example = (3.0, 0.5, -2.0, 4.0)
    dw1, dw2 = expect_tuple(submission.gradients(*example), 2, names=("dw1", "dw2"))
    expected_dw1, expected_dw2 = autograd_gradients(*example)
    assert_agrees(dw1, expected_dw1, name="dw1", rtol=SCALAR_RTOL)
    assert_agrees(dw2, expected_dw2, name="dw2", rtol=SCALAR_RTOL)


@pytest.mark.exercise("relu_net.gradients")
@pytest.mark.check(
    en="lets nothing through a closed gate", id="tidak meneruskan apa pun lewat gerbang tertutup"
)
def test_gradients_closed_gate(submission):
    example = (2.0, -0.3, 5.0, 1.0)
    dw1, dw2 = expect_tuple(submission.gradients(*example), 2, names=("dw1", "dw2"))
    expected_dw1, expected_dw2 = autograd_gradients(*example)
    if differs(dw1, expected_dw1):
        fail(
            en="z is −0.6, so the gate is closed: nudging w1 changes neither h nor the loss, and "
            "dw1 must be 0.",
            id="z bernilai −0.6, jadi gerbang tertutup: menggeser w1 tidak mengubah h maupun loss, "
            "sehingga dw1 harus 0.",
        )
    if differs(dw2, expected_dw2):
        fail(
            en="z is −0.6, so h is 0 and w2 is multiplied by nothing: dw2 must be 0. Which value "
            "does w2 meet, the one before relu or the one after it?",
            id="z bernilai −0.6, jadi h bernilai 0 dan w2 tidak dikalikan apa-apa: dw2 harus 0. "
            "Nilai mana yang ditemui w2, yang sebelum relu atau sesudahnya?",
        )
    assert_agrees(dw1, expected_dw1, name="dw1")
    assert_agrees(dw2, expected_dw2, name="dw2")


@pytest.mark.exercise("relu_net.gradients")
@pytest.mark.check(
    en="takes the slope of relu at exactly 0 to be 0",
    id="menganggap kemiringan relu tepat di 0 bernilai 0",
)
def test_gradients_at_the_corner(submission):
    example = (2.0, 0.0, 3.0, 1.0)
    dw1, dw2 = expect_tuple(submission.gradients(*example), 2, names=("dw1", "dw2"))
    expected_dw1, expected_dw2 = autograd_gradients(*example)
    if differs(dw1, expected_dw1):
        fail(
            en="w1 is 0, so z sits exactly at relu's corner. There is no slope there; PyTorch "
            "takes 0, so dw1 must be 0.",
            id="w1 bernilai 0, jadi z tepat berada di sudut relu. Di sana tidak ada kemiringan; "
            "PyTorch memakai 0, jadi dw1 harus 0.",
        )
    assert_agrees(dw1, expected_dw1, name="dw1")
    assert_agrees(dw2, expected_dw2, name="dw2")


@pytest.mark.exercise("relu_net.gradients")
@pytest.mark.check(en="takes 0-d tensors too", id="menerima tensor 0 dimensi juga")
def test_gradients_tensors(submission):
    example = (2.0, 0.3, 1.0, 1.0)
    tensors = [torch.tensor(value) for value in example]
    dw1, dw2 = expect_tuple(submission.gradients(*tensors), 2, names=("dw1", "dw2"))
    expected_dw1, expected_dw2 = autograd_gradients(*example)
    assert_agrees(dw1, expected_dw1.float(), name="dw1")
    assert_agrees(dw2, expected_dw2.float(), name="dw2")


# batch_gradients

# N = 3 examples, D = 2 inputs, H = 4 hidden units, O = 2 outputs; some gates open, some closed.
X = torch.tensor([[1.0, 2.0], [-1.0, 0.5], [3.0, -2.0]], dtype=torch.float64)
W1 = torch.tensor([[0.5, -1.0, 2.0, 0.3], [1.0, 0.5, -0.5, -0.7]], dtype=torch.float64)
W2 = torch.tensor([[1.0, -2.0], [0.5, 1.5], [-1.0, 0.3], [2.0, 1.0]], dtype=torch.float64)
T = torch.tensor([[1.0, 0.0], [-2.0, 3.0], [0.5, 2.0]], dtype=torch.float64)


@pytest.mark.exercise("relu_net.batch_gradients")
@pytest.mark.check(
    en="gives the published numbers as a batch of one",
    id="menghasilkan angka yang diterbitkan sebagai batch berisi satu contoh",
)
def test_batch_gradients_published_numbers(submission):
    batch = [torch.tensor([[value]], dtype=torch.float64) for value in (2.0, 0.3, 1.0, 1.0)]
    dW1, dW2 = expect_tuple(submission.batch_gradients(*batch), 2, names=("dW1", "dW2"))
    assert_agrees(dW1, torch.tensor([[-1.6]], dtype=torch.float64), name="dW1", rtol=SCALAR_RTOL)
    assert_agrees(dW2, torch.tensor([[-0.48]], dtype=torch.float64), name="dW2", rtol=SCALAR_RTOL)


@pytest.mark.exercise("relu_net.batch_gradients")
@pytest.mark.check(
    en="gives each gradient the shape of its weights",
    id="memberi setiap gradien bentuk yang sama dengan bobotnya",
)
def test_batch_gradients_shapes(submission):
    dW1, dW2 = expect_tuple(submission.batch_gradients(X, W1, W2, T), 2, names=("dW1", "dW2"))
    for name, gradient, weight in (("dW1", dW1, W1), ("dW2", dW2, W2)):
        tensor = as_tensor(gradient)
        if tensor is not None and tensor.shape == weight.T.shape:
            fail(
                en=f"{name} has the shape of its weights turned on its side. Nudging the weight in "
                "row i, column j is what entry [i, j] must answer for.",
                id=f"Bentuk {name} adalah bentuk bobotnya yang tertukar baris dan kolomnya. Entri "
                "[i, j] harus menjawab geseran bobot pada baris i, kolom j.",
            )
        if tensor is None or tensor.shape != weight.shape:
            assert_agrees(gradient, torch.zeros_like(weight), name=name)


@pytest.mark.exercise("relu_net.batch_gradients")
@pytest.mark.check(
    en="agrees with autograd on a small batch", id="sesuai dengan autograd pada batch kecil"
)
def test_batch_gradients_small_batch(submission):
    dW1, dW2 = expect_tuple(submission.batch_gradients(X, W1, W2, T), 2, names=("dW1", "dW2"))
    expected_dW1, expected_dW2 = autograd_batch_gradients(X, W1, W2, T)
    assert_agrees(dW2, expected_dW2, name="dW2")
    assert_agrees(dW1, expected_dW1, name="dW1")


@pytest.mark.exercise("relu_net.batch_gradients")
@pytest.mark.check(
    en="takes the slope of relu at exactly 0 to be 0",
    id="menganggap kemiringan relu tepat di 0 bernilai 0",
)
def test_batch_gradients_at_the_corner(submission):
    silent = W1.clone()
    silent[:, 1] = 0.0
    dW1, dW2 = expect_tuple(submission.batch_gradients(X, silent, W2, T), 2, names=("dW1", "dW2"))
    expected_dW1, expected_dW2 = autograd_batch_gradients(X, silent, W2, T)
    assert_agrees(dW2, expected_dW2, name="dW2")
    assert_agrees(dW1, expected_dW1, name="dW1")


@pytest.mark.exercise("relu_net.batch_gradients")
@pytest.mark.check(
    en="leaves the tensors it is given as they were",
    id="membiarkan tensor yang diterimanya seperti semula",
)
def test_batch_gradients_inputs_unchanged(submission):
    assert_unchanged(submission.observe.batch_gradients(X, W1, W2, T))


# numerical_gradient


def sum_of_squares(entries):
    """The function f(w) = Σ w², for a w of so many entries."""
    return scenario(
        "numerical-quadratic",
        matrix=2 * torch.eye(entries, dtype=torch.float64),
        linear=torch.zeros(entries, dtype=torch.float64),
    )


def autograd_gradient(f, w):
    """Return the gradient of a scenario function at w, by autograd."""
    w = w.clone().requires_grad_()
    return torch.autograd.grad(f.build()(w), w)[0]


@pytest.mark.exercise("relu_net.numerical_gradient")
@pytest.mark.check(
    en="finds the slope of a sum of squares at [3, −1]",
    id="menemukan kemiringan jumlah kuadrat di [3, −1]",
)
def test_numerical_gradient_sum_of_squares(submission):
    f, w = sum_of_squares(2), torch.tensor([3.0, -1.0], dtype=torch.float64)
    gradient = submission.numerical_gradient(f, w, 1e-4)
    assert_agrees(gradient, autograd_gradient(f, w), name="gradient", rtol=1e-6)


@pytest.mark.exercise("relu_net.numerical_gradient")
@pytest.mark.check(
    en="goes to both sides: exact for a parabola, even with eps = 0.5",
    id="melangkah ke kedua sisi: tepat untuk parabola, bahkan dengan eps = 0.5",
)
def test_numerical_gradient_is_central(submission):
    f, w = sum_of_squares(2), torch.tensor([3.0, -1.0], dtype=torch.float64)
    gradient = submission.numerical_gradient(f, w, 0.5)
    assert_agrees(gradient, autograd_gradient(f, w), name="gradient", rtol=1e-6)


@pytest.mark.exercise("relu_net.numerical_gradient")
@pytest.mark.check(
    en="takes a matrix and a single number", id="menerima matriks dan satu bilangan tunggal"
)
def test_numerical_gradient_any_shape(submission):
    matrix = torch.arange(1.0, 7.0, dtype=torch.float64).reshape(2, 3)
    for w in (matrix, torch.tensor(1.5, dtype=torch.float64)):
        f = sum_of_squares(w.numel())
        gradient = submission.numerical_gradient(f, w, 1e-4)
        assert_agrees(gradient, autograd_gradient(f, w), name="gradient", rtol=1e-6)


@pytest.mark.exercise("relu_net.numerical_gradient")
@pytest.mark.check(
    en="calls f twice per entry and leaves w alone",
    id="memanggil f dua kali per entri dan tidak mengubah w",
)
def test_numerical_gradient_calls(submission):
    f, w = sum_of_squares(3), torch.tensor([3.0, -1.0, 0.5], dtype=torch.float64)
    observation = submission.observe.numerical_gradient(f, w, 0.25)
    calls = len(observation.events)
    if calls != 2 * w.numel():
        fail(
            en=f"f was called {calls} times; w has {w.numel()} entries, so {2 * w.numel()} calls "
            "are needed: one above and one below for each.",
            id=f"f dipanggil {calls} kali; w punya {w.numel()} entri, jadi diperlukan "
            f"{2 * w.numel()} panggilan: satu di atas dan satu di bawah untuk setiap entri.",
        )
    assert_unchanged(observation)


@pytest.mark.exercise("relu_net.numerical_gradient")
@pytest.mark.check(
    en="keeps the digits of a float64 tensor", id="mempertahankan digit tensor float64"
)
def test_numerical_gradient_keeps_float64(submission):
    f, w = sum_of_squares(2), torch.tensor([3.0, -1.0], dtype=torch.float64)
    gradient = as_tensor(submission.numerical_gradient(f, w, 1e-4))
    if gradient is not None and gradient.dtype != torch.float64:
        fail(
            en="w is float64, but the gradient is not: somewhere a new tensor got PyTorch's "
            "default, float32. `zeros_like` keeps the dtype.",
            id="w bertipe float64, tetapi gradiennya tidak: di suatu tempat ada tensor baru yang "
            "memakai bawaan PyTorch, float32. `zeros_like` mempertahankan dtype.",
        )
    assert_agrees(gradient, autograd_gradient(f, w), name="gradient", rtol=1e-6)
