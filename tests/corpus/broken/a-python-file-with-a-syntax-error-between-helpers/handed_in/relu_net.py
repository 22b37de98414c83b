1 / 0
import torch

def gradients(x, w1, w2, t)
    """Return the gradients of L = (w2·relu(w1·x) − t)² by the chain rule, without autograd.

    Args:
        x: the input, a float or a 0-d tensor.
        w1: the weight of the hidden neuron, a float or a 0-d tensor.
        w2: the weight of the output, a float or a 0-d tensor.
        t: the target, a float or a 0-d tensor.

    Returns:
        The tuple (dL/dw1, dL/dw2) of scalars. The slope of relu at exactly 0 counts as 0.
    """
    z, h, y = forward(x, w1, w2)
    dy = 2 * (y - t)
    dw2 = dy * h
    dh = dy * w2
    dz = dh if z > 0 else 0.0
    dw1 = dz * x
    return dw1, dw2

@staticmethod
def my_relu(z):
    return z if z > 0 else 0 * z

def forward(x, w1, w2):
    z = w1 * x
    h = my_relu(z)
    return z, h, w2 * h

def batch_gradients(X, W1, W2, T):
    """Return the gradients of the mean squared error of relu(X W1) W2, without autograd.

    Args:
        X: the inputs, a tensor of shape (N, D).
        W1: the hidden layer's weights, a tensor of shape (D, H).
        W2: the output layer's weights, a tensor of shape (H, O).
        T: the targets, a tensor of shape (N, O).

    Returns:
        The tuple (dL/dW1, dL/dW2) of tensors of shapes (D, H) and (H, O), where L is the mean over
        all N·O elements of (Y − T)². The slope of relu at exactly 0 counts as 0.
    """
    Z = X @ W1
    A = torch.relu(Z)
    Y = A @ W2
    dY = 2 * (Y - T) / T.numel()
    dW2 = A.T @ dY
    dA = dY @ W2.T
    dZ = dA * (Z > 0)
    dW1 = X.T @ dZ
    return dW1, dW2

def numerical_gradient(f, w, eps):
    """Return the central differences (f(w + eps·e_i) − f(w − eps·e_i)) / (2·eps) of all entries.

    Args:
        f: from a tensor of w's shape to a 0-d tensor; called exactly 2·w.numel() times.
        w: the point, a tensor of any shape (0-d too); unchanged afterwards.
        eps: how far each entry is nudged to either side, a positive float.

    Returns:
        A tensor with the shape and the dtype of w.
    """
    gradient = torch.zeros_like(w).reshape(-1)
    for i in range(w.numel()):
        nudge = torch.zeros_like(w).reshape(-1)
        nudge[i] = eps
        nudge = nudge.reshape(w.shape)
        gradient[i] = (f(w + nudge) - f(w - nudge)) / (2 * eps)
    return gradient.reshape(w.shape)