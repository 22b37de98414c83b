# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# # Backpropagation dengan tangan
#
# Melatih jaringan sebenarnya berarti mengajukan satu pertanyaan kepada setiap bobot: kalau kamu
# digeser naik sedikit, seberapa cepat loss berubah? Jawabannya adalah gradien bobot itu. PyTorch
# menjawabnya untuk semua bobot sekaligus ketika Anda memanggil `loss.backward()`.
#
# Di sini Anda menghitung sendiri gradien itu: mula-mula untuk jaringan dengan dua bobot, lalu
# untuk batch berukuran berapa pun. Setelah itu Anda menulis uji yang menunjukkan apakah suatu
# gradien benar, dan melihat mengapa tidak ada yang memakainya untuk melatih jaringan. Semua yang
# dikerjakan `backward()` akan sudah pernah Anda kerjakan dengan tangan.
#
# Ada empat fungsi yang Anda tulis. Sel di bawah setiap fungsi memeriksanya; jalankan sesering yang
# Anda mau.

# %%
import torch

from autograded import check

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Jaringan dengan dua bobot
#
# Satu bilangan masuk, melewati satu neuron tersembunyi, lalu satu bilangan keluar:
#
# $$z = w_1 x \qquad h = \mathrm{relu}(z) = \max(0, z) \qquad y = w_2 h \qquad L = (y - t)^2$$
#
# ReLU adalah gerbang. Nilai $z$ yang positif lewat tanpa berubah; selain itu tertahan dan menjadi
# 0. Fungsi loss $L$ mengukur seberapa jauh keluaran $y$ dari target $t$.
#
# Dengan $x = 2$, $w_1 = 0.3$, $w_2 = 1$, dan $t = 1$:
#
# | $z$ | $h$ | $y$ | $L$ |
# |---|---|---|---|
# | 0.6 | 0.6 | 0.6 | 0.16 |

# %% [markdown] task="forward" lang="en"
# ### Exercise: `forward`
#
# Write `forward(x, w1, w2)`. It returns $z$, $h$ and $y$, in this order. The arguments are Python
# floats or 0-d tensors (a tensor that holds one number), and your function should take both.
#
# The numbers above must give `(0.6, 0.6, 0.6)`. With $w_1 = -0.3$ instead, the gate is closed: $z$
# is $-0.6$, and both $h$ and $y$ are 0.

# %% [markdown] task="forward" lang="id"
# ### Latihan: `forward`
#
# Tulis `forward(x, w1, w2)`. Fungsi ini mengembalikan $z$, $h$, dan $y$, dalam urutan ini.
# Argumennya berupa float Python atau tensor 0 dimensi (tensor berisi satu bilangan), dan fungsi
# Anda harus bisa menerima keduanya.
#
# Angka-angka di atas harus menghasilkan `(0.6, 0.6, 0.6)`. Kalau $w_1 = -0.3$, gerbangnya
# tertutup: $z$ bernilai $-0.6$, sedangkan $h$ dan $y$ keduanya 0.

# %% [markdown] hint="forward" lang="en"
# The three formulas become three lines of Python, in the same order. Only relu needs some thought.

# %% [markdown] hint="forward" lang="id"
# Ketiga rumus itu menjadi tiga baris Python, dalam urutan yang sama. Hanya relu yang perlu sedikit
# dipikirkan.

# %% [markdown] hint="forward" lang="en"
# relu(z) is the larger of $z$ and 0. Python has a built-in function for the larger of two numbers,
# and it compares 0-d tensors too. (`torch.relu` wants a tensor and refuses a plain float.)

# %% [markdown] hint="forward" lang="id"
# relu(z) adalah yang terbesar di antara $z$ dan 0. Python punya fungsi bawaan untuk mengambil yang
# terbesar dari dua bilangan, dan fungsi itu bisa membandingkan tensor 0 dimensi juga.
# (`torch.relu` meminta tensor dan menolak float biasa.)

# %% [markdown] hint="forward" lang="en"
# Fill the gaps:
#
# ```python
# z = ...
# h = max(..., 0.0)
# y = w2 * ...
# return z, h, y
# ```

# %% [markdown] hint="forward" lang="id"
# Isilah bagian yang kosong:
#
# ```python
# z = ...
# h = max(..., 0.0)
# y = w2 * ...
# return z, h, y
# ```


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
    ### BEGIN SOLUTION
    z = w1 * x
    h = max(z, 0.0)
    y = w2 * h
    return z, h, y
    ### END SOLUTION


# %% check="forward"
check("relu_net.forward")

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Aturan rantai, selangkah demi selangkah
#
# Tinggalkan dulu neuron tersembunyinya: $y = w x$ dan $L = (y - t)^2$. Geser $w$ sedikit, maka $y$
# bergeser $x$ kali lipatnya. Ketika $y$ bergeser, $L$ bergeser $2(y - t)$ kali lipat lagi. Dalam
# perjalanan menuju loss, geseran itu dikalikan di setiap langkah, sehingga gradiennya berupa
# perkalian:
#
# $$\frac{dL}{dw} = \frac{dL}{dy} \cdot \frac{dy}{dw} = 2(y - t) \cdot x$$
#
# Inilah aturan rantai. Setiap faktornya adalah *turunan lokal*: milik satu operasi saja, dan hanya
# memerlukan bilangan yang sudah dihitung pada forward pass. Sel berikut membandingkan perkalian
# itu dengan autograd.


# %%
def compare_with_autograd(x, w, t):
    """Print dL/dw of L = (w·x − t)² twice: by hand, and by autograd."""
    by_hand = 2 * (w * x - t) * x
    weight = torch.tensor(w, requires_grad=True)
    loss = (weight * x - t) ** 2
    loss.backward()
    print(f"by hand: {by_hand:.4f}   autograd: {weight.grad.item():.4f}")


compare_with_autograd(x=3.0, w=0.5, t=2.0)

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# *Backpropagation* adalah aturan ini yang dijalankan dalam urutan yang hemat. Mulailah dari loss,
# berjalanlah mundur melawan arah panah, dan di setiap operasi kalikan nilai yang datang, sebut
# saja $g$, dengan turunan lokalnya:
#
# | operasi | yang diteruskan ke belakang ketika $g$ datang |
# |---|---|
# | kuadrat, $L = (y - t)^2$ | $2(y - t)\,g$ ke $y$ |
# | perkalian, $c = a\,b$ | $b\,g$ ke $a$, dan $a\,g$ ke $b$ |
# | relu, $h = \max(0, z)$ | $g$ ke $z$ jika $z > 0$, selain itu 0 |
#
# Perkalian memberi setiap faktor *pasangannya*. Gerbang yang terbuka pada arah maju juga terbuka
# pada arah mundur, dan gerbang yang tertutup menghentikan semua yang ada di belakangnya. Tepat di
# titik $z = 0$ relu tidak punya turunan; PyTorch memakai nilai 0 di sana, dan kita pun begitu.
#
# Gambar berikut menunjukkan graf komputasi seluruh jaringan. Nilai dari forward pass berwarna
# biru, gradien dari backward pass berwarna jingga. Di ujung kanan, $g$ berawal sebagai
# $dL/dL = 1$.

# %% figure="computation-graph"
import matplotlib.pyplot as plt


def draw_computation_graph(x, w1, w2, t):
    """Draw the network as a graph: values forward in blue, gradients backward in orange."""
    leaf = {"x": x, "w_1": w1, "w_2": w2, "t": t}
    node = {name: torch.tensor(value, requires_grad=True) for name, value in leaf.items()}
    node["z"] = node["w_1"] * node["x"]
    node["h"] = torch.relu(node["z"])
    node["y"] = node["w_2"] * node["h"]
    node["L"] = (node["y"] - node["t"]) ** 2
    for tensor in node.values():
        tensor.retain_grad()
    node["L"].backward()

    place = {"x": (0, 1.5), "w_1": (0, 0), "z": (2, 0.75), "h": (4, 0.75)}
    place |= {"w_2": (4, -0.75), "y": (6, 0.75), "t": (6, -0.75), "L": (8, 0.75)}
    inputs = {"z": ("w_1", "x"), "h": ("z",), "y": ("w_2", "h"), "L": ("y", "t")}
    operation = {"z": "×", "h": "relu", "y": "×", "L": r"$(y-t)^2$"}

    _, axes = plt.subplots(figsize=(9, 3.7))
    arrow = {"arrowstyle": "-|>", "color": "0.55", "shrinkA": 20, "shrinkB": 20}
    for end, starts in inputs.items():
        for start in starts:
            axes.annotate("", place[end], place[start], arrowprops=arrow)
    for name, (left, up) in place.items():
        weight, inner = name.startswith("w"), name in operation
        face, edge = ("#fff1e6", "#c8501e") if weight else ("white", "0.4")
        axes.plot(left, up, "o", ms=30, mfc=face, mec=edge, mew=1.3, zorder=2)
        axes.text(left, up, f"${name}$", ha="center", va="center", size=13, zorder=3)
        value = f"{node[name].item():g}"
        axes.text(left, up + 0.36, value, ha="center", color="#2b62a3", size=12)
        if weight or inner:
            gradient = rf"$\partial L/\partial {name} = {node[name].grad.item():.2f}$"
            height = up - 0.55 if weight else up + 0.68
            axes.text(left, height, gradient, ha="center", color="#c8501e", size=12)
        if inner:
            axes.text(left, up - 0.55, operation[name], ha="center", color="0.4", size=12)
    axes.set(xlim=(-0.9, 8.9), ylim=(-1.4, 2.1))
    axes.axis("off")
    plt.show()


draw_computation_graph(x=2.0, w1=0.3, w2=1.0, t=1.0)

# %% [markdown] task="gradients" lang="en"
# ### Exercise: `gradients`
#
# Write `gradients(x, w1, w2, t)`. It returns $dL/dw_1$ and $dL/dw_2$, in this order. Work them out
# by hand: no `backward()`, nothing else from autograd, no nudging of weights. Again the arguments
# are floats or 0-d tensors, and you may call your `forward`.
#
# For $x = 2$, $w_1 = 0.3$, $w_2 = 1$, $t = 1$ the answer is $(-1.6, -0.48)$, as in the figure.
# PyTorch's usual float32 keeps about seven digits and prints −1.5999999 and −0.4799999; that is
# the same answer, rounded. Both gradients are negative: raising either weight lowers the loss.

# %% [markdown] task="gradients" lang="id"
# ### Latihan: `gradients`
#
# Tulis `gradients(x, w1, w2, t)`. Fungsi ini mengembalikan $dL/dw_1$ dan $dL/dw_2$, dalam urutan
# ini. Hitunglah dengan tangan: tanpa `backward()`, tanpa bagian lain dari autograd, tanpa
# menggeser-geser bobot. Argumennya lagi-lagi float atau tensor 0 dimensi, dan Anda boleh memanggil
# `forward` buatan Anda.
#
# Untuk $x = 2$, $w_1 = 0.3$, $w_2 = 1$, $t = 1$ jawabannya $(-1.6, -0.48)$, seperti pada gambar.
# float32 yang biasa dipakai PyTorch menyimpan sekitar tujuh digit dan mencetak −1.5999999 dan
# −0.4799999; itu jawaban yang sama, hanya dibulatkan. Kedua gradien bernilai negatif: menaikkan
# salah satu bobot akan menurunkan loss.

# %% [markdown] hint="gradients" lang="en"
# Read the figure from right to left. The first number you need is $dL/dy$, the slope of
# $(y - t)^2$. Both answers contain it.

# %% [markdown] hint="gradients" lang="id"
# Baca gambar itu dari kanan ke kiri. Bilangan pertama yang Anda perlukan adalah $dL/dy$, yaitu
# kemiringan $(y - t)^2$. Kedua jawaban memuatnya.

# %% [markdown] hint="gradients" lang="en"
# $w_2$ and $h$ are the two factors of the product $y = w_2 h$. Each receives $dL/dy$ times the
# other one. For $w_2$ you are done; for $h$ the journey goes on.

# %% [markdown] hint="gradients" lang="id"
# $w_2$ dan $h$ adalah dua faktor dalam perkalian $y = w_2 h$. Masing-masing menerima $dL/dy$ kali
# faktor pasangannya. Untuk $w_2$ selesai sampai di sini; untuk $h$ perjalanan masih berlanjut.

# %% [markdown] hint="gradients" lang="en"
# From $h$ to $z$ you pass the gate: $dL/dz$ equals $dL/dh$ if $z > 0$, and is 0 otherwise. Look at
# $z$, the value *before* relu. What remains is one more product, $z = w_1 x$.

# %% [markdown] hint="gradients" lang="id"
# Dari $h$ ke $z$ Anda melewati gerbang: $dL/dz$ sama dengan $dL/dh$ jika $z > 0$, dan 0 jika
# tidak. Yang dilihat adalah $z$, nilai *sebelum* relu. Sisanya tinggal satu perkalian lagi,
# $z = w_1 x$.

# %% [markdown] hint="gradients" lang="en"
# One line per arrow; `dy` stands for $dL/dy$, and so on:
#
# ```python
# z, h, y = forward(x, w1, w2)
# dy = 2 * ...
# dw2 = dy * ...
# dh = dy * ...
# dz = dh if ... else 0.0
# dw1 = dz * ...
# return dw1, dw2
# ```

# %% [markdown] hint="gradients" lang="id"
# Satu baris untuk setiap panah; `dy` berarti $dL/dy$, dan seterusnya:
#
# ```python
# z, h, y = forward(x, w1, w2)
# dy = 2 * ...
# dw2 = dy * ...
# dh = dy * ...
# dz = dh if ... else 0.0
# dw1 = dz * ...
# return dw1, dw2
# ```


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
    ### BEGIN SOLUTION
    z, h, y = forward(x, w1, w2)
    dy = 2 * (y - t)
    dw2 = dy * h
    dh = dy * w2
    dz = dh if z > 0 else 0.0
    dw1 = dz * x
    return dw1, dw2
    ### END SOLUTION


# %% check="gradients"
check("relu_net.gradients")

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Sekarang untuk satu batch penuh
#
# Jaringan sungguhan menerima $N$ contoh sekaligus, dengan $D$ masukan, $H$ unit tersembunyi, dan
# $O$ keluaran. Bilangannya menjadi matriks, rumusnya hampir tidak berubah:
#
# $$Z = X W_1 \qquad A = \mathrm{relu}(Z) \qquad Y = A W_2 \qquad
# L = \frac{1}{N O} \sum_{n,o} (Y_{no} - T_{no})^2$$
#
# | | $X$ | $W_1$ | $Z$, $A$ | $W_2$ | $Y$, $T$ |
# |---|---|---|---|---|---|
# | bentuk | $(N, D)$ | $(D, H)$ | $(N, H)$ | $(H, O)$ | $(N, O)$ |
#
# (Nilai tersembunyi di sini disebut $A$, karena $H$ sekarang menyatakan banyaknya. $L$ adalah
# `F.mse_loss(Y, T)`: rata-rata atas semua $N \cdot O$ elemen.)
#
# Ada dua hal baru. Pertama, satu bobot melayani semua contoh, maka gradiennya **menjumlahkan**
# permintaan dari setiap contoh. Ambil satu lapisan $Y = A W$ dan tulis $G$ untuk
# $\partial L / \partial Y$. Bobot $W_{ko}$ mengalikan $A_{nk}$ di setiap baris $n$, sehingga
#
# $$\frac{\partial L}{\partial W_{ko}} = \sum_n A_{nk}\, G_{no}$$
#
# Ini aturan perkalian yang tadi, *faktor pasangannya kali nilai yang datang*, dijumlahkan atas
# seluruh batch.
#
# Kedua, gradien selalu punya **bentuk** yang sama dengan pemiliknya. Sering kali hanya ada satu
# cara mengalikan dua matriks yang menghasilkan bentuk itu, jadi catat bentuknya sebelum menulis
# kode. Namun bentuk yang benar saja belum membuktikan apa-apa, apalagi kalau dua ukurannya
# kebetulan sama.

# %% [markdown] task="batch_gradients" lang="en"
# ### Exercise: `batch_gradients`
#
# Write `batch_gradients(X, W1, W2, T)`. It returns $\partial L/\partial W_1$ and
# $\partial L/\partial W_2$ as tensors with the shapes of $W_1$ and $W_2$. By hand again, and the
# four tensors you are given must stay as they are.
#
# A first test: the numbers of the last exercise are a batch with $N = D = H = O = 1$, so
# $X = [[2]]$, $W_1 = [[0.3]]$, $W_2 = [[1]]$, $T = [[1]]$ must give $[[-1.6]]$ and $[[-0.48]]$.

# %% [markdown] task="batch_gradients" lang="id"
# ### Latihan: `batch_gradients`
#
# Tulis `batch_gradients(X, W1, W2, T)`. Fungsi ini mengembalikan $\partial L/\partial W_1$ dan
# $\partial L/\partial W_2$ sebagai tensor dengan bentuk $W_1$ dan $W_2$. Sekali lagi dengan
# tangan, dan keempat tensor yang Anda terima tidak boleh berubah.
#
# Uji pertama: angka-angka dari latihan tadi adalah batch dengan $N = D = H = O = 1$, jadi
# $X = [[2]]$, $W_1 = [[0.3]]$, $W_2 = [[1]]$, $T = [[1]]$ harus menghasilkan $[[-1.6]]$ dan
# $[[-0.48]]$.

# %% [markdown] hint="batch_gradients" lang="en"
# The path is the one you already know: $\partial Y$, then $\partial W_2$ and $\partial A$, then
# $\partial Z$, then $\partial W_1$. Write the shape of each beside it before you write any code.

# %% [markdown] hint="batch_gradients" lang="id"
# Jalurnya sama dengan yang sudah Anda kenal: $\partial Y$, lalu $\partial W_2$ dan $\partial A$,
# lalu $\partial Z$, lalu $\partial W_1$. Tulis bentuk masing-masing di sampingnya sebelum menulis
# kode.

# %% [markdown] hint="batch_gradients" lang="en"
# $L$ is a mean over $N \cdot O$ squares. A single element contributes
# $(Y_{no} - T_{no})^2 / (N O)$; differentiate that. `T.numel()` is $N \cdot O$, while `len(T)` is
# only $N$.

# %% [markdown] hint="batch_gradients" lang="id"
# $L$ adalah rata-rata dari $N \cdot O$ kuadrat. Satu elemen menyumbang
# $(Y_{no} - T_{no})^2 / (N O)$; turunkan bagian itu. `T.numel()` bernilai $N \cdot O$, sedangkan
# `len(T)` hanya $N$.

# %% [markdown] hint="batch_gradients" lang="en"
# For a matrix product $C = P Q$, when $G = \partial L / \partial C$ arrives, $P$ receives
# $G Q^\top$ and $Q$ receives $P^\top G$. In PyTorch the transpose is `Q.T` and the matrix product
# is `@`. Relu works element by element: $G$ passes where $Z > 0$ and is 0 elsewhere.

# %% [markdown] hint="batch_gradients" lang="id"
# Untuk perkalian matriks $C = P Q$, ketika $G = \partial L / \partial C$ datang, $P$ menerima
# $G Q^\top$ dan $Q$ menerima $P^\top G$. Di PyTorch transposnya ditulis `Q.T` dan perkalian
# matriks ditulis `@`. Relu bekerja elemen demi elemen: $G$ lewat di tempat $Z > 0$ dan menjadi 0
# di tempat lain.

# %% [markdown] hint="batch_gradients" lang="en"
# The same lines as in `gradients`, with matrices:
#
# ```python
# Z = X @ W1
# A = torch.relu(Z)
# Y = A @ W2
# dY = 2 * (Y - T) / ...
# dW2 = ... @ dY
# dA = dY @ ...
# dZ = dA * (Z > 0)
# dW1 = ... @ dZ
# return dW1, dW2
# ```

# %% [markdown] hint="batch_gradients" lang="id"
# Baris-barisnya sama seperti di `gradients`, kini dengan matriks:
#
# ```python
# Z = X @ W1
# A = torch.relu(Z)
# Y = A @ W2
# dY = 2 * (Y - T) / ...
# dW2 = ... @ dY
# dA = dY @ ...
# dZ = dA * (Z > 0)
# dW1 = ... @ dZ
# return dW1, dW2
# ```


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
    ### BEGIN SOLUTION
    Z = X @ W1
    A = torch.relu(Z)
    Y = A @ W2
    dY = 2 * (Y - T) / T.numel()
    dW2 = A.T @ dY
    dA = dY @ W2.T
    dZ = dA * (Z > 0)
    dW1 = X.T @ dZ
    return dW1, dW2
    ### END SOLUTION


# %% check="batch_gradients"
check("relu_net.batch_gradients")

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Cara menguji gradien
#
# Gradien yang salah jarang membuat program berhenti. Hasil pelatihannya sedikit lebih buruk, dan
# tidak ada yang sadar. Penangkalnya adalah definisi turunan itu sendiri: geser satu bobot naik
# sebesar $\varepsilon$, geser turun sebesar $\varepsilon$, lalu amati apa yang terjadi pada
# fungsinya.
#
# $$\frac{\partial f}{\partial w_i} \approx
# \frac{f(w + \varepsilon e_i) - f(w - \varepsilon e_i)}{2 \varepsilon}$$
#
# Di sini $e_i$ bernilai 1 pada entri $i$ dan 0 di semua tempat lain, jadi bobot-bobot lain tetap
# diam. Inilah *beda pusat* (central difference). Galatnya mengecil seperti $\varepsilon^2$,
# sedangkan galat beda satu sisi, $(f(w + \varepsilon) - f(w)) / \varepsilon$, hanya mengecil
# seperti $\varepsilon$.

# %% [markdown] task="numerical_gradient" lang="en"
# ### Exercise: `numerical_gradient`
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

# %% [markdown] task="numerical_gradient" lang="id"
# ### Latihan: `numerical_gradient`
#
# Tulis `numerical_gradient(f, w, eps)`. `f` menerima tensor dengan bentuk seperti $w$ dan
# mengembalikan tensor 0 dimensi. Kembalikan beda pusat semua entri, sebagai tensor dengan bentuk
# dan dtype yang sama dengan `w`.
#
# - `w` boleh punya berapa pun dimensi: matriks, vektor, atau satu bilangan saja (0 dimensi).
# - Panggil `f` tepat dua kali untuk setiap entri; bayangkan setiap panggilan itu mahal.
# - Setelah fungsi Anda selesai, isi `w` harus sama seperti semula.
#
# Contohnya, $f(w) = \sum_i w_i^2$ pada $w = [3, -1]$ menghasilkan $[6, -2]$.

# %% [markdown] hint="numerical_gradient" lang="en"
# Treat one entry at a time. While you nudge entry $i$, every other entry must have its original
# value, so undo each nudge before you go on to the next.

# %% [markdown] hint="numerical_gradient" lang="id"
# Kerjakan satu entri setiap kali. Selama Anda menggeser entri $i$, semua entri lain harus bernilai
# seperti semula, jadi batalkan setiap geseran sebelum berpindah ke entri berikutnya.

# %% [markdown] hint="numerical_gradient" lang="en"
# To be free of the number of dimensions, work on flat tensors: `w.reshape(-1)` is $w$ as one long
# row, and `row.reshape(w.shape)` turns a row back. `w.clone()` gives you a copy that you may
# change.

# %% [markdown] hint="numerical_gradient" lang="id"
# Agar tidak bergantung pada banyaknya dimensi, bekerjalah dengan tensor yang didatarkan:
# `w.reshape(-1)` adalah $w$ sebagai satu baris panjang, dan `baris.reshape(w.shape)` mengembalikan
# bentuknya. `w.clone()` memberi Anda salinan yang boleh Anda ubah.

# %% [markdown] hint="numerical_gradient" lang="en"
# `torch.zeros_like(w)` makes a nudge of the right shape and dtype. `torch.zeros(w.shape)` would be
# float32 even when `w` is float64, and half of the digits would be lost.

# %% [markdown] hint="numerical_gradient" lang="id"
# `torch.zeros_like(w)` membuat geseran dengan bentuk dan dtype yang tepat. `torch.zeros(w.shape)`
# bertipe float32 meskipun `w` bertipe float64, sehingga separuh digitnya hilang.

# %% [markdown] hint="numerical_gradient" lang="en"
# Fill the gaps:
#
# ```python
# gradient = torch.zeros_like(w).reshape(-1)
# for i in range(w.numel()):
#     nudge = torch.zeros_like(w).reshape(-1)
#     nudge[i] = ...
#     nudge = nudge.reshape(w.shape)
#     gradient[i] = (f(...) - f(...)) / ...
# return gradient.reshape(...)
# ```

# %% [markdown] hint="numerical_gradient" lang="id"
# Isilah bagian yang kosong:
#
# ```python
# gradient = torch.zeros_like(w).reshape(-1)
# for i in range(w.numel()):
#     nudge = torch.zeros_like(w).reshape(-1)
#     nudge[i] = ...
#     nudge = nudge.reshape(w.shape)
#     gradient[i] = (f(...) - f(...)) / ...
# return gradient.reshape(...)
# ```


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
    ### BEGIN SOLUTION
    gradient = torch.zeros_like(w).reshape(-1)
    for i in range(w.numel()):
        nudge = torch.zeros_like(w).reshape(-1)
        nudge[i] = eps
        nudge = nudge.reshape(w.shape)
        gradient[i] = (f(w + nudge) - f(w - nudge)) / (2 * eps)
    return gradient.reshape(w.shape)
    ### END SOLUTION


# %% check="numerical_gradient"
check("relu_net.numerical_gradient")

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Mengapa tidak ada yang melatih dengan beda hingga
#
# Sekarang Anda punya dua jalan menuju gradien, dan setiap panel di bawah membandingkannya.
#
# **Kiri: biayanya.** Sebuah jaringan empat lapis membesar dari 64 sampai sejuta parameter $P$,
# sementara PyTorch menghitung banyaknya perkalian. Backward kira-kira seharga dua kali forward (di
# sini 1.75), *berapa pun banyaknya parameter*. Beda satu sisi memerlukan satu forward untuk setiap
# parameter, beda pusat memerlukan dua: untuk sejuta parameter, dua juta forward demi satu langkah
# pelatihan saja.
#
# **Kanan: ketelitiannya.** Galat relatif dari turunan $e^w$ di $w = 1$, dalam float64. Dari kanan
# ke kiri galatnya turun seiring $\varepsilon$ mengecil, sampai kedua nilai $f$ menjadi begitu
# mirip sehingga selisihnya kehilangan digit, dan galatnya naik lagi. Beda pusat yang terbaik punya
# sekitar sebelas digit yang benar, itu pun kalau Anda menemukan $\varepsilon$ yang tepat. Aturan
# rantai punya sekitar enam belas digit (garis jingga menandai pembulatan float64 sendiri) dan
# tidak memerlukan $\varepsilon$.
#
# Jadi: beda hingga untuk *menguji* gradien, backward untuk menghitungnya.

# %% figure="backward-versus-differences"
from torch.utils.flop_counter import FlopCounterMode


def cost_of_backward(width):
    """Return (parameters, cost of backward / cost of forward) of four layers of this width."""
    weights = [(torch.randn(width, width) / width**0.5).requires_grad_() for _ in range(4)]
    with FlopCounterMode(display=False) as forward_count:
        hidden = torch.randn(32, width)
        for weight in weights:
            hidden = torch.relu(hidden @ weight)
        loss = hidden.square().mean()
    with FlopCounterMode(display=False) as backward_count:
        loss.backward()
    parameters = sum(weight.numel() for weight in weights)
    return parameters, backward_count.get_total_flops() / forward_count.get_total_flops()


def draw_backward_versus_differences():
    """Draw the cost (left) and the error (right) of differences beside those of backward."""
    _, (cost, error) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    central, one_sided, orange = "#2b62a3", "#7fa8d1", "#c8501e"

    sizes, backward = zip(*[cost_of_backward(4 * 2**k) for k in range(8)], strict=True)
    cost.loglog(sizes, [2 * p for p in sizes], "o-", color=central, ms=4)
    cost.loglog(sizes, [p + 1 for p in sizes], "o-", color=one_sided, ms=4)
    cost.loglog(sizes, backward, "o-", color=orange, ms=4)
    both = r"\frac{f(w+\varepsilon)-f(w-\varepsilon)}{2\varepsilon}"
    one = r"\frac{f(w+\varepsilon)-f(w)}{\varepsilon}"
    cost.text(4e3, 3e4, f"${both}$", color=central, ha="right", size=14)
    cost.text(1e4, 1.2e3, f"${one}$", color=one_sided, size=14)
    cost.text(1e4, 4, "backward()", color=orange, family="monospace")
    cost.set(xlabel="$P$", ylabel="× forward", ylim=(0.7, 8e6))

    w = torch.tensor(1.0, dtype=torch.float64)
    eps = torch.logspace(-13, 0, 79, dtype=torch.float64)
    slope = torch.exp(w)
    both_sides = (torch.exp(w + eps) - torch.exp(w - eps)) / (2 * eps)
    one_side = (torch.exp(w + eps) - torch.exp(w)) / eps
    error.loglog(eps, (one_side / slope - 1).abs(), color=one_sided)
    error.loglog(eps, (both_sides / slope - 1).abs(), color=central)
    error.axhline(torch.finfo(torch.float64).eps, color=orange)
    error.text(1e-7, 5e-16, "backward()", color=orange, family="monospace")
    error.set(xlabel=r"$\varepsilon$", ylabel=r"$|\hat{g} - g|\;/\;g$", ylim=(3e-17, 10))

    for axes in (cost, error):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="0.92")
    plt.show()


draw_backward_versus_differences()

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Apa yang sampai ke lapisan pertama
#
# Aturan rantai punya akibat yang ikut membentuk deep learning. Dalam rantai 30 neuron,
# $h_k = \varphi(w\, h_{k-1})$, gradien yang sampai ke masukan adalah hasil kali 30 turunan lokal:
#
# $$\frac{\partial h_{30}}{\partial h_0} = \prod_{k=1}^{30} w\, \varphi'(w\, h_{k-1})$$
#
# Tiga puluh faktor di bawah 1 hampir tidak menyisakan apa-apa. Kemiringan sigmoid tidak pernah
# lebih dari $\frac14$, dan dengan $w = 1$ hanya sekitar $4 \cdot 10^{-20}$ dari sinyal yang
# sampai: gradiennya **lenyap** (vanishing), dan lapisan pertama tidak belajar. Dengan faktor di
# atas 1, hasil kalinya **meledak** (exploding). ReLU yang terbuka punya kemiringan 1, jadi hanya
# $w$ yang menentukan: untuk $w = 1$ sinyal sampai dengan utuh, untuk $w = 1.5$ sinyal membesar
# sampai sekitar $2 \cdot 10^5$.
#
# Gambar berikut mengikuti gradien dari $h_{30}$ di kanan mundur sampai masukan $h_0$ di kiri.


# %% figure="vanishing-and-exploding"
def signal_along_a_chain(activation, weight, depth=30):
    """Return |∂h_depth/∂h_k| for k = 0 … depth in a chain h_k = activation(weight · h_{k−1})."""
    hidden = [torch.tensor(0.5, dtype=torch.float64, requires_grad=True)]
    for _ in range(depth):
        hidden.append(activation(weight * hidden[-1]))
    gradients_along = torch.autograd.grad(hidden[-1], hidden)
    return [gradient.abs().item() for gradient in gradients_along]


def draw_vanishing_and_exploding():
    """Draw the gradient's way back through three chains of 30 neurons."""
    _, axes = plt.subplots(figsize=(8, 3.8), layout="constrained")
    chains = [
        (torch.relu, 1.5, "relu, $w = 1.5$", "#c8501e"),
        (torch.relu, 1.0, "relu, $w = 1$", "0.35"),
        (torch.sigmoid, 1.0, "sigmoid, $w = 1$", "#2b62a3"),
    ]
    for activation, weight, label, color in chains:
        signal = signal_along_a_chain(activation, weight)
        axes.semilogy(signal, "o-", color=color, ms=3.5)
        place = {"textcoords": "offset points", "color": color}
        axes.annotate(f"{signal[0]:.0e}", (0, signal[0]), (-8, -4), ha="right", **place)
        offset = (8, -14) if signal[0] < 1 else (4, 8)
        axes.annotate(label, (9, signal[9]), offset, **place)
    axes.set(xlabel="$k$", ylabel=r"$|\partial h_{30} / \partial h_k|$", xlim=(-4, 30.5))
    axes.set(xticks=range(0, 31, 5), ylim=(1e-22, 1e9))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92")
    plt.show()


draw_vanishing_and_exploding()

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## Yang Anda bawa dari sini
#
# - Gradien adalah hasil kali turunan-turunan lokal di sepanjang jalur menuju loss, dan jumlah atas
#   semua jalur (di sini: atas semua contoh dalam batch).
# - Setiap turunan lokal hanya memerlukan bilangan dari forward pass. Karena itulah autograd
#   menyimpannya sampai `backward()` dipanggil.
# - Satu backward memberi *semua* gradien dengan harga sekitar dua kali forward. Beda hingga mahal
#   dan tidak eksak, tetapi tidak bergantung pada aljabar Anda: alat yang tepat untuk menguji.
#
# Berikutnya Anda sendiri yang memanggil `backward()`, lalu melihat apa yang ditinggalkannya di
# `.grad`.
