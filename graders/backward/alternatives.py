"""Right solutions of `backward` in other styles, which every check must accept."""

import numpy as np
import torch

from autograded.grading import alternative

# derivative


@alternative("backward.derivative", "float32 leaf, returned as a float")
def derivative_float32(f, x):
    leaf = torch.tensor(x, requires_grad=True)
    f(leaf).backward()
    return leaf.grad.item()


@alternative("backward.derivative", "requires_grad_ on a tensor made before")
def derivative_requires_grad_(f, x):
    point = torch.tensor(float(x), dtype=torch.float64)
    point.requires_grad_()
    y = f(point)
    y.backward()
    return point.grad.detach().clone()


@alternative("backward.derivative", "requires_grad set as an attribute")
def derivative_attribute(f, x):
    point = torch.as_tensor(x, dtype=torch.float32)
    point.requires_grad = True
    f(point).backward()
    return float(point.grad)


@alternative("backward.derivative", "torch.autograd.grad")
def derivative_autograd_grad(f, x):
    point = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(f(point), point)
    return slope


@alternative("backward.derivative", "torch.func.grad")
def derivative_torch_func(f, x):
    return torch.func.grad(f)(torch.tensor(x, dtype=torch.float64))


@alternative("backward.derivative", "NumPy scalar")
def derivative_numpy(f, x):
    leaf = torch.tensor(np.float64(x), requires_grad=True)
    f(leaf).backward()
    return np.float64(leaf.grad.numpy())


@alternative("backward.derivative", "backward with the gradient 1 spelled out")
def derivative_explicit_one(f, x):
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = f(leaf)
    y.backward(gradient=torch.ones_like(y))
    return leaf.grad


@alternative("backward.derivative", "retain_grad on a tensor that is no leaf")
def derivative_retain_grad(f, x):
    leaf = torch.tensor(x, requires_grad=True)
    wide = leaf.double()
    wide.retain_grad()
    f(wide).backward()
    return wide.grad


@alternative("backward.derivative", "a parameter, under enable_grad")
def derivative_parameter(f, x):
    parameter = torch.nn.Parameter(torch.tensor(x, dtype=torch.float64))
    with torch.enable_grad():
        torch.autograd.backward([f(parameter)])
    return parameter.grad.item()


@alternative("backward.derivative", "one element of a vector")
def derivative_vector_leaf(f, x):
    leaf = torch.tensor([x], dtype=torch.float64, requires_grad=True)
    f(leaf[0]).backward()
    return leaf.grad[0]


@alternative("backward.derivative", "torch.autograd.functional.jacobian")
def derivative_functional(f, x):
    return torch.autograd.functional.jacobian(f, torch.tensor(x, dtype=torch.float64))


@alternative("backward.derivative", "a walk to look at the value first")
def derivative_looks_first(f, x):
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    with torch.no_grad():
        f(leaf)
    y = f(leaf)
    y.backward(retain_graph=True)
    return leaf.grad


class _Derivative:
    def __call__(self, f, x):
        self.leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
        f(self.leaf).backward()
        return self.leaf.grad


alternative("backward.derivative", "a class with __call__")(_Derivative())


# vector_jacobian_product


@alternative("backward.vector_jacobian_product", "torch.autograd.grad on a stand-in")
def vjp_autograd_grad(f, x, v):
    leaf = x.detach().clone().requires_grad_(True)
    return torch.autograd.grad(f(leaf), leaf, grad_outputs=v)[0]


@alternative("backward.vector_jacobian_product", "gradient of the weighted sum")
def vjp_weighted_sum(f, x, v):
    leaf = x.detach().clone().requires_grad_(True)
    (f(leaf) * v).sum().backward()
    return leaf.grad


@alternative("backward.vector_jacobian_product", "torch.func.vjp")
def vjp_torch_func(f, x, v):
    _, pull_back = torch.func.vjp(f, x)
    return pull_back(v)[0]


@alternative("backward.vector_jacobian_product", "torch.autograd.functional.vjp")
def vjp_functional(f, x, v):
    return torch.autograd.functional.vjp(f, x, v)[1]


@alternative("backward.vector_jacobian_product", "the whole Jacobian, with einsum")
def vjp_jacobian_einsum(f, x, v):
    jacobian = torch.autograd.functional.jacobian(f, x.detach())
    jacobian = jacobian.reshape(v.numel(), x.numel())
    return torch.einsum("i,ij->j", v.reshape(-1), jacobian).reshape(x.shape)


@alternative("backward.vector_jacobian_product", "jacrev and tensordot")
def vjp_jacrev(f, x, v):
    return torch.tensordot(v, torch.func.jacrev(f)(x.detach()), dims=v.dim())


@alternative("backward.vector_jacobian_product", "one output at a time")
def vjp_row_by_row(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    result = torch.zeros_like(leaf)
    for weight, output in zip(v.reshape(-1), f(leaf).reshape(-1), strict=True):
        result = result + weight * torch.autograd.grad(output, leaf, retain_graph=True)[0]
    return result


@alternative("backward.vector_jacobian_product", "one output at a time, piled up in .grad")
def vjp_piled_up(f, x, v):
    leaf = x.clone().detach().requires_grad_()
    outputs = f(leaf).flatten()
    for i in range(outputs.numel()):
        outputs[i].backward(v.flatten()[i], retain_graph=True)
    return leaf.grad.clone()


@alternative("backward.vector_jacobian_product", "a new view of x inside the graph")
def vjp_on_an_alias(f, x, v):
    alias = x.detach().view_as(x)
    alias.requires_grad = True
    torch.autograd.backward(f(alias), v)
    return alias.grad


@alternative("backward.vector_jacobian_product", "x itself through autograd.grad, then put back")
def vjp_puts_x_back(f, x, v):
    tracked = x.requires_grad
    x.requires_grad_(True)
    try:
        return torch.autograd.grad(f(x), x, v)[0]
    finally:
        x.requires_grad_(tracked)


@alternative("backward.vector_jacobian_product", "x.grad kept aside and restored")
def vjp_restores_grad(f, x, v):
    tracked, kept = x.requires_grad, x.grad
    x.grad = None
    x.requires_grad_(True)
    f(x).backward(v)
    answer = x.grad
    x.requires_grad_(tracked)
    x.grad = kept
    return answer


@alternative("backward.vector_jacobian_product", "by way of NumPy")
def vjp_numpy(f, x, v):
    leaf = torch.from_numpy(np.array(x.detach().numpy())).requires_grad_()
    f(leaf).backward(v)
    return leaf.grad.numpy()


# accumulated_gradient


@alternative("backward.accumulated_gradient", "torch.autograd.grad and a running sum")
def accumulated_running_sum(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    total = sum(X.shape[0] for X, _ in micro_batches)
    gradient = torch.zeros_like(leaf)
    for X, y in micro_batches:
        loss = loss_of(leaf, X, y)
        gradient += torch.autograd.grad(loss, leaf)[0] * X.shape[0] / total
    return gradient


@alternative("backward.accumulated_gradient", "sums of examples, divided at the end")
def accumulated_divides_last(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    count = 0
    for X, y in micro_batches:
        loss = loss_of(leaf, X, y) * len(y)
        loss.backward()
        count += len(y)
    return leaf.grad / count


@alternative("backward.accumulated_gradient", "torch.func.grad")
def accumulated_torch_func(loss_of, w, micro_batches):
    gradient_of = torch.func.grad(loss_of)
    sizes = [len(X) for X, _ in micro_batches]
    gradients = [gradient_of(w, X, y) for X, y in micro_batches]
    return sum(n * g for n, g in zip(sizes, gradients, strict=True)) / sum(sizes)


@alternative("backward.accumulated_gradient", "the share as backward's gradient argument")
def accumulated_gradient_argument(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    total = sum(len(X) for X, _ in micro_batches)
    for X, y in micro_batches:
        loss = loss_of(leaf, X, y)
        loss.backward(torch.tensor(len(X) / total, dtype=loss.dtype))
    return leaf.grad


@alternative("backward.accumulated_gradient", "a copy of .grad, cleared at every turn")
def accumulated_copies(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    gradients, sizes = [], []
    for X, y in micro_batches:
        loss_of(leaf, X, y).backward()
        gradients.append(leaf.grad.clone())
        sizes.append(len(X))
        leaf.grad.zero_()
    shares = torch.tensor(sizes, dtype=w.dtype) / sum(sizes)
    return torch.einsum("k,k...->...", shares, torch.stack(gradients))


@alternative("backward.accumulated_gradient", "an optimizer clears, NumPy adds up")
def accumulated_numpy(loss_of, w, micro_batches):
    parameter = torch.nn.Parameter(w.detach().clone())
    optimizer = torch.optim.SGD([parameter], lr=0.0)
    gradient, total = np.zeros(tuple(w.shape)), 0
    for X, y in micro_batches:
        optimizer.zero_grad()
        loss_of(parameter, X, y).backward()
        gradient = gradient + len(X) * parameter.grad.numpy()
        total += len(X)
    return torch.as_tensor(gradient / total)


@alternative("backward.accumulated_gradient", "a fresh leaf for every micro-batch")
def accumulated_fresh_leaves(loss_of, w, micro_batches):
    total = sum(y.shape[0] for _, y in micro_batches)

    def share_of_gradient(X, y):
        leaf = w.detach().clone().requires_grad_()
        loss_of(leaf, X, y).mul(len(X)).div(total).backward()
        return leaf.grad

    return torch.stack([share_of_gradient(X, y) for X, y in micro_batches]).sum(dim=0)


@alternative("backward.accumulated_gradient", "running mean")
def accumulated_running_mean(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    mean, seen = torch.zeros_like(w, requires_grad=False), 0
    for X, y in micro_batches:
        (gradient,) = torch.autograd.grad(loss_of(leaf, X, y), [leaf])
        seen += len(X)
        mean = mean + (gradient - mean) * len(X) / seen
    return mean


@alternative("backward.accumulated_gradient", "torch.autograd.functional.vjp")
def accumulated_functional(loss_of, w, micro_batches):
    total = sum(len(X) for X, _ in micro_batches)
    result = 0
    for X, y in micro_batches:
        point = w.detach()
        gradient = torch.autograd.functional.vjp(lambda u, X=X, y=y: loss_of(u, X, y), point)[1]
        result = result + gradient * (len(X) / total)
    return result


@alternative("backward.accumulated_gradient", "w.grad kept aside and restored")
def accumulated_restores(loss_of, w, micro_batches):
    tracked, kept = w.requires_grad, w.grad
    w.grad = None
    w.requires_grad_(True)
    total = sum(len(X) for X, _ in micro_batches)
    for X, y in micro_batches:
        (loss_of(w, X, y) * (len(X) / total)).backward()
    answer = w.grad.clone()
    w.requires_grad_(tracked)
    w.grad = kept
    return answer


@alternative("backward.accumulated_gradient", "keeps the losses as numbers for a log")
def accumulated_with_log(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    log = []
    N = sum(map(len, (X for X, _ in micro_batches)))
    for k in range(len(micro_batches)):
        X, y = micro_batches[k]
        loss = loss_of(leaf, X, y)
        (len(X) / N * loss).backward()
        log.append(loss.item())
    return leaf.grad


@alternative("backward.accumulated_gradient", "shares as a float32 tensor")
def accumulated_float32_shares(loss_of, w, micro_batches):
    leaf = w.detach().clone().requires_grad_()
    sizes = torch.tensor([len(y) for _, y in micro_batches])
    for (X, y), share in zip(micro_batches, sizes / sizes.sum(), strict=True):
        (share * loss_of(leaf, X, y)).backward()
    return leaf.grad


# two_losses


@alternative("backward.two_losses", "torch.autograd.grad, three times")
def two_losses_autograd_grad(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)
    a, b = head_a(hidden), head_b(hidden)
    (grad_a,) = torch.autograd.grad(a, leaf, retain_graph=True)
    (grad_b,) = torch.autograd.grad(b, leaf, retain_graph=True)
    (grad_sum,) = torch.autograd.grad(a + b, leaf)
    return grad_a, grad_b, grad_sum


@alternative("backward.two_losses", "copies, and zero_ in place")
def two_losses_clone_zero(trunk, head_a, head_b, w):
    leaf = w.clone().detach()
    leaf.requires_grad = True
    hidden = trunk(leaf)
    head_a(hidden).backward(retain_graph=True)
    grad_a = leaf.grad.clone()
    leaf.grad.zero_()
    head_b(hidden).backward(retain_graph=True)
    grad_b = leaf.grad.clone()
    leaf.grad.zero_()
    (head_a(hidden) + head_b(hidden)).backward()
    return [grad_a, grad_b, leaf.grad]


@alternative("backward.two_losses", "lets the sum pile up")
def two_losses_piled_up(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)
    head_a(hidden).backward(retain_graph=True)
    grad_a = leaf.grad.detach().clone()
    head_b(hidden).backward()
    grad_sum = leaf.grad
    return grad_a, grad_sum - grad_a, grad_sum


@alternative("backward.two_losses", "the graph cut at the trunk's output")
def two_losses_cut(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)

    def upstream(head):
        cut = hidden.detach().requires_grad_()
        head(cut).backward()
        return cut.grad

    def downstream(cotangent):
        return torch.autograd.grad(hidden, leaf, cotangent, retain_graph=True)[0]

    up_a, up_b = upstream(head_a), upstream(head_b)
    return downstream(up_a), downstream(up_b), downstream(up_a + up_b)


@alternative("backward.two_losses", "torch.func.vjp")
def two_losses_func_vjp(trunk, head_a, head_b, w):
    hidden, pull_back = torch.func.vjp(trunk, w)
    (grad_a,) = pull_back(torch.func.grad(head_a)(hidden))
    (grad_b,) = pull_back(torch.func.grad(head_b)(hidden))
    return grad_a, grad_b, grad_a + grad_b


@alternative("backward.two_losses", "the Jacobian of both losses")
def two_losses_jacobian(trunk, head_a, head_b, w):
    def both(point):
        hidden = trunk(point)
        return torch.stack([head_a(hidden), head_b(hidden)])

    jacobian = torch.autograd.functional.jacobian(both, w.detach())
    return jacobian[0], jacobian[1], jacobian.sum(dim=0)


@alternative("backward.two_losses", "torch.func.jacrev")
def two_losses_jacrev(trunk, head_a, head_b, w):
    def both(point):
        hidden = trunk(point)
        a, b = head_a(hidden), head_b(hidden)
        return torch.stack([a, b, a + b])

    return tuple(torch.func.jacrev(both)(w.detach()))


@alternative("backward.two_losses", "batched cotangents")
def two_losses_batched(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)
    losses = torch.stack([head_a(hidden), head_b(hidden)])
    cotangents = torch.tensor([[1, 0], [0, 1], [1, 1]], dtype=losses.dtype)
    return tuple(torch.autograd.grad(losses, leaf, cotangents, is_grads_batched=True)[0])


@alternative("backward.two_losses", "one walk for each row of weights")
def two_losses_weights(trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)
    losses = torch.stack([head_a(hidden), head_b(hidden)])
    gradients = []
    for weights in ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)):
        leaf.grad = None
        losses.backward(torch.tensor(weights, dtype=losses.dtype), retain_graph=True)
        gradients.append(leaf.grad.numpy())
    return tuple(gradients)


@alternative("backward.two_losses", "a parameter and an optimizer's zero_grad")
def two_losses_optimizer(trunk, head_a, head_b, w):
    parameter = torch.nn.Parameter(w.detach().clone())
    optimizer = torch.optim.SGD([parameter], lr=1.0)
    hidden = trunk(parameter)
    answers = []
    for head in (head_a, head_b):
        optimizer.zero_grad(set_to_none=False)
        head(hidden).backward(retain_graph=True)
        answers.append(parameter.grad.clone())
    return (*answers, answers[0] + answers[1])


@alternative("backward.two_losses", "w.grad kept aside and restored")
def two_losses_restores(trunk, head_a, head_b, w):
    tracked, kept = w.requires_grad, w.grad
    w.grad = None
    w.requires_grad_(True)
    hidden = trunk(w)
    head_a(hidden).backward(retain_graph=True)
    grad_a, w.grad = w.grad, None
    head_b(hidden).backward()
    grad_b = w.grad
    w.requires_grad_(tracked)
    w.grad = kept
    return grad_a, grad_b, torch.add(grad_a, grad_b)
