"""People's and the judge's scores of the same systems and items, labelled or not."""

from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.preparation import refuse_overflow
from nlpstat_core.errors import AnalysisError, ConfigError, shown, some_shown, unknown
from nlpstat_core.formatting import count_of, is_or_are
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS
from nlpstat_core.notes import Note
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.names_alike import names_alike

LABELLED_ONLY = "items-without-label"


def on_all_items(people: ScoreMatrix, automatic: ScoreMatrix, human: str, judge: str) -> ScoreMatrix:
    """People's metric with a row, without scores, for every item that only the judge has, in its order.

    Unchanged where items have no names, people have an item of their own, or all that the judge has. Label
    columns are then the judge's; a note says how many items have no label.
    """
    if people.units is None or automatic.units is None:
        return people
    place = {unit: row for row, unit in enumerate(automatic.units)}
    if len(place) == people.n_units or not all(unit in place for unit in people.units):
        return people
    rows = np.array([place[unit] for unit in people.units])
    values = np.full((automatic.n_units, people.n_systems), np.nan)
    values[rows] = people.values
    ratings = people.ratings
    if ratings is not None:
        ratings = replace(ratings, items=rows[ratings.items], shape=values.shape)
    more = automatic.n_units - people.n_units
    text = (
        f"{more:,} of {automatic.n_units:,} items are in {shown(judge)} only: they count as items without a "
        f"label of {shown(human)}."
    )
    return replace(
        people,
        values=values,
        units=automatic.units,
        labels=automatic.labels,
        costs={},
        counts=None,
        runs=None,
        ratings=ratings,
        notes=(*people.notes, Note(LABELLED_ONLY, "info", text)),
    )


@dataclass(frozen=True, eq=False)
class Sides:
    """People's and the judge's scores of the same systems and items, on one direction.

    people, judge (floats, shape (n_items, n_systems)): People's NaN where an item has no label.
    documents, strata (ints from 0, shape (n_items,), or None).
    ratings (floats, shape (n_items, n_systems, n_raters), or None): Behind people's scores, where raters who
        judged items together add to errors; NaN where one gave none.
    """

    people: FloatArray
    judge: FloatArray
    documents: IntArray | None
    strata: IntArray | None = None
    ratings: FloatArray | None = None

    @property
    def labelled(self) -> BoolArray:
        """Where people gave a score."""
        found: BoolArray = ~np.isnan(self.people)
        return found


def as_given(sides: Sides, turned: bool) -> Sides:
    """With the judge's scores in their own direction."""
    return replace(sides, judge=-sides.judge) if turned else sides


def values_like(people: ScoreMatrix, other: ScoreMatrix) -> FloatArray | None:
    """Another metric by people's systems and items; None where it lacks some."""
    if not set(people.systems) <= set(other.systems) or (people.units is None) != (other.units is None):
        return None
    columns = [other.systems.index(system) for system in people.systems]
    if people.units is None or other.units is None:
        return other.values[:, columns] if people.n_units == other.n_units else None
    place = {unit: row for row, unit in enumerate(other.units)}
    if any(unit not in place for unit in people.units):
        return None
    return np.asarray(other.values[[place[unit] for unit in people.units]][:, columns])


def sides_of(
    people: ScoreMatrix,
    automatic: ScoreMatrix,
    human: str,
    judge: str,
    documents: str | None,
    strata: str | None = None,
) -> Sides:
    """Both metrics by people's systems and all items that the judge scored."""
    for board in (people, automatic):
        refuse_overflow(board)
    if set(people.systems) != set(automatic.systems):
        odd = sorted({*people.systems} ^ {*automatic.systems})
        raise AnalysisError(
            f"{shown(human)} and {shown(judge)} need the same systems; {some_shown(odd)} "
            f"{is_or_are(len(odd))} in one of them only{_but_for_spelling(odd)}."
        )
    rows = np.arange(people.n_units)
    if people.units is not None and automatic.units is not None:
        place = {unit: row for row, unit in enumerate(automatic.units)}
        if missing := [unit for unit in people.units if unit not in place]:
            raise AnalysisError(f"{shown(judge)} lacks items of {shown(human)}: {some_shown(missing)}.")
        rows = np.array([place[unit] for unit in people.units])
    if (people.units is None) != (automatic.units is None) or people.n_units != automatic.n_units:
        raise AnalysisError(
            f"{shown(human)} and {shown(judge)} need the same items: leave cells of {shown(human)} empty "
            "where people gave no score."
        )
    columns = [automatic.systems.index(system) for system in people.systems]
    scores = automatic.values[rows][:, columns]
    judge_without_gaps(people, scores, judge)
    if people.lower_is_better != automatic.lower_is_better:
        scores = -scores
    if documents is not None and strata is not None:
        raise ConfigError("Name documents or strata, not both: labels drawn by strata are single items.")
    codes = _codes(people, documents, "documents")
    drawn_from = _codes(people, strata, "strata")
    few = [
        (system, int(count))
        for system, count in zip(people.systems, (~np.isnan(people.values)).sum(axis=0), strict=True)
        if count < FEWEST_LABELS
    ]
    if few:
        name, count = few[0]
        raise AnalysisError(
            f"{shown(human)} has {count_of(count, 'score')} of {shown(name)}; at least {FEWEST_LABELS} are "
            "needed."
        )
    if codes is not None:
        for system, there in zip(people.systems, (~np.isnan(people.values)).T, strict=True):
            known = np.unique(codes[there]).size
            if known < FEWEST_LABELS:
                raise AnalysisError(
                    f"The labels of {shown(system)} are from {count_of(known, 'value')} of "
                    f"{shown(str(documents))}; "
                    f"at least {FEWEST_LABELS} are needed. Name a column with more, or none."
                )
    if drawn_from is not None:
        _labels_in_each(people, drawn_from, str(strata))
    return Sides(people.values, scores, codes, drawn_from)


def judge_without_gaps(names: ScoreMatrix, scores: FloatArray, judge: str) -> None:
    """Raises AnalysisError: The judge lacks a score."""
    if np.isnan(scores).any():
        item, system = np.argwhere(np.isnan(scores))[0]
        raise AnalysisError(
            f"{shown(judge)} has no score of {shown(names.systems[system])} for "
            f"{names.unit_names([item])[0]}; a judge must have one for every item."
        )


def _but_for_spelling(names: list[str]) -> str:
    alike = names_alike(names)
    return f" ({some_shown(alike[0])} may be one)" if alike else ""


def _codes(people: ScoreMatrix, column: str | None, what: str) -> IntArray | None:
    if column is None:
        return None
    if column not in people.labels:
        raise ConfigError(unknown(f"column of {what}", column, people.labels))
    return np.unique(np.array(people.labels[column], dtype=str), return_inverse=True)[1]


def _labels_in_each(people: ScoreMatrix, strata: IntArray, column: str) -> None:
    """Raises AnalysisError: A stratum with too few labels of a system."""
    for system, there in zip(people.systems, (~np.isnan(people.values)).T, strict=True):
        counts = np.bincount(strata[there], minlength=int(strata.max()) + 1)
        if counts.min() < FEWEST_LABELS:
            name = people.labels[column][int(np.flatnonzero(strata == counts.argmin())[0])]
            raise AnalysisError(
                f"{shown(str(name))} of {shown(column)} has {counts.min()} labels of {shown(system)}; at "
                f"least {FEWEST_LABELS} are needed in each stratum."
            )
