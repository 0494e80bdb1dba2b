"""The logistic swap: another true difference for the very same sizes of the differences.

Adding a constant to scores with ties breaks the ties, leaves the grid and its range, and makes winners of all
tied units at once. Here a unit keeps the size of its difference and only the direction is drawn anew: the
larger the difference, the more surely it points where the true difference points.
"""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.formatting import format_score

# Above this product of strength and size a direction is certain in float64.
_CERTAIN = 20.0
# Below this product tanh(x) is x to twelve digits.
_LINEAR = 1e-6


def chances(sizes: FloatArray, strength: float) -> FloatArray:
    """P(z = +|z|) of every unit.

    sizes: |z|, metric points.
    strength: λ, per metric point; 0 leaves the direction to a coin, ±infinity makes it certain.

    1/(1 + exp(−2λ|z|)): log odds that rise in proportion to the size. On 0/1 scores all sizes are 1 and this
    is McNemar's table with the discordant share it has.

    >>> chances(np.array([0.0, 1.0, 2.0]), 0.5 * np.log(3)).round(3).tolist()
    [0.5, 0.75, 0.9]
    """
    return (1.0 + _pull(sizes, strength)) / 2


def mean_under(sizes: FloatArray, strength: float) -> float:
    """The mean difference that a strength gives: mean(|z|·tanh(λ|z|))."""
    return float(np.mean(sizes * _pull(sizes, strength)))


def _pull(sizes: FloatArray, strength: float) -> FloatArray:
    if np.isinf(strength):
        sure: FloatArray = np.sign(strength) * (sizes > 0)
        return sure
    pull: FloatArray = np.tanh(strength * sizes)
    return pull


def strength_for_mean(sizes: FloatArray, difference: float) -> float:
    """λ with which the mean difference is the one to assume.

    Returns: Of the sign of δ; ±infinity where |δ| is mean|z| itself.
    Raises AnalysisError: |δ| above mean|z|: not reachable on this scale.
    """
    most = float(np.mean(sizes)) if sizes.size else 0.0
    if abs(difference) > most * (1 + 1e-12):
        raise AnalysisError(
            f"A difference of {format_score(difference)} is not reachable on this scale: with differences of "
            f"the sizes these items have it is at most {format_score(most)}."
        )
    return _solved(sizes, difference, sizes / sizes.shape[0], most)


def strength_for_wins(sizes: FloatArray, surplus: float) -> float:
    """λ with which wins outweigh losses by a share of the units that are not tied.

    surplus: (wins − losses)/(wins + losses), in [−1, 1]: twice Cohen's g.
    Returns: ±infinity for ±1.
    """
    decided = sizes[sizes > 0]
    return _solved(decided, surplus, np.full(decided.shape, 1 / max(decided.shape[0], 1)), 1.0)


def _solved(sizes: FloatArray, target: float, weights: FloatArray, most: float) -> float:
    """λ with Σ weights·tanh(λ·sizes) = target; the sum rises from 0 to `most`."""
    from scipy import optimize

    wanted = abs(target)
    if wanted == 0:
        return 0.0
    untied = sizes > 0
    sizes, weights = sizes[untied], weights[untied]
    certain = _CERTAIN / float(sizes.min()) if sizes.size else 0.0
    if wanted >= most * (1 - 1e-12) or not sizes.size:
        return float(np.copysign(np.inf, target))

    def short(log_strength: float) -> float:
        return float(weights @ np.tanh(np.exp(log_strength) * sizes)) - wanted

    # tanh(x) ≤ x gives the lower end, and the answer where all products are next to 0.
    least = wanted / float(weights @ sizes)
    if least * float(sizes.max()) < _LINEAR:
        return float(np.copysign(least, target))
    low, high = np.log(least) - 1e-9, np.log(certain)
    if short(high) <= 0:
        return float(np.copysign(certain, target))
    root = optimize.brentq(short, low, high, xtol=1e-13, rtol=1e-14)
    return float(np.copysign(np.exp(root), target))
