"""What the checks of `pitfalls` hand to your functions: callables that watch their own graph.

A hook hangs on a tensor inside each graph. It records every gradient that comes by, and it lives
exactly as long as the graph does, so that counting live hooks counts live graphs.
"""

import gc
import weakref

import torch

from autograded.scenarios import Recorder, parts, register


class Hook:
    """Records each gradient that passes a tensor on its way back; keeps no tensor itself."""

    def __init__(self, record: Recorder) -> None:
        self.record = record

    def __call__(self, gradient: torch.Tensor) -> None:
        """Record one walk through the graph, and whether it was itself recorded."""
        recorded = torch.is_grad_enabled()
        self.record("walk", gradient=gradient.detach().clone(), recorded=recorded)


class Watch:
    """Hangs hooks into graphs and counts how many of these graphs are still alive."""

    def __init__(self, record: Recorder) -> None:
        self.record = record
        self.hooks: weakref.WeakSet[Hook] = weakref.WeakSet()

    def hang(self, tensor: torch.Tensor) -> None:
        """Watch the graph that `tensor` belongs to, when autograd is recording one."""
        if tensor.requires_grad:
            hook = Hook(self.record)
            self.hooks.add(hook)
            tensor.register_hook(hook)

    def alive(self) -> int:
        """Count live graphs, those left out that are garbage and only not collected yet."""
        if self.hooks:
            gc.collect()
        return len(self.hooks)

    def alive_in_passing(self) -> int:
        """Count live graphs in the middle of training: only young garbage is looked for."""
        if len(self.hooks) > 1:
            gc.collect(1)
        return len(self.hooks)


@register("pitfalls-loss")
def loss(record: Recorder, kind: str, factor: torch.Tensor):
    """A scalar loss f(w) over h = factor·w: the sum of h, of exp(h), or of h·sin(h).

    The kind "shift" sums w + factor instead, a graph that saves nothing.

    Records each call and each gradient that reaches h; reports whether f(w) or its graph is still
    alive after the student's function returned.
    """
    watch = Watch(record)
    results: weakref.WeakSet[torch.Tensor] = weakref.WeakSet()
    outer = {"exp": torch.exp, "wave": lambda h: h * torch.sin(h)}.get(kind, lambda h: h)

    def f(w):
        record("call")
        h = w + factor if kind == "shift" else w * factor
        watch.hang(h)
        result = outer(h).sum()
        results.add(result)
        return result

    record.report(lambda: {"graphs_alive": watch.alive(), "results_alive": len(results)})
    return f


@register("pitfalls-curve")
def curve(record: Recorder, kind: str, coefficients: list[float]):
    """A scalar function of a scalar: a polynomial, or a·x·sin(b·x).

    The kind "weighted" is a polynomial times a weight of its own that requires grad, as in a
    network, and it switches recording on for itself.

    Records how it was called (does x require grad, is autograd recording) and each gradient that
    reaches its result.
    """
    watch = Watch(record)

    def polynomial(x):
        total = x * 0 + coefficients[-1]
        for coefficient in reversed(coefficients[:-1]):
            total = total * x + coefficient
        return total

    def wave(x):
        a, b = coefficients
        return a * x * torch.sin(b * x)

    weight = torch.tensor(1.5, requires_grad=True)

    @torch.enable_grad()
    def weighted(x):
        return weight * polynomial(x)

    shape = {"polynomial": polynomial, "wave": wave, "weighted": weighted}[kind]

    def f(x):
        record("call", requires_grad=x.requires_grad, recording=torch.is_grad_enabled())
        result = shape(x)
        watch.hang(result)
        return result

    return f


@register("pitfalls-training")
def training(
    record: Recorder, weights: list[torch.Tensor], optimizer: str, lr: float, loss: str = "mse"
):
    """A small tanh network, a loss ("mse" or "poisson") and an optimizer ("sgd", "momentum" or
    "adam").

    Records at every forward pass how many graphs, losses and predictions of earlier batches are
    still alive; reports how many graphs and losses are after the student's function returned, the
    parameters as they are then, whether all of them require grad, and whether the model is in
    training mode.
    """
    watch = Watch(record)
    losses: weakref.WeakSet[torch.Tensor] = weakref.WeakSet()
    outputs: weakref.WeakSet[torch.Tensor] = weakref.WeakSet()
    function = {
        "mse": torch.nn.functional.mse_loss,
        "poisson": torch.nn.functional.poisson_nll_loss,  # not symmetric
    }[loss]
    inner, outer = weights

    class Network(torch.nn.Module):
        """predictions = tanh(X inner) outer, without biases."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = torch.nn.Parameter(inner.clone())
            self.outer = torch.nn.Parameter(outer.clone())

        def forward(self, inputs):
            """Map (N, D) to (N, 1)."""
            graphs = watch.alive_in_passing()
            record(
                "forward",
                graphs_alive=graphs,
                losses_alive=len(losses),
                predictions_alive=len(outputs),
            )
            predictions = torch.tanh(inputs @ self.inner) @ self.outer
            watch.hang(predictions)
            outputs.add(predictions)
            return predictions

    def loss_fn(predictions, targets):
        result = function(predictions, targets)
        losses.add(result)
        return result

    model = Network()
    make = {
        "sgd": lambda p: torch.optim.SGD(p, lr=lr),
        "momentum": lambda p: torch.optim.SGD(p, lr=lr, momentum=0.9),
        "adam": lambda p: torch.optim.Adam(p, lr=lr),
    }[optimizer]

    def report():
        return {
            "graphs_alive": watch.alive(),
            "losses_alive": len(losses),
            "parameters": [p.detach().clone() for p in model.parameters()],
            "require_grad": all(p.requires_grad for p in model.parameters()),
            "training_mode": model.training,
        }

    record.report(report)
    return parts(
        model=model,
        loss_fn=loss_fn,
        optimizer=make(list(model.parameters())),
    )
