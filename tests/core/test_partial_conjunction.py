"""In how many data sets: R, the definition over all subsets, and how often the count is too large."""

import itertools

import numpy as np
import pytest
from golden.golden import agree, load
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nlpstat_core as ns
from nlpstat_core.analysis.several_boards.partial_conjunction import claimed, holm_by_statement

CASES = {
    "two": [0.04, 0.3],
    "five": [0.001, 0.3, 0.02, 0.04, 0.8],
    "ties": [0.01, 0.01, 0.01, 0.2, 0.2, 1],
    "small": [1e-12, 3e-9, 0.5, 1e-4, 0.012, 0.049, 0.051],
    "ten": [0.9, 0.002, 0.004, 0.006, 0.008, 0.7, 0.012, 0.03, 0.05, 0.5],
}
METHODS = ("bonferroni", "fisher")
p_lists = st.lists(st.floats(1e-9, 1), min_size=1, max_size=7)


@pytest.mark.parametrize("golden", load("several", "partial-conjunction"), ids=str)
def test_p_values_in_r(golden):
    place = int(golden.options["u"]) - 1
    found = {method: ns.partial_conjunction(CASES[golden.case], method)[place] for method in METHODS}
    agree(golden, rel=1e-12, **found)


@pytest.mark.parametrize("golden", load("several", "claimed"), ids=str)
def test_counts_in_r(golden):
    p = np.array(CASES[golden.case])[:, None]
    found = {m: claimed(ns.partial_conjunction(p, m), golden.options["alpha"])[0] for m in METHODS}
    agree(golden, holm=np.sum(holm_by_statement(p) <= golden.options["alpha"]), **found)


@pytest.mark.parametrize("golden", load("several", "holm"), ids=str)
def test_the_named_data_sets_in_r(golden):
    found = holm_by_statement(np.array(CASES[golden.case])[:, None])
    agree(golden, rel=1e-12, p_adjusted=found[int(golden.options["place"]) - 1, 0])


def by_definition(p, method):
    """Fewer than u nulls are false iff some n − u + 1 of them are true together: the largest p of these."""
    n = len(p)
    combine = {
        "bonferroni": lambda part: min(1.0, len(part) * min(part)),
        "fisher": lambda part: stats.combine_pvalues(part, "fisher").pvalue,
    }[method]
    raw = [max(combine(part) for part in itertools.combinations(p, n - u + 1)) for u in range(1, n + 1)]
    return np.maximum.accumulate(raw)


@pytest.mark.parametrize("method", METHODS)
@given(p=p_lists)
def test_definition_over_all_subsets(method, p):
    assert ns.partial_conjunction(p, method) == pytest.approx(by_definition(p, method), rel=1e-9)


@given(p=p_lists, order=st.randoms(use_true_random=False))
def test_order_of_data_sets_does_not_matter(p, order):
    shuffled = order.sample(p, len(p))
    np.testing.assert_array_equal(ns.partial_conjunction(p), ns.partial_conjunction(shuffled))


@given(p=p_lists, more=st.floats(1e-9, 1))
def test_one_more_data_set_claims_at_most_one_more(p, more):
    level = 0.05
    before = int(np.sum(ns.partial_conjunction(p) <= level))
    after = int(np.sum(ns.partial_conjunction([*p, more]) <= level))
    assert after <= before + 1


def test_data_sets_that_say_nothing_leave_the_count():
    with_gap = ns.partial_conjunction([0.01, np.nan, 0.2])
    np.testing.assert_array_equal(with_gap[:2], ns.partial_conjunction([0.01, 0.2]))
    assert np.isnan(with_gap[2])
    assert np.isnan(ns.partial_conjunction([np.nan, np.nan], "fisher")).all()


def test_what_is_refused():
    with pytest.raises(ns.AnalysisError, match="between 0 and 1"):
        ns.partial_conjunction([0.5, 1.5])
    with pytest.raises(ns.ConfigError, match="Did you mean 'fisher'"):
        ns.partial_conjunction([0.5], "fischer")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("n", "false"), [(5, 0), (5, 2), (8, 5)])
def test_the_count_is_rarely_too_large(method, n, false):
    # The worst case: false null hypotheses with p near 0, true ones uniform.
    rng = np.random.default_rng(20210)
    runs, alpha = 20_000, 0.05
    p = rng.random((n, runs))
    p[:false] = 1e-12
    too_large = np.mean(claimed(ns.partial_conjunction(p, method), alpha) > false)
    assert too_large <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / runs)
    if method == "fisher":  # exact where all true nulls are uniform and independent
        assert too_large >= alpha - 3 * np.sqrt(alpha * (1 - alpha) / runs)


def test_bonferroni_holds_for_dependent_data_sets_where_fisher_fails():
    rng = np.random.default_rng(20211)
    runs, alpha = 20_000, 0.05
    shared = stats.norm.sf(
        np.repeat(rng.standard_normal((1, runs)), 6, axis=0)
    )  # six times the same test set
    error = np.sqrt(alpha * (1 - alpha) / runs)
    assert np.mean(claimed(ns.partial_conjunction(shared), alpha) > 0) <= alpha + 3 * error
    assert np.mean(claimed(ns.partial_conjunction(shared, "fisher"), alpha) > 0) > 0.1
