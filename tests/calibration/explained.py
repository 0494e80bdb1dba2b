"""Which sentence explains a figure that is off: of what, in which situations and sizes, and which way off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.calibration.rows import Row, distances

# Kept off on purpose only where a rule says so; anything else is a defect.
UNEXPLAINED = "UNEXPLAINED"
Direction = Literal[1, -1]
ABOVE: Direction = 1
BELOW: Direction = -1


@dataclass(frozen=True)
class Rule:
    """A sentence's key, which way rates are off the nominal one, and the rows it explains, by name."""

    key: str
    direction: Direction
    groups: tuple[str, ...]
    subjects: tuple[str, ...]
    situations: tuple[str, ...]
    sizes: tuple[str, ...]

    def explains(self, row: Row, off: float) -> bool:
        return (
            off * self.direction > 0
            and row.group in self.groups
            and row.subject in self.subjects
            and row.situation in self.situations
            and row.size in self.sizes
        )


ALL_N = ("n = 20", "n = 50", "n = 200")
FEWER_N = ("n = 20", "n = 50")
BOTH_N = ("n = 20", "n = 100")
FEW = ("n = 20",)
SKEWED = ("M: exponential, means equal", "M: lognormal, means equal")
SKEWED_MEDIANS = ("D: exponential, median 0", "D: lognormal, median 0")
RUN_EFFECTS = (
    "E: run effect 0.1",
    "E: run effect 0.1, items x systems 1",
    "E: run effect 0.5, items x systems 1",
)
UNEQUAL = (
    "geometric documents, correlation 0",
    "geometric documents, correlation 0.3",
    "one big documents, correlation 0",
)
BOARD = ("S = 8, n = 50",)
RULES: tuple[Rule, ...] = (
    Rule(
        "runs-ignored",
        ABOVE,
        ("runs",),
        ("t",),
        RUN_EFFECTS,
        (
            "n = 100, R = 2",
            "n = 100, R = 3",
            "n = 100, R = 5",
            "n = 100, R = 10",
            "n = 1,000, R = 2",
            "n = 1,000, R = 3",
            "n = 1,000, R = 5",
            "n = 1,000, R = 10",
        ),
    ),
    Rule(
        "few-runs",
        ABOVE,
        ("runs",),
        ("crossed-t",),
        RUN_EFFECTS,
        ("n = 100, R = 2", "n = 100, R = 3", "n = 1,000, R = 2", "n = 1,000, R = 3"),
    ),
    Rule(
        "few-runs-interval",
        BELOW,
        ("runs-intervals",),
        ("crossed-t",),
        RUN_EFFECTS,
        ("n = 100, R = 2", "n = 1,000, R = 2"),
    ),
    Rule("few-values", ABOVE, ("type-one",), ("t", "mcnemar (asymptotic)"), ("E: binary",), FEW),
    Rule("t-heavy-tails", ABOVE, ("type-one",), ("t",), ("E: cauchy", "E: lognormal"), ("n = 50", "n = 200")),
    Rule("t-heavy-tails", BELOW, ("type-one",), ("t",), ("E: t3", "E: cauchy", "E: lognormal"), ALL_N),
    Rule(
        "bootstrap-tails",
        ABOVE,
        ("type-one",),
        ("bootstrap-mean",),
        ("E: t3", "E: cauchy", "E: lognormal"),
        ("n = 50",),
    ),
    Rule(
        "bootstrap-tails",
        BELOW,
        ("type-one",),
        ("bootstrap-mean",),
        ("E: beta", "E: t3", "E: cauchy", "E: lognormal"),
        ALL_N,
    ),
    Rule("skewed-mean", ABOVE, ("type-one",), ("t", "permutation-mean"), SKEWED, ALL_N),
    Rule("skewed-mean", BELOW, ("type-one",), ("t", "permutation-mean"), SKEWED, ALL_N),
    Rule(
        "bootstrap-skewed",
        ABOVE,
        ("type-one",),
        ("bootstrap-mean", "bootstrap-mean (equal tails)"),
        SKEWED,
        ALL_N,
    ),
    Rule(
        "bootstrap-skewed",
        BELOW,
        ("type-one",),
        ("bootstrap-mean", "bootstrap-mean (equal tails)"),
        SKEWED,
        FEWER_N,
    ),
    Rule("wilcoxon-other-question", ABOVE, ("type-one",), ("wilcoxon",), (*SKEWED, *SKEWED_MEDIANS), ALL_N),
    Rule("sign-other-question", ABOVE, ("type-one",), ("sign",), SKEWED, ALL_N),
    Rule(
        "recommended-skewed",
        ABOVE,
        ("type-one",),
        ("each-pair",),
        (*SKEWED, "D: exponential, median 0"),
        ALL_N,
    ),
    Rule("median-needs-symmetry", ABOVE, ("type-one",), ("permutation-median",), SKEWED_MEDIANS, ALL_N),
    Rule(
        "bootstrap-median-few",
        ABOVE,
        ("type-one",),
        ("bootstrap-median",),
        (*SKEWED_MEDIANS, "E: normal", "E: beta", "E: t3", "E: cauchy", "E: lognormal"),
        FEW,
    ),
    Rule(
        "units-in-documents",
        ABOVE,
        ("blocks",),
        ("t", "permutation-mean"),
        ("E: equal documents",),
        ("G = 20",),
    ),
    Rule(
        "unequal-documents",
        ABOVE,
        (
            "blocks",
            "documents",
        ),
        ("block-t", "block-bootstrap"),
        (
            "E: unequal documents",
            "E: one giant document",
            "geometric documents, correlation 0",
            "geometric documents, correlation 0.3",
            "one big documents, correlation 0",
        ),
        ("G = 10", "G = 20", "G = 50", "G = 12", "G = 30"),
    ),
    Rule(
        "skewed-documents",
        ABOVE,
        ("blocks",),
        ("block-t", "block-permutation", "block-bootstrap"),
        ("M: skewed documents, means equal",),
        ("G = 10", "G = 20"),
    ),
    Rule(
        "unequal-spreads",
        ABOVE,
        ("unpaired",),
        ("student-t", "permutation-unpaired"),
        ("M: the small sample spreads 3 times wider",),
        ("n = 10, 40",),
    ),
    Rule(
        "unequal-spreads",
        BELOW,
        ("unpaired",),
        ("student-t", "permutation-unpaired"),
        ("M: the large sample spreads 3 times wider",),
        ("n = 40, 10",),
    ),
    Rule(
        "mann-whitney-spreads",
        ABOVE,
        ("unpaired",),
        ("mann-whitney",),
        ("M: one sample spreads 3 times wider", "M: the small sample spreads 3 times wider"),
        ("n = 20, 20", "n = 10, 40"),
    ),
    Rule(
        "unpaired-skewed",
        ABOVE,
        ("unpaired",),
        ("welch-t", "student-t", "bootstrap-unpaired"),
        ("E: lognormal",),
        ("n = 10, 40", "n = 50, 50"),
    ),
    Rule(
        "unpaired-skewed",
        BELOW,
        ("unpaired",),
        ("welch-t", "student-t", "bootstrap-unpaired"),
        ("E: t3", "E: lognormal"),
        ("n = 20, 20", "n = 10, 40", "n = 50, 50"),
    ),
    Rule("planned-wilcoxon", BELOW, ("power",), ("power of wilcoxon",), ("d = 1",), ("n = 10",)),
    Rule(
        "no-correction",
        ABOVE,
        ("boards",),
        ("none: t", "none: each-pair"),
        ("normal; all equal", "normal; two groups", "normal; steps of two"),
        BOARD,
    ),
    Rule(
        "max-t-skewed",
        ABOVE,
        ("boards",),
        ("max-t: t",),
        ("unlike skewed shapes; all equal", "unlike skewed shapes; two groups"),
        BOARD,
    ),
    Rule(
        "simultaneous-skewed",
        BELOW,
        ("simultaneous",),
        ("simultaneous (max-t, t)", "simultaneous (bonferroni, t)"),
        ("unlike skewed shapes",),
        BOARD,
    ),
    Rule(
        "omnibus-spreads",
        ABOVE,
        ("omnibus",),
        ("iman-davenport", "anova", "anova-greenhouse-geisser", "nemenyi"),
        ("M: unequal spreads",),
        ("S = 6, n = 10",),
    ),
    Rule(
        "omnibus-spreads",
        BELOW,
        ("omnibus",),
        ("anova-greenhouse-geisser",),
        ("M: unequal spreads",),
        ("S = 6, n = 10",),
    ),
    Rule("few-expected", ABOVE, ("categorical",), ("independence",), ("E: independent categories",), FEW),
    Rule(
        "few-expected",
        BELOW,
        ("categorical",),
        ("goodness-of-fit", "independence"),
        ("E: independent categories",),
        FEW,
    ),
    Rule(
        "omnibus-few-units",
        BELOW,
        ("omnibus",),
        ("friedman", "anova-greenhouse-geisser", "cochran-q", "skillings-mack"),
        ("E: normal", "E: binary", "E: ratings", "E: missing cells"),
        ("S = 6, n = 10", "S = 6, n = 50"),
    ),
    Rule(
        "board-of-skewed",
        ABOVE,
        ("boards",),
        (
            "holm: t",
            "benjamini-hochberg: t",
            "shaffer: t",
            "holm: each-pair",
            "benjamini-hochberg: each-pair",
            "shaffer: each-pair",
        ),
        ("unlike skewed shapes; all equal", "unlike skewed shapes; two groups"),
        BOARD,
    ),
    Rule(
        "median-basic",
        BELOW,
        ("intervals",),
        ("bootstrap-median (basic)",),
        ("normal", "t3", "exponential", "likert, no difference"),
        BOTH_N,
    ),
    Rule("median-interval-few", BELOW, ("intervals",), ("bootstrap-median",), ("normal", "exponential"), FEW),
    Rule(
        "bootstrap-interval-few",
        ABOVE,
        ("intervals",),
        ("bootstrap-mean (percentile)", "bootstrap-mean (basic)"),
        ("exponential",),
        FEW,
    ),
    Rule(
        "bootstrap-interval-few",
        BELOW,
        ("intervals",),
        ("bootstrap-mean (percentile)", "bootstrap-mean (basic)", "bootstrap-mean (BCa)"),
        ("normal", "t3", "exponential", "likert, no difference", "binary, no difference"),
        BOTH_N,
    ),
    Rule("bootstrap-interval-tails", ABOVE, ("intervals",), ("bootstrap-mean",), ("t3",), BOTH_N),
    Rule(
        "bootstrap-interval-tails",
        BELOW,
        ("intervals",),
        ("bootstrap-mean", "bootstrap-mean (equal tails)"),
        ("t3",),
        BOTH_N,
    ),
    Rule(
        "interval-skewed",
        ABOVE,
        (
            "intervals",
            "inversion",
        ),
        ("t", "permutation-mean", "bootstrap-mean", "mean-difference"),
        ("exponential",),
        ("n = 20", "n = 12"),
    ),
    Rule(
        "interval-skewed",
        BELOW,
        (
            "intervals",
            "inversion",
        ),
        ("t", "permutation-mean", "bootstrap-mean", "mean-difference"),
        ("exponential",),
        ("n = 20", "n = 12"),
    ),
    Rule("interval-skewed", BELOW, ("scores",), ("board-score",), ("means: exponential",), FEW),
    Rule(
        "standardised-shape",
        ABOVE,
        ("intervals",),
        ("cohen-d", "hedges-g", "cohen-d (normal)"),
        ("exponential",),
        BOTH_N,
    ),
    Rule(
        "standardised-shape",
        BELOW,
        ("intervals",),
        ("cohen-d", "hedges-g", "cohen-d (normal)"),
        ("t3",),
        BOTH_N,
    ),
    Rule(
        "percentile-effects",
        BELOW,
        ("intervals",),
        ("cohen-d-av", "rank-biserial", "wilcoxon-r (bootstrap)"),
        ("binary", "normal", "t3", "exponential", "likert, no difference", "binary, no difference"),
        BOTH_N,
    ),
    Rule("fisher-r", BELOW, ("intervals",), ("wilcoxon-r",), ("normal",), FEW),
    Rule("wilson-share", ABOVE, ("intervals",), ("common-language",), ("normal", "t3"), FEW),
    Rule(
        "wilson-share",
        BELOW,
        ("intervals",),
        ("common-language",),
        ("normal", "exponential", "likert, no difference", "binary, no difference"),
        FEW,
    ),
    Rule(
        "unequal-documents-interval",
        BELOW,
        (
            "designs",
            "scores",
            "documents",
        ),
        ("block-t", "block-bootstrap", "block-t (interval)", "block-bootstrap (interval)", "board-score"),
        (*UNEQUAL, "unequal documents", "one giant document", "means by document: unequal documents"),
        ("G = 10", "G = 12", "G = 20", "G = 30", "G = 50"),
    ),
    Rule(
        "unpaired-interval",
        BELOW,
        ("designs",),
        ("student-t", "mann-whitney", "cohen-d (unpaired)", "hedges-g (unpaired)"),
        ("unpaired: normal, the small sample spreads 3 times wider",),
        ("n = 10, 40",),
    ),
    Rule(
        "unpaired-interval-skewed",
        ABOVE,
        ("designs",),
        ("bootstrap-unpaired", "welch-t, permutation-unpaired", "mean-difference (unpaired)"),
        ("unpaired: lognormal",),
        ("n = 20, 20",),
    ),
    Rule(
        "bootstrap-unpaired-few",
        BELOW,
        ("unpaired",),
        ("bootstrap-unpaired",),
        ("M: the small sample spreads 3 times wider",),
        ("n = 10, 40",),
    ),
    Rule(
        "variance-ratio-shape",
        ABOVE,
        ("unpaired",),
        ("variance-ratio",),
        ("E: t3", "E: lognormal"),
        ("n = 20, 20", "n = 50, 50"),
    ),
    Rule(
        "swap-correlation-tails",
        ABOVE,
        ("measures",),
        ("swap",),
        ("Pearson correlation, lognormal errors",),
        ("n = 100", "n = 300", "n = 1,000"),
    ),
    Rule(
        "jackknife-correlation-tails",
        BELOW,
        ("measures",),
        ("swap (jackknife interval)",),
        ("Pearson correlation, lognormal errors", "Pearson correlation, lognormal errors; apart"),
        ("n = 100", "n = 300", "n = 1,000"),
    ),
)


def explanation(row: Row, off: float) -> str:
    """Key of the sentence that explains a figure `off` by so many standard errors."""
    return next((rule.key for rule in RULES if rule.explains(row, off)), UNEXPLAINED)


def unexplained(row: Row) -> list[str]:
    """What is off in a row without a rule: which way, and its figures."""
    figures = zip(row.figures, distances(row), strict=True)
    away = [(figure, off) for figure, off in figures if off and explanation(row, off) == UNEXPLAINED]
    return [
        f"{row.name}, {'ABOVE' if off > 0 else 'BELOW'}: {figure.what} {100 * figure.rate:.1f} ± "
        f"{100 * figure.error:.2f} %"
        for figure, off in away
    ]


def verdicts(row: Row) -> tuple[str, ...]:
    """Keys of the sentences that a row needs; none where every figure is as promised."""
    found = (explanation(row, off) for off in distances(row) if off)
    return tuple(dict.fromkeys(found))
