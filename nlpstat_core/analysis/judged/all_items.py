"""People's scores on all items of the judge, where their metric holds the labelled ones only."""

from dataclasses import replace

import numpy as np

from nlpstat_core.errors import shown
from nlpstat_core.notes import Note
from nlpstat_core.scores.matrix import ScoreMatrix

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
