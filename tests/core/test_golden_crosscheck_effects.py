"""Golden tables of effect sizes, power, block and count tests against SciPy, statsmodels and fractions."""

import itertools
from fractions import Fraction
from math import gamma, sqrt

import numpy as np
import pytest
from core.oracles import adjusted_by_matrices
from golden import golden as gold
from golden.golden import agree, load
from scipy import stats


def paired_t_power(n: float, effect: float, alpha: float, alternative: str) -> float:
    df, shift = n - 1, effect * np.sqrt(n)
    tail = alpha / 2 if alternative == "two-sided" else alpha
    t = stats.t.isf(tail, df)
    upper, lower = stats.nct.sf(t, df, shift), stats.nct.sf(t, df, -shift)  # lower: mirrored
    if alternative != "two-sided":
        return float(upper if alternative == "greater" else lower)
    return float(np.nansum([upper, lower]))  # SciPy's nct is NaN where the other tail is below about 1e-300


def test_power() -> None:
    for golden in load("power", "power"):
        n, alpha = golden.options["n"], golden.options["alpha"]
        if golden.case == "paired-t":
            power = paired_t_power(n, golden.options["effect"], alpha, golden.alternative)
            agree(golden, power=power, rel=1e-7, absolute=1e-9)
        else:
            k = np.arange(n + 1)
            p = [stats.binomtest(int(x), int(n), alternative=golden.alternative).pvalue for x in k]
            rejected = k[np.array(p) <= alpha]
            agree(golden, power=stats.binom.pmf(rejected, n, golden.options["share"]).sum())


def test_required_units() -> None:
    published = {0.2: 199, 0.5: 34, 1.0: 10, 1.5: 6}
    for golden in load("power", "required-n", power=0.8, alpha=0.05):
        if golden.alternative == "two-sided" and golden.options["effect"] in published:
            agree(golden, n_required=published[golden.options["effect"]])
    for golden in load("power", "required-n"):
        assert golden.values["power_at_n"] >= golden.options["power"]
        if "n" in golden.values:
            assert golden.values["n_required"] == np.ceil(golden.values["n"])
    for golden in load("power", "detectable"):
        power = paired_t_power(
            golden.options["n"], golden.values["effect"], golden.options["alpha"], "two-sided"
        )
        assert power == pytest.approx(golden.options["power"], rel=1e-7)


def test_noncentral_t_intervals() -> None:
    for golden in load("effects", "noncentral-t"):
        z = gold.differences(golden.case)
        n = len(z)
        d = z.mean() / z.std(ddof=1)
        agree(golden, cohen_d=d)
        sided = 2 if golden.alternative == "two-sided" else 1
        tail = (1 - golden.options["level"]) / sided
        sign = -1 if d < 0 else 1  # SciPy's nct is accurate for t > 0 only
        for end, probability in (("lower", 1 - tail), ("upper", tail)):
            limit = golden.values[end]
            if np.isfinite(limit):
                reached = stats.nct.cdf(abs(d) * np.sqrt(n), n - 1, sign * limit * np.sqrt(n))
                assert reached == pytest.approx(probability if sign > 0 else 1 - probability, rel=1e-7), (
                    golden
                )


def test_effectsize_package_agrees_with_the_definitions() -> None:
    exact = {(g.case, g.alternative): g for g in load("effects", "noncentral-t", level=0.95)}
    formula = {g.case: g for g in load("effects", "formula")}
    for golden in load("effects", "cohens_d"):
        reference = exact[golden.case, golden.alternative]
        agree(golden, **reference.values, rel=1e-4, absolute=1e-5)
    for golden in load("effects", "hedges_g"):
        n = len(gold.differences(golden.case))
        factor = formula[golden.case].values["hedges_correction"]
        assert factor == pytest.approx(gamma((n - 1) / 2) / (sqrt((n - 1) / 2) * gamma((n - 2) / 2)))
        limits = exact[golden.case, golden.alternative].values
        agree(golden, lower=factor * limits["lower"], upper=factor * limits["upper"], rel=1e-4, absolute=1e-5)


def test_other_effects_from_their_definitions() -> None:
    for golden in load("effects", "formula"):
        u, v = gold.pair(golden.case)
        wins, ties = np.mean(gold.differences(golden.case) > 0), np.mean(gold.differences(golden.case) == 0)
        agree(golden, common_language=wins + ties / 2, mean_difference=np.mean(u) - np.mean(v), absolute=1e-9)
        d_av = (np.mean(u) - np.mean(v)) / np.sqrt((np.var(u, ddof=1) + np.var(v, ddof=1)) / 2)
        agree(golden, cohen_d_av=d_av, rel=1e-6)
    for golden in load("effects", "wilcoxon-r"):
        z = gold.differences(golden.case)
        standardised = stats.wilcoxon(z, alternative="greater", method="asymptotic").zstatistic
        agree(golden, z=standardised, r=standardised / np.sqrt(np.sum(z != 0)))
    definition = {golden.case: golden for golden in load("effects", "rank-biserial")}
    for golden in load("effects", "rank_biserial"):
        agree(golden, **definition[golden.case].values)
    for golden in load("effects", "walsh-median"):
        z = gold.differences(golden.case)
        i, j = np.triu_indices(len(z))
        agree(golden, hodges_lehmann=np.median((z[i] + z[j]) / 2))
    walsh = {golden.case: golden for golden in load("effects", "walsh-median")}
    for golden in load("effects", "pseudomedian"):
        agree(golden, **walsh[golden.case].values)


def test_odds_ratio_and_cohen_g() -> None:
    for golden in [*load("effects", "odds-ratio"), *load("effects", "cohen-g")]:
        b, c = int(golden.options["b"]), int(golden.options["c"])
        test = stats.binomtest(b, b + c, alternative=golden.alternative)
        low, high = test.proportion_ci(golden.options["level"])
        if golden.method == "cohen-g":
            agree(golden, cohen_g=b / (b + c) - 0.5, lower=low - 0.5, upper=high - 0.5)
        else:
            odds = [p / (1 - p) if p < 1 else np.inf for p in (low, high)]
            agree(golden, odds_ratio=b / c if c else np.inf, lower=odds[0], upper=odds[1])


def test_block_t() -> None:
    read = gold.columns(gold.INPUTS / "blocks.csv")
    z = gold.numbers(read["u"]) - gold.numbers(read["v"])
    block = np.unique(read["block"], return_inverse=True)[1]
    for golden in load("blocks", "block-t"):
        delta = golden.options["delta"]
        error, freedom = adjusted_by_matrices(z, block)
        agree(
            golden, estimate=z.mean(), standard_error=error, statistic=(z.mean() - delta) / error, df=freedom
        )
        if golden.alternative == "two-sided":
            low, high = stats.t.interval(golden.options["level"], freedom, z.mean(), error)
            p_value = 2 * stats.t.sf(abs(z.mean() - delta) / error, freedom)
            agree(golden, p_value=p_value, lower=low, upper=high)
    sums = np.rint(np.bincount(block, weights=z) * 10).astype(int)
    for golden in load("blocks", "enumeration"):
        result = stats.permutation_test(
            (sums,),
            lambda x, axis: np.sum(x, axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=golden.alternative,
            vectorized=True,
        )
        agree(golden, p_value=result.pvalue)


def test_counts_by_exact_fractions() -> None:
    """Five units, every swap, in fractions: no tolerance at all."""
    read = {key: [int(x) for x in column] for key, column in gold.columns(gold.INPUTS / "counts.csv").items()}
    names = {
        "accuracy": ("correct_a", "total_a", "correct_b", "total_a"),
        "accuracy-2d": ("correct_a", "total_a", "correct_b", "total_b"),
        "f1": ("tp_a", "wrong_a", "tp_b", "wrong_b"),
    }

    def score(case: str, first: int, second: int) -> Fraction:
        if case == "f1":
            return Fraction(2 * first, 2 * first + second) if first + second else Fraction(0)
        return Fraction(first, second)

    for golden in load("counts", units=5.0):
        units = list(zip(*(read[name][:5] for name in names[golden.case]), strict=True))
        null = []
        for swaps in itertools.product([False, True], repeat=5):
            arms = [
                (c, d, a, b) if swap else (a, b, c, d)
                for swap, (a, b, c, d) in zip(swaps, units, strict=True)
            ]
            x, y, p, q = (sum(column) for column in zip(*arms, strict=True))
            null.append(score(golden.case, x, y) - score(golden.case, p, q))
        observed = null[0]
        reached = {
            "greater": [d >= observed for d in null],
            "less": [d <= observed for d in null],
            "two-sided": [abs(d) >= abs(observed) for d in null],
        }[golden.alternative]
        agree(golden, statistic=float(observed), p_value=float(np.mean(reached)))


def test_bootstrap_median_in_closed_form() -> None:
    for golden in load("bootstrap_median"):
        n = len(gold.differences(golden.case))
        if n % 2:
            k = np.arange(1, n + 1)
            below = stats.binom.sf((n - 1) / 2, n, k / n)
            agree(golden, **{f"le_{i}": p for i, p in zip(k, below, strict=True)})
        assert golden.values[f"le_{n}"] == golden.values["ge_1"] == 1
