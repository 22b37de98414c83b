"""The learner's door: `pytest exercises/`, `autograded check`, `autograded hint`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograded.course import Course
from autograded.hints import HintMemory, for_terminal
from autograded.learner import next_hint
from support import ASSIGNMENTS, command

CHECKED = 16  # exercises that checks grade, over the whole course


def solve(course: Path, *assignments: str) -> None:
    for name in assignments:
        solution = course / "solutions" / name / f"{name}.py"
        shutil.copy(solution, course / "exercises" / name)


def test_untouched_stubs_fail_every_exercise(course: Path) -> None:
    done = command("pytest", "exercises/", cwd=course)

    assert done.returncode == 1
    assert len(re.findall(r"^✗ ", done.stdout, re.MULTILINE)) == CHECKED
    assert not re.findall(r"^✓ ", done.stdout, re.MULTILINE)
    assert "next: relu_net.forward" in done.stdout
    assert " passed" not in done.stdout.splitlines()[-1]


def test_assignments_come_in_the_courses_order_with_one_exercise_to_do_next(course: Path) -> None:
    untouched = command("pytest", "exercises/", cwd=course)
    solve(course, "relu_net")
    begun = command("pytest", "exercises/", cwd=course)
    one = command("pytest", "exercises/", "-x", cwd=course)

    for done, following in ((untouched, "relu_net.forward"), (begun, "backward.derivative")):
        named = re.findall(r"^[✗✓] (\w+)\.", done.stdout, re.MULTILINE)
        assert list(dict.fromkeys(named)) == list(ASSIGNMENTS)
        assert re.findall(r"^next: (\S+)", done.stdout, re.MULTILINE) == [following]
    assert "backward.derivative" in one.stdout


def test_what_cells_print_is_not_shown_as_a_checks_output(course: Path) -> None:
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    body = "    print('within a call')\n    raise NotImplementedError()\n"
    text = text.replace("    raise NotImplementedError()\n", body, 1)
    path.write_text(text + "\n# %%\nprint('while loading')\n")

    done = command("pytest", "exercises/relu_net", cwd=course)
    shown = command("pytest", "exercises/relu_net", "-s", cwd=course)

    assert "Captured stdout setup" not in done.stdout
    assert "while loading" not in done.stdout
    assert "within a call" in done.stdout
    assert "while loading" in shown.stdout


def test_a_stub_says_what_to_write_and_shows_no_machinery(course: Path) -> None:
    done = command("pytest", "exercises/relu_net", "-k", "forward", cwd=course)

    assert "forward is not written yet: replace `raise NotImplementedError()`" in done.stdout
    assert "Traceback" not in done.stdout
    assert "src/autograded" not in done.stdout


def test_copied_solutions_pass_everything(course: Path) -> None:
    solve(course, *ASSIGNMENTS)

    done = command("pytest", "exercises/", cwd=course)

    assert done.returncode == 0, done.stdout
    assert len(re.findall(r"^✓ ", done.stdout, re.MULTILINE)) == CHECKED
    assert len(re.findall(r"points: 10 of 10", done.stdout)) == len(ASSIGNMENTS)
    assert "next:" not in done.stdout


def test_pytest_options_behave_as_anyone_expects(course: Path) -> None:
    one = command("pytest", "exercises/relu_net", cwd=course)
    chosen = command("pytest", "exercises/", "-k", "two_losses", cwd=course)
    first = command("pytest", "exercises/", "-x", cwd=course)

    assert "relu_net.forward" in one.stdout
    assert "backward.derivative" not in one.stdout
    assert set(re.findall(r"^✗ (\S+)", chosen.stdout, re.MULTILINE)) == {"backward.two_losses"}
    assert "1 failed" in first.stdout.splitlines()[-1]


def test_pdb_stops_in_the_learners_own_line(course: Path) -> None:
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    path.write_text(text.replace("raise NotImplementedError()", "return undefined_name, 0, 0", 1))

    done = command("pytest", "exercises/relu_net", "-k", "forward", "-x", "--pdb", cwd=course)

    assert "return undefined_name, 0, 0" in done.stdout
    assert re.search(r"> .*relu_net\.py\(\d+\)forward\(\)", done.stdout)


def test_an_exception_names_the_learners_line_only(course: Path) -> None:
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    path.write_text(text.replace("raise NotImplementedError()", "return undefined_name, 0, 0", 1))

    done = command("pytest", "exercises/relu_net", "-k", "forward", cwd=course)

    assert "NameError: name 'undefined_name' is not defined" in done.stdout
    assert "return undefined_name, 0, 0" in done.stdout
    assert "calls.py" not in done.stdout


def test_one_error_in_many_checks_shows_its_traceback_once(course: Path) -> None:
    solve(course, "relu_net")
    path = course / "exercises" / "relu_net" / "relu_net.py"
    path.write_text(path.read_text() + "\n# %%\ndef forward(x, w1, w2):\n    return x.nonesuch\n")

    done = command("autograded", "check", "relu_net.forward", cwd=course)

    assert done.stdout.count("✗") > 2
    assert done.stdout.count("Traceback (most recent call last):") == 1
    assert "(raised at the same place as above)" in done.stdout


def test_a_syntax_error_costs_only_its_own_cell(course: Path) -> None:
    solve(course, "relu_net")
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    path.write_text(text.replace("def batch_gradients(X, W1, W2, T):", "def batch_gradients(X"))

    done = command("pytest", "exercises/relu_net", cwd=course)

    assert "✗ relu_net.batch_gradients" in done.stdout
    assert "✓ relu_net.gradients" in done.stdout
    assert "✓ relu_net.numerical_gradient" in done.stdout
    assert re.search(r"relu_net\.py:\d+: SyntaxError", done.stdout)


def test_check_command_passes_and_fails_by_exit_status(course: Path) -> None:
    solve(course, "relu_net")

    right = command("autograded", "check", "relu_net", cwd=course)
    wrong = command("autograded", "check", "pitfalls.fit_slope", cwd=course)

    assert (right.returncode, wrong.returncode) == (0, 1)
    assert "10/10" in right.stdout
    assert "Next: pitfalls.fit_slope" in wrong.stdout


def test_check_ends_with_a_picture_that_needs_neither_colour_nor_a_wide_terminal(
    course: Path,
) -> None:
    solve(course, "relu_net")
    half = course / "exercises" / "backward" / "backward.py"
    solution = (course / "solutions" / "backward" / "backward.py").read_text()
    # Its checks find no function of that name.
    half.write_text(solution.replace("def accumulated_gradient(", "def something_else("))

    done = command("autograded", "check", cwd=course, COLUMNS="80", NO_COLOR="1")

    lines = done.stdout.splitlines()
    picture = lines[lines.index(next(line for line in lines if "checks  points" in line)) :]
    assert max(map(len, picture)) <= 80
    assert "\x1b" not in done.stdout
    text = "\n".join(picture)
    assert re.search(r"✓ +relu_net\.forward +█{12} +4/4 +1/1", text)
    assert re.search(r"✗ +backward\.accumulated_gradient +░{12} +0/4 +0/3", text)
    assert re.search(r"^relu_net +(█+ ?){4} +10/10$", text, re.MULTILINE)
    assert re.search(r"^backward +█+ █+ ░+ █+ +7/10$", text, re.MULTILINE)
    assert re.search(r"^pitfalls +(░+ ?){5} +0/10$", text, re.MULTILINE)
    assert "7 of 16 exercises, 17 of 40 points" in text


def test_some_passing_checks_shade_part_of_a_bar(course: Path) -> None:
    path = course / "exercises" / "relu_net" / "relu_net.py"
    body = "    return w1 * x, w1 * x, w2 * w1 * x\n"  # right as long as the gate is open
    path.write_text(path.read_text().replace("    raise NotImplementedError()\n", body, 1))

    done = command("autograded", "check", "relu_net.forward", cwd=course)

    (found,) = re.findall(r"✗ +relu_net\.forward +(▒+)(░+) +(\d)/(\d) +0/1", done.stdout)
    shaded, light, passed, total = found
    assert 0 < int(passed) < int(total)
    assert len(shaded) == round(12 * int(passed) / int(total))
    assert len(shaded + light) == 12


def test_a_finished_assignment_shows_what_to_read_next(course: Path) -> None:
    solve(course, "relu_net", "backward")
    settings = course / "course.yml"
    text = settings.read_text()
    own = "    reading: [{title: {en: A page, id: Halaman}, url: https://example.org/page}]\n"
    for name in ("relu_net", "backward"):
        text = re.sub(rf"(  {name}:\n(?:    .*\n)*?)    reading:\n(?:      .*\n)+", r"\1", text)
    settings.write_text(text.replace("    title: {en: Backprop", own + "    title: {en: Backprop"))

    done = command("autograded", "check", cwd=course)
    one = command("autograded", "check", "relu_net.forward", cwd=course)

    words = " ".join(done.stdout.split())
    assert (
        "Finished: Backpropagation by hand. To read next: A page https://example.org/page" in words
    )
    # Without pages of its own: those of its ideas, each once, in the order of the exercises.
    ideas = Course.load(settings).ideas
    last = words.partition("Finished: Calling backward() and reading .grad. To read next: ")[2]
    assert re.findall(r"https://\S+", last) == [
        ideas["leaf-tensors"].url,
        ideas["gradient-accumulation"].url,
    ]
    assert "Finished" not in one.stdout


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://a b", "www.example.org"])
def test_a_page_to_read_must_have_an_address(course: Path, url: str) -> None:
    settings = course / "course.yml"
    text = settings.read_text().replace("https://colah.github.io/posts/2015-08-Backprop/", url)
    settings.write_text(text)
    line = next(n for n, row in enumerate(text.splitlines(), 1) if f"url: {url}" in row)

    done = command("autograded", "hint", "relu_net.forward", cwd=course)

    assert done.returncode == 2
    assert f"course.yml:{line}: " in done.stderr
    assert "an address must start with https:// or http:// and hold no spaces" in done.stderr


def test_check_ends_an_endless_loop_and_goes_on(course: Path) -> None:
    solve(course, "relu_net")
    path = course / "exercises" / "relu_net" / "relu_net.py"
    text = path.read_text()
    start = text.index("def forward(")
    end = text.index("    return", start)
    path.write_text(text[:end] + "    while True:\n        pass\n" + text[end:])

    done = command("autograded", "check", "relu_net", cwd=course)

    assert done.returncode == 1
    assert "does a loop never end?" in done.stdout
    assert re.search(r"✓ +relu_net\.batch_gradients", done.stdout)


def test_a_file_that_calls_exit_does_not_end_the_check(course: Path) -> None:
    path = course / "exercises" / "relu_net" / "relu_net.py"
    path.write_text("# %%\nimport sys\nsys.exit(0)\n" + path.read_text())

    done = command("autograded", "check", "relu_net.forward", cwd=course)

    assert done.returncode == 1
    assert "relu_net.forward" in done.stdout


def test_hints_come_one_at_a_time(course: Path) -> None:
    data = json.loads((course / "exercises" / "relu_net" / "assignment.json").read_text())
    hints = next(e for e in data["exercises"] if e["name"] == "gradients")["hints"]

    shown = [
        command("autograded", "hint", "relu_net.gradients", cwd=course).stdout
        for _ in range(len(hints) + 1)
    ]

    for number, text in enumerate(shown[:-1], start=1):
        assert f"Hint {number} of {len(hints)}" in text
    assert "You have seen all" in shown[-1]
    again = command("autograded", "hint", "relu_net.gradients", "--again", cwd=course).stdout
    assert again.count("Hint ") >= len(hints)


def test_no_hint_shows_latex_in_a_terminal(course: Path) -> None:
    for name in ASSIGNMENTS:
        data = json.loads((course / "exercises" / name / "assignment.json").read_text())
        for hint in [hint for e in data["exercises"] for hint in e["hints"]]:
            for text in hint.values():
                assert not re.search(r"[$]|\\[a-zA-Z]", for_terminal(text)), text
    for _ in range(4):
        shown = command("autograded", "hint", "relu_net.batch_gradients", cwd=course).stdout
        assert "$" not in shown
        assert "\\" not in shown
    assert (
        "G Qᵀ"
        in command("autograded", "hint", "relu_net.batch_gradients", "--again", cwd=course).stdout
    )


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        (r"Let $\partial L / \partial w_1$ be", "Let `∂L / ∂w_1` be"),
        (r"$$\frac{1}{n} \sum_{i} x_i^2$$", "`1/n Σ_i x_i²`"),
        (r"$\frac{\partial L}{\partial w}$", "`∂L/∂w`"),
        (r"$\frac{a + b}{2}$", "`(a + b)/2`"),
        (r"$X^\top \cdot \mathrm{relu}(z) \le x^{10}$", "`Xᵀ · relu(z) ≤ x^10`"),
        (r"$\unheard{z}$", "`unheard{z}`"),
        ("`$HOME` and $5 and 6 $", "`$HOME` and $5 and 6 $"),
        ("```\n$x$\n```", "```\n$x$\n```"),
        (r"\$x and \$y", r"\$x and \$y"),
    ],
)
def test_a_formula_in_a_terminal_is_plain_characters(hint: str, shown: str) -> None:
    assert for_terminal(hint) == shown


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"hints": 3}', '{"hints": {"relu_net.gradients": "x"}}', "[" * 9999]
)
def test_a_damaged_memory_of_hints_starts_again(course: Path, content: str) -> None:
    (course / "exercises" / ".progress.json").write_text(content)

    first = command("autograded", "hint", "relu_net.gradients", cwd=course)
    second = command("autograded", "hint", "relu_net.gradients", cwd=course)

    assert (first.returncode, first.stderr) == (0, "")
    assert "Hint 1 of" in first.stdout
    assert "Hint 2 of" in second.stdout


def test_hints_seen_at_the_same_time_are_all_remembered(course: Path) -> None:
    loaded = Course.load(course / "course.yml")
    exercises = [e.id for a in loaded.assignments.values() for e in a.checked]

    with ThreadPoolExecutor(8) as pool:
        reasons = list(pool.map(lambda name: HintMemory(loaded).see(name, 2), exercises * 3))

    assert set(reasons) == {""}
    memory = HintMemory(loaded)
    assert [memory.seen(name) for name in exercises] == [2] * len(exercises)
    left = {path.name for path in (course / "exercises").glob(".progress*")}
    assert left <= {".progress.json", ".progress.json.lock"}


def read_only(course: Path, home: Path, *, home_too: bool = False) -> list[str]:
    """The command line that runs a command where the course cannot be written."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("bubblewrap is not installed")
    if subprocess.run([bwrap, "--ro-bind", "/", "/", "true"], check=False).returncode:
        pytest.skip("bubblewrap does not work here")
    writable = [] if home_too else ["--bind", str(home), str(home)]
    return [bwrap, "--ro-bind", "/", "/", "--dev", "/dev", *writable, sys.executable, "-m"]


def test_hints_go_on_in_a_course_that_cannot_be_written(course: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    line = [*read_only(course, home), "autograded", "hint", "relu_net.gradients"]
    shown = [
        subprocess.run(
            line,
            cwd=course,
            env={"HOME": str(home), "PATH": "/usr/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        for _ in range(2)
    ]

    assert [(one.returncode, one.stderr) for one in shown] == [(0, "")] * 2
    assert "Hint 1 of" in shown[0].stdout
    assert "Hint 2 of" in shown[1].stdout
    assert not (course / "exercises" / ".progress.json").exists()


def test_the_reason_why_a_hint_is_not_kept_is_shown_whole(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(HintMemory, "see", lambda *_: "no [lock] there")

    next_hint(Course.load(course / "course.yml"), "relu_net.forward")

    assert "no [lock] there" in capsys.readouterr().err


def test_a_hint_is_shown_even_when_nothing_can_be_written(course: Path, tmp_path: Path) -> None:
    line = [*read_only(course, tmp_path, home_too=True), "autograded", "hint", "relu_net.gradients"]

    done = subprocess.run(
        line,
        cwd=course,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert "Hint 1 of" in done.stdout
    assert "cannot be kept for next time: Read-only file system." in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["check", "nonesuch"], "There is no assignment 'nonesuch'"),
        (["check", "relu_net.nonesuch"], "There is no exercise 'relu_net.nonesuch'"),
        (["hint", "relu_net"], "There is no exercise 'relu_net'"),
        (["hint", "relu_net.forward", "--course", "/nonexistent"], "in /nonexistent; name the"),
        (["check", "--course", "course.yml/x"], "There is no course.yml in "),
    ],
)
def test_a_wrong_name_is_one_sentence(course: Path, arguments: list[str], sentence: str) -> None:
    done = command("autograded", *arguments, cwd=course)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert "[Errno" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_file_that_cannot_be_read_is_one_sentence_without_numbers(course: Path) -> None:
    for path in ("course.yml", "exercises/relu_net/relu_net.py", "solutions/relu_net/relu_net.py"):
        file = course / path
        text = file.read_bytes()
        file.unlink()
        file.mkdir()
        words = ["build", "relu_net"] if path.startswith("solutions") else ["check", "relu_net"]

        done = command("autograded", *words, cwd=course, COLUMNS="300")

        assert done.returncode == 2
        assert "[Errno" not in done.stderr
        assert len(done.stderr.splitlines()) == 1
        file.rmdir()
        file.write_bytes(text)
