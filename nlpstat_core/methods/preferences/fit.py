"""Whether strengths exist, and a model of battles fitted by Newton's method on sufficient counts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, optimize, sparse
from scipy.sparse import csgraph

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, ConfigError, some_shown, unknown
from nlpstat_core.methods.preferences.models import DAVIDSON, HALF, Model, PairCounts, counted
from nlpstat_core.scores.battles import Battles
from nlpstat_core.stopping import stop_if_asked

# Larger slacks than this are no rounding of the linear programme.
_SLACK = 1e-7


def refuse_without_half(counts: PairCounts, names: tuple[str, ...]) -> None:
    """Strengths with ties as half wins exist where every system beats every other through a chain of wins.

    Ties count as wins of both.
    Raises AnalysisError: Names the systems outside the largest group in which this is so.
    """
    component = strong_components(counts, ties_connect=True)
    if component.max() == 0:
        return
    sizes = np.bincount(component)
    inside = component == int(sizes.argmax())
    outside = [name for name, here in zip(names, inside, strict=True) if not here]
    reasons = _why_outside(counts, inside)
    one, number = len(outside) == 1, int(inside.sum())
    others = "other system" if number == 1 else f"other {number:,} systems"
    raise AnalysisError(
        f"Strengths are infinite: {some_shown(outside)} {'is' if one else 'are'} not connected to the "
        f"{others} by wins and ties both ways ({reasons}); leave "
        f"{'it' if one else 'them'} out, add battles, or rank every connected group alone."
    )


def refuse_without_davidson(counts: PairCounts, names: tuple[str, ...]) -> None:
    """Davidson's strengths exist where, besides, no direction makes all outcomes likelier without end.

    Raises AnalysisError: Names the systems that would run away.
    """
    refuse_without_half(counts, names)
    if not counts.has_ties or strong_components(counts, ties_connect=False).max() == 0:
        return  # no parameter of ties; or a ring of wins over all systems, which allows no direction
    direction = runaway(counts)
    if direction is None:
        return
    delta = direction[:-1]
    moving = np.abs(delta - np.median(delta)) > _SLACK
    named = [name for name, there in zip(names, moving, strict=True) if there]
    what = f"those of {some_shown(named)}" if named else "the share of ties"
    raise AnalysisError(
        f"Davidson's model has no finite strengths here: {what} would run away without end, because too few "
        "battles are won by the weaker system; count ties as half wins (ties='half') or add battles."
    )


def strong_components(counts: PairCounts, *, ties_connect: bool) -> IntArray:
    """Groups in which each system reaches each other along wins, a number for every system."""
    ties = counts.ties if ties_connect else np.zeros_like(counts.ties)
    left_won = counts.wins_left + ties > 0
    right_won = counts.wins_right + ties > 0
    rows = np.concatenate([counts.left[left_won], counts.right[right_won]])
    columns = np.concatenate([counts.right[left_won], counts.left[right_won]])
    shape = (counts.n_systems, counts.n_systems)
    graph = sparse.csr_matrix((np.ones(rows.size), (rows, columns)), shape=shape)
    _, component = csgraph.connected_components(graph, directed=True, connection="strong")
    return np.asarray(component, dtype=np.int64)


def runaway(counts: PairCounts) -> FloatArray | None:
    """A direction (δ, τ) along which Davidson's likelihood never falls and somewhere rises, or None.

    The linear programme max Σ slack with |δ|, |τ| ≤ 1: each win of a over b δ_a − δ_b ≥ 0 and
    (δ_a − δ_b)/2 ≥ τ, each tie τ ≥ |δ_a − δ_b|/2. None where its value is 0.
    """
    n = counts.n_systems
    left, right = counts.left, counts.right
    wins = [(left, right, counts.wins_left > 0), (right, left, counts.wins_right > 0)]
    blocks = []
    for a, b, there in wins:
        blocks += [
            _constraints(a[there], b[there], n, 1.0, 0.0),
            _constraints(a[there], b[there], n, 0.5, -1.0),
        ]
    tied = counts.ties > 0
    blocks += [_constraints(left[tied], right[tied], n, half, 1.0) for half in (0.5, -0.5)]
    slacks = sparse.vstack(blocks, format="csr")
    gain = np.asarray(slacks.sum(axis=0)).ravel()
    solved = optimize.linprog(
        -gain, A_ub=-slacks, b_ub=np.zeros(slacks.shape[0]), bounds=(-1, 1), method="highs"
    )
    if not solved.success:
        raise AnalysisError(
            f"Whether Davidson's strengths exist could not be settled ({solved.message}); use ties='half'."
        )
    return None if float(gain @ solved.x) <= _SLACK else np.asarray(solved.x)


def _constraints(a: IntArray, b: IntArray, n: int, of_delta: float, of_tau: float) -> sparse.csr_matrix:
    """Rows of of_delta·(δ_a − δ_b) + of_tau·τ."""
    rows = np.arange(a.size)
    values = np.repeat([of_delta, -of_delta, of_tau], a.size)
    where = (np.tile(rows, 3), np.concatenate([a, b, np.full(a.size, n)]))
    return sparse.csr_matrix((values, where), shape=(a.size, n + 1))


def _why_outside(counts: PairCounts, inside: BoolArray) -> str:
    """How the systems outside fared against those inside, in words."""
    across = inside[counts.left] != inside[counts.right]
    if not across.any():
        return "they never met"
    left_in = inside[counts.left]
    lost = np.where(left_in, counts.wins_left, counts.wins_right)[across].sum()
    won = np.where(left_in, counts.wins_right, counts.wins_left)[across].sum()
    if lost and won:
        return "some only won against them, others only lost"
    return "only losses against them" if lost else "only wins against them"


TIES = ("half", "davidson")
# Newton doubles the digits in every step: the one after a step this small is below rounding.
_SMALL = 1e-6
_MOST_STEPS = 200
_HALVINGS = 60


@dataclass(frozen=True, eq=False)
class Fit:
    """Strengths of a model.

    model: The model that was fitted: without ties Davidson's is Bradley and Terry's.
    parameters (floats): Strengths with mean zero, and log ν behind them where ties have their own parameter.
    """

    model: Model
    counts: PairCounts
    parameters: FloatArray

    @property
    def strengths(self) -> FloatArray:
        """Natural logarithms, mean zero, shape (n_systems,)."""
        return self.parameters[: self.counts.n_systems]

    @cached_property
    def information(self) -> FloatArray:
        """The information with 11ᵀ/m added to its block of strengths, so that it has an inverse."""
        return _fixed(self.model.derivatives(self.parameters, self.counts)[1], self.counts.n_systems)


def fitted(battles: Battles, ties: str) -> Fit:
    """The model of battles at its largest likelihood.

    ties: "half" (half a win for both) or "davidson" (a parameter of their own).
    Raises AnalysisError: There are no finite strengths; the sentence names the systems.
    Raises ConfigError: An unknown treatment of ties.
    """
    if ties not in TIES:
        raise ConfigError(unknown("treatment of ties", ties, TIES))
    counts = counted(battles)
    if ties == "davidson":
        refuse_without_davidson(counts, battles.systems)
    else:
        refuse_without_half(counts, battles.systems)
    model = DAVIDSON if ties == "davidson" and counts.has_ties else HALF
    return Fit(model, counts, newton(model, counts))


def newton(model: Model, counts: PairCounts) -> FloatArray:
    """Parameters at the largest likelihood of counts, whole or not: strengths with mean zero, log ν.

    Raises AnalysisError: Not found in 200 steps.
    """
    m = counts.n_systems
    at = np.zeros(m + model.tie_parameter)
    best = model.log_likelihood(at, counts)
    for _ in range(_MOST_STEPS):
        stop_if_asked()
        score, information = model.derivatives(at, counts)
        step = linalg.solve(_fixed(information, m), score, assume_a="pos")
        size = float(np.abs(step).max())
        for _ in range(_HALVINGS):
            found = model.log_likelihood(at + step, counts)
            if found >= best - 1e-13 * abs(best):
                break
            step = step / 2
        at, best = at + step, found
        if size <= _SMALL:
            at[:m] -= at[:m].mean()
            return at
    raise AnalysisError(
        "Strengths were not found: the likelihood is nearly flat, as where systems hardly ever lose; "
        "add battles."
    )


def _fixed(information: FloatArray, m: int) -> FloatArray:
    whole = information.copy()
    whole[:m, :m] += 1 / m
    return whole
