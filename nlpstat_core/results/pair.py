"""Everything about one pair."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpstat_core.formatting import p_equals
from nlpstat_core.methods.diagnosis.lists import Diagnosis
from nlpstat_core.notes import Note


@dataclass(frozen=True, repr=False)
class Estimate:
    """A quantity with its interval.

    of: What it is: an effect size's key, or "mean", "pseudo-median", "median" for a test's estimate.
    value: NaN where undefined.
    interval: NaN where undefined, infinite at the open end of a one-sided interval.
    largest: Largest absolute value that such data could reach, where that is below 1 by its definition; else
        NaN.
    achieved: Level that an interval between order statistics really has for data without ties; else NaN.
    """

    of: str
    value: float
    interval: tuple[float, float]
    largest: float = np.nan
    achieved: float = np.nan

    def __repr__(self) -> str:
        told = f"of={self.of!r}, value={self.value!r}, interval={self.interval!r}"
        for name in ("largest", "achieved"):
            told += "" if np.isnan(value := getattr(self, name)) else f", {name}={value!r}"
        return f"Estimate({told})"


@dataclass(frozen=True)
class OtherTest:
    """Another test's result for the same pair: exploration, not a second verdict."""

    test: str
    hypothesis: str
    statistic: float
    p_value: float
    log10_p: float
    p_kind: str
    estimate: Estimate | None


@dataclass(frozen=True, kw_only=True, repr=False)
class PairData:
    """One pair with all effect sizes, all intervals and its diagnosis; names are those of the JSON."""

    system_a: str
    system_b: str
    n_units: int
    n_a: int
    n_b: int
    score_a: float
    score_b: float
    difference: float
    interval: tuple[float, float]
    test: str | None
    statistic: float
    p_value: float
    log10_p: float
    p_kind: str | None
    error: float
    hypothesis: str | None
    p_adjusted: float
    significant: bool
    better: str | None
    verdict: str
    estimate: Estimate | None
    effects: Mapping[str, Estimate]
    diagnosis: Diagnosis
    p_equivalence: float | None = None
    p_equivalence_adjusted: float | None = None
    df: float | None = None
    interval_simultaneous: tuple[float, float] | None = None
    alpha: float | None = None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<PairResult: {self.system_a} − {self.system_b} = {self.difference:.4g} [{low:.4g}, "
            f"{high:.4g}], {self.test or 'no test'}, {p_equals(self.p_value, alpha=self.alpha)}, "
            f"{p_equals(self.p_adjusted, 'adjusted p', alpha=self.alpha)}, {self.verdict}; {self.n_units:,} "
            "items>"
        )
