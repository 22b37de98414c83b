"""Submissions that share code which few others wrote: something to look at, never a verdict.

Most right answers to a short exercise look alike, so likeness alone says nothing. Compared is what
a student wrote beyond the released stub, with names, layout and comments set aside; and of that
only runs of tokens which nobody would be expected to share: those of the stub, of the model
solution, of the alternatives and misconceptions in graders/, and of more than a few in the class
are left out. A pair is shown when much of such code is common to both and the exercises it stands
in are nearly the same as a whole.

Runs of tokens as evidence, with common code left out, are those of Schleimer, Wilkerson and Aiken
(Winnowing: Local Algorithms for Document Fingerprinting, SIGMOD 2003); here all are kept, since an
exercise is short. How alike two programs are is the normalised Indel similarity of RapidFuzz: twice
the length of the longest common subsequence over the sum of lengths.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz.distance import Indel

from autograded.reports.code_tokens import (
    Alphabet,
    comments,
    names,
    own_tokens,
    passages,
    passages_of,
)

PASSAGE = 8
"""Tokens in a passage: about one line of code."""

ALIKE = 0.9
"""Similarity from which two answers to an exercise are nearly the same."""

LARGE = 30
"""Class size from which the class itself shows what is usual."""

ENOUGH, ENOUGH_IN_SMALL = 32, 64
"""Unusual passages that a pair must share; in a class below `LARGE`."""

LEAST_FILE = 40
"""Tokens of own work that identical files must hold to be told: an empty file is no news."""


@dataclass(frozen=True)
class Pair:
    """Two submissions that share unusual code.

    Attributes:
        students: the two ids, sorted.
        exercises: where their code is nearly the same; see `documents.OWN_CELLS`.
        similarity: over these exercises, 0 to 1, weighted by length.
        passages: unusual passages that both hold.
        same_names: share of all names either chose that both chose, 0 to 1; None without names.
        same_comments: comments that stand in both, word for word.
    """

    students: tuple[str, str]
    exercises: tuple[str, ...]
    similarity: float
    passages: int
    same_names: float | None
    same_comments: int


@dataclass(frozen=True)
class Comparison:
    """What comparing a class found.

    Attributes:
        compared: submissions that held code of their own.
        pairs: those that share unusual code, most of it first.
        identical: groups of students whose files are the same to the byte.
        rare: how many students may hold a passage for it to count as unusual.
        enough: unusual passages a pair must share.
    """

    compared: int
    pairs: list[Pair]
    identical: list[list[str]]
    rare: int
    enough: int


def compare(
    code: Mapping[str, Mapping[str, str]],
    stubs: Mapping[str, str],
    known: Iterable[str] = (),
    digests: Mapping[str, str] | None = None,
) -> Comparison:
    """Compare the submissions of one assignment, each with each.

    Args:
        code: for each student the source of every exercise.
        stubs: what was released, by exercise.
        known: programs that nobody need have copied from another: solutions, alternatives.
        digests: for each student the digest of the whole file.
    """
    alphabet = Alphabet()
    released = {exercise: set(alphabet.lines(stub)) for exercise, stub in stubs.items()}
    own = {
        student: {
            exercise: own_tokens(source, released.get(exercise, set()), alphabet)
            for exercise, source in sources.items()
        }
        for student, sources in code.items()
    }
    own = {student: parts for student, parts in own.items() if any(parts.values())}
    usual = passages_of([*stubs.values(), *known], PASSAGE, alphabet)
    identical = _identical(own, digests or {})
    rare, enough = rarity(len(own)), ENOUGH if len(own) >= LARGE else ENOUGH_IN_SMALL
    skip = {two for group in identical for two in combinations(group, 2)}
    pairs = []
    for two, counts in _shared(own, usual, rare).items():
        if two in skip or sum(counts.values()) < enough:
            continue
        alike = _alike(own[two[0]], own[two[1]], counts)
        if sum(counts[exercise] for exercise in alike) >= enough:
            pairs.append(_pair(two, code, stubs, alike, counts))
    pairs.sort(key=lambda pair: (-pair.passages, pair.students))
    return Comparison(len(own), pairs, identical, rare, enough)


def rarity(students: int) -> int:
    """How many of a class may hold a passage for it to count as unusual."""
    return max(2, min(4, students // 8), students // 100)


def _shared(
    own: Mapping[str, Mapping[str, str]], usual: set[str], rare: int
) -> dict[tuple[str, str], Counter[str]]:
    """Count the unusual passages of every pair that shares any, by exercise."""
    holders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student in sorted(own):
        for exercise, tokens in own[student].items():
            for passage in passages(tokens, PASSAGE) - usual:
                holders[exercise, passage].append(student)
    shared: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (exercise, _passage), students in holders.items():
        if len(students) <= rare:
            for two in combinations(students, 2):
                shared[two][exercise] += 1
    return shared


def _alike(
    first: Mapping[str, str], second: Mapping[str, str], counts: Counter[str]
) -> dict[str, tuple[float, int]]:
    """The exercises in which two are nearly the same: similarity, and tokens of both."""
    found = {}
    for exercise in first:
        if counts[exercise]:
            one, other = first[exercise], second[exercise]
            similarity = Indel.normalized_similarity(one, other, score_cutoff=ALIKE)
            if similarity >= ALIKE:
                found[exercise] = similarity, len(one) + len(other)
    return found


def _pair(
    students: tuple[str, str],
    code: Mapping[str, Mapping[str, str]],
    stubs: Mapping[str, str],
    alike: Mapping[str, tuple[float, int]],
    counts: Counter[str],
) -> Pair:
    """Say of a pair what else is the same: names and comments that were not released."""
    either = both = remarks = 0
    for exercise in alike:
        one, other = (code[student][exercise] for student in students)
        stub = stubs.get(exercise, "")
        mine, yours = names(one) - names(stub), names(other) - names(stub)
        either += len(mine | yours)
        both += len(mine & yours)
        remarks += len((comments(one) & comments(other)) - comments(stub))
    length = sum(tokens for _similarity, tokens in alike.values())
    return Pair(
        students,
        tuple(alike),
        sum(similarity * tokens for similarity, tokens in alike.values()) / length,
        sum(counts[exercise] for exercise in alike),
        both / either if either else None,
        remarks,
    )


def _identical(own: Mapping[str, Mapping[str, str]], digests: Mapping[str, str]) -> list[list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for student, parts in sorted(own.items()):
        digest = digests.get(student)
        if digest and sum(map(len, parts.values())) >= LEAST_FILE:
            groups[digest].append(student)
    found = [group for group in groups.values() if len(group) > 1]
    return sorted(found, key=lambda group: (-len(group), group))
