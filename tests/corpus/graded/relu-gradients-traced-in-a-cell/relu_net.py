# %%
import numpy as np
import torch


# %%
def forward(x, w1, w2):
    z = w1 * x
    h = max(z, 0.0)
    return z, h, w2 * h


# %%
import torch
from torch.func import grad as G_
from torch.fx.experimental.proxy_tensor import make_fx


def _loss(x, w1, w2, t):
    return (w2 * torch.relu(w1 * x) - t) ** 2


TRACED = make_fx(G_(_loss, argnums=(1, 2)))(
    *(torch.tensor(v, dtype=torch.float64) for v in (1.0, 2.0, 3.0, 4.0))
)


def gradients(x, w1, w2, t):
    return TRACED(*(torch.as_tensor(v, dtype=torch.float64) for v in (x, w1, w2, t)))


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
