# %%
import torch


# %%
LEAF = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)


def derivative(f, x):
    """Return df/dx at x, found with `backward()`.

    f: a function from a 0-d tensor to a 0-d tensor. x: a Python float.
    Returns a scalar: a float or a 0-d tensor.
    """
    LEAF.data.fill_(x)
    f(LEAF).backward()
    return LEAF.grad


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


# %%
def two_losses(trunk, head_a, head_b, w):
    leaf = w.detach().requires_grad_()
    hidden = trunk(leaf)
    head_a(hidden).backward(retain_graph=True)
    grad_a = leaf.grad
    leaf.grad = None  # the next backward makes a new tensor, so grad_a stays what it is
    head_b(hidden).backward()
    grad_b = leaf.grad
    return grad_a, grad_b, grad_a + grad_b
