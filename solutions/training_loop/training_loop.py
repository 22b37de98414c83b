# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# # Lima langkah
#
# `backward()` memberi tahu arah mana yang menanjak. Melatih model berarti berjalan ke arah
# sebaliknya: lihat, ambil satu langkah kecil, lalu lihat lagi. Perjalanan itu Anda bangun dalam
# tiga bagian: satu langkah, satu pelatihan penuh dengan satu bobot, dan loop yang bisa melatih
# model PyTorch apa pun.
#
# Dua bagian pertama memakai lima titik yang hampir terletak pada satu garis melalui titik asal:
#
# | $x$ | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|
# | $y$ | 2.5 | 4.9 | 7.6 | 10.1 | 12.4 |
#
# Modelnya $\hat y = w\,x$, dengan satu bobot. Fungsi loss-nya rata-rata galat kuadrat,
# $L(w) = \frac{1}{N}\sum_i (w x_i - y_i)^2$. Kemiringan terbaik adalah $w = 2.5$; tugas pelatihan
# adalah menemukannya.

# %%
import torch

from autograded import check

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Satu langkah turun
#
# Gradien menunjuk ke arah loss naik paling cepat, jadi kita bergerak melawannya:
#
# $$w \leftarrow w - \eta\,\frac{\partial L}{\partial w}$$
#
# Laju pembelajaran $\eta$ menentukan seberapa jauh. Di $w = 0$, gradien untuk kelima titik tadi
# adalah $-55$: loss turun bila $w$ naik. Dengan $\eta = 0.03$, satu langkah membawa $w$ dari $0$
# ke $0 - 0.03 \cdot (-55) = 1.65$.
#
# Di PyTorch, baris yang satu ini menyimpan dua jebakan.
#
# - **`p = p - lr * p.grad` tidak menggeser apa-apa.** Baris itu menghitung tensor baru, lalu
#   menamainya `p`. Model masih memegang tensor yang lama. Parameter harus diubah *di tempat*
#   (in place).
# - **Autograd mengawasi.** Mengubah tensor daun yang memerlukan gradien adalah operasi seperti
#   operasi lain, dan autograd menolak mencatatnya. Pembaruan bobot bukan bagian dari fungsi yang
#   kita turunkan, jadi lakukan di tempat yang tidak dicatat.
#
# Jalankan sel berikut untuk melihat keduanya.

# %% figure="two-traps"
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

# %% [markdown] task="sgd_step" lang="en"
# ## Your turn: `sgd_step(params, lr)`
#
# `params` is a list or a tuple of leaf tensors after a `backward()`. Give each of them one step of
# gradient descent, in place: $p \leftarrow p - \eta\,p_{\text{.grad}}$.
#
# - The parameters stay what they were: leaf tensors that require grad.
# - `.grad` stays as it is. Clearing it is somebody else's step.
# - A parameter whose `.grad` is `None` had no part in the loss. Skip it.

# %% [markdown] task="sgd_step" lang="id"
# ## Giliran Anda: `sgd_step(params, lr)`
#
# `params` adalah list atau tuple berisi tensor daun, setelah `backward()`. Beri masing-masing satu
# langkah penurunan gradien, di tempat: $p \leftarrow p - \eta\,p_{\text{.grad}}$.
#
# - Parameter tetap seperti semula: tensor daun yang memerlukan gradien.
# - `.grad` dibiarkan apa adanya. Mengosongkannya adalah urusan langkah lain.
# - Parameter yang `.grad`-nya `None` tidak ikut membentuk loss. Lewati.

# %% [markdown] hint="sgd_step" lang="en"
# Take one parameter at a time and ask two questions. Does it have a gradient? If so, which
# operation changes the numbers *inside* this tensor, rather than making a new one?

# %% [markdown] hint="sgd_step" lang="id"
# Ambil parameter satu per satu dan ajukan dua pertanyaan. Apakah ia punya gradien? Kalau ya,
# operasi mana yang mengubah angka *di dalam* tensor ini, bukan membuat tensor baru?

# %% [markdown] hint="sgd_step" lang="en"
# `p -= …`, `p.sub_(…)` and `p.add_(…)` work in place. Autograd allows them on a leaf that requires
# grad inside a `with torch.no_grad():` block. Afterwards the leaf still requires grad: the block
# only switches off the recording.

# %% [markdown] hint="sgd_step" lang="id"
# `p -= …`, `p.sub_(…)` dan `p.add_(…)` bekerja di tempat. Autograd mengizinkannya pada tensor daun
# yang memerlukan gradien di dalam blok `with torch.no_grad():`. Setelah itu tensor daun tetap
# memerlukan gradien: blok tersebut hanya mematikan pencatatan.

# %% [markdown] hint="sgd_step" lang="en"
# Nearly there:
#
# ```python
# with torch.no_grad():
#     for p in params:
#         if ...:               # this one has no gradient
#             continue
#         p -= ...
# ```

# %% [markdown] hint="sgd_step" lang="id"
# Hampir selesai:
#
# ```python
# with torch.no_grad():
#     for p in params:
#         if ...:               # yang ini tidak punya gradien
#             continue
#         p -= ...
# ```


# %% exercise="sgd_step"
def sgd_step(params, lr):
    """Move every parameter one step of gradient descent, in place: p ← p − lr · p.grad.

    params: list or tuple of leaf tensors of any shape; lr: the learning rate, a number.
    The parameters stay leaves that require grad, and each `.grad` stays as it is. A parameter
    whose `.grad` is None is skipped. Returns nothing.
    """
    ### BEGIN SOLUTION
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
    ### END SOLUTION


# %% check="sgd_step"
check("training_loop.sgd_step")

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Berputar terus
#
# Satu langkah tidak cukup: di $w$ yang baru, kemiringannya sudah lain. Karena itu pelatihan
# berjalan dalam putaran, dan setiap putaran terdiri atas lima langkah yang sama:
#
# 1. **zero_grad** mengosongkan `.grad`.
# 2. **forward** menghitung prediksi.
# 3. **loss** meringkas prediksi dan target menjadi satu angka.
# 4. **backward** *menambahkan* $\partial L/\partial w$ ke `.grad`.
# 5. **step** *membaca* `.grad` dan menggeser $w$. `.grad` dibiarkan apa adanya.
#
# Perhatikan lagi nomor 4 dan 5: yang satu menambah, yang lain hanya membaca. Selain langkah 1,
# tidak ada yang mengosongkan `.grad`. Tabel di samping lingkaran mengikuti putaran (1) dan (2) pada
# kelima titik kita.

# %% figure="five-steps"
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

# %% [markdown] task="train_one_parameter" lang="en"
# ## Your turn: `train_one_parameter(x, y, lr, epochs)`
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

# %% [markdown] task="train_one_parameter" lang="id"
# ## Giliran Anda: `train_one_parameter(x, y, lr, epochs)`
#
# Latih $\hat y = w\,x$ pada semua titik sekaligus, mulai dari $w = 0$, dengan rata-rata galat
# kuadrat. Satu epoch adalah satu putaran lima langkah. `x` dan `y` berupa list angka atau tensor
# satu dimensi.
#
# Kembalikan `(w, history)`: bobot hasil pelatihan, dan list berisi satu `(loss, w, grad)` untuk
# setiap epoch. Ambil ketiga angka itu setelah `backward()` dan sebelum step, supaya ketiganya
# sepasang: loss ini dan gradien ini *pada* $w$ ini. Semuanya float Python biasa.
#
# Dengan kelima titik di atas, `lr=0.03` dan `epochs=12`, hasilnya seharusnya:
#
# | epoch | loss | $w$ sebelum step | grad | $w$ sesudah step |
# |---|---|---|---|---|
# | 1 | 68.7580 | 0.0000 | −55.0000 | 1.6500 |
# | 2 | 7.9555 | 1.6500 | −18.7000 | 2.2110 |
# | 3 | 0.9267 | 2.2110 | −6.3580 | 2.4017 |
# | … | | | | |
# | 12 | 0.0080 | 2.5000 | −0.0004 | 2.5000 |
#
# Kolom terakhir tidak masuk history; isinya sama dengan kolom kedua, satu baris kemudian.

# %% [markdown] hint="train_one_parameter" lang="en"
# Before the loop: `w`, a leaf tensor at 0.0 that requires grad, and an empty list. Inside the
# loop: the five steps in order. Ask of each line which of the five it is; forward and loss belong
# *inside*, because $w$ is different in every round.

# %% [markdown] hint="train_one_parameter" lang="id"
# Sebelum loop: `w`, tensor daun bernilai 0.0 yang memerlukan gradien, dan sebuah list kosong. Di
# dalam loop: lima langkah secara berurutan. Untuk setiap baris, tanyakan langkah nomor berapa itu;
# forward dan loss harus *di dalam*, karena $w$ berbeda di setiap putaran.

# %% [markdown] hint="train_one_parameter" lang="en"
# `torch.as_tensor(x)` accepts lists and tensors alike. To empty a gradient by hand, write
# `w.grad = None`. `.item()` turns a tensor with one element into a plain float; a tensor in the
# history would go on changing with `w`, or keep a graph alive.

# %% [markdown] hint="train_one_parameter" lang="id"
# `torch.as_tensor(x)` menerima list maupun tensor. Untuk mengosongkan gradien secara manual,
# tulis `w.grad = None`. `.item()` mengubah tensor satu elemen menjadi float biasa; tensor di dalam
# history akan ikut berubah bersama `w`, atau membuat graf komputasi tetap hidup.

# %% [markdown] hint="train_one_parameter" lang="en"
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

# %% [markdown] hint="train_one_parameter" lang="id"
# Hampir selesai:
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
#     ...                                     # 5 step, seperti di sgd_step
# return w.item(), history
# ```


# %% exercise="train_one_parameter"
def train_one_parameter(x, y, lr, epochs):
    """Fit y ≈ w · x by gradient descent on the mean squared error, starting at w = 0.

    x, y: lists of N numbers, or tensors of shape (N,); lr: learning rate; epochs: number of steps.
    Returns (w, history): the weight after the last step, and for every epoch one tuple
    (loss, w, grad) of plain floats, taken after backward and before the step.
    """
    ### BEGIN SOLUTION
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
    ### END SOLUTION


# %% check="train_one_parameter"
check("training_loop.train_one_parameter")

# %% [markdown] lang="en"
# ## What the numbers say
#
# For our points the gradient is $\partial L/\partial w = 22\,(w - 2.5)$. Put that into the update
# and the distance to the answer, $d = w - 2.5$, becomes
#
# $$d \leftarrow d - 0.03 \cdot 22\,d = 0.34\,d.$$
#
# Every round keeps 34 % of the distance. The steps shrink by themselves as the slope flattens, and
# the loss falls to 0.008 and no further: the points do not lie *exactly* on a line.

# %% [markdown] lang="id"
# ## Apa kata angka-angkanya
#
# Untuk titik-titik kita, gradiennya $\partial L/\partial w = 22\,(w - 2.5)$. Masukkan ke rumus
# pembaruan, maka jarak ke jawaban, $d = w - 2.5$, menjadi
#
# $$d \leftarrow d - 0.03 \cdot 22\,d = 0.34\,d.$$
#
# Setiap putaran menyisakan 34 % dari jarak semula. Langkahnya mengecil sendiri saat lerengnya
# melandai, dan loss turun sampai 0.008 lalu berhenti: titik-titiknya memang tidak *persis*
# segaris.

# %% figure="loss-curve"
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

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Kalau langkah 1 terlupa
#
# Tanpa zero_grad, `.grad` berisi jumlah semua gradien sejauh ini:
#
# | epoch | loss | gradien pada $w$ ini | isi `.grad` | $w$ sesudah step |
# |---|---|---|---|---|
# | 1 | 68.7580 | −55.000 | −55.000 | 1.6500 |
# | 2 | 7.9555 | −18.700 | −73.700 | 3.8610 |
# | 3 | 20.3835 | +29.942 | −43.758 | 5.1737 |
#
# Epoch 1 benar, karena belum ada apa pun yang bisa ditambahi: itulah sebabnya satu langkah tidak
# membuktikan apa-apa. Di epoch 2, −55 yang lama masih mendorong, dan $w$ melesat melewati 2.5. Di
# epoch 3, kemiringan berkata *mundur* (+29.942), tetapi jumlahnya masih berkata *maju*. Kini
# jaraknya mengikuti
#
# $$d_{k+1} = 1.34\,d_k - d_{k-1},$$
#
# yaitu bandul tanpa gesekan. Ia berayun melewati jawaban selamanya, dan tidak ada pesan galat yang
# muncul.

# %% figure="with-and-without-zero-grad"
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

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Model apa pun, optimizer apa pun
#
# Model sungguhan punya banyak parameter, dan data sungguhan datang dalam *batch*. Satu epoch
# mengunjungi setiap batch satu kali, dan setiap batch mendapat putaran lima langkahnya sendiri:
# 3 batch dan 2 epoch berarti 6 langkah.
#
# Optimizer memegang parameter, dan sering juga sebuah ingatan. Momentum menyimpan jumlah berjalan
# dari gradien, Adam juga menyimpan kuadratnya, dan weight decay menarik setiap bobot ke arah 0.
# Karena itu serahkan penggeseran bobot kepada `optimizer.step()`; $w - \eta\,g$ yang polos akan
# kehilangan semua itu.
#
# Lima langkah membentuk lingkaran, dan Anda boleh masuk dari titik lain: mengosongkan tepat
# *setelah* step, tanpa sisa gradien di awal, sama saja. Yang penting, `.grad` kosong saat
# `backward()` berjalan dan tidak disentuh sampai `step()` selesai membacanya. Kalau dikosongkan di
# antara keduanya, step tidak membaca apa-apa. Dengan weight decay, bobot bisa tetap bergerak
# sekalipun begitu, jadi jangan percaya hanya karena bobotnya bergerak.

# %% [markdown] task="train" lang="en"
# ## Your turn: `train(model, loss_fn, optimizer, batches, epochs)`
#
# Write the loop. `batches` is a list of `(inputs, targets)` pairs or something like a
# `DataLoader`: you can loop over it again in every epoch, and it may shuffle each time.
# `loss_fn(predictions, targets)` returns a tensor with one number. The optimizer already holds the
# model's parameters, and no gradient is left over when you are called.
#
# Return a list with one plain float for each optimizer step, in order: the loss of that batch, as
# computed before the step.

# %% [markdown] task="train" lang="id"
# ## Giliran Anda: `train(model, loss_fn, optimizer, batches, epochs)`
#
# Tulis loop-nya. `batches` adalah list pasangan `(inputs, targets)` atau sesuatu seperti
# `DataLoader`: bisa diulang dari awal di setiap epoch, dan boleh jadi diacak setiap kali.
# `loss_fn(predictions, targets)` mengembalikan tensor berisi satu angka. Optimizer sudah memegang
# parameter model, dan tidak ada sisa gradien saat fungsi ini dipanggil.
#
# Kembalikan list berisi satu float biasa untuk setiap langkah optimizer, berurutan: loss batch
# itu, sebagaimana dihitung sebelum step.

# %% [markdown] hint="train" lang="en"
# Two loops, one inside the other: epochs outside, batches inside. All five steps belong in the
# inner one. Which objects do the work? The model has the forward pass, `loss_fn` the loss, the
# loss tensor `backward()`, and the optimizer the first and the last step.

# %% [markdown] hint="train" lang="id"
# Dua loop, satu di dalam yang lain: epoch di luar, batch di dalam. Kelima langkah ada di loop
# dalam. Siapa yang mengerjakan apa? Model mengerjakan forward, `loss_fn` menghitung loss, tensor
# loss punya `backward()`, dan optimizer mengerjakan langkah pertama dan terakhir.

# %% [markdown] hint="train" lang="en"
# A loss tensor holds on to its whole graph, and a list of them holds on to all the graphs. Keep
# `loss.item()`, a plain float. Each call of the inner loop's body appends one.

# %% [markdown] hint="train" lang="id"
# Tensor loss memegang seluruh graf komputasinya, dan list berisi tensor loss memegang semua graf.
# Simpan `loss.item()`, sebuah float biasa. Setiap putaran loop dalam menambahkan satu.

# %% [markdown] hint="train" lang="en"
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

# %% [markdown] hint="train" lang="id"
# Hampir selesai:
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


# %% exercise="train"
def train(model, loss_fn, optimizer, batches, epochs):
    """Train `model` with the five steps: zero_grad, forward, loss, backward, step.

    model: a torch.nn.Module; loss_fn(predictions, targets): a scalar tensor; optimizer: any
    torch.optim optimizer over the model's parameters; batches: (inputs, targets) pairs, looped
    over once an epoch.
    Returns the losses: one plain float for each optimizer step, in order. Only parameters move:
    which of them require grad, the model's mode and the batches stay as they were.
    """
    ### BEGIN SOLUTION
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
    ### END SOLUTION


# %% check="train"
check("training_loop.train")

# %% [markdown] lang="en"
# ## What to take along
#
# - `backward()` adds, `step()` reads, `zero_grad()` empties. Each does one thing.
# - One step looks right even when the loop is wrong. Look at the second.
# - Keep numbers, not loss tensors.
#
# The next assignment hands you functions that look finished and have one thing wrong each. Some of
# them will look familiar now.

# %% [markdown] lang="id"
# ## Yang perlu dibawa pulang
#
# - `backward()` menambah, `step()` membaca, `zero_grad()` mengosongkan. Masing-masing satu tugas.
# - Satu langkah tampak benar sekalipun loop-nya salah. Lihat langkah kedua.
# - Simpan angka, bukan tensor loss.
#
# Tugas berikutnya memberi Anda fungsi-fungsi yang tampak sudah jadi, tetapi masing-masing punya
# satu kesalahan. Beberapa di antaranya kini akan terasa akrab.
