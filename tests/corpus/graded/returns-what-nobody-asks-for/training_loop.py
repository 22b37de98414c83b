# %%
import torch


# %%
def sgd_step(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
    return torch.optim.SGD(params, lr=lr)


# %%
def train_one_parameter(x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        w.grad = None
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        with torch.no_grad():
            w -= lr * w.grad
    return w.item(), history


# %%
def train(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses
