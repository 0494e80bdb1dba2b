"""p-values of the swap test of one pair from draws under a tilt, which leaves no floor."""

import math
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import CHUNK
from nlpstat_core.engine.signflip.outcome import EXACT, MONTE_CARLO
from nlpstat_core.engine.swaps.aiming import aimed_chances, design_chances
from nlpstat_core.engine.swaps.counted import TIE, SwapTail, plain_tail, reaches
from nlpstat_core.engine.swaps.draws import drawn
from nlpstat_core.engine.swaps.linear import LinearTail
from nlpstat_core.engine.swaps.pair import Swapped, SwappedShifts

TINY = np.finfo(np.float64).tiny
STREAM = "swap-tilted"
# Draws after which the error is looked at, where drawing may end early.
_FIRST = CHUNK // 2
# Standard errors within which draws alone and those beside the linear tail have to agree.
_AGREE = 4.0
# Relative standard deviation of a draw's weighted hit, 1 to 3 under a tilt that suits, above which another is
# taken: errors of few heavy weights are too small.
_WORST = 5.0
_AGAIN = "swap-again"


def tilted_draws(
    pair: Swapped,
    observed: float,
    alternative: str,
    *,
    seed: int,
    draws: int,
    units: IntArray,
    linear: LinearTail | None = None,
    enough: float = 0.0,
    plain_draws: int = 0,
) -> Generator[None, None, SwapTail]:
    """p from signs drawn where Δ is expected at its observed value, weighted back.

    observed: Δ of the outputs as they are.
    alternative: About a relative to b.
    draws: At most.
    units (int array, shape (n_moved,)): Position of each sign's item in the canonical order.
    linear: The tail of Σ s·L: draws then only say how often Δ(s) ≥ |Δ| where Σ s·L < Σ L, and the reverse.
    enough: Relative standard error at which drawing ends.
    plain_draws: Of the plain swaps that take over where no draw reaches |Δ|; `draws` where that is more.
    Yields: After every piece of draws, so that all pairs draw the same piece in turn and share its words.
    Returns: p.

    L_i = ∇g(S)·D_i; λ solves Σ L_i tanh(λL_i) = |Δ|; s_i = +1 with probability 1/(1 + e^(−2λL_i));
    p = 2·mean(Π cosh(λL_i)·e^(−λ Σ s_i L_i)·[Δ(s) ≥ |Δ|]). The law of Δ(s) is symmetric: half of it is the
    one-sided p in the direction of the effect; in the other direction p is 1 − P(Δ(s) > |Δ|).
    """
    if abs(observed) <= TIE:
        return _of_equal(pair, observed, alternative, seed=seed, draws=draws, units=units)
    sign = math.copysign(1.0, observed)
    against = (alternative == "greater" and sign < 0) or (alternative == "less" and sign > 0)
    aim = _Aim(pair, observed, against, units, seed)
    log_share, error, spent = yield from aim.drawn_under(
        aimed_chances(pair, observed, units, seed), draws, STREAM, linear, enough
    )
    if isinstance(pair, SwappedShifts) and error * math.sqrt(spent) > _WORST:
        chance = design_chances(pair, observed)
        log_share, error, _ = yield from aim.drawn_under(chance, draws, _AGAIN, None, enough)
    if math.isinf(error):  # no draw reached Δ: it is nowhere near where its slope leads
        most = max(draws, plain_draws)
        return plain_tail(pair, observed, alternative, seed=seed, draws=most, units=units)
    if against:
        share = math.exp(log_share)
        return SwapTail(
            math.log1p(-min(share, 1 - 1e-16)), MONTE_CARLO, error * share / max(1 - share, 1e-16)
        )
    if alternative == "two-sided":
        log_share += math.log(2.0)
    return SwapTail(min(log_share, 0.0), MONTE_CARLO, error)


@dataclass(frozen=True, eq=False)
class _Aim:
    """What is drawn for.

    observed: Δ of the outputs as they are.
    against: Whether P(Δ(s) > |Δ|) is wanted, not P(Δ(s) ≥ |Δ|), Δ(s) in the direction of the effect.
    units (int array, shape (n_moved,)): Position of each sign's item in the canonical order.
    """

    pair: Swapped
    observed: float
    against: bool
    units: IntArray
    seed: int

    def drawn_under(
        self, chance: FloatArray, draws: int, stream: str, linear: LinearTail | None, enough: float
    ) -> Generator[None, None, tuple[float, float, int]]:
        """Logarithm of the probability, its relative standard error, and draws spent.

        chance (float array, shape (n_moved,)): Of each sign to stay.
        draws: At most.
        linear, enough: As in `tilted_draws`.
        """
        sign = math.copysign(1.0, self.observed)
        least = abs(self.observed) + (TIE if self.against else -TIE)
        offset, slope = _logarithms(chance)
        pulls = sign * self.pair.pulls
        # A weight to five digits: far below the error of the draws.
        scaled = pulls / max(float(np.abs(pulls).max(initial=0.0)), TINY)
        narrow = np.stack([slope, scaled]).astype(np.float32)
        reached = float(narrow[1].sum(dtype=np.float64))
        parts: list[tuple[FloatArray, BoolArray, FloatArray]] = []
        log_share, error = -math.inf, math.inf
        for kept in drawn(self.units, chance, draws, self.seed, stream, CHUNK if enough == 0.0 else _FIRST):
            difference = sign * self.pair.of_kept(kept)
            log_weights, moved = (narrow @ kept).astype(np.float64)
            hits = difference > least if self.against else difference >= least
            parts.append((offset + log_weights, hits, moved))
            yield
            if enough > 0.0:
                log_share, error = _share(parts, reached, linear)
                if error <= enough:
                    break
        else:
            log_share, error = _share(parts, reached, linear)
        return log_share, error, sum(hits.size for _, hits, _ in parts)


def _share(
    parts: list[tuple[FloatArray, BoolArray, FloatArray]], reached: float, linear: LinearTail | None
) -> tuple[float, float]:
    """log P(Δ(s) ≥ |Δ|) and its relative standard error: of the draws alone, or by the linear tail.

    parts: Logarithms of weights, hits, and Σ L·kept, chunk by chunk.
    reached: Σ L.

    P = P(Σ s·L ≥ Σ L) + mean(w·([Δ(s) ≥ |Δ|] − [Σ s·L ≥ Σ L])). Draws in which the two disagree are rare,
    often none: one more, of the weight that stands at the boundary, is counted into the error.
    """
    log_weights, hits, moved = (np.concatenate(column) for column in zip(*parts, strict=True))
    log_share, error = weighted_share(log_weights, hits)
    if linear is None:
        return log_share, error
    within = moved >= reached
    unlike = hits != within
    boundary = float(log_weights[np.argmin(np.abs(moved - reached))])
    top = max(linear.log_p, boundary, float(log_weights[unlike].max(initial=-math.inf)))
    terms = np.exp(log_weights[unlike] - top) * np.where(hits[unlike], 1.0, -1.0)
    n, total = hits.size, float(terms.sum())
    share = math.exp(linear.log_p - top) + total / n
    spread = float((terms**2).sum()) - total**2 / n + math.exp(2 * (boundary - top))
    if share <= 0.0 or math.sqrt(spread) / n >= error * share:
        return log_share, error
    beyond = abs(math.expm1(min(top + math.log(share) - log_share, 10.0)))
    if beyond > _AGREE * error:
        return log_share, error  # what the linear tail promises beyond the draws, they would have met
    return top + math.log(share), math.hypot(math.sqrt(spread) / n / share, linear.error)


def _of_equal(
    pair: Swapped, observed: float, alternative: str, *, seed: int, draws: int, units: IntArray
) -> SwapTail:
    """p of a difference of 0: 1 on two sides, and a half and half of the ties on one."""
    if alternative == "two-sided":
        return SwapTail(0.0, EXACT)
    even = np.full(pair.moved.size, 0.5)
    found = [
        reaches(pair.of_kept(kept), observed, alternative) for kept in drawn(units, even, draws, seed, STREAM)
    ]
    share = float(np.mean(np.concatenate(found)))
    return SwapTail(math.log(share), MONTE_CARLO, math.sqrt((1 - share) / share / draws))


def _logarithms(chance: FloatArray) -> tuple[float, FloatArray]:
    """Of the likelihood ratio ½^m/Π P(s_i): log = offset + Σ slope·kept."""
    stays, leaves = np.log(0.5 / chance), np.log(0.5 / (1.0 - chance))
    return float(leaves.sum()), stays - leaves


def weighted_share(log_weights: FloatArray, hits: BoolArray) -> tuple[float, float]:
    """Logarithm of mean(w·[hit]) and its relative standard error; −∞ and ∞ without a hit."""
    if not hits.any():
        return -math.inf, math.inf
    logs = log_weights[hits]
    top = float(logs.max())
    terms = np.exp(logs - top)
    n, total = log_weights.size, float(terms.sum())
    spread = float((terms**2).sum()) - total**2 / n
    return top + math.log(total / n), math.sqrt(max(0.0, spread * n / max(n - 1, 1))) / total
