"""Golden tables of two independent groups and of counts in categories against SciPy and plain counting."""

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
from golden import golden as gold
from golden.golden import agree, load
from scipy import special, stats


def test_unpaired() -> None:
    for golden in load("unpaired"):
        u, v = gold.pair(golden.case, "unpaired")
        if golden.method == "t.test":
            result = stats.ttest_ind(
                u - golden.options["delta"],
                v,
                equal_var=golden.options["var_equal"],
                alternative=golden.alternative,
            )
            interval = result.confidence_interval(golden.options["level"])
            agree(golden, statistic=result.statistic, p_value=result.pvalue, df=result.df)
            shift = golden.options["delta"]
            agree(golden, lower=interval.low + shift, upper=interval.high + shift)
        elif golden.method == "wilcox.test":
            result = stats.mannwhitneyu(
                u,
                v,
                alternative=golden.alternative,
                use_continuity=bool(golden.options.get("correct", False)),
                method="exact" if golden.options["exact"] else "asymptotic",
            )
            agree(golden, statistic=result.statistic, p_value=result.pvalue)
        elif golden.method == "var.test":
            f = np.var(u, ddof=1) / np.var(v, ddof=1)
            tails = {
                "greater": stats.f.sf(f, len(u) - 1, len(v) - 1),
                "less": stats.f.cdf(f, len(u) - 1, len(v) - 1),
            }
            p = 2 * min(tails.values()) if golden.alternative == "two-sided" else tails[golden.alternative]
            agree(golden, statistic=f, p_value=p)
        elif golden.method == "cliffs_delta":
            agree(golden, cliffs_delta=np.mean(np.sign(np.subtract.outer(u, v))))
        elif golden.method == "cohens_d":
            n, m = len(u), len(v)
            pooled = ((n - 1) * np.var(u, ddof=1) + (m - 1) * np.var(v, ddof=1)) / (n + m - 2)
            agree(golden, cohen_d=(u.mean() - v.mean()) / np.sqrt(pooled))


def sums_of_labellings(weights: list[int], chosen: int) -> Counter[int]:
    """How many ways to choose so many of the weights give each sum."""
    ways: list[Counter[int]] = [Counter() for _ in range(chosen + 1)]
    ways[0][0] = 1
    for weight in weights:
        for k in range(chosen, 0, -1):
            for total, count in ways[k - 1].items():
                ways[k][total + weight] += count
    return ways[chosen]


def test_unpaired_exact_tests_by_counting_labellings() -> None:
    enumerated = load("unpaired", "enumeration")
    for golden in [*load("unpaired", "wilcox.exact"), *load("unpaired", "perm.test"), *enumerated]:
        u, v = gold.pair(golden.case, "unpaired")
        scores = np.concatenate([u, v])
        doubled_ranks = np.rint(2 * stats.rankdata(scores)).astype(int)
        weights = (doubled_ranks if golden.method == "wilcox.exact" else scores.astype(int)).tolist()
        observed, ways = sum(weights[: len(u)]), sums_of_labellings(weights, len(u))
        number = sum(ways.values())
        middle = sum(weights) * len(u) / len(weights)
        p = {
            "greater": sum(count for total, count in ways.items() if total >= observed) / number,
            "less": sum(count for total, count in ways.items() if total <= observed) / number,
        }
        p["two-sided"] = min(1, 2 * min(p.values()))
        if golden.options.get("tails") == "distance":
            far = abs(observed - middle) - 1e-9
            p["two-sided"] = (
                sum(count for total, count in ways.items() if abs(total - middle) >= far) / number
            )
        agree(golden, p_value=p[golden.alternative])


def fisher_p(table: np.ndarray, alternative: str) -> float:
    if table.shape == (2, 2):
        return float(stats.fisher_exact(table, alternative=alternative).pvalue)
    # every table with these margins, its probability from the multivariate hypergeometric distribution
    columns = table.sum(axis=0)

    def log_probability(rows: list[tuple[int, ...]]) -> float:
        counts = np.array(rows)
        top = special.gammaln(columns + 1).sum() + special.gammaln(counts.sum(axis=1) + 1).sum()
        return float(top - special.gammaln(counts + 1).sum() - special.gammaln(columns.sum() + 1))

    def tables(left: tuple[int, ...], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
        if len(sizes) == 1:
            yield [left]
            return
        for row in itertools.product(*(range(count + 1) for count in left)):
            if sum(row) == sizes[0]:
                rest = tuple(a - b for a, b in zip(left, row, strict=True))
                yield from ([row, *others] for others in tables(rest, sizes[1:]))

    observed = log_probability([tuple(row) for row in table])
    every = [log_probability(rows) for rows in tables(tuple(columns), table.sum(axis=1).tolist())]
    return float(sum(np.exp(p) for p in every if p <= observed + 1e-7))


def test_categorical() -> None:
    for golden in load("categorical"):
        rows = str(golden.options["table"]).split("/")
        table = np.array([row.split() for row in rows], dtype=float)
        if golden.method == "goodness-of-fit":
            result = stats.chisquare(table[0])
            agree(golden, statistic=result.statistic, p_value=result.pvalue, smallest_expected=table.mean())
        elif golden.method == "chisq.test":
            result = stats.chi2_contingency(table, correction=golden.options["correct"])
            agree(golden, statistic=result.statistic, p_value=result.pvalue, df=result.dof)
            agree(golden, smallest_expected=result.expected_freq.min())
        elif golden.method == "fisher.test":
            p = fisher_p(table.astype(int), golden.alternative)
            agree(golden, p_value=p, rel=1e-6)
        else:
            agree(golden, cramers_v=stats.contingency.association(table.astype(int), method="cramer"))
