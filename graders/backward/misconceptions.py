"""What people get wrong in `backward`: runnable, with the explanation each of them deserves."""

import copy

import torch

from autograded.grading import mistakes

DOUBLE = torch.float64

KEPT = []
"""What one of the mistakes holds on to after its function has returned."""


def own_leaf(wrong, w):
    """The leaf to walk back to: a stand-in for w, unless one of the mistakes is switched on."""
    if "writes-into-w" in wrong:
        return w.requires_grad_()
    if "deep-copy" in wrong:
        return copy.deepcopy(w).requires_grad_()
    return (w if "clone-without-detach" in wrong else w.detach()).clone().requires_grad_()


@mistakes(
    "backward.derivative",
    {
        "returns-the-value": {
            "en": "You return f(x), the value, and not its derivative. backward() leaves the "
            "derivative on the leaf you gave to f.",
            "id": "Yang Anda kembalikan adalah f(x), yaitu nilainya, bukan turunannya. backward() "
            "menaruh turunan itu di tensor daun yang Anda berikan kepada f.",
        },
        "returns-the-point": {
            "en": "You return the point x itself. The leaf holds two things, its own value and, "
            "after backward(), the derivative: these have different names.",
            "id": "Yang Anda kembalikan adalah titik x sendiri. Tensor daun memuat dua hal, "
            "nilainya dan, setelah backward(), turunannya: namanya berbeda.",
        },
        "integer-leaf": {
            "en": "You made the leaf from an integer, so f was differentiated at another point: "
            "what stands after the decimal point of x is lost.",
            "id": "Tensor daun Anda dibuat dari bilangan bulat, jadi f diturunkan di titik lain: "
            "angka di belakang koma pada x hilang.",
        },
        "two-walks-piled-up": {
            "en": "Your derivative is exactly twice autograd's: two backward calls arrived at the "
            "same leaf, and .grad adds them up.",
            "id": "Turunan Anda tepat dua kali milik autograd: dua panggilan backward tiba di "
            "tensor daun yang sama, dan .grad menjumlahkannya.",
        },
        "sign-flipped": {
            "en": "Your derivative has the opposite sign of autograd's. .grad is the derivative "
            "itself; the minus of gradient descent comes later, in the step.",
            "id": "Tanda turunan Anda berlawanan dengan milik autograd. .grad adalah turunannya "
            "sendiri; tanda minus pada penurunan gradien baru muncul saat melangkah.",
        },
        "vector-for-a-number": {
            "en": "You gave f a vector with one entry. f is a function of a single number, and one "
            "that uses its argument as such breaks there.",
            "id": "Yang Anda berikan kepada f adalah vektor dengan satu unsur. f adalah fungsi "
            "dari satu bilangan, dan fungsi yang memakainya sebagai bilangan akan gagal.",
        },
        "rounded": {
            "en": "You round the derivative. Where it is small, hardly a digit is left of it; "
            "rounding is for printing, not for what a function returns.",
            "id": "Anda membulatkan turunannya. Jika nilainya kecil, hampir tidak ada digit yang "
            "tersisa; pembulatan itu untuk mencetak, bukan untuk nilai yang dikembalikan.",
        },
    },
)
def derivative(wrong, f, x):
    # float32 as by default: answers are then compared as float32, whatever the student used.
    point = float(int(x)) if "integer-leaf" in wrong else x
    leaf = torch.tensor([point] if "vector-for-a-number" in wrong else point, requires_grad=True)
    value = f(leaf)
    value.backward()
    if "two-walks-piled-up" in wrong:
        f(leaf).backward()
    answer = leaf.grad
    if "returns-the-value" in wrong:
        answer = value
    if "returns-the-point" in wrong:
        answer = leaf
    if "vector-for-a-number" in wrong:
        answer = answer[0]
    if "rounded" in wrong:
        answer = round(answer.item(), 4)
    return -answer if "sign-flipped" in wrong else answer


@mistakes(
    "backward.derivative",
    {
        "none-after-backward": {
            "en": "Your backward ran, but what you return is None. Either there is no `return`, or "
            ".grad was read before the walk back, or of a tensor that is not a leaf (a leaf that "
            "was converted or computed with is none any more), or you return what backward() "
            "returns: nothing.",
            "id": "Backward Anda berjalan, tetapi yang dikembalikan adalah None. Mungkin tidak ada "
            "`return`, atau .grad dibaca sebelum perjalanan pulang, atau dibaca dari tensor yang "
            "bukan daun (tensor daun yang dikonversi atau dihitung lagi bukan daun lagi), atau "
            "Anda mengembalikan hasil backward(), yang memang tidak ada.",
        },
        "no-walk-through-f": {
            "en": "You return None, and no backward ever came through f. Was backward() called, "
            "and on the tensor that f returned? Computing f leaves nothing in .grad, and from a "
            "number taken out with item() or made anew there is no way back to your leaf.",
            "id": "Anda mengembalikan None, dan tidak ada backward yang melalui f. Apakah "
            "backward() dipanggil, dan pada tensor yang dikembalikan f? Menghitung f saja tidak "
            "mengisi .grad, dan dari bilangan yang diambil dengan item() atau dibuat baru tidak "
            "ada jalan pulang ke tensor daun Anda.",
        },
        "value-without-a-walk": {
            "en": "You return f(x), the value, and no backward came through f. The derivative is "
            "what the walk back leaves on the leaf.",
            "id": "Yang Anda kembalikan adalah f(x), yaitu nilainya, dan tidak ada backward yang "
            "melalui f. Turunannya adalah yang ditaruh perjalanan pulang di tensor daun.",
        },
    },
)
def derivative_without_an_answer(wrong, f, x):
    leaf = torch.tensor(x, requires_grad=True)
    value = f(leaf)
    before = leaf.grad
    if "value-without-a-walk" in wrong:
        return value
    if "no-walk-through-f" not in wrong:
        value.backward()
    return before if "none-after-backward" in wrong else leaf.grad


@mistakes(
    "backward.derivative",
    {
        "central-difference": {
            "en": "You compare f at two neighbouring points. That is a difference, an "
            "approximation, and at a kink it is another number; backward() walks the graph.",
            "id": "Anda membandingkan f di dua titik berdekatan. Itu beda hingga, sebuah "
            "hampiran, dan di titik patah hasilnya lain; backward() menelusuri grafnya.",
        },
        "forward-difference": {
            "en": "You compare f at x with f a little further on. That is a difference, and a "
            "coarse one; backward() walks the graph and needs no step size.",
            "id": "Anda membandingkan f di x dengan f sedikit setelahnya. Itu beda hingga, dan "
            "kasar pula; backward() menelusuri grafnya dan tidak memerlukan ukuran langkah.",
        },
        "backward-difference": {
            "en": "You compare f at x with f a little before it. That is a difference, and a "
            "coarse one; backward() walks the graph and needs no step size.",
            "id": "Anda membandingkan f di x dengan f sedikit sebelumnya. Itu beda hingga, dan "
            "kasar pula; backward() menelusuri grafnya dan tidak memerlukan ukuran langkah.",
        },
    },
    idea="finite-differences",
)
def derivative_by_difference(wrong, f, x):
    if not wrong:
        return derivative(wrong, f, x)
    step = 1e-6
    above = x if "backward-difference" in wrong else x + step
    below = x if "forward-difference" in wrong else x - step
    above, below = (torch.tensor(at, dtype=DOUBLE) for at in (above, below))
    return ((f(above) - f(below)) / (above - below)).float()


@mistakes(
    "backward.vector_jacobian_product",
    {
        "ignores-v": {
            "en": "Your result does not depend on v: it is what v = all ones gives. Each output "
            "has to count as much as v says.",
            "id": "Hasil Anda tidak bergantung pada v: itulah hasil untuk v yang semuanya satu. "
            "Tiap keluaran harus berarti sebesar yang dikatakan v.",
        },
        "mean-instead-of-sum": {
            "en": "Your vᵀJ is too small by the number of outputs: the scalar whose gradient it is "
            "is the sum of v·f(x), not the mean.",
            "id": "vᵀJ Anda terlalu kecil, terbagi oleh banyaknya keluaran: skalar yang gradiennya "
            "vᵀJ adalah jumlah v·f(x), bukan rata-ratanya.",
        },
        "flattened": {
            "en": "Your vᵀJ is one long vector. It holds one number per entry of x, so it has the "
            "shape of x.",
            "id": "vᵀJ Anda berupa satu vektor panjang. Isinya satu bilangan untuk tiap unsur x, "
            "jadi bentuknya sama dengan bentuk x.",
        },
        "writes-into-x": {
            "en": "You worked on x itself, and your backward left its mark on x.grad. x was only "
            "lent: walk back to a leaf of your own.",
            "id": "Anda bekerja pada x itu sendiri, dan backward Anda meninggalkan jejak di "
            "x.grad. x hanya dipinjamkan: pulanglah ke tensor daun milik Anda sendiri.",
        },
        "clears-the-leftover": {
            "en": "You emptied x.grad before your own backward. What was in it belongs to somebody "
            "else: walk back to a leaf of your own.",
            "id": "Anda mengosongkan x.grad sebelum backward Anda. Isinya milik orang lain: "
            "pulanglah ke tensor daun milik Anda sendiri.",
        },
        "clone-without-detach": {
            "en": "You made your own leaf with clone() alone. When x requires grad, a clone is "
            "still part of its graph: it is no leaf, and the walk goes on to x itself.",
            "id": "Tensor daun Anda dibuat dengan clone() saja. Jika x meminta gradien, "
            "salinannya masih bagian dari grafnya: ia bukan tensor daun, dan perjalanannya "
            "berlanjut sampai ke x itu sendiri.",
        },
        "deep-copy": {
            "en": "You made your own leaf with deepcopy, which copies what is in x.grad as well: "
            "your gradient is piled up on what somebody else left there.",
            "id": "Tensor daun Anda dibuat dengan deepcopy, yang ikut menyalin isi x.grad: "
            "gradien Anda menumpuk di atas sesuatu yang ditinggalkan orang lain di sana.",
        },
        "returns-a-tuple": {
            "en": "You return the tuple that torch.autograd.grad gives, one entry per input. There "
            "is one input here; its entry is the answer.",
            "id": "Anda mengembalikan tuple dari torch.autograd.grad, satu isi untuk tiap masukan. "
            "Di sini masukannya satu; isinya itulah jawabannya.",
        },
        "f-given-one-row": {
            "en": "You gave f the entries of x as one long row. f may use the rows and columns of "
            "x; only the answer may be put into another shape.",
            "id": "Anda memberikan unsur-unsur x kepada f sebagai satu baris panjang. f bisa saja "
            "memakai baris dan kolom x; hanya jawabannya yang boleh diubah bentuknya.",
        },
        "f-given-a-batch": {
            "en": "You gave x one more dimension, as in a batch of one. f was made for x as it is.",
            "id": "Anda menambahkan satu dimensi pada x, seperti batch berisi satu contoh. f "
            "dibuat untuk x apa adanya.",
        },
    },
)
def vector_jacobian_product(wrong, f, x, v):
    if "deep-copy" in wrong:
        leaf = copy.deepcopy(x).requires_grad_()
    elif wrong & {"writes-into-x", "clears-the-leftover"}:
        leaf = x.requires_grad_()
    else:
        leaf = (x if "clone-without-detach" in wrong else x.detach()).clone().requires_grad_()
    if "clears-the-leftover" in wrong:
        leaf.grad = None
    given = leaf.reshape(-1) if "f-given-one-row" in wrong else leaf
    y = f(given[None] if "f-given-a-batch" in wrong else given).reshape(v.shape)
    weights = torch.ones_like(y) if "ignores-v" in wrong else v
    scalar = (weights * y).mean() if "mean-instead-of-sum" in wrong else (weights * y).sum()
    scalar.backward()
    answer = leaf.grad
    if "flattened" in wrong and answer is not None:
        answer = answer.reshape(-1)
    return (answer,) if "returns-a-tuple" in wrong else answer


@mistakes(
    "backward.vector_jacobian_product",
    {
        "multiplies-from-the-right": {
            "en": "For a square Jacobian you return J v. vᵀJ weighs the outputs and has one number "
            "per input; J v moves the inputs and has one number per output.",
            "id": "Untuk Jacobian persegi Anda mengembalikan J v. vᵀJ membobot keluaran dan berisi "
            "satu bilangan untuk tiap masukan; J v menggeser masukan dan berisi satu bilangan "
            "untuk tiap keluaran.",
        },
        "v-after-the-walk": {
            "en": "You multiply by v after the walk back. By then the outputs are already added "
            "up with equal weight; v has to go in at the start, where the outputs are.",
            "id": "Anda mengalikan dengan v setelah perjalanan pulang. Saat itu semua keluaran "
            "sudah dijumlahkan dengan bobot yang sama; v harus masuk di awal, di tempat keluaran.",
        },
    },
)
def vector_jacobian_product_out_of_place(wrong, f, x, v):
    jacobian = torch.autograd.functional.jacobian(f, x.detach()).reshape(v.numel(), x.numel())
    if "v-after-the-walk" in wrong:
        column_sums = jacobian.sum(dim=0)
        factor = v.reshape(-1) if v.numel() == x.numel() else v.sum()
        return (column_sums * factor).reshape(x.shape)
    if "multiplies-from-the-right" in wrong and v.numel() == x.numel():
        return (jacobian @ v.reshape(-1)).reshape(x.shape)
    return (v.reshape(-1) @ jacobian).reshape(x.shape)


@mistakes(
    "backward.vector_jacobian_product",
    {
        "returns-the-value": {
            "en": "You return f(x), the value, and not vᵀJ. backward leaves vᵀJ on the leaf.",
            "id": "Yang Anda kembalikan adalah f(x), yaitu nilainya, bukan vᵀJ. backward menaruh "
            "vᵀJ di tensor daun.",
        },
        "backward-without-v": {
            "en": "You call backward() on f(x) without saying how much each output counts. That is "
            "only possible when f(x) is a scalar.",
            "id": "Anda memanggil backward() pada f(x) tanpa menyatakan seberapa besar arti tiap "
            "keluaran. Itu hanya mungkin jika f(x) berupa skalar.",
        },
        "returns-the-whole-jacobian": {
            "en": "You return the whole Jacobian. vᵀJ is one weighted sum of its rows, and "
            "backward gives it without ever building the table.",
            "id": "Anda mengembalikan seluruh Jacobian. vᵀJ adalah satu jumlah berbobot dari "
            "baris-barisnya, dan backward memberikannya tanpa pernah membuat tabel itu.",
        },
        "none-after-backward": {
            "en": "Your backward ran, but what you return is None. Either there is no `return`, or "
            ".grad was read before the walk back or of a tensor that is no leaf, or you return "
            "what backward() returns: nothing.",
            "id": "Backward Anda berjalan, tetapi yang dikembalikan adalah None. Mungkin tidak ada "
            "`return`, atau .grad dibaca sebelum perjalanan pulang atau dari tensor yang bukan "
            "daun, atau Anda mengembalikan hasil backward(), yang memang tidak ada.",
        },
        "no-walk-through-f": {
            "en": "You return None, and no backward ever came through f. Was backward() called, "
            "and on the tensor that f returned? Computing f leaves nothing in .grad.",
            "id": "Anda mengembalikan None, dan tidak ada backward yang melalui f. Apakah "
            "backward() dipanggil, dan pada tensor yang dikembalikan f? Menghitung f saja tidak "
            "mengisi .grad.",
        },
        "value-without-a-walk": {
            "en": "You return f(x), the value, and no backward came through f. vᵀJ is what the "
            "walk back leaves on the leaf.",
            "id": "Yang Anda kembalikan adalah f(x), yaitu nilainya, dan tidak ada backward yang "
            "melalui f. vᵀJ adalah yang ditaruh perjalanan pulang di tensor daun.",
        },
        "no-leaf": {
            "en": "You use x as it comes. When it does not require grad there are no notes to walk "
            "back on; when it does, the walk leaves its mark on x.grad. Make a leaf of your own.",
            "id": "Anda memakai x apa adanya. Jika x tidak meminta gradien, tidak ada catatan "
            "untuk pulang; jika meminta, perjalanannya meninggalkan jejak di x.grad. Buatlah "
            "tensor daun milik Anda sendiri.",
        },
    },
)
def vector_jacobian_product_short_of_it(wrong, f, x, v):
    if "returns-the-whole-jacobian" in wrong:
        return torch.autograd.functional.jacobian(f, x.detach())
    leaf = x if "no-leaf" in wrong else x.detach().clone().requires_grad_()
    y = f(leaf)
    if not wrong & {"no-walk-through-f", "value-without-a-walk"}:
        y.backward(None if "backward-without-v" in wrong else v)
    if wrong & {"none-after-backward", "no-walk-through-f"}:
        return None
    return y if wrong & {"returns-the-value", "value-without-a-walk"} else leaf.grad


@mistakes(
    "backward.accumulated_gradient",
    {
        "sums-the-means": {
            "en": "You add the gradients of the micro-batches' mean losses as they are. A mean of "
            "means needs weights: each micro-batch counts with its share of all examples.",
            "id": "Anda menjumlahkan gradien loss rata-rata tiap micro-batch begitu saja. "
            "Rata-rata dari rata-rata memerlukan bobot: tiap micro-batch dihitung menurut "
            "bagiannya dari seluruh contoh.",
        },
        "averages-the-means": {
            "en": "You give every micro-batch the same weight. That is right only when all are "
            "equally large; a smaller one must count for less.",
            "id": "Anda memberi setiap micro-batch bobot yang sama. Itu benar hanya jika semuanya "
            "sama besar; yang lebih kecil harus dihitung lebih sedikit.",
        },
        "sums-the-examples": {
            "en": "You weigh each micro-batch by its number of examples, which is right, but you "
            "never divide by the number of all examples: this is the gradient of the sum.",
            "id": "Anda membobot tiap micro-batch dengan banyaknya contoh, dan itu benar, tetapi "
            "Anda tidak pernah membaginya dengan banyaknya seluruh contoh: ini gradien jumlahnya.",
        },
        "share-of-the-first": {
            "en": "You use the size of the first micro-batch for all of them. The pieces may be "
            "ragged: ask each one for its own size.",
            "id": "Anda memakai ukuran micro-batch pertama untuk semuanya. Potongannya bisa tidak "
            "sama besar: tanyakan ukuran masing-masing.",
        },
        "keeps-only-the-last": {
            "en": "Only the last micro-batch is left in your result: the gradient is cleared or "
            "overwritten at every turn. Here the piling up is wanted.",
            "id": "Hanya micro-batch terakhir yang tersisa di hasil Anda: gradiennya dikosongkan "
            "atau ditimpa di setiap putaran. Di sini penumpukan justru diperlukan.",
        },
        "stops-after-the-first": {
            "en": "Only the first micro-batch is in your result. Does the function return inside "
            "the loop?",
            "id": "Hanya micro-batch pertama yang ada di hasil Anda. Apakah fungsinya selesai di "
            "dalam loop?",
        },
        "writes-into-w": {
            "en": "You let the gradients pile up on w itself, on top of what was in w.grad. w was "
            "only lent: pile up on a leaf of your own.",
            "id": "Anda membiarkan gradien menumpuk di w itu sendiri, di atas isi w.grad yang "
            "sudah ada. w hanya dipinjamkan: tumpuklah di tensor daun milik Anda sendiri.",
        },
        "clone-without-detach": {
            "en": "You made your own leaf with clone() alone. When w requires grad, a clone is "
            "still part of its graph: it is no leaf, and the walk goes on to w itself.",
            "id": "Tensor daun Anda dibuat dengan clone() saja. Jika w meminta gradien, "
            "salinannya masih bagian dari grafnya: ia bukan tensor daun, dan perjalanannya "
            "berlanjut sampai ke w itu sendiri.",
        },
        "deep-copy": {
            "en": "You made your own leaf with deepcopy, which copies what is in w.grad as well: "
            "your gradient is piled up on what somebody else left there.",
            "id": "Tensor daun Anda dibuat dengan deepcopy, yang ikut menyalin isi w.grad: "
            "gradien Anda menumpuk di atas sesuatu yang ditinggalkan orang lain di sana.",
        },
        "retains-the-graph": {
            "en": "You retain each graph after its backward, so two micro-batches' graphs are "
            "alive at a time. Each is walked once; nothing has to be retained.",
            "id": "Anda menyimpan setiap graf setelah backward-nya, sehingga graf dua micro-batch "
            "hidup bersamaan. Masing-masing dilalui satu kali; tidak ada yang perlu disimpan.",
        },
        "one-backward-at-the-end": {
            "en": "The number is right, but you add up the losses and walk back once at the end. "
            "Until then every micro-batch's graph is alive, as if the batch had never been cut.",
            "id": "Bilangannya benar, tetapi Anda menjumlahkan semua loss dan baru pulang sekali "
            "di akhir. Sampai saat itu graf setiap micro-batch hidup, seolah-olah batch itu tidak "
            "pernah dipotong.",
        },
        "all-forwards-first": {
            "en": "The number is right, and you walk back once for each loss, but only after all "
            "of them were computed. Until then every micro-batch's graph is alive: walk back as "
            "soon as a loss is there.",
            "id": "Bilangannya benar, dan Anda pulang satu kali untuk tiap loss, tetapi baru "
            "setelah semuanya dihitung. Sampai saat itu graf setiap micro-batch hidup: pulanglah "
            "begitu satu loss ada.",
        },
    },
)
def accumulated_gradient(wrong, loss_of, w, micro_batches):
    leaf = own_leaf(wrong, w)
    sizes = [len(X) for X, _ in micro_batches]
    total = sum(sizes)
    losses = []
    for size, (X, y) in zip(sizes, micro_batches, strict=True):
        weight = size / total
        if "sums-the-means" in wrong:
            weight = 1.0
        if "averages-the-means" in wrong:
            weight = 1 / len(sizes)
        if "share-of-the-first" in wrong:
            weight = sizes[0] / total
        if "sums-the-examples" in wrong:
            weight = weight * total
        if "keeps-only-the-last" in wrong:
            leaf.grad = None
        loss = loss_of(leaf, X, y) * weight
        if wrong & {"one-backward-at-the-end", "all-forwards-first"}:
            losses.append(loss)
        else:
            loss.backward(retain_graph="retains-the-graph" in wrong)
        if "stops-after-the-first" in wrong:
            break
    if "one-backward-at-the-end" in wrong:
        losses = [sum(losses)]
    for loss in losses:
        loss.backward()
    return leaf.grad


@mistakes(
    "backward.accumulated_gradient",
    {
        "one-large-batch": {
            "en": "The number is right, but you put the micro-batches together again and walk "
            "back once: the whole batch's graph is in memory, which is what the pieces avoid.",
            "id": "Bilangannya benar, tetapi Anda menyatukan kembali semua micro-batch dan pulang "
            "sekali saja: graf seluruh batch ada di memori, padahal itulah yang dihindari dengan "
            "memotongnya.",
        },
    },
)
def accumulated_gradient_of_one_large_batch(wrong, loss_of, w, micro_batches):
    if not wrong:
        return accumulated_gradient(wrong, loss_of, w, micro_batches)
    leaf = w.detach().clone().requires_grad_()
    X, y = (torch.cat(column) for column in zip(*micro_batches, strict=True))
    loss_of(leaf, X, y).backward()
    return leaf.grad


@mistakes(
    "backward.accumulated_gradient",
    {
        "alias-counted-twice": {
            "en": "Your running sum is .grad itself under a second name, not a copy: the next "
            "backward adds to it, and then you add it to itself.",
            "id": "Jumlah sementara Anda adalah .grad itu sendiri dengan nama kedua, bukan "
            "salinan: backward berikutnya menambah isinya, lalu Anda menjumlahkannya dengan "
            "dirinya sendiri.",
        },
        "alias-wiped": {
            "en": "Your running sum is .grad itself under a second name, not a copy: zeroing .grad "
            "in place wipes the sum as well.",
            "id": "Jumlah sementara Anda adalah .grad itu sendiri dengan nama kedua, bukan "
            "salinan: mengisi .grad dengan nol di tempat ikut menghapus jumlah itu.",
        },
        "kept-and-piled-up": {
            "en": "You add .grad to a running sum, but .grad has already piled up the earlier "
            "micro-batches: they are counted again at every turn.",
            "id": "Anda menambahkan .grad ke jumlah sementara, padahal .grad sudah menumpuk "
            "micro-batch sebelumnya: semuanya terhitung lagi di setiap putaran.",
        },
    },
)
def accumulated_gradient_by_a_running_sum(wrong, loss_of, w, micro_batches):
    alias = wrong & {"alias-counted-twice", "alias-wiped"}
    leaf = w.detach().clone().requires_grad_()
    total = sum(len(X) for X, _ in micro_batches)
    gradient = None
    for X, y in micro_batches:
        (loss_of(leaf, X, y) * len(X) / total).backward()
        if gradient is None:
            gradient = leaf.grad if alias else leaf.grad.clone()
        else:
            gradient += leaf.grad
        if "alias-wiped" in wrong:
            leaf.grad.zero_()
        elif not wrong:
            leaf.grad = None
    return gradient


@mistakes(
    "backward.two_losses",
    {
        "trunk-called-twice": {
            "en": "The numbers are right, but you compute the trunk anew for each loss. It is the "
            "expensive part: one forward, and its graph can be walked twice.",
            "id": "Bilangannya benar, tetapi Anda menghitung batang dari awal untuk tiap loss. "
            "Batang adalah bagian yang mahal: cukup satu forward, dan grafnya dapat dilalui dua "
            "kali.",
        },
        "not-cleared": {
            "en": "Your grad_b contains grad_a: the second backward was added to the first in "
            ".grad. Clear the place between the two walks.",
            "id": "grad_b Anda memuat grad_a: backward kedua ditambahkan ke yang pertama di "
            ".grad. Kosongkan tempatnya di antara dua perjalanan itu.",
        },
        "alias": {
            "en": "You read .grad without making a copy, and .grad is then changed in place: your "
            "grad_a is a second name for the tensor that receives the next answer.",
            "id": "Anda membaca .grad tanpa membuat salinan, lalu .grad berubah di tempat: grad_a "
            "Anda hanyalah nama kedua untuk tensor yang menerima jawaban berikutnya.",
        },
        "swapped": {
            "en": "Your grad_a and grad_b are exchanged: the order is first head_a, then head_b.",
            "id": "grad_a dan grad_b Anda tertukar: urutannya head_a dulu, lalu head_b.",
        },
        "mean-of-the-two": {
            "en": "Your grad_sum is half of what it should be: the gradient of the sum is the sum "
            "of the gradients, not their mean.",
            "id": "grad_sum Anda setengah dari seharusnya: gradien dari jumlah adalah jumlah "
            "gradien, bukan rata-ratanya.",
        },
        "writes-into-w": {
            "en": "You walk back to w itself, so w.grad is changed. w was only lent: walk back to "
            "a leaf of your own.",
            "id": "Anda pulang ke w itu sendiri, sehingga w.grad berubah. w hanya dipinjamkan: "
            "pulanglah ke tensor daun milik Anda sendiri.",
        },
        "clone-without-detach": {
            "en": "You made your own leaf with clone() alone. When w requires grad, a clone is "
            "still part of its graph: it is no leaf, and the walk goes on to w itself.",
            "id": "Tensor daun Anda dibuat dengan clone() saja. Jika w meminta gradien, "
            "salinannya masih bagian dari grafnya: ia bukan tensor daun, dan perjalanannya "
            "berlanjut sampai ke w itu sendiri.",
        },
        "deep-copy": {
            "en": "You made your own leaf with deepcopy, which copies what is in w.grad as well: "
            "your gradient is piled up on what somebody else left there.",
            "id": "Tensor daun Anda dibuat dengan deepcopy, yang ikut menyalin isi w.grad: "
            "gradien Anda menumpuk di atas sesuatu yang ditinggalkan orang lain di sana.",
        },
        "creates-a-graph": {
            "en": "You use create_graph=True to get past the error. It builds a second graph, of "
            "the gradients, and keeps both alive; here the notes are needed for one more walk "
            "only.",
            "id": "Anda memakai create_graph=True untuk membungkam galat itu. Dengan itu dibuat "
            "graf kedua, yaitu graf dari gradien, dan keduanya terus hidup; di sini catatan hanya "
            "diperlukan untuk satu perjalanan lagi.",
        },
        "graph-already-spent": {
            "en": "Your second backward finds the trunk's notes gone: the first one threw them "
            "away. Only the walk before can keep them.",
            "id": "Backward kedua Anda mendapati catatan batang sudah tidak ada: yang pertama "
            "telah membuangnya. Hanya perjalanan sebelumnya yang dapat menyimpannya.",
        },
        "trunk-looked-at": {
            "en": "You walk back through one trunk, which is right, but you call trunk once more "
            "beside it, perhaps to look at its shape. It is the expensive part: look at the result "
            "that you have.",
            "id": "Anda pulang melalui satu batang, dan itu benar, tetapi batang dipanggil sekali "
            "lagi di sampingnya, mungkin untuk melihat bentuknya. Batang adalah bagian yang mahal: "
            "lihatlah hasil yang sudah ada.",
        },
        "trunk-given-one-row": {
            "en": "You gave trunk the entries of w as one long row. trunk may use the rows and "
            "columns of w; only the answers may be put into another shape.",
            "id": "Anda memberikan unsur-unsur w kepada batang sebagai satu baris panjang. Batang "
            "bisa saja memakai baris dan kolom w; hanya jawabannya yang boleh diubah bentuknya.",
        },
        "heads-given-a-batch": {
            "en": "You gave the heads one more dimension than trunk's result has. They were made "
            "for trunk(w) as it is.",
            "id": "Anda memberi kepala satu dimensi lebih banyak daripada hasil batang. Kepala "
            "dibuat untuk trunk(w) apa adanya.",
        },
        "graph-kept": {
            "en": "Your gradients are right, but the graph outlives the function: every walk "
            "retains it, the last one too, and something outside still holds a tensor of it.",
            "id": "Gradien Anda benar, tetapi grafnya hidup lebih lama daripada fungsinya: setiap "
            "perjalanan menyimpannya, yang terakhir pun, dan di luar fungsi masih ada yang "
            "memegang tensornya.",
        },
    },
)
def two_losses(wrong, trunk, head_a, head_b, w):
    leaf = own_leaf(wrong, w)
    if "trunk-looked-at" in wrong:
        trunk(w)
    hidden = trunk(leaf.reshape(-1) if "trunk-given-one-row" in wrong else leaf)
    if "heads-given-a-batch" in wrong:
        hidden = hidden[None]
    if "graph-kept" in wrong:
        KEPT[:] = [hidden]
    loss_a = head_a(hidden)
    loss_b = head_b(trunk(leaf) if "trunk-called-twice" in wrong else hidden)
    if "writes-into-w" in wrong:
        leaf.grad = None
    if "creates-a-graph" in wrong:
        loss_a.backward(create_graph=True)
    else:
        loss_a.backward(retain_graph="graph-already-spent" not in wrong)
    grad_a = leaf.grad if "alias" in wrong else leaf.grad.clone()
    if "not-cleared" not in wrong:
        if "alias" in wrong:
            leaf.grad.detach().zero_()
        else:
            leaf.grad = None
    loss_b.backward(retain_graph="graph-kept" in wrong)
    grad_b = leaf.grad
    grad_sum = grad_a + grad_b
    if "mean-of-the-two" in wrong:
        grad_sum = grad_sum / 2
    return (grad_b, grad_a, grad_sum) if "swapped" in wrong else (grad_a, grad_b, grad_sum)


@mistakes(
    "backward.two_losses",
    {
        "three-walks-piled-up": {
            "en": "All three of your gradients contain the walks before them: .grad adds up and "
            "was never cleared. grad_b contains grad_a, and grad_sum contains both once more.",
            "id": "Ketiga gradien Anda memuat perjalanan sebelumnya: .grad menjumlahkan dan tidak "
            "pernah dikosongkan. grad_b memuat grad_a, dan grad_sum memuat keduanya sekali lagi.",
        },
        "sum-from-what-piled-up": {
            "en": "Your grad_sum is right, since .grad had added the two up, but grad_b was read "
            "from the same place: it contains grad_a.",
            "id": "grad_sum Anda benar, karena .grad telah menjumlahkan keduanya, tetapi grad_b "
            "dibaca dari tempat yang sama: isinya memuat grad_a.",
        },
        "one-tensor-under-three-names": {
            "en": "Your three gradients are one tensor under three names: .grad is changed in "
            "place by each backward, and a name is not a copy.",
            "id": "Ketiga gradien Anda adalah satu tensor dengan tiga nama: .grad berubah di "
            "tempat oleh setiap backward, dan nama bukanlah salinan.",
        },
        "gradient-of-the-hidden": {
            "en": "You return gradients with respect to trunk(w), not w: the walk stopped before "
            "it went through the trunk.",
            "id": "Anda mengembalikan gradien terhadap trunk(w), bukan w: perjalanannya berhenti "
            "sebelum melalui batang.",
        },
        "only-two": {
            "en": "You return two gradients; three are asked for: of each loss, and of their sum.",
            "id": "Anda mengembalikan dua gradien; yang diminta tiga: dari tiap loss, dan dari "
            "jumlah keduanya.",
        },
    },
)
def two_losses_in_one_place(wrong, trunk, head_a, head_b, w):
    leaf = w.detach().clone().requires_grad_()
    hidden = trunk(leaf)
    target = leaf
    if "gradient-of-the-hidden" in wrong:
        target = hidden = hidden.detach().requires_grad_()
    piles = wrong & {
        "three-walks-piled-up",
        "sum-from-what-piled-up",
        "one-tensor-under-three-names",
    }

    def walk(loss):
        if not piles:
            target.grad = None
        loss.backward(retain_graph=True)
        return target.grad if "one-tensor-under-three-names" in wrong else target.grad.clone()

    grad_a = walk(head_a(hidden))
    grad_b = walk(head_b(hidden))
    if wrong & {"sum-from-what-piled-up", "one-tensor-under-three-names"}:
        grad_sum = target.grad
    else:
        grad_sum = walk(head_a(hidden) + head_b(hidden))
    return (grad_a, grad_b) if "only-two" in wrong else (grad_a, grad_b, grad_sum)
