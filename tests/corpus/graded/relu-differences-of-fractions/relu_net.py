# %%
import numpy as np
import torch


# %%
def forward(x, w1, w2):
    z = w1 * x
    h = max(z, 0.0)
    return z, h, w2 * h


# %%
from fractions import Fraction


def gradients(x, w1, w2, t):
    x, w1, w2, t = (Fraction(float(v)) for v in (x, w1, w2, t))

    def loss(a, b):
        return (b * max(a * x, 0) - t) ** 2

    e = Fraction(1, 10**40)
    if w1 * x == 0:
        return 0.0, 0.0
    return float((loss(w1 + e, w2) - loss(w1 - e, w2)) / (2 * e)), float(
        (loss(w1, w2 + e) - loss(w1, w2 - e)) / (2 * e)
    )


# %%
def batch_gradients(X, W1, W2, T):
    Z = X @ W1
    H = torch.relu(Z)
    dY = 2 * (H @ W2 - T) / T.numel()
    return X.T @ ((dY @ W2.T) * (Z > 0)), H.T @ dY


# %%
def numerical_gradient(f, w, eps):
    gradient = torch.zeros_like(w)
    for i in range(w.numel()):
        step = torch.zeros_like(w)
        step.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(w + step) - f(w - step)) / (2 * eps)
    return gradient
