"""The sentences that building adds to an author's own: course content, so in every language."""

from __future__ import annotations

from autograded.course import Assignment, Course, Exercise, Language, Text

_POINT = Text(en="{points:g} point", id="{points:g} poin")
_POINTS = Text(en="{points:g} points", id="{points:g} poin")
_MINUTES = Text(en="about {minutes} minutes", id="kira-kira {minutes} menit")
_IDEA = Text(en="the idea: [{title}]({url})", id="gagasannya: [{title}]({url})")
_BY_HAND = Text(en="without autograd", id="tanpa autograd")
_BY_PERSON = Text(en="read by a person", id="dibaca oleh manusia")
_HINT = Text(en="Hint {number} of {count}", id="Petunjuk {number} dari {count}")

_STUB_HEADER = Text(
    en="""\
This file is yours to edit, in any editor; it also opens as a notebook (Jupyter with jupytext, or
VS Code). Fill in each function marked `YOUR CODE HERE`, or mend the one you find. Then, in a
terminal in the course's folder:

    pytest exercises/{assignment}
    autograded hint {assignment}.{exercise}

The first command checks your work and names the exercise to do next; the second shows the next
hint. Code for figures is commented out here; it runs when the file is opened as a notebook.""",
    id="""\
Berkas ini untuk Anda ubah, dengan editor apa pun; berkas ini juga bisa dibuka sebagai notebook
(Jupyter dengan jupytext, atau VS Code). Isilah setiap fungsi yang bertanda `YOUR CODE HERE`, atau
perbaiki fungsi yang sudah ada. Lalu, di terminal, dari folder kursus ini:

    pytest exercises/{assignment}
    autograded hint {assignment}.{exercise}

Perintah pertama memeriksa pekerjaan Anda dan menyebut latihan berikutnya; perintah kedua
menampilkan petunjuk berikutnya. Kode untuk gambar dijadikan komentar di sini; kode itu dijalankan
ketika berkas dibuka sebagai notebook.""",
)

_HAND_IN = Text(
    en="""\
## Handing in

1. Restart the kernel and run all cells from the top: the checks must pass in this order too.
2. Save the notebook. Keep its name, `{assignment}.ipynb`, and keep the check cells.
3. Submit it the way your course says: with the *Validate* and *Submit* buttons of nbgrader, or as \
a file.

Not everything done? Hand in what you have: every exercise counts by itself.""",
    id="""\
## Mengumpulkan

1. Mulai ulang kernel dan jalankan semua sel dari atas: pemeriksaan juga harus lolos dalam urutan \
ini.
2. Simpan notebook. Biarkan namanya tetap `{assignment}.ipynb`, dan jangan hapus sel pemeriksaan.
3. Kumpulkan sesuai aturan kelas Anda: lewat tombol *Validate* dan *Submit* dari nbgrader, atau \
sebagai berkas.

Belum semuanya selesai? Kumpulkan yang sudah ada: setiap latihan dinilai sendiri-sendiri.""",
)

_README = Text(
    en="""\
# {title}

What you practise here: {ideas}.

| exercise | points | difficulty | minutes |
|---|---|---|---|
{rows}

Work in [`{assignment}.py`]({assignment}.py): in any editor, or as a notebook. From the course's \
folder:

```sh
pytest exercises/{assignment}          # check everything; the summary names the next exercise
pytest exercises/{assignment} -k {first}
autograded hint {assignment}.{first}
autograded watch {assignment}          # check again whenever you save
```

`{assignment}.py`, `assignment.json` and this page are made by `autograded build` from \
`solutions/{assignment}/{assignment}.py` and `course.yml`.
""",
    id="""\
# {title}

Yang Anda latih di sini: {ideas}.

| latihan | poin | kesulitan | menit |
|---|---|---|---|
{rows}

Kerjakan di [`{assignment}.py`]({assignment}.py): dengan editor apa pun, atau sebagai notebook. \
Dari folder kursus:

```sh
pytest exercises/{assignment}          # periksa semuanya; ringkasannya menyebut latihan berikutnya
pytest exercises/{assignment} -k {first}
autograded hint {assignment}.{first}
autograded watch {assignment}          # periksa lagi setiap kali Anda menyimpan
```

`{assignment}.py`, `assignment.json`, dan halaman ini dibuat oleh `autograded build` dari \
`solutions/{assignment}/{assignment}.py` dan `course.yml`.
""",
)


def difficulty(level: int) -> str:
    """Difficulty as dots: ●●○ for 2 of 3."""
    return "●" * level + "○" * (3 - level)


def points(value: float, language: Language) -> str:
    """`3 points`, `1 point`."""
    return (_POINT if value == 1 else _POINTS).in_language(language).format(points=value)


def task_line(course: Course, exercise: Exercise, language: Language) -> str:
    """What course.yml says about an exercise, as one line of Markdown."""
    idea = course.ideas[exercise.idea]
    parts = [
        f"**{points(exercise.points, language)}**",
        difficulty(exercise.difficulty),
        _MINUTES.in_language(language).format(minutes=exercise.minutes),
    ]
    if exercise.autograd == "forbidden":
        parts.append(_BY_HAND.in_language(language))
    if exercise.graded_by == "person":
        parts.append(_BY_PERSON.in_language(language))
    title = idea.title.in_language(language)
    parts.append(_IDEA.in_language(language).format(title=title, url=idea.url))
    return " · ".join(parts)


def hint_title(number: int, count: int, language: Language) -> str:
    """The line under which a hint is folded."""
    return _HINT.in_language(language).format(number=number, count=count)


def stub_header(assignment: Assignment, language: Language) -> str:
    """How to work with the .py file, as Markdown."""
    return _STUB_HEADER.in_language(language).format(
        assignment=assignment.id, exercise=next(iter(assignment.exercises))
    )


def hand_in(assignment: Assignment, language: Language) -> str:
    """How to hand the notebook in, as Markdown."""
    return _HAND_IN.in_language(language).format(assignment=assignment.id)


def readme(course: Course, assignment: Assignment, language: Language) -> str:
    """exercises/<a>/README.md."""
    ideas: dict[str, str] = {}
    rows = []
    for exercise in assignment.exercises.values():
        idea = course.ideas[exercise.idea]
        ideas[exercise.idea] = f"[{idea.title.in_language(language)}]({idea.url})"
        rows.append(
            f"| `{exercise.name}` | {exercise.points:g} | {difficulty(exercise.difficulty)} "
            f"| {exercise.minutes} |"
        )
    return _README.in_language(language).format(
        title=assignment.title.in_language(language),
        ideas=", ".join(ideas.values()),
        rows="\n".join(rows),
        assignment=assignment.id,
        first=next(iter(assignment.exercises)),
    )
