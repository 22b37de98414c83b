# %%
import torch

from autograded import check


# %% exercise="sgd_step"
def sgd_step(params, lr):
    """Move every parameter one step of gradient descent, in place: p ← p − lr · p.grad.

    params: list or tuple of leaf tensors of any shape; lr: the learning rate, a number.
    The parameters stay leaves that require grad, and each `.grad` stays as it is. A parameter
    whose `.grad` is None is skipped. Returns nothing.
    """
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad


# %% check="sgd_step"
check("training_loop.sgd_step")

# %% exercise="train_one_parameter"
def train_one_parameter(x, y, lr, epochs):
    """Fit y ≈ w · x by gradient descent on the mean squared error, starting at w = 0.

    x, y: lists of N numbers, or tensors of shape (N,); lr: learning rate; epochs: number of steps.
    Returns (w, history): the weight after the last step, and for every epoch one tuple
    (loss, w, grad) of plain floats, taken after backward and before the step.
    """
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        w.grad = None
        prediction = w * x
        loss = ((prediction - y) ** 2).mean()
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        with torch.no_grad():
            w -= lr * w.grad
    return w.item(), history


# %% check="train_one_parameter"
check("training_loop.train_one_parameter")

# %% exercise="train"
def train(model, loss_fn, optimizer, batches, epochs):
    for p in model.parameters():
        p.requires_grad_(True)
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            for p in model.parameters():
                p.grad = torch.zeros_like(p)
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


# %% check="train"
check("training_loop.train")
