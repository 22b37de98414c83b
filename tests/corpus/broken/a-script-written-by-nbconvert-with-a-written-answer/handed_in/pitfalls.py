#!/usr/bin/env python
# coding: utf-8

# # Find and mend
# 
# Each of the five functions below looks finished, and each is wrong. Three stop with an error. One
# returns a wrong number without a word. One returns the right numbers while it slowly fills the
# memory.
# 
# Treat them like bugs of your own. Run the check and read what it says. Put into one sentence what
# autograd did and what the author expected. Only then change the code, and change as little as you
# can: four of the five need a different line or two, not a rewrite.

# In[1]:


import torch

from autograded import check


# ## 1. `.grad` is a sum
# 
# `backward()` does not *set* `.grad`. It adds to it:
# 
# $$\texttt{w.grad} \leftarrow \texttt{w.grad} + \frac{\partial L}{\partial w}$$
# 
# Inside one graph this is the chain rule: a weight used in two places collects a contribution from
# each. But the sum does not end with the graph. Two separate graphs add up just the same, and the
# derivative of $2x$ seems to grow from 2 to 4.

# In[3]:


a = torch.tensor(3.0, requires_grad=True)
for _ in range(2):
    (a * 2).backward()
    print(a.grad)


# `fit_slope`, the first function to mend, fits $y \approx w x$ to five points whose best slope is
# exactly 2.5. The next cell runs it as it stands. Its first three epochs:
# 
# | epoch | loss | `.grad` | $w$ after the step |
# |---|---|---|---|
# | 1 | 68.7580 | −55.0000 | 1.6500 |
# | 2 | 7.9555 | −73.7000 | 3.8610 |
# | 3 | 20.3835 | −43.7580 | 5.1737 |
# 
# Epoch 1 is right. In epoch 2 the slope is still too small, the step goes the right way, and yet
# it lands far beyond 2.5.

# In[5]:


import matplotlib.pyplot as plt

x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
y = torch.tensor([2.5, 4.9, 7.6, 10.1, 12.4])
w = torch.tensor(0.0, requires_grad=True)
fresh, held, path = [], [], [0.0]
for _ in range(40):
    before = 0.0 if w.grad is None else w.grad.item()
    ((w * x - y) ** 2).mean().backward()
    fresh.append(w.grad.item() - before)  # what this one backward() added
    held.append(w.grad.item())  # what the step will use
    with torch.no_grad():
        w -= 0.03 * w.grad
    path.append(w.item())

fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
epochs = torch.arange(1, 9)
left.bar(epochs - 0.2, fresh[:8], 0.4, color="#8fb8de", label=r"$\partial L/\partial w$")
left.bar(epochs + 0.2, held[:8], 0.4, color="#c44e52", label="w.grad")
left.axhline(0, color="black", linewidth=0.8)
left.set(xlabel="epoch", xticks=epochs)
left.legend(frameon=False)
right.plot(path, color="#c44e52", marker="o", markersize=3, linewidth=1, label="w")
right.axhline(2.5, color="black", linestyle="--", linewidth=1, label="2.5")
right.set(xlabel="epoch", ylim=(-0.6, 7.2))
right.legend(frameon=False, loc="upper right", ncols=2)
for axes in (left, right):
    axes.spines[["top", "right"]].set_visible(False)
plt.show()


# Left, in each epoch: what this `backward()` computed (blue) and what the step used (red). Right:
# $w$ does not settle. Every old gradient goes on pushing, like a ball in a bowl without friction.

# ### Mend `fit_slope`
# 
# **3 points** · ●●○ · about 10 minutes · the idea: [gradients accumulate](https://pytorch.org/docs/stable/generated/torch.Tensor.backward.html)
# 
# Each step should follow the gradient of the mean squared error at the current $w$. Make it so. On
# the five points, with learning rate 0.03 and 12 epochs, the slope then comes to 2.5000.

# <details><summary>Hint 1 of 4</summary>
# 
# In the second epoch, blue and red differ by exactly −55. Where have you seen that number?
# 
# </details>
# 
# <details><summary>Hint 2 of 4</summary>
# 
# The loss, `backward()` and the update are all right. What is missing is a line that makes the sum
# start from nothing in every epoch. `optimizer.zero_grad()` does this for an optimizer's
# parameters; here there is no optimizer, only `w`.
# 
# </details>
# 
# <details><summary>Hint 3 of 4</summary>
# 
# There is room for that line in two places: before `backward()`, or after the update. Between
# `backward()` and the update it would throw away the gradient before anyone has read it.
# 
# </details>
# 
# <details><summary>Hint 4 of 4</summary>
# 
# `w.grad = None` inside the loop is enough. `w.grad.zero_()` works too, but not in the first epoch
# before `backward()`: there `w.grad` is still `None`.
# 
# </details>

# In[9]:


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


# In[10]:


check("pitfalls.fit_slope")


# ## 2. What a graph keeps, and for how long
# 
# In the forward pass every operation leaves a node in the graph, and a node keeps the values its
# derivative will need. For $h = w^2$ it keeps $w$, since $\partial h / \partial w = 2w$. For $e^h$
# it keeps the result, which is its own derivative. A sum keeps nothing: its derivative is 1
# whatever the numbers were.
# 
# These values are most of what training costs in memory. So `backward()` drops each of them as
# soon as it has used it. The nodes stay; what they need in order to run again is gone. The next
# cell looks into the graph of $\sum e^{w^2}$ before and after one `backward()`: a node filled in
# red holds a value.

# In[12]:


import matplotlib.pyplot as plt


def held_values(node):
    """Names of the tensors a node has saved; reading one that was dropped raises RuntimeError."""
    names = [name for name in dir(node) if name.startswith("_saved_")]
    try:
        return [name for name in names if isinstance(getattr(node, name), torch.Tensor)]
    except RuntimeError:
        return []


def draw(axes, result, title):
    """Draw the chain of nodes from the leaf (left) to the result (right)."""
    chain, node = [], result.grad_fn
    while node is not None:
        chain.insert(0, node)
        node = node.next_functions[0][0] if node.next_functions else None
    for i, node in enumerate(chain):
        held = held_values(node)
        box = {"boxstyle": "round,pad=0.6", "facecolor": "#f0b7b9" if held else "white"}
        place = {"ha": "center", "va": "center"}
        axes.text(2.6 * i, 0, type(node).__name__, fontsize=9.5, bbox=box, **place)
        axes.text(2.6 * i, -0.62, "\n".join(held), fontsize=8, family="monospace", **place)
        if i:
            ends = {"xy": (2.6 * i - 1.75, 0), "xytext": (2.6 * i - 0.85, 0)}
            axes.annotate("", **ends, arrowprops={"arrowstyle": "->"})
    axes.set(xlim=(-1.3, 9.1), ylim=(-0.9, 0.6))
    axes.set_title(title, loc="left", fontsize=10, family="monospace")
    axes.axis("off")


w = torch.tensor([0.3, -0.8], requires_grad=True)
loss = (w**2).exp().sum()
fig, (top, bottom) = plt.subplots(2, 1, figsize=(9.5, 2.7), layout="constrained")
draw(top, loss, "loss = (w**2).exp().sum()")
loss.backward()
draw(bottom, loss, "loss.backward()")
plt.show()


# So a second `backward()` on the same graph fails. There is a trap in the trap: it fails only
# where something was saved. On $x + 1$ nothing was, and the second call goes through as if graphs
# could always be used twice.

# In[14]:


def first_sentence(error):
    """The part of an error message that says what happened."""
    return str(error).split(" (")[0].split(". ")[0]


for result in (a + 1, a * 2):
    result.backward()
    try:
        result.backward()
        print(type(result.grad_fn).__name__, "→ no error")
    except RuntimeError as error:
        print(type(result.grad_fn).__name__, "→", first_sentence(error))


# ### Mend `backward_twice`
# 
# **3 points** · ●●● · about 20 minutes · the idea: [the computation graph and its lifetime](https://pytorch.org/docs/stable/notes/autograd.html)
# 
# `f` is expensive: it may be called once only. Run backward twice through the graph of that one
# call, and return what has accumulated at `w`; for `(w * 2).sum()` at 3 that is 4.0. When the
# function has returned, nothing may keep `f(w)` or its graph alive.
# 
# A number that comes out right is not enough here. The check puts a hook inside `f` and counts how
# often a gradient comes by.

# <details><summary>Hint 1 of 3</summary>
# 
# Which of the two calls drops the values, and which one misses them? They are not the same call,
# and only one of them needs to change.
# 
# </details>
# 
# <details><summary>Hint 2 of 3</summary>
# 
# Calling `f` again would build a new graph, and doubling the gradient would walk the old one only
# once. Instead, ask the first `backward()` to leave the saved values where they are. Its error
# message, read to the end, names the argument.
# 
# </details>
# 
# <details><summary>Hint 3 of 3</summary>
# 
# `loss.backward(retain_graph=True)` for the first call. The second may drop the values: nobody
# comes after it. (`create_graph=True` also stops the error, but it builds a graph *of the
# gradient*, and what you return then holds on to `f`'s graph.)
# 
# </details>

# In[17]:


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


# In[18]:


check("pitfalls.backward_twice")


# ## 3. Backward starts from one number
# 
# From a scalar loss, `backward()` begins with $\partial L / \partial L = 1$ and works its way
# back. A vector $y$ offers no such beginning. Its derivative is a whole matrix, $J_{ij} = \partial
# y_i / \partial w_j$, and autograd never builds that matrix: what it computes is a product $v^\top
# J$, one weight $v_i$ for each output. Unless someone says what $v$ is, it cannot start.

# In[20]:


v = torch.tensor([1.0, 2.0], requires_grad=True)
try:
    (v * 2).backward()
except RuntimeError as error:
    print(first_sentence(error))


# ### Mend `elementwise_slope`
# 
# **2 points** · ●●○ · about 10 minutes · the idea: [vector–Jacobian products](https://pytorch.org/docs/stable/notes/autograd.html)
# 
# Return the derivative of $w \cdot \text{scale}$ element by element, in `w`'s shape: for two
# elements and scale 3, `[3., 3.]`. Here $J$ has a simple form, because $y_i$ depends on $w_i$
# alone. Which $v$ brings out its diagonal?

# <details><summary>Hint 1 of 3</summary>
# 
# Write $J$ down for two elements. Everything off the diagonal is 0, so column $j$ of $J$ has one
# entry that counts. Take $v^\top J$ with unknown $v_1, v_2$ and look at what you want it to be.
# 
# </details>
# 
# <details><summary>Hint 2 of 3</summary>
# 
# Every weight must be 1. You can say so in two ways: hand `backward()` a $v$ of `y`'s shape, or
# make a scalar out of `y` in which every element counts once.
# 
# </details>
# 
# <details><summary>Hint 3 of 3</summary>
# 
# `y.backward(gradient=...)` with ones in `y`'s shape, or `backward()` on the sum. The *mean* is a
# scalar too, but in it every element counts only $1/n$.
# 
# </details>

# In[23]:


def elementwise_slope(w, scale):
    """Return d(w·scale)/dw, element by element.

    w: float tensor of any shape, requiring grad or not; it is left as it was, .grad included.
    scale: a number. Returns a tensor of w's shape whose entry i is ∂(w_i·scale)/∂w_i.
    """
    w = w.detach().clone().requires_grad_()
    y = w * scale
    y.sum().backward()
    return w.grad


# In[24]:


check("pitfalls.elementwise_slope")


# ## 4. Was anything recorded?
# 
# Before you call `backward()`, you can ask the result what it knows of its past. `grad_fn` is the
# node that made it. Without one there is no way back, and `backward()` says so in a sentence worth
# knowing by heart.

# In[26]:


recorded, unrecorded = a**2, torch.tensor(3.0) ** 2
for result in (recorded, unrecorded):
    print(result, result.requires_grad, result.grad_fn)
try:
    unrecorded.backward()
except RuntimeError as error:
    print(first_sentence(error))


# The message names the symptom, and the symptom has more than one cause. It can also be silenced
# without being cured: put the number into a fresh tensor that requires grad, and `backward()` runs
# and reaches nothing. When an error has gone, ask whether the answer is right or merely quiet.

# ### Mend `slope_at`
# 
# **1 point** · ●○○ · about 10 minutes · the idea: [where gradients are recorded](https://pytorch.org/docs/stable/notes/autograd.html)
# 
# It should return $df/dx$ at the float `value`: 6 for $x^2$ at 3. This function has three faults,
# and mending one uncovers the next.

# <details><summary>Hint 1 of 4</summary>
# 
# Follow one gradient from end to end. Where should it arrive, which way does it take there, and at
# what moment does it set out? The function has one fault for each question.
# 
# </details>
# 
# <details><summary>Hint 2 of 4</summary>
# 
# Print `x.requires_grad` before `f` is called and `y.grad_fn` after it. Both tell you that
# autograd was not watching: once because nobody asked for this tensor, once because someone
# switched the recording off.
# 
# </details>
# 
# <details><summary>Hint 3 of 4</summary>
# 
# Make `x` with `requires_grad=True` and call `f` outside `torch.no_grad()`. What comes back now is
# `None`, without any error. Until `backward()` has run, `.grad` is `None`.
# 
# </details>
# 
# <details><summary>Hint 4 of 4</summary>
# 
# The order, then: leaf, forward, `y.backward()`, and only then `x.grad`.
# 
# </details>

# In[30]:


def slope_at(f, value):
    """Return df/dx at x = value.

    f: takes a scalar (0-d) tensor and returns one. value: a float.
    Returns the slope as a float or a 0-d tensor.
    """
    x = torch.tensor(value, requires_grad=True)
    y = f(x)
    y.backward()
    return x.grad.item()


# In[31]:


check("pitfalls.slope_at")


# ## 5. A loss is more than a number
# 
# A loss tensor holds its `grad_fn`; that node holds the nodes before it, and so on down to the
# leaves. As long as you can reach the loss, none of this can be freed.
# 
# The next cell puts the loss of every batch into a list, as the last function does. Left, in
# training: `backward()` has dropped the saved values, but the nodes of every batch stay. Right, in
# validation, where no `backward()` comes: the saved values stay as well, batch upon batch. The
# dashed line is what one batch needs.

# In[33]:


import weakref

import matplotlib.pyplot as plt


class Saved:
    """A value saved for backward; it lives exactly as long as its node keeps it."""

    def __init__(self, tensor):
        self.tensor = tensor
        alive.add(self)


def count_nodes(losses):
    """How many nodes can be reached from these losses."""
    found, waiting = set(), [loss.grad_fn for loss in losses]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.add(node)
            waiting += [before for before, _ in node.next_functions]
    return len(found)


torch.manual_seed(0)
layers = [torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64), torch.nn.Tanh()]
model = torch.nn.Sequential(*layers, torch.nn.Linear(64, 1))
alive = weakref.WeakSet()
nodes, megabytes, training, validation = [], [], [], []
for _ in range(20):
    inputs, targets = torch.randn(512, 64), torch.randn(512, 1)
    training.append(torch.nn.functional.mse_loss(model(inputs), targets))
    training[-1].backward()
    nodes.append(count_nodes(training))
    with torch.autograd.graph.saved_tensors_hooks(Saved, lambda saved: saved.tensor):
        validation.append(torch.nn.functional.mse_loss(model(inputs), targets))
    sizes = {saved.tensor.data_ptr(): saved.tensor.nbytes for saved in alive}
    megabytes.append(sum(sizes.values()) / 1e6)

fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.2), layout="constrained")
for axes, values, unit in ((left, nodes, "node"), (right, megabytes, "MB")):
    axes.plot(range(1, 21), values, color="#c44e52", marker="o", markersize=4)
    axes.axhline(values[0], color="black", linestyle="--", linewidth=1)
    axes.set(xlabel="batch", ylabel=unit, ylim=(0, None), xticks=range(0, 21, 5))
    axes.spines[["top", "right"]].set_visible(False)
plt.show()


# ### Mend `loss_curve`
# 
# **1 point** · ●●○ · about 10 minutes · the idea: [the computation graph and its lifetime](https://pytorch.org/docs/stable/notes/autograd.html)
# 
# The training is right; leave it as it is. Return the loss of each batch as a plain Python float,
# and let no graphs pile up: not while training, and not after the return.

# <details><summary>Hint 1 of 3</summary>
# 
# Five lines do the training and one keeps the record. What does the record hold that a curve on
# paper does not need?
# 
# </details>
# 
# <details><summary>Hint 2 of 3</summary>
# 
# Take the number out of the tensor in the same turn of the loop. Converting the whole list at the
# end is too late: until then, every graph is alive. And `detach()` lets go of the graph, but
# leaves a tensor.
# 
# </details>
# 
# <details><summary>Hint 3 of 3</summary>
# 
# A tensor with one element gives up its number with `.item()`. Use it where the loss goes into the
# list, not before `backward()`, which still needs the tensor.
# 
# </details>

# In[36]:


def loss_curve(model, loss_fn, optimizer, batches):
    """Train for one pass over the batches and return the loss of each batch, in order.

    model: a torch.nn.Module. loss_fn(predictions, targets): returns a scalar tensor.
    optimizer: a torch optimizer over the model's parameters. batches: (inputs, targets) pairs.
    Returns a list of plain Python floats. While a batch is trained, the graphs of earlier ones
    are gone (the last one's at the latest with the new loss); after the return, all of them are.
    Only the parameters and the optimizer's memory change.
    """
    losses = []
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


# In[37]:


check("pitfalls.loss_curve")


# ## In your own words
# 
# **2 points** · ●○○ · about 10 minutes · read by a person · the idea: [gradients accumulate](https://pytorch.org/docs/stable/generated/torch.Tensor.backward.html)
# 
# In `fit_slope` the sum in `.grad` was the bug; in `backward_twice` it was the result. In five to
# ten sentences of your own: why does PyTorch add to `.grad` instead of replacing it, and when is
# that exactly what you want? Give one example of your own where it helps and say what would go
# wrong there if `backward()` replaced the old value. A person reads this answer.

# It adds, so that micro-batches can share one gradient.

# ## Handing in
# 
# 1. Restart the kernel and run all cells from the top: the checks must pass in this order too.
# 2. Save the notebook. Keep its name, `pitfalls.ipynb`, and keep the check cells.
# 3. Submit it the way your course says: with the *Validate* and *Submit* buttons of nbgrader, or as a file.
# 
# Not everything done? Hand in what you have: every exercise counts by itself.
