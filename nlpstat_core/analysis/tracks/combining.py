"""Ways to combine tracks: what of a track is averaged, and the geometric mean as a measure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import rankdata

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, shown
from nlpstat_core.scores.measured import Law, Measured

Combine = Literal["mean", "z-score", "min-max", "geometric", "mean-rank", "borda", "win-rate", "bests"]


class Way(NamedTuple):
    """One way to combine tracks.

    label: For menus.
    metric: What the composite's score is.
    lower: Direction of the composite; None for that of the tracks.
    fixed: What it is of the items of fixed tracks: their weighted mean, which has an exact test; a measure of
        their sums; or a matter of how all systems are ordered.
    """

    label: str
    metric: str
    lower: bool | None = None
    fixed: Literal["mean", "measure", "order"] = "mean"


WAYS: dict[Combine, Way] = {
    "mean": Way("Mean of scores", "mean"),
    "z-score": Way("Mean of z-scores", "mean z-score"),
    "min-max": Way("Mean of min–max scores", "mean of min–max scores", lower=False),
    "geometric": Way("Geometric mean", "logarithm of the geometric mean", fixed="measure"),
    "mean-rank": Way("Mean rank", "mean rank", lower=True, fixed="order"),
    "borda": Way("Borda points", "mean of Borda points", lower=False, fixed="order"),
    "win-rate": Way("Mean win rate", "mean win rate", lower=False, fixed="order"),
    "bests": Way("Share of bests", "share of tracks it is best on", lower=False, fixed="order"),
}
COMBINE: tuple[Combine, ...] = tuple(WAYS)
# Settings that a ranking by places uses.
SETTINGS_OF_PLACES = ("correction", "alpha", "seed", "resamples", "confidence_level", "block_column")
OF_ORDER: tuple[Combine, ...] = tuple(key for key, way in WAYS.items() if way.fixed == "order")


def combined(name: str, values: FloatArray, combine: Combine, lower: bool) -> FloatArray:
    """A track's scores in the unit that is averaged.

    values (float array, shape (n_items, n_systems)).
    lower: Whether lower scores are better.
    Returns: As many rows where a mean over items is averaged, else one row.
    Raises AnalysisError: All systems have one mean, or a geometric mean of scores that aren't above 0.

    >>> combined("en", np.array([[3.0, 1.0, 1.0]]), "borda", lower=False).tolist()
    [[2.0, 0.5, 0.5]]
    """
    if combine == "mean":
        return values
    means = np.nanmean(values, axis=0)
    if combine == "geometric":
        if not (means > 0).all():
            raise AnalysisError(f"A geometric mean needs means above 0, which track {shown(name)} lacks.")
        return np.asarray(np.log(means)[None, :])
    if combine in OF_ORDER:
        return _by_order(means if lower else -means, combine)[None, :]
    if np.ptp(means) == 0:
        raise AnalysisError(f"All systems have the same mean in track {shown(name)}; leave it out.")
    if combine == "z-score":
        return np.asarray((values - means.mean()) / means.std(ddof=1))
    worst, best = (means.max(), means.min()) if lower else (means.min(), means.max())
    return np.asarray((values - worst) / (best - worst))


def _by_order(keys: FloatArray, combine: Combine) -> FloatArray:
    """What systems get for their place, the smallest key first; ties share."""
    ranks = rankdata(keys)
    if combine == "mean-rank":
        return np.asarray(ranks)
    if combine == "bests":
        best = keys == keys.min()
        return np.asarray(best / best.sum())
    points = ranks.size - ranks
    return np.asarray(points if combine == "borda" else points / (ranks.size - 1))


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
