"""Right and wrong answers on different units: the posterior of a difference of two independent shares."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.methods.bayes.columns import Posteriors, three_parts

_NODES = 160
_DEVIATIONS = 12.0
_STEPS = 8
_SETTLED = 1e-7


def independent_posteriors(
    right_a: FloatArray,
    n_a: FloatArray,
    right_b: FloatArray,
    n_b: FloatArray,
    *,
    margin: float = 0.0,
    level: float = 0.95,
) -> Posteriors:
    """Posterior of p_a − p_b, each share with its own uniform prior.

    right_a, n_a, right_b, n_b: Right answers and answers in all of each side.
    Returns: NaN where a side has no answer.

    p ~ Beta(right + 1, wrong + 1) on each side; P(p_a − p_b > x) = ∫ f_b(q)·P(p_a > q + x) dq by 160 nodes of
    Gauss–Legendre over what counts of f_b.

    Source: Sadeqi Azer et al. (2020), doi:10.18653/v1/2020.acl-main.506.
    """
    a = np.stack([right_a + 1, n_a - right_a + 1]).astype(float)
    b = np.stack([right_b + 1, n_b - right_b + 1]).astype(float)
    known = (np.asarray(n_a) > 0) & (np.asarray(n_b) > 0)
    flat = np.full(known.shape, margin)
    greater, less = _above(a, b, flat)[0], _above(b, a, flat)[0]
    greater, within, less = three_parts(greater, less)
    mean_a, mean_b = a[0] / a.sum(axis=0), b[0] / b.sum(axis=0)
    interval = np.stack([_quantile(a, b, 1 - (1 - level) / 2), _quantile(a, b, (1 - level) / 2)], axis=-1)
    blank = np.where(known, 0.0, np.nan)
    return Posteriors(
        greater=greater + blank,
        within=within + blank,
        less=less + blank,
        centre=mean_a - mean_b + blank,
        interval=interval + blank[:, None],
    )


def _above(a: FloatArray, b: FloatArray, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """P(p_a − p_b > x) and the density there; a and b are (right + 1, wrong + 1), shape (2, n_pairs)."""
    from numpy.polynomial import legendre
    from scipy import special

    node, weight = legendre.leggauss(_NODES)
    low, high = _bulk(b)
    q = low[:, None] + (high - low)[:, None] * (node + 1) / 2
    moved = q + x[:, None]
    tail = special.betaincc(a[0][:, None], a[1][:, None], np.clip(moved, 0.0, 1.0))
    density = _beta(q, b)
    above = (density * tail) @ weight * (high - low) / 2
    return np.clip(above, 0.0, 1.0), (density * _beta(moved, a)) @ weight * (high - low) / 2


def _beta(x: FloatArray, shape: FloatArray) -> FloatArray:
    """Density of a beta distribution, one row of x for each; 0 outside (0, 1)."""
    from scipy import special

    inside = (x > 0) & (x < 1)
    x = np.where(inside, x, 0.5)
    with np.errstate(under="ignore"):
        log_density = (shape[0] - 1)[:, None] * np.log(x) + (shape[1] - 1)[:, None] * np.log1p(-x)
        log_density -= special.betaln(shape[0], shape[1])[:, None]
        return np.where(inside, np.exp(log_density), 0.0)


def _bulk(shape: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where a Beta has its mass; the whole range where its tails reach far."""
    total = shape.sum(axis=0)
    mean = shape[0] / total
    sd = np.sqrt(mean * (1 - mean) / (total + 1))
    heavy = shape.min(axis=0) < 150
    low = np.where(heavy, 0.0, np.maximum(mean - _DEVIATIONS * sd, 0.0))
    high = np.where(heavy, 1.0, np.minimum(mean + _DEVIATIONS * sd, 1.0))
    few = heavy & (total > 400)  # a small count among many: the other end is empty
    low = np.where(few & (shape[0] > shape[1]), np.maximum(mean - 40 * sd, 0.0), low)
    high = np.where(few & (shape[0] <= shape[1]), np.minimum(mean + 40 * sd, 1.0), high)
    return low, high


def _quantile(a: FloatArray, b: FloatArray, probability: float) -> FloatArray:
    """x with P(p_a − p_b > x) = probability: Newton steps inside a bracket."""
    from scipy import special

    goal = normal_quantile(probability)
    mean = [shape[0] / shape.sum(axis=0) for shape in (a, b)]
    variance = [m * (1 - m) / (shape.sum(axis=0) + 1) for m, shape in zip(mean, (a, b), strict=True)]
    x = np.clip(mean[0] - mean[1] - goal * np.sqrt(variance[0] + variance[1]), -0.999, 0.999)
    low, high = np.full(x.shape, -1.0), np.full(x.shape, 1.0)
    x = np.asarray(x, dtype=np.float64)
    for _ in range(_STEPS):
        above, density = _above(a, b, x)
        low, high = np.where(above > probability, x, low), np.where(above < probability, x, high)
        z = special.ndtri(above)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = x + (z - goal) * np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * density)
        moved = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        settled = np.max(np.abs(moved - x), initial=0.0) < _SETTLED
        x = np.asarray(moved, dtype=np.float64)
        if settled:
            break
    return x
