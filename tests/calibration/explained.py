"""Which sentence explains a figure that is off: what it is about, in which situations, and which way off."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from tests.calibration.rows import Row, distances

# Kept off on purpose only where a rule says so; anything else is a defect.
UNEXPLAINED = "UNEXPLAINED"


@dataclass(frozen=True)
class Rule:
    """A sentence's key, the rows it may explain (patterns of `fnmatch`) and which way rates are off."""

    key: str
    groups: str
    subjects: tuple[str, ...]
    situations: tuple[str, ...] = ("*",)
    sizes: tuple[str, ...] = ("*",)
    direction: int = 0  # +1 only above nominal, −1 only below, 0 either

    def explains(self, row: Row, off: float) -> bool:
        def fits(patterns: tuple[str, ...], text: str) -> bool:
            return any(fnmatchcase(text, pattern) for pattern in patterns)

        return (
            off * self.direction >= 0
            and row.group in self.groups.split()
            and fits(self.subjects, row.subject)
            and fits(self.situations, row.situation)
            and fits(self.sizes, row.size)
        )


TAILS = ("E: beta", "E: t3", "E: cauchy", "E: lognormal", "E: counts", "E: likert", "E: binary")
RULES: tuple[Rule, ...] = (
    Rule("runs-ignored", "runs", ("t",), ("E: run effect*",), direction=1),
    Rule("few-runs", "runs", ("crossed-t",), ("E: run effect*",), ("*R = 2", "*R = 3"), direction=1),
    Rule("few-runs-interval", "runs-intervals", ("crossed-t",), ("E: run*",), ("*R = 2",), direction=-1),
    Rule("few-values", "type-one", ("t", "mcnemar (*"), ("E: binary",)),
    Rule("t-heavy-tails", "type-one", ("t",), TAILS),
    Rule("bootstrap-tails", "type-one", ("bootstrap-mean*",), ("E: *",)),
    Rule("skewed-mean", "type-one", ("t", "permutation-mean"), ("M: *",)),
    Rule("bootstrap-skewed", "type-one", ("bootstrap-mean*",), ("M: *",)),
    Rule("wilcoxon-other-question", "type-one", ("wilcoxon",), ("M: *", "D: *"), direction=1),
    Rule("sign-other-question", "type-one", ("sign",), ("M: *",), direction=1),
    Rule("recommended-skewed", "type-one", ("each-pair",), ("M: *", "D: *"), direction=1),
    Rule("median-needs-symmetry", "type-one", ("permutation-median",), ("D: *",), direction=1),
    Rule("bootstrap-median-few", "type-one", ("bootstrap-median",), direction=1),
    Rule("units-in-documents", "blocks", ("t", "permutation-mean"), direction=1),
    Rule(
        "unequal-documents",
        "blocks documents",
        ("block-t", "block-bootstrap"),
        ("E: unequal documents", "E: one giant document", "geometric *", "one big *"),
        direction=1,
    ),
    Rule("skewed-documents", "blocks", ("block-*",), ("M: *",)),
    Rule("unequal-spreads", "unpaired", ("student-t", "permutation-unpaired"), ("M: *",)),
    Rule("mann-whitney-spreads", "unpaired", ("mann-whitney",), ("M: *",)),
    Rule(
        "unpaired-skewed",
        "unpaired",
        ("welch-t", "student-t", "bootstrap-unpaired"),
        ("E: lognormal", "E: t3"),
    ),
    Rule("planned-wilcoxon", "power", ("power of wilcoxon",), sizes=("n = 10",), direction=-1),
    Rule("no-correction", "boards", ("none: *",), direction=1),
    Rule("max-t-skewed", "boards", ("max-t: *",), ("unlike skewed*",), direction=1),
    Rule("simultaneous-skewed", "simultaneous", ("simultaneous*",), ("unlike skewed*",), direction=-1),
    Rule("omnibus-spreads", "omnibus", ("*",), ("M: unequal spreads",)),
    Rule("few-expected", "categorical", ("goodness-of-fit", "independence"), sizes=("n = 20",)),
    Rule(
        "omnibus-few-units",
        "omnibus",
        ("friedman", "cochran-q", "anova-g*", "skillings-mack"),
        direction=-1,
    ),
    Rule(
        "board-of-skewed",
        "boards",
        ("holm: *", "shaffer: *", "benjamini-hochberg: *"),
        ("unlike skewed*",),
        direction=1,
    ),
    Rule("median-basic", "intervals", ("bootstrap-median (basic)",), direction=-1),
    Rule("median-interval-few", "intervals", ("bootstrap-median",), sizes=("n = 20",), direction=-1),
    Rule(
        "bootstrap-interval-few",
        "intervals",
        ("bootstrap-mean (percentile)", "bootstrap-mean (basic)", "bootstrap-mean (BCa)"),
    ),
    Rule("bootstrap-interval-tails", "intervals", ("bootstrap-mean*",), ("t3",)),
    Rule(
        "interval-skewed",
        "intervals inversion",
        ("t", "bootstrap-mean*", "mean-*", "perm*"),
        ("exponential",),
    ),
    Rule("interval-skewed", "scores", ("board-score",), ("means: exponential",), direction=-1),
    Rule(
        "standardised-shape", "intervals", ("cohen-d", "cohen-d (normal)", "hedges-g"), ("t3", "exponential")
    ),
    Rule("percentile-effects", "intervals", ("cohen-d-av", "rank-biserial", "wilcoxon-r (bootstrap)")),
    Rule("fisher-r", "intervals", ("wilcoxon-r",)),
    Rule("wilson-share", "intervals", ("common-language",)),
    Rule(
        "unequal-documents-interval",
        "designs scores documents",
        ("block-*", "board-score"),
        ("*unequal documents", "one giant document", "geometric *", "one big *"),
        direction=-1,
    ),
    Rule(
        "unpaired-interval",
        "designs",
        ("student-t", "mann-whitney", "cohen-d (*", "hedges-g (*", "cliffs-delta (*", "common-language (*"),
        ("unpaired: *wider",),
    ),
    Rule(
        "unpaired-interval-skewed",
        "designs",
        ("welch-t, *", "student-t", "bootstrap-unpaired", "mean-difference (*"),
        ("unpaired: lognormal",),
        direction=1,
    ),
    Rule("bootstrap-unpaired-few", "unpaired", ("bootstrap-unpaired",), ("E: normal", "E: likert", "M: *")),
    Rule("variance-ratio-shape", "unpaired", ("variance-ratio",), ("E: t3", "E: lognormal"), direction=1),
)


def explanation(row: Row, off: float) -> str:
    """Key of the sentence that explains a figure `off` by so many standard errors."""
    return next((rule.key for rule in RULES if rule.explains(row, off)), UNEXPLAINED)


def verdicts(row: Row) -> tuple[str, ...]:
    """Keys of the sentences that a row needs; none where every figure is as promised."""
    found = (explanation(row, off) for off in distances(row) if off)
    return tuple(dict.fromkeys(found))
