"""Slow oracles from the definitions, and batches to try: enumerations, fractions, quadrature."""

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import integrate, stats

from nlpstat_core import AnalysisConfig, ScoreMatrix
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import Outcomes
from nlpstat_core.engine.columns.pairing import binary_columns
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.methods.significance import TESTS

ALTERNATIVES = ("two-sided", "greater", "less")
TIE = 1e-9


def board(columns: ArrayLike, delta: float = 0.0) -> PairBatch:
    """All pairs of the columns of a score matrix."""
    values = np.asarray(columns, dtype=float)
    scores = ScoreMatrix(values=values, systems=tuple(f"s{i}" for i in range(values.shape[1])))
    left, right = np.triu_indices(values.shape[1], 1)
    units = UnitBlock(scores.values, scores.decimals, binary_columns(scores))
    return PairBatch(units, left, right, delta)


def one_pair(u: ArrayLike, v: ArrayLike, delta: float = 0.0) -> PairBatch:
    """The batch of a single pair."""
    return board(np.stack([np.asarray(u, dtype=float), np.asarray(v, dtype=float)], axis=1), delta)


def differences_batch(z: ArrayLike, delta: float = 0.0) -> PairBatch:
    """A pair whose differences are z: b scores 0 everywhere."""
    return one_pair(z, np.zeros(np.shape(z)), delta)


def run(key: str, batch: PairBatch, **settings: object) -> Outcomes:
    """A test of the catalogue on a batch."""
    return TESTS[key].run(batch, AnalysisConfig.from_mapping(settings))


def p_of(key: str, batch: PairBatch, **settings: object) -> float:
    """The p-value of the first pair."""
    return float(run(key, batch, **settings).p_value[0])


def sign_patterns(n: int) -> np.ndarray:
    return np.array(list(itertools.product((1.0, -1.0), repeat=n))).reshape(2**n, n)


def enumerated_p(observed: float, null: np.ndarray, alternative: str) -> float:
    """The house rule: greater P(T ≥ t), less P(T ≤ t), two-sided twice the smaller tail of |t|, at most 1."""
    if alternative == "greater":
        return float(np.mean(null >= observed - TIE))
    if alternative == "less":
        return float(np.mean(null <= observed + TIE))
    if abs(observed) <= TIE:
        return 1.0
    return min(1.0, 2 * float(np.mean(null >= abs(observed) - TIE)))


def permutation_p(z: np.ndarray, centre: Callable[..., np.ndarray], alternative: str) -> float:
    null = centre(sign_patterns(z.size) * np.abs(z), axis=1)
    return enumerated_p(float(centre(z[None, :], axis=1)[0]), np.asarray(null), alternative)


def wilcoxon_ranks(z: np.ndarray, zero_method: str = "wilcox") -> np.ndarray:
    """Signed ranks: zeros dropped, or ranked first with their ranks dropped."""
    if zero_method == "wilcox":
        z = z[z != 0]
    return np.sign(z) * stats.rankdata(np.abs(z)) if z.size else np.zeros(0)


def wilcoxon_p(z: np.ndarray, alternative: str, zero_method: str = "wilcox") -> float:
    """All sign patterns of the midranks of these very differences."""
    signed = wilcoxon_ranks(z, zero_method)
    signed = signed[signed != 0]
    if not signed.size:
        return 1.0
    null = sign_patterns(signed.size) @ np.abs(signed)
    return enumerated_p(float(signed.sum()), null, alternative)


def binomial_tail(n: int, k: int) -> Fraction:
    """P(Bin(n, ½) ≥ k) as a fraction."""
    return Fraction(sum(math.comb(n, j) for j in range(max(k, 0), n + 1)), 2**n)


def binomial_p(wins: int, losses: int, alternative: str) -> Fraction:
    n = wins + losses
    if alternative == "two-sided":
        return min(Fraction(1), 2 * binomial_tail(n, max(wins, losses)))
    return binomial_tail(n, wins if alternative == "greater" else losses)


def walsh_averages(z: Sequence[float]) -> np.ndarray:
    return np.sort([(z[i] + z[j]) / 2 for i in range(len(z)) for j in range(i, len(z))])


def skewness(z: Sequence[float]) -> float:
    """g1 from exact central moments."""
    exact = [Fraction(float(value)) for value in z]
    mean = sum(exact) / len(exact)
    second = sum((value - mean) ** 2 for value in exact) / len(exact)
    third = sum((value - mean) ** 3 for value in exact) / len(exact)
    return float(third) / float(second) ** 1.5


def log_t_tail(t: float, df: float) -> float:
    """log P(T > t) by quadrature: the density relative to its value at t, in steps of its own decay."""
    scale = max(t, 1.0) / df if t > 1 else 1.0

    def ratio(step: float) -> float:
        x = t + scale * step
        return math.exp(-(df + 1) / 2 * (math.log1p(x * x / df) - math.log1p(t * t / df)))

    area, _ = integrate.quad(ratio, 0, np.inf, epsabs=0, epsrel=1e-12, limit=500)
    log_density = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - 0.5 * math.log(df * math.pi)
    log_density -= (df + 1) / 2 * math.log1p(t * t / df)
    return log_density + math.log(area * scale)


def noncentral_t(t: float, df: float, delta: float) -> float:
    """P(T ≤ t) as the mixture of normals over χ², by adaptive quadrature."""
    middle = math.sqrt(2 / df) * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2))
    area, _ = integrate.quad(
        lambda s: stats.norm.cdf(t * s - delta) * math.sqrt(df) * stats.chi.pdf(s * math.sqrt(df), df),
        0,
        middle + 40 / math.sqrt(2 * df),
        points=[middle, min(max(delta / max(t, 1e-9), 0.0), middle + 39 / math.sqrt(2 * df))],
        epsabs=1e-12,
        epsrel=1e-10,
        limit=500,
    )
    return float(area)


def adjusted_by_matrices(z: ArrayLike, documents: Sequence) -> tuple[float, float]:
    """CR2 standard error of the mean of z and Bell and McCaffrey's degrees of freedom, by whole matrices.

    The residuals of each document are multiplied by the inverse square root of its part of I − H, H the hat
    matrix of a constant; the degrees of freedom come from M = G'G of the working model of independent units.
    """
    values, labels = np.asarray(z, dtype=float), np.asarray(documents)
    n = values.size
    x = np.ones((n, 1))
    rest = np.eye(n) - x @ np.linalg.inv(x.T @ x) @ x.T
    residuals, weights = rest @ values, np.full(n, 1 / n)
    variance, columns = 0.0, []
    for document in np.unique(labels):
        here = labels == document
        roots, vectors = np.linalg.eigh(rest[np.ix_(here, here)])
        adjust = vectors @ np.diag(roots**-0.5) @ vectors.T
        variance += float(weights[here] @ adjust @ residuals[here]) ** 2
        columns.append(rest[:, here] @ adjust @ weights[here])
    products = np.array(columns) @ np.array(columns).T
    return math.sqrt(variance), float(np.trace(products) ** 2 / np.trace(products @ products))


def accepted_by_subsets(sums: ArrayLike, sizes: ArrayLike, mass: float) -> tuple[float, float]:
    """Ends of the means that neither one-sided sign-flip test rejects at `mass`, by all subsets of blocks."""
    s, length = np.asarray(sums, dtype=float), np.asarray(sizes, dtype=float)
    chosen = np.array(list(itertools.product([0, 1], repeat=s.size)))[1:]
    ratios = np.sort((chosen @ s) / (chosen @ length))
    least = math.floor(mass * 2.0**s.size + 1e-9)
    return (ratios[least - 1], ratios[-least]) if least else (-math.inf, math.inf)
