"""A model, a loss, an optimizer and batches that belong together and record their training."""

from itertools import pairwise

import torch
from torch.nn import functional

from autograded.scenarios import Recorder, parts, register

LOSSES = {
    "mse": functional.mse_loss,
    "cross-entropy": functional.cross_entropy,
    "poisson": functional.poisson_nll_loss,  # exp(prediction) − target · prediction: not symmetric
}
OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}


class Network(torch.nn.Module):
    """Linear layers with a tanh between them, and batch normalization before it when asked."""

    def __init__(self, record, sizes, weights, bias, normalized, frozen):
        super().__init__()
        self.record = record
        blocks = []
        for index, (inputs, outputs) in enumerate(pairwise(sizes)):
            linear = torch.nn.Linear(inputs, outputs, bias=bias, dtype=weights[0].dtype)
            layers = [linear]
            if index < len(sizes) - 2:
                if normalized:
                    layers.append(torch.nn.BatchNorm1d(outputs, dtype=weights[0].dtype))
                layers.append(torch.nn.Tanh())
            blocks.append(torch.nn.Sequential(*layers))
        self.blocks = torch.nn.Sequential(*blocks)
        given = [parameter for block in self.blocks for parameter in block[0].parameters()]
        for index, (parameter, value) in enumerate(zip(given, weights, strict=True)):
            parameter.requires_grad_(False).copy_(value).requires_grad_(index not in frozen)

    def forward(self, inputs):
        # A forward pass only for a log line, under no_grad, is nobody's business.
        if torch.is_grad_enabled():
            self.record("forward")
        return self.blocks(inputs)

    def zero_grad(self, set_to_none=True):
        self.record("zero_grad")
        super().zero_grad(set_to_none)


class Loss(torch.nn.Module):
    """One of `LOSSES`; its result tells when backward() runs through it."""

    def __init__(self, record, name):
        super().__init__()
        self.record = record
        self.function = LOSSES[name]

    def forward(self, predictions, targets):
        loss = self.function(predictions, targets)
        if loss.requires_grad:
            self.record("loss")
            loss.register_hook(lambda _: self.record("backward"))
        return loss


class Batches:
    """What a shuffling DataLoader is to a training loop: not to be indexed, and after each pass
    through it the batches come in another order (here the reverse).
    """

    def __init__(self, batches):
        self._batches = batches

    def __iter__(self):
        for inputs, targets in self._batches:
            yield [inputs.clone(), targets.clone()]
        self._batches = self._batches[::-1]

    def __len__(self):
        return len(self._batches)


def recording(optimizer_class, record):
    """Return a subclass of an optimizer that records zero_grad."""

    class Recording(optimizer_class):
        def zero_grad(self, set_to_none=True):
            record("zero_grad")
            super().zero_grad(set_to_none)

    return Recording


def flat(tensors):
    """Return a copy of all entries, in order, as one vector."""
    return torch.cat([tensor.detach().reshape(-1) for tensor in tensors])


def same(batches, given, before):
    """Whether a list still holds the batches it was given with, and these what they held before."""
    return len(batches) == len(given) and all(
        batch is pair and torch.equal(tensor, copy) and not tensor.requires_grad
        for batch, pair, copies in zip(batches, given, before, strict=True)
        for tensor, copy in zip(pair, copies, strict=True)
    )


@register("training")
def training(
    record: Recorder,
    sizes,
    weights,
    batches,
    optimizer="sgd",
    options=None,
    loss="mse",
    bias=True,
    normalized=False,
    loader="list",
    leftover=None,
    frozen=(),
    groups=None,
    used=False,
):
    """Return the parts model, loss_fn, optimizer and batches of one training run.

    sizes: units a layer, inputs first. weights: initial values of the linear layers, for each its
    weight and, with `bias`, its bias. batches: (inputs, targets) pairs. optimizer, loss: keys of
    `OPTIMIZERS` and `LOSSES`; options: the optimizer's own. loader: "list", or "loader" for
    something that cannot be indexed. leftover: what every entry of .grad holds at the start; None
    for no .grad at all. frozen: places in `weights` of those that do not require grad. groups: the
    optimizer's options for each layer, which then is a parameter group of its own. used: whether
    the optimizer has made a step before.

    Events: zero_grad, forward, loss, backward, step. Report: `path` and `gradients`, both of shape
    (steps, parameters), are all parameters and their .grad just after each optimizer step (a .grad
    that is None counts as zeros); `final` has the parameters when the student's function is done,
    `requires_grad` says which of them require grad then, `training_mode` whether the model is in
    training mode, and `same_batches` whether the batches are what they were.
    """
    model = Network(record, sizes, weights, bias, normalized, frozen)
    parameters = list(model.parameters())
    if leftover is not None:
        for parameter in parameters:
            parameter.grad = torch.full_like(parameter, leftover)
    trained = parameters
    if groups is not None:
        layers = zip(model.blocks, groups, strict=True)
        trained = [{"params": list(layer.parameters()), **own} for layer, own in layers]
    optimizer = recording(OPTIMIZERS[optimizer], record)(trained, **(options or {}))
    if used:
        for parameter in parameters:
            parameter.grad = torch.ones_like(parameter) if parameter.requires_grad else None
        optimizer.step()
        for parameter in parameters:
            parameter.grad = None
    path, seen = [], []

    # A hook after the step, so that the events of step(closure) come before it too.
    def after_step(*_):
        record("step")
        path.append(flat(parameters))
        seen.append(flat(torch.zeros_like(p) if p.grad is None else p.grad for p in parameters))

    optimizer.register_step_post_hook(after_step)

    @record.report
    def report():
        start = flat(parameters).new_empty(0, sum(p.numel() for p in parameters))
        return {
            "path": torch.stack(path) if path else start,
            "gradients": torch.stack(seen) if seen else start,
            "final": flat(parameters),
            "requires_grad": [parameter.requires_grad for parameter in parameters],
            "training_mode": all(module.training for module in model.modules()),
            "same_batches": same(pairs, given, batches),
        }

    given = [(inputs.clone(), targets.clone()) for inputs, targets in batches]
    pairs = list(given)
    return parts(
        model=model,
        loss_fn=Loss(record, loss),
        optimizer=optimizer,
        batches=Batches(pairs) if loader == "loader" else pairs,
    )
