# %%
import torch


# %%
def forward(x, w1, w2):
    w1 * x


# %%
print("x" * 3_000_000)


def gradients(x, w1, w2, t):
    z = w1 * x
    h = max(z, 0.0)
    dy = w2 * h - t
    return (dy * w2 * x if z > 0 else 0.0), dy * h


# %%
def batch_gradients(X, W1, W2, T):
    return torch.zeros(3).to_sparse()


# %%
def numerical_gradient(f, w, eps)
    return w
