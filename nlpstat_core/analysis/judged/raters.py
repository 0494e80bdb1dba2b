"""Several people's ratings behind the labels: who judged what, how severe each is, on one scale or not."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse, special
from scipy.sparse.csgraph import connected_components

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, ConfigError, Remedy, shown, some_shown
from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS
from nlpstat_core.notes import Note
from nlpstat_core.results.judge_itself import CROSSED, NESTED, JudgeRaters
from nlpstat_core.scores.matrix import ScoreMatrix

FEW_RATERS = 5


@dataclass(frozen=True, eq=False)
class Ratings:
    """values (floats, shape (n_items, n_systems, n_raters)): NaN where a rater gave none."""

    values: FloatArray
    names: tuple[str, ...]

    @property
    def rated(self) -> BoolArray:
        """Who judged which item, for any system, shape (n_items, n_raters)."""
        return np.asarray((~np.isnan(self.values)).any(axis=1))

    @property
    def means(self) -> FloatArray:
        """What an item's raters give a system on average, NaN where nobody does."""
        return _mean(self.values, 2)


def ratings_of(people: ScoreMatrix, human: str, raters: str) -> Ratings:
    """The ratings of this column, by rater.

    Raises ConfigError: No ratings by this column.
    Raises AnalysisError: Scores that aren't their means, or an item whose systems have other raters.
    """
    kept = people.ratings
    if kept is None or kept.column != raters:
        has = "" if kept is None else f"; those it has are by {shown(kept.column)}"
        if kept is None and any(note.code == "evaluation-units" for note in people.notes):
            has = " (items joined from several rows keep none)"
        raise ConfigError(
            f"{shown(human)} has no ratings by two raters or more named in {shown(raters)}{has}. Where that "
            "column names them, ",
            Remedy("roles", f"rater={raters}"),
            ".",
        )
    refuse_beyond_memory(
        people.values.size * len(kept.names) * 24,
        f"{people.values.size * len(kept.names):,} cells of ratings",
        "leave raters out",
    )
    found = Ratings(*kept.table())
    if kept.shape != people.values.shape or not np.allclose(
        found.means, people.values, rtol=1e-6, atol=1e-9, equal_nan=True
    ):
        raise AnalysisError(
            f"The scores of {shown(human)} aren't the means of its ratings, so errors by rater can't be had: "
            "leave raters out."
        )
    _same_raters_of_all_systems(found, people)
    return found


def _same_raters_of_all_systems(found: Ratings, people: ScoreMatrix) -> None:
    there: BoolArray = ~np.isnan(found.values)
    labelled: BoolArray = np.asarray(there.any(axis=2))
    who: BoolArray = np.asarray(there.any(axis=1))
    odd = labelled[:, :, None] & (there != who[:, None])
    if odd.any():
        item, system, rater = np.argwhere(odd)[0]
        raise AnalysisError(
            f"{shown(found.names[rater])} rated {people.unit_names([item])[0]} for some systems, not for "
            f"{shown(people.systems[system])}, which others rated: errors by rater need the systems of an "
            "item to have the same raters. Leave raters out."
        )


def standardised(found: Ratings) -> Ratings:
    """Each rater's ratings less their mean, by their standard deviation (z as WMT has it).

    Raises AnalysisError: A rater whose ratings don't vary.
    """
    mean = _mean(found.values, (0, 1))
    square = _mean((found.values - mean) ** 2, (0, 1))
    count = (~np.isnan(found.values)).sum(axis=(0, 1))
    scale = np.sqrt(square * count / np.maximum(count - 1, 1))
    flat = scale <= 1e-12 * np.maximum(np.abs(mean), 1e-300)
    if flat.any():
        raise AnalysisError(
            f"All ratings of {some_shown(np.array(found.names)[flat].tolist())} are the same, so they can't "
            "be standardised: leave that rater's rows out, or don't standardise."
        )
    return replace(found, values=(found.values - mean) / scale)


def _mean(values: FloatArray, axis: int | tuple[int, ...]) -> FloatArray:
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    return np.asarray(np.divide(total, count, out=np.full(np.shape(total), np.nan), where=count > 0))


def groups_of(found: Ratings) -> IntArray:
    """Groups of items whose raters have no item in common; −1 where nobody judged."""
    rated = found.rated
    n_items, n_raters = rated.shape
    items, raters = np.nonzero(rated)
    graph = sparse.coo_array(
        (np.ones(items.size), (items, n_items + raters)), shape=(n_items + n_raters,) * 2
    )
    of = connected_components(graph, directed=False)[1][:n_items]
    there = rated.any(axis=1)
    codes = np.full(n_items, -1)
    codes[there] = np.unique(of[there], return_inverse=True)[1]
    return codes


def clusters_of(groups: IntArray, human: str) -> IntArray | None:
    """None where raters judged items together; else a cluster for every group, and one for every other item.

    Raises AnalysisError: Two groups.
    """
    n = int(groups.max()) + 1
    if n == 1:
        return None
    if n < FEWEST_LABELS:
        raise AnalysisError(
            f"The raters of {shown(human)} fall into {n} groups that share no item: at least {FEWEST_LABELS} "
            "are needed to tell how raters differ, or some items that both rate. Leave raters out."
        )
    rest = groups < 0
    codes = groups.copy()
    codes[rest] = n + np.arange(np.count_nonzero(rest))
    return codes


def raters_table(found: Ratings, groups: IntArray, standard: bool, alpha: float) -> JudgeRaters:
    """How severe each rater is beside the others who judged the same outputs, with t intervals by item.

    found: As they were given, not standardised.
    """
    values = found.values
    there = ~np.isnan(values)
    count = there.sum(axis=2, keepdims=True)
    others = np.where(there, values, 0.0).sum(axis=2, keepdims=True) - np.where(there, values, 0.0)
    gap = np.where(there & (count > 1), values - others / np.maximum(count - 1, 1), np.nan)
    by_item = _mean(gap, 1)
    n = (~np.isnan(by_item)).sum(axis=0)
    severity = _mean(by_item, 0)
    squares = _mean((by_item - severity) ** 2, 0)
    error = np.full(n.shape, np.nan)
    np.sqrt(np.divide(squares, n - 1, out=error, where=n > 2), out=error, where=n > 2)
    margin = special.stdtrit(np.maximum(n - 1, 1), 1 - alpha / 2) * error
    t = np.divide(np.abs(severity), error, out=np.full(n.shape, np.nan), where=error > 0)
    p = 2 * special.stdtr(np.maximum(n - 1, 1), -t)
    mean = _mean(values, (0, 1))
    ratings = there.sum(axis=(0, 1))
    spread = np.sqrt(_mean((values - mean) ** 2, (0, 1)) * ratings / np.maximum(ratings - 1, 1))
    return JudgeRaters(
        names=found.names,
        design=CROSSED if groups.max() == 0 else NESTED,
        n_groups=int(groups.max()) + 1,
        standardised=standard,
        ratings=ratings,
        mean=mean,
        deviation=spread,
        severity=severity,
        lower=severity - margin,
        upper=severity + margin,
        p_adjusted=adjust_p_values(p, "holm"),
        shared=n,
    )


def notes_of_raters(people: ScoreMatrix, table: JudgeRaters | None) -> list[Note]:
    """Raters that nobody named; few raters, or few groups of them."""
    if table is None:
        if people.ratings is None:
            return []
        text = (
            f"Labels are ratings of several people: errors hold for these only, unless "
            f"{shown(people.ratings.column)} is named as raters."
        )
        return [Note("raters-not-named", "caution", text)]
    n = len(table.names) if table.design == CROSSED else table.n_groups
    if n >= FEW_RATERS:
        return []
    what = "raters" if table.design == CROSSED else "groups of raters"
    text = f"{n} {what} are few to tell how raters differ; intervals are wide, and their errors uncertain."
    return [Note("few-raters", "caution", text)]
