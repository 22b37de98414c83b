"""The cases of tests/corpus/broken/, row by row of the list of what arrives."""

from __future__ import annotations

import copy
import gzip
import json
import zipfile
from io import BytesIO
from typing import Any

from submissions.corpus import (
    Files,
    Notebook,
    as_colabs_python,
    as_nbconverts_script,
    case,
    cell_of,
    code_cell,
    place_of,
    stub_of,
    text,
)

# Row 20: other tools


def _colab(notebook: Notebook, *, keep: bool) -> Notebook:
    notebook.update(nbformat=4, nbformat_minor=0)
    notebook["metadata"] = {
        "colab": {"provenance": [], "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook["cells"]):
        del cell["id"]
        known = cell["metadata"].get("nbgrader")
        cell["metadata"] = {"id": f"Tq3{number:02d}vXbnZk"}
        if keep and known:
            cell["metadata"]["nbgrader"] = known
        if cell["cell_type"] == "code":
            cell["metadata"]["colab"] = {"base_uri": "https://localhost:8080/"}
            cell["source"] = cell["source"].splitlines(keepends=True)
    return notebook


@case(20, "format")
def colab_that_kept_nbgraders_metadata(notebook: Notebook) -> Notebook:
    return _colab(notebook, keep=True)


@case(20, "format", "metadata")
def colab_after_pasting_into_a_new_notebook(notebook: Notebook) -> Notebook:
    return _colab(notebook, keep=False)


@case(20, "format", "metadata", assignment="pitfalls")
def colab_with_a_written_answer(notebook: Notebook) -> Notebook:
    return _colab(notebook, keep=False)


@case(20, "format")
def colab_with_a_mounted_drive(notebook: Notebook) -> Notebook:
    made = _colab(notebook, keep=True)
    mount = code_cell("from google.colab import drive\ndrive.mount('/content/drive')")
    del mount["id"]
    made["cells"].insert(0, mount)
    return made


@case(20, "kernelspec")
def vs_code_with_an_environment_of_its_own(notebook: Notebook) -> Notebook:
    notebook["metadata"] = {
        "kernelspec": {"display_name": ".venv (3.12.3)", "language": "python", "name": "venv"},
        "language_info": {"name": "python", "version": "3.12.3", "file_extension": ".py"},
    }
    for cell in notebook["cells"]:
        cell["metadata"]["vscode"] = {"languageId": "python"}
    return notebook


@case(20, "format", "kernelspec", "metadata")
def vs_code_of_old_that_dropped_ids(notebook: Notebook) -> Notebook:
    notebook.update(nbformat_minor=2)
    notebook["metadata"] = {"orig_nbformat": 4, "language_info": {"name": "python"}}
    for cell in notebook["cells"]:
        del cell["id"]
        cell["metadata"] = {"vscode": {"languageId": "python"}}
    return notebook


_KAGGLE = """\
# This Python 3 environment comes with many helpful analytics libraries installed
import numpy as np # linear algebra
import pandas as pd # data processing, CSV file I/O (e.g. pd.read_csv)

import os
for dirname, _, filenames in os.walk('/kaggle/input'):
    for filename in filenames:
        print(os.path.join(dirname, filename))"""


def _kaggle(notebook: Notebook) -> Notebook:
    notebook.update(nbformat_minor=4)
    notebook["metadata"]["kaggle"] = {
        "accelerator": "none",
        "dataSources": [],
        "isGpuEnabled": False,
    }
    notebook["cells"].insert(0, code_cell(_KAGGLE))
    for number, cell in enumerate(notebook["cells"]):
        del cell["id"]
        cell["metadata"] |= {"_uuid": f"8f2839f25d08{number:04x}", "trusted": True}
    return notebook


@case(20, "format")
def kaggle_with_its_first_cell(notebook: Notebook) -> Notebook:
    return _kaggle(notebook)


@case(20, "format", "metadata")
def kaggle_that_dropped_metadata(notebook: Notebook) -> Notebook:
    made = _kaggle(notebook)
    for cell in made["cells"]:
        cell["metadata"] = {"_uuid": "d629ff2d2480ee46fbb7e2d37f6b5fab8052498a"}
    return made


def _deepnote(notebook: Notebook, *, keep: bool) -> Notebook:
    notebook.update(nbformat=4, nbformat_minor=0)
    notebook["metadata"] = {"deepnote": {}, "deepnote_notebook_id": "3cb7a1ce", "orig_nbformat": 2}
    for number, cell in enumerate(notebook["cells"]):
        del cell["id"]
        kind = "code" if cell["cell_type"] == "code" else "markdown"
        extra = {"cell_id": f"00{number:03d}-e6b0f1c2a7d84", "deepnote_cell_type": kind}
        if kind == "code":
            extra |= {"source_hash": "b623e53d", "execution_start": 1764493200000}
        cell["metadata"] = {**(cell["metadata"] if keep else {}), **extra}
    notebook["cells"].append(
        {
            "cell_type": "markdown",
            "metadata": {"created_in_deepnote_cell": True, "deepnote_cell_type": "markdown"},
            "source": "<a href='https://deepnote.com'>Created in <span>Deepnote</span></a>",
        }
    )
    return notebook


@case(20, "format", "kernelspec")
def deepnote_that_kept_nbgraders_metadata(notebook: Notebook) -> Notebook:
    return _deepnote(notebook, keep=True)


@case(20, "format", "kernelspec", "metadata", assignment="pitfalls")
def deepnote_that_dropped_it(notebook: Notebook) -> Notebook:
    return _deepnote(notebook, keep=False)


@case(20, "metadata")
def metadata_renamed_by_a_tool(notebook: Notebook) -> Notebook:
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["custom"] = {"nbgrader": cell["metadata"].pop("nbgrader")}
    return notebook


@case(20, "metadata", assignment="pitfalls")
def metadata_gone_ids_kept(notebook: Notebook) -> Notebook:
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    return notebook


@case(20)
def ids_rewritten(notebook: Notebook) -> Notebook:
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"{0x5EED + 7919 * number:08x}"
    return notebook


@case(20, "metadata")
def ids_rewritten_and_metadata_gone(notebook: Notebook) -> Notebook:
    for number, cell in enumerate(notebook["cells"]):
        cell.update(id=f"{0x5EED + 7919 * number:08x}", metadata={})
    return notebook


@case(20, "kernelspec")
def kernel_of_conda(notebook: Notebook) -> Notebook:
    spec = {
        "display_name": "Python [conda env:ml]",
        "language": "python",
        "name": "conda-env-ml-py",
    }
    notebook["metadata"]["kernelspec"] = spec
    return notebook


@case(20, "kernelspec")
def kernel_of_another_language(notebook: Notebook) -> Notebook:
    notebook["metadata"] = {
        "kernelspec": {"display_name": "R", "language": "R", "name": "ir"},
        "language_info": {"name": "R"},
    }
    return notebook


@case(20)
def extra_cells_between(notebook: Notebook) -> Notebook:
    for number, place in enumerate((2, 7, 12)):
        notebook["cells"].insert(place, code_cell(f"print({number})", f"own-{number}"))
    return notebook


@case(20)
def extra_cell_that_fails(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(1, code_cell("import seaborn as sns\nsns.set_theme()"))
    return notebook


# Row 21: cells deleted, copied, cut, moved, retyped, edited, mixed up


@case(21, "missing-cells")
def check_cell_deleted(notebook: Notebook) -> Notebook:
    notebook["cells"].remove(cell_of(notebook, "train-check"))
    return notebook


@case(21, "missing-cells")
def all_check_and_task_cells_deleted(notebook: Notebook) -> Notebook:
    notebook["cells"] = [
        c for c in notebook["cells"] if not c["id"].endswith(("-check", "-task", "-hints"))
    ]
    return notebook


@case(21, "missing-cells", score=5.0)
def solution_cell_deleted(notebook: Notebook) -> Notebook:
    notebook["cells"].remove(cell_of(notebook, "train"))
    return notebook


@case(21, "missing-cells")
def imports_deleted(notebook: Notebook) -> Notebook:
    notebook["cells"].remove(cell_of(notebook, "intro-code-1"))
    return notebook


@case(21, "missing-cells", assignment="pitfalls")
def answer_cell_deleted(notebook: Notebook) -> Notebook:
    notebook["cells"].remove(cell_of(notebook, "explain"))
    return notebook


def _text_cell(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": "own", "metadata": {}, "source": source}


def _answer_taken_out(notebook: Notebook) -> str:
    cell = cell_of(notebook, "explain")
    answer, cell["source"] = cell["source"], "*Write your answer here.*"
    return str(answer)


@case(21, "answer-elsewhere", assignment="pitfalls")
def answer_in_a_cell_below_its_own(notebook: Notebook) -> Notebook:
    answer = _answer_taken_out(notebook)
    notebook["cells"].insert(place_of(notebook, "explain") + 1, _text_cell(answer))
    return notebook


@case(21, "answer-elsewhere", assignment="pitfalls")
def answer_as_a_comment_below_its_own_cell(notebook: Notebook) -> Notebook:
    answer = _answer_taken_out(notebook)
    notebook["cells"].insert(place_of(notebook, "explain") + 1, code_cell(f"# {answer}"))
    return notebook


@case(21, "answer-elsewhere", "locked-changed", assignment="pitfalls")
def answer_typed_under_the_question(notebook: Notebook) -> Notebook:
    answer = _answer_taken_out(notebook)
    cell_of(notebook, "explain-task")["source"] += f"\n\n{answer}"
    return notebook


@case(21, "answer-unclear", assignment="pitfalls")
def answer_at_the_end_and_its_own_cell_deleted(notebook: Notebook) -> Notebook:
    notebook["cells"].append(_text_cell(_answer_taken_out(notebook)))
    notebook["cells"].remove(cell_of(notebook, "explain"))
    return notebook


def _copied(
    notebook: Notebook, cell_id: str, copy_id: str, after: str | None = None
) -> dict[str, Any]:
    made = copy.deepcopy(cell_of(notebook, cell_id))
    made["id"] = copy_id
    notebook["cells"].insert(place_of(notebook, after or cell_id) + 1, made)
    return made


@case(21, "duplicate-cells")
def solution_cell_copied_with_its_metadata(notebook: Notebook) -> Notebook:
    _copied(notebook, "train", "train-copy")
    return notebook


@case(21, "duplicate-cells")
def first_try_kept_above_the_right_one(notebook: Notebook) -> Notebook:
    _copied(notebook, "train", "second")
    cell_of(notebook, "train")["source"] = "def train(*arguments):\n    return []"
    return notebook


@case(21, "duplicate-cells", score=5.0)
def wrong_version_below_the_right_one(notebook: Notebook) -> Notebook:
    _copied(notebook, "train", "later")["source"] = "def train(*arguments):\n    return []"
    return notebook


@case(21, "duplicate-cells")
def the_stub_copied_below_the_solution(notebook: Notebook) -> Notebook:
    made = _copied(notebook, "train", "stub", after="train-check")
    made["source"] = stub_of("training_loop", "train")
    return notebook


@case(21, "code-elsewhere", "moved-cells", assignment="pitfalls")
def stub_without_metadata_at_the_end(notebook: Notebook) -> Notebook:
    stub = stub_of("pitfalls", "slope_at")
    right = cell_of(notebook, "slope_at")["source"]
    cell_of(notebook, "slope_at")["source"] = stub
    notebook["cells"].insert(3, code_cell(right, "mine"))
    return notebook


@case(21, "duplicate-locked")
def check_cell_copied(notebook: Notebook) -> Notebook:
    _copied(notebook, "train-check", "again")
    return notebook


@case(21, "duplicate-locked")
def task_cell_copied(notebook: Notebook) -> Notebook:
    _copied(notebook, "train-task", "again")
    return notebook


@case(21, "duplicate-answers", assignment="pitfalls")
def answer_cell_copied(notebook: Notebook) -> Notebook:
    _copied(notebook, "explain", "first")
    cell_of(notebook, "explain")["source"] = "*Write your answer here.*"
    return notebook


def _cut(notebook: Notebook, cell_id: str, line: int, *, metadata: bool) -> None:
    cell = cell_of(notebook, cell_id)
    lines = cell["source"].split("\n")
    second = _copied(notebook, cell_id, f"{cell_id}-2")
    cell["source"], second["source"] = "\n".join(lines[:line]), "\n".join(lines[line:])
    if not metadata:
        second["metadata"] = {}


@case(21, "split-cell")
def cell_cut_inside_the_function(notebook: Notebook) -> Notebook:
    length = len(cell_of(notebook, "train")["source"].split("\n"))
    _cut(notebook, "train", length - 2, metadata=True)
    return notebook


@case(21, "split-cell")
def cell_cut_inside_the_docstring(notebook: Notebook) -> Notebook:
    _cut(notebook, "sgd_step", 3, metadata=False)
    return notebook


@case(21, "duplicate-cells")
def cell_cut_between_helper_and_function(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = "def helper():\n    return None\n\n\n" + cell["source"]
    _cut(notebook, "train", 3, metadata=True)
    return notebook


@case(21, "code-elsewhere")
def cell_cut_and_the_id_left_with_the_helper(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = "def helper():\n    return None\n\n\n" + cell["source"]
    _cut(notebook, "train", 3, metadata=False)
    return notebook


@case(21)
def solution_moved_to_the_end(notebook: Notebook) -> Notebook:
    notebook["cells"].append(notebook["cells"].pop(place_of(notebook, "sgd_step")))
    return notebook


@case(21, "moved-cells")
def imports_moved_to_the_end(notebook: Notebook) -> Notebook:
    notebook["cells"].append(notebook["cells"].pop(place_of(notebook, "intro-code-1")))
    return notebook


@case(21, "moved-cells", assignment="relu_net")
def everything_in_reverse(notebook: Notebook) -> Notebook:
    notebook["cells"].reverse()
    return notebook


@case(21, "cell-type")
def solution_turned_into_markdown(notebook: Notebook) -> Notebook:
    _as_text(cell_of(notebook, "train"))
    return notebook


@case(21, "cell-type")
def check_turned_into_raw(notebook: Notebook) -> Notebook:
    _as_text(cell_of(notebook, "train-check"))["cell_type"] = "raw"
    return notebook


@case(21, "cell-type", "metadata")
def solution_turned_into_markdown_without_metadata(notebook: Notebook) -> Notebook:
    _as_text(cell_of(notebook, "train")).update(id="now-text", metadata={})
    return notebook


@case(21, "cell-type", assignment="pitfalls")
def answer_turned_into_code(notebook: Notebook) -> Notebook:
    cell_of(notebook, "explain").update(cell_type="code", outputs=[], execution_count=None)
    return notebook


def _as_text(cell: dict[str, Any]) -> dict[str, Any]:
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]
    return cell


@case(21, "locked-changed", "locked-additions")
def import_added_to_the_imports(notebook: Notebook) -> Notebook:
    cell_of(notebook, "intro-code-1")["source"] += "\nimport math"
    cell = cell_of(notebook, "train")
    cell["source"] = cell["source"].replace(":\n", ":\n    math.sqrt(4.0)\n", 1)
    return notebook


@case(21, "locked-changed")
def imports_emptied(notebook: Notebook) -> Notebook:
    cell_of(notebook, "intro-code-1")["source"] = ""
    return notebook


@case(21, "locked-changed", score=8.0)
def check_cell_made_to_pass(notebook: Notebook) -> Notebook:
    cell_of(notebook, "sgd_step")["source"] = "def sgd_step(*arguments):\n    return None"
    cell_of(notebook, "sgd_step-check")["source"] = "2.0"
    return notebook


@case(21, "metadata", score=8.0)
def points_raised(notebook: Notebook) -> Notebook:
    cell_of(notebook, "sgd_step")["source"] = "def sgd_step(*arguments):\n    return None"
    cell_of(notebook, "train-check")["metadata"]["nbgrader"]["points"] = 500
    return notebook


@case(21, "metadata")
def grade_flags_edited(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train-check")["metadata"]["nbgrader"]["grade"] = False
    cell_of(notebook, "sgd_step")["metadata"]["nbgrader"]["solution"] = False
    return notebook


@case(21, "metadata")
def lock_taken_off(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train-check")["metadata"]["nbgrader"]["locked"] = False
    return notebook


@case(21, "locked-changed")
def task_rewritten(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train-task")["source"] = "done, 10 points please"
    return notebook


@case(21, "code-elsewhere", "locked-additions", "locked-changed")
def code_in_the_check_cell(notebook: Notebook) -> Notebook:
    check = cell_of(notebook, "train-check")
    check["source"] = cell_of(notebook, "train")["source"] + "\n\n\n" + check["source"]
    cell_of(notebook, "train")["source"] = stub_of("training_loop", "train")
    return notebook


@case(21, "code-elsewhere")
def two_functions_in_each_others_cells(notebook: Notebook) -> Notebook:
    one, other = cell_of(notebook, "train"), cell_of(notebook, "sgd_step")
    one["source"], other["source"] = other["source"], one["source"]
    return notebook


@case(21, "code-elsewhere", assignment="relu_net")
def everything_in_one_cell(notebook: Notebook) -> Notebook:
    names = ("forward", "gradients", "batch_gradients", "numerical_gradient")
    sources = [cell_of(notebook, name)["source"] for name in names]
    for name in names:
        cell_of(notebook, name)["source"] = stub_of("relu_net", name)
    cell_of(notebook, "forward")["source"] = "\n\n\n".join(sources)
    return notebook


@case(21, "code-elsewhere", assignment="relu_net")
def everything_in_an_extra_cell_at_the_top(notebook: Notebook) -> Notebook:
    names = ("forward", "gradients", "batch_gradients", "numerical_gradient")
    sources = [cell_of(notebook, name)["source"] for name in names]
    for name in names:
        cell_of(notebook, name)["source"] = stub_of("relu_net", name)
    notebook["cells"].insert(2, code_cell("\n\n\n".join(sources)))
    return notebook


@case(21, "name-reused", assignment="pitfalls")
def name_of_a_function_used_for_its_result(notebook: Notebook) -> Notebook:
    notebook["cells"].append(code_cell("slope_at = slope_at(torch.sin, 0.5)\nslope_at"))
    return notebook


def _indented(source: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in source.split("\n"))


@case(21)
def indented_below_a_helper(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = _indented(cell["source"])
    helper = code_cell("def helper(z):\n    return max(z, 0.0)")
    notebook["cells"].insert(place_of(notebook, "train"), helper)
    return notebook


@case(21, "code-elsewhere")
def indented_above_the_stub(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    mine = code_cell(_indented(cell["source"]))
    cell["source"] = stub_of("training_loop", "train")
    notebook["cells"].insert(place_of(notebook, "train"), mine)
    return notebook


@case(21, "code-elsewhere")
def copied_with_pythons_prompts(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    first, *rest = cell["source"].split("\n")
    mine = code_cell("\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in rest)]))
    cell["source"] = stub_of("training_loop", "train")
    notebook["cells"].insert(place_of(notebook, "train"), mine)
    return notebook


@case(21)
def copied_with_ipythons_prompts(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    first, *rest = cell["source"].split("\n")
    cell["source"] = "\n".join([f"In [3]: {first}", *(f"   ...: {line}".rstrip() for line in rest)])
    return notebook


@case(21, "name-reused", assignment="relu_net")
def name_of_a_function_used_for_an_attribute(notebook: Notebook) -> Notebook:
    notebook["cells"].append(code_cell("x = torch.ones(3)\ngradients = x.grad"))
    return notebook


@case(21, "name-reused", assignment="relu_net")
def name_of_a_function_used_by_a_loop(notebook: Notebook) -> Notebook:
    notebook["cells"].append(code_cell("for gradients in [1, 2, 3]:\n    print(gradients)"))
    return notebook


@case(21, "name-reused", assignment="relu_net")
def name_of_a_function_deleted(notebook: Notebook) -> Notebook:
    notebook["cells"].append(code_cell("del gradients"))
    return notebook


@case(21, "name-reused", assignment="relu_net")
def name_of_a_function_used_in_its_own_cell(notebook: Notebook) -> Notebook:
    cell_of(notebook, "forward")["source"] += "\n\nforward = forward(2.0, 0.3, 1.0)\nprint(forward)"
    return notebook


@case(21, "name-reused")
def value_below_a_function_that_never_ran(notebook: Notebook) -> Notebook:
    wrong = "if False:\n\n    def train(*arguments):\n        return []"
    notebook["cells"] += [code_cell(wrong, "wrong"), code_cell("train = 3.0", "value")]
    return notebook


@case(21, "name-reused")
def right_function_made_by_another_below_a_wrong_one(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    inner = _indented(cell["source"])
    cell["source"] = (
        f"def train(*arguments):\n    return []\n\n\ndef make():\n{inner}\n\n    return train\n\n\n"
        "train = make()"
    )
    return notebook


@case(21, "stub-below")
def the_stub_below_the_function_in_its_cell(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["source"] += "\n\n\n" + stub_of("training_loop", "train")
    return notebook


@case(21)
def function_under_a_condition(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    inner = _indented(cell["source"])
    cell["source"] = f"if False:\n\n    def train(*arguments):\n        pass\n\nelse:\n\n{inner}"
    return notebook


@case(21)
def stub_under_a_condition_above_the_function(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    guard = "try:\n    train\nexcept NameError:\n\n    def train(*arguments):\n        pass"
    cell["source"] = f"{guard}\n\n\n{cell['source']}"
    return notebook


@case(21, "cell-type", "code-elsewhere", assignment="relu_net")
def everything_in_a_text_cell(notebook: Notebook) -> Notebook:
    names = ("forward", "gradients", "batch_gradients", "numerical_gradient")
    sources = [cell_of(notebook, name)["source"] for name in names]
    for name in names:
        cell_of(notebook, name)["source"] = stub_of("relu_net", name)
    made = {"cell_type": "markdown", "id": "own", "metadata": {}, "source": "\n\n\n".join(sources)}
    notebook["cells"].append(made)
    return notebook


def _merged(notebook: Notebook, first: str, last: str) -> Notebook:
    cells = notebook["cells"]
    start, end = place_of(notebook, first), place_of(notebook, last)
    cells[start]["source"] = "\n\n".join(cell["source"] for cell in cells[start : end + 1])
    del cells[start + 1 : end + 1]
    return notebook


@case(21, "merged-cells", assignment="relu_net")
def cells_merged_into_code_with_text_among_them(notebook: Notebook) -> Notebook:
    return _merged(notebook, "forward", "gradients-check")


@case(21, "merged-cells", assignment="relu_net")
def cells_merged_into_the_hints(notebook: Notebook) -> Notebook:
    return _merged(notebook, "forward-hints", "forward-check")


@case(21, "merged-cells", assignment="pitfalls")
def all_cells_merged_into_text(notebook: Notebook) -> Notebook:
    return _merged(notebook, "intro-text-1", "hand-in")


# Row 22: formats and damage


@case(22, "format")
def format_3(notebook: Notebook) -> bytes:
    import nbformat

    old = nbformat.convert(nbformat.from_dict(notebook), 3)
    return nbformat.v3.writes_json(old).encode()


@case(22, "format", "metadata", assignment="pitfalls")
def format_3_without_metadata(notebook: Notebook) -> bytes:
    import nbformat

    for cell in notebook["cells"]:
        cell["metadata"] = {}
    old = nbformat.convert(nbformat.from_dict(notebook), 3)
    return nbformat.v3.writes_json(old).encode()


def _minor(notebook: Notebook, minor: int) -> Notebook:
    notebook["nbformat_minor"] = minor
    for cell in notebook["cells"]:
        del cell["id"]
    return notebook


@case(22, "format")
def format_4_0(notebook: Notebook) -> Notebook:
    return _minor(notebook, 0)


@case(22, "format")
def format_4_4(notebook: Notebook) -> Notebook:
    return _minor(notebook, 4)


@case(22, "cell-ids")
def format_4_5_without_ids(notebook: Notebook) -> Notebook:
    return _minor(notebook, 5)


@case(22, "format")
def format_of_the_future(notebook: Notebook) -> Notebook:
    notebook.update(nbformat=5, nbformat_minor=2)
    return notebook


@case(22, "format")
def format_missing(notebook: Notebook) -> Notebook:
    del notebook["nbformat"], notebook["nbformat_minor"]
    return notebook


@case(22, "metadata")
def nbgrader_schema_too_old(notebook: Notebook) -> Notebook:
    for cell in notebook["cells"]:
        known = cell["metadata"].get("nbgrader")
        if known:
            known["schema_version"] = 1
            del known["task"]
    return notebook


@case(22, "metadata")
def nbgrader_schema_too_new(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["metadata"]["nbgrader"]["schema_version"] = 99
    return notebook


@case(22, "metadata")
def nbgrader_schema_missing(notebook: Notebook) -> Notebook:
    del cell_of(notebook, "train")["metadata"]["nbgrader"]["schema_version"]
    return notebook


@case(22, "fields", "metadata")
def cell_metadata_missing(notebook: Notebook) -> Notebook:
    for cell in notebook["cells"]:
        del cell["metadata"]
    return notebook


@case(22, "fields", "kernelspec")
def notebook_metadata_missing(notebook: Notebook) -> Notebook:
    del notebook["metadata"]
    return notebook


@case(22, "fields")
def outputs_missing(notebook: Notebook) -> Notebook:
    for cell in notebook["cells"]:
        cell.pop("outputs", None)
        cell.pop("execution_count", None)
    return notebook


@case(22, "fields")
def outputs_of_the_wrong_kind(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["outputs"] = {"text": "10"}
    cell_of(notebook, "sgd_step")["execution_count"] = "seven"
    return notebook


@case(22)
def outputs_that_no_schema_allows(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["outputs"] = [{"output_type": "magic"}, None, {}]
    return notebook


@case(22, score=0.0, problem="not a notebook")
def invalid_json(notebook: Notebook) -> bytes:
    return b'{"cells": oops}'


@case(22, score=0.0, problem="not a notebook")
def json_that_is_no_notebook(notebook: Notebook) -> bytes:
    return b'{"name": "training_loop", "score": 10}'


@case(22, "damaged", "missing-cells", score=5.0)
def truncated_before_the_last_exercise(notebook: Notebook) -> bytes:
    whole = text(notebook)
    return whole[: whole.index("def train(") + 200].encode()


@case(22, "damaged")
def truncated_in_the_closing_text(notebook: Notebook) -> bytes:
    whole = text(notebook)
    return whole[: whole.index('"id": "hand-in"')].encode()


@case(22, "damaged", "missing-cells", score=0.0)
def truncated_after_the_first_cell(notebook: Notebook) -> bytes:
    whole = text(notebook)
    return whole[: whole.index('"id": "intro-text-2"')].encode()


@case(22, "damaged")
def rest_of_an_older_file_at_the_end(notebook: Notebook) -> bytes:
    whole = text(notebook)
    return (whole + whole[-400:]).encode()


@case(22, score=0.0, problem="empty")
def empty_file(notebook: Notebook) -> bytes:
    return b""


@case(22, score=0.0, problem="empty")
def only_line_ends(notebook: Notebook) -> bytes:
    return b"\r\n\r\n"


@case(22, score=0.0, problem="not text")
def a_picture(notebook: Notebook) -> bytes:
    return (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89"
        + b"\xff" * 64
    )


@case(22, score=0.0, problem="not a notebook")
def a_web_page(notebook: Notebook) -> bytes:
    return b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body></body></html>\n"


@case(22, "encoding")
def utf_8_with_a_byte_order_mark(notebook: Notebook) -> bytes:
    return b"\xef\xbb\xbf" + text(notebook).encode()


@case(22, "encoding")
def utf_16(notebook: Notebook) -> bytes:
    return b"\xff\xfe" + text(notebook).encode("utf-16-le")


@case(22, "encoding", assignment="relu_net")
def utf_16_without_a_mark(notebook: Notebook) -> bytes:
    return text(notebook).encode("utf-16-le")


@case(22, "encoding")
def utf_32_without_a_mark(notebook: Notebook) -> bytes:
    return text(notebook).encode("utf-32-le")


@case(22, "encoding")
def packed_with_gzip(notebook: Notebook) -> bytes:
    return gzip.compress(text(notebook).encode(), mtime=0)


@case(22, "damaged")
def one_byte_that_is_no_text(notebook: Notebook) -> bytes:
    return text(notebook).encode().replace(b"<summary>H", b"<summary>\xff", 1)


@case(22, "damaged")
def one_zero_byte(notebook: Notebook) -> bytes:
    return text(notebook).encode().replace(b"<summary>H", b"<summary>\0H", 1)


@case(22, "damaged")
def zeros_at_the_end(notebook: Notebook) -> bytes:
    return text(notebook).encode() + b"\0" * 4096


@case(22, "damaged", "damaged", "missing-cells", score=5.0)
def truncated_inside_a_character(notebook: Notebook) -> bytes:
    whole = text(notebook).encode()
    start = whole.index(b'"id": "train-task"')
    place = start + whole[start:].index("●".encode()) + 1
    return whole[:place]


@case(22)
def a_tab_as_it_is_in_a_cell(notebook: Notebook) -> bytes:
    cell_of(notebook, "train")["source"] += "  #TABdone"
    return text(notebook).replace("TAB", "\t").encode()


@case(22, "damaged")
def a_comment_above_the_notebook(notebook: Notebook) -> bytes:
    return b"// training_loop, final version\n" + text(notebook).encode()


@case(22, "encoding", "locked-changed")
def windows_1252(notebook: Notebook) -> bytes:
    return text(notebook).encode("cp1252", "replace")


@case(22)
def windows_line_ends(notebook: Notebook) -> bytes:
    return text(notebook).replace("\n", "\r\n").encode()


@case(22)
def windows_line_ends_inside_the_cells(notebook: Notebook) -> Notebook:
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    return notebook


@case(22)
def half_a_character_in_a_cell(notebook: Notebook) -> bytes:
    notebook["cells"].append(code_cell("x = 'HALF'"))
    return text(notebook).replace("HALF", "\\ud83d").encode()


_HALF = "\\ud83d"


@case(22, "kernelspec")
def half_a_character_in_the_kernels_name(notebook: Notebook) -> bytes:
    notebook["metadata"]["kernelspec"]["name"] = "HALF"
    return text(notebook).replace("HALF", _HALF).encode()


@case(22, "format")
def half_a_character_in_the_formats_number(notebook: Notebook) -> bytes:
    notebook["nbformat_minor"] = "HALF"
    return text(notebook).replace("HALF", _HALF).encode()


@case(22)
def half_a_character_in_an_attachments_name(notebook: Notebook) -> bytes:
    cell_of(notebook, "train-task")["attachments"] = {"HALF.png": {"image/png": "iVBORw0KGgo="}}
    notebook["cells"].append(
        {
            "cell_type": "markdown",
            "id": "picture",
            "metadata": {},
            "source": "![](attachment:picture.png)",
            "attachments": {"HALF.png": {"image/png": "iVBORw0KGgo="}},
        }
    )
    return text(notebook).replace("HALF", _HALF).encode()


@case(22, "fields")
def attachments_that_are_no_pictures(notebook: Notebook) -> Notebook:
    cell_of(notebook, "hand-in")["attachments"] = {"a.png": "x", "b.png": {"image/png": 7}}
    cell_of(notebook, "train-task")["attachments"] = ["a.png"]
    return notebook


def _conflict(whole: str, ours: str, theirs: str) -> str:
    return f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> feature\n".join(whole.split("@@\n"))


@case(22, "merge-conflict")
def git_conflict_in_counts(notebook: Notebook) -> bytes:
    cell_of(notebook, "train")["execution_count"] = 4711
    whole = text(notebook).replace('   "execution_count": 4711,\n', "@@\n")
    ours, theirs = ('   "execution_count": 7,\n', '   "execution_count": 12,\n')
    return _conflict(whole, ours, theirs).encode()


@case(22, "merge-conflict")
def git_conflict_with_the_stub_on_one_side(notebook: Notebook) -> bytes:
    right = json.dumps(cell_of(notebook, "train")["source"], ensure_ascii=False)
    stub = json.dumps(stub_of("training_loop", "train"), ensure_ascii=False)
    whole = text(notebook).replace(f'   "source": {right},\n', "@@\n")
    return _conflict(whole, f'   "source": {stub},\n', f'   "source": {right},\n').encode()


@case(22, "merge-conflict")
def git_conflict_inside_a_cell(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = f"<<<<<<< HEAD\n{cell['source']}\n=======\ndef train(:\n>>>>>>> main\n"
    return notebook


# Row 23: names and containers


def _script(notebook: Notebook) -> str:
    marks = {"code": "# %%", "markdown": "# %% [markdown]"}
    parts = []
    for cell in notebook["cells"]:
        source = cell["source"]
        if cell["cell_type"] == "markdown":
            source = "\n".join(f"# {line}".rstrip() for line in source.split("\n"))
        parts.append(f"{marks[cell['cell_type']]}\n{source}\n")
    return "\n".join(parts)


@case(23, "python-file")
def a_python_file_with_cells(notebook: Notebook) -> Files:
    return {"training_loop.py": _script(notebook).encode()}


def _functions(notebook: Notebook) -> list[str]:
    names = ("intro-code-1", "sgd_step", "train_one_parameter", "train")
    return [cell_of(notebook, name)["source"] for name in names]


@case(23, "python-file")
def a_python_file_without_cells(notebook: Notebook) -> Files:
    return {"training_loop.py": "\n\n\n".join(_functions(notebook)).encode()}


@case(23, "python-file", score=8.0)
def a_python_file_with_a_syntax_error_in_one_function(notebook: Notebook) -> Files:
    sources = _functions(notebook)
    sources[1] = sources[1].replace("):", ")", 1)
    return {"training_loop.py": "\n\n\n".join(sources).encode()}


@case(23, "python-file")
def a_script_written_by_nbconvert(notebook: Notebook) -> Files:
    return {"training_loop.py": as_nbconverts_script(notebook).encode()}


@case(23, "python-file", assignment="pitfalls")
def a_script_written_by_nbconvert_with_a_written_answer(notebook: Notebook) -> Files:
    return {"pitfalls.py": as_nbconverts_script(notebook).encode()}


_DRIVE = "from google.colab import drive\ndrive.mount('/content/drive')"


@case(23, "python-file", assignment="relu_net")
def colabs_python_download(notebook: Notebook) -> Files:
    _with_my_relu(notebook)
    notebook["cells"].insert(1, code_cell(f"!pip install -q autograded\n%autoreload 2\n{_DRIVE}"))
    return {"relu_net.py": as_colabs_python(notebook, "relu_net").encode()}


@case(23, "python-file", assignment="pitfalls")
def colabs_python_download_with_a_written_answer(notebook: Notebook) -> Files:
    made = as_colabs_python(notebook, "pitfalls").replace("by Colab.", "by Colaboratory.")
    return {"pitfalls.py": made.encode()}


@case(23, "python-file")
def colabs_python_download_of_a_cell_magic(notebook: Notebook) -> Files:
    cell = cell_of(notebook, "train")
    cell["source"] = f"%%time\n{cell['source']}"
    return {"training_loop.py": as_colabs_python(notebook, "training_loop").encode()}


def _with_my_relu(notebook: Notebook) -> None:
    """relu_net's forward with a helper in a cell above."""
    helper = code_cell("def my_relu(z):\n    return z if z > 0 else 0 * z", "helper")
    notebook["cells"].insert(place_of(notebook, "forward"), helper)
    cell_of(notebook, "forward")["source"] = (
        "def forward(x, w1, w2):\n    z = w1 * x\n    h = my_relu(z)\n    return z, h, w2 * h"
    )


def _programs(notebook: Notebook) -> list[str]:
    names = ("forward", "gradients", "batch_gradients", "numerical_gradient")
    return [cell_of(notebook, name)["source"] for name in names]


@case(23, "python-file", assignment="relu_net")
def a_python_file_that_fails_above_a_helper(notebook: Notebook) -> Files:
    _with_my_relu(notebook)
    helper = cell_of(notebook, "helper")["source"]
    parts = [f"{_DRIVE}\nimport torch\nlimit = 1 / 0\n{helper}", *_programs(notebook)]
    return {"relu_net.py": "\n\n".join(parts).encode()}


@case(23, "python-file", assignment="relu_net", score=7.0)
def a_python_file_with_a_syntax_error_between_helpers(notebook: Notebook) -> Files:
    _with_my_relu(notebook)
    first, second, *others = _programs(notebook)
    second = second.replace("):", ")", 1)
    helper = f"@staticmethod\n{cell_of(notebook, 'helper')['source']}"
    parts = ["1 / 0\nimport torch", second, helper, first, *others]
    return {"relu_net.py": "\n\n".join(parts).encode()}


@case(23, "encoding", "python-file")
def a_python_file_that_names_its_encoding(notebook: Notebook) -> Files:
    source = "# -*- coding: shift_jis -*-\n# \u65e5\u672c\n" + "\n\n\n".join(_functions(notebook))
    return {"training_loop.py": source.encode("shift_jis", "replace")}


@case(23, "python-file")
def a_python_file_whose_cells_have_titles(notebook: Notebook) -> Files:
    cells = (f"# %% what is inactive, what active\n{one}\n" for one in _functions(notebook))
    return {"training_loop.py": "\n".join(cells).encode()}


@case(23, "python-file")
def a_python_file_with_lines_that_only_unicode_ends(notebook: Notebook) -> Files:
    cells = (f"# %%\n# a\u2028b\x85c\x0bd\x0ce\x1cf\n{one}\n" for one in _functions(notebook))
    return {"training_loop.py": "\n".join(cells).encode()}


@case(23, "python-file")
def a_python_file_with_an_end_of_file_mark(notebook: Notebook) -> Files:
    return {"training_loop.py": ("\n\n\n".join(_functions(notebook)) + "\n\x1a").encode()}


def _marimo(cells: list[str]) -> bytes:
    head = 'import marimo\n\n__generated_with = "0.9.0"\napp = marimo.App()\n'
    tail = 'if __name__ == "__main__":\n    app.run()\n'
    return "\n\n".join([head, *cells, tail]).encode()


@case(23, "python-file")
def a_marimo_notebook(notebook: Notebook) -> Files:
    cells = []
    for source in _functions(notebook):
        inner = _indented(source)
        cells.append(f"@app.cell\ndef _(torch):\n{inner}\n    return (torch,)\n")
    return {"training_loop.py": _marimo(cells)}


@case(23, "python-file")
def a_marimo_notebook_of_functions(notebook: Notebook) -> Files:
    imports, *functions = _functions(notebook)
    inner = _indented(imports)
    setup = f"with app.setup:\n{inner}\n"
    return {"training_loop.py": _marimo([setup, *(f"@app.function\n{f}\n" for f in functions)])}


@case(23, "python-file")
def python_under_a_notebooks_name(notebook: Notebook) -> Files:
    return {"training_loop.ipynb": _script(notebook).encode()}


@case(23, "file-kind")
def a_notebook_under_a_python_name(notebook: Notebook) -> Files:
    return {"training_loop.py": text(notebook).encode()}


@case(23, "file-name")
def downloaded_twice(notebook: Notebook) -> Files:
    return {"training_loop (1).ipynb": text(notebook).encode()}


@case(23, "file-name")
def copied_in_jupyter(notebook: Notebook) -> Files:
    return {"training_loop-Copy1.ipynb": text(notebook).encode()}


@case(23, "file-name")
def named_after_the_student(notebook: Notebook) -> Files:
    return {"Zoë Łukasz – tugas 3 (final).ipynb": text(notebook).encode()}


@case(23, "file-name")
def in_a_sub_folder(notebook: Notebook) -> Files:
    return {"my work/training_loop.ipynb": text(notebook).encode()}


@case(23, "file-name")
def in_a_zip(notebook: Notebook) -> Files:
    return {"homework.zip": zipped({"homework/training_loop.ipynb": text(notebook).encode()})}


@case(23, "file-name")
def named_as_canvas_does(notebook: Notebook) -> Files:
    return {"lovelaceada_LATE_123_456_training_loop-2.ipynb": text(notebook).encode()}


@case(23, "several-candidates")
def a_newer_download_beside_the_stub(notebook: Notebook) -> Files:
    stub = copy.deepcopy(notebook)
    for name in ("sgd_step", "train_one_parameter", "train"):
        cell_of(stub, name)["source"] = stub_of("training_loop", name)
    return {
        "training_loop.ipynb": text(stub).encode(),
        "training_loop (1).ipynb": text(notebook).encode(),
    }


@case(23)
def another_assignment_beside_it(notebook: Notebook) -> Files:
    other = {**notebook, "cells": [code_cell('check("pitfalls.slope_at")')]}
    return {"training_loop.ipynb": text(notebook).encode(), "pitfalls.ipynb": text(other).encode()}


def zipped(files: Files) -> bytes:
    """A zip archive, the same for the same files."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 12, 0, 0)), content)
    return buffer.getvalue()


# Row 24: cells that fail


@case(24, score=8.0)
def syntax_error_in_one_solution(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "sgd_step")
    cell["source"] = cell["source"].replace("):", ")", 1)
    return notebook


@case(24)
def syntax_error_in_an_extra_cell(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(2, code_cell("for i in range(3)\n    print(i)"))
    return notebook


@case(24)
def exception_at_top_level(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(2, code_cell("1 / 0"))
    return notebook


@case(24)
def exception_after_the_function(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["source"] += "\n\n\nassert train is None, 'trying things out'"
    return notebook


@case(24)
def input_is_asked_for(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(2, code_cell("name = input('Your name? ')"))
    return notebook


@case(24)
def input_in_the_solution_cell(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["source"] += "\n\n\ninput('press enter')"
    return notebook


@case(24)
def magic_lines(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(
        1, code_cell("%matplotlib inline\n%load_ext autoreload\n%autoreload 2")
    )
    cell = cell_of(notebook, "train")
    cell["source"] = "%config InlineBackend.figure_format = 'retina'\n" + cell["source"]
    return notebook


@case(24)
def cell_magic_on_the_solution(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = "%%time\n" + cell["source"]
    return notebook


@case(24)
def pip_install(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(1, code_cell("!pip install -q torchviz"))
    return notebook


@case(24)
def pip_install_in_the_solution_cell(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = "!pip install torchinfo\n\n" + cell["source"]
    return notebook


@case(24)
def plots(notebook: Notebook) -> Notebook:
    source = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()"
    notebook["cells"].insert(4, code_cell(source))
    return notebook


@case(24)
def plot_in_the_solution_cell(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["source"] += "\n\n\nimport matplotlib.pyplot as plt\nplt.plot([1])"
    return notebook


@case(24)
def widgets(notebook: Notebook) -> Notebook:
    source = "import ipywidgets as widgets\nwidgets.IntSlider()"
    notebook["cells"].insert(4, code_cell(source))
    notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": 1}}
    return notebook


@case(24)
def progress_bar(notebook: Notebook) -> Notebook:
    source = "from tqdm.notebook import tqdm\nfor _ in tqdm(range(3)):\n    pass"
    notebook["cells"].insert(4, code_cell(source))
    return notebook


@case(24)
def await_at_top_level(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(2, code_cell("import asyncio\nawait asyncio.sleep(0)"))
    return notebook


@case(24)
def await_in_the_solution_cell(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["source"] += "\n\n\nimport asyncio\nawait asyncio.sleep(0)"
    return notebook


@case(24)
def missing_package(notebook: Notebook) -> Notebook:
    notebook["cells"].insert(1, code_cell("import tensorflow as tf"))
    return notebook


@case(24, score=5.0)
def missing_package_in_the_solution_cell(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = "import tensorflow as tf\n\n\n" + cell["source"]
    return notebook


# Row 25: right work that is not quiet, or not of the expected type


@case(25)
def warns(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = "import warnings\n\n\n" + cell["source"].replace(
        ":\n", ":\n    warnings.warn('careful')\n", 1
    )
    return notebook


@case(25)
def writes_to_stderr(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] += "\n\n\nimport sys\nprint('trying', file=sys.stderr)"
    return notebook


@case(25)
def prints_a_lot(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "train")
    cell["source"] = cell["source"].replace(":\n", ":\n    print('x' * 100_000)\n", 1)
    return notebook


@case(25)
def prints_numbers_that_look_like_scores(notebook: Notebook) -> Notebook:
    cell_of(notebook, "train")["source"] += "\n\n\nprint('10.0')\n10.0"
    return notebook


@case(25, assignment="pitfalls")
def returns_numpy_scalars(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "slope_at")
    cell["source"] = cell["source"].replace("def slope_at(", "def _slope_at(")
    cell["source"] += (
        "\n\n\ndef slope_at(f, value):\n"
        "    import numpy as np\n"
        "    return np.float32(_slope_at(f, value))"
    )
    return notebook


@case(25, assignment="relu_net")
def returns_python_scalars(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "forward")
    cell["source"] = (
        "def forward(x, w1, w2):\n"
        "    z = float(w1) * float(x)\n"
        "    h = max(z, 0.0)\n"
        "    return z, h, float(w2) * h"
    )
    cell_of(notebook, "gradients")["source"] = (
        "def gradients(x, w1, w2, t):\n"
        "    z, h, y = forward(x, w1, w2)\n"
        "    d = 2 * (y - float(t))\n"
        "    return (d * float(w2) * float(x) if z > 0 else 0.0), d * h"
    )
    return notebook


@case(25, assignment="relu_net")
def float32_where_float64_came_in(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "batch_gradients")
    cell["source"] = cell["source"].replace("def batch_gradients(", "def _exact(")
    cell["source"] += (
        "\n\n\ndef batch_gradients(X, W1, W2, T):\n"
        "    dW1, dW2 = _exact(X, W1, W2, T)\n"
        "    return dW1.float(), dW2.float()"
    )
    return notebook


@case(25, assignment="relu_net")
def one_result_in_float32_the_other_not(notebook: Notebook) -> Notebook:
    cell = cell_of(notebook, "batch_gradients")
    cell["source"] = cell["source"].replace("def batch_gradients(", "def _exact(")
    cell["source"] += (
        "\n\n\ndef batch_gradients(X, W1, W2, T):\n"
        "    dW1, dW2 = _exact(X, W1, W2, T)\n"
        "    return dW1, dW2.float()"
    )
    return notebook
