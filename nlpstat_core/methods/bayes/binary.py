"""Right and wrong answers on the same units: the posterior of a difference of shares."""

from functools import cache

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.methods.bayes.columns import Posteriors, three_parts
from nlpstat_core.records import Procedure

_NODES = 80
# Limits of intervals need no more than these for ten digits.
_FEW_NODES = 48
# Logarithm of how far below its peak a density no longer counts: e^-40 is 4e-18.
_DROP = 40.0
_NEWTON = 14
_STEPS = 8
_SETTLED = 1e-6  # the step after it is below 1e-10
_ROOT = np.sqrt(2 * np.pi)
_BELOW_ONE = 1.0 - 2.0**-53
# Pairs computed at a time: their nodes fit into the cache.
_PART = 512


def binary_posteriors(
    wins: IntArray, losses: IntArray, n: IntArray, *, margin: float = 0.0, level: float = 0.95
) -> Posteriors:
    """Posterior of the difference of two shares of right answers on the same units.

    Parameters
    ----------
    wins, losses : int arrays, shape (n_pairs,)
        Units that only a gets right, that only b does.
    n : int array, shape (n_pairs,)
        Units that the pair shares; NaN everywhere where it is 0.
    margin : float
        Half width of the region of practical equivalence, as a share.
    level : float
        Of the credible interval.

    Returns
    -------
    Posteriors

    Notes
    -----
    The shares of units won, lost and tied have the posterior Dirichlet(b + 1, c + 1, n − b − c + 1); the
    difference is δ = S(2U − 1) with S ~ Beta(b + c + 2, n − b − c + 1), U ~ Beta(b + 1, c + 1) independent.
    P(δ > 0) = P(U > ½) = 1 − the one-sided mid-p of McNemar's test. For other limits
    P(δ > x) = ∫ f(s)·P(U > (1 + x/s)/2) ds by 80 nodes of Gauss–Legendre, the inner tail by the same nodes.
    """
    wins, losses, n = (np.asarray(part, dtype=np.int64) for part in (wins, losses, n))
    cases, back = np.unique(np.stack([wins, losses, n]), axis=1, return_inverse=True)
    b, c, total = (row.astype(float) for row in cases)
    rest = total - b - c
    greater, less, centre = np.full((3, b.size), np.nan)
    interval = np.full((b.size, 2), np.nan)
    known = total > 0
    for first in range(0, b.size, _PART):
        part = np.flatnonzero(known[first : first + _PART]) + first
        if not part.size:
            continue
        own = b[part], c[part], rest[part]
        swapped = c[part], b[part], rest[part]
        limit, support = np.full(part.size, margin), _support(b[part] + c[part] + 2, rest[part] + 1)
        greater[part] = _above(*own, limit, support)[0]
        less[part] = _above(*swapped, limit, support)[0]
        centre[part] = (b[part] - c[part]) / (total[part] + 3)
        interval[part] = _interval(*own, level, support)
    greater, within, less = three_parts(greater, less)
    back = back.ravel()
    return Posteriors(
        greater=greater[back],
        within=within[back],
        less=less[back],
        centre=centre[back],
        interval=interval[back],
    )


def difference_density(wins: int, losses: int, n: int, at: FloatArray) -> FloatArray:
    """Posterior density of one pair's difference of shares."""
    at = np.asarray(at, dtype=float)
    b, c, rest = float(wins), float(losses), float(n - wins - losses)
    result = np.empty(at.shape)
    for side, (first, second) in ((at >= 0, (b, c)), (at < 0, (c, b))):
        x = np.abs(at[side])
        columns = [np.full(x.shape, value) for value in (first, second, rest)]
        support = _support(columns[0] + columns[1] + 2, columns[2] + 1)
        result[side] = _above(columns[0], columns[1], columns[2], x, support)[1]
    return result


def _above(
    b: FloatArray,
    c: FloatArray,
    rest: FloatArray,
    limit: FloatArray,
    support: tuple[FloatArray, FloatArray],
    nodes: int = _NODES,
) -> tuple[FloatArray, FloatArray]:
    """P(δ > limit) and the density of δ there, for limits of 0 or more."""
    from scipy import special

    low, high = np.maximum(support[0], limit), support[1]
    outside = low >= high
    low, high = np.where(outside, 0.25, low), np.where(outside, 0.75, high)
    v, weight, cumulative = _rule(nodes)
    # On a logarithmic scale (1 + x/s)/2 turns as fast near a small limit as anywhere else.
    ratio = np.log(high / low)[:, None]
    log_s = ratio * v
    log_s += np.log(low)[:, None]
    s = np.exp(log_s)
    slope = ratio * s
    x = limit[:, None]
    with np.errstate(under="ignore"):
        u = np.minimum((1 + x / s) / 2, _BELOW_ONE)
        f_s = _beta(s, log_s, b + c + 2, rest + 1) * slope
        f_u = _beta(u, np.log(u), b + 1, c + 1)
        # P(U > u(s)) grows with s: its value at the lower end and the integral of its slope from there.
        start = special.betaincc(b + 1, c + 1, np.minimum((1 + limit / low) / 2, 1.0))
        grown = (f_u * x / (2 * s * s) * slope) @ cumulative.T
        tail = np.clip(start[:, None] + grown, 0.0, 1.0)
        above = (f_s * tail) @ weight
        density = (f_s * f_u / (2 * s)) @ weight
    zero = limit == 0
    above[zero] = special.betaincc(b + 1, c + 1, 0.5)[zero]
    above[outside] = density[outside] = 0.0
    return above, density


def _beta(x: FloatArray, log_x: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Density of Beta(a, b), one row of x for every pair; x lies inside (0, 1)."""
    from scipy import special

    log_density = log_x * (a - 1)[:, None]
    other = np.log1p(-x)
    other *= (b - 1)[:, None]
    log_density += other
    log_density -= special.betaln(a, b)[:, None]
    result: FloatArray = np.exp(log_density, out=log_density)
    return result


def _support(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends of Beta(a, b) outside of which its density, over the logit, is below e^-40 of its peak.

    Newton steps from outside on a concave function never cross the root, so the ends err on the wide side.
    """
    from scipy import special

    def far(first: FloatArray, second: FloatArray) -> FloatArray:
        share = first / (first + second)
        d = _DROP / second + (first + second) / first
        for _ in range(_NEWTON):
            with np.errstate(over="ignore", invalid="ignore"):
                log_mixed = np.where(d > 30, d + np.log(share), np.log1p(share * np.expm1(np.minimum(d, 30))))
            drop = (first + second) * log_mixed - first * d
            slope = (first + second) * special.expit(d + np.log(share) - np.log1p(-share)) - first
            d = np.maximum(d - (drop - _DROP) / slope, 0.0)
        return d

    peak = np.log(a / b)
    return special.expit(peak - far(b, a)), special.expit(peak + far(a, b))


def _interval(
    b: FloatArray, c: FloatArray, rest: FloatArray, level: float, support: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Equal-tailed interval by Newton steps inside a bracket, on the scale on which a normal is a line."""
    from scipy import special

    total = b + c + rest + 3
    mean = (b - c) / total
    variance = ((b + c + 2) / total - mean**2) / (total + 1)
    tail = (1 - level) / 2
    ends = []
    for sign, probability in ((-1.0, 1 - tail), (1.0, tail)):
        goal = normal_quantile(probability)
        x = np.clip(mean + sign * normal_quantile(1 - tail) * np.sqrt(variance), -0.999, 0.999)
        low, high = np.full(x.shape, -1.0), np.full(x.shape, 1.0)
        for _ in range(_STEPS):
            above, density = _above_any(b, c, rest, x, support)
            low, high = np.where(above > probability, x, low), np.where(above < probability, x, high)
            z = special.ndtri(above)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                step = x + (z - goal) * np.exp(-0.5 * z * z) / (_ROOT * density)
            moved = np.where((step >= low) & (step <= high), step, (low + high) / 2)
            settled = np.max(np.abs(moved - x)) < _SETTLED
            x = moved
            if settled:
                break
        ends.append(x)
    return np.stack(ends, axis=-1)


def _above_any(
    b: FloatArray, c: FloatArray, rest: FloatArray, x: FloatArray, support: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """P(δ > x) and the density of δ at x, for x of either sign."""
    swapped = x < 0
    first, second = np.where(swapped, c, b), np.where(swapped, b, c)
    above, density = _above(first, second, rest, np.abs(x), support, _FEW_NODES)
    return np.where(swapped, 1 - above, above), density


@cache
def _rule(nodes: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Gauss–Legendre on [0, 1]: nodes, weights, and the matrix that integrates from 0 up to every node."""
    from numpy.polynomial import legendre

    x, w = legendre.leggauss(nodes)
    order = np.arange(nodes)
    values = legendre.legvander(x, nodes)
    to_series = (2 * order[:, None] + 1) / 2 * values[:, :nodes].T * w
    integrals = np.empty((nodes, nodes))
    integrals[:, 0] = x + 1
    for m in range(1, nodes):
        integrals[:, m] = (values[:, m + 1] - values[:, m - 1]) / (2 * m + 1)
    found = (x + 1) / 2, w / 2, integrals @ to_series / 2
    for array in found:
        array.setflags(write=False)
    return found


METHOD = Procedure(
    key="binary",
    label="Right and wrong answers, uniform prior",
    summary="Shares of items won, lost and tied under a uniform prior, pair by pair; nothing is corrected.",
    run=binary_posteriors,
    assumptions=(
        "items are independent",
        "a priori every split into won, lost and tied items is equally likely",
    ),
    formula=(
        r"(\pi_{10}, \pi_{01}, \pi_{rest}) \mid b, c \sim \mathrm{Dirichlet}(b+1,\ c+1,\ n-b-c+1),\quad"
        r"\delta = \pi_{10} - \pi_{01}"
    ),
    references=("benavoli2017", "kruschke2018"),
    design="paired",
)
