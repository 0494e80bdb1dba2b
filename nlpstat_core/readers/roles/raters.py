"""How far raters agree: Krippendorff's alpha and the share of ratings on which two differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.coding import codes

# The library's table of coincidences has the square of so many cells.
MOST_DISTINCT = 500
MOST_CELLS = 20_000_000


def raters_note(raters: Sequence[str], rated: IntArray, scores: FloatArray) -> Note | None:
    """What is said of raters whose scores were averaged.

    Parameters
    ----------
    raters : sequence of str
        Who gave each score.
    rated : int array
        What each score is for: system, unit and run as one number.
    scores : float array
        NaN where missing.

    Returns
    -------
    Note or None
        None where nothing was rated twice.

    References
    ----------
    Krippendorff (2011), https://repository.upenn.edu/asc_papers/43.
    """
    there = ~np.isnan(scores)
    names, rater_of = codes(raters)
    _, place = np.unique(rated, return_inverse=True)
    place, rater_of, scores = place.ravel()[there], rater_of[there], scores[there]
    counts = np.bincount(place) if place.size else np.zeros(0, dtype=np.int64)
    if not counts.size or counts.max() < 2:
        return None
    differ = _share_that_differ(place, scores, counts)
    several = int(np.count_nonzero(counts > 1))
    alpha = _alpha(place, rater_of, scores, len(names), counts)
    said = "" if alpha is None else f" Krippendorff's alpha (interval) is {alpha:.3f};"
    text = (
        f"Scores are means over raters ({len(names):,}).{said} of the {several:,} scores rated more "
        f"than once, the ratings differ on {100 * differ:.1f} %. A rater is not a run: tests take "
        "these raters as they are."
    )
    if alpha is None:
        text = text.replace(" of the", " Of the", 1)
    return Note("averaged-raters", "info", text)


def _share_that_differ(place: IntArray, scores: FloatArray, counts: IntArray) -> float:
    """Share of what was rated more than once whose ratings are not all the same."""
    high = np.full(counts.size, -np.inf)
    low = np.full(counts.size, np.inf)
    np.maximum.at(high, place, scores)
    np.minimum.at(low, place, scores)
    several = counts > 1
    return float(np.mean(high[several] > low[several]))


def _alpha(
    place: IntArray, rater_of: IntArray, scores: FloatArray, n_raters: int, counts: IntArray
) -> float | None:
    """Krippendorff's alpha for interval data; None where it is undefined or too large to compute."""
    distinct = np.unique(scores)
    kept = np.flatnonzero(counts > 1)
    if distinct.size < 2 or distinct.size > MOST_DISTINCT or n_raters * kept.size > MOST_CELLS:
        return None
    import krippendorff

    table = np.full((n_raters, counts.size), np.nan)
    table[rater_of, place] = scores
    table = table[:, kept]
    if np.unique(table[~np.isnan(table)]).size < 2:
        return None
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement="interval"))
