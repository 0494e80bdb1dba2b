"""What a Bayesian model says of many differences: one entry per pair."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Posteriors:
    """Posterior of a difference a − b for every pair; arrays have shape (n_pairs,), NaN where undefined.

    greater, within, less: Posterior probability that the difference is above the margin, inside it, below its
        negative.
    centre: Posterior mean, metric points.
    interval (float array, shape (n_pairs, 2)): Equal-tailed credible interval.
    """

    greater: FloatArray
    within: FloatArray
    less: FloatArray
    centre: FloatArray
    interval: FloatArray


def three_parts(greater: FloatArray, less: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The probabilities with what is left for the region between them, rounding taken off."""
    greater, less = np.clip(greater, 0.0, 1.0), np.clip(less, 0.0, 1.0)
    return greater, np.clip(1.0 - greater - less, 0.0, 1.0), less


def put(into: Posteriors, here: BoolArray, part: Posteriors) -> None:
    """Write the posteriors of some pairs to their places.

    into: Its arrays are changed.
    part: Of the pairs named by `here`.
    """
    for name in ("greater", "within", "less", "centre", "interval"):
        getattr(into, name)[here] = getattr(part, name)


def undefined_posteriors(n_pairs: int) -> Posteriors:
    """Posteriors of pairs that nothing is known of."""
    blank = [np.full(n_pairs, np.nan) for _ in range(4)]
    return Posteriors(
        greater=blank[0],
        within=blank[1],
        less=blank[2],
        centre=blank[3],
        interval=np.full((n_pairs, 2), np.nan),
    )
