"""What check() shows in a notebook made in Indonesian is Indonesian, the table around it too."""

from __future__ import annotations

import shutil
from pathlib import Path

from i18n.catalogue import indonesian
from support import ROOT, command

SCRIPT = """
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_cell("from autograded import check\\ndef gradients(x, w1, w2, t): return 0.0, 0.0")
shell.display_pub.publish = lambda data, **_: print(data["text/plain"], data["text/html"])
shell.run_cell("check('relu_net.gradients')")
"""


def test_the_table_and_the_hints_are_in_indonesian(tmp_path: Path) -> None:
    for name in ("test_relu_net.py", "scenarios.py", "assignment.json"):
        shutil.copy(ROOT / "exercises" / "relu_net" / name, tmp_path)
    data = tmp_path / "assignment.json"
    data.write_text(data.read_text("utf-8").replace('"language": "en"', '"language": "id"'))
    (tmp_path / "script.py").write_text(SCRIPT)

    done = command("script", cwd=tmp_path)

    assert f"({indonesian('failed')})" in done.stdout
    assert indonesian("Hint {number}").format(number=1) in done.stdout
    assert indonesian("{passed} of {total} checks").format(passed=2, total=5) in done.stdout
    assert indonesian("not passed yet: {names}").format(names="relu_net.gradients") in done.stdout
