"""The statistics of a report agree with references, and have no value where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from autograded.reports import statistics

AGREES = {"rel": 1e-12, "abs": 1e-12}


@st.composite
def classes(draw: st.DrawFn) -> np.ndarray:
    """Points as grading gives them: shares of checks, rounded to four digits."""
    shape = draw(st.integers(2, 60)), draw(st.integers(2, 12))
    shares = draw(arrays(np.int64, shape, elements=st.integers(0, 12))) / 12
    most = np.array(draw(st.lists(st.integers(1, 10), min_size=shape[1], max_size=shape[1])))
    return np.round(shares * most, 4)


def hoyt(scores: np.ndarray) -> float:
    """Alpha by another way, Hoyt's analysis of variance (Psychometrika 6, 1941)."""
    submissions, items = scores.shape
    rows, columns = scores.mean(axis=1, keepdims=True), scores.mean(axis=0, keepdims=True)
    residual = scores - rows - columns + scores.mean()
    error = (residual**2).sum() / ((submissions - 1) * (items - 1))
    return 1 - error / (items * rows.var(ddof=1))


@settings(deadline=None, max_examples=300)
@given(classes())
def test_discrimination_is_pearsons_correlation_with_the_rest(scores: np.ndarray) -> None:
    total = scores.sum(axis=1)
    for item in scores.T:
        found = statistics.discrimination(item, total)
        if found is None:
            assert np.ptp(item) < 1e-6 or np.ptp(total - item) < 1e-6
        else:
            assert found == pytest.approx(stats.pearsonr(item, total - item).statistic, **AGREES)


@settings(deadline=None, max_examples=300)
@given(classes())
def test_alpha_is_that_of_the_analysis_of_variance(scores: np.ndarray) -> None:
    assume(np.ptp(scores.sum(axis=1)) > 1e-6)
    found = statistics.cronbach_alpha(scores)
    assert found is not None
    assert found == pytest.approx(hoyt(scores), **AGREES)
    assert found <= 1


@pytest.mark.filterwarnings("ignore:Precision loss")  # of skewness, which is not looked at
@settings(deadline=None, max_examples=300)
@given(classes())
def test_summaries_and_difficulty_are_scipys(scores: np.ndarray) -> None:
    total = scores.sum(axis=1)
    found, described = statistics.summary(total), stats.describe(total)
    assert found.count == described.nobs
    assert (found.minimum, found.maximum) == described.minmax
    assert found.mean == pytest.approx(described.mean, **AGREES)
    assert found.deviation == pytest.approx(np.sqrt(described.variance), **AGREES)
    quartiles = stats.mstats.mquantiles(total, (0.25, 0.5, 0.75), alphap=1, betap=1)
    assert [found.lower_quartile, found.median, found.upper_quartile] == pytest.approx(
        list(quartiles), **AGREES
    )
    for item in scores.T:
        expected = stats.tmean(item) / 10
        assert statistics.difficulty(item, 10) == pytest.approx(expected, **AGREES)


def test_alpha_of_a_worked_example() -> None:
    # Item variances 5/3, 19/12 and 5/3; totals 3, 6, 8 and 12 with variance 57/4.
    scores = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 2.0, 3.0], [4.0, 4.0, 4.0]])
    expected = 3 / 2 * (1 - (5 / 3 + 19 / 12 + 5 / 3) / (57 / 4))
    assert statistics.cronbach_alpha(scores) == pytest.approx(expected, **AGREES)


def test_an_item_is_not_correlated_with_itself() -> None:
    coin = np.array([0.0, 1.0, 0.0, 1.0])
    rest = np.array([1.0, 1.0, 2.0, 2.0])
    assert statistics.discrimination(coin, coin + rest) == pytest.approx(0)
    assert stats.pearsonr(coin, coin + rest).statistic > 0.5


@pytest.mark.parametrize(
    "scores",
    [np.zeros((0, 3)), np.ones((1, 3)), np.ones((5, 3)), np.zeros((5, 3)), np.eye(5)[:, :1]],
    ids=["nobody", "one", "all perfect", "all zero", "one item"],
)
def test_what_cannot_be_said_is_none_and_never_nan(scores: np.ndarray) -> None:
    assert statistics.cronbach_alpha(scores) is None
    assert statistics.discrimination(scores[:, 0], scores.sum(axis=1)) is None
    assert statistics.measurement_error(statistics.summary(scores[:, 0]).deviation, None) is None


def test_scores_that_differ_by_rounding_alone_do_not_vary() -> None:
    item = np.array([1.0, 0.0, 1.0, 0.0])
    rest = np.array([0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2])
    assert np.ptp(rest) > 0
    assert statistics.discrimination(item, item + rest) is None


@given(st.lists(st.integers(0, 40), max_size=50), st.sampled_from([1, 4, 10, 20]))
def test_a_histogram_counts_everybody_once_and_in_the_right_class(
    scores: list[int], bins: int
) -> None:
    counts = statistics.histogram([score / 40 for score in scores], bins)
    assert len(counts) == bins
    assert counts == [
        sum(min(score * bins // 40, bins - 1) == place for score in scores) for place in range(bins)
    ]
