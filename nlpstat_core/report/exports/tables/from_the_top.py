"""All pairs in the order of a board, each seen from its better system, so that a table reads from the top."""

from typing import NamedTuple

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray


class FromTheTop(NamedTuple):
    """Pairs in the order of a board; arrays of shape (n_pairs,).

    rows: Places of the pairs in their own columns.
    better, worse: Systems of each pair.
    turned: Whether a pair's own columns are about worse − better.
    """

    rows: IntArray
    better: IntArray
    worse: IntArray
    turned: BoolArray

    def signed(self, differences: FloatArray) -> FloatArray:
        """Differences of a pair's own columns as better − worse."""
        return np.asarray(np.where(self.turned, -1.0, 1.0) * differences[self.rows])


def from_the_top(order: IntArray, left: IntArray, right: IntArray) -> FromTheTop:
    """Order pairs by a board. `order`: systems, the best first."""
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    ends = np.sort(np.stack([place[left], place[right]]), axis=0)
    rows = np.lexsort((ends[1], ends[0]))
    turned = (place[left] > place[right])[rows]
    return FromTheTop(rows, order[ends[0][rows]], order[ends[1][rows]], turned)
