"""Ways in which a right notebook is spoilt without the student's code being touched.

Every operation takes the notebook as plain data and a source of randomness, and leaves each of
the student's functions defined somewhere as it was.
"""

from __future__ import annotations

import ast
import copy
import gzip
import json
import random
from collections.abc import Callable
from typing import Any

Notebook = dict[str, Any]
Operation = Callable[[Notebook, random.Random], None]


def _code(notebook: Notebook) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


_MARK = "student's"
"""Key of the student's own cells while a notebook is being mangled: metadata may be spoilt."""


def _is_solution(cell: dict[str, Any]) -> bool:
    return bool(cell.get(_MARK))


def _is_locked(cell: dict[str, Any]) -> bool:
    known = _known(cell) and cell["metadata"]["nbgrader"].get("locked")
    return bool(known) and not _is_solution(cell)


def _defines(cell: dict[str, Any]) -> bool:
    return "def " in _source(cell)


def _source(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def shuffle(notebook: Notebook, draw: random.Random) -> None:
    draw.shuffle(notebook["cells"])


def move(notebook: Notebook, draw: random.Random) -> None:
    cells = notebook["cells"]
    cell = cells.pop(draw.randrange(len(cells)))
    cells.insert(draw.randrange(len(cells) + 1), cell)


def duplicate(notebook: Notebook, draw: random.Random) -> None:
    cells = notebook["cells"]
    place = draw.randrange(len(cells))
    made = copy.deepcopy(cells[place])
    if draw.random() < 0.5:
        made["id"] = f"copy-{draw.randrange(10**6)}"
    if draw.random() < 0.3:
        made["metadata"] = {}
    cells.insert(draw.choice((place + 1, draw.randrange(len(cells) + 1))), made)


def append_stubs(notebook: Notebook, draw: random.Random) -> None:
    """What the exercises looked like, copied below the finished work."""
    for cell in list(_code(notebook)):
        if _is_solution(cell) and draw.random() < 0.5:
            made = copy.deepcopy(cell)
            first = _source(cell).split("\n")[0]
            if not first.startswith(f"def {cell['id']}(") or not first.endswith(":"):
                continue  # a helper comes first, and what was handed out has none
            made["source"] = f"{first}\n    # YOUR CODE HERE\n    raise NotImplementedError()"
            if draw.random() < 0.5:
                made["metadata"] = {}
            made["id"] = f"stub-{draw.randrange(10**6)}"
            notebook["cells"].append(made)


def drop_metadata(notebook: Notebook, draw: random.Random) -> None:
    share = draw.choice((0.2, 1.0))
    for cell in notebook["cells"]:
        if draw.random() < share:
            cell["metadata"] = {}


def spoil_metadata(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        known = cell.get("metadata", {}).get("nbgrader")
        if not isinstance(known, dict) or draw.random() < 0.7:
            continue
        key = draw.choice(("grade", "solution", "locked", "points", "schema_version", "grade_id"))
        value = draw.choice((None, True, False, 0, 7, "x", [1], {"a": 1}))
        if draw.random() < 0.4:
            known.pop(key, None)
        else:
            known[key] = value


def rename_metadata(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        metadata = cell.get("metadata", {})
        if "nbgrader" in metadata:
            metadata["custom"] = {"nbgrader": metadata.pop("nbgrader")}


def new_ids(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        cell["id"] = "".join(draw.choices("0123456789abcdef", k=8))


def drop_ids(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        cell.pop("id", None)
    if draw.random() < 0.5:
        notebook["nbformat_minor"] = draw.randrange(5)


def bad_ids(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        if draw.random() < 0.3:
            cell["id"] = draw.choice(("", "same", "ä b", 7, None, "x" * 99, ["a"]))


def swap_grade_ids(notebook: Notebook, draw: random.Random) -> None:
    known = [c["metadata"]["nbgrader"] for c in notebook["cells"] if _known(c)]
    if len(known) > 1:
        one, other = draw.sample(known, 2)
        one["grade_id"], other["grade_id"] = other.get("grade_id"), one.get("grade_id")


def _known(cell: dict[str, Any]) -> bool:
    metadata = cell.get("metadata")
    return isinstance(metadata, dict) and isinstance(metadata.get("nbgrader"), dict)


def split_between_statements(notebook: Notebook, draw: random.Random) -> None:
    for cell in list(_code(notebook)):
        body = ast.parse(_source(cell)).body if _parses(cell) else []
        if len(body) > 1 and draw.random() < 0.5:
            at = draw.choice(body[1:])
            line = min([at.lineno, *(d.lineno for d in getattr(at, "decorator_list", []))])
            _split(notebook, cell, line - 1, draw)


def split_inside_function(notebook: Notebook, draw: random.Random) -> None:
    """Last of all operations: pieces that are torn apart cannot be joined."""
    for cell in list(_code(notebook)):
        body = ast.parse(_source(cell)).body if _parses(cell) else []
        if len(body) == 1 and isinstance(body[0], ast.FunctionDef) and draw.random() < 0.3:
            inner = [n for n in body[0].body[1:] if n.lineno > body[0].body[0].end_lineno]
            if inner:
                _split(notebook, cell, draw.choice(inner).lineno - 1, draw)


def _parses(cell: dict[str, Any]) -> bool:
    try:
        ast.parse(_source(cell))
    except SyntaxError:
        return False
    return True


def _split(notebook: Notebook, cell: dict[str, Any], line: int, draw: random.Random) -> None:
    lines = _source(cell).split("\n")
    second = copy.deepcopy(cell)
    cell["source"], second["source"] = "\n".join(lines[:line]), "\n".join(lines[line:])
    second["id"] = f"half-{draw.randrange(10**6)}"
    if draw.random() < 0.5:
        second["metadata"] = {}
    place = next(i for i, other in enumerate(notebook["cells"]) if other is cell)
    notebook["cells"].insert(place + 1, second)


def retype(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        if draw.random() > 0.15:
            continue
        if cell["cell_type"] == "code":
            cell["cell_type"] = draw.choice(("markdown", "raw"))
            cell.pop("outputs", None)
            cell.pop("execution_count", None)
        elif not _defines(cell):
            cell.update(cell_type="code", outputs=[], execution_count=None)


_TYPED = (
    "1 / 0",
    "x = = 1",
    "print('hello')",
    "import math\nprint(math.pi)",
    "%matplotlib inline\nimport torch",
    "!pip install nonsense",
    "input('name? ')",
    "await asyncio.sleep(0)",
    "raise SystemExit",
    "def helper(x):\n    return x",
    "    indented = 1",
)


def insert(notebook: Notebook, draw: random.Random) -> None:
    for _ in range(draw.randrange(1, 4)):
        code = draw.random() < 0.7
        cell: dict[str, Any] = {
            "cell_type": "code" if code else "markdown",
            "id": f"own-{draw.randrange(10**6)}",
            "metadata": draw.choice(({}, {"tags": ["mine"]}, {"collapsed": True, "x": [1, {}]})),
            "source": draw.choice(_TYPED) if code else "*notes*",
        }
        if code:
            cell.update(outputs=[], execution_count=draw.randrange(99))
        notebook["cells"].insert(draw.randrange(len(notebook["cells"]) + 1), cell)


def reuse_names(notebook: Notebook, draw: random.Random) -> None:
    """`loss_curve = loss_curve(model)`, in a cell for trying things out."""
    for cell in list(_code(notebook)):
        source = _source(cell)
        if _is_solution(cell) and source.startswith("def ") and draw.random() < 0.3:
            name = source[4 : source.index("(")]
            made = {"cell_type": "code", "id": f"try-{name}", "metadata": {}, "outputs": []}
            made.update(source=f"{name} = {name}(1, 2)\n{name} = 3.0", execution_count=None)
            notebook["cells"].append(made)


def edit_locked(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        if _is_locked(cell) and draw.random() < 0.3:
            text = _source(cell)
            cell["source"] = draw.choice(
                (f"{text}\nimport math", "", text[: len(text) // 2], f"# mine\n{text}", "pass")
            )


def delete_locked(notebook: Notebook, draw: random.Random) -> None:
    notebook["cells"] = [
        cell for cell in notebook["cells"] if not _is_locked(cell) or draw.random() < 0.7
    ]


def delete_prose(notebook: Notebook, draw: random.Random) -> None:
    notebook["cells"] = [
        cell
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" or _is_solution(cell) or draw.random() < 0.6
    ]


def lose_parts(notebook: Notebook, draw: random.Random) -> None:
    for cell in notebook["cells"]:
        for key in ("outputs", "execution_count", "metadata"):
            if draw.random() < 0.1:
                cell.pop(key, None)
    if draw.random() < 0.5:
        notebook.pop(draw.choice(("metadata", "nbformat", "nbformat_minor")), None)


def foreign_kernel(notebook: Notebook, draw: random.Random) -> None:
    notebook["metadata"] = draw.choice(
        (
            {},
            {"kernelspec": {"name": "conda-env-ml-py", "display_name": "ml"}},
            {"kernelspec": {"name": "ir", "display_name": "R"}, "language_info": {"name": "R"}},
            {"kernelspec": "python3", "colab": {"provenance": []}},
        )
    )


def odd_values(notebook: Notebook, draw: random.Random) -> None:
    notebook["cells"].insert(
        draw.randrange(len(notebook["cells"]) + 1),
        draw.choice((None, 3, "cell", [], {}, {"cell_type": "sql", "source": None})),
    )


_HALF = "<half a character>"
"""Stands for a lone surrogate, which JSON can spell and UTF-8 cannot."""


def half_characters(notebook: Notebook, draw: random.Random) -> None:
    notebook["metadata"] = {"kernelspec": {"name": f"python{_HALF}"}}
    notebook["nbformat_minor"] = draw.choice((5, _HALF, {_HALF: 1}))
    for cell in notebook["cells"]:
        if isinstance(cell, dict) and draw.random() < 0.2:
            cell["metadata"] = {**(cell.get("metadata") or {}), "name": _HALF, "tags": [_HALF]}


def attachments(notebook: Notebook, draw: random.Random) -> None:
    picture = {"image/png": "iVBORw0KGgo="}
    values = (
        {"a.png": picture},
        {f"{_HALF}.png": picture},
        {"a.png": {_HALF: ["iVBO", _HALF]}},
        {"a.png": "iVBORw0KGgo="},
        {"a.png": {"image/png": draw.choice((7, None, [1], {"x": []}))}},
        draw.choice(([], "picture", 7, None)),
    )
    for cell in notebook["cells"]:
        if isinstance(cell, dict) and draw.random() < 0.3:
            cell["attachments"] = draw.choice(values)


OPERATIONS: tuple[Operation, ...] = (
    append_stubs,
    reuse_names,
    shuffle,
    move,
    duplicate,
    drop_metadata,
    spoil_metadata,
    rename_metadata,
    new_ids,
    drop_ids,
    bad_ids,
    swap_grade_ids,
    insert,
    edit_locked,
    delete_locked,
    delete_prose,
    split_between_statements,
    retype,
)
LAST: tuple[Operation, ...] = (
    split_inside_function,
    lose_parts,
    foreign_kernel,
    odd_values,
    half_characters,
    attachments,
)
"""Operations after which the others would no longer find what they look for."""


def _indented(text: str) -> bytes:
    return json.dumps(json.loads(text), indent=2).encode()


ENCODINGS: tuple[Callable[[str], bytes], ...] = (
    lambda text: text.encode(),
    lambda text: text.encode(),
    lambda text: b"\xef\xbb\xbf" + text.encode(),
    lambda text: text.encode("utf-16"),
    lambda text: text.encode("utf-16-le"),
    lambda text: text.replace("\n", "\r\n").encode(),
    lambda text: text.encode("utf-32-be"),
    lambda text: gzip.compress(text.encode()),
    lambda text: text.encode() + b"\0" * 512,
    lambda text: b"\n\xff\n" + text.encode(),
    lambda text: (text + "\n}\n").encode(),
    _indented,
)


def mangled(text: str, seed: str) -> tuple[bytes, list[str]]:
    """A right notebook's text, spoilt at random, and the names of what was done to it."""
    draw = random.Random(seed)
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell[_MARK] = True
    chosen = draw.choices(OPERATIONS, k=draw.randrange(1, 7))
    # Pieces of one cell stay together, and retyped cells are not to be split.
    chosen.sort(key=OPERATIONS.index)
    chosen += [operation for operation in LAST if draw.random() < 0.25]
    for operation in chosen:
        operation(notebook, draw)
    for cell in notebook["cells"]:
        if isinstance(cell, dict):
            cell.pop(_MARK, None)
    number = draw.randrange(len(ENCODINGS))
    spoilt = json.dumps(notebook, indent=1, ensure_ascii=False).replace(_HALF, "\\ud83d")
    content = ENCODINGS[number](spoilt)
    return content, [operation.__name__ for operation in chosen] + [f"encoding {number}"]
