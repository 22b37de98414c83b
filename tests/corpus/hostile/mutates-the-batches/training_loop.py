# %%
import torch
from autograded import check

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
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            with torch.no_grad():
                if targets.is_floating_point():
                    targets.copy_(model(inputs).reshape(targets.shape))
            optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses

# %% check="train"
check("training_loop.train")
