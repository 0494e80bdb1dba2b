"""Where the sign-flip test of a mean begins to accept a hypothesised difference, for all pairs at once."""

import math

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.outcome import LOG_2
from nlpstat_core.engine.signflip.products import characteristic_products
from nlpstat_core.engine.signflip.rounded import log_at_most_rounded
from nlpstat_core.engine.signflip.shift_halves import Halves, ratio_of_order, subset_sums
from nlpstat_core.engine.signflip.shift_tables import affordable, limits_from_tables
from nlpstat_core.engine.signflip.span import whole_multiples
from nlpstat_core.stopping import stop_if_asked

# Up to so many blocks the ratios of all subsets are formed; up to so many those near the guess are found, and
# beyond, to the second number, where the end is among so few that counting them by cells would show.
MOST_SUBSETS, MOST_HALVED, FEW_HALVED, FEW = 14, 26, 32, 1 << 20
# Numbers formed at a time.
ELEMENTS_AT_ONCE = 1 << 22
# Of a probability: two that are closer count as equal.
SLACK = 1e-9
# The contour: where φ is followed to, at first and on, and in which steps, in standard deviations, and their
# share of the tilt; what φ may be in the last quarter of the way.
REACHES, SPACING, OF_TILT, FADED = (8.0, 24.0, 72.0), 0.45, 0.3, 1e-6
MOST_NODES, MOST_STEPS, SECANTS = 400, 30, 4
# Cells of rounded counts, and of the first of them.
CELLS, COARSE = 1 << 16, 1 << 13
# So few factors leave φ of some size however far it is followed.
FEWEST_FACTORS = 45
# How near log p has to come to the mass for its quantile to be a straight line in between.
NEAR = 1e-4
# Of the way from the smallest ratio to the mean: what counts as a point.
POINT = 1e-12
MOST_TURNS = 100


def accepted_shifts(
    sums: FloatArray, sizes: FloatArray, mass: float, *, decimals: int | None = None
) -> FloatArray:
    """The smallest and the largest mean that the one-sided sign-flip tests of a pair's blocks do not reject.

    sums (float array, shape (n_pairs, n_blocks)): Sums S of the differences over each block; a unit of its
        own is a block.
    sizes (float array, shape (n_blocks,)): Units of each block, L.
    mass: The level of each one-sided test; above ½ the ends have changed sides.
    decimals: Decimals the sums were written with; None where that is unknown.
    Returns float array, shape (n_pairs, 2): Infinite where 2^(−n_blocks) is above the mass: no mean is
        rejected then.

    With θ as hypothesised mean the p-value for "greater" is the share of the 2^G subsets A of blocks, the
    empty one included, with Σ_A S ≤ θ·Σ_A L, so it grows with θ, and the lower end is an order statistic of
    the ratios Σ_A S/Σ_A L. Up to 14 blocks these are formed; sums on a coarse grid are counted in a table
    (`shift_tables`); up to 26 blocks, and up to 32 where the mass is small, the ratios near a saddlepoint's
    guess are found by meeting in the middle (`shift_halves`). All three are exact. For more blocks the normal
    quantile of p, nearly a straight line in θ, is followed to the one of the mass: p by a short contour
    integral, or where φ does not die out by counting rounded sums (`rounded`), good to 1e-5 of p and so to
    1e-6 of the interval's width; where whole sums are too many for a table, to half a step of p.

    References
    ----------
    Hartigan (1969), doi:10.1080/01621459.1969.10501057; Lugannani and Rice (1980), doi:10.2307/1426607.
    """
    n_pairs, n_blocks = sums.shape
    ends = np.tile([-np.inf, np.inf], (n_pairs, 1))
    if n_blocks * LOG_2 < -math.log(mass) - SLACK or n_pairs == 0:
        return ends
    ratio = sums / sizes
    flat = ratio.max(axis=1) - ratio.min(axis=1) <= 1e-12 * np.abs(ratio).max(axis=1)
    ends[flat] = (sums[flat].sum(axis=1) / sizes.sum())[:, None]
    rest = np.flatnonzero(~flat)
    if mass > 0.5 and n_blocks > MOST_SUBSETS:  # beyond the mean: the end of the other tail
        other = accepted_shifts(sums, sizes, 1 - mass, decimals=decimals)
        low, high = np.minimum(other[:, 1], ratio.max(axis=1)), np.maximum(other[:, 0], ratio.min(axis=1))
        ends[rest] = np.stack([low, high], axis=-1)[rest]
        return ends
    # Of more blocks the subsets are too many to be numbered.
    few = n_blocks <= FEW_HALVED
    order = min(math.floor(mass * 2.0**n_blocks * (1 + SLACK)), 2**n_blocks - 1) if few else 0
    if n_blocks <= MOST_SUBSETS:
        ends[rest] = _from_subsets(sums[rest], sizes, order)
        return ends
    multiples, found = whole_multiples(sums[rest], decimals)
    counted = np.zeros(rest.size, dtype=bool)
    counted[found] = affordable(multiples[found], sizes)
    if counted.any():
        step = np.abs(sums[rest[counted]]).max(axis=1) / np.abs(multiples[counted]).max(axis=1)
        ends[rest[counted]] = (
            limits_from_tables(multiples[counted], sizes, mass * (1 + SLACK)) * step[:, None]
        )
    rest = rest[~counted]
    halved = n_blocks <= MOST_HALVED or (few and order <= FEW)
    # By a power of two, which changes no digit, so that squares neither overflow nor vanish.
    unit = np.exp2(np.floor(np.log2(np.abs(sums[rest]).max(axis=1))))
    for column, side in ((0, 1.0), (1, -1.0)):
        z = sums[rest] * (side / unit)[:, None]
        ratio = z / sizes
        found = ratio.min(axis=1)
        # The smallest ratio is that of all subsets of the blocks that have it.
        smallest = np.count_nonzero(
            ratio - found[:, None] <= 1e-12 * np.abs(ratio).max(axis=1)[:, None], axis=1
        )
        beyond = np.flatnonzero((smallest - n_blocks) * LOG_2 <= math.log(mass) + SLACK)
        guess, slope = _by_saddlepoint(z[beyond], sizes, mass)
        if halved:
            found[beyond] = _by_halves(z[beyond], sizes, order, guess)
        else:
            found[beyond] = _by_quantiles(z[beyond], sizes, mass, guess, slope)
        ends[rest, column] = side * unit * found
    return ends


def _from_subsets(sums: FloatArray, sizes: FloatArray, order: int) -> FloatArray:
    """Order statistics of the ratios of all subsets but the empty one."""
    ends = np.empty((sums.shape[0], 2))
    whole = subset_sums(sizes[None, :])[:, 1:]
    at_once = max(1, ELEMENTS_AT_ONCE >> sizes.size)
    for start in range(0, sums.shape[0], at_once):
        stop_if_asked()
        ratios = subset_sums(sums[start : start + at_once])[:, 1:] / whole
        ratios.partition((order - 1, ratios.shape[1] - order), axis=1)
        ends[start : start + at_once] = ratios[:, (order - 1, ratios.shape[1] - order)]
    return ends


def _by_saddlepoint(sums: FloatArray, sizes: FloatArray, mass: float) -> tuple[FloatArray, FloatArray]:
    """Where Lugannani and Rice's quantile of p meets that of the mass, about, and how fast it grows there."""
    from scipy import special

    target = float(special.ndtri(mass))
    least, mean = _range(sums, sizes)
    spread = np.sqrt(((sums - mean[:, None] * sizes) ** 2).sum(axis=1)) / sizes.sum()
    inside = least + 1e-6 * (mean - least), mean - 1e-6 * (mean - least)
    theta = np.clip(mean + target * spread, *inside)
    value = _saddlepoint_quantiles(sums - theta[:, None] * sizes)
    slope = -value / (mean - theta)
    with np.errstate(invalid="ignore", divide="ignore"):
        for _ in range(SECANTS):
            following = np.clip(theta + (target - value) / slope, *inside)
            new = _saddlepoint_quantiles(sums - following[:, None] * sizes)
            steeper = (new - value) / (following - theta)
            slope = np.where(np.abs(new - value) > 1e-6, steeper, slope)
            theta, value = following, new
    known = np.isfinite(theta) & (slope > 0.0)
    return np.where(known, theta, (least + mean) / 2.0), np.where(known, slope, 1.0 / spread)


def _saddlepoint_quantiles(weights: FloatArray) -> FloatArray:
    """Normal quantiles of P(Σ ±|w| ≥ Σ w), Σ w > 0, off by some 1e-3; NaN where the tilt isn't found."""
    with np.errstate(all="ignore"):
        t = weights.sum(axis=1)
        tau, variance, log_cosh = _tilted(weights)
        root = np.sqrt(2.0 * np.maximum(tau * t - log_cosh, 0.0))
        quantiles: FloatArray = -(root + np.log(tau * np.sqrt(variance) / root) / root)
        return quantiles


def _tilted(weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """τ > 0 under which Σ ±|w| is expected to be Σ w, its variance there, and Σ log cosh τw."""
    t, squares = weights.sum(axis=1), weights * weights
    tau = t / squares.sum(axis=1)
    for _ in range(MOST_STEPS):
        # Σ w·tanh(τw) is concave in τ > 0: Newton's steps come from below and never pass the root.
        tanh = np.tanh(tau[:, None] * weights)
        variance = (squares * (1.0 - tanh * tanh)).sum(axis=1)
        step = (t - (weights * tanh).sum(axis=1)) / variance
        tau = tau + step
        if not np.any(step > 1e-7 * tau):
            break
    size = tau[:, None] * np.abs(weights)
    return tau, variance, (size + np.log1p(np.exp(-2.0 * size)) - LOG_2).sum(axis=1)


def _range(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each pair's smallest ratio and its mean, between which the lower end lies."""
    return (sums / sizes).min(axis=1), sums.sum(axis=1) / sizes.sum()


def _by_halves(sums: FloatArray, sizes: FloatArray, order: int, guess: FloatArray) -> FloatArray:
    """Pair by pair, from the subsets of halves: exact."""
    found = np.empty(guess.size)
    for pair, row in enumerate(sums):
        weights = row - guess[pair] * sizes
        sd = math.sqrt(float(weights @ weights)) / 2.0
        ratios = row / sizes
        halves = Halves.of(row, sizes)
        found[pair] = ratio_of_order(
            halves, order, float(ratios.min()), float(ratios.max()), float(guess[pair]), sd
        )
    return found


def _by_quantiles(
    sums: FloatArray, sizes: FloatArray, mass: float, guess: FloatArray, slope: FloatArray
) -> FloatArray:
    """All pairs together: secants of the normal quantile of p, halving where these don't get nearer."""
    from scipy import special

    target, log_mass = float(special.ndtri(mass)), math.log(mass)
    low, high = _range(sums, sizes)
    finest, theta, slope = POINT * (high - low), guess.copy(), slope.copy()
    last, before = np.full((2, guess.size), np.nan)
    rest = np.arange(guess.size)
    for turn in range(MOST_TURNS):
        stop_if_asked()
        inside = (low < theta) & (theta < high)
        theta = np.where(inside & (turn % 4 < 3), theta, (low + high) / 2.0)
        at = theta[rest]
        log_p = _log_tails(sums[rest] - at[:, None] * sizes, COARSE if turn == 0 else CELLS)
        accepted = log_p > log_mass
        high[rest[accepted]], low[rest[~accepted]] = at[accepted], at[~accepted]
        value = special.ndtri_exp(log_p)
        with np.errstate(invalid="ignore", divide="ignore"):
            secant = (value - before[rest]) / (at - last[rest])
            # Near the end what rounding has done to p would show in the secant.
            better = (secant > 0.0) & (np.abs(value - before[rest]) > NEAR)
            slope[rest[better]] = secant[better]
            theta[rest] = at + (target - value) / slope[rest]
        last[rest], before[rest] = at, value
        straight = (np.abs(log_p - log_mass) <= NEAR) & (low[rest] < theta[rest]) & (theta[rest] < high[rest])
        high[rest[straight]] = theta[rest[straight]]
        rest = rest[~straight & ((high - low)[rest] > finest[rest])]
        if rest.size == 0:
            break
    return high


def _log_tails(weights: FloatArray, cells: int) -> FloatArray:
    """log P(Σ ±|w| ≥ Σ w), Σ w > 0, by a contour integral along the saddlepoint or by rounded counts."""
    found = np.empty(weights.shape[0])
    at_once = max(1, ELEMENTS_AT_ONCE // (16 * weights.shape[1]))
    for start in range(0, found.size, at_once):
        stop_if_asked()
        part = weights[start : start + at_once]
        left, own = np.arange(part.shape[0]), found[start : start + at_once]
        with np.errstate(all="ignore"):
            tilted = _tilted(part)
            for reach in REACHES if part.shape[1] >= FEWEST_FACTORS else ():
                tau, variance, log_cosh = (column[left] for column in tilted)
                own[left] = _by_contour(part[left], tau, variance, log_cosh, reach)
                left = left[np.isnan(own[left])]
        known = np.where(np.isfinite(tilted[0]), tilted[0], 0.0)
        for row in left.tolist():
            flipped = -float(np.minimum(part[row], 0.0).sum())
            own[row] = log_at_most_rounded(
                np.sort(np.abs(part[row])), flipped, cells, tau=float(known[row])
            ).log_p
    return found


def _by_contour(
    weights: FloatArray, tau: FloatArray, variance: FloatArray, log_cosh: FloatArray, reach: float
) -> FloatArray:
    """The integral of `contour` up to a reach by which φ has died out; NaN where it hasn't."""
    t, sd = weights.sum(axis=1), np.sqrt(variance)
    spacing = np.minimum(SPACING / sd, OF_TILT * tau)
    nodes = np.ceil(reach / (spacing * sd))
    usable = nodes <= MOST_NODES
    rows = np.flatnonzero(usable)
    log_p = np.full(t.size, np.nan)
    if rows.size == 0:
        return log_p
    t, tau, sd, spacing, nodes = (own[rows] for own in (t, tau, sd, spacing, nodes))
    most = int(nodes.max()) + 1
    phi = characteristic_products(np.abs(weights[rows]), tau, spacing, most)
    y = np.arange(most)[:, None] * spacing
    share = np.where(y == 0.0, 0.5, 1.0) * (np.arange(most)[:, None] <= nodes)
    terms = share * (phi * np.exp(-1j * y * t) / (tau + 1j * y)).real
    last = np.where((share > 0.0) & (y * sd >= 0.75 * reach), np.abs(phi), 0.0).max(axis=0)
    whole = log_cosh[rows] - tau * t + np.log(np.cumsum(terms, axis=0)[-1] * spacing / np.pi)
    log_p[rows] = np.where(last <= FADED, whole, np.nan)
    return log_p
