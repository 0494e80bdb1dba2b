"""Average ranks with Nemenyi's critical difference, for boards whose units are data sets."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.samples.row_ranks import row_ranks
from nlpstat_core.errors import AnalysisError
from nlpstat_core.records import BoardTest
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.matrix import ScoreMatrix

# The integrand is analytic and narrow: steps of 1/40 leave less than 1e-15 of it.
_STEP = 0.025
_REACH = 12.0
_CELLS = 262_144
# Beyond any quantile at a level that is a double above 0.
_LARGEST_QUANTILE = 100.0


@dataclass(frozen=True, eq=False, kw_only=True)
class AverageRanks:
    """Average ranks of all systems and what separates two of them.

    average_rank (float array, shape (n_systems,)): 1 for a system that is the best on every unit.
    critical_difference: Average ranks at least this far apart differ at alpha, over all pairs together.
    p_values (float array, shape (n_systems, n_systems)): Nemenyi's p-values, adjusted for all pairs; NaN on
        the diagonal.
    """

    systems: tuple[str, ...]
    average_rank: FloatArray
    n_units: int
    alpha: float
    critical_difference: float
    p_values: FloatArray

    @property
    def order(self) -> IntArray:
        """Columns from the best average rank to the worst, shape (n_systems,)."""
        return np.argsort(self.average_rank, kind="stable").astype(np.int64)

    @property
    def separated(self) -> int:
        """How many pairs differ."""
        gaps = np.abs(self.average_rank[:, None] - self.average_rank)
        return int(np.count_nonzero(np.triu(gaps >= self.critical_difference, k=1)))

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The bars of the diagram: first and last place in `order` of systems none of which differ.

        Only bars of two and more systems, and none inside another.
        """
        ranks = self.average_rank[self.order]
        bars: list[tuple[int, int]] = []
        for first, rank in enumerate(ranks):
            last = int(np.searchsorted(ranks - rank, self.critical_difference, side="left")) - 1
            if last > first and (not bars or last > bars[-1][1]):
                bars.append((first, last))
        return bars


def nemenyi(scores: ScoreMatrix, alpha: float = 0.05) -> AverageRanks:
    """Nemenyi's comparison of all pairs of average ranks.

    Null hypothesis, of every pair: on every unit all orders of the systems' scores are equally likely.

    Parameters
    ----------
    scores : ScoreMatrix
        Units (data sets) × systems; units that some system lacks are left out.
    alpha : float
        Family-wise level, in (0, 1).

    Returns
    -------
    AverageRanks

    Raises
    ------
    AnalysisError
        Fewer than two systems, or no unit that every system has.

    Notes
    -----
    CD = q_α·√(S(S + 1)/(12·N)), q_α the upper point of the range of S standard normal variables; the p-value
    of a pair is that range's tail at |r_i − r_j|/√(S(S + 1)/(12·N)). Ties are not corrected for, and with
    many units even tiny differences are separated: made for data sets, not for test items. Cost
    O(N·S·log S) and O(1) per distinct difference.
    """
    complete = scores.present.all(axis=1)
    n_units, n_systems = int(np.count_nonzero(complete)), scores.n_systems
    if n_systems < 2 or n_units < 1:
        raise AnalysisError("Average ranks need two systems and an item that every system has.")
    ranks = average_ranks(scores.values[complete], scores.lower_is_better)
    error = np.sqrt(n_systems * (n_systems + 1) / (12 * n_units))
    distances = np.abs(ranks[:, None] - ranks) / error
    distinct, place = np.unique(distances, return_inverse=True)
    p_values = normal_range_sf(distinct, n_systems)[place].reshape(distances.shape)
    np.fill_diagonal(p_values, np.nan)
    return AverageRanks(
        systems=scores.systems,
        average_rank=ranks,
        n_units=n_units,
        alpha=alpha,
        critical_difference=critical_difference(n_systems, n_units, alpha),
        p_values=p_values,
    )


def average_ranks(values: FloatArray, lower_is_better: bool = False) -> FloatArray:
    """Mean over the units of every system's rank, ties sharing the mean of their ranks.

    values (float array, shape (n_units, n_systems)): Complete scores.
    Returns float array, shape (n_systems,); 1 is the best.
    """
    ranks: FloatArray = row_ranks(-advantage(values, lower_is_better)).mean(axis=0)
    return ranks


def critical_difference(n_systems: int, n_units: int, alpha: float) -> float:
    """Nemenyi's critical difference of two average ranks."""
    # By bisection: to load SciPy's root finders takes as long as to analyse a board.
    low, high = 0.0, _LARGEST_QUANTILE
    while low < (quantile := (low + high) / 2) < high:
        above = normal_range_sf(np.array([quantile]), n_systems)[0] > alpha
        low, high = (quantile, high) if above else (low, quantile)
    return float(quantile * np.sqrt(n_systems * (n_systems + 1) / (12 * n_units)))


def normal_range_sf(q: FloatArray, size: int) -> FloatArray:
    """P(range of `size` standard normal variables ≥ q).

    q (float array, shape (n,)): 0 or more.
    Returns float array, shape (n,), at least 5e-324.

    S·∫ φ(z)·[Φ(z)^(S−1) − (Φ(z) − Φ(z − q))^(S−1)] dz, z the largest variable, by the trapezoidal rule; the
    bracket by expm1 and log1p, so that small tails keep their digits.
    """
    from scipy import special

    result = np.empty(q.shape[0])
    reach = np.arange(-_REACH, float(np.max(q, initial=0.0)) + _REACH, _STEP)
    log_below = special.log_ndtr(reach)
    weight = size * _STEP * np.exp(-(reach**2) / 2 + (size - 1) * log_below) / np.sqrt(2 * np.pi)
    step = max(1, _CELLS // reach.shape[0])
    for start in range(0, q.shape[0], step):
        part = q[start : start + step, None]
        inside = np.exp(np.minimum(special.log_ndtr(reach - part) - log_below, 0.0))
        with np.errstate(divide="ignore", under="ignore"):
            result[start : start + step] = -np.expm1((size - 1) * np.log1p(-inside)) @ weight
    return np.clip(result, 5e-324, 1.0)


METHOD = BoardTest(
    key="nemenyi",
    label="Nemenyi's comparison of average ranks",
    summary="Compares all pairs of average ranks with one critical difference, for items that are data sets.",
    run=nemenyi,
    null="of every pair: on every item all orders of the systems' scores are equally likely",
    assumptions=(
        "items (data sets) are independent",
        "items are data sets: with many test items even tiny differences are separated",
    ),
    formula=r"\mathrm{CD} = q_\alpha \sqrt{\frac{S (S + 1)}{12\, N}}",
    references=("nemenyi1963", "demsar2006"),
    design="paired",
    error_rate="family-wise error rate over all pairs",
)
