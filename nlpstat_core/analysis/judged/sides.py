"""People's and the judge's scores of the same systems and items."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, ConfigError, shown, some_shown, unknown
from nlpstat_core.methods.judged.corrected import FEWEST_LABELS
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False)
class Sides:
    """People's and the judge's scores of the same systems and items, on one direction.

    people, judge (floats, shape (n_items, n_systems)): People's NaN where an item has no label.
    documents (ints, shape (n_items,), or None).
    """

    people: FloatArray
    judge: FloatArray
    documents: IntArray | None

    @property
    def labelled(self) -> BoolArray:
        """Where people gave a score."""
        found: BoolArray = ~np.isnan(self.people)
        return found


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
    people: ScoreMatrix, automatic: ScoreMatrix, human: str, judge: str, documents: str | None
) -> Sides:
    """Both metrics by people's systems and all items that the judge scored."""
    if set(people.systems) != set(automatic.systems):
        odd = sorted({*people.systems} ^ {*automatic.systems})
        raise AnalysisError(
            f"{shown(human)} and {shown(judge)} need the same systems; {some_shown(odd)} is in one of them."
        )
    if (people.units is None) != (automatic.units is None) or people.n_units != automatic.n_units:
        raise AnalysisError(
            f"{shown(human)} and {shown(judge)} need the same items: leave cells of {shown(human)} empty "
            "where people gave no score."
        )
    rows = np.arange(people.n_units)
    if people.units is not None and automatic.units is not None:
        place = {unit: row for row, unit in enumerate(automatic.units)}
        if missing := [unit for unit in people.units if unit not in place]:
            raise AnalysisError(f"{shown(judge)} lacks items of {shown(human)}: {some_shown(missing)}.")
        rows = np.array([place[unit] for unit in people.units])
    columns = [automatic.systems.index(system) for system in people.systems]
    scores = automatic.values[rows][:, columns]
    if np.isnan(scores).any():
        item, system = np.argwhere(np.isnan(scores))[0]
        raise AnalysisError(
            f"{shown(judge)} has no score of {shown(people.systems[system])} for "
            f"{people.unit_names([item])[0]}; a judge must have one for every item."
        )
    if people.lower_is_better != automatic.lower_is_better:
        scores = -scores
    codes = None
    if documents is not None:
        if documents not in people.labels:
            raise ConfigError(unknown("column of documents", documents, people.labels))
        codes = np.unique(np.array(people.labels[documents], dtype=str), return_inverse=True)[1]
    few = [
        (system, int(count))
        for system, count in zip(people.systems, (~np.isnan(people.values)).sum(axis=0), strict=True)
        if count < FEWEST_LABELS
    ]
    if few:
        name, count = few[0]
        raise AnalysisError(
            f"{shown(human)} has {count} scores of {shown(name)}; at least {FEWEST_LABELS} are needed."
        )
    if codes is not None:
        for system, there in zip(people.systems, (~np.isnan(people.values)).T, strict=True):
            known = np.unique(codes[there]).size
            if known < FEWEST_LABELS:
                raise AnalysisError(
                    f"The labels of {shown(system)} are from {known} values of {shown(str(documents))}; "
                    f"at least {FEWEST_LABELS} are needed. Name a column with more, or none."
                )
    return Sides(people.values, scores, codes)
