"""The raters behind people's labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpstat_core.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

CROSSED, NESTED = "crossed", "nested"


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
