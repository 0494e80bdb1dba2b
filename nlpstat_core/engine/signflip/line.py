"""The contour of each pair: where it runs, how dense its nodes are and how far they must go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip.reach import PartSums, proven_stretch, wanted_reach
from nlpstat_core.engine.signflip.tilting import Tilted, beyond_the_pole, window_beside_pole

SLACK = 34.0


@dataclass(frozen=True)
class Line:
    """The contour of each pair; all arrays have shape (n_pairs,).

    tilted: Tilts: the contour runs parallel to the imaginary axis through τ.
    spacing: Distance of neighbouring nodes.
    pole: What the pole at 0 adds to the trapezoidal rule, in units of e^peak.
    reach: Y up to which φ matters.
    begin, end: Stretch on which |φ| is proved negligible.
    """

    tilted: Tilted
    spacing: FloatArray
    pole: FloatArray
    reach: FloatArray
    begin: FloatArray
    end: FloatArray

    @property
    def last(self) -> FloatArray:
        """Where evaluation may stop."""
        return np.where(self.end >= self.reach, np.minimum(self.begin, self.reach), self.reach)

    @property
    def followed_to(self) -> FloatArray:
        """Up to where φ is evaluated or proved negligible, without a gap."""
        return np.where(self.begin <= self.reach, np.maximum(self.reach, self.end), self.reach)

    @property
    def nodes(self) -> FloatArray:
        """Number of nodes up to there."""
        return np.floor(self.last / self.spacing) + 1.0

    def of(self, rows: NDArray[np.intp]) -> Line:
        """The contours of some pairs."""
        rest = (self.spacing, self.pole, self.reach, self.begin, self.end)
        return Line(self.tilted.of(rows), *(column[rows] for column in rest))


def contour_line(
    weights: FloatArray,
    parts: PartSums,
    t: FloatArray,
    step: FloatArray,
    tilted: Tilted,
    farther: float = 1.0,
) -> Line:
    """Lay the contour of each pair.

    weights (ndarray, shape (n_pairs, n_weights)): 0 or more, ascending in each row.
    parts: Power sums of the weights.
    t, step (ndarray, shape (n_pairs,)): Observed sums, and the distance of neighbouring sums on a lattice (0
        without).
    tilted: Tilts of the pairs.
    farther: How many times as far as usual φ is followed.
    """
    width = window_beside_pole(tilted, t, parts.second[0], SLACK)
    # On a lattice the window must hold whole steps, so that what wraps around falls on lattice points again.
    width = np.where(step > 0.0, 2.0 * np.ceil(width / 2.0), width)
    begin, end = proven_stretch(parts, tilted, SLACK)
    spacing = 2.0 * np.pi / width
    reach = farther * wanted_reach(weights, tilted, spacing)
    return Line(tilted, spacing, beyond_the_pole(tilted, width), reach, begin, end)
