"""Where φ may come back far out on the contour: at spans that scores are likely to share, or nearby."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.moduli import squared_moduli
from nlpstat_core.engine.signflip.span import DENOMINATORS, MOST_DECIMALS

FEW_WEIGHTS = 200
MOST_CLASSES = 32
MOST_NODES = 4096
NODES_PER_SD = 2.0
SCREENED_UNITS = 16
# One in so many of them is asked first.
FIRST_LOOK = 3
SCREENED_OUT = 0.1
# A peak of φ at y has area √(2π)/(sd·y); the factor also covers its repetitions at multiples of y, where
# these aren't looked at themselves.
PEAK_AREA = 10.0
# Weights of so many pairs at a time that those of some nodes stay in the processor's cache.
WEIGHTS_AT_ONCE = 1 << 11
ELEMENTS_AT_ONCE = 1 << 15

_DECIMAL = np.outer(10.0 ** np.arange(-3, MOST_DECIMALS + 1), DENOMINATORS).ravel()
# Least common multiples of the whole numbers up to 5, 7, 8, 10, 12 and 15: shares of small counts.
_SHARES = np.array([60.0, 420.0, 840.0, 2520.0, 27720.0, 360360.0])
STEPS_PER_UNIT = np.concatenate([_DECIMAL, _SHARES])
# Among whole numbers with common divisor 1, y/π at which halves, thirds, fifths, sevenths and others
# rounded to decimals nearly turn whole: multiples of q·10^(−d), not only the first, since a shift shared by
# all differences lets some line up and not others. The line ends at ½, the return of span 2.
MULTIPLES = 128
_TURNS = np.multiply.outer(
    10.0 ** -np.arange(1.0, MOST_DECIMALS + 1.0),
    np.outer([1.0, 1.6, 3.0, 7.0, 11.0, 13.0], np.arange(1, MULTIPLES + 1)),
).ravel()
_COARSER = 1.0 / np.array([2.0, 3.0, 4.0, 7.0, 8.0, 12.0])
_ALL_TURNS = np.unique(np.concatenate([_TURNS, _COARSER]).round(12))
TURNS_OF_MULTIPLES = _ALL_TURNS[(_ALL_TURNS > 0.0) & (_ALL_TURNS <= 0.5)]
# Each of these is a return of its own: √(2π) and what rounding the bound may lack.
ONE_PEAK = 3.0
SCREENED_AT_ONCE = 1 << 16


def likely_return(
    weights: FloatArray, tau: FloatArray, sd: FloatArray, beyond: FloatArray, whole: bool
) -> FloatArray:
    """Share of the integral that returns of φ may hold, at the spans of lattices most weights may share.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tau, sd, beyond (ndarray, shape (n_pairs,)): Tilts, tilted standard deviations, and up to where φ was
        followed: returns before that don't count.
    whole: Whether the weights are whole numbers with greatest common divisor 1: the line then ends at π/2.
    Returns ndarray, shape (n_pairs,): Bound of ∫|φ|/y dy over the returns found.

    Weights that are multiples of a, up to a few strays, bring φ back at y = π/a, and no nodes near 0 tell.
    Scores written with decimals, or shares of small counts, suggest the spans; a few weights spread over
    each row screen them out before all weights are asked. Of whole numbers every multiple of a rounded
    fraction is a turn of its own, and the areas of all returns add up; of other weights the worst counts.
    """
    area = np.zeros(tau.shape)
    turns = TURNS_OF_MULTIPLES if whole else STEPS_PER_UNIT
    turns = turns[np.pi * turns > beyond.min()]
    size = max(1, SCREENED_AT_ONCE // max(1, turns.size))
    for start in range(0, tau.size, size):
        some = slice(start, start + size)
        _add_returns(weights[some], tau[some], sd[some], beyond[some], turns, whole, area[some])
    return area


def _add_returns(
    weights: FloatArray,
    tau: FloatArray,
    sd: FloatArray,
    beyond: FloatArray,
    turns: FloatArray,
    whole: bool,
    area: FloatArray,
) -> None:
    """Enter into `area` those of a few pairs: all returns of whole numbers, the worst of others."""
    probe = np.linspace(0, weights.shape[1] - 1, min(SCREENED_UNITS, weights.shape[1])).astype(np.intp)
    few = np.ascontiguousarray(weights[:, probe].T)
    few_shares = _sech2(tau, few.T).T
    fewer = _bound(few[1::FIRST_LOOK, None], few_shares[1::FIRST_LOOK, None], turns[:, None])
    which, rows = np.nonzero((fewer > SCREENED_OUT) & (np.pi * turns[:, None] > beyond))
    left = _bound(few[:, rows], few_shares[:, rows], turns[which]) > SCREENED_OUT
    rows, turns = rows[left], turns[which[left]]
    sech2 = _sech2(tau, weights)
    size = max(1, ELEMENTS_AT_ONCE // weights.shape[1])
    for start in range(0, rows.size, size):
        part, own = rows[start : start + size], turns[start : start + size]
        modulus = _modulus(weights[part], sech2[part], own)
        if whole:
            np.add.at(area, part, modulus * np.minimum(ONE_PEAK / (sd[part] * np.pi * own), 1.0))
        else:
            np.maximum.at(area, part, modulus * np.minimum(PEAK_AREA / (sd[part] * np.pi * own), 1.0))


def scanned_return(weights: FloatArray, tau: FloatArray, sd: FloatArray, beyond: FloatArray) -> FloatArray:
    """∫|φ|/y dy up to the return of a lattice with 32 classes, for pairs with few weights.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tau, sd, beyond (ndarray, shape (n_pairs,)): Tilts, tilted standard deviations, and where the scan begins.
    Returns ndarray, shape (n_pairs,): 0 for pairs with 200 weights or more: all of them would have to follow
        a lattice too closely for it to matter, and `likely_return` knows the spans for which scores do.

    Cost O(n_weights^1.5) per pair, at nodes half a standard deviation of φ apart.
    """
    area = np.zeros(tau.shape)
    n = np.count_nonzero(weights, axis=1)
    typical = weights[:, -1 - weights.shape[1] // 10]
    typical = np.where(typical > 0.0, typical, weights[:, -1])
    end = np.pi * np.minimum(n / 2.0, MOST_CLASSES) / typical
    spacing = 1.0 / (NODES_PER_SD * sd)
    nodes = np.minimum(np.ceil((end - beyond) / spacing), MOST_NODES)
    rows = np.flatnonzero((n < FEW_WEIGHTS) & (nodes > 0))
    rows = rows[np.argsort(nodes[rows], kind="stable")]
    size = max(1, WEIGHTS_AT_ONCE // weights.shape[1])
    for start in range(0, rows.size, size):
        part = rows[start : start + size]
        area[part] = _area_on_grid(weights[part], tau[part], beyond[part], spacing[part], nodes[part])
    return area


def _sech2(tau: FloatArray, weights: FloatArray) -> FloatArray:
    return np.asarray(1.0 / np.cosh(np.minimum(tau[:, None] * weights, 350.0)) ** 2, dtype=np.float64)


def _modulus(weights: FloatArray, sech2: FloatArray, turns: FloatArray) -> FloatArray:
    """|φ| of each row of weights at y = π·turns, whole turns taken off before multiplying by π."""
    phases = weights * turns[:, None]
    phases -= np.rint(phases)
    square = 1.0 - sech2 * np.sin(np.pi * phases) ** 2
    return np.asarray(np.sqrt(np.prod(square, axis=1)), dtype=np.float64)


def _bound(units: FloatArray, sech2: FloatArray, turns: FloatArray) -> FloatArray:
    """A bound of |φ| of some units, one after the other on the first axis.

    x(3 − 4x²) is a little nearer to 0 than sin πx for x from −½ to ½, and ten times as fast.
    """
    product: FloatArray = np.ones(np.broadcast_shapes(units.shape[1:], turns.shape))
    for weight, share in zip(units, sech2, strict=True):
        phases = weight * turns
        phases -= np.rint(phases)
        phases *= phases
        factor = 3.0 - 4.0 * phases
        factor *= factor
        factor *= phases
        factor *= share
        np.subtract(1.0, factor, out=factor)
        product *= factor
    return np.sqrt(product, out=product)


def _area_on_grid(
    weights: FloatArray, tau: FloatArray, begin: FloatArray, spacing: FloatArray, nodes: FloatArray
) -> FloatArray:
    """Σ |φ|·spacing/y at begin + k·spacing for each pair's number of nodes."""
    area = np.zeros(tau.shape)
    for first, square in squared_moduli(weights, tau, begin, spacing, int(nodes.max())):
        k = first + np.arange(square.shape[0])[:, None]
        terms = np.where(k < nodes, np.sqrt(square) * spacing / (begin + k * spacing), 0.0)
        # Running sums add node after node; plain sums group them differently for one pair and for many.
        area += np.cumsum(terms, axis=0)[-1]
    return area
