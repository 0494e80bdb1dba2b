"""What every item does to the difference of two systems in a measure."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.swaps.values import pseudo_values, values_of
from nlpstat_core.measures.record import Measure
from nlpstat_core.scores.submissions import Submissions


def influence(
    board: Submissions, a: str, b: str, measure: Measure, options: Mapping[str, Any]
) -> tuple[FloatArray, FloatArray]:
    """The measure of a and of b on the items that both have, and how far single items move the difference.

    Returns values (float array, shape (2,)).
    Returns influence (float array, shape (n_items,)): a − b with all items, minus a − b without the item,
        times (n − 1); NaN for items that one of the two has no output for.
    """
    columns = (board.outputs[a], board.outputs[b])
    there = [
        row
        for row, both in enumerate(zip(*columns, strict=True))
        if both[0] is not None and both[1] is not None
    ]
    found = np.full(board.n_items, np.nan)
    if not there:
        return np.full(2, np.nan), found
    gold = [board.gold[row] for row in there]
    outputs = [[column[row] for row in there] for column in columns]
    measured = measure.measured(gold, outputs, **options)[0]
    values, pseudo = pseudo_values(values_of(measured), np.arange(len(there)))
    pulls = pseudo - values[:, None]
    found[there] = pulls[0] - pulls[1]
    return values, found
