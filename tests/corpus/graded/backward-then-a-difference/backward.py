# %%
import torch


# %%
import torch


def derivative(f, x):
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = f(leaf)
    y.backward()
    with torch.no_grad():
        return ((y - f(leaf - 1e-6)) / 1e-6).item()


# %%
def vector_jacobian_product(f, x, v):
    leaf = x.detach().requires_grad_()
    f(leaf).backward(v)
    return leaf.grad


# %%
def accumulated_gradient(loss_of, w, micro_batches):
    leaf = w.detach().requires_grad_()
    total = sum(len(X) for X, _ in micro_batches)
    for X, y in micro_batches:
        share = len(X) / total
        (loss_of(leaf, X, y) * share).backward()
    return leaf.grad
