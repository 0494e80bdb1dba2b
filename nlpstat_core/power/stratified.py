"""Some pairs that stand for all: spread evenly over tests, numbers of units and sizes of the difference."""

import numpy as np

from nlpstat_core.arrays import IntArray
from nlpstat_core.results.columns import PairTable


def stratified_rows(pairs: PairTable, size: int) -> IntArray:
    """Rows of the pair table at equal distances in the order of test, units and size of the difference.

    size: Rows at most, at least 1.
    Returns: Rising; all rows where there are no more than that.
    """
    total = len(pairs)
    if total <= size:
        return np.arange(total)
    order = np.lexsort((np.abs(pairs.difference), pairs.n_units, pairs.test_code))
    # The middle of every stratum, so that neither end of the range is counted more than once.
    places = ((np.arange(size) + 0.5) * total / size).astype(np.int64)
    rows: IntArray = np.sort(order[places])
    return rows
