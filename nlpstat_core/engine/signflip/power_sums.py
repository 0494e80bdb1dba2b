"""Many weights of similar size: the characteristic function from a few power sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import zeta

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.tilting import WeightCumulants

ORDERS = 16
# |s·w| up to 1.25, that is 0.8 of the radius of convergence π/2, at nodes where φ hardly counts any more;
# τ·w up to 0.86 at those where it does: `PowerSums.rest` bounds what the terms leave out.
FARTHEST = 1.25
FARTHEST_TILT = 0.86
# Powers up to the stride are kept, and as many at its multiples: the orders are its square.
STRIDE = 4
ELEMENTS_AT_ONCE = 1 << 14

_EXPONENT = np.arange(1, ORDERS + 1)
# log cosh x = Σ_k log(1 + 4x²/((2k − 1)π)²): the coefficient of x^(2j) is (−1)^(j+1)/j·(2/π)^(2j)·λ(2j).
_COEFFICIENT = (
    (-1.0) ** (_EXPONENT + 1)
    / _EXPONENT
    * (4.0 / np.pi**2) ** _EXPONENT
    * (1.0 - 0.25**_EXPONENT)
    * zeta(2.0 * _EXPONENT)
)


_EVEN = 2.0 * _EXPONENT[:, None]


@dataclass(frozen=True)
class PowerSums:
    """Σ w^2j of each pair's ordinary weights, and its few large weights as they are.

    sums (ndarray, shape (ORDERS, n_pairs)): Coefficients of (s·cut)^2j in K(s) of the weights up to `cut`.
    cut (ndarray, shape (n_pairs,)): Largest ordinary weight.
    large (ndarray, shape (n_pairs, most_large)): Weights above the cut, filled up with zeros.
    """

    sums: FloatArray
    cut: FloatArray
    large: FloatArray

    @classmethod
    def of(cls, weights: FloatArray, cut: FloatArray, most_large: int) -> Self:
        """Power sums of sorted weights.

        weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
        cut (ndarray, shape (n_pairs,)): Where large weights begin.
        most_large: No pair has more large weights than this.

        Cost O(ORDERS · n_pairs · n_weights) multiplications, nearly all in products of small matrices.
        """
        n_pairs, n_weights = weights.shape
        sums = np.empty((ORDERS, n_pairs))
        rows = max(1, min(ELEMENTS_AT_ONCE // n_weights, n_pairs))
        low, high = np.empty((2, STRIDE, rows, n_weights))
        high[:1] = 1.0
        top = weights[:, n_weights - most_large :]
        above = top > cut[:, None]
        for start in range(0, n_pairs, rows):
            part = slice(start, start + rows)
            used = slice(0, cut[part].size)
            base = low[0, used]
            np.multiply(weights[part], 1.0 / cut[part, None], out=base)
            base[:, n_weights - most_large :][above[part]] = 0.0
            base *= base
            sums[:, part] = _power_sums(low[:, used], high[:, used]).T
        return cls(sums * _COEFFICIENT[:, None], cut, np.where(above, top, 0.0))

    def of_rows(self, rows: NDArray[np.intp]) -> PowerSums:
        """The power sums of some pairs."""
        return PowerSums(self.sums[:, rows], self.cut[rows], self.large[rows])

    def at(self, tau: FloatArray, rows: NDArray[np.intp]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """K, K′ and K″ of the pairs `rows` at real tilts; three arrays of shape (n_rows,)."""
        sums, cut = self.sums[:, rows], self.cut[rows]
        # Beyond the cut the series no longer serves, and the caller drops the pair: it must only stay finite.
        square = np.minimum((tau * cut) ** 2, 1.0)
        powers = square ** np.arange(ORDERS)[:, None]
        even = _EVEN
        # Running sums add order after order, for one pair as for many.
        height = square * np.cumsum(sums * powers, axis=0)[-1]
        first = tau * cut**2 * np.cumsum(even * sums * powers, axis=0)[-1]
        second = cut**2 * np.cumsum(even * (even - 1.0) * sums * powers, axis=0)[-1]
        rest = WeightCumulants(self.large[rows], np.ones(self.large.shape[1]))
        more = rest.at(tau, np.arange(rows.size))
        return height + more[0], first + more[1], second + more[2]

    def log_ratio(self, tau: FloatArray, y: FloatArray) -> NDArray[np.complex128]:
        """K(τ + iy) − K(τ) of the ordinary weights.

        tau (ndarray, shape (n_pairs,)): Tilts.
        y (ndarray, shape (n_nodes, n_pairs)): Distances along the contour.
        Returns ndarray of complex128, shape (n_nodes, n_pairs).
        """
        square = ((tau + 1j * y) * self.cut) ** 2
        start = (tau * self.cut) ** 2
        here = np.zeros(y.shape, dtype=np.complex128)
        there = np.zeros(tau.shape)
        for order in range(ORDERS - 1, -1, -1):
            here = (here + self.sums[order]) * square
            there = (there + self.sums[order]) * start
        return here - there

    def rest(self, distance: FloatArray) -> FloatArray:
        """Bound of |K(s) minus its terms| for the ordinary weights.

        distance (ndarray, shape (..., n_pairs)): |s|, at most `FARTHEST` over the cut.
        Returns ndarray of the same shape.

        (w/cut)^2j only falls with j, and so do the coefficients, as (4/π²)^j/j: a geometric series.
        """
        ratio = (2.0 / np.pi * self.cut * distance) ** 2
        last = np.abs(self.sums[-1] / _COEFFICIENT[-1]) / (ORDERS + 1.0)
        return np.asarray(last * ratio ** (ORDERS + 1) / (1.0 - ratio), dtype=np.float64)


def _power_sums(low: FloatArray, high: FloatArray) -> FloatArray:
    """Σ x, Σ x², … of each row, shape (n_rows, ORDERS), for x in `low[0]` and 1 in `high[0]`.

    x^(a + 4b) is x^a times x^(4b), summed at once; both tables are overwritten.
    """
    base = low[0]
    for power in range(1, STRIDE):
        np.multiply(low[power - 1], base, out=low[power])
    for power in range(1, ORDERS // STRIDE):
        np.multiply(high[power - 1], low[-1], out=high[power])
    sums = np.matmul(high.transpose(1, 0, 2), low.transpose(1, 2, 0))
    return np.asarray(sums.reshape(base.shape[0], ORDERS), dtype=np.float64)
