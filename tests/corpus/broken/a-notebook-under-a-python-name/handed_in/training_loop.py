{
 "cells": [
  {
   "id": "intro-text-1",
   "cell_type": "markdown",
   "source": "# The five steps\n\n`backward()` tells you which way is uphill. Training is walking the other way: look, take a small\nstep, look again. You will build that walk in three parts: a single step, a whole training run\nwith one weight, and the loop that trains any PyTorch model.\n\nThe first two parts use five points that almost lie on a line through the origin:\n\n| $x$ | 1 | 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|\n| $y$ | 2.5 | 4.9 | 7.6 | 10.1 | 12.4 |\n\nThe model is $\\hat y = w\\,x$, with one weight. The loss is the mean squared error,\n$L(w) = \\frac{1}{N}\\sum_i (w x_i - y_i)^2$. The best slope is $w = 2.5$; training has to find it.",
   "metadata": {}
  },
  {
   "id": "intro-code-1",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "intro-code-1",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    }
   },
   "execution_count": null,
   "source": "import torch\n\nfrom autograded import check",
   "outputs": []
  },
  {
   "id": "intro-text-2",
   "cell_type": "markdown",
   "source": "## One step downhill\n\nThe gradient points to where the loss grows fastest, so we go against it:\n\n$$w \\leftarrow w - \\eta\\,\\frac{\\partial L}{\\partial w}$$\n\nThe learning rate $\\eta$ says how far. At $w = 0$ the gradient for our five points is $-55$: the\nloss falls as $w$ grows. With $\\eta = 0.03$ one step takes $w$ from $0$ to\n$0 - 0.03 \\cdot (-55) = 1.65$.\n\nIn PyTorch this one line has two traps.\n\n- **`p = p - lr * p.grad` moves nothing.** It computes a new tensor and gives it the name `p`. The\n  model still holds the old tensor. The parameter has to change *in place*.\n- **Autograd is watching.** Changing a leaf tensor that requires grad is an operation like any\n  other, and autograd refuses to record it. The update is no part of the function we\n  differentiate, so make it where nothing is recorded.\n\nRun the next cell to see both.",
   "metadata": {}
  },
  {
   "id": "figure-two-traps",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "figure-two-traps",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    },
    "tags": [
     "figure"
    ]
   },
   "execution_count": null,
   "source": "parameter = torch.tensor(1.0, requires_grad=True)  # the tensor the model holds\np = parameter\n(p * 2).backward()\n\np = p - 0.1 * p.grad\nprint(\"p:        \", p)\nprint(\"parameter:\", parameter)\n\ntry:\n    parameter -= 0.1 * parameter.grad\nexcept RuntimeError as error:\n    print(\"in place: \", error)",
   "outputs": []
  },
  {
   "id": "sgd_step-task",
   "cell_type": "markdown",
   "source": "## Your turn: `sgd_step(params, lr)`\n\n**2 points** · ●●○ · about 15 minutes · the idea: [gradient descent](https://pytorch.org/docs/stable/optim.html)\n\n`params` is a list or a tuple of leaf tensors after a `backward()`. Give each of them one step of\ngradient descent, in place: $p \\leftarrow p - \\eta\\,p_{\\text{.grad}}$.\n\n- The parameters stay what they were: leaf tensors that require grad.\n- `.grad` stays as it is. Clearing it is somebody else's step.\n- A parameter whose `.grad` is `None` had no part in the loss. Skip it.",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "sgd_step-task",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    }
   }
  },
  {
   "id": "sgd_step-hints",
   "cell_type": "markdown",
   "source": "<details><summary>Hint 1 of 3</summary>\n\nTake one parameter at a time and ask two questions. Does it have a gradient? If so, which\noperation changes the numbers *inside* this tensor, rather than making a new one?\n\n</details>\n\n<details><summary>Hint 2 of 3</summary>\n\n`p -= …`, `p.sub_(…)` and `p.add_(…)` work in place. Autograd allows them on a leaf that requires\ngrad inside a `with torch.no_grad():` block. Afterwards the leaf still requires grad: the block\nonly switches off the recording.\n\n</details>\n\n<details><summary>Hint 3 of 3</summary>\n\nNearly there:\n\n```python\nwith torch.no_grad():\n    for p in params:\n        if ...:               # this one has no gradient\n            continue\n        p -= ...\n```\n\n</details>",
   "metadata": {}
  },
  {
   "id": "sgd_step",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "sgd_step",
     "locked": false,
     "schema_version": 3,
     "solution": true,
     "task": false
    }
   },
   "execution_count": null,
   "source": "def sgd_step(params, lr):\n    \"\"\"Move every parameter one step of gradient descent, in place: p ← p − lr · p.grad.\n\n    params: list or tuple of leaf tensors of any shape; lr: the learning rate, a number.\n    The parameters stay leaves that require grad, and each `.grad` stays as it is. A parameter\n    whose `.grad` is None is skipped. Returns nothing.\n    \"\"\"\n    with torch.no_grad():\n        for p in params:\n            if p.grad is not None:\n                p -= lr * p.grad",
   "outputs": []
  },
  {
   "id": "sgd_step-check",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": true,
     "grade_id": "sgd_step-check",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false,
     "points": 2.0
    }
   },
   "execution_count": null,
   "source": "check(\"training_loop.sgd_step\")",
   "outputs": []
  },
  {
   "id": "sgd_step-text-1",
   "cell_type": "markdown",
   "source": "## Round and round\n\nOne step is not enough: at the new $w$ the slope is a different one. So training goes in rounds,\nand each round has the same five steps:\n\n1. **zero_grad** empties `.grad`.\n2. **forward** computes the predictions.\n3. **loss** turns predictions and targets into one number.\n4. **backward** *adds* $\\partial L/\\partial w$ to `.grad`.\n5. **step** *reads* `.grad` and moves $w$. It leaves `.grad` as it is.\n\nLook at 4 and 5 once more: one adds, the other only reads. Nothing but step 1 ever empties\n`.grad`. The table beside the ring follows rounds (1) and (2) on our five points.",
   "metadata": {}
  },
  {
   "id": "figure-five-steps",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "figure-five-steps",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    },
    "tags": [
     "figure"
    ]
   },
   "execution_count": null,
   "source": "import matplotlib.pyplot as plt\n\nring = [  # step, then (w, .grad) after it in round 1 and in round 2\n    (\"1  zero_grad\", (\"0\", \"None\"), (\"1.65\", \"None\")),\n    (\"2  forward\", (\"0\", \"None\"), (\"1.65\", \"None\")),\n    (\"3  loss\", (\"0\", \"None\"), (\"1.65\", \"None\")),\n    (\"4  backward\", (\"0\", \"−55\"), (\"1.65\", \"−18.7\")),\n    (\"5  step\", (\"1.65\", \"−55\"), (\"2.211\", \"−18.7\")),\n]\nfigure, (left, right) = plt.subplots(\n    1, 2, figsize=(10.5, 3.7), gridspec_kw={\"width_ratios\": [1, 1.25]}\n)\nplaces = [torch.tensor(torch.pi / 2 - 2 * torch.pi * k / 5) for k in range(5)]\nplaces = [(1.3 * angle.cos().item(), angle.sin().item()) for angle in places]\nfor k, (name, _, _) in enumerate(ring):\n    color = {0: \"tab:red\", 3: \"tab:blue\", 4: \"tab:green\"}.get(k, \"dimgray\")\n    box = {\"boxstyle\": \"round,pad=0.5\", \"facecolor\": \"white\", \"edgecolor\": color, \"linewidth\": 2}\n    left.text(*places[k], name, ha=\"center\", va=\"center\", fontsize=11, color=color, bbox=box)\n    left.annotate(\n        \"\",\n        xy=places[(k + 1) % 5],\n        xytext=places[k],\n        arrowprops={\n            \"arrowstyle\": \"-|>\",\n            \"connectionstyle\": \"arc3,rad=-0.2\",\n            \"shrinkA\": 42,\n            \"shrinkB\": 42,\n            \"color\": \"gray\",\n            \"linewidth\": 1.5,\n        },\n    )\nleft.set(xlim=(-1.75, 1.75), ylim=(-1.0, 1.15), aspect=\"equal\")\nleft.axis(\"off\")\n\nright.axis(\"off\")\ntable = right.table(\n    cellText=[[name, *first, *second] for name, first, second in ring],\n    colLabels=[\"\", \"w  (1)\", \".grad  (1)\", \"w  (2)\", \".grad  (2)\"],\n    colWidths=[0.27, 0.15, 0.2, 0.15, 0.2],\n    cellLoc=\"center\",\n    loc=\"center\",\n)\ntable.auto_set_font_size(False)\ntable.set_fontsize(11)\ntable.scale(1, 2)\nfor (row, column), cell in table.get_celld().items():\n    cell.set_edgecolor(\"lightgray\")\n    if row == 1 and column in (2, 4):\n        cell.set_text_props(color=\"tab:red\")\n    if row in (4, 5) and column in (2, 4):\n        cell.set_text_props(color=\"tab:blue\")\n    if row == 5 and column in (1, 3):\n        cell.set_text_props(color=\"tab:green\", weight=\"bold\")\nplt.tight_layout()\nplt.show()",
   "outputs": []
  },
  {
   "id": "train_one_parameter-task",
   "cell_type": "markdown",
   "source": "## Your turn: `train_one_parameter(x, y, lr, epochs)`\n\n**3 points** · ●●○ · about 20 minutes · the idea: [the five steps of training](https://pytorch.org/docs/stable/optim.html)\n\nTrain $\\hat y = w\\,x$ on all points at once, starting at $w = 0$, with the mean squared error.\nOne epoch is one round of the five steps. `x` and `y` are lists of numbers or one-dimensional\ntensors.\n\nReturn `(w, history)`: the trained weight, and a list with one `(loss, w, grad)` for each epoch.\nTake the three numbers after `backward()` and before the step, so that they belong together: this\nloss and this gradient *at* this $w$. They are plain Python floats.\n\nWith the five points above, `lr=0.03` and `epochs=12` you should find:\n\n| epoch | loss | $w$ before the step | grad | $w$ after the step |\n|---|---|---|---|---|\n| 1 | 68.7580 | 0.0000 | −55.0000 | 1.6500 |\n| 2 | 7.9555 | 1.6500 | −18.7000 | 2.2110 |\n| 3 | 0.9267 | 2.2110 | −6.3580 | 2.4017 |\n| … | | | | |\n| 12 | 0.0080 | 2.5000 | −0.0004 | 2.5000 |\n\nThe last column is not in the history; it is the second one, a row later.",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "train_one_parameter-task",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    }
   }
  },
  {
   "id": "train_one_parameter-hints",
   "cell_type": "markdown",
   "source": "<details><summary>Hint 1 of 3</summary>\n\nBefore the loop: `w`, a leaf tensor at 0.0 that requires grad, and an empty list. Inside the\nloop: the five steps in order. Ask of each line which of the five it is; forward and loss belong\n*inside*, because $w$ is different in every round.\n\n</details>\n\n<details><summary>Hint 2 of 3</summary>\n\n`torch.as_tensor(x)` accepts lists and tensors alike. To empty a gradient by hand, write\n`w.grad = None`. `.item()` turns a tensor with one element into a plain float; a tensor in the\nhistory would go on changing with `w`, or keep a graph alive.\n\n</details>\n\n<details><summary>Hint 3 of 3</summary>\n\nNearly there:\n\n```python\nw = torch.tensor(0.0, requires_grad=True)\nhistory = []\nfor epoch in range(epochs):\n    ...                                     # 1 zero_grad\n    prediction = ...                        # 2 forward\n    loss = ...                              # 3 loss\n    ...                                     # 4 backward\n    history.append((..., ..., ...))\n    ...                                     # 5 step, as in sgd_step\nreturn w.item(), history\n```\n\n</details>",
   "metadata": {}
  },
  {
   "id": "train_one_parameter",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "train_one_parameter",
     "locked": false,
     "schema_version": 3,
     "solution": true,
     "task": false
    }
   },
   "execution_count": null,
   "source": "def train_one_parameter(x, y, lr, epochs):\n    \"\"\"Fit y ≈ w · x by gradient descent on the mean squared error, starting at w = 0.\n\n    x, y: lists of N numbers, or tensors of shape (N,); lr: learning rate; epochs: number of steps.\n    Returns (w, history): the weight after the last step, and for every epoch one tuple\n    (loss, w, grad) of plain floats, taken after backward and before the step.\n    \"\"\"\n    x, y = torch.as_tensor(x), torch.as_tensor(y)\n    w = torch.tensor(0.0, requires_grad=True)\n    history = []\n    for _ in range(epochs):\n        w.grad = None\n        prediction = w * x\n        loss = ((prediction - y) ** 2).mean()\n        loss.backward()\n        history.append((loss.item(), w.item(), w.grad.item()))\n        with torch.no_grad():\n            w -= lr * w.grad\n    return w.item(), history",
   "outputs": []
  },
  {
   "id": "train_one_parameter-check",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": true,
     "grade_id": "train_one_parameter-check",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false,
     "points": 3.0
    }
   },
   "execution_count": null,
   "source": "check(\"training_loop.train_one_parameter\")",
   "outputs": []
  },
  {
   "id": "train_one_parameter-text-1",
   "cell_type": "markdown",
   "source": "## What the numbers say\n\nFor our points the gradient is $\\partial L/\\partial w = 22\\,(w - 2.5)$. Put that into the update\nand the distance to the answer, $d = w - 2.5$, becomes\n\n$$d \\leftarrow d - 0.03 \\cdot 22\\,d = 0.34\\,d.$$\n\nEvery round keeps 34 % of the distance. The steps shrink by themselves as the slope flattens, and\nthe loss falls to 0.008 and no further: the points do not lie *exactly* on a line.",
   "metadata": {}
  },
  {
   "id": "figure-loss-curve",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "figure-loss-curve",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    },
    "tags": [
     "figure"
    ]
   },
   "execution_count": null,
   "source": "import matplotlib.pyplot as plt\n\nwalk = 2.5 - 2.5 * 0.34 ** torch.arange(12)  # w before the step, epoch 1 to 12\nheights = 11 * (walk - 2.5) ** 2 + 0.008\nground = torch.linspace(-0.4, 4.2, 200)\n\nfigure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6))\nleft.plot(ground, 11 * (ground - 2.5) ** 2 + 0.008, color=\"lightgray\", linewidth=2)\nleft.plot(walk, heights, \"o-\", color=\"tab:green\", markersize=6, linewidth=1)\nfor k in range(3):\n    left.annotate(\n        f\"{k + 1}\",\n        (walk[k], heights[k]),\n        xytext=(8, 4),\n        textcoords=\"offset points\",\n        color=\"tab:green\",\n    )\nleft.set(xlabel=\"w\", ylabel=\"L(w)\", title=\"L(w) = 11 (w − 2.5)² + 0.008\")\nright.semilogy(range(1, 13), heights, \"o-\", color=\"tab:green\")\nright.axhline(0.008, color=\"gray\", linestyle=\"--\", linewidth=1)\nright.set(xlabel=\"epoch\", ylabel=\"loss\", title=\"loss\", xticks=range(1, 13))\nfor axes in (left, right):\n    axes.spines[[\"top\", \"right\"]].set_visible(False)\nplt.tight_layout()\nplt.show()",
   "outputs": []
  },
  {
   "id": "train_one_parameter-text-2",
   "cell_type": "markdown",
   "source": "## When step 1 is forgotten\n\nLeave out zero_grad, and `.grad` holds the sum of all gradients so far:\n\n| epoch | loss | gradient at this $w$ | what `.grad` holds | $w$ after the step |\n|---|---|---|---|---|\n| 1 | 68.7580 | −55.000 | −55.000 | 1.6500 |\n| 2 | 7.9555 | −18.700 | −73.700 | 3.8610 |\n| 3 | 20.3835 | +29.942 | −43.758 | 5.1737 |\n\nEpoch 1 is right, for there is nothing to add to yet: this is why one step proves nothing. In\nepoch 2 the old −55 still pushes, and $w$ shoots past 2.5. In epoch 3 the slope says *back*\n(+29.942), but the sum still says *on*. Now the distance follows\n\n$$d_{k+1} = 1.34\\,d_k - d_{k-1},$$\n\nwhich is a pendulum without friction. It swings past the answer for ever, and no error message\ncomes.",
   "metadata": {}
  },
  {
   "id": "figure-with-and-without-zero-grad",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "figure-with-and-without-zero-grad",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    },
    "tags": [
     "figure"
    ]
   },
   "execution_count": null,
   "source": "import matplotlib.pyplot as plt\n\nswing = [-2.5, -0.85]  # distance to 2.5 before the first step and after it\nwhile len(swing) < 31:\n    swing.append(1.34 * swing[-1] - swing[-2])\n\nfigure, axes = plt.subplots(figsize=(10, 3.6))\naxes.axhline(2.5, color=\"gray\", linestyle=\"--\", linewidth=1)\naxes.plot([2.5 + d for d in swing], \"o-\", color=\"tab:red\", markersize=4, label=\"zero_grad() ✗\")\naxes.plot(\n    2.5 - 2.5 * 0.34 ** torch.arange(31),\n    \"o-\",\n    color=\"tab:green\",\n    markersize=4,\n    label=\"zero_grad() ✓\",\n)\naxes.set(xlabel=\"step\", ylabel=\"w\", xticks=range(0, 31, 5), ylim=(-0.6, 6.4))\naxes.legend(loc=\"upper right\", ncols=2, frameon=False)\naxes.spines[[\"top\", \"right\"]].set_visible(False)\nplt.tight_layout()\nplt.show()",
   "outputs": []
  },
  {
   "id": "train_one_parameter-text-3",
   "cell_type": "markdown",
   "source": "## Any model, any optimizer\n\nA real model has many parameters, and a real data set comes in *batches*. One epoch visits every\nbatch once, and every batch gets its own round of the five steps: 3 batches and 2 epochs make 6\nsteps.\n\nThe optimizer holds the parameters, and often a memory as well. Momentum keeps a running sum of\ngradients, Adam also one of their squares, and weight decay pulls every weight towards 0. So\nleave the moving to `optimizer.step()`; a plain $w - \\eta\\,g$ would lose all that.\n\nThe five steps are a ring, and you may enter it elsewhere: clearing right *after* the step, with\nnothing left over at the start, is the same thing. What counts is that `.grad` is empty when\n`backward()` runs and untouched from there until `step()` has read it. Clear between the two, and\nthe step reads nothing. With weight decay the weights may move even then, so do not trust\nmovement alone.",
   "metadata": {}
  },
  {
   "id": "train-task",
   "cell_type": "markdown",
   "source": "## Your turn: `train(model, loss_fn, optimizer, batches, epochs)`\n\n**5 points** · ●●○ · about 25 minutes · the idea: [the five steps of training](https://pytorch.org/docs/stable/optim.html)\n\nWrite the loop. `batches` is a list of `(inputs, targets)` pairs or something like a\n`DataLoader`: you can loop over it again in every epoch, and it may shuffle each time.\n`loss_fn(predictions, targets)` returns a tensor with one number. The optimizer already holds the\nmodel's parameters, and no gradient is left over when you are called.\n\nReturn a list with one plain float for each optimizer step, in order: the loss of that batch, as\ncomputed before the step.",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "train-task",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false
    }
   }
  },
  {
   "id": "train-hints",
   "cell_type": "markdown",
   "source": "<details><summary>Hint 1 of 3</summary>\n\nTwo loops, one inside the other: epochs outside, batches inside. All five steps belong in the\ninner one. Which objects do the work? The model has the forward pass, `loss_fn` the loss, the\nloss tensor `backward()`, and the optimizer the first and the last step.\n\n</details>\n\n<details><summary>Hint 2 of 3</summary>\n\nA loss tensor holds on to its whole graph, and a list of them holds on to all the graphs. Keep\n`loss.item()`, a plain float. Each call of the inner loop's body appends one.\n\n</details>\n\n<details><summary>Hint 3 of 3</summary>\n\nNearly there:\n\n```python\nlosses = []\nfor epoch in range(epochs):\n    for inputs, targets in batches:\n        optimizer....                       # 1 zero_grad\n        predictions = ...                   # 2 forward\n        loss = ...                          # 3 loss\n        ...                                 # 4 backward\n        ...                                 # 5 step\n        losses.append(...)\nreturn losses\n```\n\n</details>",
   "metadata": {}
  },
  {
   "id": "train",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": false,
     "grade_id": "train",
     "locked": false,
     "schema_version": 3,
     "solution": true,
     "task": false
    }
   },
   "execution_count": null,
   "source": "def train(model, loss_fn, optimizer, batches, epochs):\n    \"\"\"Train `model` with the five steps: zero_grad, forward, loss, backward, step.\n\n    model: a torch.nn.Module; loss_fn(predictions, targets): a scalar tensor; optimizer: any\n    torch.optim optimizer over the model's parameters; batches: (inputs, targets) pairs, looped\n    over once an epoch.\n    Returns the losses: one plain float for each optimizer step, in order. Only parameters move:\n    which of them require grad, the model's mode and the batches stay as they were.\n    \"\"\"\n    losses = []\n    for _ in range(epochs):\n        for inputs, targets in batches:\n            optimizer.zero_grad()\n            predictions = model(inputs)\n            loss = loss_fn(predictions, targets)\n            loss.backward()\n            optimizer.step()\n            losses.append(loss.item())\n    return losses",
   "outputs": []
  },
  {
   "id": "train-check",
   "cell_type": "code",
   "metadata": {
    "nbgrader": {
     "grade": true,
     "grade_id": "train-check",
     "locked": true,
     "schema_version": 3,
     "solution": false,
     "task": false,
     "points": 5.0
    }
   },
   "execution_count": null,
   "source": "check(\"training_loop.train\")",
   "outputs": []
  },
  {
   "id": "train-text-1",
   "cell_type": "markdown",
   "source": "## What to take along\n\n- `backward()` adds, `step()` reads, `zero_grad()` empties. Each does one thing.\n- One step looks right even when the loop is wrong. Look at the second.\n- Keep numbers, not loss tensors.\n\nThe next assignment hands you functions that look finished and have one thing wrong each. Some of\nthem will look familiar now.",
   "metadata": {}
  },
  {
   "id": "hand-in",
   "cell_type": "markdown",
   "source": "## Handing in\n\n1. Restart the kernel and run all cells from the top: the checks must pass in this order too.\n2. Save the notebook. Keep its name, `training_loop.ipynb`, and keep the check cells.\n3. Submit it the way your course says: with the *Validate* and *Submit* buttons of nbgrader, or as a file.\n\nNot everything done? Hand in what you have: every exercise counts by itself.",
   "metadata": {}
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Python 3",
   "language": "python",
   "name": "python3"
  },
  "language_info": {
   "name": "python"
  },
  "autograded": {
   "assignment": "training_loop",
   "language": "en"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
