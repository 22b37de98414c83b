"""The functions, losses and heads that the checks of `backward` hand to student code."""

from __future__ import annotations

import gc
import weakref

import torch

from autograded.scenarios import Recorder, parts, register


class Shapes:
    """Notes which shapes a function was called with, each once."""

    def __init__(self) -> None:
        self.seen: list[list[int]] = []

    def note(self, tensor: torch.Tensor) -> None:
        """Remember the shape of an argument."""
        if list(tensor.shape) not in self.seen:
            self.seen.append(list(tensor.shape))


@register("backward-square")
def square(record: Recorder):
    """f(x) = x²."""

    def f(x):
        return x**2

    return f


@register("backward-polynomial")
def polynomial(record: Recorder, coefficients):
    """f(x) = Σ c_k xᵏ."""

    def f(x):
        return sum(c * x**k for k, c in enumerate(coefficients))

    return f


@register("backward-wave")
def wave(record: Recorder, height, frequency):
    """f(x) = height · sin(frequency · x) · eˣ."""

    def f(x):
        return height * torch.sin(frequency * x) * torch.exp(x)

    return f


@register("backward-branches")
def branches(record: Recorder, right, left):
    """f(x) = right · x² for x > 0 and left · x elsewhere, chosen by a Python `if`."""

    def f(x):
        if x > 0:
            return right * x**2
        return left * x

    return f


@register("backward-kink")
def kink(record: Recorder, slope, right, left, at):
    """f(x) = slope · x + right · relu(x − at) − left · relu(at − x).

    At the kink autograd takes relu′(0) = 0 twice, which leaves `slope`; the slopes to its right
    and to its left, slope + right and slope + left, and any mean of theirs are other numbers.
    Reports the shapes of what it was called with.
    """
    shapes = Shapes()
    record.report(lambda: {"shapes": shapes.seen})

    def f(x):
        shapes.note(x)
        return slope * x + right * torch.relu(x - at) - left * torch.relu(at - x)

    return f


@register("backward-watched-cube")
def watched_cube(record: Recorder, scale):
    """f(x) = scale · x³; reports whether a walk back came through."""
    seen = {"walked_back": False}

    def f(x):
        y = scale * x**3
        if y.requires_grad:
            y.register_hook(lambda gradient: seen.update(walked_back=True))
        return y

    record.report(lambda: dict(seen))
    return f


@register("backward-mixing")
def mixing(record: Recorder, matrix, shape):
    """f(x) = tanh(matrix · x), with x read as one long vector and the result put into `shape`.

    Reports whether a walk back came through, and the shapes of what it was called with: reading x
    as one vector would hide them.
    """
    shapes = Shapes()
    seen = {"walked_back": False}
    record.report(lambda: {"shapes": shapes.seen, **seen})

    def f(x):
        shapes.note(x)
        y = torch.tanh(matrix @ x.reshape(-1)).reshape(tuple(shape))
        if y.requires_grad:
            y.register_hook(lambda gradient: seen.update(walked_back=True))
        return y

    return f


@register("backward-scaling")
def scaling(record: Recorder, factor):
    """f(x) = factor · x, element by element."""

    def f(x):
        return x * factor

    return f


@register("backward-rectified")
def rectified(record: Recorder, factor):
    """f(x) = relu(factor · x), element by element; autograd takes relu′(0) = 0."""

    def f(x):
        return torch.relu(x * factor)

    return f


class Memory(bytearray):
    """Memory whose release can be seen: a plain bytearray takes no weak references."""


class Saved:
    """Knows how many graphs still hold the values they saved.

    A product with a tensor over its own `Memory` puts that tensor among the values the graph
    saves. A backward that does not retain the graph lets go of them, and so does the end of the
    graph.
    """

    def __init__(self) -> None:
        self._memories: list[weakref.ref[Memory]] = []
        self._ones = {
            dtype: bytes(torch.ones(1, dtype=dtype).view(torch.uint8).tolist())
            for dtype in (torch.float32, torch.float64)
        }

    def through(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return `tensor` times one, with the one saved in the graph."""
        memory = Memory(self._ones[tensor.dtype])
        self._memories.append(weakref.ref(memory))
        return tensor * torch.frombuffer(memory, dtype=tensor.dtype).reshape(())

    def alive(self) -> int:
        """Count the graphs that still hold what `through` saved in them."""
        return sum(memory() is not None for memory in self._memories)


class Walks:
    """Numbers the walks back in the order in which they are first seen."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def number(self) -> int:
        """The number of the walk that is going on, from 1; call it from a hook."""
        task = torch._C._current_graph_task_id()
        return self._numbers.setdefault(task, len(self._numbers) + 1)


@register("backward-mean-loss")
def mean_loss(record: Recorder, kind):
    """The mean loss of the model X · w, squared or logistic; records forward and backward.

    "forward" tells how many examples came in and how many earlier graphs are still alive then;
    "backward" tells which walk it belongs to, since one walk may come through several losses.
    """
    saved, walks = Saved(), Walks()

    def loss_of(w, X, y):
        record("forward", examples=len(X), alive=saved.alive())
        prediction = X * w if w.dim() == 0 else X @ w
        if kind == "squared":
            loss = ((prediction - y) ** 2).mean()
        elif kind == "logistic":
            loss = (torch.nn.functional.softplus(prediction) - y * prediction).mean()
        else:
            raise ValueError(f"no loss of kind {kind!r}")
        loss = saved.through(loss)
        if loss.requires_grad:
            loss.register_hook(lambda gradient: record("backward", walk=walks.number()))
        return loss

    return loss_of


@register("backward-two-heads")
def two_heads(record: Recorder, mixing, weights_a, weights_b):
    """A trunk tanh(mixing · w) with the heads Σ a h² and Σ b sin(h).

    Reports how often the trunk was called, how many of its results were walked back through, the
    shapes that it and the heads were called with, whether a walk built a graph of its own, and how
    many graphs through the trunk are alive at the end.
    """
    saved = Saved()
    w_shapes, h_shapes = Shapes(), Shapes()
    calls = 0
    walked: set[int] = set()
    recorded: set[bool] = set()

    def trunk(w):
        nonlocal calls
        calls += 1
        w_shapes.note(w)
        h = torch.tanh(saved.through(mixing @ w.reshape(-1)))
        if h.requires_grad:

            def walk(gradient, call=calls):
                walked.add(call)
                recorded.add(torch.is_grad_enabled())  # in a walk: with create_graph=True only

            h.register_hook(walk)
        return h

    def head_a(h):
        h_shapes.note(h)
        return (weights_a * h**2).sum()

    def head_b(h):
        h_shapes.note(h)
        return (weights_b * torch.sin(h)).sum()

    def report():
        if saved.alive():
            gc.collect()  # drops what nobody can reach any more; a leak of the graph itself stays
        return {
            "trunk_calls": calls,
            "trunks_walked": len(walked),
            "w_shapes": w_shapes.seen,
            "h_shapes": h_shapes.seen,
            "graph_of_gradients": True in recorded,
            "graphs_alive": saved.alive(),
        }

    record.report(report)
    return parts(trunk=trunk, head_a=head_a, head_b=head_b)


@register("backward-shifted-heads")
def shifted_heads(record: Recorder, shift, weights_a, weights_b):
    """A trunk w + shift, which saves nothing for backward, with the heads Σ a h² and Σ b h³."""

    def trunk(w):
        return w + shift

    def head_a(h):
        return (weights_a * h**2).sum()

    def head_b(h):
        return (weights_b * h**3).sum()

    return parts(trunk=trunk, head_a=head_a, head_b=head_b)
