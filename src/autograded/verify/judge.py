"""What the trials of an exercise prove, and what they do not."""

from __future__ import annotations

from collections import Counter

from autograded.course import Course
from autograded.verify.faults import Findings
from autograded.verify.trials import ExerciseTrials, Trial

PAIRS_DUE = 0.8
"""Share of the distinct pairs of an exercise that must be diagnosed as both."""

STYLES = 8
"""Alternatives an exercise should have, where it allows as many."""


def judge(course: Course, tried: ExerciseTrials) -> Findings:
    """Say what is wrong with the grader of one exercise, one line each."""
    findings = Findings()
    if tried.error:
        findings.add(tried.exercise, tried.error)
        return findings
    _library(findings, course, tried)
    for trial in tried.of("misconception"):
        _misconception(findings, tried.exercise, trial)
    for trial in (*tried.of("switched-off"), *tried.of("alternative")):
        _right(findings, tried.exercise, trial)
    for trial in tried.of("blank"):
        if trial.passed:
            findings.add(
                tried.exercise,
                f"answering {trial.name} passes {', '.join(trial.passed)}: ask there for something "
                "else as well.",
            )
    _pairs(findings, tried)
    _checks(findings, tried)
    return findings


def _library(findings: Findings, course: Course, tried: ExerciseTrials) -> None:
    wrong, right = tried.of("misconception"), tried.of("alternative")
    if not wrong:
        findings.add(tried.exercise, "has no misconception: its checks have proved nothing yet.")
    for name, count in Counter(trial.name for trial in wrong).items():
        if count > 1:
            findings.add(tried.exercise, f"the id {name} stands in {count} families: rename one.")
    for name, (en, other) in tried.texts.items():
        if not en.strip() or not other.strip() or en == other:
            findings.add(
                tried.exercise, f"misconception {name} is not explained in both languages."
            )
    for idea in tried.ideas:
        if idea not in course.ideas:
            findings.add(
                tried.exercise, f"a family names the idea {idea!r}, which course.yml does not have."
            )
    if len(right) < STYLES:
        number = len(right) or "no"
        (findings.note if right else findings.add)(
            tried.exercise,
            f"has {number} right solution(s) in other styles; {STYLES} are good, where the "
            "exercise allows them.",
        )


def _misconception(findings: Findings, exercise: str, trial: Trial) -> None:
    if not trial.failed:
        findings.add(
            exercise,
            f"misconception {trial.name} survives: it passes every check; add an input that shows "
            "it.",
        )
    elif not trial.diagnosis:
        findings.add(
            exercise,
            f"misconception {trial.name} gets no diagnosis: too many others answer alike; add an "
            "input that tells them apart.",
        )
    elif not trial.told:
        findings.add(
            exercise,
            f"misconception {trial.name} is diagnosed as {' + '.join(trial.diagnosis)}; add an "
            "input that tells them apart.",
        )


def _right(findings: Findings, exercise: str, trial: Trial) -> None:
    what = (
        f'alternative "{trial.name}"'
        if trial.kind == "alternative"
        else f"with no mistake switched on, {trial.name} of the misconceptions"
    )
    if trial.failed:
        findings.add(exercise, f"{what} fails {', '.join(trial.failed)}: {trial.message}")
    if trial.diagnosis:
        findings.add(exercise, f"{what} is diagnosed as {' + '.join(trial.diagnosis)}.")


def _pairs(findings: Findings, tried: ExerciseTrials) -> None:
    told = sum(trial.told for trial in tried.pairs)
    if told < PAIRS_DUE * len(tried.pairs):
        missed = next(trial for trial in tried.pairs if not trial.told)
        findings.add(
            tried.exercise,
            f"only {told} of {len(tried.pairs)} distinct pairs of misconceptions are diagnosed; "
            f"{missed.name}, for one, is taken for {' + '.join(missed.diagnosis) or 'nothing'}.",
        )


def _checks(findings: Findings, tried: ExerciseTrials) -> None:
    for check in tried.checks:
        if check.titles[0] == check.titles[1]:
            findings.add(
                tried.exercise,
                f"{check.name} has no title in both languages: add "
                '`@pytest.mark.check(en="…", id="…")`.',
            )
        if not check.caught:
            findings.add(
                tried.exercise,
                f"{check.name} fails no misconception: nothing shows that it can fail; add the "
                "mistake it looks for.",
            )
        elif not check.alone:
            findings.note(
                tried.exercise,
                f"{check.name} is needed for no misconception: others catch what it catches.",
            )
