"""Summary statistics of one column of numbers."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a column of scores or differences looks like; undefined numbers are NaN.

    mean, median, sd, min, max, lower_quartile, upper_quartile: Metric points; sd with ddof 1, quartiles by
        linear interpolation (R's type 7).
    skewness: Biased moment estimate g1.
    zeros: Share of values that are 0; for differences the share of ties.
    repeated: Share of values that some other value equals.
    """

    n: int
    mean: float
    median: float
    sd: float
    min: float
    max: float
    lower_quartile: float
    upper_quartile: float
    skewness: float
    zeros: float
    repeated: float


def summarise(values: FloatArray) -> Summary:
    """Summary statistics of a column."""
    n = values.size
    if n == 0:
        nothing = float("nan")
        names = [name for name in Summary.__dataclass_fields__ if name != "n"]
        return Summary(n=0, **dict.fromkeys(names, nothing))
    centred = values - values.mean()
    constant = bool(np.ptp(values) == 0)
    # In units of a power of two near its size: no digit changes, and no cube of a tiny score is 0.
    scale = 1.0 if constant else 2.0 ** np.floor(np.log2(np.abs(centred).max()))
    scaled = centred / scale
    lower, median, upper = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    counts = np.unique(values, return_counts=True)[1]
    return Summary(
        n=n,
        mean=float(values.mean()),
        median=median,
        sd=0.0 if constant and n > 1 else float(values.std(ddof=1)) if n > 1 else float("nan"),
        min=float(values.min()),
        max=float(values.max()),
        lower_quartile=lower,
        upper_quartile=upper,
        skewness=float("nan") if constant else float(np.mean(scaled**3)) / float(np.mean(scaled**2)) ** 1.5,
        zeros=float(np.mean(values == 0)),
        repeated=float(counts[counts > 1].sum() / n),
    )
