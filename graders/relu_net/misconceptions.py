"""What people get wrong in `relu_net`, as code that can be run and compared with a submission."""

import torch

from autograded.grading import mistakes


@mistakes(
    "relu_net.forward",
    {
        "no-relu": {
            "en": "Your h equals z even when z is negative: relu has not been applied. It is the "
            "gate between z and h.",
            "id": "h milik Anda sama dengan z meskipun z negatif: relu belum diterapkan. Relu "
            "adalah gerbang antara z dan h.",
        },
        "relu-skipped-by-output": {
            "en": "Your y is computed from z. The output neuron sees only what came through the "
            "gate, h.",
            "id": "y milik Anda dihitung dari z. Neuron keluaran hanya melihat apa yang lolos dari "
            "gerbang, yaitu h.",
        },
        "z-after-relu": {
            "en": "What you return as z is already relu's result. z is the value before relu and "
            "may be negative; the backward pass will need it.",
            "id": "Yang Anda kembalikan sebagai z sudah merupakan hasil relu. z adalah nilai "
            "sebelum relu dan boleh negatif; backward pass nanti memerlukannya.",
        },
        "relu-on-output": {
            "en": "Your y is never negative: relu was applied to the output as well. The output of "
            "this network is linear.",
            "id": "y milik Anda tidak pernah negatif: relu diterapkan pada keluaran juga. Keluaran "
            "jaringan ini linear.",
        },
        "gate-wrong-side": {
            "en": "Your gate lets the negative values through and stops the positive ones; relu "
            "does the opposite.",
            "id": "Gerbang Anda meloloskan nilai negatif dan menahan yang positif; relu melakukan "
            "sebaliknya.",
        },
        "absolute-value": {
            "en": "Your h is the absolute value of z. Relu does not flip negative numbers, it "
            "replaces them by 0.",
            "id": "h milik Anda adalah nilai mutlak z. Relu tidak membalik tanda bilangan negatif, "
            "melainkan menggantinya dengan 0.",
        },
        "sigmoid": {
            "en": "Your h is the sigmoid of z. This network's activation is relu.",
            "id": "h milik Anda adalah sigmoid dari z. Fungsi aktivasi jaringan ini adalah relu.",
        },
        "step": {
            "en": "Your h is 1 when the gate is open. An open gate passes z itself, not a 1.",
            "id": "h milik Anda bernilai 1 ketika gerbang terbuka. Gerbang yang terbuka "
            "meneruskan z itu sendiri, bukan angka 1.",
        },
        "weights-swapped": {
            "en": "The two weights have changed places: w1 belongs to the hidden neuron, w2 to the "
            "output.",
            "id": "Kedua bobot tertukar: w1 milik neuron tersembunyi, w2 milik keluaran.",
        },
        "adds-weight": {
            "en": "Your z adds x and w1. A neuron multiplies its input by its weight.",
            "id": "z milik Anda menjumlahkan x dan w1. Neuron mengalikan masukan dengan bobotnya.",
        },
        "order-reversed": {
            "en": "The three values are right but in the wrong order: the contract says (z, h, y).",
            "id": "Ketiga nilainya benar tetapi urutannya salah: yang diminta adalah (z, h, y).",
        },
        "only-y": {
            "en": "You return y alone. The backward pass needs z and h as well, so return all "
            "three.",
            "id": "Anda hanya mengembalikan y. Backward pass memerlukan z dan h juga, jadi "
            "kembalikan ketiganya.",
        },
        "leaky-relu": {
            "en": "Your h lets a hundredth of a negative z through: that is leaky relu. This "
            "network's relu passes exactly 0.",
            "id": "h milik Anda meloloskan seperseratus dari z yang negatif: itu leaky relu. Relu "
            "jaringan ini meneruskan tepat 0.",
        },
        "softplus": {
            "en": "Your h is log(1 + e^z), the softplus of z: a smooth neighbour of relu. This "
            "network's activation is relu itself, with its corner.",
            "id": "h milik Anda adalah log(1 + e^z), yaitu softplus dari z: tetangga relu yang "
            "mulus. Fungsi aktivasi jaringan ini adalah relu sendiri, dengan sudutnya.",
        },
        "gate-with-threshold": {
            "en": "Your gate opens only some way above 0. Relu has no threshold but 0: however "
            "small a positive z is, it passes.",
            "id": "Gerbang Anda baru terbuka sedikit di atas 0. Relu tidak punya ambang selain 0: "
            "sekecil apa pun z yang positif, ia lolos.",
        },
        "writes-into-w1": {
            "en": "The numbers are right, but with tensors you write into w1: `z = w1` is a second "
            "name, and *= works in place.",
            "id": "Angkanya benar, tetapi untuk tensor Anda menulis ke dalam w1: `z = w1` hanyalah "
            "nama kedua, dan *= bekerja di tempat.",
        },
    },
)
def forward(wrong, x, w1, w2):
    if "weights-swapped" in wrong:
        w1, w2 = w2, w1
    z = w1 + x if "adds-weight" in wrong else w1 * x
    if "writes-into-w1" in wrong:
        z = w1
        z *= x
    if "no-relu" in wrong:
        h = z
    elif "gate-wrong-side" in wrong:
        h = z if z < 0 else 0.0
    elif "absolute-value" in wrong:
        h = abs(z)
    elif "sigmoid" in wrong:
        h = torch.sigmoid(torch.as_tensor(z, dtype=torch.float64)).item()
    elif "softplus" in wrong:
        h = torch.nn.functional.softplus(torch.as_tensor(z, dtype=torch.float64)).item()
    elif "leaky-relu" in wrong:
        h = z if z > 0 else 0.01 * z
    elif "step" in wrong:
        h = 1.0 if z > 0 else 0.0
    else:
        h = z if z > _threshold(wrong) else 0.0
    y = w2 * (z if "relu-skipped-by-output" in wrong else h)
    if "relu-on-output" in wrong:
        y = y if y > 0 else 0.0
    if "z-after-relu" in wrong:
        z = h
    if "only-y" in wrong:
        return y
    return (y, h, z) if "order-reversed" in wrong else (z, h, y)


def _threshold(wrong):
    return 1e-6 if "gate-with-threshold" in wrong else 0.0


@mistakes(
    "relu_net.gradients",
    {
        "no-factor-two": {
            "en": "Both your gradients are half of autograd's: the derivative of (y − t)² has a "
            "factor 2.",
            "id": "Kedua gradien Anda setengah dari milik autograd: turunan (y − t)² punya "
            "faktor 2.",
        },
        "sign-flipped": {
            "en": "Both your gradients have the wrong sign: the loss grows when y moves away from "
            "t, so its slope is measured from t to y, not from y to t.",
            "id": "Kedua gradien Anda berlawanan tanda: loss membesar ketika y menjauh dari t, "
            "jadi kemiringannya diukur dari t ke y, bukan dari y ke t.",
        },
        "loss-for-its-slope": {
            "en": "You start the backward pass with the loss itself. What travels back is the "
            "slope of the loss, how fast it changes when y moves.",
            "id": "Anda memulai backward pass dengan nilai loss itu sendiri. Yang berjalan mundur "
            "adalah kemiringan loss, yaitu seberapa cepat loss berubah ketika y bergeser.",
        },
        "target-forgotten": {
            "en": "Your slope of the loss does not contain the target: it belongs to y², not to "
            "(y − t)².",
            "id": "Kemiringan loss milik Anda tidak memuat target: itu kemiringan y², bukan (y − "
            "t)².",
        },
        "gradients-of-y": {
            "en": "These are the gradients of y, not of the loss: the chain starts one step "
            "further, at L.",
            "id": "Ini gradien y, bukan gradien loss: rantainya berawal satu langkah lebih jauh, "
            "di L.",
        },
        "no-gate": {
            "en": "Your dw1 is not 0 when z is negative: on the way back, the signal has to pass "
            "the same gate that relu was on the way forward.",
            "id": "dw1 milik Anda tidak 0 ketika z negatif: dalam perjalanan mundur, sinyal harus "
            "melewati gerbang yang sama, yaitu relu pada arah maju.",
        },
        "gate-wrong-side": {
            "en": "Your gate is the wrong way round: dw1 is 0 where z is positive, and not 0 where "
            "z is negative.",
            "id": "Gerbang Anda terbalik: dw1 bernilai 0 di tempat z positif, dan tidak 0 di "
            "tempat z negatif.",
        },
        "gate-open-at-zero": {
            "en": "You let the signal through when z is exactly 0. At its corner relu has no "
            "slope; PyTorch takes 0 there, so the gate is open for z > 0 only.",
            "id": "Anda meloloskan sinyal ketika z tepat 0. Di sudutnya relu tidak punya "
            "kemiringan; PyTorch memakai 0 di sana, jadi gerbang hanya terbuka untuk z > 0.",
        },
        "gate-from-output": {
            "en": "Your gate looks at y. Whether relu is open is decided by its own input, z; with "
            "a negative w2 the two have opposite signs.",
            "id": "Gerbang Anda melihat y. Terbuka tidaknya relu ditentukan oleh masukannya "
            "sendiri, z; kalau w2 negatif, tanda keduanya berlawanan.",
        },
        "gate-from-weight": {
            "en": "Your gate looks at w1. Whether relu is open is decided by z, and z has another "
            "sign than w1 when x is negative.",
            "id": "Gerbang Anda melihat w1. Terbuka tidaknya relu ditentukan oleh z, dan tanda z "
            "berbeda dari w1 ketika x negatif.",
        },
        "gate-times-h": {
            "en": "At relu you multiply by h. The local derivative of an open relu is 1, whatever "
            "the height of h.",
            "id": "Di relu Anda mengalikan dengan h. Turunan lokal relu yang terbuka adalah 1, "
            "berapa pun nilai h.",
        },
        "sigmoid-slope": {
            "en": "At relu you multiply by h·(1 − h). That is the slope of the sigmoid; relu's "
            "slope is 1 or 0.",
            "id": "Di relu Anda mengalikan dengan h·(1 − h). Itu kemiringan sigmoid; kemiringan "
            "relu adalah 1 atau 0.",
        },
        "h-for-x": {
            "en": "The last factor of your dw1 is h. In z = w1·x the other factor beside w1 is the "
            "input x.",
            "id": "Faktor terakhir pada dw1 milik Anda adalah h. Dalam z = w1·x, pasangan w1 "
            "adalah masukan x.",
        },
        "x-forgotten": {
            "en": "Your dw1 stops at z: it is dL/dz. From z to w1 there is one more step, the "
            "product z = w1·x.",
            "id": "dw1 milik Anda berhenti di z: itu dL/dz. Dari z ke w1 masih ada satu langkah, "
            "yaitu perkalian z = w1·x.",
        },
        "z-for-h": {
            "en": "Your dw2 is not 0 when the gate is closed: you multiplied by z, but what w2 "
            "meets in y = w2·h is the value after relu.",
            "id": "dw2 milik Anda tidak 0 ketika gerbang tertutup: Anda mengalikan dengan z, "
            "padahal yang ditemui w2 dalam y = w2·h adalah nilai sesudah relu.",
        },
        "x-for-h": {
            "en": "Your dw2 is multiplied by the input x. w2 never meets x: in y = w2·h the other "
            "factor is h.",
            "id": "dw2 milik Anda dikalikan dengan masukan x. w2 tidak pernah bertemu x: dalam "
            "y = w2·h pasangannya adalah h.",
        },
        "w2-forgotten": {
            "en": "Your dw1 lacks a factor: the way from y back to h leads through the product "
            "y = w2·h, which passes on w2.",
            "id": "dw1 milik Anda kekurangan satu faktor: jalan dari y mundur ke h melewati "
            "perkalian y = w2·h, yang meneruskan w2.",
        },
        "own-factor": {
            "en": "At each product you multiply by the weight itself. The derivative of a product "
            "with respect to one factor is the other factor.",
            "id": "Di setiap perkalian Anda mengalikan dengan bobot itu sendiri. Turunan perkalian "
            "terhadap satu faktor adalah faktor pasangannya.",
        },
        "swapped": {
            "en": "The two gradients have changed places: return dw1 first, then dw2.",
            "id": "Kedua gradien tertukar: kembalikan dw1 dulu, baru dw2.",
        },
        "no-relu": {
            "en": "There is no relu in your network, neither on the way forward nor on the way "
            "back. With z negative, h and everything behind it is 0.",
            "id": "Tidak ada relu di jaringan Anda, baik pada arah maju maupun mundur. Jika z "
            "negatif, h dan semua yang melaluinya bernilai 0.",
        },
        "gate-with-threshold": {
            "en": "Your gate opens only some way above 0. Relu has no threshold but 0: however "
            "small a positive z is, the signal passes.",
            "id": "Gerbang Anda baru terbuka sedikit di atas 0. Relu tidak punya ambang selain 0: "
            "sekecil apa pun z yang positif, sinyalnya lolos.",
        },
        "gate-from-input": {
            "en": "Your gate looks at x. Whether relu is open is decided by z, and z has another "
            "sign than x when w1 is negative.",
            "id": "Gerbang Anda melihat x. Terbuka tidaknya relu ditentukan oleh z, dan tanda z "
            "berbeda dari x ketika w1 negatif.",
        },
        "w1-for-x": {
            "en": "The last factor of your dw1 is w1 itself. In z = w1·x the derivative with "
            "respect to one factor is the other one, the input x.",
            "id": "Faktor terakhir pada dw1 milik Anda adalah w1 sendiri. Dalam z = w1·x, turunan "
            "terhadap satu faktor adalah faktor yang lain, yaitu masukan x.",
        },
        "changes-target": {
            "en": "Your gradients are right, but with tensors you write into the target you were "
            "given: -= works in place.",
            "id": "Gradien Anda benar, tetapi untuk tensor Anda menulis ke dalam target yang "
            "diterima: -= bekerja di tempat.",
        },
    },
)
def gradients(wrong, x, w1, w2, t):
    z = w1 * x
    h = z if "no-relu" in wrong or z > _threshold(wrong) else 0.0
    y = w2 * h
    dy = _slope_of_loss(wrong, y, t)
    if "own-factor" in wrong:
        dw2, dh = dy * w2, dy * h
    else:
        dw2, dh = dy * h, dy * w2
    if "z-for-h" in wrong:
        dw2 = dy * z
    if "x-for-h" in wrong:
        dw2 = dy * x
    if "w2-forgotten" in wrong:
        dh = dy
    dz = _through_the_gate(wrong, dh, x=x, w1=w1, z=z, h=h, y=y)
    if "h-for-x" in wrong:
        dw1 = dz * h
    elif "x-forgotten" in wrong:
        dw1 = dz
    else:
        dw1 = dz * (w1 if wrong & {"own-factor", "w1-for-x"} else x)
    return (dw2, dw1) if "swapped" in wrong else (dw1, dw2)


def _slope_of_loss(wrong, y, t):
    if "gradients-of-y" in wrong:
        return 1.0
    if "changes-target" in wrong:
        t -= y
        error = -t
    else:
        error = y if "target-forgotten" in wrong else y - t
    if "sign-flipped" in wrong:
        error = -error
    if "loss-for-its-slope" in wrong:
        return error * error
    return error if "no-factor-two" in wrong else 2 * error


def _through_the_gate(wrong, dh, *, x, w1, z, h, y):
    if wrong & {"no-gate", "no-relu"}:
        return dh
    if "gate-times-h" in wrong:
        return dh * h
    if "sigmoid-slope" in wrong:
        return dh * h * (1 - h)
    if "gate-wrong-side" in wrong:
        is_open = z < 0
    elif "gate-open-at-zero" in wrong:
        is_open = z >= 0
    elif "gate-from-output" in wrong:
        is_open = y > 0
    elif "gate-from-weight" in wrong:
        is_open = w1 > 0
    elif "gate-from-input" in wrong:
        is_open = x > 0
    else:
        is_open = z > _threshold(wrong)
    return dh if is_open else 0.0


@mistakes(
    "relu_net.gradients",
    {
        "differences": {
            "en": "You nudge the weights and divide. With a large target the two losses agree in "
            "nearly all their digits and the difference is mostly rounding; the chain rule has no "
            "such loss.",
            "id": "Anda menggeser bobot lalu membagi. Dengan target yang besar, kedua loss sama di "
            "hampir semua digitnya dan selisihnya nyaris hanya pembulatan; aturan rantai tidak "
            "mengalaminya.",
        },
    },
    idea="finite-differences",
)
def gradients_by_differences(wrong, x, w1, w2, t):
    if "differences" not in wrong:
        return gradients(wrong, x, w1, w2, t)

    def loss(a, b):
        return (b * max(float(a * x), 0.0) - t) ** 2

    eps = 1e-6
    dw1 = (loss(w1 + eps, w2) - loss(w1 - eps, w2)) / (2 * eps)
    dw2 = (loss(w1, w2 + eps) - loss(w1, w2 - eps)) / (2 * eps)
    return dw1, dw2


@mistakes(
    "relu_net.batch_gradients",
    {
        "no-factor-two": {
            "en": "Both your gradients are half of autograd's: the derivative of (Y − T)² has a "
            "factor 2.",
            "id": "Kedua gradien Anda setengah dari milik autograd: turunan (Y − T)² punya "
            "faktor 2.",
        },
        "sign-flipped": {
            "en": "Both your gradients have the wrong sign: the loss grows when Y moves away from "
            "T, so its slope is measured from T to Y.",
            "id": "Kedua gradien Anda berlawanan tanda: loss membesar ketika Y menjauh dari T, "
            "jadi kemiringannya diukur dari T ke Y.",
        },
        "mean-over-examples": {
            "en": "You divide by the number of examples N only. The loss is a mean over all N·O "
            "elements of Y, so your gradients are O times too large.",
            "id": "Anda hanya membagi dengan banyaknya contoh N. Loss adalah rata-rata atas semua "
            "N·O elemen Y, jadi gradien Anda O kali terlalu besar.",
        },
        "mean-over-outputs": {
            "en": "You divide by the number of outputs O only. The loss is a mean over all N·O "
            "elements of Y, so your gradients are N times too large.",
            "id": "Anda hanya membagi dengan banyaknya keluaran O. Loss adalah rata-rata atas "
            "semua N·O elemen Y, jadi gradien Anda N kali terlalu besar.",
        },
        "mean-over-hidden": {
            "en": "You divide by N·H, the number of hidden values. The loss is a mean over the N·O "
            "elements of Y; the hidden layer is not averaged.",
            "id": "Anda membagi dengan N·H, banyaknya nilai tersembunyi. Loss adalah rata-rata "
            "atas N·O elemen Y; lapisan tersembunyi tidak dirata-ratakan.",
        },
        "no-mean": {
            "en": "These are the gradients of the sum of squares. The loss is their mean, and the "
            "division belongs to the derivative too.",
            "id": "Ini gradien dari jumlah kuadrat. Loss adalah rata-ratanya, dan pembagian itu "
            "ikut terbawa ke turunannya.",
        },
        "mean-twice": {
            "en": "You divide by N·O twice. The mean is taken once, in the loss; the sum over "
            "examples that the matrix product makes is not another mean.",
            "id": "Anda membagi dengan N·O dua kali. Rata-rata hanya diambil sekali, di dalam "
            "loss; penjumlahan atas contoh oleh perkalian matriks bukan rata-rata lagi.",
        },
        "examples-averaged": {
            "en": "You divide by N once more at the weights. The gradient of a weight is the sum "
            "over the examples; the mean is already in the slope of the loss.",
            "id": "Anda membagi dengan N sekali lagi pada bobot. Gradien suatu bobot adalah jumlah "
            "atas semua contoh; rata-ratanya sudah ada di kemiringan loss.",
        },
        "gate-open-at-zero": {
            "en": "You let the signal through where Z is exactly 0. At its corner relu has no "
            "slope; PyTorch takes 0 there.",
            "id": "Anda meloloskan sinyal di tempat Z tepat 0. Di sudutnya relu tidak punya "
            "kemiringan; PyTorch memakai 0 di sana.",
        },
        "gate-with-threshold": {
            "en": "Your gates open only some way above 0. Relu has no threshold but 0: however "
            "small a positive Z is, the signal passes.",
            "id": "Gerbang Anda baru terbuka sedikit di atas 0. Relu tidak punya ambang selain 0: "
            "sekecil apa pun Z yang positif, sinyalnya lolos.",
        },
        "no-gate": {
            "en": "Your dW1 ignores relu: on the way back the signal has to pass the same gates as "
            "on the way forward, element by element.",
            "id": "dW1 milik Anda mengabaikan relu: dalam perjalanan mundur sinyal harus melewati "
            "gerbang yang sama seperti pada arah maju, elemen demi elemen.",
        },
        "gate-wrong-side": {
            "en": "Your gates are the wrong way round: the signal passes where Z is negative.",
            "id": "Gerbang Anda terbalik: sinyal lolos di tempat Z negatif.",
        },
        "gate-from-gradient": {
            "en": "Your gates look at the gradient that arrives. Whether a relu is open was "
            "decided on the way forward, by Z.",
            "id": "Gerbang Anda melihat gradien yang datang. Terbuka tidaknya relu sudah "
            "ditentukan pada arah maju, oleh Z.",
        },
        "gate-times-hidden": {
            "en": "At relu you multiply by the hidden values. The local derivative of an open relu "
            "is 1, whatever its value.",
            "id": "Di relu Anda mengalikan dengan nilai tersembunyi. Turunan lokal relu yang "
            "terbuka adalah 1, berapa pun nilainya.",
        },
        "z-for-hidden": {
            "en": "Your dW2 is built from Z. What W2 meets on the way forward are the values after "
            "relu.",
            "id": "dW2 milik Anda dibangun dari Z. Yang ditemui W2 pada arah maju adalah nilai "
            "sesudah relu.",
        },
        "no-relu-in-forward": {
            "en": "Your Y is computed without relu, so the backward pass starts from a wrong "
            "output.",
            "id": "Y milik Anda dihitung tanpa relu, jadi backward pass berawal dari keluaran yang "
            "salah.",
        },
        "w2-not-transposed": {
            "en": "On the way from Y back to the hidden values you multiply by W2 as it is. Going "
            "back, rows and columns exchange their roles; with H = O the shapes fit all the same "
            "and only the numbers are wrong.",
            "id": "Dalam perjalanan dari Y mundur ke nilai tersembunyi Anda mengalikan dengan W2 "
            "apa adanya. Pada arah mundur, baris dan kolom bertukar peran; kalau H = O bentuknya "
            "tetap cocok dan hanya angkanya yang salah.",
        },
        "w2-forgotten": {
            "en": "Your dW1 does not contain W2: every hidden unit receives the plain sum of the "
            "outputs' gradients, whatever its weights to them.",
            "id": "dW1 milik Anda tidak memuat W2: setiap unit tersembunyi menerima jumlah polos "
            "gradien semua keluaran, berapa pun bobotnya ke sana.",
        },
        "summed-too-early": {
            "en": "You sum over the examples before multiplying. Each example must first be "
            "multiplied by its own gradient; a product of sums is not a sum of products.",
            "id": "Anda menjumlahkan atas contoh sebelum mengalikan. Setiap contoh harus dikalikan "
            "dulu dengan gradiennya sendiri; hasil kali jumlah bukanlah jumlah hasil kali.",
        },
        "transposed": {
            "en": "Your gradients are turned on their side. A gradient has the shape of its weight "
            "matrix, and entry [i, j] belongs to weight [i, j]; with equal sizes the shape does "
            "not give this away.",
            "id": "Baris dan kolom gradien Anda tertukar. Gradien punya bentuk matriks bobotnya, "
            "dan entri [i, j] milik bobot [i, j]; kalau ukurannya sama, bentuknya tidak "
            "memperlihatkan kesalahan ini.",
        },
        "swapped": {
            "en": "The two gradients have changed places: return dW1 first, then dW2.",
            "id": "Kedua gradien tertukar: kembalikan dW1 dulu, baru dW2.",
        },
        "broadcast-targets": {
            "en": "With a single output you lost a dimension: (N,) minus (N, 1) broadcasts to "
            "(N, N), and every output is compared with every target.",
            "id": "Dengan satu keluaran Anda kehilangan satu dimensi: (N,) dikurangi (N, 1) "
            "di-broadcast menjadi (N, N), sehingga setiap keluaran dibandingkan dengan semua "
            "target.",
        },
        "changes-targets": {
            "en": "Your gradients are right, but the function writes into the targets it was "
            "given. An operation whose name ends in _ works in place.",
            "id": "Gradien Anda benar, tetapi fungsi Anda menulis ke dalam target yang "
            "diterimanya. Operasi yang namanya berakhiran _ mengubah tensor di tempat.",
        },
    },
)
def batch_gradients(wrong, X, W1, W2, T):
    Z = X @ W1
    A = Z if "no-relu-in-forward" in wrong else torch.relu(Z)
    Y = A @ W2
    dY = _slope_of_mean(wrong, Y, T, A.shape[1])
    if "w2-forgotten" in wrong:
        dA = dY.sum(dim=1, keepdim=True).expand_as(A)
    elif "w2-not-transposed" in wrong:
        dA = dY @ W2
    else:
        dA = dY @ W2.T
    dZ = _through_the_gates(wrong, dA, Z, A)
    hidden = Z if "z-for-hidden" in wrong else A
    if "summed-too-early" in wrong:
        dW1, dW2 = torch.outer(X.sum(0), dZ.sum(0)), torch.outer(hidden.sum(0), dY.sum(0))
    else:
        dW1, dW2 = X.T @ dZ, hidden.T @ dY
    if "examples-averaged" in wrong:
        dW1, dW2 = dW1 / len(X), dW2 / len(X)
    if "transposed" in wrong:
        dW1, dW2 = dW1.T, dW2.T
    return (dW2, dW1) if "swapped" in wrong else (dW1, dW2)


def _slope_of_mean(wrong, Y, T, hidden):
    if "broadcast-targets" in wrong and T.shape[1] == 1:
        pairs = Y.squeeze(1) - T  # entry [m, n] compares output n with target m
        error = pairs.mean(dim=0).unsqueeze(1)
    elif "changes-targets" in wrong:
        error = T.sub_(Y).neg_()
    else:
        error = Y - T
    if "sign-flipped" in wrong:
        error = -error
    if "no-factor-two" not in wrong:
        error = 2 * error
    n, o = T.shape
    if "mean-over-examples" in wrong:
        return error / n
    if "mean-over-outputs" in wrong:
        return error / o
    if "mean-over-hidden" in wrong:
        return error / (n * hidden)
    if "no-mean" in wrong:
        return error
    return error / (n * o) ** (2 if "mean-twice" in wrong else 1)


def _through_the_gates(wrong, dA, Z, A):
    if "no-gate" in wrong:
        return dA
    if "gate-times-hidden" in wrong:
        return dA * A
    if "gate-wrong-side" in wrong:
        return dA * (Z < 0)
    if "gate-open-at-zero" in wrong:
        return dA * (Z >= 0)
    if "gate-from-gradient" in wrong:
        return dA * (dA > 0)
    return dA * Z.gt(_threshold(wrong))


@mistakes(
    "relu_net.batch_gradients",
    {
        "differences": {
            "en": "You nudge the weights and divide. With large targets the two losses agree in "
            "nearly all their digits and the difference is mostly rounding; it also costs two "
            "forwards for every weight.",
            "id": "Anda menggeser bobot lalu membagi. Dengan target yang besar, kedua loss sama di "
            "hampir semua digitnya dan selisihnya nyaris hanya pembulatan; lagi pula biayanya dua "
            "forward untuk setiap bobot.",
        },
    },
    idea="finite-differences",
)
def batch_gradients_by_differences(wrong, X, W1, W2, T):
    if "differences" not in wrong:
        return batch_gradients(wrong, X, W1, W2, T)

    def loss(a, b):
        return ((torch.relu(X @ a) @ b - T) ** 2).mean()

    return (
        _differences(lambda a: loss(a, W2), W1, 1e-6),
        _differences(lambda b: loss(W1, b), W2, 1e-6),
    )


def _differences(f, w, eps):
    gradient = torch.zeros_like(w)
    for index in range(w.numel()):
        nudge = torch.zeros_like(w)
        nudge.view(-1)[index] = eps
        gradient.view(-1)[index] = (f(w + nudge) - f(w - nudge)) / (2 * eps)
    return gradient


@mistakes(
    "relu_net.numerical_gradient",
    {
        "one-sided": {
            "en": "You compare f at w + eps with f at w itself. That one-sided difference is off "
            "by an amount proportional to eps; the central one steps to both sides.",
            "id": "Anda membandingkan f di w + eps dengan f di w sendiri. Beda satu sisi itu "
            "meleset sebanding dengan eps; beda pusat melangkah ke kedua sisi.",
        },
        "backward-difference": {
            "en": "You compare f at w itself with f at w − eps. That one-sided difference is off "
            "by an amount proportional to eps; the central one steps to both sides.",
            "id": "Anda membandingkan f di w sendiri dengan f di w − eps. Beda satu sisi itu "
            "meleset sebanding dengan eps; beda pusat melangkah ke kedua sisi.",
        },
        "divides-by-eps": {
            "en": "Your gradient is twice autograd's: the two points lie 2·eps apart, not eps.",
            "id": "Gradien Anda dua kali milik autograd: kedua titik itu berjarak 2·eps, bukan "
            "eps.",
        },
        "eps-forgotten": {
            "en": "You take the mean of the two differences but do not divide by eps: a slope is "
            "rise over run.",
            "id": "Anda mengambil setengah selisihnya tetapi tidak membaginya dengan eps: "
            "kemiringan adalah perubahan nilai dibagi jarak.",
        },
        "multiplies-by-eps": {
            "en": "You divide by 2 and then multiply by eps. In Python, a / 2 * eps is "
            "(a / 2) · eps; the whole distance belongs below the line.",
            "id": "Anda membagi dengan 2 lalu mengalikan dengan eps. Di Python, a / 2 * eps "
            "berarti (a / 2) · eps; seluruh jarak itu harus menjadi pembagi.",
        },
        "sign-flipped": {
            "en": "Your gradient has the wrong sign: f below was subtracted in the wrong order. "
            "The slope is the value above minus the value below.",
            "id": "Gradien Anda berlawanan tanda: urutan pengurangannya terbalik. Kemiringan "
            "adalah nilai di atas dikurangi nilai di bawah.",
        },
        "all-at-once": {
            "en": "You nudge all entries together, so each entry gets the sum of all slopes. A "
            "partial derivative moves one entry while the others stand still.",
            "id": "Anda menggeser semua entri bersamaan, jadi setiap entri mendapat jumlah semua "
            "kemiringan. Turunan parsial menggeser satu entri sementara yang lain diam.",
        },
        "nudges-pile-up": {
            "en": "The nudges pile up: when you nudge an entry, the entries before it are still "
            "nudged. Undo each one before the next.",
            "id": "Geserannya menumpuk: ketika Anda menggeser satu entri, entri-entri sebelumnya "
            "masih tergeser. Batalkan setiap geseran sebelum yang berikutnya.",
        },
        "row-at-a-time": {
            "en": "You loop over the rows of w and nudge a whole row at once. That is right for a "
            "vector only; a matrix has an entry in every column too, and a 0-d tensor has no rows.",
            "id": "Anda mengulang baris-baris w dan menggeser satu baris sekaligus. Itu hanya "
            "benar untuk vektor; matriks punya entri di setiap kolomnya juga, dan tensor 0 "
            "dimensi tidak punya baris.",
        },
        "flat-result": {
            "en": "Your numbers are right, but they come as one long row. A gradient has the shape "
            "of w.",
            "id": "Angka Anda benar, tetapi tersusun sebagai satu baris panjang. Gradien punya "
            "bentuk yang sama dengan w.",
        },
        "extra-call": {
            "en": "Your gradient is right, but f is also called at w itself. The central "
            "difference does not need that value.",
            "id": "Gradien Anda benar, tetapi f juga dipanggil di w sendiri. Beda pusat tidak "
            "memerlukan nilai itu.",
        },
        "own-eps": {
            "en": "You step by a distance of your own choice. The caller decides about eps.",
            "id": "Anda melangkah dengan jarak pilihan Anda sendiri. Besarnya eps ditentukan oleh "
            "pemanggil.",
        },
        "float32-inside": {
            "en": "Your computation runs in float32. Two values of f that differ by little are the "
            "same in seven digits, and the difference is noise.",
            "id": "Perhitungan Anda berjalan dalam float32. Dua nilai f yang berbeda tipis tampak "
            "sama dalam tujuh digit, dan selisihnya hanya derau.",
        },
        "f-given-one-row": {
            "en": "You call f with the entries of w as one long row. f may use the rows and "
            "columns of w: nudge in a row if you like, but give f the shape of w.",
            "id": "Anda memanggil f dengan unsur-unsur w sebagai satu baris panjang. f bisa saja "
            "memakai baris dan kolom w: geserlah dalam satu baris bila perlu, tetapi beri f bentuk "
            "w.",
        },
        "f-given-a-batch": {
            "en": "You call f with one dimension more than w has. f was made for w as it is.",
            "id": "Anda memanggil f dengan satu dimensi lebih banyak daripada w. f dibuat untuk w "
            "apa adanya.",
        },
    },
)
def numerical_gradient(wrong, f, w, eps):
    if "own-eps" in wrong:
        eps = 1e-4
    if "float32-inside" in wrong:
        w, given = w.float(), f

        def f(point):
            return given(point.double()).float()

    if wrong & {"f-given-one-row", "f-given-a-batch"}:
        meant = f

        def f(point):
            return meant(point.reshape(-1) if "f-given-one-row" in wrong else point[None])

    if "extra-call" in wrong:
        f(w)
    rows = "row-at-a-time" in wrong
    gradient = torch.zeros_like(w) if rows else torch.zeros_like(w).reshape(-1)
    nudge = torch.zeros_like(gradient)
    for i in range(len(gradient)):
        if "nudges-pile-up" not in wrong:
            nudge.zero_()
        nudge[i] = eps
        if "all-at-once" in wrong:
            nudge.fill_(eps)
        step = nudge.reshape(w.shape)
        above = f(w) if "backward-difference" in wrong else f(w + step)
        below = f(w) if "one-sided" in wrong else f(w - step)
        gradient[i] = _slope(wrong, above, below, eps)
    return gradient if "flat-result" in wrong else gradient.reshape(w.shape)


def _slope(wrong, above, below, eps):
    rise = below - above if "sign-flipped" in wrong else above - below
    if "eps-forgotten" in wrong:
        return rise / 2
    if "multiplies-by-eps" in wrong:
        return rise / 2 * eps
    if wrong & {"divides-by-eps", "one-sided", "backward-difference"}:
        return rise / eps
    return rise / (2 * eps)


@mistakes(
    "relu_net.numerical_gradient",
    {
        "not-restored": {
            "en": "You nudge w in place and do not put the old value back: the later entries are "
            "measured at another point, and the caller's w has moved.",
            "id": "Anda menggeser w di tempat dan tidak mengembalikan nilai lamanya: entri-entri "
            "berikutnya diukur di titik lain, dan w milik pemanggil sudah bergeser.",
        },
        "not-restored-between": {
            "en": "Between the two calls you take eps away only once. From w + eps it takes two "
            "steps down to reach w − eps.",
            "id": "Di antara kedua panggilan Anda hanya mengurangi eps sekali. Dari w + eps perlu "
            "dua langkah turun untuk sampai di w − eps.",
        },
        "one-tensor-for-both": {
            "en": "Your gradient is 0 everywhere: the points above and below are one tensor under "
            "two names. Raised and then lowered, it is back at w, and f is called there twice.",
            "id": "Gradien Anda 0 di mana-mana: titik di atas dan di bawah adalah satu tensor "
            "dengan dua nama. Dinaikkan lalu diturunkan, ia kembali ke w, dan di sanalah f "
            "dipanggil dua kali.",
        },
    },
)
def numerical_gradient_in_place(wrong, f, w, eps):
    gradient = torch.zeros_like(w)
    entries, slopes = w.view(-1), gradient.view(-1)
    for i in range(w.numel()):
        old = entries[i].item()
        entries[i] = old if "one-tensor-for-both" in wrong else old + eps
        above = f(w)
        back = wrong & {"not-restored-between", "one-tensor-for-both"}
        entries[i] = old if back else old - eps
        below = f(w)
        slopes[i] = (above - below) / (2 * eps)
        if "not-restored" not in wrong:
            entries[i] = old
    return gradient


@mistakes(
    "relu_net.numerical_gradient",
    {
        "one-sided-cached": {
            "en": "You compute f at w once and compare every entry with it. That saves calls, but "
            "the one-sided difference is off by an amount proportional to eps.",
            "id": "Anda menghitung f di w satu kali dan membandingkan setiap entri dengannya. Itu "
            "menghemat panggilan, tetapi beda satu sisi meleset sebanding dengan eps.",
        },
    },
)
def numerical_gradient_from_one_value(wrong, f, w, eps):
    if "one-sided-cached" not in wrong:
        return numerical_gradient(wrong, f, w, eps)
    here = f(w)
    gradient = torch.zeros_like(w)
    for i in range(w.numel()):
        nudge = torch.zeros_like(w)
        nudge.view(-1)[i] = eps
        gradient.view(-1)[i] = (f(w + nudge) - here) / eps
    return gradient
