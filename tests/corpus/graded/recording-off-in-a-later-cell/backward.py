# %%
import torch


# %%
def derivative(f, x):
    leaf = torch.tensor(x, requires_grad=True)
    f(leaf).backward()
    return leaf.grad.item()


# %%
def vector_jacobian_product(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    f(leaf).backward(v)
    return leaf.grad


# %%
def accumulated_gradient(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    total = sum(len(X) for X, y in micro_batches)
    for X, y in micro_batches:
        (loss_of(leaf, X, y) * len(X) / total).backward()
    return leaf.grad


# %%
def two_losses(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)
    (grad_a,) = torch.autograd.grad(head_a(hidden), leaf, retain_graph=True)
    (grad_b,) = torch.autograd.grad(head_b(hidden), leaf)
    return grad_a, grad_b, grad_a + grad_b


# %%
torch.set_grad_enabled(False)
print(torch.ones(3) * 2)
