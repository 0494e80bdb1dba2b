"""Golden tables about many systems (omnibus, corrections, letters, max-T) against SciPy and statsmodels."""

import itertools

import numpy as np
import pandas as pd
import pytest
from golden import golden as gold
from golden.golden import agree, load
from scipy import stats
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.multitest import multipletests

STATSMODELS_NAMES = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "BH": "fdr_bh",
    "BY": "fdr_by",
}


def test_omnibus() -> None:
    for golden in load("omnibus"):
        names, scores = gold.matrix(golden.case)
        scores = scores[~np.isnan(scores).any(axis=1)]
        if golden.method == "friedman.test":
            result = stats.friedmanchisquare(*scores.T)
            agree(golden, statistic=result.statistic, p_value=result.pvalue)
        elif golden.method == "cochran-q":
            result = cochrans_q(scores)
            agree(golden, statistic=result.statistic, p_value=result.pvalue, df=result.df)
            (friedman,) = [g for g in load("omnibus", "friedman.test") if g.case == golden.case]
            agree(golden, statistic=friedman.values["statistic"])
        elif golden.method == "average-rank":
            average = stats.rankdata(-scores, axis=1).mean(axis=0)
            agree(golden, **dict(zip(names, average.tolist(), strict=True)))
        elif golden.method == "anova":
            assert repeated_measures_f(scores) == pytest.approx(golden.values["statistic"])
            assert 1 / (len(names) - 1) <= golden.values["epsilon"] <= 1


def repeated_measures_f(scores: np.ndarray) -> float:
    item, system = np.indices(scores.shape)
    frame = pd.DataFrame({"item": item.ravel(), "system": system.ravel(), "score": scores.ravel()})
    return float(AnovaRM(frame, "score", "item", within=["system"]).fit().anova_table["F Value"].iloc[0])


def test_skillings_mack_is_friedman_when_nothing_is_missing() -> None:
    (complete,) = [g for g in load("omnibus", "skillings-mack") if g.case == "five-12"]
    (friedman,) = [g for g in load("omnibus", "friedman.test") if g.case == "five-12"]
    agree(complete, **{key: friedman.values[key] for key in ("statistic", "df", "p_value")})


def test_nemenyi() -> None:
    for golden in load("nemenyi", "qtukey", n=12.0):
        k, alpha = int(golden.case.split("-")[1]), golden.options["alpha"]
        if k in {2, 3, 10, 20}:
            # SciPy's quantile is slow and rough: hold R's quantile against SciPy's distribution function
            q = golden.values["critical_value"] * np.sqrt(2)
            assert stats.studentized_range.sf(q, k, np.inf) == pytest.approx(alpha, rel=1e-4)
            agree(golden, critical_difference=golden.values["critical_value"] * np.sqrt(k * (k + 1) / 72))
        if k == 2:
            agree(golden, critical_value=stats.norm.isf(alpha / 2), rel=1e-7)
    for golden in load("nemenyi", "nemenyi"):
        names, scores = gold.matrix(golden.case)
        n, k = scores.shape
        ranks = dict(zip(names, stats.rankdata(-scores, axis=1).mean(axis=0), strict=True))
        gap = abs(ranks[golden.options["system_a"]] - ranks[golden.options["system_b"]])
        q = gap / np.sqrt(k * (k + 1) / (12 * n))
        agree(golden, p_value=stats.studentized_range.sf(q, k, np.inf), rel=1e-6, absolute=1e-9)


def test_p_adjust() -> None:
    for golden in load("p_adjust"):
        p = gold.p_values(golden.case)
        adjusted = np.array([golden.values[str(i)] for i in range(1, len(p) + 1)])
        present = ~np.isnan(p)
        assert np.array_equal(np.isnan(adjusted), ~present)
        assert np.all(adjusted[present] >= p[present])
        if golden.method != "shaffer":
            expected = multipletests(p[present], method=STATSMODELS_NAMES[golden.method])[1]
            np.testing.assert_allclose(adjusted[present], expected, rtol=1e-12, atol=0, err_msg=str(golden))


def test_shaffer_factors() -> None:
    """The published factors for four and five systems; never above Holm."""
    for case, factors in {
        "pairs-of-4": [6, 3, 3, 3, 2, 1],
        "pairs-of-5": [10, 6, 6, 6, 6, 4, 4, 3, 2, 1],
    }.items():
        (golden,) = [g for g in load("p_adjust", "shaffer") if g.case == case]
        p = gold.p_values(case)
        expected = np.minimum(1, np.maximum.accumulate(np.array(factors) * p))
        agree(golden, **{str(i): value for i, value in enumerate(expected, start=1)})
        (holm,) = [g for g in load("p_adjust", "holm") if g.case == case]
        assert all(golden.values[key] <= holm.values[key] for key in golden.values)


def maximal_groups_without_difference(significant: np.ndarray) -> set[frozenset[int]]:
    """Every largest set of systems of which no two differ, by trying all sets."""
    n = len(significant)
    free = [
        frozenset(group)
        for size in range(1, n + 1)
        for group in itertools.combinations(range(n), size)
        if not significant[np.ix_(group, group)].any()
    ]
    return {group for group in free if not any(group < other for other in free)}


def test_letters() -> None:
    cases = {golden.case for golden in load("letters")}
    assert len(cases) == 10
    for case in cases:
        names, significant = gold.significant_pairs(case)
        letters = {
            frozenset(i for i, name in enumerate(names) if golden.values[name] == 1)
            for golden in load("letters")
            if golden.case == case
        }
        assert letters == maximal_groups_without_difference(significant), case
        share = np.array(
            [
                [any({i, j} <= letter for letter in letters) for j in range(len(names))]
                for i in range(len(names))
            ]
        )
        assert np.array_equal(share, ~significant)


def test_westfall_young() -> None:
    names, scores = gold.matrix("five-12")
    goldens = load("westfall_young")
    assert len(goldens) == 10
    for golden in goldens:
        a, b = (names.index(str(golden.options[key])) for key in ("system_a", "system_b"))
        z = np.rint(100 * (scores[:, a] - scores[:, b])).astype(int)
        raw = stats.permutation_test(
            (z,),
            lambda x, axis: np.abs(x.sum(axis=axis)),
            permutation_type="samples",
            n_resamples=np.inf,
            alternative="greater",
            vectorized=True,
        )
        agree(golden, p_value=raw.pvalue)
        assert (
            golden.values["p_value"] <= golden.values["p_adjusted"] <= min(1, 10 * golden.values["p_value"])
        )
    # the largest statistic is adjusted by the maximum over all pairs: drawn here instead of enumerated
    z = np.array([scores[:, i] - scores[:, j] for i, j in itertools.combinations(range(5), 2)])
    z /= np.sqrt(np.sum(z**2, axis=1, keepdims=True))
    signs = np.random.default_rng(1).choice([-1, 1], size=(200_000, 12))
    largest = np.abs(signs @ z.T).max(axis=1)
    drawn = np.mean(largest >= np.abs(z.sum(axis=1)).max() - 1e-9)
    assert min(g.values["p_adjusted"] for g in goldens) == pytest.approx(
        drawn, abs=4 * np.sqrt(drawn / 200_000)
    )
