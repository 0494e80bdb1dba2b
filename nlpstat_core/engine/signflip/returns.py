"""Where φ may come back far out on the contour: at spans that scores are likely to share, or nearby."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.moduli import squared_moduli, squared_sech
from nlpstat_core.engine.signflip.span import DENOMINATORS, MOST_DECIMALS

FEW_WEIGHTS = 200
MOST_CLASSES = 32
MOST_NODES = 4096
NODES_PER_SD = 2.0
SCREENED_UNITS = 16
SCREENED_UNITS_OF_FEW = 48
# So many of them at a time: the fewest for all returns, the next only where |φ| may still be large.
SCREENED_TOGETHER = 4
SCREENED_OUT = 0.1
# Of the area that is negligible for a pair: a single turn with less is not looked at.
NEGLIGIBLE_TURN = 10.0
ROUNDED = np.float32(2.0**-22)
# Then so many of the weights that move φ most, and twice as many, at the returns left; at last all weights.
DECISIVE = 96
# Of the area of a pair's likeliest return: below it a bound of another will do, too.
SHARE_OF_LIKELIEST = 1e-3
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
    weights: FloatArray,
    tau: FloatArray,
    sd: FloatArray,
    beyond: FloatArray,
    negligible: FloatArray,
    hopeless: FloatArray,
    whole: bool,
) -> FloatArray:
    """Share of the integral that returns of φ may hold, at the spans of lattices most weights may share.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    tau, sd, beyond (ndarray, shape (n_pairs,)): Tilts, tilted standard deviations, and up to where φ was
        followed: returns before that don't count.
    negligible, hopeless (ndarray, shape (n_pairs,)): A bound from some of the weights will do for a return
        with less area than the former, and for all where the likeliest has more than the latter.
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
        own = weights[some]
        sech2 = squared_sech(tau[some], own)
        factor = (ONE_PEAK if whole else PEAK_AREA) / (np.pi * sd[some])
        least = _least_modulus(own.shape[1], factor, negligible[some], turns)
        rows, found = _screened(own, sech2, beyond[some], turns, least)
        peak = np.minimum(factor[rows] / found, 1.0)
        modulus = _followed_up(own, sech2, rows, found, peak, negligible[some], hopeless[some])
        (np.add if whole else np.maximum).at(area[some], rows, modulus * peak)
    return area


def _least_modulus(
    n_weights: int, factor: FloatArray, negligible: FloatArray, turns: FloatArray
) -> NDArray[np.float32]:
    """Down to which bound of |φ| by some weights the others are asked; shape (n_pairs, n_turns).

    Many weights all follow a lattice where a return matters, and so do a few of them. Few weights may go on
    to make a return of a smaller |φ|: they are asked until its area is negligible whatever the others do.
    """
    if n_weights >= FEW_WEIGHTS:
        return np.full((negligible.size, turns.size), SCREENED_OUT, dtype=np.float32)
    peak = np.minimum(factor[:, None] / turns, 1.0)
    least = np.minimum(NEGLIGIBLE_TURN * negligible[:, None] / peak, SCREENED_OUT)
    return np.asarray(least, dtype=np.float32)


def _screened(
    weights: FloatArray,
    sech2: FloatArray,
    beyond: FloatArray,
    turns: FloatArray,
    least: NDArray[np.float32],
) -> tuple[NDArray[np.intp], FloatArray]:
    """Rows and turns where some weights, spread over the row, allow |φ| above the least that counts."""
    n = weights.shape[1]
    asked = SCREENED_UNITS if n >= FEW_WEIGHTS else SCREENED_UNITS_OF_FEW
    probe = np.linspace(0, n - 1, min(asked, n)).astype(np.intp)
    decisive = _decisive_first(weights[:, probe], sech2[:, probe])
    units, shares = (np.ascontiguousarray(part.T) for part in decisive)
    first = slice(0, SCREENED_TOGETHER)
    square = _squared_bound(units[first, :, None], shares[first, :, None], turns)
    rows, which = np.nonzero((square > least * least) & (np.pi * turns > beyond[:, None]))
    square, bound, found = square[rows, which], least[rows, which] ** 2, turns[which]
    for start in range(SCREENED_TOGETHER, probe.size, SCREENED_TOGETHER):
        some = slice(start, start + SCREENED_TOGETHER)
        square *= _squared_bound(units[some], shares[some], found, rows)
        left = square > bound
        square, bound, rows, found = square[left], bound[left], rows[left], found[left]
    return rows, found


def _followed_up(
    weights: FloatArray,
    sech2: FloatArray,
    rows: NDArray[np.intp],
    turns: FloatArray,
    peak: FloatArray,
    negligible: FloatArray,
    hopeless: FloatArray,
) -> FloatArray:
    """|φ| at the turns of some rows, ascending, or a bound of it where that adds hardly any area."""
    modulus: FloatArray = np.ones(rows.shape)
    left = np.arange(rows.size)
    units, exact_shares = _decisive_first(weights, sech2)
    shares = exact_shares.astype(np.float32)
    enough = negligible[rows] / peak
    start, number = 0, DECISIVE
    while left.size and start + number < weights.shape[1]:
        some = slice(start, start + number)
        for row, part in _row_by_row(rows, left, max(1, SCREENED_AT_ONCE // number)):
            factors = _factors(np.multiply.outer(units[row, some], turns[part]), shares[row, some, None])
            modulus[part] *= np.sqrt(factors.prod(axis=0, dtype=np.float64))
        if start == 0:
            areas = modulus * peak
            likeliest = np.array(
                [part[areas[part].argmax()] for _, part in _row_by_row(rows, left, left.size)]
            )
            own = rows[likeliest]
            area = np.zeros(negligible.shape)
            area[own] = _modulus(weights[own].T, sech2[own].T, turns[likeliest]) * peak[likeliest]
            enough = np.maximum(enough, SHARE_OF_LIKELIEST * area[rows] / peak)
            enough[(area > hopeless)[rows]] = np.inf
        left = left[modulus[left] > enough[left]]
        start += number
        number = start
    for row, part in _row_by_row(rows, left, max(1, ELEMENTS_AT_ONCE // weights.shape[1])):
        modulus[part] = _modulus(weights[row, :, None], sech2[row, :, None], turns[part])
    return modulus


def _row_by_row(
    rows: NDArray[np.intp], left: NDArray[np.intp], most: int
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Each row that is left, and which of its turns are, at most so many at a time."""
    own = rows[left]
    begins = np.append(np.flatnonzero(np.diff(own, prepend=-1)), own.size)
    for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
        for start in range(begin, end, most):
            yield int(own[begin]), left[start : min(start + most, end)]


def _decisive_first(weights: FloatArray, sech2: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each row's weights and shares, those first that are large and not tilted too far to turn φ."""
    order = np.argsort(-sech2 * weights, axis=1, kind="stable")
    return np.take_along_axis(weights, order, axis=1), np.take_along_axis(sech2, order, axis=1)


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


def _modulus(weights: FloatArray, sech2: FloatArray, turns: FloatArray) -> FloatArray:
    """|φ| of weights, on the first axis, at y = π·turns, whole turns taken off before multiplying by π."""
    phases = weights * turns
    phases -= np.rint(phases)
    square = 1.0 - sech2 * np.sin(np.pi * phases) ** 2
    return np.asarray(np.sqrt(np.prod(square, axis=0)), dtype=np.float64)


def _squared_bound(
    units: FloatArray, sech2: FloatArray, turns: FloatArray, rows: NDArray[np.intp] | None = None
) -> NDArray[np.float32]:
    """A bound of |φ|² of some units, one after the other on the first axis; of these rows' if given."""
    shape = np.broadcast_shapes(units.shape[1:], turns.shape) if rows is None else rows.shape
    product = np.ones(shape, dtype=np.float32)
    for weight, share in zip(units, sech2.astype(np.float32), strict=True):
        if rows is None:
            product *= _factors(weight * turns, share)
        else:
            product *= _factors(weight.take(rows) * turns, share.take(rows))
    return product


def _factors(phases: FloatArray, share: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bounds of the factors of |φ|².

    x(3 − 4x²) is a little nearer to 0 than sin πx for x from −½ to ½, and ten times as fast. Once whole turns
    are taken off, single precision will do, if what is left of a factor isn't less than its rounding.
    """
    phases -= np.rint(phases)
    square = phases.astype(np.float32)
    square *= square
    factor: NDArray[np.float32] = np.float32(-4.0) * square
    factor += np.float32(3.0)
    factor *= factor
    factor *= square
    factor *= share
    np.subtract(np.float32(1.0), factor, out=factor)
    return np.maximum(factor, ROUNDED, out=factor)


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
