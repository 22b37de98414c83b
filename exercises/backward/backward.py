# %% [markdown] generated="abf2a4b5697431d4"
# # Calling `backward()` and reading `.grad`
#
# A tensor that asks for gradients makes PyTorch take notes: which operation was done, on what.
# `backward()` reads the notes from the last line to the first and leaves the derivatives in
# `.grad`. This notebook is about that one call: what it needs, where its answer appears, and why
# the answer is sometimes larger than expected.
#
# Afterwards you can
#
# - differentiate any function you can program, with one output or many;
# - cut a large batch into pieces and still get the gradient of the whole;
# - ask one graph two questions, without computing it twice.

# %% [markdown]
# This file is yours to edit, in any editor; it also opens as a notebook (Jupyter with jupytext, or
# VS Code). Fill in each function marked `YOUR CODE HERE`, or mend the one you find. Then, in a
# terminal in the course's folder:
#
#     pytest exercises/backward
#     autograded hint backward.derivative
#
# The first command checks your work and names the exercise to do next; the second shows the next
# hint. Code for figures is commented out here; it runs when the file is opened as a notebook.

# %%
import torch

from autograded import check

# %% [markdown]
# ## One number in, one number out
#
# Take $y = x^2$ at $x = 3$. On paper, $\frac{dy}{dx} = 2x = 6$.

# %%
x = torch.tensor(3.0, requires_grad=True)
y = x**2

print("y:", y.item())
print("last note:", y.grad_fn.name())
print("x.grad before backward:", x.grad)

y.backward()
print("x.grad after backward:", x.grad)

# %% [markdown]
# Three things to see here.
#
# - `x` is a **leaf tensor**: you made it, no operation did. `requires_grad=True` starts the notes.
# - `y` was made by an operation, so it carries a `grad_fn`, here `PowBackward0`: the way back
#   through the power.
# - The answer is on `x`, not on `y`, and not in what `backward()` returns (it returns nothing).
#   Before the call `x.grad` is `None`: nobody has asked yet.
#
# With more operations the notes become a **computation graph**. `backward()` starts at the end with
# $\frac{dy}{dy} = 1$ and multiplies by one local derivative per operation. That is the chain rule,
# done by walking.

# %% tags=["figure"] active="ipynb"
# import matplotlib.pyplot as plt
#
# x = torch.tensor(3.0, requires_grad=True)
# u = x**2
# y = 2 * u + 1
# u.retain_grad()  # u is no leaf: its gradient is kept only on request
# y.retain_grad()
# y.backward()
#
# figure, axes = plt.subplots(figsize=(8.4, 3.0))
# nodes = [("x", x, 0.0), ("u", u, 4.0), ("y", y, 8.0)]
# for name, node, left in nodes:
#     axes.text(
#         left,
#         0,
#         f"${name} = {node.item():g}$",
#         fontsize=14,
#         ha="center",
#         va="center",
#         bbox={"boxstyle": "round,pad=0.6", "facecolor": "#eef3fb", "edgecolor": "#3366aa"},
#     )
#     axes.text(
#         left,
#         -1.35,
#         rf"$\frac{{dy}}{{d{name}}} = {node.grad.item():g}$",
#         fontsize=16,
#         ha="center",
#         va="center",
#         color="#c0561f",
#     )
# for left, operation, local in [(0, "u = x^2", "2x = 6"), (4, "y = 2u + 1", "2")]:
#     axes.annotate(
#         "",
#         xy=(left + 3.05, 0.12),
#         xytext=(left + 0.95, 0.12),
#         arrowprops={"arrowstyle": "-|>", "color": "#3366aa", "lw": 2},
#     )
#     axes.text(left + 2, 0.42, f"${operation}$", ha="center", fontsize=13, color="#3366aa")
#     axes.annotate(
#         "",
#         xy=(left + 0.95, -1.35),
#         xytext=(left + 3.05, -1.35),
#         arrowprops={"arrowstyle": "-|>", "color": "#c0561f", "lw": 2},
#     )
#     axes.text(left + 2, -1.1, rf"$\times\ {local}$", ha="center", fontsize=13, color="#c0561f")
# axes.text(-1.3, 0.85, "forward →", fontsize=11, color="#3366aa")
# axes.text(9.3, -2.15, "← backward()", fontsize=11, color="#c0561f", ha="right")
# axes.set(xlim=(-1.5, 9.5), ylim=(-2.3, 1.2))
# axes.axis("off")
# figure.tight_layout()
# plt.show()

# %% [markdown]
# ### When there is nothing to walk back on
#
# Without notes `backward()` cannot start. There are three common ways to have none.

# %%
plain = torch.tensor(3.0)  # nobody asked for gradients
try:
    (plain**2).backward()
except RuntimeError as error:
    print("no requires_grad: ", error)

x = torch.tensor(3.0, requires_grad=True)
with torch.no_grad():  # asked, but the notes are switched off in this block
    y = x**2
try:
    y.backward()
except RuntimeError as error:
    print("under no_grad:    ", error)

try:
    torch.tensor(3, requires_grad=True)  # an integer has no neighbours to move to
except RuntimeError as error:
    print("an integer leaf:  ", error)

# %% [markdown]
# ### Exercise: the derivative of any function
#
# **2 points** · ●○○ · about 10 minutes · the idea: [leaf tensors and .grad](https://pytorch.org/docs/stable/notes/autograd.html)
#
# Write `derivative(f, x)`. `f` takes a 0-d tensor and returns a 0-d tensor; `x` is a Python float.
# Return $\frac{df}{dx}$ at `x`, found with `backward()`. A float or a 0-d tensor will do.


# %% exercise="derivative"
def derivative(f, x):
    """Return df/dx at x, found with `backward()`.

    f: a function from a 0-d tensor to a 0-d tensor. x: a Python float.
    Returns a scalar: a float or a 0-d tensor.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="derivative" active="ipynb"
# check("backward.derivative")

# %% [markdown]
# ## Many numbers out
#
# Now let the function return a vector, and call `backward()` as before.

# %%
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
try:
    y.backward()
except RuntimeError as error:
    print(error)

# %% [markdown]
# The walk back needs a number to start from. For a scalar that number is $\frac{dy}{dy} = 1$, and
# PyTorch fills it in: this is the gradient it "implicitly creates". For a vector it cannot guess. A
# function from $n$ numbers to $m$ numbers has a whole table of derivatives, the **Jacobian**
#
# $$J_{ij} = \frac{\partial y_i}{\partial x_j},$$
#
# and you have to say how much each output $y_i$ counts. Call that weight $v_i$. Then
# `y.backward(v)` gives
#
# $$v^\top J, \qquad (v^\top J)_j = \sum_i v_i \frac{\partial y_i}{\partial x_j},$$
#
# which is the ordinary gradient of the scalar $\sum_i v_i\, y_i$. The table $J$ itself is never
# built.

# %%
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.backward(torch.tensor([1.0, 10.0]))  # the second output counts ten times as much
print(x.grad)

# %% [markdown]
# In a deep network nobody chooses $v$ by hand: it is the gradient that arrives from the layers
# above. Each layer takes a $v$ of its output's shape and hands down a $v^\top J$ of its input's
# shape. All of backpropagation is this product, repeated.

# %% [markdown]
# ### Exercise: vᵀJ for any shapes
#
# **2 points** · ●●○ · about 15 minutes · the idea: [vector–Jacobian products](https://pytorch.org/docs/stable/notes/autograd.html)
#
# Write `vector_jacobian_product(f, x, v)`. `f` maps a tensor to a tensor, perhaps of another shape;
# `v` has the shape of `f(x)`. Return $v^\top J$ at `x`, with the shape of `x`.
#
# `x` is only lent to you. It may require grad or not, and its `.grad` may already hold something:
# give it back as you found it.


# %% exercise="vector_jacobian_product"
def vector_jacobian_product(f, x, v):
    """Return vᵀJ, where J is the Jacobian of f at x.

    f: a function from a tensor to a tensor of any shape. x: the point, any shape; it may require
    grad or not, and neither it nor its `.grad` is changed. v: the weights, with f(x)'s shape.
    Returns a tensor with x's shape.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="vector_jacobian_product" active="ipynb"
# check("backward.vector_jacobian_product")

# %% [markdown]
# ## Gradients pile up
#
# Ask twice, with two fresh graphs, for the derivative of $2x$. It is 2 both times.

# %%
x = torch.tensor(3.0, requires_grad=True)
(x * 2).backward()
print("after one:  ", x.grad)
(x * 2).backward()
print("after two:  ", x.grad)

x.grad = None
(x * 2).backward()
print("cleared:    ", x.grad)

# %% [markdown]
# `backward()` does not write to `.grad`, it **adds** to it. Nothing is reset for you, and nothing
# complains: the second number is simply the sum 2 + 2 = 4. Setting `x.grad = None` starts a new
# sum.

# %% tags=["figure"] active="ipynb"
# import matplotlib.pyplot as plt
#
# rounds = range(1, 6)
# figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.2), sharey=True)
# shades = plt.cm.Oranges([0.25, 0.38, 0.51, 0.64, 0.77])
# for axes, clear in zip(panels, (False, True), strict=True):
#     x = torch.tensor(3.0, requires_grad=True)
#     for turn in rounds:
#         if clear:
#             x.grad = None
#         before = 0.0 if x.grad is None else x.grad.item()
#         (x * 2).backward()
#         after = x.grad.item()
#         for layer in range(round(before / 2)):
#             axes.bar(turn, 2, bottom=2 * layer, color=shades[layer], edgecolor="white", width=0.7)
#         axes.bar(
#             turn,
#             after - before,
#             bottom=before,
#             color=shades[turn - 1],
#             edgecolor="white",
#             width=0.7,
#         )
#         axes.text(turn, after + 0.25, f"{after:g}", ha="center", fontsize=11)
#     axes.set_title(("x.grad = None;  " if clear else "") + "(x * 2).backward()", fontsize=11)
#     axes.set_xlabel("backward()  #")
#     axes.set_xticks(list(rounds))
#     axes.spines[["top", "right"]].set_visible(False)
# panels[0].set_ylabel("x.grad")
# panels[0].set_ylim(0, 11.5)
# figure.tight_layout()
# plt.show()

# %% [markdown]
# There is a trap in the sum. `.grad` is one tensor that is added to *in place*, so a second name
# for it is not a copy:

# %%
x = torch.tensor(3.0, requires_grad=True)
(x * 2).backward()
name = x.grad
kept = x.grad.clone()
(x * 2).backward()
print("the name follows:", name)
print("the copy stays:  ", kept)

# %% [markdown]
# ### Why anybody would want a sum
#
# If a variable is used twice, the chain rule says to *add* what comes back along both ways. So
# adding is what backward must do inside one graph; doing it between graphs as well is what makes
# the next trick possible.
#
# A batch of $N$ examples may be too large: its graph, with every intermediate value, must fit in
# memory at once. Cut it into micro-batches of $n_1, n_2, \dots$ examples with mean losses
# $L_1, L_2, \dots$ The mean over all examples is
#
# $$L = \frac{1}{N}\sum_{i=1}^{N} \ell_i = \sum_k \frac{n_k}{N}\, L_k
# \qquad\Longrightarrow\qquad \nabla L = \sum_k \frac{n_k}{N}\, \nabla L_k .$$
#
# A sum of gradients, which is just what `.grad` collects. One micro-batch's graph at a time is
# enough.

# %% [markdown]
# ### Exercise: a large batch in small pieces
#
# **3 points** · ●●● · about 25 minutes · the idea: [gradients accumulate](https://pytorch.org/docs/stable/generated/torch.Tensor.backward.html)
#
# Write `accumulated_gradient(loss_of, w, micro_batches)`. `loss_of(w, X, y)` returns the *mean*
# loss of one micro-batch; `micro_batches` is a list of pairs `(X, y)`, and the pieces need not be
# equally large (4, 4 and 2 examples, say). Return the gradient at `w` of the mean loss over **all**
# examples.
#
# Call backward once per micro-batch, and never let two micro-batches' graphs be alive at the same
# time. `w` and its `.grad` stay as they were.


# %% exercise="accumulated_gradient"
def accumulated_gradient(loss_of, w, micro_batches):
    """Return the gradient at w of the mean loss over all examples of all micro-batches.

    loss_of: loss_of(w, X, y) is the mean loss of one micro-batch, a 0-d tensor. w: the parameters,
    any shape; neither it nor its `.grad` is changed. micro_batches: a list of pairs (X, y) with one
    example a row; the number of rows may differ. One backward per micro-batch; no more than one
    micro-batch's graph is alive at a time. Returns a tensor with w's shape.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="accumulated_gradient" active="ipynb"
# check("backward.accumulated_gradient")

# %% [markdown]
# ## A graph is walked once
#
# The notes hold intermediate values, and those cost memory. So `backward()` throws them away as it
# goes. Walk the same graph again, and they are missing.

# %%
x = torch.tensor(3.0, requires_grad=True)
y = x * 2
y.backward()
try:
    y.backward()
except RuntimeError as error:
    print(error)

# %% [markdown]
# Beware of testing this with `x + 1`: going back through an addition needs no values, nothing was
# saved, and the second walk succeeds without a word. With `x * 2` or `x**2` there is something to
# lose.
#
# `retain_graph=True` keeps the notes for one more walk:

# %%
x = torch.tensor(3.0, requires_grad=True)
y = x + 1
y.backward()
y.backward()
print("x + 1, twice:  ", x.grad, "and no error")

x = torch.tensor(3.0, requires_grad=True)
y = x * 2
y.backward(retain_graph=True)
y.backward()
print("x * 2, retained:", x.grad)

# %% [markdown]
# This is wanted when two losses stand on one **trunk**: an expensive part that both share, with a
# small **head** each. Computing the trunk once saves time, but then both walks back go through the
# same notes, and both answers arrive at the same `.grad`.

# %% tags=["figure"] active="ipynb"
# import matplotlib.pyplot as plt
#
# figure, axes = plt.subplots(figsize=(8.4, 3.4))
# blue, orange, green = "#3366aa", "#c0561f", "#3b7d4f"
# boxes = {
#     "w": (0.0, 0.0, "$w$", blue),
#     "h": (4.2, 0.0, "$h$ = trunk($w$)", blue),
#     "a": (8.6, 1.1, "$a$ = head_a($h$)", orange),
#     "b": (8.6, -1.1, "$b$ = head_b($h$)", green),
# }
# for left, height, label, colour in boxes.values():
#     axes.text(
#         left,
#         height,
#         label,
#         fontsize=13,
#         ha="center",
#         va="center",
#         bbox={"boxstyle": "round,pad=0.55", "facecolor": "white", "edgecolor": colour, "lw": 1.6},
#     )
#
#
# def arrow(start, end, colour, style="-"):
#     """Draw an arrow between two points."""
#     properties = {"arrowstyle": "-|>", "color": colour, "lw": 2, "linestyle": style}
#     axes.annotate("", xy=end, xytext=start, arrowprops=properties)
#
#
# arrow((0.5, 0.0), (2.7, 0.0), blue)
# arrow((5.75, 0.2), (7.0, 0.85), blue)
# arrow((5.75, -0.2), (7.0, -0.85), blue)
# arrow((6.95, 1.25), (5.3, 0.52), orange, "--")
# arrow((2.7, 0.32), (0.5, 0.32), orange, "--")
# arrow((6.95, -1.25), (5.3, -0.52), green, "--")
# arrow((2.7, -0.32), (0.5, -0.32), green, "--")
# axes.text(1.6, 0.55, r"$\partial a / \partial w$", ha="center", fontsize=13, color=orange)
# axes.text(1.6, -0.85, r"$\partial b / \partial w$", ha="center", fontsize=13, color=green)
# axes.text(5.55, 1.35, "a.backward(…)", ha="center", fontsize=11, color=orange)
# axes.text(5.55, -1.55, "b.backward(…)", ha="center", fontsize=11, color=green)
# total = r"w.grad $= \partial a / \partial w + \partial b / \partial w$"
# axes.text(-0.3, -1.55, total, fontsize=12, color="#444444")
# axes.set(xlim=(-0.9, 10.4), ylim=(-1.9, 1.8))
# axes.axis("off")
# figure.tight_layout()
# plt.show()

# %% [markdown]
# ### Exercise: two losses on one trunk
#
# **3 points** · ●●● · about 25 minutes · the idea: [the computation graph and its lifetime](https://pytorch.org/docs/stable/notes/autograd.html)
#
# Write `two_losses(trunk, head_a, head_b, w)`. The losses are `head_a(trunk(w))` and
# `head_b(trunk(w))`, both 0-d tensors. Return three gradients with respect to `w`,
# `(grad_a, grad_b, grad_sum)`: of the first loss, of the second, and of their sum.
#
# `trunk` may be called only once. Return plain numbers: gradients that carry no graph of their own.
# `w` and its `.grad` stay as they were.


# %% exercise="two_losses"
def two_losses(trunk, head_a, head_b, w):
    """Return the gradients with respect to w of two losses on one trunk, and of their sum.

    trunk: a function from w to a tensor, called exactly once. head_a, head_b: functions from that
    tensor to a 0-d loss. w: the parameters, any shape; neither it nor its `.grad` is changed.
    Returns (grad_a, grad_b, grad_sum), three tensors with w's shape that carry no graph.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %% check="two_losses" active="ipynb"
# check("backward.two_losses")

# %% [markdown]
# ## What the messages mean
#
# - `.grad` is `None`: no backward has reached this tensor, or it is not a leaf.
# - "element 0 of tensors does not require grad and does not have a grad_fn": no input required
#   grad, or the forward ran under `torch.no_grad()`.
# - "grad can be implicitly created only for scalar outputs": the output is no scalar; say with `v`
#   how much each entry counts.
# - "Trying to backward through the graph a second time": the notes of this graph are spent;
#   `retain_graph=True` on the walk before, or a new forward.
# - A gradient twice as large as it should be: two walks piled up; clear `.grad` between them.
