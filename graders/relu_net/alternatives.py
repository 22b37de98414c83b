"""Right answers to `relu_net` in other styles: every one must pass every check."""

import math

import numpy as np
import torch

from autograded.grading import alternative


@alternative("relu_net.forward", "conditional")
def forward_conditional(x, w1, w2):
    z = x * w1
    h = z if z > 0 else 0
    return z, h, h * w2


@alternative("relu_net.forward", "product with a comparison")
def forward_comparison(x, w1, w2):
    z = w1 * x
    h = z * (z > 0)
    return z, h, w2 * h


@alternative("relu_net.forward", "torch.relu in float32")
def forward_float32(x, w1, w2):
    z = torch.as_tensor(w1, dtype=torch.float32) * x
    h = torch.relu(z)
    return z, h, w2 * h


@alternative("relu_net.forward", "float32 handed back as Python floats")
def forward_items(x, w1, w2):
    z = torch.tensor(float(w1)) * torch.tensor(float(x))
    h = torch.relu(z)
    return z.item(), h.item(), (float(w2) * h).item()


@alternative("relu_net.forward", "clamp in float64")
def forward_clamp(x, w1, w2):
    x, w1, w2 = (torch.as_tensor(value, dtype=torch.float64) for value in (x, w1, w2))
    z = w1 * x
    h = z.clamp(min=0)
    return z, h, w2 * h


@alternative("relu_net.forward", "torch.where")
def forward_where(x, w1, w2):
    z = torch.as_tensor(w1 * x)
    h = torch.where(z > 0, z, torch.zeros_like(z))
    return z, h, w2 * h


@alternative("relu_net.forward", "NumPy scalars")
def forward_numpy(x, w1, w2):
    z = np.float64(float(w1)) * float(x)
    h = np.maximum(z, 0.0)
    return z, h, h * float(w2)


@alternative("relu_net.forward", "absolute value, as a list")
def forward_absolute(x, w1, w2):
    z = w1 * x
    h = (z + abs(z)) / 2
    return [z, h, w2 * h]


class _Forward:
    def __call__(self, x, w1, w2):
        z = w1 * x
        h = self.relu(z)
        return z, h, w2 * h

    def relu(self, z):
        return max(0, z)


forward_class = alternative("relu_net.forward", "class with __call__")(_Forward())


@alternative("relu_net.gradients", "one formula each")
def gradients_formulas(x, w1, w2, t):
    h = max(w1 * x, 0)
    error = w2 * h - t
    return 2 * error * w2 * x * (w1 * x > 0), 2 * error * h


@alternative("relu_net.gradients", "early return")
def gradients_early_return(x, w1, w2, t):
    z = w1 * x
    if z <= 0:
        return 0, 0
    slope = 2 * (z * w2 - t)
    return slope * w2 * x, slope * z


@alternative("relu_net.gradients", "power and minus")
def gradients_minus(x, w1, w2, t):
    z = x * w1
    gate = float(z > 0)
    residual = t - w2 * z * gate
    return -2 * residual * gate * w2 * x, -2 * residual * gate * z


@alternative("relu_net.gradients", "float32 tensors")
def gradients_float32(x, w1, w2, t):
    x, w1, w2, t = (torch.as_tensor(v, dtype=torch.float32) for v in (x, w1, w2, t))
    z = w1 * x
    h = z.relu()
    dy = 2 * (w2 * h - t)
    return dy * w2 * (z > 0).float() * x, dy * h


@alternative("relu_net.gradients", "float32 handed back as Python floats")
def gradients_items(x, w1, w2, t):
    dw1, dw2 = gradients_float32(float(x), float(w1), float(w2), float(t))
    return dw1.item(), dw2.item()


@alternative("relu_net.gradients", "torch.where in float64")
def gradients_where(x, w1, w2, t):
    x, w1, w2, t = (torch.as_tensor(v, dtype=torch.float64) for v in (x, w1, w2, t))
    z = x * w1
    h = z.clamp_min(0)
    dh = 2 * (w2 * h - t) * w2
    return torch.where(z > 0, dh, 0.0) * x, 2 * (w2 * h - t) * h


@alternative("relu_net.gradients", "NumPy scalars")
def gradients_numpy(x, w1, w2, t):
    x, w1, w2, t = np.array([float(v) for v in (x, w1, w2, t)])
    z = w1 * x
    h = np.maximum(z, 0)
    dy = 2 * (w2 * h - t)
    return dy * w2 * np.heaviside(z, 0.0) * x, dy * h


@alternative("relu_net.gradients", "as a batch of one")
def gradients_matrices(x, w1, w2, t):
    X, W1, W2, T = (torch.as_tensor(v, dtype=torch.float64).reshape(1, 1) for v in (x, w1, w2, t))
    dW1, dW2 = batch_matrices(X, W1, W2, T)
    return dW1.squeeze(), dW2.squeeze()


@alternative("relu_net.gradients", "product of a list")
def gradients_product(x, w1, w2, t):
    h = max(0.0, float(w1) * float(x))
    to_y = 2.0 * (float(w2) * h - float(t))
    gate = 1.0 if h > 0 else 0.0
    return [math.prod([to_y, float(w2), gate, float(x)]), math.prod([to_y, h])]


class _Gradients:
    def __call__(self, x, w1, w2, t):
        self.values = {"x": x, "z": w1 * x, "h": max(w1 * x, 0.0)}
        upstream = 2 * (w2 * self.values["h"] - t)
        return self.back_through_relu(upstream * w2) * x, upstream * self.values["h"]

    def back_through_relu(self, upstream):
        return upstream if self.values["h"] > 0 else 0.0 * upstream


gradients_class = alternative("relu_net.gradients", "class with __call__")(_Gradients())


@alternative("relu_net.batch_gradients", "matrix products, boolean gate")
def batch_matrices(X, W1, W2, T):
    hidden = (X @ W1).clamp(min=0)
    error = 2 / T.numel() * (hidden @ W2 - T)
    return X.t() @ (error @ W2.t() * (hidden > 0)), hidden.t() @ error


@alternative("relu_net.batch_gradients", "einsum and torch.where")
def batch_einsum(X, W1, W2, T):
    Z = torch.einsum("nd,dh->nh", X, W1)
    A = torch.where(Z > 0, Z, 0.0)
    dY = 2 * (torch.einsum("nh,ho->no", A, W2) - T) / (T.shape[0] * T.shape[1])
    dA = torch.einsum("no,ho->nh", dY, W2)
    dZ = torch.where(Z > 0, dA, torch.zeros_like(dA))
    return torch.einsum("nd,nh->dh", X, dZ), torch.einsum("nh,no->ho", A, dY)


@alternative("relu_net.batch_gradients", "loop over the examples")
def batch_examples(X, W1, W2, T):
    dW1, dW2 = torch.zeros_like(W1), torch.zeros_like(W2)
    for x, t in zip(X, T, strict=True):
        z = x @ W1
        a = torch.relu(z)
        dy = 2 * (a @ W2 - t) / T.numel()
        dz = (W2 @ dy) * (z > 0)
        dW1 += torch.outer(x, dz)
        dW2 += torch.outer(a, dy)
    return dW1, dW2


@alternative("relu_net.batch_gradients", "loops over every index, with Python floats")
def batch_loops(X, W1, W2, T):
    (n_examples, n_inputs), (n_hidden, n_outputs) = X.shape, W2.shape
    x, w1, w2, t = X.tolist(), W1.tolist(), W2.tolist(), T.tolist()
    dw1 = [[0.0] * n_hidden for _ in range(n_inputs)]
    dw2 = [[0.0] * n_outputs for _ in range(n_hidden)]
    for n in range(n_examples):
        z = [sum(x[n][d] * w1[d][k] for d in range(n_inputs)) for k in range(n_hidden)]
        a = [max(value, 0.0) for value in z]
        for o in range(n_outputs):
            y = sum(a[k] * w2[k][o] for k in range(n_hidden))
            dy = 2 * (y - t[n][o]) / (n_examples * n_outputs)
            for k in range(n_hidden):
                dw2[k][o] += dy * a[k]
                for d in range(n_inputs):
                    dw1[d][k] += dy * w2[k][o] * (z[k] > 0) * x[n][d]
    return torch.tensor(dw1, dtype=X.dtype), torch.tensor(dw2, dtype=X.dtype)


@alternative("relu_net.batch_gradients", "loops that collect in float32")
def batch_float32_accumulators(X, W1, W2, T):
    dW1, dW2 = torch.zeros(W1.shape), torch.zeros(W2.shape)
    Z = X @ W1
    A = Z.relu()
    dY = 2 * (A @ W2 - T) / T.numel()
    for k in range(W2.shape[0]):
        for o in range(W2.shape[1]):
            dW2[k, o] = (A[:, k] * dY[:, o]).sum()
            dW1[:, k] += ((dY[:, o] * W2[k, o] * (Z[:, k] > 0))[:, None] * X).sum(dim=0)
    return dW1, dW2


@alternative("relu_net.batch_gradients", "NumPy arrays")
def batch_numpy(X, W1, W2, T):
    X, W1, W2, T = (tensor.numpy() for tensor in (X, W1, W2, T))
    A = np.maximum(X @ W1, 0)
    dY = 2 * (A @ W2 - T) / T.size
    dZ = dY @ W2.T
    dZ[A <= 0] = 0
    return X.T @ dZ, A.T @ dY


@alternative("relu_net.batch_gradients", "float64 inside")
def batch_double(X, W1, W2, T):
    dW1, dW2 = batch_matrices(X.double(), W1.double(), W2.double(), T.double())
    return dW1.to(X.dtype), dW2.to(X.dtype)


@alternative("relu_net.batch_gradients", "float32 inside")
def batch_single(X, W1, W2, T):
    return batch_matrices(X.float(), W1.float(), W2.float(), T.float())


@alternative("relu_net.batch_gradients", "broadcasting and sums, gate in place")
def batch_broadcast(X, W1, W2, T):
    Z = (X[:, :, None] * W1[None]).sum(1)
    A = torch.maximum(Z, torch.zeros_like(Z))
    dY = (A[:, :, None] * W2[None]).sum(1).sub_(T).mul_(2).div_(T.nelement())
    dZ = (dY[:, None, :] * W2[None]).sum(-1)
    dZ[Z <= 0] = 0
    return (X[:, :, None] * dZ[:, None, :]).sum(0), (A[:, :, None] * dY[:, None, :]).sum(0)


class _Linear:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, given):
        self.given = given
        return given.mm(self.weight)

    def back(self, upstream):
        self.gradient = self.given.T.mm(upstream)
        return upstream.mm(self.weight.T)


@alternative("relu_net.batch_gradients", "layers as objects")
def batch_layers(X, W1, W2, T):
    first, second = _Linear(W1), _Linear(W2)
    Z = first(X)
    Y = second(torch.nn.functional.relu(Z))
    upstream = second.back((Y - T) * (2.0 / Y.numel()))
    first.back(upstream.masked_fill(~(Z > 0), 0.0))
    return first.gradient, second.gradient


@alternative("relu_net.numerical_gradient", "copies, flat")
def numerical_copies(f, w, eps):
    slopes = []
    for i in range(w.numel()):
        above, below = w.clone(), w.clone()
        above.view(-1)[i] += eps
        below.view(-1)[i] -= eps
        slopes.append((f(above) - f(below)).item() / (2 * eps))
    return torch.tensor(slopes, dtype=w.dtype).view(w.shape)


@alternative("relu_net.numerical_gradient", "in place, old value kept")
def numerical_in_place(f, w, eps):
    gradient = torch.empty_like(w)
    entries, slopes = w.view(-1), gradient.view(-1)
    for i in range(w.numel()):
        old = entries[i].item()
        entries[i] = old + eps
        above = f(w)
        entries[i] = old - eps
        below = f(w)
        entries[i] = old
        slopes[i] = (above - below) / (2 * eps)
    return gradient


@alternative("relu_net.numerical_gradient", "in place, eps added and taken away")
def numerical_up_and_down(f, w, eps):
    gradient = torch.zeros_like(w)
    for i in range(w.numel()):
        w.view(-1)[i] += eps
        above = f(w).item()
        w.view(-1)[i] -= 2 * eps
        below = f(w).item()
        w.view(-1)[i] += eps
        gradient.view(-1)[i] = (above - below) / (2 * eps)
    return gradient


@alternative("relu_net.numerical_gradient", "numpy.ndindex")
def numerical_ndindex(f, w, eps):
    gradient = torch.zeros_like(w)
    for index in np.ndindex(*w.shape):
        nudge = torch.zeros_like(w)
        nudge[index] = eps
        gradient[index] = (f(w + nudge) - f(w - nudge)) / 2 / eps
    return gradient


@alternative("relu_net.numerical_gradient", "rows of an identity matrix")
def numerical_identity(f, w, eps):
    steps = eps * torch.eye(w.numel(), dtype=w.dtype)
    above = torch.stack([f(w + step.reshape(w.shape)) for step in steps])
    below = torch.stack([f(w - step.reshape(w.shape)) for step in steps])
    return ((above - below) / (2 * eps)).reshape(w.shape)


@alternative("relu_net.numerical_gradient", "nudge moved along and cleared")
def numerical_cleared(f, w, eps):
    nudge, gradient = torch.zeros_like(w), torch.zeros_like(w)
    for i in range(w.numel()):
        nudge.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(w + nudge) - f(w - nudge)) / (2 * eps)
        nudge.view(-1)[i] = 0
    return gradient


@alternative("relu_net.numerical_gradient", "minus first, NumPy result")
def numerical_numpy(f, w, eps):
    gradient = np.zeros(w.numel(), dtype=w.numpy().dtype)
    for i in range(w.numel()):
        values = []
        for sign in (-1, 1):
            point = w.numpy().copy().reshape(-1)
            point[i] += sign * eps
            values.append(float(f(torch.from_numpy(point.reshape(tuple(w.shape))))))
        gradient[i] = (values[1] - values[0]) / (2 * eps)
    return gradient.reshape(tuple(w.shape))


@alternative("relu_net.numerical_gradient", "float64 inside, back to the type of w")
def numerical_double(f, w, eps):
    point, gradient = w.double(), torch.zeros_like(w)
    for i in range(w.numel()):
        nudge = torch.zeros_like(point)
        nudge.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(point + nudge) - f(point - nudge)) / (2 * eps)
    return gradient


@alternative("relu_net.numerical_gradient", "recursion over the dimensions")
def numerical_recursive(f, w, eps):
    if w.dim() == 0:
        return (f(w + eps) - f(w - eps)) / (2 * eps)

    def with_row(i, row):
        return torch.cat([w[:i], row[None], w[i + 1 :]])

    rows = [
        numerical_recursive(lambda row, i=i: f(with_row(i, row)), w[i], eps) for i in range(len(w))
    ]
    return torch.stack(rows)


class _NumericalGradient:
    def __call__(self, f, w, eps):
        self.f, self.w, self.eps = f, w, eps
        slopes = [self.slope(i) for i in range(w.nelement())]
        return torch.stack(slopes).reshape_as(w)

    def slope(self, i):
        unit = torch.nn.functional.one_hot(torch.tensor(i), self.w.nelement()).to(self.w.dtype)
        nudge = self.eps * unit.reshape(self.w.shape)
        return (self.f(self.w + nudge) - self.f(self.w - nudge)) / (2 * self.eps)


numerical_class = alternative("relu_net.numerical_gradient", "class with __call__")(
    _NumericalGradient()
)
