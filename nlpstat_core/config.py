"""AnalysisConfig: every choice an analysis depends on, frozen and checked, a field with its record each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from nlpstat_core.catalogue import CORRECTIONS, EFFECTS, TESTS, fitting_tests
from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.settings import attributes_of, setting, settings_of
from nlpstat_core.version import VERSION

RECOMMENDED = "recommended"
# block_column: documents by the role of a column where recommended tests are used; None, as people write it.
AUTO, NONE = "auto", "none"
# What `intervals` may name beside effect sizes: the quantity a test is about, and all differences together.
ESTIMATE, SIMULTANEOUS = "estimate", "simultaneous"
# More resamples would tell p-values apart that nobody tells apart, at any price.
MOST_RESAMPLES, LARGEST_UNIT, LARGEST_SEED = 10_000_000, 10**12, 2**128 - 1

Question = Literal["mean", "each-pair"]
Alternative = Literal["two-sided", "greater", "less"]
UnitMetric = Literal["mean", "median"]
UnitRemainder = Literal["spread", "drop"]
MissingPolicy = Literal["pairwise", "complete", "error"]
ZeroMethod = Literal["wilcox", "pratt", "zsplit"]
McNemarVariant = Literal["exact", "mid-p", "asymptotic", "continuity"]
RunsKind = Literal["training", "samples"]


@dataclass(frozen=True, kw_only=True)
class AnalysisConfig:
    """Settings of one analysis; two analyses with equal settings and scores give equal numbers.

    "recommended" stands for the test of the mean (of counts, the micro-averaged score) that suits a pair, or
    for NLPStatTest's choice from each pair's data; a test named by its key sets its own question. With
    `block_column="auto"` recommended tests compare whole documents where a column with that role names ten or
    more, with None units are independent; the config of an analysis has the column or None. `delta` enters
    tests only, `runs` changes nothing where no system has several.

    Attributes
    ----------
    {settings}

    Raises
    ------
    ConfigError
        A value that can't be used, with the values that can.

    Examples
    --------
    >>> AnalysisConfig(test="wilcoxon", alpha=0.01).signature.rpartition("|")[0]
    'test:wilcoxon|adj:holm|alpha:0.01|B:10000|seed:0'
    >>> AnalysisConfig(test="wilcoxn")
    Traceback (most recent call last):
    nlpstat_core.errors.ConfigError: Unknown test 'wilcoxn'. Did you mean 'wilcoxon'? Available: ...
    """

    question: Question = setting(
        "mean",
        kind="choice",
        label="Question",
        help="what 'recommended' asks: mean (default), or each-pair as in NLPStatTest",
        hint="What the recommended tests ask. The board is sorted by the mean, so tests of the mean can't "
        "contradict it; NLPStatTest's procedure chooses each pair's test from its data instead.",
        group="main",
        words={"mean": "Do the means differ?", "each-pair": "Each pair its own (NLPStatTest)"},
    )
    test: str = setting(
        RECOMMENDED,
        kind="choice",
        label="Test",
        help="test for every pair, or 'recommended' (see `methods`)",
        group="main",
        words={RECOMMENDED: "Recommended"},
        catalogue=TESTS,
        formerly=("sig_test_name",),
    )
    correction: str = setting(
        "holm",
        kind="choice",
        label="Correction for many comparisons",
        help="correction for multiple comparisons (see `methods`)",
        group="main",
        catalogue=CORRECTIONS,
    )
    alpha: float = setting(
        0.05,
        kind="probability",
        label="Significance level α",
        help="significance level of the family",
        hint="The error rate that the correction controls for all pairs together. "
        "A pair counts as different if its adjusted p is at most α.",
        group="main",
        formerly=("sig_test_alpha",),
    )
    seed: int = setting(
        0,
        kind="whole",
        label="Seed",
        help="seed of all random numbers",
        hint="The same seed gives the same numbers.",
        bounds=(0, LARGEST_SEED),
    )
    alternative: Alternative = setting(
        "two-sided",
        kind="choice",
        label="Alternative",
        help="two-sided, greater or less: the first system of a pair relative to the second",
        hint="About the first system of a pair.",
        group="comparison",
        words={
            "two-sided": "Two-sided: the two systems differ",
            "greater": "Greater: the first system scores higher",
            "less": "Less: the first system scores lower",
        },
        formerly=("h1",),
    )
    delta: float = setting(
        0.0,
        kind="number",
        label="Hypothesised difference δ",
        help="hypothesised difference A − B",
        hint="A − B under the null hypothesis, metric points.",
        group="comparison",
        formerly=("mu",),
    )
    confidence_level: float | None = setting(
        None,
        kind="probability",
        label="Confidence level",
        help="level of the intervals (default 1 − alpha)",
        hint="Of all intervals; empty means 1 − α.",
        group="effects",
        empty="1 − α",
    )
    baseline: str | None = setting(
        None,
        kind="system",
        label="Baseline",
        help="compare every system with this one only",
        hint="Compare every system with this one only.",
        group="comparison",
        words={None: "none: all pairs"},
    )
    effects: tuple[str, ...] = setting(
        ("cohen-d", "hedges-g", "wilcoxon-r"),
        kind="choices",
        label="Effect sizes for all pairs",
        help="effect sizes for all pairs, separated by commas",
        hint="The pair page shows all of them anyway.",
        group="effects",
        catalogue=EFFECTS,
        formerly=("eff_size_ind",),
    )
    intervals: tuple[str, ...] = setting(
        (),
        kind="choices",
        label="Further intervals for all pairs",
        help="further intervals for all pairs, separated by commas: effect sizes, estimate, simultaneous",
        hint="The pair page shows all of them anyway, except the simultaneous ones: those hold for all pairs "
        "together at the confidence level.",
        group="effects",
        words={ESTIMATE: "What the test is about", SIMULTANEOUS: "All differences together (simultaneous)"},
        catalogue=EFFECTS,
    )
    resamples: int = setting(
        10_000,
        kind="whole",
        label="Resamples",
        help="resamples of bootstrap, max-T and Monte Carlo",
        hint="Bootstrap, max-T and Monte Carlo.",
        bounds=(1, MOST_RESAMPLES),
        formerly=("sig_boot_perm_B", "sig_boot_iterations"),
    )
    unit_size: int = setting(
        1,
        kind="whole",
        label="Rows per item",
        help="number of adjacent rows that form one item",
        hint="Adjacent rows are taken together.",
        group="units",
        bounds=(1, LARGEST_UNIT),
        formerly=("eval_unit_size",),
    )
    unit_metric: UnitMetric = setting(
        "mean",
        kind="choice",
        label="Score of an item",
        help="mean or median of the rows of an item",
        group="units",
        words={"mean": "Mean", "median": "Median"},
        formerly=("eval_unit_met", "eval_unit_stat"),
    )
    unit_remainder: UnitRemainder = setting(
        "spread",
        kind="choice",
        label="Left-over rows",
        help="left-over rows: spread or drop",
        group="units",
        words={"spread": "Spread over the items", "drop": "Drop"},
    )
    shuffle_seed: int | None = setting(
        None,
        kind="whole",
        label="Shuffle rows first (seed)",
        help="shuffle rows before they form items",
        hint="Shuffling hides that neighbouring rows are alike; leave it empty unless you know why.",
        group="units",
        bounds=(0, LARGEST_SEED),
        empty="keep the order",
    )
    block_column: str | None = setting(
        AUTO,
        kind="column",
        label="Documents",
        help="label column that names the documents; auto (default), or none",
        hint="Label column that names the documents. auto: with the recommended test, a column with such a "
        "name, if it names ten documents or more. none: all items are independent.",
        group="units",
        words={AUTO: AUTO, NONE: NONE},
    )
    missing: MissingPolicy = setting(
        "pairwise",
        kind="choice",
        label="Missing scores",
        help="missing scores: pairwise, complete or error",
        group="units",
        words={
            "pairwise": "Per pair: items both systems have",
            "complete": "Only items every system has",
            "error": "Refuse missing scores",
        },
    )
    equivalence_margin: float | None = setting(
        None,
        kind="number",
        label="Equivalence margin",
        help="differences smaller than this are equivalent",
        hint="Differences smaller than this don't matter, metric points.",
        group="comparison",
        bounds=(0, math.inf),
        empty="none",
    )
    normality_alpha: float = setting(
        0.05,
        kind="probability",
        label="Level of the normality test",
        help="level of the Shapiro–Wilk test",
        formerly=("normal_test_alpha",),
    )
    skewness_limits: tuple[float, float] = setting(
        (0.5, 1.0),
        kind="limits",
        label="Limits of skewness",
        help="skewness from which differences count as slightly and as highly skewed",
        parts={"skewness_slight": "Slightly skewed from", "skewness_high": "Highly skewed from"},
    )
    zero_method: ZeroMethod = setting(
        "wilcox",
        kind="choice",
        label="Zeros in Wilcoxon's test",
        help="zeros in Wilcoxon's test: wilcox, pratt or zsplit",
        words={
            "wilcox": "Drop zeros (Wilcoxon)",
            "pratt": "Rank zeros, then drop (Pratt)",
            "zsplit": "Split zeros between the sides",
        },
    )
    continuity: bool = setting(
        False, kind="flag", label="Continuity correction (Wilcoxon)", help="continuity correction (Wilcoxon)"
    )
    mcnemar: McNemarVariant = setting(
        "exact",
        kind="choice",
        label="McNemar's test",
        help="variant: exact, mid-p, asymptotic or continuity",
        words={
            "exact": "Exact",
            "mid-p": "Mid-p",
            "asymptotic": "Asymptotic",
            "continuity": "Asymptotic with continuity correction",
        },
    )
    runs: RunsKind = setting(
        "training",
        kind="choice",
        label="Several runs of a system are",
        help="what several runs are: training (results should hold for other runs) or samples",
        hint="Matters only if systems have several runs. Training runs: results generalise to other runs. "
        "Samples: runs are averaged, and results hold for these runs only.",
        group="comparison",
        words={"training": "Training runs (seeds, folds)", "samples": "Repeated samples"},
    )
    pooled_runs: bool = setting(
        False,
        kind="flag",
        label="Pool the variance of runs",
        help="give a system with one training run the variance of the others",
        hint="Gives a system with one training run the variance of the other systems' runs.",
    )

    def __post_init__(self) -> None:
        for name, record in settings_of(type(self)).items():
            object.__setattr__(self, name, record.checked(getattr(self, name)))
        fitting = [test.key for test in fitting_tests(self.correction)]
        if len(fitting) < len(TESTS) and self.test not in fitting and not self.about_means:
            asked = " (question each-pair)" if self.test == RECOMMENDED else ""
            raise ConfigError(
                f"The correction {self.correction} can't be used with test {shown(self.test)}{asked}; "
                f"it goes with: {', '.join(fitting)}, and recommended tests of the mean."
            )

    @property
    def about_means(self) -> bool:
        """Whether the recommended tests of the mean are used, so that all pairs answer one question."""
        return self.test == RECOMMENDED and self.question == "mean"

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return 1.0 - self.alpha if self.confidence_level is None else self.confidence_level

    @property
    def signature(self) -> str:
        """One line that names what determines the numbers; defaults, and no documents, are left out."""
        asked = [f"question:{self.question}"] if self.test == RECOMMENDED else []
        parts = [f"test:{self.test}", *asked, f"adj:{self.correction}", f"alpha:{self.alpha:g}"]
        parts += [f"B:{self.resamples}", f"seed:{self.seed}"]
        named = {"test", "question", "correction", "alpha", "resamples", "seed"}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "block_column" and value is None:
                continue  # of an analysis, whose "auto" is settled: units are independent
            if field.name not in named and value != field.default:
                shown_value = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
                parts.append(f"{field.name}:{shown_value.replace('|', '/')}")
        return "|".join([*parts, f"v:{VERSION}"])

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain data; `from_mapping` reads them back."""
        data = asdict(self)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> AnalysisConfig:
        """Settings from YAML, JSON or command-line options.

        Parameters
        ----------
        data : mapping
            Field names to values; numbers given as text ("1e-3" is text in YAML 1.1) are converted.

        Returns
        -------
        AnalysisConfig

        Raises
        ------
        ConfigError
            Unknown fields or values that can't be used.
        """
        records = settings_of(cls)
        for key in data:
            if key not in records:
                raise ConfigError(unknown("setting", key, records))
        return cls(**{key: records[key].from_text(value) for key, value in data.items()})


AnalysisConfig.__doc__ = str(AnalysisConfig.__doc__).replace("{settings}", attributes_of(AnalysisConfig))
SETTINGS = settings_of(AnalysisConfig)
