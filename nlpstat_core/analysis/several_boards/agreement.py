"""How many boards decide a pair in which way."""

from collections.abc import Sequence

import numpy as np

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.analysis.robustness import decisions
from nlpstat_core.analysis.several_boards.names import common_pairs
from nlpstat_core.results.several_boards import Agreement


def agreement(analyses: Sequence[Analysis]) -> Agreement:
    """Count the decisions of several boards on every pair.

    Returns: A board that has no p-value for a pair is not counted for it. Cost O(boards × pairs).
    """
    pairs = common_pairs(analyses)
    counted = np.zeros((3, len(pairs)), dtype=np.int64)
    for analysis, place, swapped in zip(analyses, pairs.places, pairs.swapped, strict=True):
        decided = decisions(analysis.pairs).astype(np.int64) * np.where(swapped, -1, 1)
        known = ~np.isnan(analysis.pairs.p_value)
        for row, side in enumerate((1, -1, 0)):
            counted[row, place] += known & (decided == side)
    return Agreement(
        pairs=pairs, boards=counted.sum(axis=0), for_a=counted[0], for_b=counted[1], neither=counted[2]
    )
