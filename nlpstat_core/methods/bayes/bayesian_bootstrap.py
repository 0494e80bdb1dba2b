"""The Bayesian bootstrap: skewed scores, ratios and ranks without a shape assumed."""

from collections.abc import Iterator

import numpy as np
from numpy.random import Generator
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.resampling.streams import CHUNK, bit_generator
from nlpstat_core.methods.bayes.columns import Posteriors
from nlpstat_core.records import Procedure
from nlpstat_core.stopping import stop_if_asked

_STREAM = "bayesian-bootstrap"
# Draws of pairs that are compared at a time (2 MB).
_CELLS = 262_144
# With fewer units (documents) it is too sure of itself for a verdict; the notes that say so.
FEWEST_DRAWN = 30
SHORT, SKEWED = "bootstrap-few-units", "bootstrap-skewed"
# Share of the draws, beyond the tail itself, that is looked through for its end.
TAIL_ROOM = 0.02


def weight_chunks(n_units: int, draws: int, seed: int) -> Iterator[tuple[slice, FloatArray]]:
    """Exponential weights of the units, in fixed chunks of draws.

    Yields weights (float array, shape (draws in which, n_units)): Every row sums to 1: a draw of Dirichlet(1,
        …, 1).
    """
    for start in range(0, draws, CHUNK):
        generator = Generator(bit_generator(seed, _STREAM, start // CHUNK))
        which = slice(start, min(start + CHUNK, draws))
        weights = generator.standard_exponential((CHUNK, n_units))[: which.stop - which.start]
        weights /= weights.sum(axis=1, keepdims=True)
        yield which, weights


def score_draws(upper: FloatArray, lower: FloatArray | None, draws: int, seed: int) -> FloatArray:
    """Posterior draws of every system's score.

    upper (float array, shape (n_units, n_systems)): Scores, hits, or their sums by document.
    lower (float array of the same shape, or None): What the sums of `upper` are divided by; None means one
        for every unit.

    One weight Exp(1) for every unit or document, the same for all systems, so that they stay paired:
    Σ w·h/Σ w·m. Cost O(B·n·S) in matrix products.

    Source: Rubin (1981), doi:10.1214/aos/1176345338.
    """
    result = np.empty((upper.shape[1], draws))
    with one_blas_thread():
        for which, weights in weight_chunks(upper.shape[0], draws, seed):
            total = weights @ upper
            if lower is not None:
                with np.errstate(divide="ignore", invalid="ignore"):
                    total = total / (weights @ lower)
            result[:, which] = total.T
    return result


def drawn_posteriors(
    scores: FloatArray,
    left: IntArray,
    right: IntArray,
    *,
    freedom: FloatArray | float,
    margin: float = 0.0,
    level: float = 0.95,
) -> Posteriors:
    """Posteriors of the differences of drawn scores.

    Parameters
    ----------
    scores : float array, shape (n_systems, draws)
    left, right : int arrays, shape (n_pairs,)
    freedom : float array, shape (n_pairs,), or float
        n − 1 of n units or documents; infinite leaves the draws as they are.
    margin : float
    level : float

    Returns
    -------
    Posteriors
        Shares of the studentised draws; their percentile interval.

    Notes
    -----
    Draws vary less than the mean does: by s/√(n + 1) with the variance s² over n, where a t test has
    s/√(n − 1). A draw at w standard deviations from the centre counts as one at Q(Φ(w))·√((n + 1)/(n − 1)), Q
    the quantile function of Student's t with n − 1 degrees of freedom. Where draws are normal this is the
    posterior of the mean under the reference prior.
    """
    n_pairs, draws = left.shape[0], scores.shape[1]
    greater, less = np.empty((2, n_pairs))
    interval = np.empty((n_pairs, 2))
    shift = scores.mean(axis=1)
    nu = np.broadcast_to(np.asarray(freedom, dtype=float), left.shape)
    single = (scores - shift[:, None]).astype(np.float32)  # enough for ranks among draws, and half the memory
    tail = (1 - level) / 2
    # Equally many draws lie outside on either side.
    first = min(max(round(tail * (draws + 1)) - 1, 0), draws - 1)
    step = max(1, _CELLS // draws)
    for start in range(0, n_pairs, step):
        stop_if_asked()
        part = slice(start, min(start + step, n_pairs))
        a, b = left[part], right[part]
        centred = single[a] - single[b]
        offset = shift[a] - shift[b]
        spread = np.sqrt(np.einsum("ij,ij->i", centred, centred) / draws).astype(float)
        above, below = (
            _unstudentised(limit - offset, spread, nu[part]).astype(np.float32) for limit in (margin, -margin)
        )
        greater[part] = np.count_nonzero(centred > above[:, None], axis=1)
        less[part] = np.count_nonzero(centred < below[:, None], axis=1)
        interval[part, 0] = offset + _studentised(_smallest(centred, first, tail), spread, nu[part])
        np.negative(centred, out=centred)
        interval[part, 1] = offset - _studentised(_smallest(centred, first, tail), spread, nu[part])
    greater, less = greater / draws, less / draws
    return Posteriors(
        greater=greater,
        within=1.0 - greater - less,
        less=less,
        centre=shift[left] - shift[right],
        interval=interval,
    )


def _studentised(away: FloatArray, spread: FloatArray, freedom: FloatArray) -> FloatArray:
    """Where draws that lie so far from the centre count as lying, shape (n_pairs,)."""
    scale, nu = _scale(spread, freedom)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = stdtrit(nu, ndtr(away / spread)) * scale
    return np.where(spread > 0, np.where(np.isfinite(freedom), found, away), 0.0)


def _unstudentised(away: FloatArray, spread: FloatArray, freedom: FloatArray) -> FloatArray:
    """The inverse of `_studentised`: which draws count as lying beyond a limit."""
    scale, nu = _scale(spread, freedom)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = ndtri(stdtr(nu, away / scale)) * spread
    return np.where(np.isfinite(freedom) & (spread > 0), found, away)


def _scale(spread: FloatArray, freedom: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Standard error that belongs to a spread of draws, and degrees of freedom that SciPy takes."""
    nu = np.where(np.isfinite(freedom) & (freedom >= 1), freedom, 1.0)
    return spread * np.sqrt((nu + 2) / nu), nu


def _smallest(centred: FloatArray, position: int, tail: float) -> FloatArray:
    """One order statistic of every row: among the few values below a bound that nearly surely holds it."""
    spread = np.sqrt(np.einsum("ij,ij->i", centred, centred) / centred.shape[1])
    bounds = ndtri(min(tail + TAIL_ROOM, 0.5)) * spread
    low = centred <= bounds.astype(np.float32)[:, None]
    ends = np.cumsum(np.count_nonzero(low, axis=1))
    candidates = centred[low]
    found = np.empty(ends.shape)
    for i, (start, end) in enumerate(zip((0, *ends[:-1]), ends, strict=True)):
        values = candidates[start:end] if end - start > position else centred[i].copy()
        values.partition(position)
        found[i] = values[position]
    return found


METHOD = Procedure(
    key="bayesian-bootstrap",
    label="Bayesian bootstrap",
    summary="Random weights of items or documents, shared by all systems: for skewed scores and ranks.",
    run=drawn_posteriors,
    assumptions=(
        "items (or the named documents) are independent",
        "scores that were not observed have probability 0: at 50 items 95 % intervals hold 95 % of the time "
        "for normal differences, 91 % for lognormal ones (simulated); so there is no verdict with fewer than "
        f"{FEWEST_DRAWN} items or fewer than 25 times the squared skewness",
    ),
    formula=r"w \sim \mathrm{Dirichlet}(1, \dots, 1),\quad \mu_s = \sum_i w_i x_{is},\quad"
    r"\text{studentised: } \bar\mu + \sqrt{\tfrac{n+1}{n-1}}\,\hat\sigma_\mu\,"
    r"F_{t_{n-1}}^{-1}\bigl(\Phi((\mu - \bar\mu)/\hat\sigma_\mu)\bigr)",
    references=("rubin1981",),
    design="paired",
)
