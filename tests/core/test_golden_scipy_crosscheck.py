"""The golden tables from R against SciPy, statsmodels or plain counting: nothing of this project is used.

A golden value that two unrelated programs agree on is a value to hold our own code to. Where R and SciPy are
known to differ, the difference is stated at the check.
"""

import itertools
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from golden import golden as gold
from golden.golden import Golden, agree, load
from scipy import special, stats
from statsmodels.stats.contingency_tables import mcnemar


def shifted(golden: Golden) -> np.ndarray:
    return np.round(gold.differences(golden.case) - golden.options.get("delta", 0), 6)


def test_inputs_are_made_by_their_script(tmp_path: Path) -> None:
    script = gold.INPUTS / "make_inputs.py"
    subprocess.run([sys.executable, "-W", "error", script, tmp_path], check=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.csv"))
    assert made == sorted(
        path.relative_to(gold.INPUTS) for path in gold.INPUTS.rglob("*.csv") if path.stem != "battles"
    )
    for path in made:
        assert (tmp_path / path).read_bytes() == (gold.INPUTS / path).read_bytes(), path


def test_every_table_has_a_script_and_says_so() -> None:
    scripts = {path.stem for path in gold.HERE.glob("*.R")} - {"common"}
    tables = {path.stem for path in gold.HERE.glob("*.csv")} - {
        "log_tails",
        "preferences",
        "preference_freedom",
    }
    assert scripts == tables
    assert (gold.HERE / "log_tails.py").exists()  # 50-digit arithmetic, not R
    assert (gold.HERE / "preference_freedom.py").exists()  # statsmodels and the definition
    assert (gold.HERE / "preferences.py").exists()  # evalica and statsmodels, not R; makes battles.csv, too
    for topic in tables:
        first = (gold.HERE / f"{topic}.csv").read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith(f"# Made by tests/golden/{topic}.R with R version ")


def test_an_empty_selection_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"No golden values in t\.csv"):
        load("t", "no such method")


def test_t() -> None:
    for golden in load("t"):
        u, v = gold.pair(golden.case)
        delta, level = golden.options["delta"], golden.options["level"]
        result = stats.ttest_1samp(u - v, delta, alternative=golden.alternative)
        interval = result.confidence_interval(level)
        tails = {"greater": stats.t.logsf, "less": stats.t.logcdf}
        if golden.alternative == "two-sided":
            log_p = min(0.0, np.log(2) + stats.t.logsf(abs(result.statistic), len(u) - 1))
        else:
            log_p = tails[golden.alternative](result.statistic, len(u) - 1)
        agree(golden, statistic=result.statistic, df=result.df, lower=interval.low, upper=interval.high)
        agree(golden, standard_error=stats.sem(u - v), estimate=np.mean(u - v))
        if golden.case != "extreme-400":
            agree(golden, p_value=result.pvalue, absolute=0)
            agree(golden, log10_p=log_p / np.log(10), rel=1e-8)


def test_t_below_the_smallest_float() -> None:
    """The tail of Student's t as a series: SciPy's logsf gives up where p is below 1e-308."""
    for alternative, sides in (("greater", 1), ("two-sided", 2)):
        (golden,) = [
            g
            for g in load("t", delta=0.0, level=0.95)
            if g.case == "extreme-400" and g.alternative == alternative
        ]
        t, df = golden.values["statistic"], golden.values["df"]
        w = df / (df + t * t)
        k = np.arange(60)
        # P(T > t) = I_w(df/2, 1/2) / 2 = w^(df/2) / (2 B(df/2, 1/2)) * sum_k (1/2)_k / k! * w^k / (df/2 + k)
        series = np.sum(special.poch(0.5, k) / special.factorial(k) * w**k / (df / 2 + k))
        log_p = df / 2 * np.log(w) - np.log(2) - special.betaln(df / 2, 0.5) + np.log(series)
        assert golden.values["p_value"] < 1e-300
        agree(golden, log10_p=(log_p + np.log(sides)) / np.log(10))


def test_wilcoxon_exact_with_ties_by_permutation() -> None:
    checked = 0
    for golden in load("wilcoxon", "wilcox.exact"):
        z = shifted(golden)
        z = z[z != 0]
        ranks = stats.rankdata(np.abs(z))
        agree(golden, statistic=ranks[z > 0].sum())
        if len(z) <= 9 and golden.options["delta"] == 0:
            method = stats.PermutationMethod(n_resamples=512)  # 2^9: all sign patterns
            agree(golden, p_value=stats.wilcoxon(z, alternative=golden.alternative, method=method).pvalue)
            checked += 1
    assert checked > 15


def test_wilcoxon_exact_with_ties_by_convolution() -> None:
    """Larger samples: the distribution of twice the rank sum, counted in whole numbers."""
    for golden in load("wilcoxon", "wilcox.exact"):
        z = shifted(golden)
        z = z[z != 0]
        doubled = np.rint(2 * stats.rankdata(np.abs(z))).astype(int)
        agree(golden, p_value=counted_p(doubled, int(doubled[z > 0].sum()), golden.alternative))


@lru_cache(maxsize=16)
def subset_counts(weights: tuple[int, ...]) -> list[int]:
    """How many subsets of whole-number weights have each sum.

    The counts are digits of one whole number, wide enough for all subsets: a weight shifts and adds them.
    """
    width, digits = len(weights) // 8 + 1, 1
    for weight in weights:
        digits += digits << (8 * width * weight)
    data = digits.to_bytes(width * (sum(weights) + 1), "little")
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width)]


def counted_p(weights: np.ndarray, observed: int, alternative: str) -> float:
    """P-value of the sum of a random subset of whole-number weights, with exact integers."""
    counts, total = subset_counts(tuple(weights.tolist())), 2 ** len(weights)
    greater, less = sum(counts[observed:]) / total, sum(counts[: observed + 1]) / total
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


def test_wilcoxon_without_ties_and_asymptotic() -> None:
    for golden in load("wilcoxon", "wilcox.test"):
        if "delta" not in golden.options:
            continue
        z = shifted(golden)
        exact = golden.options["exact"]
        result = stats.wilcoxon(
            z,
            alternative=golden.alternative,
            correction=bool(golden.options.get("correct", False)),
            method="exact" if exact else "asymptotic",
        )
        agree(golden, p_value=result.pvalue)


@pytest.mark.parametrize("zero", ["wilcox", "pratt"])
def test_wilcoxon_zero_methods_of_coin(zero: str) -> None:
    for golden in load("wilcoxon", "wilcoxsign_test", zero=zero):
        z = shifted(golden)
        if golden.options["distribution"] == "asymptotic":
            result = stats.wilcoxon(z, zero_method=zero, alternative=golden.alternative, method="asymptotic")
            agree(golden, p_value=result.pvalue)
            # two-sided, SciPy gives the z of the smaller rank sum, coin the signed z of W+
            greater = stats.wilcoxon(z, zero_method=zero, alternative="greater", method="asymptotic")
            agree(golden, z=greater.zstatistic)
            continue
        if zero == "wilcox":
            z = z[z != 0]
        doubled = np.rint(2 * stats.rankdata(np.abs(z))).astype(int)
        doubled, z = doubled[z != 0], z[z != 0]
        agree(golden, p_value=counted_p(doubled, int(doubled[z > 0].sum()), golden.alternative))


def test_wilcoxon_intervals() -> None:
    """R's exact interval is the one from the order statistics of the Walsh averages."""
    by_definition = {(g.case, g.alternative, g.options["level"]): g for g in load("wilcoxon", "walsh")}
    compared = 0
    for golden in load("wilcoxon", "wilcox.test", exact=True):
        if "level" in golden.options:
            walsh = by_definition[golden.case, golden.alternative, golden.options["level"]]
            agree(golden, lower=walsh.values["lower"], upper=walsh.values["upper"])
            compared += 1
    assert compared > 60


def test_sign() -> None:
    for golden in load("sign", "binom.test"):
        z = shifted(golden)
        positive, nonzero = int(np.sum(z > 0)), int(np.sum(z != 0))
        p = stats.binomtest(positive, nonzero, alternative=golden.alternative).pvalue
        agree(golden, statistic=positive, n_nonzero=nonzero, p_value=p)
    for golden in load("sign", "order-statistics"):
        z = np.sort(gold.differences(golden.case))
        n, level = len(z), golden.options["level"]
        lower, upper = golden.values["lower"], golden.values["upper"]
        below = np.searchsorted(z, lower) if np.isfinite(lower) else -1
        above = n - np.searchsorted(z, upper, side="right") if np.isfinite(upper) else -1
        tails = stats.binom.cdf(below, n, 0.5) + stats.binom.cdf(above, n, 0.5)
        assert golden.values["level_achieved"] >= level
        if len(set(z)) == n:
            agree(golden, level_achieved=1 - tails)


def test_mcnemar() -> None:
    for golden in load("mcnemar"):
        b, c = int(golden.values["b"]), int(golden.values["c"])
        if golden.method == "binom.test":
            p = stats.binomtest(b, b + c, alternative=golden.alternative).pvalue
            agree(golden, p_value=p, absolute=0)
        elif golden.method == "mcnemar.test":
            # R does not correct towards a difference when b = c; statsmodels gives p = 0.72 for (4, 4)
            correction = golden.options["correct"] and b != c
            result = mcnemar([[10, b], [c, 20]], exact=False, correction=correction)
            agree(golden, statistic=result.statistic, p_value=result.pvalue, absolute=0)
        elif golden.alternative == "two-sided":
            x = min(b, c)
            p = 2 * stats.binom.cdf(x, b + c, 0.5) - stats.binom.pmf(x, b + c, 0.5)
            agree(golden, p_value=p, absolute=0)


def test_permutation_by_enumeration() -> None:
    statistic = {
        "mean": lambda z, axis: np.mean(z, axis=axis),
        "median": lambda z, axis: np.median(z, axis=axis),
    }
    for golden in load("permutation", "enumeration"):
        z = np.rint(shifted(golden) * 1000)  # whole numbers: no tolerance is needed
        if np.all(z == 0):
            continue
        result = stats.permutation_test(
            (z,),
            statistic[golden.options["centre"]],
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=golden.alternative,
            vectorized=True,
        )
        agree(golden, p_value=result.pvalue)


def test_permutation_of_whole_numbers() -> None:
    for golden in load("permutation", centre="mean"):
        if golden.method not in {"perm.test", "symmetry_test"}:
            continue
        z = shifted(golden)
        unit = {"zeros": 10, "normal": 1000}.get(golden.case.split("-")[0], 1)
        z = np.rint(z * unit).astype(int)
        if np.abs(z).sum() > 200_000:
            continue
        agree(golden, p_value=counted_p(np.abs(z), int(z[z > 0].sum()), golden.alternative))


def test_permutation_interval_inverts_the_test() -> None:
    for golden in load("permutation", "subset-means", level=0.8):
        z = gold.differences(golden.case)
        signs = np.array(list(itertools.product([1, -1], repeat=len(z))))
        alpha = 0.1 if golden.alternative == "two-sided" else 0.2
        for end, side in (("lower", 1), ("upper", -1)):
            value = golden.values[end]
            if not np.isfinite(value):
                continue
            inside, outside = (
                np.mean(side * (signs @ (z - delta)) >= side * np.sum(z - delta) - 1e-9)
                for delta in (value + side * 1e-7, value - side * 1e-7)
            )
            assert inside > alpha >= outside, golden


def test_diagnosis() -> None:
    for golden in load("diagnosis"):
        z = gold.differences(golden.case)
        if golden.method == "summary":
            agree(
                golden,
                n=len(z),
                mean=z.mean(),
                median=np.median(z),
                sd=z.std(ddof=1),
                min=z.min(),
                max=z.max(),
            )
            agree(golden, lower_quartile=np.quantile(z, 0.25), upper_quartile=np.quantile(z, 0.75))
        elif golden.method == "skewness":
            agree(golden, g1=stats.skew(z))
        else:
            result = stats.shapiro(z)
            agree(golden, statistic=result.statistic, p_value=result.pvalue, rel=1e-6)
