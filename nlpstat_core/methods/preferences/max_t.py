"""max-T over all pairs of strengths: the joint law of their differences by multipliers of clusters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling import monte_carlo_p
from nlpstat_core.engine.resampling.step_down import StepDown
from nlpstat_core.engine.resampling.streams import bit_generator
from nlpstat_core.methods.preferences.fit import Fit
from nlpstat_core.methods.preferences.multipliers import signs_of
from nlpstat_core.methods.preferences.sandwich import clusterings
from nlpstat_core.scores.battles import Battles, TwoClusters
from nlpstat_core.stopping import stop_if_asked

MAX_T = "max-t"
RESAMPLES, SEED = 10_000, 0
# With this many degrees of freedom errors are as good as known: clusters need no signs of their own.
KNOWN = 200
_CHUNK = 256
_MOST_CELLS = 2**21


@dataclass(frozen=True, eq=False)
class Tested:
    """Wald tests of all pairs; arrays have shape (n_pairs,).

    t: Difference over its sandwich error; NaN leaves the family.
    freedom, found: Degrees of freedom, and the share of the variance that the sandwich finds.
    error: Sandwich errors.
    covariance (floats, shape (n_systems, n_systems)): Of strengths.
    """

    left: IntArray
    right: IntArray
    t: FloatArray
    error: FloatArray
    freedom: FloatArray
    found: FloatArray
    covariance: FloatArray


def max_t_p_values(fit: Fit, battles: Battles, clusters: TwoClusters, tested: Tested) -> FloatArray:
    """p-values of all pairs, adjusted by the step-down maximum of |t|, each t put on the normal scale by its
    own degrees of freedom.

    Returns: (C + 1)/(B + 1); NaN where t is.

    Clusters of one kind change their signs under equal strengths, and every draw is studentised anew
    (`multipliers.py`), so that few clusters, and few that hold most battles, count as what they are. Where
    every pair has 200 degrees of freedom or more, differences are drawn from the normal law with their
    covariance, divided by one χ² a draw. Two kinds of clusters have no signs: differences are drawn from that
    law, and errors from Wishart's with the fewest degrees of freedom of any pair.

    Source: Westfall and Young (1993), step-down; signs under the null hypothesis: Cameron, Gelbach and Miller
    (2008), doi:10.1162/rest.90.3.414; six values: Webb (2014), doi:10.1111/caje.12661.
    """
    there = ~np.isnan(tested.t)
    found = np.full(tested.t.shape, np.nan)
    if not there.any():
        return found
    observed = np.where(there, normal_scale(_shrunk(tested), tested.freedom), 0.0)
    walk = StepDown(observed, 1e-9 * observed, RESAMPLES, there)
    kinds = [one for one in clusterings(battles, clusters) if one[0] > 0]
    if len(kinds) == 1 and float(tested.freedom[there].min()) < KNOWN:
        _by_signs(walk, fit, battles, kinds[0][1], kinds[0][2], tested)
    else:
        _by_covariance(walk, tested, int(tested.freedom[there].min()), known=len(kinds) == 1)
    found[there] = monte_carlo_p(walk.counts(), RESAMPLES)[there]
    return found


def _shrunk(tested: Tested) -> FloatArray:
    return np.asarray(np.abs(tested.t) * np.sqrt(tested.found))


def normal_scale(t: FloatArray, freedom: FloatArray | float) -> FloatArray:
    """About the normal quantile with the tail that t has: Wallace (1959), doi:10.1214/aoms/1177706096.

    It rises with t, and is the same for draws and for what was observed, so that only its evenness counts.
    """
    scale = (8 * np.asarray(freedom) + 1) / (8 * np.asarray(freedom) + 3)
    return np.asarray(scale * np.sqrt(freedom * np.log1p(t * t / freedom)))


def _chunks(many: int) -> Iterator[tuple[int, slice]]:
    for number, start in enumerate(range(0, RESAMPLES, many)):
        yield number, slice(start, min(start + many, RESAMPLES))


def _by_signs(
    walk: StepDown, fit: Fit, battles: Battles, codes: IntArray, number: int, tested: Tested
) -> None:
    signs = signs_of(fit, battles, codes, number)
    difference = tested.t * tested.error
    at_once = max(1, _MOST_CELLS // max(signs.number, _CHUNK))
    for first in range(0, walk.order.size, at_once):
        part = slice(first, min(first + at_once, walk.order.size))
        rows = walk.order[part]
        law = signs.law(tested.left[rows], tested.right[rows], difference[rows])
        freedom, shrink = tested.freedom[rows, None], np.sqrt(tested.found[rows, None])
        for chunk, which in _chunks(_CHUNK):
            stop_if_asked()
            drawn = law(signs.multipliers(SEED, chunk, which.stop - which.start))
            walk.add(part, which, normal_scale(drawn * shrink, freedom))


def _by_covariance(walk: StepDown, tested: Tested, freedom: int, *, known: bool) -> None:
    """known: Whether errors vary together, by one χ² a draw, as many degrees of freedom allow."""
    values, vectors = np.linalg.eigh(tested.covariance)
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    m = values.size
    many = _CHUNK if known else max(1, min(_CHUNK, _MOST_CELLS // (m * max(m, freedom))))
    pairs_at_once = max(1, _MOST_CELLS // many)
    for number, which in _chunks(many):
        stop_if_asked()
        rng = Generator(bit_generator(SEED, "preferences max-t", number))
        size = which.stop - which.start
        normal = root @ rng.standard_normal((m, size))
        scale = np.sqrt(freedom / rng.chisquare(freedom, size)) if known else np.ones(size)
        if not known:
            own = root @ rng.standard_normal((size, m, freedom))
            drawn_covariance = own @ own.transpose(0, 2, 1) / freedom
            diagonal = np.diagonal(drawn_covariance, axis1=1, axis2=2)
        for first in range(0, walk.order.size, pairs_at_once):
            part = slice(first, min(first + pairs_at_once, walk.order.size))
            rows = walk.order[part]
            a, b = tested.left[rows], tested.right[rows]
            apart = normal[a] - normal[b]
            if known:
                drawn = apart / tested.error[rows, None] * scale
            else:
                variance = diagonal[:, a] + diagonal[:, b] - 2 * drawn_covariance[:, a, b]
                drawn = apart / np.sqrt(np.maximum(variance.T, 1e-12 * tested.error[rows, None] ** 2))
            walk.add(part, which, normal_scale(np.abs(drawn), freedom))
