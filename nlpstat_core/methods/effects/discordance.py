"""Odds ratio and Cohen's g: how the units that are not tied split between the two systems."""

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.distributions.tails import one_sided, two_sided_mass
from nlpstat_core.methods.effects import by_document


def share_interval(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Interval of a's share of the units that are not tied, b/(b + c).

    Returns float array, shape (n_pairs, 2): Clopper and Pearson's; where documents are named Wilson's with
        the cluster-robust error.
    """
    pairs = batch.unshifted
    if batch.units.blocks is not None:
        untied = (pairs.wins + pairs.losses).astype(float)
        value = pairs.wins / np.where(untied > 0, untied, np.nan)
        return by_document.share(value, pairs, config, untied=True)
    low, high = clopper_pearson(pairs.wins, pairs.losses, two_sided_mass(config.level, config.alternative))
    return one_sided(low, high, config.alternative, 0.0, 1.0)


def clopper_pearson(wins: IntArray, losses: IntArray, mass: float) -> tuple[FloatArray, FloatArray]:
    """Exact binomial limits of the probability of a win.

    mass: Probability left out on each side.
    Returns low, high: NaN where there is neither a win nor a loss.

    Source: Clopper and Pearson (1934), doi:10.1093/biomet/26.4.404.
    """
    from scipy import special

    w, c = wins.astype(float), losses.astype(float)
    low = np.where(w > 0, special.betaincinv(np.maximum(w, 1), c + 1, mass), 0.0)
    high = np.where(c > 0, special.betaincinv(w + 1, np.maximum(c, 1), 1 - mass), 1.0)
    empty = w + c == 0
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)
