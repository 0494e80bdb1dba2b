"""The choice of route: which exact method, or which approximation, settles one flipped sum."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.binomial import log_upper_tails
from nlpstat_core.engine.signflip.contour import log_tails_by_contour
from nlpstat_core.engine.signflip.counting import MOST_WEIGHTS, log_at_most_counted, steps_of_counting
from nlpstat_core.engine.signflip.effort import ONE_PAIR, PATIENCE, USUAL_RESAMPLES, Effort, Settled
from nlpstat_core.engine.signflip.lattice import inversion_steps, log_at_most_lattice
from nlpstat_core.engine.signflip.meet import bits_to_try, log_at_most_enumerated, log_at_most_listed
from nlpstat_core.engine.signflip.monte_carlo import log_at_most_sampled
from nlpstat_core.engine.signflip.outcome import CONTOUR, EXACT, LOG_2, MONTE_CARLO
from nlpstat_core.engine.signflip.rounded import log_at_most_rounded
from nlpstat_core.engine.signflip.strays import lattice_with_strays, sums_of_strays
from nlpstat_core.engine.signflip.tilting import WeightCumulants, tilt

TIE_TOLERANCE = 1e-12
EXACT_ROUNDING = 1e-13
CONTOUR_TOLERANCE = 5e-3
CONTOUR_TARGET = 1e-4
# A contour on a lattice is replaced by an exact route that takes no more steps of counting.
QUICK_COUNT = 4_000_000
# In steps of counting: a subset sum of one half.
STEPS_PER_SUBSET = 350
# In steps, a weight's turn in listing subsets within the limit.
STEPS_PER_LIST = 150_000
QUICK_BITS = 26.0
# With a number of subsets behind each sum, lists shorter by a factor 2^(bits/2) take as much time.
BITS_OF_WAYS = 3.25
# Subsets within the limit, of all weights, whose halves have lists of some 2^20 sums.
LISTED_BITS = 32.0
# Relative error of random signs, about, times the root of how many draws their number allows.
ERROR_OF_ONE = 0.6
# Cells of the first grid to which weights are rounded, and of the finest.
FIRST_CELLS, MOST_CELLS = 1 << 14, 1 << 22
# A contour followed farther has to be so many times better to be followed farther still.
HOPEFUL = 0.25


_Route = Callable[[FloatArray, FloatArray, float, Effort], Settled | None]


def log_at_most(
    values: FloatArray, counts: FloatArray, limit: float, whole: bool, effort: Effort = ONE_PAIR
) -> Settled | None:
    """log P(Σ b_i w_i ≤ limit) for fair coins b_i: the flipped sum, since T = Σw − 2·Σ b_i w_i.

    values, counts (ndarray, shape (n_values,)): Weights above 0 and how often each occurs; whole numbers if
        `whole`.
    limit: A value that no subset sum equals or is within rounding of: half-way between two whole numbers, or
        moved by the tie tolerance.
    whole: Whether the weights are whole numbers.
    effort: How far to go.
    Returns: None when nothing within the effort settles it; the caller judges whether the error is small
        enough.

    Two exact reductions come first and repeat until neither applies. A weight above the limit can't be
    flipped, which halves the probability (one giant weight, or t near its maximum). A limit beyond half the
    total is 1 minus the mirror image.
    """
    if limit < 0.0:
        return Settled(-math.inf, EXACT, 0.0)
    free = values <= limit
    held = 0.0
    if not free[-1] or not np.all(free):
        held = float(counts[~free].sum()) * LOG_2
        if effort.followed is not None:  # with the others tilted away it was the same contour
            found = effort.followed
            known = found._replace(log_p=found.log_p + held, log_below=found.log_below + held)
            effort = replace(effort, followed=known)
        values, counts = values[free], counts[free]
    total = float(np.dot(values, counts))
    if total <= limit:
        return Settled(-held, EXACT, 0.0)
    if 2.0 * limit > total:
        inner = log_at_most(values, counts, total - limit, whole, replace(effort, followed=None))
        if inner is None:
            return None
        rest = math.log1p(-math.exp(inner.log_p))
        return Settled(rest - held, inner.kind, inner.error * math.exp(inner.log_p - rest))
    step = 1.0
    if whole:
        step = float(np.gcd.reduce(values.astype(np.int64)))
        values, limit = values / step, math.floor(limit / step) + 0.5
        settled = _on_lattice(values, counts, limit, effort)
    else:
        settled = _off_lattice(values, counts, limit, effort)
    if settled is None:
        return None
    below = settled.log_below - held if step == 1.0 else math.nan
    return Settled(settled.log_p - held, settled.kind, settled.error, below)


def _on_lattice(values: FloatArray, counts: FloatArray, limit: float, effort: Effort) -> Settled | None:
    """The cheapest of binomial, enumeration, counting and inversion; the contour where all cost too much."""
    n, last = int(counts.sum()), math.floor(limit)
    if values.size == 1:
        return Settled(_binomial(n, last), EXACT, EXACT_ROUNDING)
    enumeration = _enumeration_steps(counts, effort)
    counting = steps_of_counting(_spread(values, counts), last) if n <= MOST_WEIGHTS else math.inf
    inversion = float(inversion_steps(values.size, float((values * values * counts).sum())))
    costs: dict[_Route, float] = {_enumerated: enumeration, _counted: counting, _inverted: inversion}
    within: list[_Route] = [_enumerated] if math.isfinite(enumeration) else []
    within += [route for route in (_counted, _inverted) if costs[route] <= effort.most_steps]
    for route in sorted(within, key=costs.__getitem__):
        settled = route(values, counts, limit, effort)
        if settled is not None:
            return settled
    return _by_contour(values, counts, limit, True, effort) if effort.contour else None


def _off_lattice(values: FloatArray, counts: FloatArray, limit: float, effort: Effort) -> Settled | None:
    """Binomial or enumeration for few weights, else the contour."""
    if values[-1] - values[0] <= TIE_TOLERANCE * values[-1]:
        return Settled(_binomial(int(counts.sum()), math.floor(limit / values[-1])), EXACT, EXACT_ROUNDING)
    if math.isfinite(_enumeration_steps(counts, effort)):
        return _enumerated(values, counts, limit, effort)
    return _by_contour(values, counts, limit, False, effort) if effort.contour else None


def _enumeration_steps(counts: FloatArray, effort: Effort) -> float:
    """What enumeration costs, in steps of counting; infinite where that is too much."""
    return STEPS_PER_SUBSET * 2.0 ** (_bits(counts) / 2.0) if _bits(counts) <= effort.most_bits else math.inf


def _bits(counts: FloatArray) -> float:
    """Bits to enumerate: of equal weights together or, if those are hardly more, of each by itself."""
    together = bits_to_try(counts)
    if counts.max() == 1.0:
        return together
    return min(together + BITS_OF_WAYS, float(counts.sum()))


def _binomial(n: int, most_flipped: int) -> float:
    return float(log_upper_tails(np.array([n]), np.array([n - most_flipped]))[0])


def _enumerated(values: FloatArray, counts: FloatArray, limit: float, _: Effort) -> Settled:
    if float(counts.sum()) <= _bits(counts):
        values, counts = _spread(values, counts), np.ones(int(counts.sum()))
    return Settled(log_at_most_enumerated(values, counts, limit), EXACT, EXACT_ROUNDING)


def _counted(values: FloatArray, counts: FloatArray, limit: float, _: Effort) -> Settled:
    last = math.floor(limit)
    log_p, log_below = log_at_most_counted(_spread(values, counts), np.array([last, last - 1])).tolist()
    return Settled(log_p, EXACT, EXACT_ROUNDING, log_below)


def _inverted(values: FloatArray, counts: FloatArray, limit: float, effort: Effort) -> Settled | None:
    last = math.floor(limit)
    found = log_at_most_lattice(values.astype(np.int64), counts, last, effort.most_steps)
    return None if found is None else Settled(found[0], EXACT, max(found[1], EXACT_ROUNDING))


def _by_contour(values: FloatArray, counts: FloatArray, limit: float, whole: bool, effort: Effort) -> Settled:
    """The contour, and where it does not converge the first of the others that does, random signs at last.

    Far out in the tail few subsets count, and are listed. A few dominating weights keep φ from vanishing
    until, farther on, the small ones let it, or until the large ones' signs are fixed. Strays from a lattice
    are given both signs. Where weights rounded to a grid are counted, the counts tell what rounding may have
    cost.
    """
    found = effort.followed or _followed(values, counts, limit, whole, effort)
    patience = effort.patience - 1 if found.error > 0.5 * effort.error_before else PATIENCE
    if found.error <= CONTOUR_TARGET:
        return found
    listed = _by_listing(values, counts, limit, found, effort)
    if listed is not None:
        return listed
    for times in effort.farther if math.isfinite(found.error) else ():
        on = _followed(values, counts, limit, whole, effort, times)
        if on.error > HOPEFUL * found.error:
            break
        found = on
    if found.error <= CONTOUR_TARGET:
        return found
    if effort.splits > 0 and patience > 0 and math.isfinite(found.error):
        on_lattice = _by_strays(values, counts, limit, whole, effort)
        if on_lattice is not None:
            return on_lattice
        deeper = replace(
            effort,
            splits=effort.splits - 1,
            most_bits=min(effort.most_bits, QUICK_BITS),
            most_steps=effort.most_steps / 2.0,
            most_factors=effort.most_factors / 2.0,
            error_before=found.error,
            patience=patience,
            farther=(),
            seed=None,
            followed=None,
            most_additions=0.0,
        )
        split = _by_splitting(values, counts, limit, whole, deeper)
        found = split if split is not None and split.error < found.error else found
    most_signs = effort.most_signs * max(1.0, effort.resamples / USUAL_RESAMPLES)
    drawn_error = max(CONTOUR_TOLERANCE, ERROR_OF_ONE * math.sqrt(float(counts.sum()) / most_signs))
    if found.error > CONTOUR_TARGET and effort.most_additions > 0.0:
        rounded = _by_rounding(values, counts, limit, whole, effort, drawn_error)
        found = min(found, rounded, key=_error_of)
    if found.error > drawn_error and effort.seed is not None:
        drawn = log_at_most_sampled(values, counts, limit, effort.seed, effort.resamples, most_signs)
        log_below = drawn.log_below if whole else math.nan
        return min(found, Settled(drawn.log_p, MONTE_CARLO, drawn.error, log_below), key=_error_of)
    return found


def _error_of(settled: Settled) -> float:
    return settled.error


def _by_rounding(
    values: FloatArray, counts: FloatArray, limit: float, whole: bool, effort: Effort, useful: float
) -> Settled:
    """Subsets of weights rounded to a grid, counted; to another as fine as is needed, or allowed."""
    weights = _spread(values, counts)
    most = min(effort.most_additions / weights.size, MOST_CELLS)
    cells, step = min(FIRST_CELLS, most), 1.0 if whole else 0.0
    worth = useful * most / cells
    found = log_at_most_rounded(weights, limit, int(cells), step=step, useful=worth)
    finer = min(cells * 2.0 * found.error / CONTOUR_TARGET, most)
    if found.error > CONTOUR_TARGET and finer >= 2.0 * cells:
        found = log_at_most_rounded(weights, limit, int(finer), step=step)
    return Settled(found.log_p, CONTOUR, found.error, found.log_below if whole else math.nan)


def _followed(
    values: FloatArray, counts: FloatArray, limit: float, whole: bool, effort: Effort, farther: float = 1.0
) -> Settled:
    """The contour of one pair, followed so many times as far as usual."""
    weights = _spread(values, counts)
    reached = float(weights.sum()) - 2.0 * (math.floor(limit) if whole else limit)
    step = np.array([2.0 if whole else 0.0])
    tails = log_tails_by_contour(weights[None, :], np.array([reached]), step, effort.most_factors, farther)
    kind = EXACT if tails.exact[0] else CONTOUR
    log_below = float(tails.log_strict[0]) if whole else math.nan
    return Settled(float(tails.log_tail[0]), kind, float(tails.error[0]), log_below)


def _by_listing(
    values: FloatArray, counts: FloatArray, limit: float, found: Settled, effort: Effort
) -> Settled | None:
    """All subsets within the limit counted, where the contour, or Chernoff's bound, says there are so few."""
    most = LISTED_BITS * LOG_2 - float(counts.sum()) * LOG_2
    if counts.size * STEPS_PER_LIST > effort.most_steps:
        return None
    bound = found.log_p if math.isfinite(found.error) else _chernoff(values, counts, limit)
    if bound > most:
        return None
    log_p = log_at_most_listed(values, counts, limit, effort.most_listed)
    return None if log_p is None else Settled(log_p, EXACT, EXACT_ROUNDING)


def _chernoff(values: FloatArray, counts: FloatArray, limit: float) -> float:
    """log P(Σ b_i w_i ≤ limit) as Chernoff's bound suggests it."""
    reached = np.array([float(np.dot(values, counts)) - 2.0 * limit])
    spread = (values * values * counts).sum(keepdims=True)
    tilted = tilt(WeightCumulants(values[None, :], counts), spread, reached)
    return float(tilted.peak[0] - tilted.loss[0])


def _by_splitting(
    values: FloatArray, counts: FloatArray, limit: float, whole: bool, effort: Effort
) -> Settled | None:
    """The mean over both signs of the largest weight."""
    rest = counts.copy()
    rest[-1] -= 1.0
    left, rest = values[rest > 0.0], rest[rest > 0.0]
    kept = log_at_most(left, rest, limit, whole, effort)
    flipped = log_at_most(left, rest, limit - float(values[-1]), whole, effort)
    return None if kept is None or flipped is None else _mean_of([kept, flipped])


def _by_strays(
    values: FloatArray, counts: FloatArray, limit: float, whole: bool, effort: Effort
) -> Settled | None:
    """The mean over all signs of a few strays, the other weights being on a lattice."""
    lattice = lattice_with_strays(values / values[0] if whole else values, counts)
    if lattice is None:
        return None
    on_lattice, steps = lattice
    steps = steps / float(values[0]) if whole else steps
    multiples = np.rint(values[on_lattice] * steps)
    sums = sums_of_strays(values[~on_lattice], counts[~on_lattice])
    places, times = np.unique(np.floor((limit - sums) * steps), return_counts=True)
    own, exactly = counts[on_lattice], replace(effort, contour=False)
    parts = [log_at_most(multiples, own, place + 0.5, True, exactly) for place in places.tolist()]
    settled = [part for part in parts if part is not None]
    return _mean_of(settled, times.astype(np.float64)) if len(settled) == len(parts) else None


def _mean_of(parts: list[Settled], times: FloatArray | None = None) -> Settled:
    """The mean of several probabilities, each as often as it occurs, their errors weighted."""
    times = np.ones(len(parts)) if times is None else times
    log_terms = np.array([part.log_p for part in parts]) + np.log(times)
    kind = max(part.kind for part in parts)
    most = float(log_terms.max())
    if not all(math.isfinite(part.error) for part in parts) or most == -math.inf:
        return Settled(most, kind, max(part.error for part in parts))
    shares = np.exp(log_terms - most)
    total = float(shares.sum())
    error = float((shares * np.array([part.error for part in parts])).sum()) / total
    return Settled(most + math.log(total) - math.log(float(times.sum())), kind, error)


def _spread(values: FloatArray, counts: FloatArray) -> FloatArray:
    return np.repeat(values, counts.astype(np.int64))
