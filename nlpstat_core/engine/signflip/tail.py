"""One tail of one sign-flip distribution, and the p-value of one sample of differences."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.effort import ONE_PAIR, Effort, Settled
from nlpstat_core.engine.signflip.grouping import grouped
from nlpstat_core.engine.signflip.outcome import (
    EXACT,
    KINDS,
    LOG_2,
    Tail,
    checked_alternative,
    p_from_log,
)
from nlpstat_core.engine.signflip.routes import TIE_TOLERANCE, log_at_most
from nlpstat_core.engine.signflip.span import LARGEST_SUM, near_one, whole_multiples
from nlpstat_core.errors import NlpstatError
from nlpstat_core.memory import refuse_beyond_memory

NOTHING = Settled(-math.inf, EXACT, 0.0)
BYTES_OF_A_DIFFERENCE = 16  # at least: the whole multiple and its absolute value


def sign_flip_p_value(differences: ArrayLike, alternative: str = "two-sided") -> float:
    """P-value of the sign-flip permutation test of the mean difference.

    Null hypothesis: the differences are independent and symmetric about 0.

    Parameters
    ----------
    differences : array_like, shape (n_units,)
        a minus b for each unit; whole numbers or floats.
    alternative : {"two-sided", "greater", "less"}
        About a relative to b.

    Returns
    -------
    float
        From 5e-324 to 1; exactly 1.0 when all differences are zero.

    Raises
    ------
    NlpstatError
        If there is no difference, one is NaN or infinite, they can't fit into memory, or the alternative is
        unknown.

    Notes
    -----
    With T = Σ ±|z_i| and t = Σ z_i: two-sided is min(1, 2·P(T ≥ |t|)), "greater" is P(T ≥ t). Exact on a
    lattice or for up to 44 units, otherwise a contour integral (see `sign_flip_tail`); no random numbers
    but in the last resort.

    References
    ----------
    Zmigrod, R., Vieira, T. and Cotterell, R. (2022). Exact paired-permutation testing for structured test
    statistics. NAACL. https://doi.org/10.18653/v1/2022.naacl-main.360

    Examples
    --------
    >>> sign_flip_p_value([1] * 5 + [0] * 95)
    0.0625
    """
    checked_alternative(alternative)
    given = np.asarray(differences)
    refuse_beyond_memory(
        given.size * BYTES_OF_A_DIFFERENCE, f"{given.size:,} differences", "take fewer items"
    )
    z = np.asarray(given, dtype=np.float64)
    if z.ndim != 1 or z.size == 0:
        raise NlpstatError("Differences must be a list of at least one number.")
    if not np.isfinite(z).all():
        raise NlpstatError("Differences must be finite: drop items without a score before testing.")
    units, whole = _as_weights(differences, z)
    weights = np.abs(units)
    t, total = float(units.sum()), float(weights.sum())
    even = abs(t) <= (0.0 if whole else TIE_TOLERANCE * total)
    if even and alternative == "two-sided":
        return 1.0
    direction = -1.0 if alternative == "less" else 1.0
    against = alternative != "two-sided" and (even or direction * t < 0.0)
    values, counts = grouped(weights, whole)
    settled = _beyond(values, counts, abs(t), whole, ONE_PAIR, strict=against) if total > 0.0 else NOTHING
    twice = LOG_2 if alternative == "two-sided" else 0.0
    log_p = math.log1p(-math.exp(settled.log_p)) if against else min(settled.log_p + twice, 0.0)
    return float(p_from_log(np.array(log_p)))


def sign_flip_tail(
    weights: ArrayLike, t: float, *, max_decimals: int | None = None, seed: int = 0, resamples: int = 10_000
) -> Tail:
    """P(T ≥ t) for T = Σ ε_i w_i with independent fair signs ε_i.

    Null hypothesis: the differences whose absolute values are the weights are symmetric about 0.

    weights (array_like, shape (n_weights,)): 0 or more, finite.
    t: Observed sum, in the unit of the weights; any sign.
    max_decimals: Decimals the weights were written with, if known; up to 9 are tried otherwise.
    seed, resamples: Of the random signs of the last resort, and how many at least.
    Returns: Kind "exact" (closed case, lattice or enumeration), "contour" (also for weights that are rounded
        to a fine grid and counted) or "monte-carlo".
    Raises NlpstatError: If there is no weight, a weight is negative, infinite or NaN, or t is NaN.

    Sums within 1e-12·Σw of t count as ties. Routes, cheapest exact one first: weights that can't be flipped
    without missing t are taken out, equal weights are binomial, whole multiples of one step are counted or
    inverted on their lattice, up to 44 weights are enumerated, far out in the tail the subsets that count are
    listed, the rest is a contour integral, or a count of the weights rounded to a fine grid, and weighted
    random draws where both error estimates exceed 5e-3 even with the signs of the largest weights fixed.

    Examples
    --------
    >>> import math
    >>> round(math.exp(sign_flip_tail([1, 2, 3], 4).log_p), 12)
    0.25
    """
    w = np.asarray(weights, dtype=np.float64)
    if w.ndim != 1 or w.size == 0:
        raise NlpstatError("Weights must be a list of at least one number.")
    if not np.all(np.isfinite(w)) or np.any(w < 0.0) or math.isnan(t):
        raise NlpstatError("Weights must be finite and not negative, and t must be a number.")
    multiples, found = whole_multiples(w[None, :], max_decimals)
    whole = bool(found[0])
    units = multiples[0] if whole else near_one(w[None, :])[0]
    largest = float(w.max())
    # In the unit of `units`, by ratios to the largest weight, which can't overflow.
    reached = t / largest * float(units.max()) if largest > 0.0 else t
    total = float(units.sum())
    if total == 0.0 or abs(reached) > total * (1.0 + TIE_TOLERANCE):
        return Tail(0.0 if t <= 0.0 else -math.inf, KINDS[EXACT], 0.0)
    values, counts = grouped(units, whole)
    effort = replace(ONE_PAIR, seed=seed, resamples=resamples)
    settled = _beyond(values, counts, reached, whole, effort, strict=False)
    return Tail(settled.log_p, KINDS[settled.kind], settled.error)


def _as_weights(given: ArrayLike, z: FloatArray) -> tuple[FloatArray, bool]:
    """Differences in a unit in which they are whole numbers if there is one, and whether there is."""
    if np.asarray(given).dtype.kind in "iu" and float(np.abs(z).sum()) <= LARGEST_SUM:
        return z, True  # whole numbers as they come; a common divisor is taken out later
    multiples, found = whole_multiples(z[None, :])
    return (multiples[0], True) if found[0] else (near_one(z[None, :])[0], False)


def _beyond(
    values: FloatArray, counts: FloatArray, t: float, whole: bool, effort: Effort, *, strict: bool
) -> Settled:
    """P(T ≥ t), or P(T > t) if strict, for weights and t in one unit."""
    total = float((values * counts).sum())
    tolerance = min(TIE_TOLERANCE * total, 0.25) if whole else TIE_TOLERANCE * total
    flipped = (total - t) / 2.0 + (-tolerance if strict else tolerance)
    limit = (math.ceil(flipped) - 0.5 if strict else math.floor(flipped) + 0.5) if whole else flipped
    settled = log_at_most(values, counts, limit, whole, effort)
    if settled is None:
        raise NlpstatError("The sum of signs was not settled: the effort allowed neither contour nor draws.")
    return settled
