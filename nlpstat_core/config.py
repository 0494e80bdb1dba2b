"""AnalysisConfig: every choice an analysis depends on, frozen and checked."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from nlpstat_core.catalogue import CORRECTIONS, EFFECTS, TESTS, fitting_tests
from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.version import VERSION

RECOMMENDED = "recommended"
# block_column: documents by the role of a column where recommended tests are used; None, as people write it.
AUTO, NONE = "auto", "none"
# What `intervals` may name beside effect sizes: the quantity a test is about, and all differences together.
ESTIMATE, SIMULTANEOUS = "estimate", "simultaneous"

Question = Literal["mean", "each-pair"]
Alternative = Literal["two-sided", "greater", "less"]
UnitMetric = Literal["mean", "median"]
UnitRemainder = Literal["spread", "drop"]
MissingPolicy = Literal["pairwise", "complete", "error"]
ZeroMethod = Literal["wilcox", "pratt", "zsplit"]
McNemarVariant = Literal["exact", "mid-p", "asymptotic", "continuity"]
RunsKind = Literal["training", "samples"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "question": get_args(Question),
    "alternative": get_args(Alternative),
    "unit_metric": get_args(UnitMetric),
    "unit_remainder": get_args(UnitRemainder),
    "missing": get_args(MissingPolicy),
    "zero_method": get_args(ZeroMethod),
    "mcnemar": get_args(McNemarVariant),
    "runs": get_args(RunsKind),
}
_PROBABILITIES = ("alpha", "confidence_level", "normality_alpha")
# Least and most; more resamples would tell p-values apart that nobody tells apart, at any price.
_COUNTS = {
    "resamples": (1, 10_000_000),
    "unit_size": (1, 10**12),
    "seed": (0, 2**128 - 1),
    "shuffle_seed": (0, 2**128 - 1),
}
# What levels and differences are computed with stays far from the ends of what a number can hold.
SMALLEST, LARGEST, NEAREST = 1e-100, 1e100, 1e-12
_NUMBERS = ("delta", "equivalence_margin")


@dataclass(frozen=True, kw_only=True)
class AnalysisConfig:
    """Settings of one analysis; two analyses with equal settings and scores give equal numbers.

    Attributes
    ----------
    question : {"mean", "each-pair"}
        What "recommended" stands for: the test of the mean (of counts, the micro-averaged score) that suits a
        pair, or NLPStatTest's choice from each pair's data. A test named by its key sets its own question.
    test : str
        Key of the test for every pair, or "recommended".
    correction : str
        Key of the correction for multiple comparisons.
    alpha : float
        Significance level of the family, in (0, 1).
    seed : int
        Seed of every random number.
    alternative : {"two-sided", "greater", "less"}
        Alternative about system a relative to system b.
    delta : float
        Hypothesised difference a − b, metric points; enters tests only.
    confidence_level : float or None
        Level of every interval; None means 1 − alpha.
    baseline : str or None
        Compare every system with this one only.
    effects : tuple of str
        Effect sizes computed for all pairs.
    intervals : tuple of str
        Further intervals computed for all pairs: effect keys, "estimate" (of what the test is about), or
        "simultaneous" (intervals of all differences that hold together).
    resamples : int
        Resamples of bootstrap, max-T and Monte Carlo.
    unit_size : int
        Adjacent rows that form one evaluation unit.
    unit_metric : {"mean", "median"}
        How the rows of a unit become one score.
    unit_remainder : {"spread", "drop"}
        Left-over rows are spread over the units, or dropped.
    shuffle_seed : int or None
        Shuffle the rows with `random.Random(seed)` before they form units; None keeps the order.
    block_column : str or None
        Label column that names the documents (blocks); None treats units as independent. "auto": under
        "recommended" the column that has the role of documents, where it names ten or more. An analysis
        has the name or None in its place (`board.settled`).
    missing : {"pairwise", "complete", "error"}
        What happens to units that some system has no score for.
    equivalence_margin : float or None
        Differences smaller than this count as equivalent, metric points.
    normality_alpha : float
        Level of the Shapiro–Wilk test.
    skewness_limits : tuple of two floats
        From the first on "slightly skewed", from the second on "highly skewed".
    zero_method : {"wilcox", "pratt", "zsplit"}
        Zeros in the Wilcoxon signed-rank test.
    continuity : bool
        Continuity correction of the Wilcoxon normal approximation.
    mcnemar : {"exact", "mid-p", "asymptotic", "continuity"}
        Variant of McNemar's test.
    runs : {"training", "samples"}
        What several runs of a system are: trainings, of which results should hold for others too, or repeated
        samples that are averaged. Without runs it changes nothing.
    pooled_runs : bool
        Give a system with one training run the variance of the other systems' runs.

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

    question: Question = "mean"
    test: str = RECOMMENDED
    correction: str = "holm"
    alpha: float = 0.05
    seed: int = 0
    alternative: Alternative = "two-sided"
    delta: float = 0.0
    confidence_level: float | None = None
    baseline: str | None = None
    effects: tuple[str, ...] = ("cohen-d", "hedges-g", "wilcoxon-r")
    intervals: tuple[str, ...] = ()
    resamples: int = 10_000
    unit_size: int = 1
    unit_metric: UnitMetric = "mean"
    unit_remainder: UnitRemainder = "spread"
    shuffle_seed: int | None = None
    block_column: str | None = AUTO
    missing: MissingPolicy = "pairwise"
    equivalence_margin: float | None = None
    normality_alpha: float = 0.05
    skewness_limits: tuple[float, float] = (0.5, 1.0)
    zero_method: ZeroMethod = "wilcox"
    continuity: bool = False
    mcnemar: McNemarVariant = "exact"
    runs: RunsKind = "training"
    pooled_runs: bool = False

    def __post_init__(self) -> None:
        self._check_keys()
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise ConfigError(unknown(name, value, choices))
        for name in _PROBABILITIES:
            self._set(name, _probability(name, getattr(self, name)))
        for name, bounds in _COUNTS.items():
            self._set(name, _count(name, getattr(self, name), *bounds))
        for name in _NUMBERS:
            self._set(name, _number(name, getattr(self, name)))
        if self.equivalence_margin is not None and self.equivalence_margin <= 0:
            raise ConfigError(f"equivalence_margin must be above 0, not {self.equivalence_margin:g}.")
        for name in ("baseline", "block_column"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ConfigError(f"{name} must be a name or nothing, not {shown(value)}.")
        for name in ("continuity", "pooled_runs"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} must be true or false, not {shown(getattr(self, name))}.")
        self._set("skewness_limits", _limits(self.skewness_limits))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_keys(self) -> None:
        for name in ("test", "correction"):
            if not isinstance(getattr(self, name), str):
                raise ConfigError(f"{name} must be a name, not {shown(getattr(self, name))}.")
        if self.test != RECOMMENDED and self.test not in TESTS:
            raise ConfigError(unknown("test", self.test, (RECOMMENDED, *TESTS.keys)))
        if self.correction not in CORRECTIONS:
            raise ConfigError(unknown("correction", self.correction, CORRECTIONS.keys))
        fitting = [test.key for test in fitting_tests(self.correction)]
        if len(fitting) < len(TESTS) and self.test not in fitting and not self.about_means:
            asked = " (question each-pair)" if self.test == RECOMMENDED else ""
            raise ConfigError(
                f"The correction {self.correction} can't be used with test {shown(self.test)}{asked}; "
                f"it goes with: {', '.join(fitting)}, and recommended tests of the mean."
            )
        for name, valid in (
            ("effects", EFFECTS.keys),
            ("intervals", (ESTIMATE, SIMULTANEOUS, *EFFECTS.keys)),
        ):
            given = getattr(self, name)
            listed = isinstance(given, (list, tuple)) and all(isinstance(key, str) for key in given)
            if not listed:
                raise ConfigError(f"{name} must be a list of names, not {shown(given)}.")
            for key in given:
                if key not in valid:
                    raise ConfigError(unknown("effect size", key, valid))
            self._set(name, tuple(dict.fromkeys(given)))

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
        valid = [field.name for field in fields(cls)]
        for key in data:
            if key not in valid:
                raise ConfigError(unknown("setting", key, valid))
        converted = {key: _from_text(key, value) for key, value in data.items()}
        return cls(**converted)


def _from_text(name: str, value: Any) -> Any:
    """A number that arrived as text as the number; lists as tuples; the rest unchanged."""
    if isinstance(value, list):
        return tuple(value)
    if not isinstance(value, str):
        return value
    if name in _COUNTS:
        try:
            return int(value)
        except ValueError:
            return value
    if name in _PROBABILITIES or name in _NUMBERS:
        try:
            return float(value)
        except ValueError:
            return value
    if name in ("effects", "intervals"):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _is_real(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:  # a whole number beyond every float
        return False


def _probability(name: str, value: Any) -> float | None:
    if value is None and name == "confidence_level":
        return None
    if not _is_real(value) or not 0 < float(value) < 1:
        raise ConfigError(f"{name} must be a number above 0 and below 1, not {shown(value)}.")
    if not SMALLEST <= float(value) <= 1 - NEAREST:
        bounds = f"from {SMALLEST:g} to 1 − {NEAREST:g}"
        raise ConfigError(f"{name} must be a number {bounds}, not {shown(value)}.")
    return float(value)


def _count(name: str, value: Any, least: int, most: int) -> int | None:
    if value is None and name == "shuffle_seed":
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or int(value) < least:
        raise ConfigError(f"{name} must be a whole number, at least {least}, not {shown(value)}.")
    if int(value) > most:
        raise ConfigError(f"{name} must be a whole number, at most {most:,}, not {shown(value)}.")
    return int(value)


def _number(name: str, value: Any) -> float | None:
    if value is None and name == "equivalence_margin":
        return None
    if not _is_real(value):
        raise ConfigError(f"{name} must be a finite number, not {shown(value)}.")
    if float(value) != 0 and not SMALLEST <= abs(float(value)) <= LARGEST:
        raise ConfigError(
            f"{name} must be a number between ±{SMALLEST:g} and ±{LARGEST:g}, not {shown(value)}."
        )
    return float(value)


def _limits(value: Any) -> tuple[float, float]:
    good = isinstance(value, tuple) and len(value) == 2 and all(_is_real(limit) for limit in value)
    if not good or not SMALLEST <= float(value[0]) <= float(value[1]) <= LARGEST:
        raise ConfigError(f"skewness_limits must be two rising numbers above 0, not {shown(value)}.")
    return float(value[0]), float(value[1])
