#!/usr/bin/env python
# coding: utf-8

# # The five steps
# 
# `backward()` tells you which way is uphill. Training is walking the other way: look, take a small
# step, look again. You will build that walk in three parts: a single step, a whole training run
# with one weight, and the loop that trains any PyTorch model.
# 
# The first two parts use five points that almost lie on a line through the origin:
# 
# | $x$ | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|
# | $y$ | 2.5 | 4.9 | 7.6 | 10.1 | 12.4 |
# 
# The model is $\hat y = w\,x$, with one weight. The loss is the mean squared error,
# $L(w) = \frac{1}{N}\sum_i (w x_i - y_i)^2$. The best slope is $w = 2.5$; training has to find it.

# In[1]:


import torch

from autograded import check


# ## One step downhill
# 
# The gradient points to where the loss grows fastest, so we go against it:
# 
# $$w \leftarrow w - \eta\,\frac{\partial L}{\partial w}$$
# 
# The learning rate $\eta$ says how far. At $w = 0$ the gradient for our five points is $-55$: the
# loss falls as $w$ grows. With $\eta = 0.03$ one step takes $w$ from $0$ to
# $0 - 0.03 \cdot (-55) = 1.65$.
# 
# In PyTorch this one line has two traps.
# 
# - **`p = p - lr * p.grad` moves nothing.** It computes a new tensor and gives it the name `p`. The
#   model still holds the old tensor. The parameter has to change *in place*.
# - **Autograd is watching.** Changing a leaf tensor that requires grad is an operation like any
#   other, and autograd refuses to record it. The update is no part of the function we
#   differentiate, so make it where nothing is recorded.
# 
# Run the next cell to see both.

# In[3]:


parameter = torch.tensor(1.0, requires_grad=True)  # the tensor the model holds
p = parameter
(p * 2).backward()

p = p - 0.1 * p.grad
print("p:        ", p)
print("parameter:", parameter)

try:
    parameter -= 0.1 * parameter.grad
except RuntimeError as error:
    print("in place: ", error)


# ## Your turn: `sgd_step(params, lr)`
# 
# **2 points** · ●●○ · about 15 minutes · the idea: [gradient descent](https://pytorch.org/docs/stable/optim.html)
# 
# `params` is a list or a tuple of leaf tensors after a `backward()`. Give each of them one step of
# gradient descent, in place: $p \leftarrow p - \eta\,p_{\text{.grad}}$.
# 
# - The parameters stay what they were: leaf tensors that require grad.
# - `.grad` stays as it is. Clearing it is somebody else's step.
# - A parameter whose `.grad` is `None` had no part in the loss. Skip it.

# <details><summary>Hint 1 of 3</summary>
# 
# Take one parameter at a time and ask two questions. Does it have a gradient? If so, which
# operation changes the numbers *inside* this tensor, rather than making a new one?
# 
# </details>
# 
# <details><summary>Hint 2 of 3</summary>
# 
# `p -= …`, `p.sub_(…)` and `p.add_(…)` work in place. Autograd allows them on a leaf that requires
# grad inside a `with torch.no_grad():` block. Afterwards the leaf still requires grad: the block
# only switches off the recording.
# 
# </details>
# 
# <details><summary>Hint 3 of 3</summary>
# 
# Nearly there:
# 
# ```python
# with torch.no_grad():
#     for p in params:
#         if ...:               # this one has no gradient
#             continue
#         p -= ...
# ```
# 
# </details>

# In[6]:


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


# In[7]:


check("training_loop.sgd_step")


# ## Round and round
# 
# One step is not enough: at the new $w$ the slope is a different one. So training goes in rounds,
# and each round has the same five steps:
# 
# 1. **zero_grad** empties `.grad`.
# 2. **forward** computes the predictions.
# 3. **loss** turns predictions and targets into one number.
# 4. **backward** *adds* $\partial L/\partial w$ to `.grad`.
# 5. **step** *reads* `.grad` and moves $w$. It leaves `.grad` as it is.
# 
# Look at 4 and 5 once more: one adds, the other only reads. Nothing but step 1 ever empties
# `.grad`. The table beside the ring follows rounds (1) and (2) on our five points.

# In[9]:


import matplotlib.pyplot as plt

ring = [  # step, then (w, .grad) after it in round 1 and in round 2
    ("1  zero_grad", ("0", "None"), ("1.65", "None")),
    ("2  forward", ("0", "None"), ("1.65", "None")),
    ("3  loss", ("0", "None"), ("1.65", "None")),
    ("4  backward", ("0", "−55"), ("1.65", "−18.7")),
    ("5  step", ("1.65", "−55"), ("2.211", "−18.7")),
]
figure, (left, right) = plt.subplots(
    1, 2, figsize=(10.5, 3.7), gridspec_kw={"width_ratios": [1, 1.25]}
)
places = [torch.tensor(torch.pi / 2 - 2 * torch.pi * k / 5) for k in range(5)]
places = [(1.3 * angle.cos().item(), angle.sin().item()) for angle in places]
for k, (name, _, _) in enumerate(ring):
    color = {0: "tab:red", 3: "tab:blue", 4: "tab:green"}.get(k, "dimgray")
    box = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": color, "linewidth": 2}
    left.text(*places[k], name, ha="center", va="center", fontsize=11, color=color, bbox=box)
    left.annotate(
        "",
        xy=places[(k + 1) % 5],
        xytext=places[k],
        arrowprops={
            "arrowstyle": "-|>",
            "connectionstyle": "arc3,rad=-0.2",
            "shrinkA": 42,
            "shrinkB": 42,
            "color": "gray",
            "linewidth": 1.5,
        },
    )
left.set(xlim=(-1.75, 1.75), ylim=(-1.0, 1.15), aspect="equal")
left.axis("off")

right.axis("off")
table = right.table(
    cellText=[[name, *first, *second] for name, first, second in ring],
    colLabels=["", "w  (1)", ".grad  (1)", "w  (2)", ".grad  (2)"],
    colWidths=[0.27, 0.15, 0.2, 0.15, 0.2],
    cellLoc="center",
    loc="center",
)
table.auto_set_font_size(False)
table.set_fontsize(11)
table.scale(1, 2)
for (row, column), cell in table.get_celld().items():
    cell.set_edgecolor("lightgray")
    if row == 1 and column in (2, 4):
        cell.set_text_props(color="tab:red")
    if row in (4, 5) and column in (2, 4):
        cell.set_text_props(color="tab:blue")
    if row == 5 and column in (1, 3):
        cell.set_text_props(color="tab:green", weight="bold")
plt.tight_layout()
plt.show()


# ## Your turn: `train_one_parameter(x, y, lr, epochs)`
# 
# **3 points** · ●●○ · about 20 minutes · the idea: [the five steps of training](https://pytorch.org/docs/stable/optim.html)
# 
# Train $\hat y = w\,x$ on all points at once, starting at $w = 0$, with the mean squared error.
# One epoch is one round of the five steps. `x` and `y` are lists of numbers or one-dimensional
# tensors.
# 
# Return `(w, history)`: the trained weight, and a list with one `(loss, w, grad)` for each epoch.
# Take the three numbers after `backward()` and before the step, so that they belong together: this
# loss and this gradient *at* this $w$. They are plain Python floats.
# 
# With the five points above, `lr=0.03` and `epochs=12` you should find:
# 
# | epoch | loss | $w$ before the step | grad | $w$ after the step |
# |---|---|---|---|---|
# | 1 | 68.7580 | 0.0000 | −55.0000 | 1.6500 |
# | 2 | 7.9555 | 1.6500 | −18.7000 | 2.2110 |
# | 3 | 0.9267 | 2.2110 | −6.3580 | 2.4017 |
# | … | | | | |
# | 12 | 0.0080 | 2.5000 | −0.0004 | 2.5000 |
# 
# The last column is not in the history; it is the second one, a row later.

# <details><summary>Hint 1 of 3</summary>
# 
# Before the loop: `w`, a leaf tensor at 0.0 that requires grad, and an empty list. Inside the
# loop: the five steps in order. Ask of each line which of the five it is; forward and loss belong
# *inside*, because $w$ is different in every round.
# 
# </details>
# 
# <details><summary>Hint 2 of 3</summary>
# 
# `torch.as_tensor(x)` accepts lists and tensors alike. To empty a gradient by hand, write
# `w.grad = None`. `.item()` turns a tensor with one element into a plain float; a tensor in the
# history would go on changing with `w`, or keep a graph alive.
# 
# </details>
# 
# <details><summary>Hint 3 of 3</summary>
# 
# Nearly there:
# 
# ```python
# w = torch.tensor(0.0, requires_grad=True)
# history = []
# for epoch in range(epochs):
#     ...                                     # 1 zero_grad
#     prediction = ...                        # 2 forward
#     loss = ...                              # 3 loss
#     ...                                     # 4 backward
#     history.append((..., ..., ...))
#     ...                                     # 5 step, as in sgd_step
# return w.item(), history
# ```
# 
# </details>

# In[12]:


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


# In[13]:


check("training_loop.train_one_parameter")


# ## What the numbers say
# 
# For our points the gradient is $\partial L/\partial w = 22\,(w - 2.5)$. Put that into the update
# and the distance to the answer, $d = w - 2.5$, becomes
# 
# $$d \leftarrow d - 0.03 \cdot 22\,d = 0.34\,d.$$
# 
# Every round keeps 34 % of the distance. The steps shrink by themselves as the slope flattens, and
# the loss falls to 0.008 and no further: the points do not lie *exactly* on a line.

# In[15]:


import matplotlib.pyplot as plt

walk = 2.5 - 2.5 * 0.34 ** torch.arange(12)  # w before the step, epoch 1 to 12
heights = 11 * (walk - 2.5) ** 2 + 0.008
ground = torch.linspace(-0.4, 4.2, 200)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6))
left.plot(ground, 11 * (ground - 2.5) ** 2 + 0.008, color="lightgray", linewidth=2)
left.plot(walk, heights, "o-", color="tab:green", markersize=6, linewidth=1)
for k in range(3):
    left.annotate(
        f"{k + 1}",
        (walk[k], heights[k]),
        xytext=(8, 4),
        textcoords="offset points",
        color="tab:green",
    )
left.set(xlabel="w", ylabel="L(w)", title="L(w) = 11 (w − 2.5)² + 0.008")
right.semilogy(range(1, 13), heights, "o-", color="tab:green")
right.axhline(0.008, color="gray", linestyle="--", linewidth=1)
right.set(xlabel="epoch", ylabel="loss", title="loss", xticks=range(1, 13))
for axes in (left, right):
    axes.spines[["top", "right"]].set_visible(False)
plt.tight_layout()
plt.show()


# ## When step 1 is forgotten
# 
# Leave out zero_grad, and `.grad` holds the sum of all gradients so far:
# 
# | epoch | loss | gradient at this $w$ | what `.grad` holds | $w$ after the step |
# |---|---|---|---|---|
# | 1 | 68.7580 | −55.000 | −55.000 | 1.6500 |
# | 2 | 7.9555 | −18.700 | −73.700 | 3.8610 |
# | 3 | 20.3835 | +29.942 | −43.758 | 5.1737 |
# 
# Epoch 1 is right, for there is nothing to add to yet: this is why one step proves nothing. In
# epoch 2 the old −55 still pushes, and $w$ shoots past 2.5. In epoch 3 the slope says *back*
# (+29.942), but the sum still says *on*. Now the distance follows
# 
# $$d_{k+1} = 1.34\,d_k - d_{k-1},$$
# 
# which is a pendulum without friction. It swings past the answer for ever, and no error message
# comes.

# In[17]:


import matplotlib.pyplot as plt

swing = [-2.5, -0.85]  # distance to 2.5 before the first step and after it
while len(swing) < 31:
    swing.append(1.34 * swing[-1] - swing[-2])

figure, axes = plt.subplots(figsize=(10, 3.6))
axes.axhline(2.5, color="gray", linestyle="--", linewidth=1)
axes.plot([2.5 + d for d in swing], "o-", color="tab:red", markersize=4, label="zero_grad() ✗")
axes.plot(
    2.5 - 2.5 * 0.34 ** torch.arange(31),
    "o-",
    color="tab:green",
    markersize=4,
    label="zero_grad() ✓",
)
axes.set(xlabel="step", ylabel="w", xticks=range(0, 31, 5), ylim=(-0.6, 6.4))
axes.legend(loc="upper right", ncols=2, frameon=False)
axes.spines[["top", "right"]].set_visible(False)
plt.tight_layout()
plt.show()


# ## Any model, any optimizer
# 
# A real model has many parameters, and a real data set comes in *batches*. One epoch visits every
# batch once, and every batch gets its own round of the five steps: 3 batches and 2 epochs make 6
# steps.
# 
# The optimizer holds the parameters, and often a memory as well. Momentum keeps a running sum of
# gradients, Adam also one of their squares, and weight decay pulls every weight towards 0. So
# leave the moving to `optimizer.step()`; a plain $w - \eta\,g$ would lose all that.
# 
# The five steps are a ring, and you may enter it elsewhere: clearing right *after* the step, with
# nothing left over at the start, is the same thing. What counts is that `.grad` is empty when
# `backward()` runs and untouched from there until `step()` has read it. Clear between the two, and
# the step reads nothing. With weight decay the weights may move even then, so do not trust
# movement alone.

# ## Your turn: `train(model, loss_fn, optimizer, batches, epochs)`
# 
# **5 points** · ●●○ · about 25 minutes · the idea: [the five steps of training](https://pytorch.org/docs/stable/optim.html)
# 
# Write the loop. `batches` is a list of `(inputs, targets)` pairs or something like a
# `DataLoader`: you can loop over it again in every epoch, and it may shuffle each time.
# `loss_fn(predictions, targets)` returns a tensor with one number. The optimizer already holds the
# model's parameters, and no gradient is left over when you are called.
# 
# Return a list with one plain float for each optimizer step, in order: the loss of that batch, as
# computed before the step.

# <details><summary>Hint 1 of 3</summary>
# 
# Two loops, one inside the other: epochs outside, batches inside. All five steps belong in the
# inner one. Which objects do the work? The model has the forward pass, `loss_fn` the loss, the
# loss tensor `backward()`, and the optimizer the first and the last step.
# 
# </details>
# 
# <details><summary>Hint 2 of 3</summary>
# 
# A loss tensor holds on to its whole graph, and a list of them holds on to all the graphs. Keep
# `loss.item()`, a plain float. Each call of the inner loop's body appends one.
# 
# </details>
# 
# <details><summary>Hint 3 of 3</summary>
# 
# Nearly there:
# 
# ```python
# losses = []
# for epoch in range(epochs):
#     for inputs, targets in batches:
#         optimizer....                       # 1 zero_grad
#         predictions = ...                   # 2 forward
#         loss = ...                          # 3 loss
#         ...                                 # 4 backward
#         ...                                 # 5 step
#         losses.append(...)
# return losses
# ```
# 
# </details>

# In[21]:


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


# In[22]:


check("training_loop.train")


# ## What to take along
# 
# - `backward()` adds, `step()` reads, `zero_grad()` empties. Each does one thing.
# - One step looks right even when the loop is wrong. Look at the second.
# - Keep numbers, not loss tensors.
# 
# The next assignment hands you functions that look finished and have one thing wrong each. Some of
# them will look familiar now.

# ## Handing in
# 
# 1. Restart the kernel and run all cells from the top: the checks must pass in this order too.
# 2. Save the notebook. Keep its name, `training_loop.ipynb`, and keep the check cells.
# 3. Submit it the way your course says: with the *Validate* and *Submit* buttons of nbgrader, or as a file.
# 
# Not everything done? Hand in what you have: every exercise counts by itself.
