"""How a judge errs beside people's labels (0/1 verdicts, calibration, what it leans to), and their raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpstat_core.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

CROSSED, NESTED = "crossed", "nested"


@dataclass(frozen=True, eq=False, kw_only=True)
class ZeroOneJudge:
    """A judge of 0/1 verdicts beside people's; arrays of shape (n_systems,), intervals (n_systems, 2).

    both, missed, invented, neither: Labelled items by people's and the judge's verdict: 1 and 1, 1 and 0,
        0 and 1, 0 and 0.
    sensitivity, specificity: Of people's 1 those that the judge gives 1, of people's 0 those it gives 0; with
        Wilson's intervals, NaN without such items.
    rate: People's share of 1 on the unlabelled items by Rogan and Gladen, with the interval of Lang and
        Reiczigel; NaN where the judge is no better than chance, or with documents or strata, which it can't
        mind.
    """

    both: IntArray
    missed: IntArray
    invented: IntArray
    neither: IntArray
    sensitivity: FloatArray
    sensitivity_interval: FloatArray
    specificity: FloatArray
    specificity_interval: FloatArray
    rate: FloatArray
    rate_interval: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Calibration:
    """People's share of 1 by the judge's score, over the labels of all systems; arrays of shape (n_bins,).

    judged: Mean of the judge's scores in the bin.
    share: People's share of 1, with Wilson's interval (n_bins, 2) as if labels were independent.
    labels: How many.
    """

    judged: FloatArray
    share: FloatArray
    interval: FloatArray
    labels: IntArray


@dataclass(frozen=True, kw_only=True)
class Leaning:
    """Whether a judge gives more than people where a column is larger: length, or position.

    slope, lower, upper: Points of people's scale, judge minus people, for one standard deviation of the
        column within systems.
    deviation: That standard deviation.
    p_adjusted: By Holm over the columns.
    """

    name: str
    slope: float
    lower: float
    upper: float
    deviation: float
    p_value: float
    p_adjusted: float


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgeItself:
    """Everything about how a judge errs.

    zero_one: None unless both give 0 and 1 only.
    calibration: None unless people give 0 and 1 only.
    """

    zero_one: ZeroOneJudge | None
    calibration: Calibration | None
    leanings: tuple[Leaning, ...]

    def zero_one_frame(self, systems: tuple[str, ...]) -> pd.DataFrame:
        """One row a system; without rows where scores aren't 0 and 1."""
        import pandas as pd

        found = self.zero_one
        if found is None:
            return pd.DataFrame()
        columns: dict[str, object] = {"system": systems}
        columns |= {name: getattr(found, name) for name in ("both", "missed", "invented", "neither")}
        for name in ("sensitivity", "specificity", "rate"):
            ends = getattr(found, f"{name}_interval")
            columns |= {name: getattr(found, name), f"{name}_low": ends[:, 0], f"{name}_high": ends[:, 1]}
        return pd.DataFrame(columns)

    def calibration_frame(self) -> pd.DataFrame:
        """One row a bin of the judge's scores; without rows where people don't give 0 and 1."""
        import pandas as pd

        found = self.calibration
        if found is None:
            return pd.DataFrame()
        return pd.DataFrame(
            {
                "judged": found.judged,
                "share": found.share,
                "low": found.interval[:, 0],
                "high": found.interval[:, 1],
                "labels": found.labels,
            }
        )

    def leanings_frame(self) -> pd.DataFrame:
        """One row a column."""
        import pandas as pd

        return pd.DataFrame([vars(one) for one in self.leanings])


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgeRaters:
    """Raters in the order of their names; arrays of shape (n_raters,).

    design: "crossed" where raters share items, directly or through others; "nested" where groups share none.
    n_groups: Groups of raters that share no item; 1 where crossed.
    standardised: Whether each rater's ratings were brought to mean 0 and standard deviation 1.
    ratings: Outputs that each rated.
    mean, deviation: Of these ratings as they were given.
    severity, lower, upper: What a rater gives more than the others who rated the same outputs, with t
        intervals by item; NaN where nobody else did.
    p_adjusted: By Holm over raters.
    shared: Items that somebody else rated, too.
    """

    names: tuple[str, ...]
    design: str
    n_groups: int
    standardised: bool
    ratings: IntArray
    mean: FloatArray
    deviation: FloatArray
    severity: FloatArray
    lower: FloatArray
    upper: FloatArray
    p_adjusted: FloatArray
    shared: IntArray

    def frame(self) -> pd.DataFrame:
        """One row a rater.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        names = ("ratings", "mean", "deviation", "severity", "lower", "upper", "p_adjusted", "shared")
        return pd.DataFrame({"rater": self.names} | {name: getattr(self, name) for name in names})
