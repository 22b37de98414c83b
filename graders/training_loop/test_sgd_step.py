"""Hidden checks of `sgd_step`: one step of gradient descent, in place."""

import pytest
import torch

from autograded.grading import assert_agrees, assert_recording, fail

pytestmark = pytest.mark.exercise("training_loop.sgd_step")


def parameter(rng, *shape, grad=True, dtype=torch.float64):
    """A random leaf that requires grad, with a random gradient when `grad`."""
    made = torch.randn(shape, generator=rng, dtype=dtype).requires_grad_()
    if grad:  # some of it larger than anybody clips gradients to
        made.grad = 10 * torch.randn(shape, generator=rng, dtype=dtype)
    return made


def stepped(params, lr):
    """The values that one step of torch.optim.SGD leads to."""
    copies = []
    for p in params:
        copy = p.detach().clone().requires_grad_()
        copy.grad = None if p.grad is None else p.grad.clone()
        copies.append(copy)
    torch.optim.SGD(copies, lr=lr).step()
    return [copy.detach() for copy in copies]


def after_step(submission, params, lr):
    """The parameters that were passed in, as they are after the student's step."""
    observation = submission.observe.sgd_step(params, lr)
    assert_recording(observation)
    return observation.arguments[0]


def must_have_moved(before, after):
    """A function that does nothing keeps every property; that earns nothing."""
    for old, new in zip(before, after, strict=True):
        if torch.equal(old.detach(), new):
            fail(
                en="A parameter with a gradient has the same value after the step as before. "
                "Is it the parameter that changes, or a new tensor?",
                id="Sebuah parameter yang punya gradien nilainya sama sebelum dan sesudah langkah. "
                "Yang berubah parameternya, atau sebuah tensor baru?",
            )


@pytest.mark.check(
    en="moves parameters of every shape, in place",
    id="menggeser parameter berbentuk apa pun, di tempat",
    weight=2,
)
def test_moves_parameters_of_every_shape(submission, rng):
    params = [parameter(rng, *shape) for shape in [(), (3,), (2, 4), (2, 1, 3)]]
    after = after_step(submission, params, 0.07)
    for index, expected in enumerate(stepped(params, 0.07)):
        assert_agrees(after[index], expected, name=f"params[{index}]")


@pytest.mark.check(
    en="parameters stay leaf tensors that require grad",
    id="parameter tetap tensor daun yang memerlukan gradien",
)
def test_parameters_stay_leaves_that_require_grad(submission, rng):
    params = [parameter(rng, 2, 3, dtype=torch.float32), parameter(rng, 4, dtype=torch.float32)]
    after = after_step(submission, params, 0.5)
    must_have_moved(params, after)
    for p in after:
        if not p.facts.requires_grad:
            fail(
                en="After the step a parameter no longer requires grad, so the next backward() "
                "would pass it by.",
                id="Setelah langkah, sebuah parameter tidak lagi memerlukan gradien, sehingga "
                "backward() berikutnya akan melewatinya.",
            )
        if not p.facts.is_leaf:
            fail(
                en="After the step a parameter is no longer a leaf: the update itself was "
                "recorded.",
                id="Setelah langkah, sebuah parameter bukan lagi tensor daun: pembaruannya ikut "
                "dicatat.",
            )


@pytest.mark.check(en="leaves .grad as it was", id="membiarkan .grad apa adanya")
def test_leaves_grad_as_it_was(submission, rng):
    params = [parameter(rng, 3, 2), parameter(rng, 5)]
    after = after_step(submission, params, 0.2)
    must_have_moved(params, after)
    for index, (before, p) in enumerate(zip(params, after, strict=True)):
        if p.facts.grad is None or not torch.equal(p.facts.grad, before.grad):
            fail(
                en=f"The step changed .grad of params[{index}]. It only reads .grad; emptying it "
                "is another of the five steps.",
                id=f"Langkah ini mengubah .grad dari params[{index}]. Ia hanya membaca .grad; "
                "mengosongkannya adalah tugas langkah lain.",
            )


@pytest.mark.check(
    en="skips parameters whose .grad is None", id="melewati parameter yang .grad-nya None"
)
def test_skips_parameters_without_gradient(submission, rng):
    some = (
        parameter(rng, 3),
        parameter(rng, 2, 2, grad=False),
        parameter(rng, 4),
        parameter(rng, grad=False),
        parameter(rng, 1),
    )
    for params in ((parameter(rng, 2, grad=False),), some):
        after = after_step(submission, params, 0.3)
        for index, expected in enumerate(stepped(params, 0.3)):
            assert_agrees(after[index], expected, name=f"params[{index}]")
            if params[index].grad is None and after[index].facts.grad is not None:
                fail(
                    en=f"params[{index}].grad was None, and now it is a tensor. Leave it.",
                    id=f"params[{index}].grad tadinya None, sekarang menjadi tensor. Biarkan saja.",
                )
            if not after[index].facts.requires_grad:
                fail(
                    en=f"params[{index}] no longer requires grad after the step.",
                    id=f"params[{index}] tidak lagi memerlukan gradien setelah langkah.",
                )


@pytest.mark.check(
    en="takes any learning rate, 0 included", id="menerima laju pembelajaran apa pun, termasuk 0"
)
def test_takes_any_learning_rate(submission, rng):
    for lr in (3.0, torch.tensor(0.25), 0.0):
        params = (parameter(rng, 2, 3), parameter(rng))
        observation = submission.observe.sgd_step(params, lr)
        for index, expected in enumerate(stepped(params, float(lr))):
            assert_agrees(observation.arguments[0][index], expected, name=f"params[{index}]")
        if observation.arguments[1] != lr:
            fail(
                en="The step changed lr, a tensor that belongs to the caller.",
                id="Langkah ini mengubah lr, tensor milik pemanggil.",
            )
