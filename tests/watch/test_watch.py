"""`autograded watch` at a real pseudo-terminal: saves, keys, and how soon the verdict is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import command

pexpect = pytest.importorskip("pexpect")

END = "q quit"  # the last words of every page
RIGHT = "    z = w1 * x\n    h = z if z > 0 else 0.0\n    return z, h, w2 * h\n"
WRONG = "    return w1 * x, w1 * x, w2 * w1 * x\n"
STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Learner:
    """Somebody with an editor and a terminal in which `autograded watch` runs."""

    def __init__(self, course: Path, *arguments: str) -> None:
        self.course = course
        self.file = course / "exercises" / "relu_net" / "relu_net.py"
        self.stub = self.file.read_text(encoding="utf-8")
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "autograded", "watch", *arguments],
            cwd=str(course),
            env={**os.environ, "TERM": "xterm-256color"},
            dimensions=(60, 110),
            encoding="utf-8",
            timeout=90,
        )

    def page(self) -> str:
        """Wait for the next whole page."""
        self.child.expect(END)
        return STYLE.sub("", self.child.before)

    def press(self, key: str) -> str:
        self.child.send(key)
        return self.page()

    def forward_is(self, body: str) -> None:
        """Save the file with this body of `forward`."""
        marker = "    raise NotImplementedError()\n"
        self.file.write_text(self.stub.replace(marker, body, 1), encoding="utf-8")

    def verdict(self, word: str) -> str:
        """Wait for a page with this verdict, after a save."""
        while True:
            page = self.page()
            if word in page:
                return page


@pytest.fixture
def learner(course: Path) -> Iterator[Learner]:
    somebody = Learner(course)
    yield somebody
    somebody.child.close(force=True)


def test_it_starts_with_the_first_exercise_and_what_is_wrong(learner: Learner) -> None:
    page = learner.page()

    assert "relu_net.forward" in page
    assert "exercises/relu_net/relu_net.py" in page
    assert page.count("forward is not written yet") == 1
    assert "0 of 16 exercises, 0 of 40 points" in page


def test_a_save_brings_the_message_and_then_the_points(learner: Learner) -> None:
    learner.page()

    learner.forward_is(WRONG)
    wrong = learner.verdict("not yet")
    learner.forward_is(RIGHT)
    right = learner.verdict("passed")

    assert "✗ closes the gate when z is negative" in wrong
    assert "called forward(" in wrong
    assert "✓ closes the gate when z is negative" in right
    assert "1 of 16 exercises, 1 of 40 points" in right


def test_the_verdict_is_there_within_three_tenths_of_a_second(learner: Learner) -> None:
    learner.page()
    times = []
    for turn in range(6):
        learner.forward_is(WRONG if turn % 2 else RIGHT)
        saved = time.monotonic()
        learner.child.expect("after saving")
        times.append(time.monotonic() - saved)
        time.sleep(0.5)

    # The machine may be busy with other tests; what counts is that it can be done.
    assert min(times) < 0.3, times


def test_a_page_ends_with_a_picture_and_what_to_read(course: Path) -> None:
    shutil.copy(course / "solutions" / "relu_net" / "relu_net.py", course / "exercises/relu_net")
    somebody = Learner(course)
    first = somebody.page()
    back = [somebody.press("p") for _ in range(4)][-1]
    somebody.child.close(force=True)

    assert re.search(r"relu_net +█+ █+ █+ █+ +10/10", first)
    assert re.search(r"backward +▸░+ ░+ ░+ ░+ +0/10", first)
    assert "4 of 16 exercises, 10 of 40 points" in first
    assert "Finished" not in first
    assert re.search(r"relu_net +▸█+ █+ █+ █+ +10/10", back)
    assert "Finished: Backpropagation by hand. To read next:" in back
    assert "https://github.com/karpathy/micrograd" in back


def test_keys_move_list_and_quit(learner: Learner) -> None:
    learner.page()

    assert "relu_net.gradients" in learner.press("n")
    assert "relu_net.batch_gradients" in learner.press("n")
    assert "relu_net.gradients" in learner.press("p")
    listed = learner.press("l")
    assert re.search(r"→ +✗ +relu_net\.gradients", listed)
    assert "pitfalls.loss_curve" in listed
    assert "pitfalls.loss_curve" not in learner.press("l")
    learner.child.send("q")
    learner.child.expect(pexpect.EOF)
    learner.child.close()
    assert learner.child.exitstatus == 0


def test_hints_come_one_at_a_time_and_are_remembered(learner: Learner) -> None:
    learner.page()

    first = learner.press("h")
    second = learner.press("h")
    learner.press("n")
    back = learner.press("p")
    again = command("autograded", "hint", "relu_net.forward", "--again", cwd=learner.course)

    assert "Hint 1 of" in first
    assert "Hint 2 of" not in first
    assert "Hint 1 of" in second
    assert "Hint 2 of" in second
    assert "Hint" not in back
    assert "Hint 2 of" in again.stdout
    assert "Hint 3 of" not in again.stdout


def test_a_save_by_renaming_counts(learner: Learner) -> None:
    # Many editors write a new file and put it in the old one's place.
    learner.page()
    marker = "    raise NotImplementedError()\n"
    new = learner.file.with_name("relu_net.py.tmp")
    new.write_text(learner.stub.replace(marker, RIGHT, 1), encoding="utf-8")

    new.replace(learner.file)

    assert "1 of 16" in learner.verdict("passed")


def test_saving_another_assignment_goes_there(learner: Learner) -> None:
    learner.page()
    other = learner.course / "exercises" / "backward" / "backward.py"

    other.write_text(other.read_text(encoding="utf-8") + "\n", encoding="utf-8")

    assert "backward.derivative" in learner.verdict("after saving")


def test_a_syntax_error_names_its_line_and_a_later_save_mends_it(learner: Learner) -> None:
    learner.page()

    learner.forward_is("    return (\n")
    broken = learner.verdict("SyntaxError")
    learner.forward_is(RIGHT)

    assert re.search(r"relu_net\.py:\d+:\s+SyntaxError", broken)  # a terminal may wrap it
    assert "1 of 16" in learner.verdict("passed")


def test_ctrl_c_ends_an_endless_loop_and_not_the_session(learner: Learner) -> None:
    learner.page()

    learner.forward_is("    while True:\n        pass\n")
    time.sleep(2)
    learner.child.sendintr()
    stopped = learner.verdict("not yet")
    learner.forward_is(RIGHT)

    assert "stopped by Ctrl-C" in stopped
    assert "1 of 16" in learner.verdict("passed")


def test_one_assignment_alone(course: Path) -> None:
    somebody = Learner(course, "pitfalls")
    page = somebody.page()
    somebody.child.close(force=True)

    assert "pitfalls.fit_slope" in page
    assert "0 of 5 exercises, 0 of 10 points" in page


def test_without_a_terminal_letters_come_by_the_line(course: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autograded", "watch", "relu_net"],
        cwd=course,
        input="n\nq\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    assert "relu_net.gradients" in done.stdout
    assert "\x1b[" not in done.stdout


def test_an_unknown_exercise_is_one_sentence(course: Path) -> None:
    done = command("autograded", "watch", "relu_net.sideways", cwd=course)

    assert done.returncode == 2
    assert "There is no exercise 'relu_net.sideways'" in done.stderr
