"""What random exchanges of two metrics give: p-values of every pair, alone and for all pairs together."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.monte_carlo import monte_carlo_p
from nlpstat_core.engine.resampling.step_down import StepDown


@dataclass(frozen=True, eq=False)
class Exchanged:
    """Differences of one statistic between the metrics of every pair.

    observed (float array, shape (n_pairs,)): Absolute; NaN where undefined.
    drawn (float array, shape (n_pairs, resamples)): Absolute, after the same exchanges for all pairs;
        infinite where undefined.
    tie: Differences so far below the observed one tie with it.
    """

    observed: FloatArray
    drawn: FloatArray
    tie: float

    def p_values(self) -> FloatArray:
        """Two-sided p of every pair, (C + 1)/(B + 1); NaN where undefined."""
        extreme = np.count_nonzero(self.drawn >= (self.observed - self.tie)[:, None], axis=1)
        return np.where(np.isnan(self.observed), np.nan, monte_carlo_p(extreme, self.drawn.shape[1]))

    def adjusted(self) -> FloatArray:
        """p of every pair adjusted over all by Westfall and Young's step-down maximum; NaN where undefined.

        Differences are divided by their root mean square over the exchanges, so that pairs of similar and of
        unlike metrics are on one scale. The smallest value is 1/(B + 1) for any number of pairs.
        """
        resamples = self.drawn.shape[1]
        finite = np.where(np.isfinite(self.drawn), self.drawn, 0.0)
        scale = np.sqrt(np.mean(finite**2, axis=1))
        known = ~np.isnan(self.observed)
        divisor = np.where(scale > 0, scale, 1.0)
        observed = np.where(known, self.observed, 0.0) / divisor
        walk = StepDown(observed, self.tie / divisor, resamples, known)
        for place, pair in enumerate(walk.order):
            one = (self.drawn[pair] / divisor[pair])[None]
            walk.add(slice(place, place + 1), slice(0, resamples), one)
        return np.where(known, monte_carlo_p(walk.counts(), resamples), np.nan)


def joined(parts: list[tuple[IntArray, Exchanged]], n_pairs: int, resamples: int) -> Exchanged:
    """The pairs of several groups as one family; pairs of no group are undefined."""
    observed, drawn = np.full(n_pairs, np.nan), np.full((n_pairs, resamples), np.inf, dtype=np.float64)
    for pairs, part in parts:
        observed[pairs], drawn[pairs] = part.observed, part.drawn
    return Exchanged(observed, drawn, max((part.tie for _, part in parts), default=0.0))
