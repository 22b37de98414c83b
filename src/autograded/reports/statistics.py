"""Item analysis of a class's scores: the classical statistics, each with its formula and source.

A statistic that has no value (nobody handed in, everybody has the same score) is None, never NaN.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]
"""A class's points: one row a submission, one column an item."""

_FLAT = 1e-9
"""Spread below which scores are the same, relative to their size: sums of floats differ by less."""


@dataclass(frozen=True)
class Summary:
    """What a list of scores looks like; every number but `count` is None when there are none.

    `deviation` is the standard deviation with n - 1 in the denominator, None for a single score.
    Quartiles are interpolated linearly (type 7 of Hyndman and Fan, The American Statistician 50,
    1996), as NumPy and spreadsheets do.
    """

    count: int
    mean: float | None = None
    deviation: float | None = None
    minimum: float | None = None
    lower_quartile: float | None = None
    median: float | None = None
    upper_quartile: float | None = None
    maximum: float | None = None


def summary(scores: npt.ArrayLike) -> Summary:
    """Summarise scores, a sequence of n numbers; n may be 0."""
    values = np.asarray(scores, dtype=np.float64)
    if not values.size:
        return Summary(0)
    quartiles = np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
    low, lower, median, upper, high = (float(value) for value in quartiles)
    deviation = float(values.std(ddof=1)) if values.size > 1 else None
    return Summary(values.size, float(values.mean()), deviation, low, lower, median, upper, high)


def histogram(shares: npt.ArrayLike, bins: int = 10) -> list[int]:
    """Count shares of marks (0 to 1) in `bins` equal classes.

    A class holds its lower bound and not its upper one, but the last holds 1 as well.
    """
    values = np.asarray(shares, dtype=np.float64)
    # A share such as 3 / 10 must not fall below its own bound by the last bit of a float.
    places = np.floor(values * bins + _FLAT).astype(int).clip(0, bins - 1)
    return [int(count) for count in np.bincount(places, minlength=bins)]


def difficulty(points: npt.ArrayLike, max_points: float) -> float | None:
    """Share of its marks that an item earned, 0 to 1: high is easy.

    The mean score over the maximum; for a check, which passes or fails, the share that pass (the
    item difficulty *p* of Crocker and Algina, Introduction to Classical and Modern Test Theory,
    1986, chapter 14; Moodle calls it facility index).

    Args:
        points: what n submissions earned.
        max_points: the most that can be earned.
    """
    values = np.asarray(points, dtype=np.float64)
    return float(values.mean() / max_points) if values.size and max_points > 0 else None


def discrimination(item: npt.ArrayLike, total: npt.ArrayLike) -> float | None:
    """Corrected item-total correlation, -1 to 1.

    Pearson's correlation of an item with the sum of all others, so that the item does not correlate
    with itself (Henrysson, Correction of item-total correlations in item analysis, Psychometrika
    28, 1963, 211-218). None when either does not vary.

    Args:
        item: points of n submissions in the item.
        total: their points in all items, this one included.
    """
    values = np.asarray(item, dtype=np.float64)
    rest = np.asarray(total, dtype=np.float64) - values
    if is_flat(values) or is_flat(rest):
        return None
    centred, others = values - values.mean(), rest - rest.mean()
    # Each is brought to length 1 first, so that no product over- or underflows.
    product = (centred / np.linalg.norm(centred)) @ (others / np.linalg.norm(others))
    return float(np.clip(product, -1.0, 1.0))


def is_flat(values: npt.ArrayLike) -> bool:
    """Whether all numbers are the same, or there are fewer than two."""
    array = np.asarray(values, dtype=np.float64)
    if array.size < 2:
        return True
    return bool(np.ptp(array) <= _FLAT * max(1.0, float(np.abs(array).max())))


def cronbach_alpha(scores: Scores) -> float | None:
    """Cronbach's alpha of k items: k / (k - 1) · (1 - Σ s²(item) / s²(total)).

    Variances have n - 1 in the denominator (Cronbach, Coefficient alpha and the internal structure
    of tests, Psychometrika 16, 1951, 297-334). At most 1; negative when items run against each
    other. None with fewer than two items or submissions, or when totals do not vary.

    Args:
        scores: points, n submissions by k items.
    """
    submissions, items = scores.shape
    totals = scores.sum(axis=1)
    if items < 2 or submissions < 2 or is_flat(totals):
        return None
    within = scores.var(axis=0, ddof=1).sum()
    return float(items / (items - 1) * (1 - within / totals.var(ddof=1)))


def measurement_error(deviation: float | None, alpha: float | None) -> float | None:
    """Standard error of measurement, in points: s · √(1 - alpha); None without either.

    Args:
        deviation: standard deviation of the totals.
        alpha: their reliability; a negative one counts as 0.
    """
    if deviation is None or alpha is None:
        return None
    return deviation * float(np.sqrt(1 - max(alpha, 0.0)))
