"""What the contour leaves out where φ is not evaluated: proved, left to chance, or searched for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.engine.signflip.line import Line
from nlpstat_core.engine.signflip.moduli import squared_sech
from nlpstat_core.engine.signflip.returns import likely_return
from nlpstat_core.engine.signflip.rows import rows_of
from nlpstat_core.engine.signflip.scanned import scanned_return

ROUNDING_ERROR = 1e-12
# Relative error that may be proved instead of searched for where φ comes back.
PROVED = 1e-7
# Relative error by one return of φ for which a bound is taken, and with which other routes are taken anyway.
NEGLIGIBLE_RETURN = 1e-9
HOPELESS_RETURN = 1e-2
# What all those of whole numbers that are dismissed by a few of the weights may add up to.
DISMISSED = 1e-8
# Of the error that is left to chance: a single return below it is negligible, too.
SHARE_OF_CHANCE = 1e-3


@dataclass(frozen=True)
class Found:
    """Tails found so far, and what the search for returns of φ needs; all arrays of shape (n_pairs,)."""

    log_tail: FloatArray
    error: FloatArray
    exact: BoolArray
    proved: BoolArray
    tau: FloatArray
    sd: FloatArray
    beyond: FloatArray
    over_peak: FloatArray
    atom: FloatArray

    @classmethod
    def nothing(cls, n_pairs: int) -> Found:
        """No tail found."""
        zeros = np.zeros((5, n_pairs))
        infinite = np.full(n_pairs, np.inf)
        return cls(-infinite, infinite, *np.zeros((2, n_pairs), dtype=np.bool_), *zeros)

    def enter(
        self,
        place: NDArray[np.intp],
        line: Line,
        log_tail: FloatArray,
        error: FloatArray,
        over_peak: FloatArray,
        atom: FloatArray,
    ) -> None:
        """Enter the tails of some pairs, and the share of P(T = t) in them."""
        self.log_tail[place], self.error[place], self.over_peak[place] = log_tail, error, over_peak
        self.atom[place] = atom
        self.tau[place], self.sd[place] = line.tilted.tau, np.sqrt(line.tilted.variance)
        self.beyond[place] = line.followed_to

    def prove(self, place: NDArray[np.intp], beyond: FloatArray) -> None:
        """Enter bounds of what was left out of the tails of some pairs, where they are small enough."""
        proved = beyond <= PROVED
        place, beyond = place[proved], beyond[proved]
        self.proved[place], self.exact[place] = True, beyond <= ROUNDING_ERROR
        self.error[place] = np.maximum(beyond, ROUNDING_ERROR)


def left_to_chance(weights: FloatArray, pairs: NDArray[np.intp], found: Found) -> FloatArray:
    """Root mean square of what φ adds beyond the nodes where the weights turn it each its own way.

    weights (ndarray, shape (n_chosen, n_weights)): Of the chosen pairs, ascending in each row.
    pairs (ndarray of int, shape (n_chosen,)): Which of the pairs found these are.
    Returns ndarray, shape (n_chosen,): Relative to the tails.

    Then the mean of |φ|² is Π(1 − sech²(τw)/2), and values of φ farther apart than 1/sd don't add up: the
    mean square of ∫φ/y dy is that over sd and over where it begins.
    """
    share = np.where(weights > 0.0, squared_sech(found.tau[pairs], weights), 0.0)
    mean_square = np.exp(np.log1p(-0.5 * share).sum(axis=1)) / (found.beyond[pairs] * found.sd[pairs])
    return np.asarray(np.sqrt(mean_square) / (np.pi * found.over_peak[pairs]), dtype=np.float64)


def widen_for_returns(weights: FloatArray, step: FloatArray, chance: FloatArray, found: Found) -> None:
    """Let the errors of unproved pairs know, in place, of returns of φ beyond the nodes evaluated.

    weights (ndarray, shape (n_pairs, n_weights)): Ascending in each row.
    step (ndarray, shape (n_pairs,)): Above 0 on a lattice.
    chance (ndarray, shape (n_pairs,)): Errors beside which smaller ones don't matter.
    """
    unproved = ~found.proved & (found.over_peak > 0.0)
    useless = unproved & (np.maximum(found.error, chance) > HOPELESS_RETURN)
    found.error[useless] = np.maximum(found.error[useless], 1.0)
    for whole in (False, True):
        rows = np.flatnonzero(unproved & ~useless & ((step > 0.0) == whole))
        if rows.size == 0:
            continue
        own, tau, sd, beyond = rows_of(weights, rows), found.tau[rows], found.sd[rows], found.beyond[rows]
        probability = np.pi * found.over_peak[rows]
        negligible = np.maximum(NEGLIGIBLE_RETURN, SHARE_OF_CHANCE * chance[rows]) * probability
        hopeless = HOPELESS_RETURN * probability
        area = likely_return(own, tau, sd, beyond, negligible, hopeless, whole)
        if not whole:
            area = area + scanned_return(own, tau, sd, beyond)
        found.error[rows] += area / probability + (DISMISSED if whole else 0.0)
