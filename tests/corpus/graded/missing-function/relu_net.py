# %%
import numpy as np
import torch


# %%
def forward(x, w1, w2):
    z = w1 * x
    h = max(z, 0.0)
    return z, h, w2 * h


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
