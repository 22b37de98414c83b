"""Faults planted in a small course: each is one line, and the exit status says there are some."""

from __future__ import annotations

from verify.conftest import SmallCourse


def faults(output: str) -> list[str]:
    return [line.removeprefix("✗ ") for line in output.splitlines() if line.startswith("✗ ")]


def test_a_sound_course_has_none(small: SmallCourse) -> None:
    done = small.verify()

    assert done.returncode == 0, done.stdout + done.stderr
    assert faults(done.stdout) == []


def test_misconceptions_and_alternatives(small: SmallCourse) -> None:
    small.replace(
        "graders/small/misconceptions.py",
        '"never-negative": {"en": "A slope may be negative.", "id": "Kemiringan boleh negatif."},',
        '"never-negative": {"en": "A slope may be negative.", "id": "Kemiringan boleh negatif."},\n'
        '"harmless": {"en": "Same.", "id": "Same."},\n'
        '"half": {"en": "Half.", "id": "Setengah."},\n'
        '"a-third": {"en": "A third.", "id": "Sepertiga."},\n'
        '"also-half": {"en": "Half again.", "id": "Setengah lagi."},',
    )
    small.replace(
        "graders/small/misconceptions.py",
        "    value = ",
        '    a = a / 2 if wrong & {"half", "also-half"} else a\n'
        '    a = a / 3 if "a-third" in wrong else a\n    value = ',
    )
    small.replace(
        "graders/small/alternatives.py",
        "return 2 * number * a * x / number",
        "return (abs(2 * a * x) if number == 3 else 2 * a * x)",
    )

    done = small.verify("--no-pairs")

    found = faults(done.stdout)
    assert done.returncode == 1
    assert (
        "small.slope: misconception harmless survives: it passes every check; add an input that "
        "shows it." in found
    )
    assert "small.slope: misconception harmless is not explained in both languages." in found
    # no-two, half and also-half answer alike: three are too many to tell.
    for name in ("no-two", "half", "also-half"):
        assert any(f"misconception {name} gets no diagnosis" in fault for fault in found)
    assert any(
        'alternative "style 3" fails test_left: slope has the opposite sign' in f for f in found
    ), found
    assert 'small.slope: alternative "style 3" is diagnosed as never-negative.' in found
    assert not any("a-third" in fault for fault in found)


def test_two_misconceptions_that_answer_alike(small: SmallCourse) -> None:
    small.replace(
        "graders/small/misconceptions.py",
        '"never-negative": {',
        '"half": {"en": "Half.", "id": "Setengah."},\n        "never-negative": {',
    )
    small.replace(
        "graders/small/misconceptions.py", '"no-two" in wrong', 'wrong & {"no-two", "half"}'
    )

    found = faults(small.verify("--no-pairs").stdout)

    assert any("misconception no-two is diagnosed as no-two + half" in fault for fault in found)


def test_checks_and_forms(small: SmallCourse) -> None:
    small.replace(
        "graders/small/test_slope.py",
        "@pytest.mark.check(",
        "def test_defined(submission):\n"
        "    try:\n"
        "        submission.slope(1.0, 0.0)\n"
        "    except AssertionError:\n"
        "        pass\n\n\n"
        "@pytest.mark.check(",
    )
    small.replace("solutions/small/small.py", "return 2 * a * x", "return abs(2 * a * x)")
    (small.root / "graders" / "small" / "notes.txt").write_text("?", encoding="utf-8")
    (small.root / "exercises" / "old").mkdir()
    (small.root / "exercises" / "old" / "old.py").write_text("", encoding="utf-8")
    small.replace("exercises/small/README.md", "\n", " \n")
    with (small.root / "graders/small/alternatives.py").open("a", encoding="utf-8") as file:
        file.write('\nalternative("small.slop", "typo")(slope)\n')

    done = small.verify("--no-pairs")

    found = faults(done.stdout)
    assert done.returncode == 1
    assert any("the untouched stub passes test_defined" in fault for fault in found)
    for blank in ("None", "zeros", "ones"):
        assert any(f"answering {blank} passes test_defined: ask" in fault for fault in found)
    assert any("test_defined fails no misconception" in fault for fault in found)
    assert any("test_defined has no title in both languages" in fault for fault in found)
    assert any(f.startswith("small.slope: the solution fails test_left: slope has") for f in found)
    assert any(f.startswith("graders/small/notes.txt: course.yml does not") for f in found)
    assert any(f.startswith("exercises/old/old.py: course.yml does not") for f in found)
    assert any("alternatives of 'small.slop', which course.yml does not" in f for f in found)
    assert any(f.startswith("exercises/small/README.md: is not what") for f in found)


def test_a_source_without_a_hint_s_twin(small: SmallCourse) -> None:
    small.replace(
        "solutions/small/small.py", '# %% [markdown] hint="slope" lang="id"\n# Tiga.\n', ""
    )

    done = small.verify("--no-pairs")

    assert done.returncode == 1
    assert any('the lang="en" cell has no twin' in fault for fault in faults(done.stdout))


def test_a_library_that_cannot_be_read(small: SmallCourse) -> None:
    small.replace("graders/small/misconceptions.py", "def slope", "undefined\n\n\ndef slope")

    done = small.verify("--no-pairs")

    assert done.returncode == 1
    assert any("small.slope: SyntaxError" in fault for fault in faults(done.stdout))
    assert "Traceback" not in done.stdout + done.stderr


def test_an_unknown_assignment_is_one_sentence(small: SmallCourse) -> None:
    done = small.verify("--only", "big")

    assert done.returncode == 2
    assert "There is no assignment 'big'" in done.stderr


def test_points_that_do_not_add_up_are_one_sentence(small: SmallCourse) -> None:
    small.replace("course.yml", "    points: 2\n", "    points: 3\n")

    done = small.verify()

    assert done.returncode == 2
    assert "small says 3 points, but its exercises add up to 2" in done.stderr
