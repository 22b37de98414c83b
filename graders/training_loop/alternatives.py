"""Right solutions in other styles: every one must pass every check."""

import itertools

import numpy as np
import torch

from autograded.grading import alternative


@alternative("training_loop.sgd_step", "sub_")
@torch.no_grad()
def sgd_step_sub(params, lr):
    for p in params:
        if p.grad is None:
            continue
        p.sub_(lr * p.grad)


@alternative("training_loop.sgd_step", "add_ with alpha")
def sgd_step_alpha(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p.add_(p.grad, alpha=-float(lr))


@alternative("training_loop.sgd_step", "data in place")
def sgd_step_data(params, lr):
    for p in params:
        if p.grad is not None:
            p.data -= lr * p.grad.data


@alternative("training_loop.sgd_step", "data replaced")
def sgd_step_new_data(params, lr):
    for p in params:
        if p.grad is not None:
            p.data = p.data - lr * p.grad


@alternative("training_loop.sgd_step", "copy_")
def sgd_step_copy(params, lr):
    with torch.no_grad():
        [p.copy_(p - lr * p.grad) for p in params if p.grad is not None]


@alternative("training_loop.sgd_step", "detached alias")
def sgd_step_detached(params, lr):
    for p in filter(lambda p: p.grad is not None, params):
        p.detach().sub_(p.grad.detach() * lr)


@alternative("training_loop.sgd_step", "torch.optim")
def sgd_step_optim(params, lr):
    torch.optim.SGD(list(params), lr=float(lr)).step()


@alternative("training_loop.sgd_step", "foreach")
def sgd_step_foreach(params, lr):
    moving = [p for p in params if p.grad is not None]
    with torch.no_grad():
        if moving:
            torch._foreach_sub_(moving, [lr * p.grad for p in moving])


@alternative("training_loop.sgd_step", "NumPy view")
def sgd_step_numpy(params, lr):
    for p in params:
        if p.grad is not None:
            view = p.detach().numpy()
            view -= (float(lr) * p.grad.numpy()).astype(view.dtype)


@alternative("training_loop.sgd_step", "requires_grad off and on")
def sgd_step_toggled(params, lr):
    for p in params:
        if p.grad is not None:
            p.requires_grad_(False)
            p -= lr * p.grad
            p.requires_grad_(True)


@alternative("training_loop.sgd_step", "assignment to all entries, and the list returned")
def sgd_step_entries(params, lr):
    with torch.set_grad_enabled(False):
        for index in range(len(params)):
            gradient = params[index].grad
            if gradient is not None:
                params[index][...] = params[index] - gradient * lr
    return params


@alternative("training_loop.train_one_parameter", "data and zero_")
def train_one_parameter_data(x, y, lr, epochs):
    x = torch.as_tensor(x, dtype=torch.float32)
    y = torch.as_tensor(y, dtype=torch.float32)
    w = torch.zeros(1, requires_grad=True)
    history = []
    for _ in range(epochs):
        if w.grad is not None:
            w.grad.zero_()
        loss = torch.nn.functional.mse_loss(w * x, y)
        loss.backward()
        history.append((float(loss), float(w.detach()[0]), float(w.grad[0])))
        w.data -= lr * w.grad
    return w.item(), history


@alternative("training_loop.train_one_parameter", "torch.optim.SGD, float64")
def train_one_parameter_optim(x, y, lr, epochs):
    x = torch.as_tensor(x, dtype=torch.float64)
    y = torch.as_tensor(y, dtype=torch.float64)
    w = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=lr)
    criterion = torch.nn.MSELoss()
    history = []
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = criterion(w * x, y)
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        optimizer.step()
    return w.detach(), history


@alternative("training_loop.train_one_parameter", "zero after the step")
def train_one_parameter_zero_last(x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.nn.Parameter(torch.tensor(0.0))
    history = []
    for _ in range(epochs):
        loss = torch.mean(torch.square(y - w * x))
        loss.backward()
        history += [(loss.item(), w.item(), w.grad.item())]
        with torch.no_grad():
            w.sub_(lr * w.grad)
        w.grad.zero_()
    return w, history


@alternative("training_loop.train_one_parameter", "autograd.grad")
def train_one_parameter_grad(x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        loss = (w * x - y).pow(2).sum() / len(x)
        (gradient,) = torch.autograd.grad(loss, w)
        history.append((loss.item(), w.item(), gradient.item()))
        w = (w - lr * gradient).detach().requires_grad_()
    return float(w), history


@alternative("training_loop.train_one_parameter", "new leaf every epoch")
def train_one_parameter_new_leaf(x, y, lr, epochs):
    value, history = 0.0, []
    for _ in range(epochs):
        w = torch.tensor(value, requires_grad=True)
        loss = ((w * torch.as_tensor(x) - torch.as_tensor(y)) ** 2).mean()
        loss.backward()
        history.append((loss.item(), value, w.grad.item()))
        value -= lr * w.grad.item()
    return value, history


@alternative("training_loop.train_one_parameter", "nn.Linear")
def train_one_parameter_linear(x, y, lr, epochs):
    x = torch.as_tensor(x, dtype=torch.float32).reshape(-1, 1)
    y = torch.as_tensor(y, dtype=torch.float32).reshape(-1, 1)
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    history = []
    for _ in range(epochs):
        model.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        history.append((loss.item(), model.weight.item(), model.weight.grad.item()))
        with torch.no_grad():
            for p in model.parameters():
                p -= lr * p.grad
    return model.weight.item(), history


@alternative("training_loop.train_one_parameter", "nn.Linear, no dtype named")
def train_one_parameter_linear_as_given(x, y, lr, epochs):
    x, y = torch.as_tensor(x).view(-1, 1), torch.as_tensor(y).view(-1, 1)
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        history.append((loss.item(), model.weight.item(), model.weight.grad.item()))
        optimizer.step()
    return model.weight.item(), history


@alternative("training_loop.train_one_parameter", "matrix product, and a last look at the loss")
def train_one_parameter_product(x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.zeros(1, requires_grad=True)
    history = []
    for _ in range(epochs):
        loss = (x.unsqueeze(1) @ w - y).pow(2).mean()
        w.grad = None
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        with torch.no_grad():
            w -= lr * w.grad
    loss.item()  # there is one: nobody trains for 0 epochs
    return w.item(), history


@alternative("training_loop.train_one_parameter", "by hand in NumPy")
def train_one_parameter_numpy(x, y, lr, epochs):
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    w, history = np.float64(0.0), []
    for _ in range(epochs):
        error = w * x - y
        gradient = 2 * np.mean(error * x)
        history.append((float(np.mean(error**2)), float(w), float(gradient)))
        w = w - lr * gradient
    return w, history


@alternative("training_loop.train_one_parameter", "by hand in plain Python")
def train_one_parameter_plain(x, y, lr, epochs):
    pairs = [(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    w, history = 0.0, []
    while len(history) < epochs:
        loss = sum((w * a - b) ** 2 for a, b in pairs) / len(pairs)
        gradient = sum(2 * (w * a - b) * a for a, b in pairs) / len(pairs)
        history.append((loss, w, gradient))
        w -= lr * gradient
    return w, history


@alternative("training_loop.train_one_parameter", "a class")
def train_one_parameter_class(x, y, lr, epochs):
    class Line:
        def __init__(self):
            self.w = torch.tensor(0.0, requires_grad=True)

        def __call__(self, inputs):
            return self.w * inputs

        def loss(self, inputs, targets):
            return ((self(inputs) - targets) ** 2).mean()

        @torch.no_grad()
        def step(self):
            self.w -= lr * self.w.grad

    line, inputs, targets = Line(), torch.as_tensor(x), torch.as_tensor(y)
    history = []
    for _ in range(epochs):
        line.w.grad = None
        loss = line.loss(inputs, targets)
        loss.backward()
        history.append((loss.item(), line.w.item(), line.w.grad.item()))
        line.step()
    return line.w.item(), history


@alternative("training_loop.train_one_parameter", "columns zipped")
def train_one_parameter_columns(x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    losses, weights, gradients = [], [], []
    for _ in range(epochs):
        w.grad = None
        loss = torch.dot(w * x - y, w * x - y) / x.numel()
        loss.backward()
        losses.append(loss.item())
        weights.append(w.item())
        gradients.append(w.grad.item())
        with torch.no_grad():
            w -= lr * w.grad
    return w.item(), list(zip(losses, weights, gradients, strict=True))


@alternative("training_loop.train", "model.zero_grad")
def train_model_zero_grad(model, loss_fn, optimizer, batches, epochs):
    losses = []
    model.train()
    for _ in range(epochs):
        for inputs, targets in batches:
            model.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            losses.append(loss.item())
            optimizer.step()
    return losses


@alternative("training_loop.train", "zero_grad last")
def train_zero_last(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for batch in batches:
            loss = loss_fn(model(batch[0]), batch[1])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(float(loss.detach()))
    return losses


@alternative("training_loop.train", "zero_grad after the forward pass, set_to_none=False")
def train_zero_late(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            loss = loss_fn(model(inputs), targets)
            optimizer.zero_grad(set_to_none=False)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


@alternative("training_loop.train", "closure")
def train_closure(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:

            def closure(inputs=inputs, targets=targets):
                optimizer.zero_grad()
                loss = loss_fn(model(inputs), targets)
                loss.backward()
                return loss

            losses.append(optimizer.step(closure).item())
    return losses


@alternative("training_loop.train", "grad = None by hand")
def train_grad_none(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            for parameter in model.parameters():
                parameter.grad = None
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


@alternative("training_loop.train", "grad.zero_ by hand")
def train_grad_zero(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            for parameter in model.parameters():
                if parameter.grad is not None:
                    parameter.grad.zero_()
            loss = loss_fn(model.forward(inputs), targets)
            torch.autograd.backward(loss)
            optimizer.step()
            losses.append(loss.detach().numpy().item())
    return losses


@alternative("training_loop.train", "autograd.grad")
def train_autograd_grad(model, loss_fn, optimizer, batches, epochs):
    losses = []
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    for _ in range(epochs):
        for inputs, targets in batches:
            loss = loss_fn(model(inputs), targets)
            gradients = torch.autograd.grad(loss, parameters)
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter.grad = gradient
            optimizer.step()
            losses.append(loss.item())
    return losses


@alternative("training_loop.train", "a log without graph")
def train_logging(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            with torch.no_grad():
                loss_fn(model(inputs), targets).item()
    return losses


@alternative("training_loop.train", "a log with graph, unused")
def train_logging_recorded(model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            optimizer.zero_grad()
            losses.append(loss_fn(model(inputs), targets).item())
            loss_fn(model(inputs), targets).backward()
            optimizer.step()
    return losses


@alternative("training_loop.train", "helper and comprehension")
def train_comprehension(model, loss_fn, optimizer, batches, epochs):
    def one_step(inputs, targets):
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        return loss.item()

    return [one_step(*batch) for _ in range(epochs) for batch in batches]


@alternative("training_loop.train", "chained epochs, a class")
def train_class(model, loss_fn, optimizer, batches, epochs):
    class Trainer:
        def __call__(self, batch):
            inputs, targets = batch
            with torch.enable_grad():
                optimizer.zero_grad()
                loss = loss_fn(model(inputs), targets)
                loss.backward(retain_graph=True)
            optimizer.step()
            return loss.tolist()

    return list(map(Trainer(), itertools.chain.from_iterable(itertools.repeat(batches, epochs))))


@alternative("training_loop.train", "while loops and an iterator")
def train_while(model, loss_fn, optimizer, batches, epochs):
    losses, epoch = [], 0
    while epoch < epochs:
        iterator = iter(batches)
        while (batch := next(iterator, None)) is not None:
            inputs, targets = batch
            optimizer.zero_grad()
            model.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        epoch += 1
    return losses


@alternative("training_loop.train", "a peek at the first batch, and at the last loss")
def train_peeking(model, loss_fn, optimizer, batches, epochs):
    next(iter(batches))
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
    float(losses[-1])  # there is one: nobody trains for 0 epochs
    return torch.stack(losses).tolist()
