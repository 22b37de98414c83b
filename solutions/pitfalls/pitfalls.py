# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown] lang="en"
# # Find and mend
#
# Each of the five functions below looks finished, and each is wrong. Three stop with an error. One
# returns a wrong number without a word. One returns the right numbers while it slowly fills the
# memory.
#
# Treat them like bugs of your own. Run the check and read what it says. Put into one sentence what
# autograd did and what the author expected. Only then change the code, and change as little as you
# can: four of the five need a different line or two, not a rewrite.

# %% [markdown] lang="id"
# # Temukan dan perbaiki
#
# Kelima fungsi di bawah ini tampak sudah jadi, padahal semuanya salah. Tiga berhenti dengan pesan
# galat. Satu mengembalikan angka yang keliru tanpa peringatan apa pun. Satu lagi mengembalikan
# angka yang benar, tetapi pelan-pelan memenuhi memori.
#
# Perlakukan semuanya seperti bug Anda sendiri. Jalankan pemeriksaannya dan baca pesannya. Rumuskan
# dalam satu kalimat apa yang dilakukan autograd dan apa yang dikira penulisnya. Baru setelah itu
# ubah kodenya, sesedikit mungkin: empat dari lima fungsi cukup diperbaiki satu atau dua baris,
# tidak perlu ditulis ulang.

# %%
import torch

from autograded import check

# %% [markdown] lang="en"
# ## 1. `.grad` is a sum
#
# `backward()` does not *set* `.grad`. It adds to it:
#
# $$\texttt{w.grad} \leftarrow \texttt{w.grad} + \frac{\partial L}{\partial w}$$
#
# Inside one graph this is the chain rule: a weight used in two places collects a contribution from
# each. But the sum does not end with the graph. Two separate graphs add up just the same, and the
# derivative of $2x$ seems to grow from 2 to 4.

# %% [markdown] lang="id"
# ## 1. `.grad` adalah jumlahan
#
# `backward()` tidak *mengisi* `.grad` dengan nilai baru, melainkan menambahkan ke isinya:
#
# $$\texttt{w.grad} \leftarrow \texttt{w.grad} + \frac{\partial L}{\partial w}$$
#
# Di dalam satu graf, inilah aturan rantai: bobot yang dipakai di dua tempat mengumpulkan sumbangan
# dari keduanya. Namun akumulasi ini tidak berhenti di ujung graf. Dua graf yang terpisah pun
# dijumlahkan, sehingga turunan $2x$ seolah-olah tumbuh dari 2 menjadi 4.

# %%
a = torch.tensor(3.0, requires_grad=True)
for _ in range(2):
    (a * 2).backward()
    print(a.grad)

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# `fit_slope`, fungsi pertama yang harus diperbaiki, mencocokkan $y \approx w x$ dengan lima titik
# yang kemiringan terbaiknya tepat 2,5. Sel berikut menjalankannya apa adanya. Tiga epoch
# pertamanya:
#
# | epoch | loss | `.grad` | $w$ setelah langkah |
# |---|---|---|---|
# | 1 | 68,7580 | −55,0000 | 1,6500 |
# | 2 | 7,9555 | −73,7000 | 3,8610 |
# | 3 | 20,3835 | −43,7580 | 5,1737 |
#
# Epoch 1 benar. Pada epoch 2 kemiringannya masih terlalu kecil dan arah langkahnya pun benar,
# tetapi $w$ mendarat jauh melewati 2,5.

# %% figure="piling-up"
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

# %% [markdown] lang="en"
# Left, in each epoch: what this `backward()` computed (blue) and what the step used (red). Right:
# $w$ does not settle. Every old gradient goes on pushing, like a ball in a bowl without friction.

# %% [markdown] lang="id"
# Kiri, untuk setiap epoch: yang dihitung `backward()` kali ini (biru) dan yang dipakai oleh
# langkah (merah). Kanan: $w$ tidak pernah tenang. Setiap gradien lama terus ikut mendorong,
# seperti bola di dalam mangkuk tanpa gesekan.

# %% [markdown] task="fit_slope" lang="en"
# ### Mend `fit_slope`
#
# Each step should follow the gradient of the mean squared error at the current $w$. Make it so. On
# the five points, with learning rate 0.03 and 12 epochs, the slope then comes to 2.5000.

# %% [markdown] task="fit_slope" lang="id"
# ### Perbaiki `fit_slope`
#
# Setiap langkah seharusnya mengikuti gradien rata-rata galat kuadrat di $w$ saat itu. Perbaiki
# agar demikian. Pada kelima titik tadi, dengan laju pembelajaran 0,03 dan 12 epoch, kemiringannya
# menjadi 2,5000.

# %% [markdown] hint="fit_slope" lang="en"
# In the second epoch, blue and red differ by exactly −55. Where have you seen that number?

# %% [markdown] hint="fit_slope" lang="id"
# Pada epoch kedua, biru dan merah berselisih tepat −55. Di mana angka itu pernah muncul?

# %% [markdown] hint="fit_slope" lang="en"
# The loss, `backward()` and the update are all right. What is missing is a line that makes the sum
# start from nothing in every epoch. `optimizer.zero_grad()` does this for an optimizer's
# parameters; here there is no optimizer, only `w`.

# %% [markdown] hint="fit_slope" lang="id"
# Loss, `backward()`, dan pembaruannya sudah benar. Yang kurang adalah satu baris yang membuat
# jumlahan mulai dari nol lagi di setiap epoch. Untuk parameter milik optimizer,
# `optimizer.zero_grad()` yang melakukannya; di sini tidak ada optimizer, hanya `w`.

# %% [markdown] hint="fit_slope" lang="en"
# There is room for that line in two places: before `backward()`, or after the update. Between
# `backward()` and the update it would throw away the gradient before anyone has read it.

# %% [markdown] hint="fit_slope" lang="id"
# Baris itu bisa diletakkan di dua tempat: sebelum `backward()`, atau setelah pembaruan. Di antara
# `backward()` dan pembaruan, ia membuang gradien sebelum sempat dibaca.

# %% [markdown] hint="fit_slope" lang="en"
# `w.grad = None` inside the loop is enough. `w.grad.zero_()` works too, but not in the first epoch
# before `backward()`: there `w.grad` is still `None`.

# %% [markdown] hint="fit_slope" lang="id"
# `w.grad = None` di dalam perulangan sudah cukup. `w.grad.zero_()` juga bisa, tetapi tidak pada
# epoch pertama sebelum `backward()`: di situ `w.grad` masih `None`.


# %% exercise="fit_slope"
def fit_slope(x, y, lr, epochs):
    """Fit y ≈ w·x by gradient descent on the mean squared error.

    x, y: float tensors of shape (N,). lr: the learning rate. epochs: how many steps w takes.
    w starts at 0. Returns the fitted slope as a Python float.
    """
    ### BEGIN SOLUTION
    w = torch.tensor(0.0, requires_grad=True)
    for _ in range(epochs):
        w.grad = None
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
    return w.item()
    ### INSTEAD
    # w = torch.tensor(0.0, requires_grad=True)
    # for _ in range(epochs):
    #     loss = ((w * x - y) ** 2).mean()
    #     loss.backward()
    #     with torch.no_grad():
    #         w -= lr * w.grad
    # return w.item()
    ### END SOLUTION


# %% check="fit_slope"
check("pitfalls.fit_slope")

# %% [markdown] lang="en"
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

# %% [markdown] lang="id"
# ## 2. Apa yang disimpan graf, dan sampai kapan
#
# Saat forward, setiap operasi meninggalkan satu simpul di graf komputasi, dan simpul itu menyimpan
# nilai yang kelak dibutuhkan turunannya. Untuk $h = w^2$ yang disimpan adalah $w$, sebab $\partial
# h / \partial w = 2w$. Untuk $e^h$ yang disimpan adalah hasilnya, yang sekaligus menjadi
# turunannya sendiri. Penjumlahan tidak menyimpan apa-apa: turunannya 1, berapa pun angkanya.
#
# Nilai-nilai inilah bagian terbesar dari memori yang dipakai pelatihan. Karena itu `backward()`
# melepas setiap nilai begitu selesai dipakai. Simpulnya tetap ada; yang dibutuhkannya untuk
# berjalan sekali lagi sudah hilang. Sel berikut mengintip graf $\sum e^{w^2}$ sebelum dan sesudah
# satu `backward()`: simpul berwarna merah memegang sebuah nilai.

# %% figure="what-a-graph-keeps"
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

# %% [markdown] lang="en"
# So a second `backward()` on the same graph fails. There is a trap in the trap: it fails only
# where something was saved. On $x + 1$ nothing was, and the second call goes through as if graphs
# could always be used twice.

# %% [markdown] lang="id"
# Karena itu `backward()` kedua pada graf yang sama gagal. Di dalam jebakan ini masih ada satu
# jebakan: ia gagal hanya jika ada nilai yang disimpan. Pada $x + 1$ tidak ada, dan panggilan kedua
# lolos begitu saja, seakan-akan graf selalu boleh dipakai dua kali.


# %%
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

# %% [markdown] task="backward_twice" lang="en"
# ### Mend `backward_twice`
#
# `f` is expensive: it may be called once only. Run backward twice through the graph of that one
# call, and return what has accumulated at `w`; for `(w * 2).sum()` at 3 that is 4.0. When the
# function has returned, nothing may keep `f(w)` or its graph alive.
#
# A number that comes out right is not enough here. The check puts a hook inside `f` and counts how
# often a gradient comes by.

# %% [markdown] task="backward_twice" lang="id"
# ### Perbaiki `backward_twice`
#
# `f` mahal: ia hanya boleh dipanggil satu kali. Jalankan backward dua kali melalui graf dari satu
# panggilan itu, lalu kembalikan gradien yang terakumulasi di `w`; untuk `(w * 2).sum()` di 3
# hasilnya 4,0. Setelah fungsi selesai, tidak boleh ada yang membuat `f(w)` atau grafnya tetap
# hidup.
#
# Angka yang benar saja belum cukup. Pemeriksaan memasang hook di dalam `f` dan menghitung berapa
# kali gradien lewat di sana.

# %% [markdown] hint="backward_twice" lang="en"
# Which of the two calls drops the values, and which one misses them? They are not the same call,
# and only one of them needs to change.

# %% [markdown] hint="backward_twice" lang="id"
# Panggilan mana yang melepas nilai-nilai itu, dan panggilan mana yang kehilangan? Keduanya bukan
# panggilan yang sama, dan hanya satu yang perlu diubah.

# %% [markdown] hint="backward_twice" lang="en"
# Calling `f` again would build a new graph, and doubling the gradient would walk the old one only
# once. Instead, ask the first `backward()` to leave the saved values where they are. Its error
# message, read to the end, names the argument.

# %% [markdown] hint="backward_twice" lang="id"
# Memanggil `f` sekali lagi akan membuat graf baru, dan mengalikan gradien dengan dua berarti graf
# lama hanya dilewati sekali. Sebagai gantinya, mintalah `backward()` pertama membiarkan nilai yang
# tersimpan di tempatnya. Pesan galatnya, jika dibaca sampai habis, menyebut argumennya.

# %% [markdown] hint="backward_twice" lang="en"
# `loss.backward(retain_graph=True)` for the first call. The second may drop the values: nobody
# comes after it. (`create_graph=True` also stops the error, but it builds a graph *of the
# gradient*, and what you return then holds on to `f`'s graph.)

# %% [markdown] hint="backward_twice" lang="id"
# `loss.backward(retain_graph=True)` untuk panggilan pertama. Panggilan kedua boleh melepas
# nilainya: tidak ada lagi yang datang sesudahnya. (`create_graph=True` juga menghilangkan
# galatnya, tetapi ia membangun graf *untuk gradien itu sendiri*, dan nilai yang Anda kembalikan
# jadi menahan graf `f`.)


# %% exercise="backward_twice"
def backward_twice(f, w):
    """Run backward twice through the graph of one call of f; return the gradient it leaves at w.

    f: takes a tensor of w's shape and returns a scalar tensor; it is called exactly once.
    w: float tensor of any shape, requiring grad or not; it is left as it was, .grad included.
    Returns a tensor of w's shape. Nothing keeps f(w) or its graph alive after the return.
    """
    ### BEGIN SOLUTION
    w = w.detach().clone().requires_grad_()
    loss = f(w)
    loss.backward(retain_graph=True)
    loss.backward()
    return w.grad
    ### INSTEAD
    # w = w.detach().clone().requires_grad_()
    # loss = f(w)
    # loss.backward()
    # loss.backward()
    # return w.grad
    ### END SOLUTION


# %% check="backward_twice"
check("pitfalls.backward_twice")

# %% [markdown] lang="en"
# ## 3. Backward starts from one number
#
# From a scalar loss, `backward()` begins with $\partial L / \partial L = 1$ and works its way
# back. A vector $y$ offers no such beginning. Its derivative is a whole matrix, $J_{ij} = \partial
# y_i / \partial w_j$, and autograd never builds that matrix: what it computes is a product $v^\top
# J$, one weight $v_i$ for each output. Unless someone says what $v$ is, it cannot start.

# %% [markdown] lang="id"
# ## 3. Backward berangkat dari satu angka
#
# Dari loss yang skalar, `backward()` mulai dengan $\partial L / \partial L = 1$ lalu berjalan
# mundur. Vektor $y$ tidak memberi titik awal seperti itu. Turunannya adalah sebuah matriks,
# $J_{ij} = \partial y_i / \partial w_j$, dan autograd tidak pernah membangun matriks itu: yang
# dihitungnya adalah hasil kali $v^\top J$, dengan satu bobot $v_i$ untuk setiap keluaran. Selama
# $v$ belum ditentukan, ia tidak bisa mulai.

# %%
v = torch.tensor([1.0, 2.0], requires_grad=True)
try:
    (v * 2).backward()
except RuntimeError as error:
    print(first_sentence(error))

# %% [markdown] task="elementwise_slope" lang="en"
# ### Mend `elementwise_slope`
#
# Return the derivative of $w \cdot \text{scale}$ element by element, in `w`'s shape: for two
# elements and scale 3, `[3., 3.]`. Here $J$ has a simple form, because $y_i$ depends on $w_i$
# alone. Which $v$ brings out its diagonal?

# %% [markdown] task="elementwise_slope" lang="id"
# ### Perbaiki `elementwise_slope`
#
# Kembalikan turunan $w \cdot \text{scale}$ elemen demi elemen, dengan bentuk `w`: untuk dua elemen
# dan scale 3, `[3., 3.]`. Di sini bentuk $J$ sederhana, karena $y_i$ hanya bergantung pada $w_i$.
# $v$ mana yang menampilkan diagonalnya?

# %% [markdown] hint="elementwise_slope" lang="en"
# Write $J$ down for two elements. Everything off the diagonal is 0, so column $j$ of $J$ has one
# entry that counts. Take $v^\top J$ with unknown $v_1, v_2$ and look at what you want it to be.

# %% [markdown] hint="elementwise_slope" lang="id"
# Tuliskan $J$ untuk dua elemen. Semua yang di luar diagonal bernilai 0, jadi pada kolom ke-$j$
# hanya satu entri yang berarti. Hitung $v^\top J$ dengan $v_1, v_2$ yang belum diketahui, lalu
# bandingkan dengan hasil yang Anda inginkan.

# %% [markdown] hint="elementwise_slope" lang="en"
# Every weight must be 1. You can say so in two ways: hand `backward()` a $v$ of `y`'s shape, or
# make a scalar out of `y` in which every element counts once.

# %% [markdown] hint="elementwise_slope" lang="id"
# Semua bobot harus 1. Ada dua cara menyatakannya: berikan kepada `backward()` sebuah $v$ dengan
# bentuk `y`, atau jadikan `y` skalar dengan setiap elemen terhitung satu kali.

# %% [markdown] hint="elementwise_slope" lang="en"
# `y.backward(gradient=...)` with ones in `y`'s shape, or `backward()` on the sum. The *mean* is a
# scalar too, but in it every element counts only $1/n$.

# %% [markdown] hint="elementwise_slope" lang="id"
# `y.backward(gradient=...)` dengan angka satu dalam bentuk `y`, atau `backward()` pada jumlahnya.
# *Rata-rata* juga skalar, tetapi di dalamnya setiap elemen hanya terhitung $1/n$.


# %% exercise="elementwise_slope"
def elementwise_slope(w, scale):
    """Return d(w·scale)/dw, element by element.

    w: float tensor of any shape, requiring grad or not; it is left as it was, .grad included.
    scale: a number. Returns a tensor of w's shape whose entry i is ∂(w_i·scale)/∂w_i.
    """
    ### BEGIN SOLUTION
    w = w.detach().clone().requires_grad_()
    y = w * scale
    y.sum().backward()
    return w.grad
    ### INSTEAD
    # w = w.detach().clone().requires_grad_()
    # y = w * scale
    # y.backward()
    # return w.grad
    ### END SOLUTION


# %% check="elementwise_slope"
check("pitfalls.elementwise_slope")

# %% [markdown] lang="en"
# ## 4. Was anything recorded?
#
# Before you call `backward()`, you can ask the result what it knows of its past. `grad_fn` is the
# node that made it. Without one there is no way back, and `backward()` says so in a sentence worth
# knowing by heart.

# %% [markdown] lang="id"
# ## 4. Adakah yang dicatat?
#
# Sebelum memanggil `backward()`, Anda bisa bertanya kepada hasilnya apa yang ia ketahui tentang
# asal-usulnya. `grad_fn` adalah simpul yang membuatnya. Tanpa simpul itu tidak ada jalan pulang,
# dan `backward()` mengatakannya dengan kalimat yang patut dihafal.

# %%
recorded, unrecorded = a**2, torch.tensor(3.0) ** 2
for result in (recorded, unrecorded):
    print(result, result.requires_grad, result.grad_fn)
try:
    unrecorded.backward()
except RuntimeError as error:
    print(first_sentence(error))

# %% [markdown] lang="en"
# The message names the symptom, and the symptom has more than one cause. It can also be silenced
# without being cured: put the number into a fresh tensor that requires grad, and `backward()` runs
# and reaches nothing. When an error has gone, ask whether the answer is right or merely quiet.

# %% [markdown] lang="id"
# Pesan itu menyebut gejala, dan gejala yang sama bisa punya lebih dari satu sebab. Ia juga bisa
# dibungkam tanpa disembuhkan: masukkan angkanya ke tensor baru yang `requires_grad`, maka
# `backward()` berjalan tetapi tidak sampai ke mana-mana. Ketika sebuah galat hilang, tanyakan
# apakah jawabannya memang benar atau cuma diam.

# %% [markdown] task="slope_at" lang="en"
# ### Mend `slope_at`
#
# It should return $df/dx$ at the float `value`: 6 for $x^2$ at 3. This function has three faults,
# and mending one uncovers the next.

# %% [markdown] task="slope_at" lang="id"
# ### Perbaiki `slope_at`
#
# Fungsi ini seharusnya mengembalikan $df/dx$ di bilangan `value`: 6 untuk $x^2$ di 3. Kesalahannya
# ada tiga, dan memperbaiki yang satu menyingkap yang berikutnya.

# %% [markdown] hint="slope_at" lang="en"
# Follow one gradient from end to end. Where should it arrive, which way does it take there, and at
# what moment does it set out? The function has one fault for each question.

# %% [markdown] hint="slope_at" lang="id"
# Ikuti satu gradien dari ujung ke ujung. Di mana ia harus tiba, lewat jalan mana, dan kapan ia
# berangkat? Fungsi ini punya satu kesalahan untuk setiap pertanyaan itu.

# %% [markdown] hint="slope_at" lang="en"
# Print `x.requires_grad` before `f` is called and `y.grad_fn` after it. Both tell you that
# autograd was not watching: once because nobody asked for this tensor, once because someone
# switched the recording off.

# %% [markdown] hint="slope_at" lang="id"
# Cetak `x.requires_grad` sebelum `f` dipanggil dan `y.grad_fn` sesudahnya. Keduanya menunjukkan
# bahwa autograd tidak memperhatikan: sekali karena tidak ada yang memintanya untuk tensor ini,
# sekali karena pencatatannya dimatikan.

# %% [markdown] hint="slope_at" lang="en"
# Make `x` with `requires_grad=True` and call `f` outside `torch.no_grad()`. What comes back now is
# `None`, without any error. Until `backward()` has run, `.grad` is `None`.

# %% [markdown] hint="slope_at" lang="id"
# Buat `x` dengan `requires_grad=True` dan panggil `f` di luar `torch.no_grad()`. Sekarang yang
# kembali adalah `None`, tanpa galat apa pun. Sebelum `backward()` dijalankan, `.grad` adalah
# `None`.

# %% [markdown] hint="slope_at" lang="en"
# The order, then: leaf, forward, `y.backward()`, and only then `x.grad`.

# %% [markdown] hint="slope_at" lang="id"
# Jadi urutannya: tensor daun, forward, `y.backward()`, dan baru sesudah itu `x.grad`.


# %% exercise="slope_at"
def slope_at(f, value):
    """Return df/dx at x = value.

    f: takes a scalar (0-d) tensor and returns one. value: a float.
    Returns the slope as a float or a 0-d tensor.
    """
    ### BEGIN SOLUTION
    x = torch.tensor(value, requires_grad=True)
    y = f(x)
    y.backward()
    return x.grad.item()
    ### INSTEAD
    # x = torch.tensor(value)
    # with torch.no_grad():
    #     y = f(x)
    # slope = x.grad
    # y.backward()
    # return slope
    ### END SOLUTION


# %% check="slope_at"
check("pitfalls.slope_at")

# %% [markdown] lang="en"
# ## 5. A loss is more than a number
#
# A loss tensor holds its `grad_fn`; that node holds the nodes before it, and so on down to the
# leaves. As long as you can reach the loss, none of this can be freed.
#
# The next cell puts the loss of every batch into a list, as the last function does. Left, in
# training: `backward()` has dropped the saved values, but the nodes of every batch stay. Right, in
# validation, where no `backward()` comes: the saved values stay as well, batch upon batch. The
# dashed line is what one batch needs.

# %% [markdown] lang="id"
# ## 5. Loss bukan sekadar angka
#
# Tensor loss memegang `grad_fn`-nya; simpul itu memegang simpul-simpul sebelumnya, dan seterusnya
# sampai ke tensor daun. Selama loss itu masih terjangkau, tidak satu pun dari semuanya bisa
# dibebaskan.
#
# Sel berikut memasukkan loss setiap batch ke dalam sebuah list, seperti yang dilakukan fungsi
# terakhir. Kiri, saat pelatihan: `backward()` sudah melepas nilai yang tersimpan, tetapi simpul
# dari setiap batch tetap tinggal. Kanan, saat validasi, ketika tidak ada `backward()`: nilai yang
# tersimpan pun ikut tinggal, batch demi batch. Garis putus-putus adalah kebutuhan satu batch.

# %% figure="graphs-kept-alive"
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

# %% [markdown] task="loss_curve" lang="en"
# ### Mend `loss_curve`
#
# The training is right; leave it as it is. Return the loss of each batch as a plain Python float,
# and let no graphs pile up: not while training, and not after the return.

# %% [markdown] task="loss_curve" lang="id"
# ### Perbaiki `loss_curve`
#
# Pelatihannya sudah benar; biarkan apa adanya. Kembalikan loss setiap batch sebagai float Python
# biasa, dan jangan biarkan graf menumpuk: tidak selama pelatihan, tidak pula setelah fungsi
# selesai.

# %% [markdown] hint="loss_curve" lang="en"
# Five lines do the training and one keeps the record. What does the record hold that a curve on
# paper does not need?

# %% [markdown] hint="loss_curve" lang="id"
# Lima baris mengerjakan pelatihan dan satu baris mencatat. Apa yang disimpan catatan itu padahal
# tidak dibutuhkan untuk menggambar kurva?

# %% [markdown] hint="loss_curve" lang="en"
# Take the number out of the tensor in the same turn of the loop. Converting the whole list at the
# end is too late: until then, every graph is alive. And `detach()` lets go of the graph, but
# leaves a tensor.

# %% [markdown] hint="loss_curve" lang="id"
# Ambil angkanya dari tensor dalam putaran yang sama. Mengubah seluruh list di akhir sudah
# terlambat: sampai saat itu semua graf masih hidup. Adapun `detach()` melepaskan graf, tetapi yang
# tersisa tetap sebuah tensor.

# %% [markdown] hint="loss_curve" lang="en"
# A tensor with one element gives up its number with `.item()`. Use it where the loss goes into the
# list, not before `backward()`, which still needs the tensor.

# %% [markdown] hint="loss_curve" lang="id"
# Tensor dengan satu elemen memberikan angkanya lewat `.item()`. Pakailah di tempat loss dimasukkan
# ke dalam list, bukan sebelum `backward()`, yang masih membutuhkan tensornya.


# %% exercise="loss_curve"
def loss_curve(model, loss_fn, optimizer, batches):
    """Train for one pass over the batches and return the loss of each batch, in order.

    model: a torch.nn.Module. loss_fn(predictions, targets): returns a scalar tensor.
    optimizer: a torch optimizer over the model's parameters. batches: (inputs, targets) pairs.
    Returns a list of plain Python floats. While a batch is trained, the graphs of earlier ones
    are gone (the last one's at the latest with the new loss); after the return, all of them are.
    Only the parameters and the optimizer's memory change.
    """
    ### BEGIN SOLUTION
    losses = []
    for inputs, targets in batches:
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
    ### INSTEAD
    # losses = []
    # for inputs, targets in batches:
    #     optimizer.zero_grad()
    #     loss = loss_fn(model(inputs), targets)
    #     loss.backward()
    #     optimizer.step()
    #     losses.append(loss)
    # return losses
    ### END SOLUTION


# %% check="loss_curve"
check("pitfalls.loss_curve")

# %% [markdown] task="explain" lang="en"
# ## In your own words
#
# In `fit_slope` the sum in `.grad` was the bug; in `backward_twice` it was the result. In five to
# ten sentences of your own: why does PyTorch add to `.grad` instead of replacing it, and when is
# that exactly what you want? Give one example of your own where it helps and say what would go
# wrong there if `backward()` replaced the old value. A person reads this answer.

# %% [markdown] task="explain" lang="id"
# ## Dengan kata-kata sendiri
#
# Di `fit_slope`, jumlahan di `.grad` adalah bug-nya; di `backward_twice`, justru itulah hasilnya.
# Dalam lima sampai sepuluh kalimat Anda sendiri: mengapa PyTorch menambahkan ke `.grad`, bukan
# menggantinya, dan kapan akumulasi itu tepat seperti yang Anda inginkan? Beri satu contoh Anda
# sendiri ketika ia berguna, dan jelaskan apa yang salah di situ seandainya `backward()` mengganti
# nilai lama. Jawaban ini dibaca oleh manusia.

# %% [markdown] answer="explain" lang="en"
# *Write your answer here.*

# %% [markdown] answer="explain" lang="id"
# *Tulis jawaban Anda di sini.*
