"""What of a track is averaged: one line for every way to combine tracks."""

from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import rankdata

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError, shown

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
