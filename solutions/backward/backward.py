# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# # Memanggil `backward()` dan membaca `.grad`
#
# Tensor yang meminta gradien membuat PyTorch mencatat: operasi apa yang dilakukan, dan terhadap
# apa. `backward()` membaca catatan itu dari baris terakhir ke baris pertama, lalu menaruh
# turunannya di `.grad`. Notebook ini membahas satu panggilan itu: apa yang diperlukannya, di mana
# jawabannya muncul, dan mengapa jawabannya kadang lebih besar daripada dugaan kita.
#
# Setelah selesai, Anda dapat
#
# - menurunkan fungsi apa pun yang dapat Anda program, dengan satu keluaran atau banyak;
# - memotong batch besar menjadi bagian-bagian kecil tanpa mengubah gradien keseluruhannya;
# - mengajukan dua pertanyaan kepada satu graf, tanpa menghitungnya dua kali.

# %%
import torch

from autograded import check

# %% [markdown] lang="en"
# ## One number in, one number out
#
# Take $y = x^2$ at $x = 3$. On paper, $\frac{dy}{dx} = 2x = 6$.

# %% [markdown] lang="id"
# ## Satu bilangan masuk, satu bilangan keluar
#
# Ambil $y = x^2$ di $x = 3$. Di atas kertas, $\frac{dy}{dx} = 2x = 6$.

# %%
x = torch.tensor(3.0, requires_grad=True)
y = x**2

print("y:", y.item())
print("last note:", y.grad_fn.name())
print("x.grad before backward:", x.grad)

y.backward()
print("x.grad after backward:", x.grad)

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# Ada tiga hal yang perlu dilihat.
#
# - `x` adalah **tensor daun** (*leaf*): Anda yang membuatnya, bukan hasil operasi.
#   `requires_grad=True` memulai pencatatan.
# - `y` dihasilkan oleh sebuah operasi, jadi ia membawa `grad_fn`, di sini `PowBackward0`: jalan
#   pulang melalui pangkat.
# - Jawabannya ada di `x`, bukan di `y`, dan bukan pula pada nilai kembalian `backward()` (yang
#   tidak mengembalikan apa-apa). Sebelum panggilan itu `x.grad` bernilai `None`: belum ada yang
#   bertanya.
#
# Dengan lebih banyak operasi, catatan itu menjadi **graf komputasi**. `backward()` mulai dari ujung
# dengan $\frac{dy}{dy} = 1$, lalu mengalikannya dengan satu turunan lokal untuk tiap operasi.
# Itulah aturan rantai, dikerjakan sambil berjalan.

# %% figure="graph-walk"
import matplotlib.pyplot as plt

x = torch.tensor(3.0, requires_grad=True)
u = x**2
y = 2 * u + 1
u.retain_grad()  # u is no leaf: its gradient is kept only on request
y.retain_grad()
y.backward()

figure, axes = plt.subplots(figsize=(8.4, 3.0))
nodes = [("x", x, 0.0), ("u", u, 4.0), ("y", y, 8.0)]
for name, node, left in nodes:
    axes.text(
        left,
        0,
        f"${name} = {node.item():g}$",
        fontsize=14,
        ha="center",
        va="center",
        bbox={"boxstyle": "round,pad=0.6", "facecolor": "#eef3fb", "edgecolor": "#3366aa"},
    )
    axes.text(
        left,
        -1.35,
        rf"$\frac{{dy}}{{d{name}}} = {node.grad.item():g}$",
        fontsize=16,
        ha="center",
        va="center",
        color="#c0561f",
    )
for left, operation, local in [(0, "u = x^2", "2x = 6"), (4, "y = 2u + 1", "2")]:
    axes.annotate(
        "",
        xy=(left + 3.05, 0.12),
        xytext=(left + 0.95, 0.12),
        arrowprops={"arrowstyle": "-|>", "color": "#3366aa", "lw": 2},
    )
    axes.text(left + 2, 0.42, f"${operation}$", ha="center", fontsize=13, color="#3366aa")
    axes.annotate(
        "",
        xy=(left + 0.95, -1.35),
        xytext=(left + 3.05, -1.35),
        arrowprops={"arrowstyle": "-|>", "color": "#c0561f", "lw": 2},
    )
    axes.text(left + 2, -1.1, rf"$\times\ {local}$", ha="center", fontsize=13, color="#c0561f")
axes.text(-1.3, 0.85, "forward →", fontsize=11, color="#3366aa")
axes.text(9.3, -2.15, "← backward()", fontsize=11, color="#c0561f", ha="right")
axes.set(xlim=(-1.5, 9.5), ylim=(-2.3, 1.2))
axes.axis("off")
figure.tight_layout()
plt.show()

# %% [markdown] lang="en"
# ### When there is nothing to walk back on
#
# Without notes `backward()` cannot start. There are three common ways to have none.

# %% [markdown] lang="id"
# ### Jika tidak ada jalan untuk pulang
#
# Tanpa catatan, `backward()` tidak dapat mulai. Ada tiga penyebab yang umum.

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

# %% [markdown] task="derivative" lang="en"
# ### Exercise: the derivative of any function
#
# Write `derivative(f, x)`. `f` takes a 0-d tensor and returns a 0-d tensor; `x` is a Python float.
# Return $\frac{df}{dx}$ at `x`, found with `backward()`. A float or a 0-d tensor will do.

# %% [markdown] task="derivative" lang="id"
# ### Latihan: turunan fungsi apa pun
#
# Tulis `derivative(f, x)`. `f` menerima tensor 0-d dan mengembalikan tensor 0-d; `x` adalah float
# Python. Kembalikan $\frac{df}{dx}$ di `x`, yang diperoleh dengan `backward()`. Boleh berupa float
# atau tensor 0-d.

# %% [markdown] hint="derivative" lang="en"
# A Python float takes no notes. What must go into `f` instead, so that the walk back has a place to
# arrive?

# %% [markdown] hint="derivative" lang="id"
# Float Python tidak mencatat apa-apa. Apa yang harus dimasukkan ke `f` sebagai gantinya, supaya
# perjalanan pulang punya tempat untuk tiba?

# %% [markdown] hint="derivative" lang="en"
# Make a leaf from `x`: a 0-d tensor that requires grad. Give it a name of its own, because the
# answer will appear on it. A Python float has 64 bits; `dtype=torch.float64` keeps them all. A leaf
# that is converted *afterwards* is no leaf any more.

# %% [markdown] hint="derivative" lang="id"
# Buat tensor daun dari `x`: tensor 0-d yang meminta gradien. Beri nama tersendiri, karena
# jawabannya akan muncul di sana. Float Python memuat 64 bit; `dtype=torch.float64` menjaga
# semuanya. Tensor daun yang dikonversi *sesudah* dibuat bukan lagi tensor daun.

# %% [markdown] hint="derivative" lang="en"
# Three lines are enough:
#
# ```python
# leaf = torch.tensor(x, dtype=torch.float64, requires_grad=...)
# f(...).backward()
# return ...        # where did the answer appear?
# ```

# %% [markdown] hint="derivative" lang="id"
# Tiga baris sudah cukup:
#
# ```python
# leaf = torch.tensor(x, dtype=torch.float64, requires_grad=...)
# f(...).backward()
# return ...        # di mana jawabannya muncul?
# ```


# %% exercise="derivative"
def derivative(f, x):
    """Return df/dx at x, found with `backward()`.

    f: a function from a 0-d tensor to a 0-d tensor. x: a Python float.
    Returns a scalar: a float or a 0-d tensor.
    """
    ### BEGIN SOLUTION
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    f(leaf).backward()
    return leaf.grad
    ### END SOLUTION


# %% check="derivative"
check("backward.derivative")

# %% [markdown] lang="en"
# ## Many numbers out
#
# Now let the function return a vector, and call `backward()` as before.

# %% [markdown] lang="id"
# ## Banyak bilangan keluar
#
# Sekarang biarkan fungsinya mengembalikan vektor, lalu panggil `backward()` seperti tadi.

# %%
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
try:
    y.backward()
except RuntimeError as error:
    print(error)

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# Perjalanan pulang memerlukan bilangan awal. Untuk skalar, bilangan itu $\frac{dy}{dy} = 1$, dan
# PyTorch mengisinya sendiri: itulah gradien yang "dibuat secara implisit". Untuk vektor, PyTorch
# tidak dapat menebak. Fungsi dari $n$ bilangan ke $m$ bilangan memiliki satu tabel turunan, yaitu
# **Jacobian**
#
# $$J_{ij} = \frac{\partial y_i}{\partial x_j},$$
#
# dan Anda harus mengatakan seberapa besar arti tiap keluaran $y_i$. Sebut bobot itu $v_i$. Maka
# `y.backward(v)` memberi
#
# $$v^\top J, \qquad (v^\top J)_j = \sum_i v_i \frac{\partial y_i}{\partial x_j},$$
#
# yaitu gradien biasa dari skalar $\sum_i v_i\, y_i$. Tabel $J$ sendiri tidak pernah dibuat.

# %%
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.backward(torch.tensor([1.0, 10.0]))  # the second output counts ten times as much
print(x.grad)

# %% [markdown] lang="en"
# In a deep network nobody chooses $v$ by hand: it is the gradient that arrives from the layers
# above. Each layer takes a $v$ of its output's shape and hands down a $v^\top J$ of its input's
# shape. All of backpropagation is this product, repeated.

# %% [markdown] lang="id"
# Di jaringan yang dalam, tidak ada yang memilih $v$ dengan tangan: $v$ adalah gradien yang datang
# dari lapisan di atasnya. Tiap lapisan menerima $v$ yang bentuknya sama dengan keluarannya, lalu
# meneruskan $v^\top J$ yang bentuknya sama dengan masukannya. Seluruh backpropagation adalah
# perkalian ini, diulang-ulang.

# %% [markdown] task="vector_jacobian_product" lang="en"
# ### Exercise: vᵀJ for any shapes
#
# Write `vector_jacobian_product(f, x, v)`. `f` maps a tensor to a tensor, perhaps of another shape;
# `v` has the shape of `f(x)`. Return $v^\top J$ at `x`, with the shape of `x`.
#
# `x` is only lent to you. It may require grad or not, and its `.grad` may already hold something:
# give it back as you found it.

# %% [markdown] task="vector_jacobian_product" lang="id"
# ### Latihan: vᵀJ untuk bentuk apa pun
#
# Tulis `vector_jacobian_product(f, x, v)`. `f` memetakan tensor ke tensor, mungkin dengan bentuk
# lain; bentuk `v` sama dengan bentuk `f(x)`. Kembalikan $v^\top J$ di `x`, dengan bentuk yang sama
# seperti `x`.
#
# `x` hanya dipinjamkan kepada Anda. Mungkin ia meminta gradien, mungkin tidak, dan `.grad`-nya
# mungkin sudah berisi sesuatu: kembalikan persis seperti semula.

# %% [markdown] hint="vector_jacobian_product" lang="en"
# You never need $J$ itself. Which scalar has exactly $v^\top J$ as its gradient? And what does
# `backward` accept, so that you need not even build that scalar?

# %% [markdown] hint="vector_jacobian_product" lang="id"
# Anda tidak memerlukan $J$ itu sendiri. Skalar mana yang gradiennya tepat $v^\top J$? Dan apa yang
# diterima `backward`, sehingga skalar itu pun tidak perlu dibuat?

# %% [markdown] hint="vector_jacobian_product" lang="en"
# To leave `x` in peace, work on a stand-in. `x.detach()` is a tensor with the same numbers and no
# history; it can become a leaf of its own, with its own empty `.grad`.

# %% [markdown] hint="vector_jacobian_product" lang="id"
# Supaya `x` tidak terganggu, bekerjalah pada penggantinya. `x.detach()` adalah tensor dengan
# bilangan yang sama tanpa riwayat; ia dapat menjadi tensor daun tersendiri, dengan `.grad`-nya
# sendiri yang masih kosong.

# %% [markdown] hint="vector_jacobian_product" lang="en"
# Nearly there:
#
# ```python
# leaf = x.detach().requires_grad_()
# ...               # call f on the leaf, walk back with v
# return leaf.grad
# ```
#
# `torch.autograd.grad(outputs, inputs, grad_outputs)` does the same without touching any `.grad`;
# it returns a tuple, one entry per input.

# %% [markdown] hint="vector_jacobian_product" lang="id"
# Hampir selesai:
#
# ```python
# leaf = x.detach().requires_grad_()
# ...               # panggil f pada leaf, lalu pulang dengan v
# return leaf.grad
# ```
#
# `torch.autograd.grad(outputs, inputs, grad_outputs)` melakukan hal yang sama tanpa menyentuh
# `.grad` mana pun; ia mengembalikan tuple, satu isi untuk tiap masukan.


# %% exercise="vector_jacobian_product"
def vector_jacobian_product(f, x, v):
    """Return vᵀJ, where J is the Jacobian of f at x.

    f: a function from a tensor to a tensor of any shape. x: the point, any shape; it may require
    grad or not, and neither it nor its `.grad` is changed. v: the weights, with f(x)'s shape.
    Returns a tensor with x's shape.
    """
    ### BEGIN SOLUTION
    leaf = x.detach().requires_grad_()
    f(leaf).backward(v)
    return leaf.grad
    ### END SOLUTION


# %% check="vector_jacobian_product"
check("backward.vector_jacobian_product")

# %% [markdown] lang="en"
# ## Gradients pile up
#
# Ask twice, with two fresh graphs, for the derivative of $2x$. It is 2 both times.

# %% [markdown] lang="id"
# ## Gradien menumpuk
#
# Tanyakan dua kali, dengan dua graf baru, turunan dari $2x$. Kedua kali jawabannya 2.

# %%
x = torch.tensor(3.0, requires_grad=True)
(x * 2).backward()
print("after one:  ", x.grad)
(x * 2).backward()
print("after two:  ", x.grad)

x.grad = None
(x * 2).backward()
print("cleared:    ", x.grad)

# %% [markdown] lang="en"
# `backward()` does not write to `.grad`, it **adds** to it. Nothing is reset for you, and nothing
# complains: the second number is simply the sum 2 + 2 = 4. Setting `x.grad = None` starts a new
# sum.

# %% [markdown] lang="id"
# `backward()` tidak menimpa `.grad`, melainkan **menambahkan** ke dalamnya. Tidak ada yang direset
# untuk Anda, dan tidak ada pula yang memprotes: bilangan kedua hanyalah jumlah 2 + 2 = 4.
# `x.grad = None` memulai jumlah yang baru.

# %% figure="pile-up"
import matplotlib.pyplot as plt

rounds = range(1, 6)
figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.2), sharey=True)
shades = plt.cm.Oranges([0.25, 0.38, 0.51, 0.64, 0.77])
for axes, clear in zip(panels, (False, True), strict=True):
    x = torch.tensor(3.0, requires_grad=True)
    for turn in rounds:
        if clear:
            x.grad = None
        before = 0.0 if x.grad is None else x.grad.item()
        (x * 2).backward()
        after = x.grad.item()
        for layer in range(round(before / 2)):
            axes.bar(turn, 2, bottom=2 * layer, color=shades[layer], edgecolor="white", width=0.7)
        axes.bar(
            turn,
            after - before,
            bottom=before,
            color=shades[turn - 1],
            edgecolor="white",
            width=0.7,
        )
        axes.text(turn, after + 0.25, f"{after:g}", ha="center", fontsize=11)
    axes.set_title(("x.grad = None;  " if clear else "") + "(x * 2).backward()", fontsize=11)
    axes.set_xlabel("backward()  #")
    axes.set_xticks(list(rounds))
    axes.spines[["top", "right"]].set_visible(False)
panels[0].set_ylabel("x.grad")
panels[0].set_ylim(0, 11.5)
figure.tight_layout()
plt.show()

# %% [markdown] lang="en"
# There is a trap in the sum. `.grad` is one tensor that is added to *in place*, so a second name
# for it is not a copy:

# %% [markdown] lang="id"
# Penjumlahan ini menyimpan jebakan. `.grad` adalah satu tensor yang ditambah *di tempat*, jadi nama
# kedua untuknya bukanlah salinan:

# %%
x = torch.tensor(3.0, requires_grad=True)
(x * 2).backward()
name = x.grad
kept = x.grad.clone()
(x * 2).backward()
print("the name follows:", name)
print("the copy stays:  ", kept)

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ### Untuk apa penjumlahan itu
#
# Jika sebuah variabel dipakai dua kali, aturan rantai menyuruh kita *menjumlahkan* apa yang pulang
# melalui kedua jalan. Jadi di dalam satu graf, backward memang harus menjumlahkan; karena antargraf
# pun demikian, cara berikut ini menjadi mungkin.
#
# Sebuah batch berisi $N$ contoh bisa terlalu besar: grafnya, dengan semua nilai antaranya, harus
# muat sekaligus di memori. Potonglah menjadi micro-batch berisi $n_1, n_2, \dots$ contoh dengan
# loss rata-rata $L_1, L_2, \dots$ Rata-rata seluruh contoh adalah
#
# $$L = \frac{1}{N}\sum_{i=1}^{N} \ell_i = \sum_k \frac{n_k}{N}\, L_k
# \qquad\Longrightarrow\qquad \nabla L = \sum_k \frac{n_k}{N}\, \nabla L_k .$$
#
# Jumlah gradien: persis yang dikumpulkan `.grad`. Cukup satu graf micro-batch pada satu waktu.

# %% [markdown] task="accumulated_gradient" lang="en"
# ### Exercise: a large batch in small pieces
#
# Write `accumulated_gradient(loss_of, w, micro_batches)`. `loss_of(w, X, y)` returns the *mean*
# loss of one micro-batch; `micro_batches` is a list of pairs `(X, y)`, and the pieces need not be
# equally large (4, 4 and 2 examples, say). Return the gradient at `w` of the mean loss over **all**
# examples.
#
# Call backward once per micro-batch, and never let two micro-batches' graphs be alive at the same
# time. `w` and its `.grad` stay as they were.

# %% [markdown] task="accumulated_gradient" lang="id"
# ### Latihan: batch besar dalam potongan kecil
#
# Tulis `accumulated_gradient(loss_of, w, micro_batches)`. `loss_of(w, X, y)` mengembalikan loss
# *rata-rata* satu micro-batch; `micro_batches` adalah list berisi pasangan `(X, y)`, dan
# potongannya tidak harus sama besar (misalnya 4, 4, dan 2 contoh). Kembalikan gradien di `w` dari
# loss rata-rata atas **semua** contoh.
#
# Panggil backward satu kali untuk tiap micro-batch, dan jangan biarkan graf dua micro-batch hidup
# bersamaan. `w` dan `.grad`-nya tetap seperti semula.

# %% [markdown] hint="accumulated_gradient" lang="en"
# Means of groups of 4, 4 and 2: with what share does each enter the mean of all 10? Is it one
# third?

# %% [markdown] hint="accumulated_gradient" lang="id"
# Rata-rata dari kelompok 4, 4, dan 2: dengan bagian berapa masing-masing masuk ke rata-rata 10
# contoh? Apakah sepertiga?

# %% [markdown] hint="accumulated_gradient" lang="en"
# Multiply a micro-batch's loss by its share *before* walking back. A gradient is linear, so the
# share goes through, and the piling up in `.grad` does the sum for you. The number of all examples
# must be known before the loop starts.

# %% [markdown] hint="accumulated_gradient" lang="id"
# Kalikan loss micro-batch dengan bagiannya *sebelum* pulang. Gradien bersifat linear, jadi bagian
# itu ikut terbawa, dan tumpukan di `.grad` mengerjakan penjumlahannya untuk Anda. Jumlah semua
# contoh harus diketahui sebelum loop dimulai.

# %% [markdown] hint="accumulated_gradient" lang="en"
# A graph lives from the forward until its backward. Do both in the same turn of the loop: if you
# first collect the losses and walk back at the end, all graphs are alive together.

# %% [markdown] hint="accumulated_gradient" lang="id"
# Sebuah graf hidup sejak forward sampai backward-nya. Kerjakan keduanya dalam satu putaran loop:
# jika semua loss dikumpulkan dulu dan baru pulang di akhir, semua graf hidup bersamaan.

# %% [markdown] hint="accumulated_gradient" lang="en"
# The skeleton:
#
# ```python
# leaf = ...                        # a stand-in for w
# total = ...                       # how many examples there are in all
# for X, y in micro_batches:
#     share = len(X) / total
#     (...).backward()              # this micro-batch's loss, times its share
# return leaf.grad
# ```

# %% [markdown] hint="accumulated_gradient" lang="id"
# Kerangkanya:
#
# ```python
# leaf = ...                        # pengganti w
# total = ...                       # banyaknya contoh seluruhnya
# for X, y in micro_batches:
#     share = len(X) / total
#     (...).backward()              # loss micro-batch ini, dikali bagiannya
# return leaf.grad
# ```


# %% exercise="accumulated_gradient"
def accumulated_gradient(loss_of, w, micro_batches):
    """Return the gradient at w of the mean loss over all examples of all micro-batches.

    loss_of: loss_of(w, X, y) is the mean loss of one micro-batch, a 0-d tensor. w: the parameters,
    any shape; neither it nor its `.grad` is changed. micro_batches: a list of pairs (X, y) with one
    example a row; the number of rows may differ. One backward per micro-batch; no more than one
    micro-batch's graph is alive at a time. Returns a tensor with w's shape.
    """
    ### BEGIN SOLUTION
    leaf = w.detach().requires_grad_()
    total = sum(len(X) for X, _ in micro_batches)
    for X, y in micro_batches:
        share = len(X) / total
        (loss_of(leaf, X, y) * share).backward()
    return leaf.grad
    ### END SOLUTION


# %% check="accumulated_gradient"
check("backward.accumulated_gradient")

# %% [markdown] lang="en"
# ## A graph is walked once
#
# The notes hold intermediate values, and those cost memory. So `backward()` throws them away as it
# goes. Walk the same graph again, and they are missing.

# %% [markdown] lang="id"
# ## Graf dilalui satu kali
#
# Catatan itu menyimpan nilai-nilai antara, dan itu memakan memori. Maka `backward()` membuangnya
# sambil berjalan. Telusuri graf itu untuk kedua kalinya, dan nilai-nilai itu sudah tidak ada.

# %%
x = torch.tensor(3.0, requires_grad=True)
y = x * 2
y.backward()
try:
    y.backward()
except RuntimeError as error:
    print(error)

# %% [markdown] lang="en"
# Beware of testing this with `x + 1`: going back through an addition needs no values, nothing was
# saved, and the second walk succeeds without a word. With `x * 2` or `x**2` there is something to
# lose.
#
# `retain_graph=True` keeps the notes for one more walk:

# %% [markdown] lang="id"
# Hati-hati bila mencobanya dengan `x + 1`: pulang melalui penjumlahan tidak memerlukan nilai apa
# pun, tidak ada yang disimpan, dan perjalanan kedua berhasil tanpa pesan apa-apa. Dengan `x * 2`
# atau `x**2` ada yang dapat hilang.
#
# `retain_graph=True` menyimpan catatan untuk satu perjalanan lagi:

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

# %% [markdown] lang="en"
# This is wanted when two losses stand on one **trunk**: an expensive part that both share, with a
# small **head** each. Computing the trunk once saves time, but then both walks back go through the
# same notes, and both answers arrive at the same `.grad`.

# %% [markdown] lang="id"
# Ini diperlukan ketika dua loss berdiri di atas satu **batang** (*trunk*): bagian mahal yang
# dipakai bersama, dengan masing-masing satu **kepala** (*head*) kecil. Menghitung batang sekali
# saja menghemat waktu, tetapi kedua perjalanan pulang melalui catatan yang sama, dan kedua jawaban
# tiba di `.grad` yang sama.

# %% figure="two-heads"
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(8.4, 3.4))
blue, orange, green = "#3366aa", "#c0561f", "#3b7d4f"
boxes = {
    "w": (0.0, 0.0, "$w$", blue),
    "h": (4.2, 0.0, "$h$ = trunk($w$)", blue),
    "a": (8.6, 1.1, "$a$ = head_a($h$)", orange),
    "b": (8.6, -1.1, "$b$ = head_b($h$)", green),
}
for left, height, label, colour in boxes.values():
    axes.text(
        left,
        height,
        label,
        fontsize=13,
        ha="center",
        va="center",
        bbox={"boxstyle": "round,pad=0.55", "facecolor": "white", "edgecolor": colour, "lw": 1.6},
    )


def arrow(start, end, colour, style="-"):
    """Draw an arrow between two points."""
    properties = {"arrowstyle": "-|>", "color": colour, "lw": 2, "linestyle": style}
    axes.annotate("", xy=end, xytext=start, arrowprops=properties)


arrow((0.5, 0.0), (2.7, 0.0), blue)
arrow((5.75, 0.2), (7.0, 0.85), blue)
arrow((5.75, -0.2), (7.0, -0.85), blue)
arrow((6.95, 1.25), (5.3, 0.52), orange, "--")
arrow((2.7, 0.32), (0.5, 0.32), orange, "--")
arrow((6.95, -1.25), (5.3, -0.52), green, "--")
arrow((2.7, -0.32), (0.5, -0.32), green, "--")
axes.text(1.6, 0.55, r"$\partial a / \partial w$", ha="center", fontsize=13, color=orange)
axes.text(1.6, -0.85, r"$\partial b / \partial w$", ha="center", fontsize=13, color=green)
axes.text(5.55, 1.35, "a.backward(…)", ha="center", fontsize=11, color=orange)
axes.text(5.55, -1.55, "b.backward(…)", ha="center", fontsize=11, color=green)
total = r"w.grad $= \partial a / \partial w + \partial b / \partial w$"
axes.text(-0.3, -1.55, total, fontsize=12, color="#444444")
axes.set(xlim=(-0.9, 10.4), ylim=(-1.9, 1.8))
axes.axis("off")
figure.tight_layout()
plt.show()

# %% [markdown] task="two_losses" lang="en"
# ### Exercise: two losses on one trunk
#
# Write `two_losses(trunk, head_a, head_b, w)`. The losses are `head_a(trunk(w))` and
# `head_b(trunk(w))`, both 0-d tensors. Return three gradients with respect to `w`,
# `(grad_a, grad_b, grad_sum)`: of the first loss, of the second, and of their sum.
#
# `trunk` may be called only once. Return plain numbers: gradients that carry no graph of their own.
# `w` and its `.grad` stay as they were.

# %% [markdown] task="two_losses" lang="id"
# ### Latihan: dua loss di atas satu batang
#
# Tulis `two_losses(trunk, head_a, head_b, w)`. Kedua loss adalah `head_a(trunk(w))` dan
# `head_b(trunk(w))`, masing-masing tensor 0-d. Kembalikan tiga gradien terhadap `w`, yaitu
# `(grad_a, grad_b, grad_sum)`: dari loss pertama, dari loss kedua, dan dari jumlah keduanya.
#
# `trunk` hanya boleh dipanggil satu kali. Kembalikan bilangan biasa: gradien yang tidak membawa
# grafnya sendiri. `w` dan `.grad`-nya tetap seperti semula.

# %% [markdown] hint="two_losses" lang="en"
# Follow the two dashed ways in the figure. Which part is walked twice, and which of the two walks
# must leave the notes in place for the other?

# %% [markdown] hint="two_losses" lang="id"
# Ikuti dua jalan putus-putus pada gambar. Bagian mana yang dilalui dua kali, dan perjalanan mana
# yang harus meninggalkan catatannya untuk yang lain?

# %% [markdown] hint="two_losses" lang="en"
# `.grad` is one place for two answers. Take the first answer out, and clear the place, before the
# second arrives. A second name for `.grad` is not a copy, unless `.grad` is then set to a new
# object or to `None`.

# %% [markdown] hint="two_losses" lang="id"
# `.grad` adalah satu tempat untuk dua jawaban. Ambil jawaban pertama dan kosongkan tempatnya
# sebelum jawaban kedua tiba. Nama kedua untuk `.grad` bukan salinan, kecuali jika sesudah itu
# `.grad` diisi objek baru atau `None`.

# %% [markdown] hint="two_losses" lang="en"
# The third gradient needs no third walk: the gradient of a sum is the sum of the gradients.

# %% [markdown] hint="two_losses" lang="id"
# Gradien ketiga tidak memerlukan perjalanan ketiga: gradien dari jumlah adalah jumlah dari gradien.

# %% [markdown] hint="two_losses" lang="en"
# The skeleton:
#
# ```python
# leaf = ...                          # a stand-in for w
# hidden = trunk(leaf)
# head_a(hidden).backward(...)        # the notes of the trunk are needed once more
# grad_a = ...                        # take it out, clear the place
# head_b(hidden).backward()
# grad_b = ...
# return grad_a, grad_b, ...
# ```

# %% [markdown] hint="two_losses" lang="id"
# Kerangkanya:
#
# ```python
# leaf = ...                          # pengganti w
# hidden = trunk(leaf)
# head_a(hidden).backward(...)        # catatan batang masih diperlukan sekali lagi
# grad_a = ...                        # ambil, lalu kosongkan tempatnya
# head_b(hidden).backward()
# grad_b = ...
# return grad_a, grad_b, ...
# ```


# %% exercise="two_losses"
def two_losses(trunk, head_a, head_b, w):
    """Return the gradients with respect to w of two losses on one trunk, and of their sum.

    trunk: a function from w to a tensor, called exactly once. head_a, head_b: functions from that
    tensor to a 0-d loss. w: the parameters, any shape; neither it nor its `.grad` is changed.
    Returns (grad_a, grad_b, grad_sum), three tensors with w's shape that carry no graph.
    """
    ### BEGIN SOLUTION
    leaf = w.detach().requires_grad_()
    hidden = trunk(leaf)
    head_a(hidden).backward(retain_graph=True)
    grad_a = leaf.grad
    leaf.grad = None  # the next backward makes a new tensor, so grad_a stays what it is
    head_b(hidden).backward()
    grad_b = leaf.grad
    return grad_a, grad_b, grad_a + grad_b
    ### END SOLUTION


# %% check="two_losses"
check("backward.two_losses")

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Arti pesan-pesannya
#
# - `.grad` bernilai `None`: belum ada backward yang sampai ke tensor ini, atau ia bukan tensor
#   daun.
# - "element 0 of tensors does not require grad and does not have a grad_fn": tidak ada masukan yang
#   meminta gradien, atau forward berjalan di dalam `torch.no_grad()`.
# - "grad can be implicitly created only for scalar outputs": keluarannya bukan skalar; nyatakan
#   dengan `v` seberapa besar arti tiap unsurnya.
# - "Trying to backward through the graph a second time": catatan graf ini sudah habis; pakai
#   `retain_graph=True` pada perjalanan sebelumnya, atau lakukan forward baru.
# - Gradien dua kali lebih besar dari seharusnya: dua perjalanan menumpuk; kosongkan `.grad` di
#   antaranya.
