"""max-T over all pairs of strengths: the joint law of their differences by multipliers of clusters."""

import numpy as np
from numpy.random import Generator

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling import monte_carlo_p
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.engine.resampling.streams import bit_generator

MAX_T = "max-t"
RESAMPLES, SEED = 10_000, 0
_CHUNK = 256
_MOST_CELLS = 2**21


def max_t_p_values(
    t: FloatArray, error: FloatArray, left: IntArray, right: IntArray, covariance: FloatArray, freedom: int
) -> FloatArray:
    """p-values of all pairs, adjusted by the step-down maximum of |t|.

    t, error (floats, shape (n_pairs,)): Differences over their errors, and these; NaN leaves the family.
    covariance (floats, shape (n_systems, n_systems)): Of strengths.
    Returns: (C + 1)/(B + 1), never below the pair's own p by Student's t; NaN where t is.

    Normal multipliers of the clusters' scores give strengths with this very covariance, whatever the number
    of clusters, so they are drawn from it; one χ² a resample makes Student's t of them, as of a single pair.
    Control is asymptotic in clusters.

    Source: Hothorn, Bretz and Westfall (2008), doi:10.1002/bimj.200810425; step-down by Westfall and Young.
    """
    found = np.full(t.shape, np.nan)
    there = ~np.isnan(t)
    if not there.any():
        return found
    observed = np.abs(np.where(there, t, 0.0))
    walk = StepDown(observed, 1e-12 * observed, RESAMPLES, there)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    pairs_at_once = max(1, _MOST_CELLS // _CHUNK)
    for number, start in enumerate(range(0, RESAMPLES, _CHUNK)):
        which = slice(start, min(start + _CHUNK, RESAMPLES))
        rng = Generator(bit_generator(SEED, "preferences max-t", number))
        many = which.stop - which.start
        normal = root @ rng.standard_normal((values.size, many))
        scale = np.sqrt(freedom / rng.chisquare(freedom, many))
        for first in range(0, walk.order.size, pairs_at_once):
            part = slice(first, min(first + pairs_at_once, walk.order.size))
            rows = walk.order[part]
            drawn = (normal[left[rows]] - normal[right[rows]]) / error[rows, None]
            walk.add(part, which, np.abs(drawn) * scale)
    found[there] = monte_carlo_p(walk.counts(), RESAMPLES)[there]
    return found
