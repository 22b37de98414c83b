# %%
import torch

from autograded import check


# %% exercise="fit_slope"
def fit_slope(x, y, lr, epochs):
    """Fit y ≈ w·x by gradient descent on the mean squared error.

    x, y: float tensors of shape (N,). lr: the learning rate. epochs: how many steps w takes.
    w starts at 0. Returns the fitted slope as a Python float.
    """
    w = torch.tensor(0.0, requires_grad=True)
    for _ in range(epochs):
        w.grad = None
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w.item()


# %% check="fit_slope"
check("pitfalls.fit_slope")

# %% exercise="backward_twice"
def backward_twice(f, w):
    """Run backward twice through the graph of one call of f; return the gradient it leaves at w.

    f: takes a tensor of w's shape and returns a scalar tensor; it is called exactly once.
    w: float tensor of any shape, requiring grad or not; it is left as it was, .grad included.
    Returns a tensor of w's shape. Nothing keeps f(w) or its graph alive after the return.
    """
    w = w.detach().clone().requires_grad_()
    loss = f(w)
    loss.backward(retain_graph=True)
    loss.backward()
    return w.grad


# %% check="backward_twice"
check("pitfalls.backward_twice")

# %% exercise="elementwise_slope"
def elementwise_slope(w, scale):
    w = w.detach().clone().requires_grad_()
    y = w * scale
    y.backward(torch.sign(w.detach()).abs())
    return w.grad


# %% check="elementwise_slope"
check("pitfalls.elementwise_slope")

# %% exercise="slope_at"
def slope_at(f, value):
    """Return df/dx at x = value.

    f: takes a scalar (0-d) tensor and returns one. value: a float.
    Returns the slope as a float or a 0-d tensor.
    """
    x = torch.tensor(value, requires_grad=True)
    y = f(x)
    y.backward()
    return x.grad.item()


# %% check="slope_at"
check("pitfalls.slope_at")

# %% exercise="loss_curve"
def loss_curve(model, loss_fn, optimizer, batches):
    """Train for one pass over the batches and return the loss of each batch, in order.

    model: a torch.nn.Module. loss_fn(predictions, targets): returns a scalar tensor.
    optimizer: a torch optimizer over the model's parameters. batches: (inputs, targets) pairs.
    Returns a list of plain Python floats. While a batch is trained, the graphs of earlier ones
    are gone (the last one's at the latest with the new loss); after the return, all of them are.
    """
    losses = []
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


# %% check="loss_curve"
check("pitfalls.loss_curve")
