"""The geometric mean over fixed tracks as a measure of the sums of their items."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, shown
from nlpstat_core.scores.measured import Law, Measured

KEY = "geometric-mean"


@dataclass(frozen=True)
class GeometricMean:
    """Π (Σx/n)^w over tracks.

    exponents: Weights of the tracks, which sum to 1; below 0 for a track of the other direction.
    """

    exponents: tuple[float, ...]

    def __call__(self, gold: FloatArray, own: FloatArray) -> FloatArray:
        """From numbers of items (n_tracks, …) and sums of scores (n_tracks, …) to values (…)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(own / gold)
        terms = [exponent * log for exponent, log in zip(self.exponents, logs, strict=True)]
        with np.errstate(invalid="ignore"):
            value: FloatArray = np.exp(sum(terms[1:], start=terms[0]))
        return np.where(np.isfinite(value), value, np.nan)


def geometric_measured(
    tracks: Mapping[str, FloatArray], rows: Mapping[str, IntArray], exponents: FloatArray, missing: FloatArray
) -> Measured:
    """What a geometric mean is made of.

    tracks (float arrays, shape (n_items of the track, n_systems)): Scores; rows without any are left out.
    rows (int arrays): The row of the board that each item of a track is in.
    missing (float array, shape (n_rows, n_systems)): NaN where a system has no score of the row.
    Raises AnalysisError: Scores below 0, a track with fewer than two items.
    """
    n_rows, n_systems = missing.shape
    gold = np.zeros((len(tracks), n_rows))
    outputs = np.zeros((n_systems, len(tracks), n_rows))
    present = np.isfinite(missing)
    for place, (name, values) in enumerate(tracks.items()):
        there = np.isfinite(values).any(axis=1)
        if np.nanmin(values) < 0:
            raise AnalysisError(
                f"A geometric mean needs scores of 0 or more, and track {shown(name)} has some below."
            )
        if there.sum() < 2:
            raise AnalysisError(
                f"A geometric mean needs two items of every track, and track {shown(name)} has one."
            )
        own = rows[name][there]
        gold[place, own] = 1.0
        outputs[:, place, own] = np.nan_to_num(values[there]).T
    return Measured(
        key=KEY,
        label="geometric mean over tracks",
        signature=f"{KEY}|exponents:{','.join(f'{exponent:.6g}' for exponent in exponents)}",
        gold=gold,
        outputs=(outputs * present.T[:, None]).reshape(n_systems * len(tracks), n_rows),
        present=present,
        law=Law(value=GeometricMean(tuple(exponents.tolist()))),
        bounds=(0.0, np.inf),
    )
