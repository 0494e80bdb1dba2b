"""Scores as battles: on every item, the better of two systems wins."""

import numpy as np

from nlpstat_core.memory import refuse_beyond_memory
from nlpstat_core.scores.battles import Battles
from nlpstat_core.scores.matrix import ScoreMatrix, check_matrix

_BYTES = 40  # a battle, with what is made on the way


def battles_of_scores(scores: ScoreMatrix) -> Battles:
    """Every two systems on every item as a battle; how much better one is isn't counted.

    Parameters
    ----------
    scores : ScoreMatrix
        Equal scores are ties; items without a score of one of the two give no battle.

    Returns
    -------
    Battles
        With the item, and the label columns of the scores, as labels.

    Raises
    ------
    ScoreError
        No item has scores of two systems.
    AnalysisError
        More battles than fit into memory.

    Examples
    --------
    >>> from nlpstat_core import ScoreMatrix
    >>> scores = ScoreMatrix(values=[[0.5, 0.4], [0.7, 0.7]], systems=["A", "B"])
    >>> battles_of_scores(scores).outcome.tolist()
    [1, 0]
    """
    check_matrix(scores, "battles_of_scores")
    values = -scores.values if scores.lower_is_better else scores.values
    left, right = np.triu_indices(scores.n_systems, 1)
    many = scores.n_units * left.size
    refuse_beyond_memory(many * _BYTES, f"{many:,} battles", "take fewer systems or items")
    difference = values[:, left] - values[:, right]
    item, pair = np.nonzero(~np.isnan(difference))
    names = tuple(str(row + 1) for row in range(scores.n_units)) if scores.units is None else scores.units
    labels = {"item": names, **{name: cells for name, cells in scores.labels.items() if name != "item"}}
    return Battles(
        systems=scores.systems,
        left=left[pair],
        right=right[pair],
        outcome=np.sign(difference[item, pair]).astype(np.int8),
        labels={name: np.array(cells, dtype=object)[item] for name, cells in labels.items()},
        source=scores.source,
    )
