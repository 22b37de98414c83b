# %% [markdown] generated="78f93a40fbdbae28"
# # Backpropagation by hand
#
# Training a network comes down to one question, asked of every weight: if I nudge you up a little,
# how fast does the loss change? The answer is that weight's gradient. PyTorch answers for all
# weights at once when you call `loss.backward()`.
#
# Here you work the gradients out yourself: first for a network with two weights, then for a batch
# of any size. Then you write the test that tells whether a gradient is right, and see why nobody
# trains with it. `backward()` does nothing that you will not have done by hand.
#
# You write four functions. The cell under each one checks it; run it as often as you like.

# %% [markdown]
# This file is yours to edit, in any editor; it also opens as a notebook (Jupyter with jupytext, or
# VS Code). Fill in each function marked `YOUR CODE HERE`, or mend the one you find. Then, in a
# terminal in the course's folder:
#
#     pytest exercises/relu_net
#     autograded hint relu_net.forward
#
# The first command checks your work and names the exercise to do next; the second shows the next
# hint. Code for figures is commented out here; it runs when the file is opened as a notebook.

# %%
import torch

from autograded import check

# %% [markdown]
# ## A network with two weights
#
# One number goes in, passes one hidden neuron, and one number comes out:
#
# $$z = w_1 x \qquad h = \mathrm{relu}(z) = \max(0, z) \qquad y = w_2 h \qquad L = (y - t)^2$$
#
# ReLU is a gate. A positive $z$ passes unchanged; anything else is stopped and becomes 0. The loss
# $L$ says how far the output $y$ lies from the target $t$.
#
# With $x = 2$, $w_1 = 0.3$, $w_2 = 1$ and $t = 1$:
#
# | $z$ | $h$ | $y$ | $L$ |
# |---|---|---|---|
# | 0.6 | 0.6 | 0.6 | 0.16 |

# %% [markdown]
# ### Exercise: `forward`
#
# **1 point** · ●○○ · about 5 minutes · the idea: [the chain rule](https://pytorch.org/tutorials/beginner/basics/autogradqs_tutorial.html)
#
# Write `forward(x, w1, w2)`. It returns $z$, $h$ and $y$, in this order. The arguments are Python
# floats or 0-d tensors (a tensor that holds one number), and your function should take both.
#
# The numbers above must give `(0.6, 0.6, 0.6)`. With $w_1 = -0.3$ instead, the gate is closed: $z$
# is $-0.6$, and both $h$ and $y$ are 0.


# %% exercise="forward"
def forward(x, w1, w2):
    """Run the network forward: z = w1·x, h = relu(z), y = w2·h.

    Args:
        x: the input, a float or a 0-d tensor.
        w1: the weight of the hidden neuron, a float or a 0-d tensor.
        w2: the weight of the output, a float or a 0-d tensor.

    Returns:
        The tuple (z, h, y) of scalars.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="forward" active="ipynb"
# check("relu_net.forward")

# %% [markdown]
# ## The chain rule, one step at a time
#
# Leave the hidden neuron out for a moment: $y = w x$ and $L = (y - t)^2$. Nudge $w$ by a little,
# and $y$ moves $x$ times as far. When $y$ moves, $L$ moves $2(y - t)$ times as far again. The
# nudge is multiplied at each step on its way to the loss, so the gradient is a product:
#
# $$\frac{dL}{dw} = \frac{dL}{dy} \cdot \frac{dy}{dw} = 2(y - t) \cdot x$$
#
# This is the chain rule. Each factor is a *local derivative*: it belongs to one operation and
# needs only numbers that the forward pass has already computed. The next cell compares this
# product with autograd.


# %%
def compare_with_autograd(x, w, t):
    """Print dL/dw of L = (w·x − t)² twice: by hand, and by autograd."""
    by_hand = 2 * (w * x - t) * x
    weight = torch.tensor(w, requires_grad=True)
    loss = (weight * x - t) ** 2
    loss.backward()
    print(f"by hand: {by_hand:.4f}   autograd: {weight.grad.item():.4f}")


compare_with_autograd(x=3.0, w=0.5, t=2.0)

# %% [markdown]
# *Backpropagation* is this rule applied in an economical order. Start at the loss, walk back
# against the arrows, and at every operation multiply what arrives, call it $g$, by the local
# derivative:
#
# | operation | what goes back when $g$ arrives |
# |---|---|
# | square, $L = (y - t)^2$ | $2(y - t)\,g$ to $y$ |
# | product, $c = a\,b$ | $b\,g$ to $a$, and $a\,g$ to $b$ |
# | relu, $h = \max(0, z)$ | $g$ to $z$ if $z > 0$, otherwise 0 |
#
# A product hands each factor *the other one*. The gate that was open on the way forward is open on
# the way back, and a closed gate stops everything behind it. At the corner $z = 0$ relu has no
# derivative; PyTorch takes 0 there, and so do we.
#
# The figure shows the computation graph of the whole network. Values from the forward pass are
# blue, gradients from the backward pass are orange. At the very right, $g$ starts as $dL/dL = 1$.

# %% tags=["figure"] active="ipynb"
# import matplotlib.pyplot as plt
#
#
# def draw_computation_graph(x, w1, w2, t):
#     """Draw the network as a graph: values forward in blue, gradients backward in orange."""
#     leaf = {"x": x, "w_1": w1, "w_2": w2, "t": t}
#     node = {name: torch.tensor(value, requires_grad=True) for name, value in leaf.items()}
#     node["z"] = node["w_1"] * node["x"]
#     node["h"] = torch.relu(node["z"])
#     node["y"] = node["w_2"] * node["h"]
#     node["L"] = (node["y"] - node["t"]) ** 2
#     for tensor in node.values():
#         tensor.retain_grad()
#     node["L"].backward()
#
#     place = {"x": (0, 1.5), "w_1": (0, 0), "z": (2, 0.75), "h": (4, 0.75)}
#     place |= {"w_2": (4, -0.75), "y": (6, 0.75), "t": (6, -0.75), "L": (8, 0.75)}
#     inputs = {"z": ("w_1", "x"), "h": ("z",), "y": ("w_2", "h"), "L": ("y", "t")}
#     operation = {"z": "×", "h": "relu", "y": "×", "L": r"$(y-t)^2$"}
#
#     _, axes = plt.subplots(figsize=(9, 3.7))
#     arrow = {"arrowstyle": "-|>", "color": "0.55", "shrinkA": 20, "shrinkB": 20}
#     for end, starts in inputs.items():
#         for start in starts:
#             axes.annotate("", place[end], place[start], arrowprops=arrow)
#     for name, (left, up) in place.items():
#         weight, inner = name.startswith("w"), name in operation
#         face, edge = ("#fff1e6", "#c8501e") if weight else ("white", "0.4")
#         axes.plot(left, up, "o", ms=30, mfc=face, mec=edge, mew=1.3, zorder=2)
#         axes.text(left, up, f"${name}$", ha="center", va="center", size=13, zorder=3)
#         value = f"{node[name].item():g}"
#         axes.text(left, up + 0.36, value, ha="center", color="#2b62a3", size=12)
#         if weight or inner:
#             gradient = rf"$\partial L/\partial {name} = {node[name].grad.item():.2f}$"
#             height = up - 0.55 if weight else up + 0.68
#             axes.text(left, height, gradient, ha="center", color="#c8501e", size=12)
#         if inner:
#             axes.text(left, up - 0.55, operation[name], ha="center", color="0.4", size=12)
#     axes.set(xlim=(-0.9, 8.9), ylim=(-1.4, 2.1))
#     axes.axis("off")
#     plt.show()
#
#
# draw_computation_graph(x=2.0, w1=0.3, w2=1.0, t=1.0)

# %% [markdown]
# ### Exercise: `gradients`
#
# **3 points** · ●●○ · about 20 minutes · without autograd · the idea: [the chain rule](https://pytorch.org/tutorials/beginner/basics/autogradqs_tutorial.html)
#
# Write `gradients(x, w1, w2, t)`. It returns $dL/dw_1$ and $dL/dw_2$, in this order. Work them out
# by hand: no `backward()`, nothing else from autograd, no nudging of weights. Again the arguments
# are floats or 0-d tensors, and you may call your `forward`.
#
# For $x = 2$, $w_1 = 0.3$, $w_2 = 1$, $t = 1$ the answer is $(-1.6, -0.48)$, as in the figure.
# PyTorch's usual float32 keeps about seven digits and prints −1.5999999 and −0.4799999; that is
# the same answer, rounded. Both gradients are negative: raising either weight lowers the loss.


# %% exercise="gradients"
def gradients(x, w1, w2, t):
    """Return the gradients of L = (w2·relu(w1·x) − t)² by the chain rule, without autograd.

    Args:
        x: the input, a float or a 0-d tensor.
        w1: the weight of the hidden neuron, a float or a 0-d tensor.
        w2: the weight of the output, a float or a 0-d tensor.
        t: the target, a float or a 0-d tensor.

    Returns:
        The tuple (dL/dw1, dL/dw2) of scalars. The slope of relu at exactly 0 counts as 0.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="gradients" active="ipynb"
# check("relu_net.gradients")

# %% [markdown]
# ## The same for a whole batch
#
# A real network takes $N$ examples at once, with $D$ inputs, $H$ hidden units and $O$ outputs. The
# numbers become matrices, the formulas hardly change:
#
# $$Z = X W_1 \qquad A = \mathrm{relu}(Z) \qquad Y = A W_2 \qquad
# L = \frac{1}{N O} \sum_{n,o} (Y_{no} - T_{no})^2$$
#
# | | $X$ | $W_1$ | $Z$, $A$ | $W_2$ | $Y$, $T$ |
# |---|---|---|---|---|---|
# | shape | $(N, D)$ | $(D, H)$ | $(N, H)$ | $(H, O)$ | $(N, O)$ |
#
# (The hidden values are $A$ here, since $H$ now counts them. $L$ is `F.mse_loss(Y, T)`: the mean
# over all $N \cdot O$ elements.)
#
# Two things are new. First, a weight serves every example, so its gradient **sums** what each
# example asks of it. Take one layer $Y = A W$ and write $G$ for $\partial L / \partial Y$. The
# weight $W_{ko}$ multiplies $A_{nk}$ in every row $n$, and so
#
# $$\frac{\partial L}{\partial W_{ko}} = \sum_n A_{nk}\, G_{no}$$
#
# That is the rule for products again, *the other factor times what arrives*, summed over the
# batch.
#
# Second, a gradient always has the **shape** of the thing it belongs to. Often only one way of
# multiplying two matrices gives that shape, so write the shapes down before you write code. But a
# right shape alone proves nothing, least of all when two of the sizes happen to be equal.

# %% [markdown]
# ### Exercise: `batch_gradients`
#
# **4 points** · ●●● · about 35 minutes · without autograd · the idea: [gradients of matrix products](https://cs231n.github.io/optimization-2/)
#
# Write `batch_gradients(X, W1, W2, T)`. It returns $\partial L/\partial W_1$ and
# $\partial L/\partial W_2$ as tensors with the shapes of $W_1$ and $W_2$. By hand again, and the
# four tensors you are given must stay as they are.
#
# A first test: the numbers of the last exercise are a batch with $N = D = H = O = 1$, so
# $X = [[2]]$, $W_1 = [[0.3]]$, $W_2 = [[1]]$, $T = [[1]]$ must give $[[-1.6]]$ and $[[-0.48]]$.


# %% exercise="batch_gradients"
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
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="batch_gradients" active="ipynb"
# check("relu_net.batch_gradients")

# %% [markdown]
# ## How to test a gradient
#
# A wrong gradient seldom crashes. It trains a little worse, and nobody notices. The remedy is the
# definition of the derivative: nudge one weight up by $\varepsilon$, nudge it down by
# $\varepsilon$, and see what the function does.
#
# $$\frac{\partial f}{\partial w_i} \approx
# \frac{f(w + \varepsilon e_i) - f(w - \varepsilon e_i)}{2 \varepsilon}$$
#
# Here $e_i$ is 1 at entry $i$ and 0 everywhere else, so all other weights stand still. This is the
# *central difference*. Its error shrinks like $\varepsilon^2$; that of the one-sided
# $(f(w + \varepsilon) - f(w)) / \varepsilon$ shrinks only like $\varepsilon$.

# %% [markdown]
# ### Exercise: `numerical_gradient`
#
# **2 points** · ●●○ · about 20 minutes · without autograd · the idea: [finite differences](https://pytorch.org/docs/stable/notes/gradcheck.html)
#
# Write `numerical_gradient(f, w, eps)`. `f` takes a tensor of $w$'s shape and returns a 0-d
# tensor. You return the central differences of all entries, as a tensor with the shape and the
# dtype of `w`.
#
# - `w` may have any number of dimensions: a matrix, a vector, or a single number (0-d).
# - Call `f` exactly twice per entry; imagine that each call is expensive.
# - When you return, `w` holds the same numbers as before.
#
# For example, $f(w) = \sum_i w_i^2$ at $w = [3, -1]$ gives $[6, -2]$.


# %% exercise="numerical_gradient"
def numerical_gradient(f, w, eps):
    """Return the central differences (f(w + eps·e_i) − f(w − eps·e_i)) / (2·eps) of all entries.

    Args:
        f: from a tensor of w's shape to a 0-d tensor; called exactly 2·w.numel() times.
        w: the point, a tensor of any shape (0-d too); unchanged afterwards.
        eps: how far each entry is nudged to either side, a positive float.

    Returns:
        A tensor with the shape and the dtype of w.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="numerical_gradient" active="ipynb"
# check("relu_net.numerical_gradient")

# %% [markdown]
# ## Why nobody trains with differences
#
# Now you have two ways to a gradient, and each panel below compares them.
#
# **Left: the cost.** A network of four layers grows from 64 to a million parameters $P$, while
# PyTorch counts the multiplications. Backward costs about two forwards (1.75 here), *whatever the
# number of parameters*. One-sided differences cost one forward per parameter, central ones two:
# for a million parameters, two million forwards for a single step of training.
#
# **Right: the accuracy.** The relative error of the slope of $e^w$ at $w = 1$, in float64. From
# right to left the error falls as $\varepsilon$ shrinks, until the two values of $f$ become so
# alike that their difference loses its digits, and the error rises again. The best central
# difference has about eleven right digits, and only if you find the right $\varepsilon$. The chain
# rule has about sixteen (the orange line marks float64's own rounding) and needs no $\varepsilon$.
#
# So: differences to *test* a gradient, backward to compute one.

# %% tags=["figure"] active="ipynb"
# from torch.utils.flop_counter import FlopCounterMode
#
#
# def cost_of_backward(width):
#     """Return (parameters, cost of backward / cost of forward) of four layers of this width."""
#     weights = [(torch.randn(width, width) / width**0.5).requires_grad_() for _ in range(4)]
#     with FlopCounterMode(display=False) as forward_count:
#         hidden = torch.randn(32, width)
#         for weight in weights:
#             hidden = torch.relu(hidden @ weight)
#         loss = hidden.square().mean()
#     with FlopCounterMode(display=False) as backward_count:
#         loss.backward()
#     parameters = sum(weight.numel() for weight in weights)
#     return parameters, backward_count.get_total_flops() / forward_count.get_total_flops()
#
#
# def draw_backward_versus_differences():
#     """Draw the cost (left) and the error (right) of differences beside those of backward."""
#     _, (cost, error) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
#     central, one_sided, orange = "#2b62a3", "#7fa8d1", "#c8501e"
#
#     sizes, backward = zip(*[cost_of_backward(4 * 2**k) for k in range(8)], strict=True)
#     cost.loglog(sizes, [2 * p for p in sizes], "o-", color=central, ms=4)
#     cost.loglog(sizes, [p + 1 for p in sizes], "o-", color=one_sided, ms=4)
#     cost.loglog(sizes, backward, "o-", color=orange, ms=4)
#     both = r"\frac{f(w+\varepsilon)-f(w-\varepsilon)}{2\varepsilon}"
#     one = r"\frac{f(w+\varepsilon)-f(w)}{\varepsilon}"
#     cost.text(4e3, 3e4, f"${both}$", color=central, ha="right", size=14)
#     cost.text(1e4, 1.2e3, f"${one}$", color=one_sided, size=14)
#     cost.text(1e4, 4, "backward()", color=orange, family="monospace")
#     cost.set(xlabel="$P$", ylabel="× forward", ylim=(0.7, 8e6))
#
#     w = torch.tensor(1.0, dtype=torch.float64)
#     eps = torch.logspace(-13, 0, 79, dtype=torch.float64)
#     slope = torch.exp(w)
#     both_sides = (torch.exp(w + eps) - torch.exp(w - eps)) / (2 * eps)
#     one_side = (torch.exp(w + eps) - torch.exp(w)) / eps
#     error.loglog(eps, (one_side / slope - 1).abs(), color=one_sided)
#     error.loglog(eps, (both_sides / slope - 1).abs(), color=central)
#     error.axhline(torch.finfo(torch.float64).eps, color=orange)
#     error.text(1e-7, 5e-16, "backward()", color=orange, family="monospace")
#     error.set(xlabel=r"$\varepsilon$", ylabel=r"$|\hat{g} - g|\;/\;g$", ylim=(3e-17, 10))
#
#     for axes in (cost, error):
#         axes.spines[["top", "right"]].set_visible(False)
#         axes.grid(color="0.92")
#     plt.show()
#
#
# draw_backward_versus_differences()

# %% [markdown]
# ## What reaches the first layer
#
# The chain rule has a consequence that shaped deep learning. In a chain of 30 neurons,
# $h_k = \varphi(w\, h_{k-1})$, the gradient that reaches the input is a product of 30 local
# derivatives:
#
# $$\frac{\partial h_{30}}{\partial h_0} = \prod_{k=1}^{30} w\, \varphi'(w\, h_{k-1})$$
#
# Thirty factors below 1 leave almost nothing. The sigmoid's slope is never above $\frac14$, and
# with $w = 1$ about $4 \cdot 10^{-20}$ of the signal arrives: the gradient **vanishes**, and the
# first layer does not learn. With factors above 1 the product **explodes**. An open ReLU has slope
# 1, so only $w$ counts: for $w = 1$ the signal arrives in full, for $w = 1.5$ it has grown to
# about $2 \cdot 10^5$.
#
# The figure follows the gradient from $h_{30}$ on the right back to the input $h_0$ on the left.

# %% tags=["figure"] active="ipynb"
# def signal_along_a_chain(activation, weight, depth=30):
#     """Return |∂h_depth/∂h_k| for k = 0 … depth in a chain h_k = activation(weight · h_{k−1})."""
#     hidden = [torch.tensor(0.5, dtype=torch.float64, requires_grad=True)]
#     for _ in range(depth):
#         hidden.append(activation(weight * hidden[-1]))
#     gradients_along = torch.autograd.grad(hidden[-1], hidden)
#     return [gradient.abs().item() for gradient in gradients_along]
#
#
# def draw_vanishing_and_exploding():
#     """Draw the gradient's way back through three chains of 30 neurons."""
#     _, axes = plt.subplots(figsize=(8, 3.8), layout="constrained")
#     chains = [
#         (torch.relu, 1.5, "relu, $w = 1.5$", "#c8501e"),
#         (torch.relu, 1.0, "relu, $w = 1$", "0.35"),
#         (torch.sigmoid, 1.0, "sigmoid, $w = 1$", "#2b62a3"),
#     ]
#     for activation, weight, label, color in chains:
#         signal = signal_along_a_chain(activation, weight)
#         axes.semilogy(signal, "o-", color=color, ms=3.5)
#         place = {"textcoords": "offset points", "color": color}
#         axes.annotate(f"{signal[0]:.0e}", (0, signal[0]), (-8, -4), ha="right", **place)
#         offset = (8, -14) if signal[0] < 1 else (4, 8)
#         axes.annotate(label, (9, signal[9]), offset, **place)
#     axes.set(xlabel="$k$", ylabel=r"$|\partial h_{30} / \partial h_k|$", xlim=(-4, 30.5))
#     axes.set(xticks=range(0, 31, 5), ylim=(1e-22, 1e9))
#     axes.spines[["top", "right"]].set_visible(False)
#     axes.grid(color="0.92")
#     plt.show()
#
#
# draw_vanishing_and_exploding()

# %% [markdown]
# ## What you take with you
#
# - A gradient is a product of local derivatives along the path to the loss, and a sum over all
#   paths (here: over the examples of a batch).
# - Every local derivative needs only numbers from the forward pass. That is why autograd keeps
#   them until `backward()`.
# - One backward gives *all* gradients for about the price of two forwards. Differences are dear
#   and inexact, but independent of your algebra: the right tool for a test.
#
# Next you call `backward()` yourself, and look at what it leaves in `.grad`.
