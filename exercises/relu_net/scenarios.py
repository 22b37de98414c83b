"""The functions that `numerical_gradient` is tried on; each records the points it is called at."""

import torch

from autograded.scenarios import Recorder, register


@register("numerical-quadratic")
def quadratic(record: Recorder, matrix: torch.Tensor, linear: torch.Tensor):
    """f(w) = ½ vᵀ·matrix·v + linear·v, where v is w as one row; central differences are exact.

    It computes in the type of the point: whoever takes the differences may do so in float64.
    """

    def f(w):
        record("call", w=w.detach().clone())
        v = w.reshape(-1)
        return v @ (matrix.to(v.dtype) @ v) / 2 + linear.to(v.dtype) @ v

    return f


@register("numerical-waves")
def waves(record: Recorder, matrix: torch.Tensor):
    """f(w) = Σ sin(matrix·v), where v is w as one row: smooth, with all entries mixed."""

    def f(w):
        record("call", w=w.detach().clone())
        return torch.sin(matrix @ w.reshape(-1)).sum()

    return f


@register("numerical-network")
def network(record: Recorder, X: torch.Tensor, W2: torch.Tensor, T: torch.Tensor):
    """f(W1) = the loss of `batch_gradients` as a function of the hidden layer's weights."""

    def f(W1):
        record("call", w=W1.detach().clone())
        return torch.nn.functional.mse_loss(torch.relu(X @ W1) @ W2, T)

    return f
