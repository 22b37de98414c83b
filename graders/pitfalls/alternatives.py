"""Right ways to mend the five functions that look unlike the solution."""

import itertools

import numpy as np
import torch

from autograded.grading import alternative


def fresh_leaf(w):
    return w.detach().clone().requires_grad_()


@alternative("pitfalls.fit_slope", "zero-after-the-update")
def slope_zero_after(x, y, lr, epochs):
    w = torch.tensor(0.0, requires_grad=True)
    for _ in range(epochs):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
        w.grad.zero_()
    return w.item()


@alternative("pitfalls.fit_slope", "zero-when-there-is-one")
def slope_zero_when_there(x, y, lr, epochs):
    w = torch.zeros(1, requires_grad=True)
    for _ in range(epochs):
        if w.grad is not None:
            w.grad.zero_()
        torch.nn.functional.mse_loss(x * w, y).backward()
        w.data.sub_(lr * w.grad)
    return float(w)


@alternative("pitfalls.fit_slope", "optimizer")
def slope_optimizer(x, y, lr, epochs):
    w = torch.nn.Parameter(torch.zeros(()))
    optimizer = torch.optim.SGD([w], lr=lr)
    for _ in range(epochs):
        optimizer.zero_grad(set_to_none=False)
        torch.mean((w * x - y) ** 2).backward()
        optimizer.step()
    return w.detach()


@alternative("pitfalls.fit_slope", "autograd-grad")
def slope_autograd_grad(x, y, lr, epochs):
    w = torch.tensor(0.0)
    for _ in range(epochs):
        w.requires_grad_()
        (gradient,) = torch.autograd.grad(((w * x - y) ** 2).mean(), w)
        w = (w - lr * gradient).detach()
    return w.item()


@alternative("pitfalls.fit_slope", "new-leaf-each-epoch")
def slope_new_leaf(x, y, lr, epochs):
    value = 0.0
    for _ in range(epochs):
        w = torch.tensor(value, dtype=torch.float64, requires_grad=True)
        ((w * x.double() - y.double()) ** 2).mean().backward()
        value -= lr * w.grad.item()
    return value


@alternative("pitfalls.fit_slope", "linear-module")
def slope_linear_module(x, y, lr, epochs):
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    for _ in range(epochs):
        model.zero_grad()
        torch.nn.MSELoss()(model(x[:, None]).squeeze(1), y).backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= lr * parameter.grad
    return model.weight.item()


@alternative("pitfalls.fit_slope", "torch-func")
def slope_torch_func(x, y, lr, epochs):
    gradient = torch.func.grad(lambda w: ((w * x - y) ** 2).mean())
    w = torch.tensor(0.0)
    for _ in range(epochs):
        w = w - lr * gradient(w)
    return w


@alternative("pitfalls.fit_slope", "by-hand")
def slope_by_hand(x, y, lr, epochs):
    x, y, w = x.numpy().astype(np.float64), y.numpy().astype(np.float64), 0.0
    for _ in range(epochs):
        w -= lr * np.mean(2 * (w * x - y) * x)
    return w


@alternative("pitfalls.fit_slope", "difference-of-sums")
def slope_difference_of_sums(x, y, lr, epochs):
    w, before = torch.tensor(0.0, requires_grad=True), 0.0
    for _ in range(epochs):
        ((w * x - y) ** 2).mean().backward()
        total = w.grad.clone()
        with torch.no_grad():
            w -= lr * (total - before)
        before = total
    return w.item()


@alternative("pitfalls.backward_twice", "keep-on-both")
def twice_keep_on_both(f, w):
    w = fresh_leaf(w)
    loss = f(w)
    loss.backward(retain_graph=True)
    loss.backward(retain_graph=True)
    return w.grad


@alternative("pitfalls.backward_twice", "loop")
def twice_loop(f, w):
    leaf = torch.empty_like(w).copy_(w.detach()).requires_grad_(True)
    result = f(leaf)
    for keep in (True, False):
        result.backward(retain_graph=keep)
    return leaf.grad.detach()


@alternative("pitfalls.backward_twice", "autograd-grad")
def twice_autograd_grad(f, w):
    w = fresh_leaf(w)
    loss = f(w)
    (first,) = torch.autograd.grad(loss, w, retain_graph=True)
    (second,) = torch.autograd.grad(loss, w)
    return first + second


@alternative("pitfalls.backward_twice", "autograd-backward")
def twice_autograd_backward(f, w):
    w = torch.nn.Parameter(w.detach().clone())
    loss = f(w)
    torch.autograd.backward([loss], retain_graph=True)
    torch.autograd.backward([loss])
    return w.grad.clone()


@alternative("pitfalls.backward_twice", "clones-added")
def twice_clones_added(f, w):
    w = fresh_leaf(w)
    loss = f(w)
    loss.backward(retain_graph=True)
    first = w.grad.clone()
    w.grad = None
    loss.backward()
    return (first + w.grad).numpy()


@alternative("pitfalls.backward_twice", "explicit-start")
def twice_explicit_start(f, w):
    w = w.detach().clone()
    w.requires_grad = True
    loss = f(w)
    one = torch.ones_like(loss)
    loss.backward(gradient=one, retain_graph=True)
    loss.backward(gradient=one)
    del loss
    return w.grad


@alternative("pitfalls.backward_twice", "vjp")
def twice_vjp(f, w):
    value, pull = torch.func.vjp(f, w.detach())
    return pull(torch.ones_like(value))[0] + pull(torch.ones_like(value))[0]


@alternative("pitfalls.backward_twice", "object")
class TwiceObject:
    """A class whose making is the call; the reference cycle is garbage once it has answered."""

    def __new__(cls, f, w):
        self = super().__new__(cls)
        self.me, self.leaf = self, fresh_leaf(w)
        self.loss = f(self.leaf)
        self.run(keep=True)
        self.run(keep=False)
        return self.leaf.grad

    def run(self, keep):
        self.loss.backward(retain_graph=keep)


@alternative("pitfalls.backward_twice", "clone-of-the-loss")
def twice_clone_of_loss(f, w):
    w = fresh_leaf(w)
    loss = f(w)
    loss.clone().backward(retain_graph=True)
    (1.0 * loss).backward()
    return w.grad


@alternative("pitfalls.elementwise_slope", "gradient-of-ones")
def elements_gradient(w, scale):
    w = fresh_leaf(w)
    y = w * scale
    y.backward(gradient=torch.ones_like(y))
    return w.grad


@alternative("pitfalls.elementwise_slope", "autograd-grad")
def elements_autograd_grad(w, scale):
    w = fresh_leaf(w)
    y = w * scale
    return torch.autograd.grad(y, w, grad_outputs=torch.ones(y.shape, dtype=y.dtype))[0]


@alternative("pitfalls.elementwise_slope", "mean-times-count")
def elements_mean_times_count(w, scale):
    w = fresh_leaf(w)
    ((w * scale).mean() * w.numel()).backward()
    return w.grad


@alternative("pitfalls.elementwise_slope", "one-element-at-a-time")
def elements_loop(w, scale):
    w = fresh_leaf(w)
    y = w * scale
    for index in itertools.product(*map(range, w.shape)):
        y[index].backward(retain_graph=True)
    return w.grad


@alternative("pitfalls.elementwise_slope", "diagonal-of-jacobian")
def elements_jacobian(w, scale):
    jacobian = torch.autograd.functional.jacobian(lambda v: v * scale, w.detach().flatten())
    return torch.diag(jacobian).view_as(w)


@alternative("pitfalls.elementwise_slope", "vmap-of-grad")
def elements_vmap(w, scale):
    slopes = torch.func.vmap(torch.func.grad(lambda v: v * scale))(w.detach().reshape(-1))
    return slopes.reshape(w.shape)


@alternative("pitfalls.elementwise_slope", "einsum")
def elements_einsum(w, scale):
    w = fresh_leaf(w)
    y = (w * scale).reshape(-1)
    torch.einsum("i,i->", y, torch.ones_like(y)).backward()
    return w.grad


@alternative("pitfalls.elementwise_slope", "float64-inside")
def elements_float64(w, scale):
    leaf = w.detach().double().requires_grad_()
    (leaf * scale).sum().backward()
    return leaf.grad.to(w.dtype)


@alternative("pitfalls.elementwise_slope", "constant")
def elements_constant(w, scale):
    return np.full(tuple(w.shape), float(scale))


@alternative("pitfalls.elementwise_slope", "forward-mode")
def elements_forward_mode(w, scale):
    w = w.detach()
    return torch.func.jvp(lambda v: v * scale, (w,), (torch.ones_like(w),))[1]


@alternative("pitfalls.slope_at", "requires-grad-afterwards")
def slope_requires_grad_afterwards(f, value):
    x = torch.tensor(value)
    x.requires_grad_()
    f(x).backward()
    return x.grad


@alternative("pitfalls.slope_at", "float64")
def slope_float64(f, value):
    x = torch.tensor(value, dtype=torch.float64, requires_grad=True)
    f(x).backward()
    return float(x.grad)


@alternative("pitfalls.slope_at", "autograd-grad")
def slope_autograd(f, value):
    x = torch.tensor(float(value), requires_grad=True)
    (slope,) = torch.autograd.grad(f(x), x)
    return slope.numpy()[()]


@alternative("pitfalls.slope_at", "torch-func")
def slope_func(f, value):
    return torch.func.grad(f)(torch.tensor(value))


@alternative("pitfalls.slope_at", "forward-mode")
def slope_forward_mode(f, value):
    x = torch.tensor(value)
    return torch.func.jvp(f, (x,), (torch.ones_like(x),))[1].item()


@alternative("pitfalls.slope_at", "jacobian")
def slope_jacobian(f, value):
    return torch.autograd.functional.jacobian(f, torch.tensor(value, dtype=torch.float64))


@alternative("pitfalls.slope_at", "enable-grad")
def slope_enable_grad(f, value):
    with torch.no_grad():
        x = torch.nn.Parameter(torch.tensor(value))
        with torch.enable_grad():
            y = f(x)
        y.backward()
    return x.grad.detach()


@alternative("pitfalls.slope_at", "object")
class SlopeObject:
    """The answer as a class whose instances are never seen: making one returns the slope."""

    def __new__(cls, f, value):
        x = torch.full((), value, requires_grad=True)
        f(x).backward(gradient=torch.tensor(1.0))
        return x.grad.item()


def one_step(model, loss_fn, optimizer, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return float(loss)


@alternative("pitfalls.loss_curve", "helper-and-comprehension")
def curve_helper(model, loss_fn, optimizer, batches):
    return [one_step(model, loss_fn, optimizer, x, t) for x, t in batches]


@alternative("pitfalls.loss_curve", "generator")
def curve_generator(model, loss_fn, optimizer, batches):
    def losses():
        for inputs, targets in batches:
            yield one_step(model, loss_fn, optimizer, inputs, targets)

    return list(losses())


@alternative("pitfalls.loss_curve", "item-before-backward")
def curve_item_before_backward(model, loss_fn, optimizer, batches):
    curve = []
    for batch in batches:
        optimizer.zero_grad(set_to_none=True)
        prediction = model(batch[0])
        loss = loss_fn(prediction, batch[1])
        curve += [loss.item()]
        loss.backward()
        optimizer.step()
    return curve


@alternative("pitfalls.loss_curve", "detached-then-converted")
def curve_detached(model, loss_fn, optimizer, batches):
    kept = []
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        kept.append(loss.detach())
    return torch.stack(kept).tolist()


@alternative("pitfalls.loss_curve", "tolist")
def curve_tolist(model, loss_fn, optimizer, batches):
    losses = []
    for inputs, targets in batches:
        for parameter in model.parameters():
            parameter.grad = None
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.tolist())
        del loss
    return losses


@alternative("pitfalls.loss_curve", "numpy-record")
def curve_numpy(model, loss_fn, optimizer, batches):
    losses = np.zeros(len(batches))
    for index, (inputs, targets) in enumerate(batches):
        losses[index] = one_step(model, loss_fn, optimizer, inputs, targets)
    return losses.tolist()


@alternative("pitfalls.loss_curve", "closure")
def curve_closure(model, loss_fn, optimizer, batches):
    losses = []
    for inputs, targets in batches:

        def closure(inputs=inputs, targets=targets):
            optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            return loss

        losses.append(optimizer.step(closure).item())
    return losses


@alternative("pitfalls.loss_curve", "looks-back-one-loss")
def curve_looks_back(model, loss_fn, optimizer, batches):
    losses, previous, worse = [], None, 0
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        worse += previous is not None and bool(loss > previous)
        previous = loss
        losses.append(loss.item())
    return losses


@alternative("pitfalls.loss_curve", "zero-grad-last")
def curve_zero_grad_last(model, loss_fn, optimizer, batches):
    losses = []
    model.zero_grad()
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach().numpy()))
        model.zero_grad()
    return losses
