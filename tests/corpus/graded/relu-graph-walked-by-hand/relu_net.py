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


def gradients(x, w1, w2, t):
    a = torch.tensor(float(w1), dtype=torch.float64)
    a.requires_grad = True
    b = torch.tensor(float(w2), dtype=torch.float64)
    b.requires_grad = True
    z = a * float(x)
    h = z.relu()
    y = b * h
    e = y - float(t)
    L = e**2
    g = L.grad_fn(torch.ones_like(L))
    g = e.grad_fn(g)
    g = g[0] if isinstance(g, tuple) else g
    gb, gh = y.grad_fn(g)
    gz = h.grad_fn(gh)
    ga = z.grad_fn(gz)[0]
    return ga.item(), gb.item()


# %%
import torch


def _walk(fn, g, out):
    r = fn(g)
    for (nxt, _), gi in zip(fn.next_functions, r if isinstance(r, tuple) else (r,)):
        if nxt is not None and gi is not None:
            if hasattr(nxt, "variable"):
                out[id(nxt.variable)] = gi
            else:
                _walk(nxt, gi, out)


def batch_gradients(X, W1, W2, T):
    a, b, out = torch.nn.Parameter(W1.clone()), torch.nn.Parameter(W2.clone()), {}
    loss = torch.nn.functional.mse_loss(torch.relu(X @ a) @ b, T)
    _walk(loss.grad_fn, torch.ones_like(loss), out)
    return out[id(a)].detach(), out[id(b)].detach()


# %%
def numerical_gradient(f, w, eps):
    gradient = torch.zeros_like(w)
    for i in range(w.numel()):
        step = torch.zeros_like(w)
        step.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(w + step) - f(w - step)) / (2 * eps)
    return gradient
