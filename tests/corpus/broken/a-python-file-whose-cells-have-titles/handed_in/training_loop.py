# %% what is inactive, what active
import torch

from autograded import check

# %% what is inactive, what active
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

# %% what is inactive, what active
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

# %% what is inactive, what active
def train(model, loss_fn, optimizer, batches, epochs):
    """Train `model` with the five steps: zero_grad, forward, loss, backward, step.

    model: a torch.nn.Module; loss_fn(predictions, targets): a scalar tensor; optimizer: any
    torch.optim optimizer over the model's parameters; batches: (inputs, targets) pairs, looped
    over once an epoch.
    Returns the losses: one plain float for each optimizer step, in order. Only parameters move:
    which of them require grad, the model's mode and the batches stay as they were.
    """
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            optimizer.zero_grad()
            predictions = model(inputs)
            loss = loss_fn(predictions, targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses
