"""Counts in categories: R, SciPy, all tables with the same margins."""

import math
from itertools import permutations

import numpy as np
import pytest
from golden.golden import agree, load
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nlpstat_core import AnalysisError
from nlpstat_core.methods.categorical.chi_square import cramers_v, goodness_of_fit, independence
from nlpstat_core.methods.categorical.fisher import fisher_exact


def parsed(text):
    return np.array([[float(cell) for cell in row.split()] for row in text.split("/")])


@pytest.mark.parametrize("golden", load("categorical", "goodness-of-fit"), ids=str)
def test_fit_in_r(golden):
    found = goodness_of_fit(parsed(golden.options["table"])[0])
    agree(golden, statistic=found.statistic, df=found.degrees_of_freedom, p_value=found.p_value)
    agree(golden, smallest_expected=found.smallest_expected)
    assert (found.notes == ("few-expected",)) == (golden.values["smallest_expected"] < 5)


@pytest.mark.parametrize("golden", load("categorical", "chisq.test"), ids=str)
def test_independence_in_r(golden):
    found = independence(parsed(golden.options["table"]), continuity=golden.options["correct"])
    agree(golden, statistic=found.statistic, df=found.degrees_of_freedom, p_value=found.p_value)
    agree(golden, smallest_expected=found.smallest_expected)


@pytest.mark.parametrize("golden", load("categorical", "fisher.test"), ids=str)
def test_fisher_in_r(golden):
    found = fisher_exact(parsed(golden.options["table"]), golden.alternative)
    agree(golden, rel=1e-7, p_value=found.p_value)


@pytest.mark.parametrize("golden", load("categorical", "cramers_v"), ids=str)
def test_cramers_v_in_r(golden):
    agree(golden, cramers_v=cramers_v(parsed(golden.options["table"])))


def fisher_by_shuffling(table):
    """Rows and columns of single observations; every order of the columns is equally likely."""
    rows = [i for i, row in enumerate(table) for n in row for _ in range(n)]
    columns = [j for row in table for j, n in enumerate(row) for _ in range(n)]

    def made(order):
        cells = np.zeros(np.shape(table), dtype=int)
        np.add.at(cells, (rows, list(order)), 1)
        return cells.tobytes()

    counted = {}
    for order in permutations(columns):
        counted[made(order)] = counted.get(made(order), 0) + 1
    own = counted[made(columns)]
    return sum(n for n in counted.values() if n <= own) / sum(counted.values())


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=2, max_size=2))
def test_fisher_by_shuffling_the_observations(table):
    if 0 < np.sum(table) <= 7:
        assert fisher_exact(table).p_value == pytest.approx(fisher_by_shuffling(table))


@given(
    st.lists(st.integers(0, 12), min_size=4, max_size=4), st.sampled_from(["two-sided", "greater", "less"])
)
def test_two_by_two_in_scipy(cells, alternative):
    table = np.array(cells).reshape(2, 2)
    wanted = stats.fisher_exact(table, alternative=alternative).pvalue
    assert fisher_exact(table, alternative).p_value == pytest.approx(wanted, rel=1e-9)
    if table.sum(axis=0).all() and table.sum(axis=1).all():
        for continuity in (False, True):
            other = stats.chi2_contingency(table, correction=continuity)
            found = independence(table, continuity=continuity)
            assert found.statistic == pytest.approx(other.statistic, abs=1e-12)
            assert found.p_value == pytest.approx(other.pvalue)
        assert 0 <= cramers_v(table) <= 1 + 1e-12
    else:
        assert independence(table).notes == ("empty-margin",)
        assert math.isnan(cramers_v(table))


def test_given_shares_and_tiny_p():
    found = goodness_of_fit([30, 14, 6], [4, 2, 1])
    assert found.p_value == pytest.approx(stats.chisquare([30, 14, 6], [200 / 7, 100 / 7, 50 / 7]).pvalue)
    tiny = goodness_of_fit([5000, 0])
    assert tiny.p_value == 5e-324
    assert tiny.log10_p == pytest.approx(stats.norm.logsf(math.sqrt(5000)) / math.log(10) + math.log10(2))


@pytest.mark.parametrize(
    "call",
    [
        lambda: goodness_of_fit([1]),
        lambda: goodness_of_fit([1, -1]),
        lambda: goodness_of_fit([1, 2], [1, 0]),
        lambda: independence([1, 2]),
        lambda: independence([[1.5, 2], [1, 2]]),
        lambda: fisher_exact([[1, 2, 3], [1, 2, 3]], "greater"),
        lambda: fisher_exact(np.full((6, 6), 40)),
    ],
)
def test_what_is_no_table_is_refused(call):
    with pytest.raises(AnalysisError):
        call()


@given(st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=2, max_size=3), st.data())
@settings(max_examples=20, deadline=None)
def test_order_of_categories_and_sides_does_not_matter(rows, data):
    table = np.array(rows)
    swapped = table[:, data.draw(st.permutations(range(3)))][::-1].T
    for run in (independence, fisher_exact):
        assert run(swapped).p_value == pytest.approx(run(table).p_value, rel=1e-9)
    assert cramers_v(swapped) == pytest.approx(cramers_v(table), abs=1e-12)
    assert independence(10 * table).statistic == pytest.approx(10 * independence(table).statistic)
