"""McNemar's test: R, statsmodels, fractions, and the published table of CoNLL-2000 chunking."""

import numpy as np
import pytest
from core.oracles import ALTERNATIVES, binomial_p, binomial_tail, board, differences_batch, one_pair, run
from golden.golden import agree, load
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

import nlpstat_core as ns
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.significance.mcnemar import mcnemar_from_counts


def counted(golden, variant):
    b, c = (np.array([int(golden.values[name])]) for name in ("b", "c"))
    return mcnemar_from_counts(b, c, variant, golden.alternative)


@pytest.mark.parametrize("golden", load("mcnemar", "binom.test"), ids=str)
def test_exact_in_r(golden):
    found = counted(golden, "exact")
    agree(golden, b=found.statistic[0], p_value=found.p_value[0])


@pytest.mark.parametrize("golden", load("mcnemar", "mid-p"), ids=str)
def test_mid_p_in_r(golden):
    agree(golden, p_value=counted(golden, "mid-p").p_value[0])


@pytest.mark.parametrize("golden", load("mcnemar", "mcnemar.test"), ids=str)
def test_chi_square_in_r(golden):
    found = counted(golden, "continuity" if golden.options["correct"] else "asymptotic")
    agree(golden, p_value=found.p_value[0])


def test_published_table():
    found = mcnemar_from_counts(np.array([994]), np.array([476]))
    assert found.p_value[0] == pytest.approx(2.685e-42, rel=1e-3)
    assert found.p_value[0] == pytest.approx(2 * float(binomial_tail(1470, 994)), rel=1e-12)
    chi_square = mcnemar_from_counts(np.array([994]), np.array([476]), "asymptotic")
    assert stats.chi2.isf(chi_square.p_value[0], 1) == pytest.approx(182.53, abs=0.005)


@pytest.mark.parametrize(("b", "c"), [(7, 2), (30, 45), (0, 6), (5, 5)])
def test_statsmodels(b, c):
    table = [[11, b], [c, 8]]
    pair = (np.array([b]), np.array([c]))
    assert mcnemar_from_counts(*pair).p_value[0] == pytest.approx(
        statsmodels_mcnemar(table).pvalue, rel=1e-12
    )
    plain = statsmodels_mcnemar(table, exact=False, correction=False).pvalue
    assert mcnemar_from_counts(*pair, "asymptotic").p_value[0] == pytest.approx(plain, rel=1e-12)


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from(ALTERNATIVES))
def test_fractions(b, c, alternative):
    pair = (np.array([b]), np.array([c]))
    exact = mcnemar_from_counts(*pair, "exact", alternative).p_value[0]
    assert exact == pytest.approx(float(binomial_p(b, c, alternative)), rel=1e-12)
    above = binomial_tail(b + c, b) - (binomial_tail(b + c, b) - binomial_tail(b + c, b + 1)) / 2
    mid = {"greater": above, "less": 1 - above, "two-sided": 2 * min(above, 1 - above)}[alternative]
    mid = 1 if b + c == 0 else mid
    assert mcnemar_from_counts(*pair, "mid-p", alternative).p_value[0] == pytest.approx(float(mid), rel=1e-12)


def test_units_that_both_get_right_do_not_matter():
    u, v = np.array([1, 1, 1, 0, 0, 1]), np.array([0, 0, 1, 1, 0, 1])
    more = run("mcnemar", one_pair(np.tile([1, *u], 1), np.tile([1, *v], 1)))
    assert run("mcnemar", one_pair(u, v)).p_value[0] == more.p_value[0]
    assert more.statistic[0] == 2


def test_other_scores_are_undefined():
    found = run("mcnemar", differences_batch([0.5, 1.0, 0.0]))
    assert np.isnan(found.p_value[0])
    assert found.notes["not-binary"][0]
    assert found.direction[0] == 0
    mixed = run("mcnemar", board([[1, 0, 0.5], [1, 1, 0.2], [0, 1, 0.3]]))
    assert list(np.isnan(mixed.p_value)) == [False, True, True]
    shifted = run("mcnemar", one_pair([1, 0, 1], [0, 0, 1], delta=0.1), delta=0.1)
    assert np.isnan(shifted.p_value[0])
    assert shifted.notes["needs-zero-delta"][0]


def test_large_counts_keep_their_logarithm():
    found = mcnemar_from_counts(np.array([40_000]), np.array([20_000]))
    assert found.p_value[0] == 5e-324
    tail = special.logsumexp(stats.binom.logpmf(np.arange(40_000, 60_001), 60_000, 0.5))
    assert found.log10_p[0] == pytest.approx((tail + np.log(2)) / np.log(10), rel=1e-9)


def test_millions_of_pairs_never_touch_the_differences():
    rng = np.random.default_rng(0)
    values = (rng.random((500, 300)) < 0.5).astype(float)
    left, right = np.triu_indices(300, 1)
    batch = PairBatch(UnitBlock(values, 0, np.ones(300, dtype=bool)), left, right)
    for key in ("mcnemar", "sign", "wilcoxon", "t", "permutation-mean"):
        run(key, batch)
    assert "differences" not in vars(batch)


def test_an_unknown_variant_is_an_error_that_names_the_choices():
    with pytest.raises(ns.ConfigError, match="exact, mid-p, asymptotic, continuity"):
        mcnemar_from_counts(np.array([3]), np.array([1]), "midp")
