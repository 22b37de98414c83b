"""Wrong ways to step and to train that people really write, for diagnosis."""

import torch

from autograded.grading import mistakes


@mistakes(
    "training_loop.sgd_step",
    {
        "adds-the-gradient": {
            "en": "Your step goes uphill. The gradient points to where the loss grows; descent "
            "goes against it.",
            "id": "Langkah Anda menanjak. Gradien menunjuk ke arah loss naik; penurunan bergerak "
            "melawannya.",
        },
        "forgets-lr": {
            "en": "Your step moves each parameter by its whole gradient. The learning rate says "
            "which part of it to take.",
            "id": "Langkah Anda menggeser setiap parameter sejauh seluruh gradiennya. Laju "
            "pembelajaran menentukan berapa bagian yang diambil.",
        },
        "forgets-old-value": {
            "en": "Your parameter ends at −lr · grad itself. That is how far to move; it starts "
            "from the value the parameter had.",
            "id": "Parameter Anda berakhir tepat di −lr · grad. Itu jarak gesernya; titik awalnya "
            "adalah nilai parameter sebelumnya.",
        },
        "sign-only": {
            "en": "Your step has the same length in every entry, whatever the size of the "
            "gradient: only its sign is used.",
            "id": "Langkah Anda sama panjang di setiap entri, berapa pun besar gradiennya: hanya "
            "tandanya yang dipakai.",
        },
        "clears-grad": {
            "en": "Your step sets .grad to None afterwards. A step only reads .grad; emptying it "
            "is the job of zero_grad.",
            "id": "Langkah Anda mengubah .grad menjadi None setelahnya. Step hanya membaca .grad; "
            "mengosongkannya adalah tugas zero_grad.",
        },
        "zeroes-grad": {
            "en": "Your step fills .grad with zeros afterwards. A step only reads .grad; emptying "
            "it is the job of zero_grad.",
            "id": "Langkah Anda mengisi .grad dengan nol setelahnya. Step hanya membaca .grad; "
            "mengosongkannya adalah tugas zero_grad.",
        },
        "scales-grad": {
            "en": "Your step multiplies .grad by the learning rate in place, so .grad no longer "
            "holds the gradient. Leave .grad alone and use a product of its own.",
            "id": "Langkah Anda mengalikan .grad dengan laju pembelajaran di tempat, sehingga "
            ".grad tidak lagi berisi gradien. Biarkan .grad dan pakai hasil kali tersendiri.",
        },
        "zeroes-weights": {
            "en": "Your parameters are all 0 after the step. It looks as if the parameter was "
            "cleared where its gradient was meant; and a step clears neither.",
            "id": "Semua parameter Anda menjadi 0 setelah langkah. Tampaknya parameternya yang "
            "dikosongkan, padahal maksudnya gradiennya; dan step tidak mengosongkan keduanya.",
        },
        "loses-requires-grad": {
            "en": "After your step the parameters no longer require grad. The next forward pass "
            "would record nothing. There is a way to stop recording that leaves the tensor alone.",
            "id": "Setelah langkah Anda, parameter tidak lagi memerlukan gradien. Forward "
            "berikutnya tidak akan mencatat apa-apa. Ada cara menghentikan pencatatan yang "
            "membiarkan tensornya apa adanya.",
        },
        "stops-at-none": {
            "en": "Your step ends at the first parameter without a gradient. Those after it still "
            "have to move: skip one, not all.",
            "id": "Langkah Anda berhenti pada parameter pertama yang tidak punya gradien. "
            "Parameter sesudahnya tetap harus bergeser: lewati satu, bukan semuanya.",
        },
        "fails-on-none": {
            "en": "Your step breaks on a parameter whose .grad is None: it had no part in the "
            "loss. Look before you multiply.",
            "id": "Langkah Anda gagal pada parameter yang .grad-nya None: parameter itu tidak ikut "
            "membentuk loss. Periksa dulu sebelum mengalikan.",
        },
        "clips-gradients": {
            "en": "Your step cuts large gradients down to size first. A plain step takes the "
            "gradient as it is.",
            "id": "Langkah Anda memotong gradien yang besar lebih dulu. Langkah biasa memakai "
            "gradien apa adanya.",
        },
        "unused-loses-requires-grad": {
            "en": "A parameter without a gradient no longer requires grad after your step: it is "
            "skipped after requires_grad was switched off. To skip it is to leave all of it alone.",
            "id": "Setelah langkah Anda, parameter tanpa gradien tidak lagi memerlukan gradien: ia "
            "dilewati sesudah requires_grad-nya dimatikan. Melewati berarti membiarkan semuanya.",
        },
        "changes-lr": {
            "en": "Your step changes lr in place (`lr *= …`). When lr is a tensor, it is the "
            "caller's tensor that changes. Use a product of its own.",
            "id": "Langkah Anda mengubah lr di tempat (`lr *= …`). Jika lr sebuah tensor, tensor "
            "milik pemanggillah yang berubah. Pakai hasil kali tersendiri.",
        },
        "first-parameter-only": {
            "en": "Only the first parameter moves. Does the function end inside its loop?",
            "id": "Hanya parameter pertama yang bergeser. Apakah fungsinya berakhir di dalam loop?",
        },
    },
)
def sgd_step(wrong, params, lr):
    if "changes-lr" in wrong and isinstance(lr, torch.Tensor):
        lr.neg_()
        wrong = wrong ^ {"adds-the-gradient"}
    for p in params:
        if p.grad is None:
            if "unused-loses-requires-grad" in wrong:
                p.requires_grad_(False)
            if "stops-at-none" in wrong:
                return
            if "fails-on-none" not in wrong:
                continue
        direction = p.grad.sign() if "sign-only" in wrong else p.grad
        if "clips-gradients" in wrong:
            direction = direction.clamp(-5, 5)
        change = direction * (1.0 if "forgets-lr" in wrong else lr)
        with torch.no_grad():
            if "forgets-old-value" in wrong:
                p.zero_()
            p.add_(change if "adds-the-gradient" in wrong else -change)
            if "zeroes-weights" in wrong:
                p.zero_()
            if "scales-grad" in wrong:
                p.grad.mul_(lr)
            if "zeroes-grad" in wrong:
                p.grad.zero_()
        if "clears-grad" in wrong:
            p.grad = None
        if "loses-requires-grad" in wrong:
            p.requires_grad_(False)
        if "first-parameter-only" in wrong:
            return


@mistakes(
    "training_loop.sgd_step",
    {
        "rebinds": {
            "en": "Your parameters do not move at all. An assignment such as `p = …` only gives "
            "the old name to a new tensor; the tensor that the model holds stays as it was. Change "
            "it in place.",
            "id": "Parameter Anda sama sekali tidak bergeser. Penugasan seperti `p = …` hanya "
            "memberi nama yang lama kepada tensor baru; tensor yang dipegang model tetap seperti "
            "semula. Ubah tensornya di tempat.",
        },
    },
    idea="leaf-tensors",
)
def rebinding_step(wrong, params, lr):
    if "rebinds" not in wrong:
        sgd_step(frozenset(), params, lr)


@mistakes(
    "training_loop.sgd_step",
    {
        "rebinds-in-list": {
            "en": "Your step puts new tensors into the list. The model holds the old ones, and "
            "they stay as they were. Change the tensor itself, in place.",
            "id": "Langkah Anda menaruh tensor baru ke dalam list. Model memegang tensor yang "
            "lama, dan tensor itu tetap seperti semula. Ubah tensornya sendiri, di tempat.",
        },
    },
    idea="leaf-tensors",
)
def step_in_the_list(wrong, params, lr):
    if "rebinds-in-list" not in wrong:
        sgd_step(frozenset(), params, lr)
        return
    for index, p in enumerate(params):
        if p.grad is not None:
            params[index] = p - lr * p.grad


@mistakes(
    "training_loop.sgd_step",
    {
        "forgets-no-grad": {
            "en": "Autograd stops your step: it changes a leaf that requires grad while operations "
            "are being recorded. The update is no part of the function, so make it where nothing "
            "is recorded.",
            "id": "Autograd menghentikan langkah Anda: ia mengubah tensor daun yang memerlukan "
            "gradien selagi operasi dicatat. Pembaruan bukan bagian dari fungsinya, jadi lakukan "
            "di tempat yang tidak dicatat.",
        },
        "leaves-recording-off": {
            "en": "Your step switches recording off and leaves it off, so that the next forward "
            "pass has no graph. `with torch.no_grad():` ends by itself.",
            "id": "Langkah Anda mematikan pencatatan dan membiarkannya mati, sehingga forward "
            "berikutnya tidak punya graf. `with torch.no_grad():` berakhir dengan sendirinya.",
        },
    },
    idea="no-grad",
)
def recorded_step(wrong, params, lr):
    torch.set_grad_enabled("forgets-no-grad" in wrong)
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad
    torch.set_grad_enabled("leaves-recording-off" not in wrong)


@mistakes(
    "training_loop.train_one_parameter",
    {
        "no-zero-grad": {
            "en": "From epoch 2 on your gradient is the sum of all gradients so far: backward() "
            "adds to .grad, and nothing empties it.",
            "id": "Mulai epoch 2, gradien Anda adalah jumlah semua gradien sejauh ini: backward() "
            "menambahkan ke .grad, dan tidak ada yang mengosongkannya.",
        },
        "step-reads-nothing": {
            "en": "Your w never moves. When the step reads .grad there is nothing in it: it was "
            "emptied between backward() and the step, or the step comes before backward().",
            "id": "w Anda tidak pernah bergeser. Saat step membaca .grad, isinya tidak ada: .grad "
            "dikosongkan di antara backward() dan step, atau step mendahului backward().",
        },
        "grad-recorded-after-clearing": {
            "en": "Your history says gradient 0 in every epoch: .grad was emptied before you read "
            "it. Take the numbers right after backward().",
            "id": "History Anda berisi gradien 0 di setiap epoch: .grad dikosongkan sebelum Anda "
            "membacanya. Ambil angkanya tepat setelah backward().",
        },
        "weight-after-step": {
            "en": "Your history has w as it is after the step. Loss and gradient belong to the w "
            "before it; take all three at the same moment.",
            "id": "History Anda berisi w sesudah step. Loss dan gradien adalah milik w sebelum "
            "step; ambil ketiganya pada saat yang sama.",
        },
        "loss-after-step": {
            "en": "Your history has the loss computed again after the step. The gradient beside it "
            "belongs to the loss before the step.",
            "id": "History Anda berisi loss yang dihitung ulang sesudah step. Gradien di "
            "sebelahnya adalah milik loss sebelum step.",
        },
        "loss-tensors": {
            "en": "Your history keeps loss tensors. Each one keeps its whole graph alive; what you "
            "want to keep is the number.",
            "id": "History Anda menyimpan tensor loss. Setiap tensor membuat seluruh grafnya tetap "
            "hidup; yang perlu disimpan hanya angkanya.",
        },
        "tensors-in-history": {
            "en": "Your history keeps tensors. The w in it is one and the same tensor in every "
            "row, so all rows show the last value. Keep numbers.",
            "id": "History Anda menyimpan tensor. w di dalamnya adalah tensor yang sama di setiap "
            "baris, sehingga semua baris menunjukkan nilai terakhir. Simpan angkanya.",
        },
        "stale-graph": {
            "en": "Your loss and gradient are the same in every epoch: forward and loss were "
            "computed once, at w = 0, and only backward() is repeated. Every round needs its own "
            "forward pass.",
            "id": "Loss dan gradien Anda sama di setiap epoch: forward dan loss dihitung sekali, "
            "pada w = 0, dan hanya backward() yang diulang. Setiap putaran memerlukan forward-nya "
            "sendiri.",
        },
        "loss-summed": {
            "en": "Your loss is the sum of the squared errors, N times too large. The mean squared "
            "error divides by the number of points.",
            "id": "Loss Anda adalah jumlah galat kuadrat, N kali terlalu besar. Rata-rata galat "
            "kuadrat dibagi dengan banyaknya titik.",
        },
        "loss-halved": {
            "en": "Your loss and gradient are half of what they should be. The mean squared error "
            "has no factor ½ in front.",
            "id": "Loss dan gradien Anda setengah dari seharusnya. Rata-rata galat kuadrat tidak "
            "memiliki faktor ½ di depannya.",
        },
        "no-factor-two": {
            "en": "Your loss is right at w = 0, but the gradient is half of autograd's: the "
            "derivative of a square has a factor 2.",
            "id": "Loss Anda benar pada w = 0, tetapi gradiennya setengah dari gradien autograd: "
            "turunan kuadrat memiliki faktor 2.",
        },
        "absolute-error": {
            "en": "Your loss is the mean of the absolute errors. The exercise asks for the mean of "
            "their squares.",
            "id": "Loss Anda adalah rata-rata galat mutlak. Yang diminta adalah rata-rata kuadrat "
            "galat.",
        },
        "root-of-loss": {
            "en": "Your loss is the root of the mean squared error. It has its minimum at the same "
            "w, but its gradient is another one.",
            "id": "Loss Anda adalah akar dari rata-rata galat kuadrat. Minimumnya di w yang sama, "
            "tetapi gradiennya lain.",
        },
        "adds-the-gradient": {
            "en": "Your w runs away from the answer: the step goes with the gradient, which points "
            "uphill.",
            "id": "w Anda menjauh dari jawaban: langkahnya searah dengan gradien, yang menunjuk ke "
            "arah menanjak.",
        },
        "forgets-lr": {
            "en": "Your step moves w by the whole gradient. The learning rate says which part of "
            "it to take.",
            "id": "Langkah Anda menggeser w sejauh seluruh gradien. Laju pembelajaran menentukan "
            "berapa bagian yang diambil.",
        },
        "starts-at-one": {
            "en": "Your w starts at 1. It has to start at 0.",
            "id": "w Anda mulai dari 1. Seharusnya mulai dari 0.",
        },
        "one-epoch-short": {
            "en": "Your training stops one epoch early. How many rounds does your loop make?",
            "id": "Pelatihan Anda berhenti satu epoch lebih awal. Berapa putaran yang dilakukan "
            "loop Anda?",
        },
        "one-epoch-too-many": {
            "en": "Your training makes one epoch too many. How many rounds does your loop make?",
            "id": "Pelatihan Anda kelebihan satu epoch. Berapa putaran yang dilakukan loop Anda?",
        },
        "one-epoch-only": {
            "en": "Your training ends after the first epoch. Does the function return inside its "
            "loop?",
            "id": "Pelatihan Anda selesai setelah epoch pertama. Apakah fungsinya sudah kembali di "
            "dalam loop?",
        },
        "weight-of-last-row": {
            "en": "You return the w of the last row of the history. The last step has moved it "
            "since.",
            "id": "Anda mengembalikan w dari baris terakhir history. Langkah terakhir sudah "
            "menggesernya sejak itu.",
        },
        "columns-swapped": {
            "en": "The numbers in your history are right, but their order is not: each row is "
            "(loss, w, grad).",
            "id": "Angka di history Anda benar, tetapi urutannya tidak: setiap baris adalah "
            "(loss, w, grad).",
        },
    },
)
def train_one_parameter(wrong, x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(1.0 if "starts-at-one" in wrong else 0.0, requires_grad=True)
    history = []
    rounds = epochs - ("one-epoch-short" in wrong) + ("one-epoch-too-many" in wrong)

    def loss_now():
        errors = w * x - y
        if "absolute-error" in wrong:
            return errors.abs().mean()
        loss = (errors**2).sum() if "loss-summed" in wrong else (errors**2).mean()
        if "root-of-loss" in wrong:
            return loss.sqrt()
        return loss / 2 if "loss-halved" in wrong else loss

    loss = loss_now()
    for _ in range(1 if "one-epoch-only" in wrong else rounds):
        if "no-zero-grad" not in wrong:
            w.grad = None
        if "stale-graph" not in wrong:
            loss = loss_now()
        (loss / 2 if "no-factor-two" in wrong else loss).backward(
            retain_graph="stale-graph" in wrong
        )
        if "grad-recorded-after-clearing" in wrong:
            w.grad.zero_()
        row = [loss, w, w.grad]
        if "tensors-in-history" not in wrong:
            row = [loss if "loss-tensors" in wrong else loss.item(), w.item(), w.grad.item()]
        if "step-reads-nothing" not in wrong:
            with torch.no_grad():
                change = w.grad if "forgets-lr" in wrong else lr * w.grad
                w += change if "adds-the-gradient" in wrong else -change
        if "weight-after-step" in wrong:
            row[1] = w.item()
        if "loss-after-step" in wrong:
            row[0] = loss_now().item()
        if "columns-swapped" in wrong:
            row[:2] = row[1::-1]
        history.append(tuple(row))
    if "weight-of-last-row" in wrong:
        return history[-1][1], history
    return w.item(), history


@mistakes(
    "training_loop.train_one_parameter",
    {
        "step-before-zero-and-backward": {
            "en": "Every step of yours uses the gradient of the epoch before: the step comes ahead "
            "of zero_grad and backward(). The first one has nothing to read.",
            "id": "Setiap langkah Anda memakai gradien epoch sebelumnya: step mendahului zero_grad "
            "dan backward(). Langkah pertama tidak menemukan apa pun untuk dibaca.",
        },
    },
)
def delayed_training(wrong, x, y, lr, epochs):
    if not wrong:
        return train_one_parameter(wrong, x, y, lr, epochs)
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        loss = ((w * x - y) ** 2).mean()
        if w.grad is not None:
            with torch.no_grad():
                w -= lr * w.grad
        w.grad = None
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
    return w.item(), history


@mistakes(
    "training_loop.train_one_parameter",
    {
        "stops-early": {
            "en": "Your training ends as soon as the loss or the gradient is small. What is small "
            "depends on the data; the number of epochs is given.",
            "id": "Pelatihan Anda berhenti begitu loss atau gradiennya kecil. Apa yang disebut "
            "kecil bergantung pada data; banyaknya epoch sudah ditentukan.",
        },
        "rounds": {
            "en": "Your numbers are rounded. Round what you print; what you return keeps all of "
            "its digits.",
            "id": "Angka Anda dibulatkan. Bulatkan yang dicetak; yang dikembalikan menyimpan semua "
            "digitnya.",
        },
    },
)
def training_for_the_eye(wrong, x, y, lr, epochs):
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    digits = 4 if "rounds" in wrong else 400
    history = []
    for _ in range(epochs):
        w.grad = None
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        history.append(tuple(round(value.item(), digits) for value in (loss, w, w.grad)))
        if "stops-early" in wrong and loss < 1e-4:
            break
        with torch.no_grad():
            w -= lr * w.grad
    return round(w.item(), digits), history


@mistakes(
    "training_loop.train_one_parameter",
    {
        "w-not-watched": {
            "en": "backward() finds no graph, in the first epoch already: w does not require grad, "
            "or the forward pass runs where nothing is recorded.",
            "id": "backward() tidak menemukan graf, sudah sejak epoch pertama: w tidak memerlukan "
            "gradien, atau forward berjalan di tempat yang tidak dicatat.",
        },
        "zeroes-missing-grad": {
            "en": "You call .zero_() on w.grad before the first backward(), when w.grad is still "
            "None. Set it to None instead, or clear it at the end of the round.",
            "id": "Anda memanggil .zero_() pada w.grad sebelum backward() pertama, ketika w.grad "
            "masih None. Isilah dengan None, atau kosongkan di akhir putaran.",
        },
    },
    idea="leaf-tensors",
)
def training_that_stops_in_its_first_round(wrong, x, y, lr, epochs):
    if not wrong:
        return train_one_parameter(wrong, x, y, lr, epochs)
    w = torch.tensor(0.0, requires_grad="w-not-watched" not in wrong)
    if "zeroes-missing-grad" in wrong:
        w.grad.zero_()
    ((w * torch.as_tensor(x) - torch.as_tensor(y)) ** 2).mean().backward()
    return w.item(), []


@mistakes(
    "training_loop.train_one_parameter",
    {
        "step-per-point": {
            "en": "You make a step for each point. One epoch is one step here, on the mean over "
            "all points.",
            "id": "Anda melangkah untuk setiap titik. Di sini satu epoch adalah satu langkah, pada "
            "rata-rata semua titik.",
        },
    },
)
def training_point_by_point(wrong, x, y, lr, epochs):
    if not wrong:
        return train_one_parameter(wrong, x, y, lr, epochs)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        for one_x, one_y in zip(torch.as_tensor(x), torch.as_tensor(y), strict=True):
            w.grad = None
            loss = (w * one_x - one_y) ** 2
            loss.backward()
            row = (loss.item(), w.item(), w.grad.item())
            with torch.no_grad():
                w -= lr * w.grad
        history.append(row)
    return w.item(), history


@mistakes(
    "training_loop.train_one_parameter",
    {
        "second-round-has-no-graph": {
            "en": "Your first epoch works, and the second backward() fails. Either forward and "
            "loss stand outside the loop, so that the one graph is used up; or your step made a "
            "new w that does not require grad, and there is no graph at all. Every round needs "
            "its own forward pass, through the same leaf w.",
            "id": "Epoch pertama Anda berjalan, tetapi backward() kedua gagal. Mungkin forward dan "
            "loss berada di luar loop, sehingga satu-satunya graf sudah terpakai habis; atau "
            "langkah Anda membuat w baru yang tidak memerlukan gradien, sehingga tidak ada graf "
            "sama sekali. Setiap putaran memerlukan forward sendiri, melalui tensor daun w yang "
            "sama.",
        },
    },
    idea="computation-graph",
)
def training_on_one_graph(wrong, x, y, lr, epochs):
    if not wrong:
        return train_one_parameter(wrong, x, y, lr, epochs)
    w = torch.tensor(0.0, requires_grad=True)
    loss = ((w * torch.as_tensor(x) - torch.as_tensor(y)) ** 2).mean()
    history = []
    for _ in range(epochs):
        w.grad = None
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        with torch.no_grad():
            w -= lr * w.grad
    return w.item(), history


@mistakes(
    "training_loop.train_one_parameter",
    {
        "rebinds": {
            "en": "After your first step w is the result of an operation, no longer a leaf, and "
            "backward() leaves no .grad in it. Change w in place, where nothing is recorded.",
            "id": "Setelah langkah pertama Anda, w adalah hasil operasi, bukan lagi tensor daun, "
            "dan backward() tidak menaruh .grad di dalamnya. Ubah w di tempat, tanpa dicatat.",
        },
    },
    idea="leaf-tensors",
)
def training_with_new_tensors(wrong, x, y, lr, epochs):
    if not wrong:
        return train_one_parameter(wrong, x, y, lr, epochs)
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        w = w - lr * w.grad
    return w.item(), history


@mistakes(
    "training_loop.train_one_parameter",
    {
        "forgets-no-grad": {
            "en": "Autograd stops your step: it changes the leaf w while operations are being "
            "recorded. The update is no part of the loss, so make it where nothing is recorded.",
            "id": "Autograd menghentikan langkah Anda: ia mengubah tensor daun w selagi operasi "
            "dicatat. Pembaruan bukan bagian dari loss, jadi lakukan di tempat yang tidak dicatat.",
        },
        "leaves-recording-off": {
            "en": "Your function switches recording off for its last step and leaves it off: "
            "whatever is computed afterwards has no graph. `with torch.no_grad():` ends by itself.",
            "id": "Fungsi Anda mematikan pencatatan untuk langkah terakhirnya dan membiarkannya "
            "mati: apa pun yang dihitung sesudahnya tidak punya graf. `with torch.no_grad():` "
            "berakhir dengan sendirinya.",
        },
    },
    idea="no-grad",
)
def training_with_recorded_step(wrong, x, y, lr, epochs):
    if not wrong:
        return train_one_parameter(wrong, x, y, lr, epochs)
    x, y = torch.as_tensor(x), torch.as_tensor(y)
    w = torch.tensor(0.0, requires_grad=True)
    history = []
    for _ in range(epochs):
        torch.set_grad_enabled(True)
        w.grad = None
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        history.append((loss.item(), w.item(), w.grad.item()))
        torch.set_grad_enabled("forgets-no-grad" in wrong)
        w -= lr * w.grad
    return w.item(), history


NO_ZERO_GRAD_A_BATCH = {
    "no-zero-grad",
    "zero-grad-once",
    "zero-grad-before-epoch",
    "zero-grad-after-epoch",
    "zero-grad-before-step",
    "step-before-zero-and-backward",
}


@mistakes(
    "training_loop.train",
    {
        "no-zero-grad": {
            "en": "From the second step on your gradients are sums over all batches so far: "
            "backward() adds to .grad, and nothing empties it.",
            "id": "Mulai langkah kedua, gradien Anda adalah jumlah dari semua batch sejauh ini: "
            "backward() menambahkan ke .grad, dan tidak ada yang mengosongkannya.",
        },
        "zero-grad-once": {
            "en": "You empty the gradients once, before the loop. backward() adds to them in every "
            "round, so every round has to start empty.",
            "id": "Anda mengosongkan gradien sekali, sebelum loop. backward() menambahinya di "
            "setiap putaran, jadi setiap putaran harus mulai dari kosong.",
        },
        "zero-grad-before-epoch": {
            "en": "You empty the gradients once an epoch. Within the epoch each batch adds to "
            "those before it; every batch has its own round of the five steps.",
            "id": "Anda mengosongkan gradien sekali per epoch. Di dalam satu epoch, setiap batch "
            "menambahi gradien batch sebelumnya; setiap batch punya putaran lima langkahnya "
            "sendiri.",
        },
        "zero-grad-after-epoch": {
            "en": "You empty the gradients only when the epoch is over. Within it each batch adds "
            "to those before it; every batch has its own round of the five steps.",
            "id": "Anda mengosongkan gradien hanya di akhir epoch. Di dalamnya, setiap batch "
            "menambahi gradien batch sebelumnya; setiap batch punya putaran lima langkahnya "
            "sendiri.",
        },
        "zero-grad-before-step": {
            "en": "You empty the gradients between backward() and step(), so the step finds "
            "nothing to read. With weight decay the weights may move even so.",
            "id": "Anda mengosongkan gradien di antara backward() dan step(), sehingga step tidak "
            "menemukan apa pun untuk dibaca. Dengan weight decay, bobot mungkin tetap bergerak.",
        },
        "step-before-backward": {
            "en": "Your step comes before backward(): when it reads .grad, zero_grad has just "
            "emptied it. The gradient is there only after backward().",
            "id": "Step Anda mendahului backward(): saat membaca .grad, zero_grad baru saja "
            "mengosongkannya. Gradien baru ada setelah backward().",
        },
        "step-before-zero-and-backward": {
            "en": "Your step comes before zero_grad and backward(), so it uses the gradient of the "
            "batch before this one.",
            "id": "Step Anda mendahului zero_grad dan backward(), sehingga memakai gradien dari "
            "batch sebelumnya.",
        },
        "no-backward": {
            "en": "No gradient ever reaches your model, so the step has nothing to read. Either "
            "backward() does not run, or it runs on a new tensor made from the loss's number, "
            "which has no graph.",
            "id": "Tidak ada gradien yang sampai ke model Anda, sehingga step tidak punya apa pun "
            "untuk dibaca. Mungkin backward() tidak dijalankan, atau dijalankan pada tensor baru "
            "yang dibuat dari angka loss, yang tidak punya graf.",
        },
        "no-step": {
            "en": "Your loop computes gradients, but the optimizer never makes a step: the "
            "parameters stay where they were.",
            "id": "Loop Anda menghitung gradien, tetapi optimizer tidak pernah melangkah: "
            "parameter tetap di tempatnya.",
        },
        "plain-sgd": {
            "en": "You move the parameters yourself by −lr · grad. The optimizer may have "
            "momentum, weight decay or Adam's memory; its own step knows.",
            "id": "Anda menggeser parameter sendiri sejauh −lr · grad. Optimizer bisa punya "
            "momentum, weight decay, atau ingatan Adam; step miliknya yang tahu.",
        },
        "loss-divided": {
            "en": "Your gradients are too small by the number of batches. Each batch makes a step "
            "of its own here, with its whole loss.",
            "id": "Gradien Anda terlalu kecil sebesar faktor banyaknya batch. Di sini setiap batch "
            "melangkah sendiri, dengan loss-nya yang utuh.",
        },
        "arguments-swapped": {
            "en": "The loss gets targets and predictions in the wrong order. Some losses do not "
            "care; others, like cross-entropy or Poisson, do.",
            "id": "Fungsi loss menerima target dan prediksi dalam urutan terbalik. Sebagian fungsi "
            "loss tidak peduli; yang lain, seperti cross-entropy atau Poisson, peduli.",
        },
        "evaluation-mode": {
            "en": "You train the model in evaluation mode. Layers such as batch normalization "
            "behave differently there.",
            "id": "Anda melatih model dalam mode evaluasi. Lapisan seperti batch normalization "
            "berperilaku lain di sana.",
        },
        "first-batch-only": {
            "en": "You train on the first batch of every epoch only. An epoch visits every batch.",
            "id": "Anda hanya berlatih dengan batch pertama di setiap epoch. Satu epoch "
            "mengunjungi semua batch.",
        },
        "one-epoch-only": {
            "en": "Your training ends after the first epoch. Does the function return inside the "
            "outer loop, has it no loop over the epochs, or does that loop go on with an iterator "
            "that is used up?",
            "id": "Pelatihan Anda selesai setelah epoch pertama. Apakah fungsinya kembali di dalam "
            "loop luar, tidak ada loop untuk epoch, atau loop itu meneruskan iterator yang sudah "
            "habis?",
        },
        "one-batch-only": {
            "en": "Your training ends after one single step. Does the function return inside the "
            "inner loop?",
            "id": "Pelatihan Anda selesai setelah satu langkah saja. Apakah fungsinya kembali di "
            "dalam loop dalam?",
        },
        "one-epoch-short": {
            "en": "Your training stops one epoch early. How many rounds does your outer loop make?",
            "id": "Pelatihan Anda berhenti satu epoch lebih awal. Berapa putaran yang dilakukan "
            "loop luar Anda?",
        },
        "loss-tensors": {
            "en": "You return loss tensors. Each one keeps its whole graph alive; what you want to "
            "keep is the number.",
            "id": "Anda mengembalikan tensor loss. Setiap tensor membuat seluruh grafnya tetap "
            "hidup; yang perlu disimpan hanya angkanya.",
        },
        "loss-after-step": {
            "en": "Your losses are computed again after each step. What is asked is the loss that "
            "the step came from.",
            "id": "Loss Anda dihitung ulang setelah setiap langkah. Yang diminta adalah loss yang "
            "menjadi asal langkah itu.",
        },
        "times-batch-size": {
            "en": "Your losses are multiplied by the size of their batch. That is of use for the "
            "mean over an epoch; here the loss itself is asked.",
            "id": "Loss Anda dikalikan dengan ukuran batch-nya. Itu berguna untuk rata-rata satu "
            "epoch; di sini yang diminta loss itu sendiri.",
        },
        "running-total": {
            "en": "Each number you return is the sum of all losses so far. Each step has a loss of "
            "its own.",
            "id": "Setiap angka yang Anda kembalikan adalah jumlah semua loss sejauh ini. Setiap "
            "langkah punya loss-nya sendiri.",
        },
        "epoch-means": {
            "en": "You return the mean loss of each epoch. What is asked is one loss for each "
            "optimizer step.",
            "id": "Anda mengembalikan rata-rata loss setiap epoch. Yang diminta satu loss untuk "
            "setiap langkah optimizer.",
        },
        "last-loss-of-epoch": {
            "en": "You return only the last loss of each epoch. Every optimizer step adds one.",
            "id": "Anda hanya mengembalikan loss terakhir setiap epoch. Setiap langkah optimizer "
            "menambahkan satu.",
        },
        "returns-last-loss": {
            "en": "You return the last loss alone. What is asked is a list with one for each "
            "optimizer step.",
            "id": "Anda hanya mengembalikan loss terakhir. Yang diminta list berisi satu loss "
            "untuk setiap langkah optimizer.",
        },
        "returns-nothing": {
            "en": "Your loop trains the model, but the function returns nothing. The losses are "
            "asked.",
            "id": "Loop Anda melatih model, tetapi fungsinya tidak mengembalikan apa-apa. Yang "
            "diminta adalah daftar loss-nya.",
        },
    },
)
def train(wrong, model, loss_fn, optimizer, batches, epochs):
    losses = []
    total = 0.0
    if "evaluation-mode" in wrong:
        model.eval()
    if "zero-grad-once" in wrong:
        optimizer.zero_grad()
    rounds = epochs - ("one-epoch-short" in wrong)
    for _ in range(1 if "one-epoch-only" in wrong else rounds):
        of_epoch = []
        if "zero-grad-before-epoch" in wrong:
            optimizer.zero_grad()
        for inputs, targets in batches:
            if not wrong & NO_ZERO_GRAD_A_BATCH:
                optimizer.zero_grad()
            predictions = model(inputs)
            if "arguments-swapped" in wrong:
                loss = loss_fn(targets, predictions)
            else:
                loss = loss_fn(predictions, targets)
            if wrong & {"step-before-backward", "step-before-zero-and-backward"}:
                optimizer.step()
            if "step-before-zero-and-backward" in wrong:
                optimizer.zero_grad()
            if "loss-divided" in wrong:
                (loss / len(batches)).backward()
            elif "no-backward" not in wrong:
                loss.backward()
            if "zero-grad-before-step" in wrong:
                optimizer.zero_grad()
            if "plain-sgd" in wrong:
                rate = optimizer.param_groups[0]["lr"]
                sgd_step(frozenset(), model.parameters(), rate)
            elif not wrong & {"no-step", "step-before-backward", "step-before-zero-and-backward"}:
                optimizer.step()
            if "loss-after-step" in wrong:
                loss = loss_fn(model(inputs), targets)
            value = loss.item()
            if "times-batch-size" in wrong:
                value *= len(inputs)
            total += value
            if "running-total" in wrong:
                value = total
            if "loss-tensors" in wrong:
                value = loss
            of_epoch.append(value)
            if "one-batch-only" in wrong:
                return of_epoch
            if "first-batch-only" in wrong:
                break
        if "epoch-means" in wrong:
            of_epoch = [sum(of_epoch) / len(of_epoch)]
        if "last-loss-of-epoch" in wrong:
            of_epoch = of_epoch[-1:]
        losses += of_epoch
        if "zero-grad-after-epoch" in wrong:
            optimizer.zero_grad()
    if "returns-nothing" in wrong:
        return None
    return losses[-1] if "returns-last-loss" in wrong else losses


@mistakes(
    "training_loop.train",
    {
        "step-outside-batch-loop": {
            "en": "backward() and step() stand outside the inner loop: they run once an epoch, on "
            "the last batch. All five steps belong to every batch.",
            "id": "backward() dan step() berada di luar loop dalam: keduanya hanya berjalan sekali "
            "per epoch, pada batch terakhir. Kelima langkah berlaku untuk setiap batch.",
        },
        "one-step-per-epoch": {
            "en": "You add up the losses of an epoch and make one step. Here every batch makes a "
            "step of its own.",
            "id": "Anda menjumlahkan loss satu epoch lalu melangkah sekali. Di sini setiap batch "
            "melangkah sendiri.",
        },
    },
)
def training_by_epoch(wrong, model, loss_fn, optimizer, batches, epochs):
    if not wrong:
        return train(wrong, model, loss_fn, optimizer, batches, epochs)
    losses = []
    for _ in range(epochs):
        total = 0.0
        if "one-step-per-epoch" in wrong:
            optimizer.zero_grad()
        for inputs, targets in batches:
            if "one-step-per-epoch" not in wrong:
                optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            total = total + loss
        if "one-step-per-epoch" in wrong:
            loss = total
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@mistakes(
    "training_loop.train",
    {
        "loops-swapped": {
            "en": "Your loops are nested the other way round: all epochs on the first batch, then "
            "all on the second. One epoch visits every batch once.",
            "id": "Urutan loop Anda terbalik: semua epoch untuk batch pertama, lalu semua untuk "
            "batch kedua. Satu epoch mengunjungi setiap batch satu kali.",
        },
    },
)
def training_batch_by_batch(wrong, model, loss_fn, optimizer, batches, epochs):
    if not wrong:
        return train(wrong, model, loss_fn, optimizer, batches, epochs)
    losses = []
    for inputs, targets in batches:
        for _ in range(epochs):
            optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


@mistakes(
    "training_loop.train",
    {
        "forward-outside-loop": {
            "en": "All predictions are computed once, before the loop. After the first step they "
            "belong to parameters that no longer exist; every round needs its own forward pass.",
            "id": "Semua prediksi dihitung sekali, sebelum loop. Setelah langkah pertama, prediksi "
            "itu milik parameter yang sudah tidak ada; setiap putaran memerlukan forward sendiri.",
        },
    },
    idea="computation-graph",
)
def training_on_old_predictions(wrong, model, loss_fn, optimizer, batches, epochs):
    if not wrong:
        return train(wrong, model, loss_fn, optimizer, batches, epochs)
    predicted = [(model(inputs), targets) for inputs, targets in batches]
    losses = []
    for _ in range(epochs):
        for predictions, targets in predicted:
            optimizer.zero_grad()
            loss = loss_fn(predictions, targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


@mistakes(
    "training_loop.train",
    {
        "loss-after-step-unrecorded": {
            "en": "Your losses are computed again after each step. What is asked is the loss that "
            "the step came from.",
            "id": "Loss Anda dihitung ulang setelah setiap langkah. Yang diminta adalah loss yang "
            "menjadi asal langkah itu.",
        },
        "forward-without-graph": {
            "en": "Your loss has no graph for backward() to follow: the forward pass runs where "
            "nothing is recorded, or its predictions are cut off from their graph (`.detach()`, "
            "`.data`) before the loss.",
            "id": "Loss Anda tidak punya graf yang bisa ditelusuri backward(): forward berjalan di "
            "tempat yang tidak dicatat, atau prediksinya terputus dari grafnya (`.detach()`, "
            "`.data`) sebelum loss dihitung.",
        },
    },
    idea="no-grad",
)
def training_with_unrecorded_passes(wrong, model, loss_fn, optimizer, batches, epochs):
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            optimizer.zero_grad()
            with torch.set_grad_enabled("forward-without-graph" not in wrong):
                loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            if "loss-after-step-unrecorded" in wrong:
                with torch.no_grad():
                    loss = loss_fn(model(inputs), targets)
            losses.append(loss.item())
    return losses


@mistakes(
    "training_loop.train",
    {
        "step-first": {
            "en": "Your step stands at the top of the round, ahead of forward and backward(): it "
            "uses the gradient of the batch before, and the last batch gets no step.",
            "id": "Step Anda berada di awal putaran, mendahului forward dan backward(): yang "
            "dipakai gradien batch sebelumnya, dan batch terakhir tidak mendapat langkah.",
        },
        "step-right-after-zero-grad": {
            "en": "Your step comes right after zero_grad(), ahead of forward and backward(): "
            "whenever it reads .grad, that has just been emptied.",
            "id": "Step Anda datang tepat setelah zero_grad(), mendahului forward dan backward(): "
            "setiap kali ia membaca .grad, isinya baru saja dikosongkan.",
        },
        "two-steps": {
            "en": "The optimizer makes two steps for each batch, the second with the gradient of "
            "the first. One backward(), one step.",
            "id": "Optimizer melangkah dua kali untuk setiap batch, yang kedua dengan gradien yang "
            "pertama. Satu backward(), satu langkah.",
        },
        "own-optimizer": {
            "en": "Your loop steps with an optimizer of its own. The one you are given knows its "
            "learning rate, its momentum and what it has done before; it never makes a step.",
            "id": "Loop Anda melangkah dengan optimizer buatan sendiri. Optimizer yang diberikan "
            "tahu laju pembelajaran, momentum, dan riwayatnya; ia malah tidak pernah melangkah.",
        },
        "loss-by-hand": {
            "en": "You compute a mean squared error yourself. The loss is what loss_fn says; that "
            "may be another one.",
            "id": "Anda menghitung rata-rata galat kuadrat sendiri. Loss adalah hasil loss_fn; itu "
            "bisa saja fungsi lain.",
        },
        "losses-added-up": {
            "en": "You call backward() on a sum of losses, and the sum still holds the graph of "
            "the batch before, which is used up. Each batch has a loss, and a backward(), of its "
            "own.",
            "id": "Anda memanggil backward() pada jumlah beberapa loss, padahal jumlah itu masih "
            "memuat graf batch sebelumnya, yang sudah terpakai habis. Setiap batch punya loss dan "
            "backward() sendiri.",
        },
        "clips-gradients": {
            "en": "You cut large gradients down to size before the step. That is of use in some "
            "trainings; it is none of the five steps.",
            "id": "Anda memotong gradien yang besar sebelum step. Itu berguna di sebagian "
            "pelatihan; itu bukan salah satu dari lima langkah.",
        },
        "clips-gradient-norm": {
            "en": "You shorten the gradient before the step when its norm is above 1. That is of "
            "use in some trainings; it is none of the five steps.",
            "id": "Anda memendekkan gradien sebelum step jika normanya di atas 1. Itu berguna di "
            "sebagian pelatihan; itu bukan salah satu dari lima langkah.",
        },
        "loss-over-batch-size": {
            "en": "You divide the loss by the size of its batch. The loss is used, and returned, "
            "as loss_fn gives it.",
            "id": "Anda membagi loss dengan ukuran batch-nya. Loss dipakai, dan dikembalikan, "
            "sebagaimana diberikan loss_fn.",
        },
        "first-group-only": {
            "en": "You empty the gradients of the optimizer's first parameter group only. The "
            "others add up; zero_grad() empties all.",
            "id": "Anda hanya mengosongkan gradien kelompok parameter pertama milik optimizer. "
            "Yang lain menumpuk; zero_grad() mengosongkan semuanya.",
        },
        "forgets-optimizer-state": {
            "en": "You delete what the optimizer remembers (its momentum). It may have made steps "
            "before; let it go on from there.",
            "id": "Anda menghapus ingatan optimizer (momentumnya). Optimizer mungkin sudah pernah "
            "melangkah; biarkan ia meneruskan dari sana.",
        },
        "stops-early": {
            "en": "Your training ends as soon as a loss is small. What is small depends on the "
            "data; the number of epochs is given.",
            "id": "Pelatihan Anda berhenti begitu loss-nya kecil. Apa yang disebut kecil "
            "bergantung pada data; banyaknya epoch sudah ditentukan.",
        },
        "batches-read-once": {
            "en": "You read the batches once and use these in every epoch. A loader may shuffle: "
            "loop over `batches` anew in each epoch.",
            "id": "Anda membaca batch sekali lalu memakainya di setiap epoch. Loader boleh "
            "mengacak: ulangi `batches` dari awal di setiap epoch.",
        },
    },
)
def training_astray(wrong, model, loss_fn, optimizer, batches, epochs):
    losses, total = [], 0
    if "forgets-optimizer-state" in wrong:
        optimizer.state.clear()
    if "batches-read-once" in wrong:
        batches = list(batches)
    if "own-optimizer" in wrong:
        optimizer = torch.optim.SGD(model.parameters(), lr=optimizer.param_groups[-1]["lr"])
    for _ in range(epochs):
        for inputs, targets in batches:
            if "step-first" in wrong:
                optimizer.step()
            if "first-group-only" in wrong:
                for parameter in optimizer.param_groups[0]["params"]:
                    parameter.grad = None
            else:
                optimizer.zero_grad()
            if "step-right-after-zero-grad" in wrong:
                optimizer.step()
            predictions = model(inputs)
            if "loss-by-hand" in wrong:
                loss = ((predictions - targets) ** 2).mean()
            else:
                loss = loss_fn(predictions, targets)
            if "loss-over-batch-size" in wrong:
                loss = loss / len(inputs)
            if "stops-early" in wrong and loss < 1e-4:
                return losses
            total = total + loss
            (total if "losses-added-up" in wrong else loss).backward()
            if "clips-gradients" in wrong:
                torch.nn.utils.clip_grad_value_(model.parameters(), 5.0)
            if "clips-gradient-norm" in wrong:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            if not wrong & {"step-first", "step-right-after-zero-grad"}:
                optimizer.step()
            if "two-steps" in wrong:
                optimizer.step()
            losses.append(loss.item())
    return losses


@mistakes(
    "training_loop.train",
    {
        "leaves-evaluation-mode": {
            "en": "Your function leaves the model in evaluation mode. It came in training mode; "
            "who goes on training would do so with other layers.",
            "id": "Fungsi Anda meninggalkan model dalam mode evaluasi. Model datang dalam mode "
            "pelatihan; siapa pun yang melanjutkan pelatihan akan memakai lapisan yang berperilaku "
            "lain.",
        },
        "freezes-the-model": {
            "en": "After your training no parameter requires grad any more. The model could not be "
            "trained further.",
            "id": "Setelah pelatihan Anda, tidak ada lagi parameter yang memerlukan gradien. Model "
            "tidak bisa dilatih lebih lanjut.",
        },
        "unfreezes-layers": {
            "en": "You make all parameters require grad. One that does not was frozen on purpose: "
            "it is to stay as it is.",
            "id": "Anda membuat semua parameter memerlukan gradien. Parameter yang tidak "
            "memerlukannya sengaja dibekukan: ia harus tetap seperti semula.",
        },
        "inputs-require-grad": {
            "en": "You make the inputs require grad. Only parameters are trained; the batches "
            "belong to the caller and stay as they are.",
            "id": "Anda membuat inputs memerlukan gradien. Hanya parameter yang dilatih; batch "
            "milik pemanggil dan tetap seperti semula.",
        },
        "leaves-recording-off": {
            "en": "Your function switches recording off and leaves it off: whatever is computed "
            "afterwards has no graph.",
            "id": "Fungsi Anda mematikan pencatatan dan membiarkannya mati: apa pun yang dihitung "
            "sesudahnya tidak punya graf.",
        },
        "empties-the-list": {
            "en": "You empty the list of batches while you read it. It belongs to the caller, who "
            "may need it again.",
            "id": "Anda mengosongkan list batch sambil membacanya. List itu milik pemanggil, yang "
            "mungkin masih membutuhkannya.",
        },
    },
    idea="leaf-tensors",
)
def training_with_traces(wrong, model, loss_fn, optimizer, batches, epochs):
    if "unfreezes-layers" in wrong:
        model.requires_grad_(True)
    losses = []
    for _ in range(epochs):
        for inputs, targets in batches:
            if "inputs-require-grad" in wrong:
                inputs.requires_grad_()
            optimizer.zero_grad()
            loss = loss_fn(model(inputs), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    if "leaves-evaluation-mode" in wrong:
        model.eval()
    if "freezes-the-model" in wrong:
        model.requires_grad_(False)
    if "empties-the-list" in wrong and isinstance(batches, list):
        batches.clear()
    torch.set_grad_enabled("leaves-recording-off" not in wrong)
    return losses
