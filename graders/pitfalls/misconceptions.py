"""What people get wrong when they mend the five functions, and what they leave as it was."""

import copy

import torch

from autograded.grading import mistakes

# What a wrong implementation goes on holding after it has returned.
_kept = []


@mistakes(
    "pitfalls.fit_slope",
    {
        "gradients-pile-up": {
            "en": "Your slope is what comes out when the gradients of all epochs pile up in "
            "`.grad`: every step also uses the gradients of the epochs before it. `backward()` "
            "adds; something has to empty `.grad` inside the loop, not once before it.",
            "id": "Kemiringan Anda adalah hasil yang muncul ketika gradien semua epoch menumpuk di "
            "`.grad`: setiap langkah ikut memakai gradien epoch sebelumnya. `backward()` "
            "menambahkan; harus ada yang mengosongkan `.grad` di dalam perulangan, bukan sekali "
            "saja sebelumnya.",
        },
        "cleared-before-step": {
            "en": "Your w ends at 0, where it began. Either the gradient is set to zero after "
            "`backward()` has computed it and before the update has read it, or it is w itself "
            "that is set to zero after each update.",
            "id": "w Anda berakhir di 0, tempat ia mulai. Mungkin gradien dinolkan setelah "
            "dihitung `backward()` tetapi sebelum sempat dibaca pembaruan, atau justru w sendiri "
            "yang dinolkan setelah setiap pembaruan.",
        },
        "cleared-every-other-epoch": {
            "en": "Your slope is what comes out when `.grad` is emptied in every second epoch "
            "only: the gradients of two epochs still add up in between.",
            "id": "Kemiringan Anda adalah hasil yang muncul ketika `.grad` dikosongkan hanya "
            "setiap dua epoch: di antaranya gradien dua epoch masih terakumulasi.",
        },
        "gradients-averaged": {
            "en": "Your slope follows the average of all gradients so far. Dividing the piled-up "
            "sum makes it smaller, but the old gradients still push: a step should follow the "
            "gradient at the current w alone.",
            "id": "Kemiringan Anda mengikuti rata-rata semua gradien sejauh ini. Membagi tumpukan "
            "itu memang mengecilkannya, tetapi gradien lama tetap mendorong: langkah seharusnya "
            "hanya mengikuti gradien di w saat ini.",
        },
        "loss-outside-the-loop": {
            "en": "All your steps use the gradient at w = 0: the loss is computed once, before the "
            "loop, or w is put back to 0 in every epoch. Each epoch needs a forward pass of its "
            "own, at the w of that moment.",
            "id": "Semua langkah Anda memakai gradien di w = 0: loss dihitung sekali saja sebelum "
            "perulangan, atau w dikembalikan ke 0 di setiap epoch. Setiap epoch membutuhkan "
            "forward-nya sendiri, di w saat itu.",
        },
        "one-step-short": {
            "en": "w has taken one step fewer than there are epochs: the loop ends early, or the "
            "update stands before `backward()`, where in the first epoch it finds no gradient.",
            "id": "w mengambil satu langkah lebih sedikit daripada banyaknya epoch: perulangan "
            "berhenti terlalu awal, atau pembaruan berada sebelum `backward()`, padahal pada epoch "
            "pertama di sana belum ada gradien.",
        },
        "loss-summed": {
            "en": "Your steps are N times too long: the loss is the *mean* of the squared errors, "
            "not their sum.",
            "id": "Langkah Anda N kali terlalu panjang: loss adalah *rata-rata* galat kuadrat, "
            "bukan jumlahnya.",
        },
        "half-gradient": {
            "en": "Your steps are half as long as autograd's: the derivative of (w·x − y)² has a "
            "factor 2.",
            "id": "Langkah Anda setengah dari langkah autograd: turunan (w·x − y)² memiliki "
            "faktor 2.",
        },
        "uphill": {
            "en": "w moves away from the best slope: the update adds the gradient, which points "
            "uphill, where it should subtract it.",
            "id": "w menjauh dari kemiringan terbaik: pembaruan menambahkan gradien, yang menunjuk "
            "ke arah naik, padahal seharusnya menguranginya.",
        },
        "returns-loss": {
            "en": "You return the last loss; the fitted slope is due.",
            "id": "Anda mengembalikan loss terakhir; yang diminta adalah kemiringan hasil "
            "pencocokan.",
        },
        "returns-gradient": {
            "en": "You return the last gradient; the fitted slope is due.",
            "id": "Anda mengembalikan gradien terakhir; yang diminta adalah kemiringan hasil "
            "pencocokan.",
        },
    },
)
def fit_slope(wrong, x, y, lr, epochs):
    w = torch.tensor(0.0, requires_grad=True)
    value = gradient = torch.tensor(0.0)
    for epoch in range(epochs - ("one-step-short" in wrong)):
        clear = not wrong & {"gradients-pile-up", "gradients-averaged"}
        if clear and not ("cleared-every-other-epoch" in wrong and epoch % 2):
            w.grad = None
        prediction = w * x
        if "loss-outside-the-loop" in wrong:
            prediction = (w - w.detach()) * x
        errors = (prediction - y) ** 2
        loss = errors.sum() if "loss-summed" in wrong else errors.mean()
        loss.backward()
        if "cleared-before-step" in wrong:
            w.grad.zero_()
        value, gradient = loss.detach(), w.grad.clone()
        if "gradients-averaged" in wrong:
            gradient = gradient / (epoch + 1)
        if "half-gradient" in wrong:
            gradient = gradient / 2
        with torch.no_grad():
            w += (lr if "uphill" in wrong else -lr) * gradient
    # Tensors, not floats: answers then match within float32's precision, however they are summed.
    if "returns-loss" in wrong:
        return value
    return gradient if "returns-gradient" in wrong else w.detach()


@mistakes(
    "pitfalls.fit_slope",
    {
        "stops-early": {
            "en": "Your training ends as soon as the loss or the gradient is small. What is small "
            "depends on the data; the number of epochs is given.",
            "id": "Pelatihan Anda berhenti begitu loss atau gradiennya kecil. Apa yang disebut "
            "kecil bergantung pada data; banyaknya epoch sudah ditentukan.",
        },
        "rounds": {
            "en": "Your slope is rounded. Round what you print; what you return keeps all of its "
            "digits.",
            "id": "Kemiringan Anda dibulatkan. Bulatkan yang dicetak; yang dikembalikan menyimpan "
            "semua digitnya.",
        },
        "leaves-recording-off": {
            "en": "Your function switches recording off and leaves it off: whatever is computed "
            "afterwards has no graph. `with torch.no_grad():` ends by itself.",
            "id": "Fungsi Anda mematikan pencatatan dan membiarkannya mati: apa pun yang dihitung "
            "sesudahnya tidak punya graf. `with torch.no_grad():` berakhir dengan sendirinya.",
        },
    },
)
def fit_slope_for_the_eye(wrong, x, y, lr, epochs):
    w = torch.tensor(0.0, requires_grad=True)
    for _ in range(epochs):
        w.grad = None
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        if "stops-early" in wrong and loss < 1e-4:
            break
        with torch.no_grad():
            w -= lr * w.grad
    torch.set_grad_enabled("leaves-recording-off" not in wrong)
    # A tensor, as above; a rounded number is what it is.
    return round(w.item(), 4) if "rounds" in wrong else w.detach()


@mistakes(
    "pitfalls.fit_slope",
    {
        "closed-form": {
            "en": "You return the best slope there is, straight from its formula. What is asked is "
            "where w stands after the given number of gradient steps.",
            "id": "Anda mengembalikan kemiringan terbaik, langsung dari rumusnya. Yang diminta "
            "adalah posisi w setelah sejumlah langkah gradien yang ditentukan.",
        },
    },
    idea="gradient-descent",
)
def fit_slope_without_steps(wrong, x, y, lr, epochs):
    if "closed-form" in wrong:
        return (x * y).sum() / (x * x).sum()
    return fit_slope(frozenset(), x, y, lr, epochs)


@mistakes(
    "pitfalls.backward_twice",
    {
        "values-dropped": {
            "en": "The second backward finds the graph without its saved values: the first one "
            "dropped them. It is the first call that must be asked to keep them; asking the second "
            "comes too late.",
            "id": "Backward kedua menemukan graf tanpa nilai yang tersimpan: yang pertama sudah "
            "melepasnya. Panggilan pertamalah yang harus diminta mempertahankannya; meminta "
            "panggilan kedua sudah terlambat.",
        },
        "one-backward": {
            "en": "Your gradient is half of what is due: only one backward pass reaches w.",
            "id": "Gradien Anda setengah dari yang diminta: hanya satu backward yang sampai ke w.",
        },
        "one-backward-doubled": {
            "en": "The number is right, the act is not: f's graph was walked once and the result "
            "multiplied by 2. The accumulation is to come from a second backward pass.",
            "id": "Angkanya benar, caranya tidak: graf f hanya dilewati sekali dan hasilnya "
            "dikalikan 2. Akumulasinya harus berasal dari backward kedua.",
        },
        "loss-doubled": {
            "en": "The number is right, the act is not: backward ran once, from twice the loss, so "
            "that a doubled gradient walked f's graph a single time.",
            "id": "Angkanya benar, caranya tidak: backward berjalan sekali, dari dua kali loss, "
            "sehingga gradien yang digandakan melewati graf f satu kali saja.",
        },
        "f-called-twice": {
            "en": "f is called twice. Two calls build two graphs, and each is walked once; here "
            "one graph is to be walked twice.",
            "id": "f dipanggil dua kali. Dua panggilan membangun dua graf, masing-masing dilewati "
            "sekali; di sini satu graf harus dilewati dua kali.",
        },
        "graph-of-the-gradient": {
            "en": "The error is gone, but a graph of the gradient itself was recorded "
            "(`create_graph=True`), and it holds on to f's graph after the return. To keep the "
            "saved values for a second pass is a smaller wish.",
            "id": "Galatnya hilang, tetapi graf untuk gradien itu sendiri ikut dicatat "
            "(`create_graph=True`), dan graf itu menahan graf f setelah fungsi selesai. "
            "Mempertahankan nilai tersimpan untuk backward kedua adalah permintaan yang lebih "
            "kecil.",
        },
        "loss-kept": {
            "en": "After the return f(w) is still alive, because something outside the function "
            "holds it, and with it the whole graph.",
            "id": "Setelah fungsi selesai f(w) masih hidup, karena ada sesuatu di luar fungsi yang "
            "memegangnya, dan bersamanya seluruh graf.",
        },
        "graph-kept": {
            "en": "f(w) itself is gone after the return, but its graph is still alive: something "
            "outside the function holds a node of it, or a tensor that was made from f(w).",
            "id": "f(w) sendiri sudah tidak ada setelah fungsi selesai, tetapi grafnya masih "
            "hidup: ada sesuatu di luar fungsi yang memegang simpulnya, atau tensor yang dibuat "
            "dari f(w).",
        },
        "cleared-between": {
            "en": "Both backward passes run, but `.grad` is emptied between them, so that only the "
            "second one is left. Here the sum is what is wanted.",
            "id": "Kedua backward berjalan, tetapi `.grad` dikosongkan di antaranya, sehingga "
            "hanya yang kedua tersisa. Di sini jumlahan itulah yang diinginkan.",
        },
        "same-grad-added": {
            "en": "Your gradient is twice what is due: a name for `w.grad` is not a copy. The "
            "second backward adds to the same tensor, so adding the two names counts all of it "
            "twice.",
            "id": "Gradien Anda dua kali dari yang diminta: nama lain untuk `w.grad` bukan "
            "salinan. Backward kedua menambah ke tensor yang sama, sehingga menjumlahkan kedua "
            "nama menghitung semuanya dua kali.",
        },
        "returns-loss": {
            "en": "You return f(w); the gradient at w is due.",
            "id": "Anda mengembalikan f(w); yang diminta adalah gradien di w.",
        },
    },
)
def backward_twice(wrong, f, w):
    w = w.detach().clone().requires_grad_()
    loss = f(w)
    if "loss-kept" in wrong:
        _kept[:] = [loss]
    if "graph-kept" in wrong:
        _kept[:] = [loss.grad_fn]
    if "one-backward" in wrong:
        loss.backward()
    elif "one-backward-doubled" in wrong:
        loss.backward()
        return w.grad * 2
    elif "loss-doubled" in wrong:
        (loss + loss).backward()
    else:
        if "values-dropped" in wrong:
            loss.backward()
        elif "graph-of-the-gradient" in wrong:
            loss.backward(create_graph=True)
        else:
            loss.backward(retain_graph="f-called-twice" not in wrong)
        first = w.grad
        if "cleared-between" in wrong:
            w.grad = None
        if "f-called-twice" in wrong:
            loss = f(w)
        loss.backward()
        if "same-grad-added" in wrong:
            return first + w.grad
    return loss.detach() if "returns-loss" in wrong else w.grad


@mistakes(
    "pitfalls.backward_twice",
    {
        "caller-grad-included": {
            "en": "What was in the caller's `w.grad` before the call is part of your answer, and "
            "the caller's w is changed: backward ran on w itself, not on a leaf of your own.",
            "id": "Isi `w.grad` milik pemanggil sebelum fungsi dipanggil ikut masuk ke jawaban "
            "Anda, dan w milik pemanggil berubah: backward dijalankan pada w itu sendiri, bukan "
            "pada tensor daun Anda sendiri.",
        },
        "grad-copied-along": {
            "en": "What was in the caller's `w.grad` before the call is part of your answer: a "
            "deep copy of w has a copy of its `.grad`, and backward adds to that.",
            "id": "Isi `w.grad` milik pemanggil sebelum fungsi dipanggil ikut masuk ke jawaban "
            "Anda: salinan `deepcopy` dari w membawa salinan `.grad`-nya, dan backward menambah ke "
            "situ.",
        },
        "w-not-watched": {
            "en": "backward finds no graph: what f receives does not require grad. A detached copy "
            "of w has to be told.",
            "id": "backward tidak menemukan graf: yang diterima f tidak memerlukan gradien. "
            "Salinan w yang terlepas harus diminta dulu.",
        },
    },
    idea="leaf-tensors",
)
def backward_twice_on_the_callers_tensor(wrong, f, w):
    leaf = w.detach().clone()
    if "caller-grad-included" in wrong:
        leaf = w
    if "grad-copied-along" in wrong:
        leaf = copy.deepcopy(w)
    leaf.requires_grad_("w-not-watched" not in wrong)
    loss = f(leaf)
    loss.backward(retain_graph=True)
    loss.backward()
    return leaf.grad


@mistakes(
    "pitfalls.backward_twice",
    {
        "second-derivative": {
            "en": "You differentiate the gradient: that is the second derivative. To run backward "
            "twice means to walk the same graph again from the same loss.",
            "id": "Anda menurunkan gradiennya: itu turunan kedua. Menjalankan backward dua kali "
            "berarti melewati graf yang sama sekali lagi dari loss yang sama.",
        },
    },
)
def backward_twice_as_second_derivative(wrong, f, w):
    w = w.detach().clone().requires_grad_()
    loss = f(w)
    if "second-derivative" in wrong:
        (first,) = torch.autograd.grad(loss, w, create_graph=True)
        (first.sum() + 0 * w.sum()).backward()
        return w.grad
    loss.backward(retain_graph=True)
    loss.backward()
    return w.grad


@mistakes(
    "pitfalls.elementwise_slope",
    {
        "vector-has-no-start": {
            "en": "backward still starts from a vector. It needs a single number, or one weight "
            "for every output, to start from.",
            "id": "backward masih berangkat dari vektor. Ia membutuhkan satu angka, atau satu "
            "bobot untuk setiap keluaran, sebagai titik awal.",
        },
        "mean-not-sum": {
            "en": "Every entry is too small by the number of elements: in the mean each element "
            "counts only 1/n.",
            "id": "Setiap entri terlalu kecil sebesar banyaknya elemen: dalam rata-rata, setiap "
            "elemen hanya terhitung 1/n.",
        },
        "weights-of-wrong-shape": {
            "en": "The weights handed to backward do not have the shape of the output: it takes "
            "one weight for each output, not one for all.",
            "id": "Bobot yang diberikan kepada backward tidak berbentuk sama dengan keluarannya: "
            "dibutuhkan satu bobot untuk setiap keluaran, bukan satu untuk semua.",
        },
        "weighted-by-w": {
            "en": "You return w·scale, not its derivative: either the product itself, or a "
            "vector–Jacobian product whose weights are w instead of ones.",
            "id": "Anda mengembalikan w·scale, bukan turunannya: entah hasil kalinya sendiri, atau "
            "perkalian vektor–Jacobian yang bobotnya w, bukan angka satu.",
        },
        "weighted-by-scale": {
            "en": "scale is in your answer twice: the Jacobian brings it already, and the weights "
            "bring it again.",
            "id": "scale muncul dua kali dalam jawaban Anda: Jacobian sudah membawanya, lalu "
            "bobotnya membawanya lagi.",
        },
        "first-element-only": {
            "en": "Only the first entry has a slope: backward started from the first element of "
            "the output, and the others never took part.",
            "id": "Hanya entri pertama yang punya kemiringan: backward berangkat dari elemen "
            "pertama keluaran, dan yang lain tidak pernah ikut.",
        },
        "squared-output": {
            "en": "You differentiate the sum of squares of w·scale; what is asked is the "
            "derivative of w·scale itself.",
            "id": "Anda menurunkan jumlah kuadrat dari w·scale; yang diminta adalah turunan "
            "w·scale itu sendiri.",
        },
        "returns-w": {
            "en": "You return w: that is the derivative with respect to scale. Asked is the one "
            "with respect to w.",
            "id": "Anda mengembalikan w: itu turunan terhadap scale. Yang diminta adalah turunan "
            "terhadap w.",
        },
        "one-number": {
            "en": "You return one number for all elements; one slope for each is due, in w's "
            "shape.",
            "id": "Anda mengembalikan satu angka untuk semua elemen; yang diminta satu kemiringan "
            "untuk setiap elemen, dengan bentuk w.",
        },
        "full-jacobian": {
            "en": "You return the whole Jacobian. Of it only the diagonal is asked for, in w's "
            "shape.",
            "id": "Anda mengembalikan seluruh Jacobian. Yang diminta hanya diagonalnya, dengan "
            "bentuk w.",
        },
    },
)
def elementwise_slope(wrong, w, scale):
    w = w.detach().clone().requires_grad_()
    y = w * scale
    if "full-jacobian" in wrong:
        return torch.autograd.functional.jacobian(lambda v: v * scale, w.detach())
    if "returns-w" in wrong:
        return w.detach()
    if "vector-has-no-start" in wrong:
        y.backward()
    elif "weights-of-wrong-shape" in wrong:
        y.backward(gradient=torch.tensor(1.0, dtype=y.dtype))
    elif "mean-not-sum" in wrong:
        y.mean().backward()
    elif "weighted-by-w" in wrong:
        y.backward(gradient=w.detach())
    elif "weighted-by-scale" in wrong:
        y.backward(gradient=torch.ones_like(y) * scale)
    elif "first-element-only" in wrong:
        y.reshape(-1)[0].backward()
    elif "squared-output" in wrong:
        (y**2).sum().backward()
    else:
        y.sum().backward()
    return w.grad.reshape(-1)[0] if "one-number" in wrong else w.grad


@mistakes(
    "pitfalls.elementwise_slope",
    {
        "caller-grad-included": {
            "en": "What was in the caller's `w.grad` before the call is part of your answer, and "
            "the caller's w is changed: backward ran on w itself, not on a leaf of your own.",
            "id": "Isi `w.grad` milik pemanggil sebelum fungsi dipanggil ikut masuk ke jawaban "
            "Anda, dan w milik pemanggil berubah: backward dijalankan pada w itu sendiri, bukan "
            "pada tensor daun Anda sendiri.",
        },
    },
    idea="leaf-tensors",
)
def elementwise_slope_on_the_callers_tensor(wrong, w, scale):
    leaf = w if "caller-grad-included" in wrong else w.detach().clone()
    leaf.requires_grad_()
    (leaf * scale).sum().backward()
    return leaf.grad


@mistakes(
    "pitfalls.elementwise_slope",
    {
        "quotient": {
            "en": "You divide w·scale by w. That has no value where w is 0, and it is a slope only "
            "because this function is so simple; autograd does not need to divide.",
            "id": "Anda membagi w·scale dengan w. Hasilnya tidak ada ketika w bernilai 0, dan itu "
            "merupakan kemiringan hanya karena fungsinya sesederhana ini; autograd tidak perlu "
            "membagi.",
        },
        "finite-difference": {
            "en": "You take the difference of two values. It loses its digits where w is large; "
            "one backward gives the slope itself.",
            "id": "Anda memakai selisih dua nilai. Ketelitiannya hilang ketika w besar; satu "
            "backward sudah memberi kemiringannya.",
        },
        "scale-requires-grad": {
            "en": "You make the caller's scale require grad. The derivative is with respect to w "
            "alone, and scale stays as it was.",
            "id": "Anda membuat scale milik pemanggil memerlukan gradien. Turunannya hanya "
            "terhadap w, dan scale tetap seperti semula.",
        },
    },
)
def elementwise_slope_otherwise(wrong, w, scale):
    if "scale-requires-grad" in wrong:
        torch.as_tensor(scale).requires_grad_()
    if "quotient" in wrong:
        return (w * scale / w).detach()
    if "finite-difference" in wrong:
        above, below = ((w.detach().double() + h) * scale for h in (1e-4, -1e-4))
        return ((above - below) / 2e-4).detach()
    w = w.detach().clone().requires_grad_()
    (w * scale).sum().backward()
    return w.grad


@mistakes(
    "pitfalls.slope_at",
    {
        "nothing-recorded": {
            "en": "backward() finds no graph, for two reasons at once: x does not ask for a "
            "gradient, and f runs where recording is switched off.",
            "id": "backward() tidak menemukan graf, karena dua sebab sekaligus: x tidak meminta "
            "gradien, dan f berjalan ketika pencatatan dimatikan.",
        },
        "recording-off": {
            "en": "x asks for a gradient, but f still runs where recording is switched off, so "
            "that its result has no way back to x.",
            "id": "x meminta gradien, tetapi f masih berjalan ketika pencatatan dimatikan, "
            "sehingga hasilnya tidak punya jalan kembali ke x.",
        },
        "x-not-watched": {
            "en": "Recording is on, but what f receives does not ask for a gradient: a tensor is "
            "watched only when it requires grad, and `.detach()`, `.data` or a new tensor made of "
            "its number give one that is not.",
            "id": "Pencatatan sudah menyala, tetapi yang diterima f tidak meminta gradien: sebuah "
            "tensor diperhatikan hanya jika `requires_grad`, sedangkan `.detach()`, `.data`, atau "
            "tensor baru dari angkanya memberi tensor yang tidak diperhatikan.",
        },
        "grad-read-too-soon": {
            "en": "The graph is there and backward() walks it, but the `.grad` you read is None: "
            "it was read before that, or it is that of another tensor than f received.",
            "id": "Grafnya ada dan backward() melewatinya, tetapi `.grad` yang Anda baca None: ia "
            "dibaca sebelum itu, atau milik tensor lain daripada yang diterima f.",
        },
        "cut-from-the-graph": {
            "en": "backward() runs without an error and reaches nothing: it starts from a new "
            "tensor that has only the number of f(x), and no way back to x. The error was "
            "silenced, not cured.",
            "id": "backward() berjalan tanpa galat tetapi tidak sampai ke mana-mana: ia berangkat "
            "dari tensor baru yang hanya memuat angka f(x), tanpa jalan kembali ke x. Galatnya "
            "dibungkam, bukan disembuhkan.",
        },
        "asked-too-late": {
            "en": "f ran under `no_grad`, and only its result was told to require grad afterwards. "
            "backward() then starts at a leaf and ends there: what was not recorded cannot be "
            "asked for later.",
            "id": "f berjalan di bawah `no_grad`, dan baru hasilnya yang kemudian diberi "
            "`requires_grad`. backward() lalu berangkat dari sebuah tensor daun dan berhenti di "
            "situ juga: yang tidak dicatat tidak bisa diminta belakangan.",
        },
        "returns-value": {
            "en": "You return f(x), the height of the curve; its slope is due.",
            "id": "Anda mengembalikan f(x), tinggi kurvanya; yang diminta adalah kemiringannya.",
        },
        "grad-of-y": {
            "en": "You read the gradient at y, which is dy/dy = 1. The slope arrives at the leaf "
            "x.",
            "id": "Anda membaca gradien di y, yaitu dy/dy = 1. Kemiringannya tiba di tensor daun "
            "x.",
        },
        "leaves-recording-off": {
            "en": "Your function switches recording off and leaves it off: whatever is computed "
            "afterwards has no graph. `with torch.no_grad():` ends by itself.",
            "id": "Fungsi Anda mematikan pencatatan dan membiarkannya mati: apa pun yang dihitung "
            "sesudahnya tidak punya graf. `with torch.no_grad():` berakhir dengan sendirinya.",
        },
        "rounds": {
            "en": "Your slope is rounded. Round what you print; what you return keeps all of its "
            "digits.",
            "id": "Kemiringan Anda dibulatkan. Bulatkan yang dicetak; yang dikembalikan menyimpan "
            "semua digitnya.",
        },
        "backward-twice": {
            "en": "Your slope is twice what is due: two backward passes have added up in `.grad`.",
            "id": "Kemiringan Anda dua kali dari yang diminta: dua backward terakumulasi di "
            "`.grad`.",
        },
    },
)
def slope_at(wrong, f, value):
    x = torch.tensor(value, requires_grad=not wrong & {"nothing-recorded", "x-not-watched"})
    with torch.set_grad_enabled(
        not wrong & {"nothing-recorded", "recording-off", "asked-too-late"}
    ):
        y = f(x)
    slope = x.grad
    if "cut-from-the-graph" in wrong:
        y = y.detach().requires_grad_()
    if "asked-too-late" in wrong:
        y.requires_grad_()
    if "grad-of-y" in wrong:
        y.retain_grad()
    if "backward-twice" in wrong:
        y.backward(retain_graph=True)
    y.backward()
    torch.set_grad_enabled("leaves-recording-off" not in wrong)
    if "returns-value" in wrong:
        return y.detach()
    if "grad-of-y" in wrong:
        return y.grad
    if "rounds" in wrong and x.grad is not None:
        return round(x.grad.item(), 4)
    return slope if "grad-read-too-soon" in wrong else x.grad


@mistakes(
    "pitfalls.slope_at",
    {
        "finite-difference": {
            "en": "You take the difference of two values of f. It loses its digits where f is "
            "large; autograd differentiates f itself, and one backward gives the slope.",
            "id": "Anda memakai selisih dua nilai f. Ketelitiannya hilang ketika f besar; autograd "
            "menurunkan f itu sendiri, dan satu backward sudah memberi kemiringannya.",
        },
    },
    idea="finite-differences",
)
def slope_at_by_differences(wrong, f, value):
    if "finite-difference" in wrong:
        above, below = (torch.tensor(value + h, dtype=torch.float64) for h in (1e-4, -1e-4))
        return ((f(above) - f(below)) / 2e-4).item()
    return slope_at(frozenset(), f, value)


@mistakes(
    "pitfalls.loss_curve",
    {
        "loss-tensors-kept": {
            "en": "The list holds loss tensors that still require grad, so that the graph of every "
            "batch stays alive. A curve needs only the numbers.",
            "id": "List itu berisi tensor loss yang masih `requires_grad`, sehingga graf setiap "
            "batch tetap hidup. Kurva hanya membutuhkan angkanya.",
        },
        "converted-at-the-end": {
            "en": "The numbers come out right, but the loss tensors are kept until the loop is "
            "over, and converted only then: until then the graph of every batch is alive.",
            "id": "Angkanya benar, tetapi tensor loss disimpan sampai perulangan selesai dan baru "
            "saat itu diubah: sampai saat itu graf setiap batch masih hidup.",
        },
        "total-keeps-graphs": {
            "en": "The list is right, but beside it you add up loss tensors. Such a sum is a "
            "tensor with a graph, and that holds the graph of every batch. Add numbers.",
            "id": "List-nya benar, tetapi di sampingnya Anda menjumlahkan tensor loss. Jumlah "
            "seperti itu adalah tensor dengan graf, yang menahan graf setiap batch. Jumlahkan "
            "angkanya.",
        },
        "predictions-kept": {
            "en": "The list is right, but until the return you also keep the predictions of every "
            "batch, and with them every graph.",
            "id": "List-nya benar, tetapi sampai fungsi selesai Anda juga menyimpan prediksi "
            "setiap batch, dan bersamanya semua graf.",
        },
        "graph-of-the-gradient": {
            "en": "`create_graph=True` records a graph of the gradient itself. It stays in the "
            "parameters' `.grad` and holds on to the graph of the batch.",
            "id": "`create_graph=True` mencatat graf untuk gradien itu sendiri. Graf itu tinggal "
            "di `.grad` milik parameter dan menahan graf batch.",
        },
        "losses-kept-elsewhere": {
            "en": "You return plain floats, but something outside the function still holds the "
            "loss tensors, and with them every graph.",
            "id": "Anda mengembalikan float biasa, tetapi ada sesuatu di luar fungsi yang masih "
            "memegang tensor loss, dan bersamanya semua graf.",
        },
        "last-loss-kept": {
            "en": "You return plain floats, but after the return the loss of the last batch is "
            "still held outside the function, and with it its graph.",
            "id": "Anda mengembalikan float biasa, tetapi setelah fungsi selesai loss batch "
            "terakhir masih dipegang di luar fungsi, dan bersamanya grafnya.",
        },
        "nothing-learned": {
            "en": "The network never changes: no gradient reaches its parameters, or no step is "
            "taken. A loss that was turned into a number and wrapped again has lost its way back.",
            "id": "Jaringannya tidak pernah berubah: tidak ada gradien yang sampai ke "
            "parameternya, atau tidak ada langkah yang diambil. Loss yang dijadikan angka lalu "
            "dibungkus lagi telah kehilangan jalan kembali.",
        },
        "gradients-pile-up": {
            "en": "Your losses are those of a run in which the gradients of all batches pile up: "
            "the training was right as it was, and this line belonged to it.",
            "id": "Loss Anda berasal dari pelatihan yang gradien semua batch-nya menumpuk: "
            "pelatihan semula sudah benar, dan baris itu bagian darinya.",
        },
        "running-mean": {
            "en": "You return the mean of the losses so far; the loss of each batch itself is due.",
            "id": "Anda mengembalikan rata-rata loss sejauh ini; yang diminta adalah loss setiap "
            "batch itu sendiri.",
        },
        "running-sum": {
            "en": "You return the sum of the losses so far; the loss of each batch itself is due.",
            "id": "Anda mengembalikan jumlah loss sejauh ini; yang diminta adalah loss setiap "
            "batch itu sendiri.",
        },
        "loss-after-the-step": {
            "en": "Your losses are measured again after the step. The curve shows the loss that "
            "backward() ran on, before the step.",
            "id": "Loss Anda diukur lagi setelah langkah. Kurva menunjukkan loss yang dipakai "
            "backward(), sebelum langkah.",
        },
        "mean-only": {
            "en": "You return one number for the whole pass; one for each batch is due.",
            "id": "Anda mengembalikan satu angka untuk seluruh putaran; yang diminta satu angka "
            "untuk setiap batch.",
        },
        "last-only": {
            "en": "You return the loss of the last batch only; one for each batch is due.",
            "id": "Anda hanya mengembalikan loss batch terakhir; yang diminta satu angka untuk "
            "setiap batch.",
        },
        "first-batch-only": {
            "en": "You return after the first batch: the return stands inside the loop.",
            "id": "Anda sudah kembali setelah batch pertama: `return` berada di dalam perulangan.",
        },
    },
)
def loss_curve(wrong, model, loss_fn, optimizer, batches):
    losses, kept, total, outputs = [], [], 0, []
    _kept[:] = [kept]
    for inputs, targets in batches:
        if "gradients-pile-up" not in wrong:
            optimizer.zero_grad()
        predictions = model(inputs)
        loss = loss_fn(predictions, targets)
        if "predictions-kept" in wrong:
            outputs.append(predictions)
        del predictions
        if "nothing-learned" in wrong:
            loss = torch.tensor(loss.item(), requires_grad=True)
        loss.backward(create_graph="graph-of-the-gradient" in wrong)
        if "total-keeps-graphs" in wrong:
            total = total + loss
        optimizer.step()
        if "loss-after-the-step" in wrong:
            loss = loss_fn(model(inputs), targets)
        if "loss-tensors-kept" in wrong or "converted-at-the-end" in wrong:
            losses.append(loss)
        else:
            losses.append(loss.item())
        if "losses-kept-elsewhere" in wrong:
            kept.append(loss)
        if "last-loss-kept" in wrong:
            kept[:] = [loss]
        if "first-batch-only" in wrong:
            break
    if "converted-at-the-end" in wrong:
        losses = [loss.item() for loss in losses]
    if "running-mean" in wrong or "running-sum" in wrong:
        losses = [sum(losses[: n + 1]) for n in range(len(losses))]
    if "running-mean" in wrong:
        losses = [total / (n + 1) for n, total in enumerate(losses)]
    if "mean-only" in wrong:
        return sum(losses) / len(losses)
    return losses[-1:] if "last-only" in wrong else losses


@mistakes(
    "pitfalls.loss_curve",
    {
        "arguments-swapped": {
            "en": "The loss gets targets and predictions in the wrong order. The mean squared "
            "error does not care; other losses do. The training was right as it was.",
            "id": "Fungsi loss menerima target dan prediksi dalam urutan terbalik. Galat kuadrat "
            "tidak peduli; fungsi loss lain peduli. Pelatihan semula sudah benar.",
        },
        "rounds": {
            "en": "Your losses are rounded. Round what you print; what you return keeps all of its "
            "digits.",
            "id": "Loss Anda dibulatkan. Bulatkan yang dicetak; yang dikembalikan menyimpan semua "
            "digitnya.",
        },
        "leaves-evaluation-mode": {
            "en": "Your function leaves the model in evaluation mode. It came in training mode; "
            "the training was right as it was.",
            "id": "Fungsi Anda meninggalkan model dalam mode evaluasi. Model datang dalam mode "
            "pelatihan; pelatihan semula sudah benar.",
        },
        "freezes-the-model": {
            "en": "After your function no parameter requires grad any more. The model could not be "
            "trained further.",
            "id": "Setelah fungsi Anda, tidak ada lagi parameter yang memerlukan gradien. Model "
            "tidak bisa dilatih lebih lanjut.",
        },
        "leaves-recording-off": {
            "en": "Your function switches recording off and leaves it off: whatever is computed "
            "afterwards has no graph. `with torch.no_grad():` ends by itself.",
            "id": "Fungsi Anda mematikan pencatatan dan membiarkannya mati: apa pun yang dihitung "
            "sesudahnya tidak punya graf. `with torch.no_grad():` berakhir dengan sendirinya.",
        },
        "empties-the-list": {
            "en": "You empty the list of batches while you read it. It belongs to the caller, who "
            "may need it again.",
            "id": "Anda mengosongkan list batch sambil membacanya. List itu milik pemanggil, yang "
            "mungkin masih membutuhkannya.",
        },
        "inputs-require-grad": {
            "en": "You make the inputs require grad. Only parameters are trained; the batches "
            "belong to the caller and stay as they are.",
            "id": "Anda membuat inputs memerlukan gradien. Hanya parameter yang dilatih; batch "
            "milik pemanggil dan tetap seperti semula.",
        },
    },
    idea="five-steps",
)
def loss_curve_with_traces(wrong, model, loss_fn, optimizer, batches):
    losses = []
    for inputs, targets in list(batches):
        if "inputs-require-grad" in wrong:
            inputs.requires_grad_()
        optimizer.zero_grad()
        if "arguments-swapped" in wrong:
            loss = loss_fn(targets, model(inputs))
        else:
            loss = loss_fn(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 4) if "rounds" in wrong else loss.item())
    if "leaves-evaluation-mode" in wrong:
        model.eval()
    if "freezes-the-model" in wrong:
        model.requires_grad_(False)
    if "empties-the-list" in wrong:
        batches.clear()
    torch.set_grad_enabled("leaves-recording-off" not in wrong)
    return losses
