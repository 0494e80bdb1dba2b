"""Partial pooling over the whole board: every score drawn towards the others as far as they agree."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.distributions.tails import normal_quantile
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.resampling.streams import CHUNK, bit_generator
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.bayes.columns import Posteriors
from nlpstat_core.records import Procedure
from nlpstat_core.stopping import stop_if_asked

_NODES = 80
_SCAN = 600
# Logarithm of how far below its peak the density of τ no longer counts.
_DROP = 36.0
# Nodes lighter than this part of the heaviest one are left out.
_LIGHTEST = 1e-15
# Few systems leave τ wide open: nodes are then added until they stand as close as this.
_STEP = 0.05
_NEWTON = 12
_STREAM = "partial-pooling"
# Mixture components of pairs at a time (1 MB).
_CELLS = 131_072


@dataclass(frozen=True, eq=False, kw_only=True)
class Pooled:
    """Posterior of all scores as a mixture of normals, one for each node of τ.

    tau, weight (float arrays, shape (k,)): Standard deviation between systems, metric points, and its
        posterior weights; they sum to 1.
    mean (float array, shape (k, n_systems)): Posterior mean of the scores at each node.
    level, level_error (float arrays, shape (k,)): Posterior mean and standard deviation of the overall level
        μ.
    values (float array, shape (n_systems,)): Eigenvalues of the covariance of the scores.
    vectors (float array, shape (n_systems, n_systems)): Its eigenvectors, one a column.
    """

    tau: FloatArray
    weight: FloatArray
    mean: FloatArray
    level: FloatArray
    level_error: FloatArray
    values: FloatArray
    vectors: FloatArray

    @property
    def score(self) -> FloatArray:
        """Posterior means of the scores, shape (n_systems,): the shrunken scores."""
        result: FloatArray = self.weight @ self.mean
        return result

    @property
    def mean_tau(self) -> float:
        """Posterior mean of τ."""
        return float(self.weight @ self.tau)

    def covariance(self, node: int) -> FloatArray:
        """Posterior covariance of the scores at a node of τ, shape (n_systems, n_systems)."""
        share = self._kept(node)
        level = self.vectors @ ((1 - share) * self.vectors.sum(axis=0))
        spread = (self.vectors * (self.values * share)) @ self.vectors.T
        result: FloatArray = spread + self.level_error[node] ** 2 * np.outer(level, level)
        return result

    def _kept(self, node: int) -> FloatArray:
        """How much of a deviation from μ is kept along each eigenvector."""
        square = self.tau[node] ** 2
        result: FloatArray = square / (self.values + square)
        return result


def pool(score: FloatArray, covariance: FloatArray, *, prior: float | None, fineness: float = 1.0) -> Pooled:
    """Partial pooling of scores with a known covariance.

    score (float array, shape (n_systems,)): Observed scores, metric points.
    covariance (float array, shape (n_systems, n_systems)): Of their sampling errors, positive definite on
        contrasts (`covariance.shrunk_covariance`).
    prior: Scale of the half-Cauchy prior of τ, metric points; None for a flat prior, which needs three
        systems.
    fineness: How many times more nodes of τ than needed.
    Raises AnalysisError: Fewer than two systems (three under a flat prior), or scores whose differences have
        no error.

    x̄ ~ N(θ, V), θ_s ~ N(μ, τ²), μ flat, τ half-Cauchy. Given τ everything is normal, and with V = QΛQ' it
    costs O(S) a node: y = Q'x̄, e = Q'1, w = 1/(λ + τ²), μ̂ = Σwey/Σwe²,
    log p(τ | x̄) = log p(τ) − ½ log Σwe² + ½ Σ log w − ½ Σ w(y − μ̂e)². Nodes of τ lie where this density
    counts, evenly on t with τ = s·exp(t − exp(−t)), a scale on which the trapezoidal rule converges
    exponentially. No Markov chain, no random number.

    Source: Gelman (2006), doi:10.1214/06-BA117A; Gelman, Hill and Yajima (2012),
    doi:10.1080/19345747.2011.618213.
    """
    n_systems = score.shape[0]
    least = 2 if prior is not None else 3
    if n_systems < least:
        raise AnalysisError(f"Partial pooling needs at least {least} systems; there are {n_systems}.")
    values, vectors = np.linalg.eigh(covariance)
    values = np.maximum(values, 0.0)
    contrast = covariance - covariance.mean(axis=0) - covariance.mean(axis=1)[:, None] + covariance.mean()
    typical = float(np.trace(contrast)) / (n_systems - 1)
    if not typical > 0:
        raise AnalysisError("Partial pooling needs scores whose differences vary from item to item.")
    # A direction without any error would make τ = 0 infinitely likely; this is below all rounding.
    values = np.maximum(values, 1e-13 * typical)
    origin = float(score.mean())
    y, e = vectors.T @ (score - origin), vectors.sum(axis=0)

    def log_density(tau: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        w = 1.0 / (values + tau[:, None] ** 2)
        information = w @ (e * e)
        level = (w @ (e * y)) / information
        misfit = np.sum(w * (y - level[:, None] * e) ** 2, axis=1)
        log_p = 0.5 * (np.sum(np.log(w), axis=1) - np.log(information) - misfit)
        if prior is not None:
            log_p -= np.log1p((tau / prior) ** 2)
        return log_p, level, 1 / np.sqrt(information)

    tau, slope = _nodes(log_density, float(np.sqrt(typical)), fineness)
    log_p, level, level_error = log_density(tau)
    weight = np.exp(log_p - log_p.max()) * slope
    weight /= weight.sum()
    kept = weight > _LIGHTEST * weight.max()
    tau, level, level_error, weight = tau[kept], level[kept], level_error[kept], weight[kept]
    weight /= weight.sum()
    share = tau[:, None] ** 2 / (values + tau[:, None] ** 2)
    mean = (share * y + (1 - share) * level[:, None] * e) @ vectors.T
    return Pooled(
        tau=tau,
        weight=weight,
        mean=mean + origin,
        level=level + origin,
        level_error=level_error,
        values=values,
        vectors=vectors,
    )


def _nodes(
    log_density: Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]],
    unit: float,
    fineness: float,
) -> tuple[FloatArray, FloatArray]:
    """Nodes of τ where its density counts, and dτ/dt there."""

    def at(t: FloatArray) -> tuple[FloatArray, FloatArray]:
        tau = unit * np.exp(t - np.exp(-t))
        return tau, tau * (1 + np.exp(-t))

    low, high = -3.6, 40.0
    for _ in range(2):  # once over the whole range, once more finely over what counts
        t = np.linspace(low, high, _SCAN)
        tau, slope = at(t)
        log_p = log_density(tau)[0] + np.log(slope)
        there = np.flatnonzero(log_p > log_p.max() - _DROP)
        low, high = t[max(there[0] - 1, 0)], t[min(there[-1] + 1, _SCAN - 1)]
    number = max(_NODES, math.ceil((high - low) / _STEP)) * fineness
    return at(np.linspace(low, high, math.ceil(number)))


def pooled_posteriors(
    pooled: Pooled, left: IntArray, right: IntArray, *, margin: float = 0.0, level: float = 0.95
) -> Posteriors:
    """Posteriors of differences between pooled scores.

    Parameters
    ----------
    pooled : Pooled
    left, right : int arrays, shape (n_pairs,)
    margin : float
    level : float

    Returns
    -------
    Posteriors

    Notes
    -----
    Every difference is a mixture of normals over the nodes of τ. Cost O(S³ + S²) a node.
    """
    mean = pooled.mean[:, left] - pooled.mean[:, right]
    error = np.empty_like(mean)
    with one_blas_thread():
        for node in range(pooled.tau.shape[0]):
            stop_if_asked()
            covariance = pooled.covariance(node)
            own = np.diag(covariance)
            square = own[left] + own[right] - 2 * covariance[left, right]
            error[node] = np.sqrt(np.maximum(square, 0.0))
    return _mixtures(pooled.weight, mean, error, margin, level)


def score_posteriors(pooled: Pooled, *, level: float = 0.95) -> FloatArray:
    """Credible intervals of the pooled scores."""
    error = np.empty_like(pooled.mean)
    for node in range(pooled.tau.shape[0]):
        share = pooled._kept(node)
        own = (pooled.vectors**2) @ (pooled.values * share)
        moved = pooled.vectors @ ((1 - share) * pooled.vectors.sum(axis=0))
        error[node] = np.sqrt(own + pooled.level_error[node] ** 2 * moved**2)
    return _mixtures(pooled.weight, pooled.mean, error, 0.0, level).interval


def pooled_draws(pooled: Pooled, draws: int, seed: int) -> FloatArray:
    """Posterior draws of all scores together, for ranks.

    Returns float array, shape (n_systems, draws): Independent draws: first τ, then μ, then the scores.
    """
    n_systems = pooled.mean.shape[1]
    edges = np.cumsum(pooled.weight)[:-1]
    ones = pooled.vectors.sum(axis=0)
    result = np.empty((n_systems, draws))
    with one_blas_thread():
        for start in range(0, draws, CHUNK):
            generator = Generator(bit_generator(seed, _STREAM, start // CHUNK))
            number = min(CHUNK, draws - start)
            node = np.searchsorted(edges, generator.random(CHUNK), side="right")[:number]
            normal = generator.standard_normal((CHUNK, n_systems + 1))[:number]
            square = pooled.tau[node][:, None] ** 2
            share = square / (pooled.values + square)
            level = (pooled.level_error[node] * normal[:, -1])[:, None]
            rotated = normal[:, :-1] * np.sqrt(pooled.values * share) + level * (1 - share) * ones
            result[:, start : start + number] = (pooled.mean[node] + rotated @ pooled.vectors.T).T
    return result


def _mixtures(
    weight: FloatArray, mean: FloatArray, error: FloatArray, margin: float, level: float
) -> Posteriors:
    """Posteriors of mixtures of normals; components are rows, pairs columns."""
    n_pairs = mean.shape[1]
    greater, less = np.empty((2, n_pairs))
    interval = np.empty((n_pairs, 2))
    step = max(1, _CELLS // mean.shape[0])
    for start in range(0, n_pairs, step):
        stop_if_asked()
        part = slice(start, min(start + step, n_pairs))
        m, s = mean[:, part], np.maximum(error[:, part], 1e-300)
        greater[part], less[part] = _tail(weight, m, s, margin)[0], _tail(weight, -m, s, margin)[0]
        interval[part] = _quantiles(weight, m, s, level)
    greater, less = np.minimum(greater, 1.0), np.minimum(less, 1.0)
    return Posteriors(
        greater=greater,
        within=np.clip(1.0 - greater - less, 0.0, 1.0),
        less=less,
        centre=weight @ mean,
        interval=interval,
    )


def _tail(
    weight: FloatArray, mean: FloatArray, error: FloatArray, limit: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """P(above the limit) and the density there."""
    from scipy import special

    with np.errstate(under="ignore", over="ignore"):
        z = (mean - limit) / error
        density = np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * error)
        return weight @ special.ndtr(z), weight @ density


def _quantiles(weight: FloatArray, mean: FloatArray, error: FloatArray, level: float) -> FloatArray:
    """Equal-tailed limits by Newton steps inside a bracket that components give."""
    tail = (1 - level) / 2
    q = normal_quantile(1 - tail)
    centre = weight @ mean
    spread = np.sqrt(weight @ ((mean - centre) ** 2 + error**2))
    ends = []
    for sign, probability in ((-1.0, 1 - tail), (1.0, tail)):
        limits = mean + sign * q * error
        low, high = limits.min(axis=0), limits.max(axis=0)
        x = np.clip(centre + sign * q * spread, low, high)
        for _ in range(_NEWTON):
            above, density = _tail(weight, mean, error, x)
            off = above - probability
            low, high = np.where(off > 0, x, low), np.where(off < 0, x, high)
            with np.errstate(divide="ignore", invalid="ignore"):
                moved = x + off / density
            moved = np.where((moved >= low) & (moved <= high), moved, (low + high) / 2)
            done = np.max(np.abs(moved - x) / spread) < 1e-9
            x = moved
            if done:
                break
        ends.append(x)
    return np.stack(ends, axis=-1)


METHOD = Procedure(
    key="partial-pooling",
    label="Partial pooling over the board",
    summary="Systems come from one population: scores are shrunk towards its mean, noisier ones more.",
    run=pooled_posteriors,
    assumptions=(
        "systems are exchangeable before their scores are seen",
        "scores of whole systems vary normally around the board's mean",
        "the covariance of the scores is taken as known: intervals are too narrow below about 20 items",
    ),
    formula=(
        r"\bar x \mid \theta \sim N(\theta, V),\quad \theta_s \sim N(\mu, \tau^2),\quad"
        r"\tau \sim \text{half-Cauchy}"
    ),
    references=("gelman2006", "gelman2012", "ledoit2004"),
    design="paired",
)
