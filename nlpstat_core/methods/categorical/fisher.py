"""Fisher's exact test of a table of counts."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.config import Alternative
from nlpstat_core.engine.columns.outcomes import SMALLEST_P
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.categorical.chi_square import CategoricalTest, count_table
from nlpstat_core.records import Procedure

MOST_TABLES = 200_000
# Tables whose probability differs from the observed one by less than this ratio tie with it, as in R.
_TIE = 1e-7


def fisher_exact(table: ArrayLike, alternative: Alternative = "two-sided") -> CategoricalTest:
    """Fisher's exact test of independence.

    Null hypothesis: rows and columns are independent.

    Parameters
    ----------
    table : array-like of whole numbers, shape (r, c), both at least 2
    alternative : {"two-sided", "greater", "less"}
        One-sided for 2 × 2 tables only: about an odds ratio above or below 1.

    Returns
    -------
    CategoricalTest
        p is 1 where a row or column holds nothing.

    Raises
    ------
    AnalysisError
        Counts that are none, a one-sided test of a larger table, or over 200,000 tables that remain open.

    Notes
    -----
    With all margins fixed a table has probability Π row!·Π column!/(total!·Π cell!); two-sided p adds the
    tables that are no more probable than the observed one (R's rule). Cost: one step per table.
    """
    observed = count_table(table, 2)
    rows, columns = observed.sum(axis=1), observed.sum(axis=0)
    if observed.shape != (2, 2) and alternative != "two-sided":
        raise AnalysisError("Only a table of two rows and two columns has a direction.")
    own = _log_probability(observed)
    if observed.shape == (2, 2):
        p_value = _two_by_two(observed, alternative)
    else:
        p_value = _tables_no_likelier(rows.astype(np.int64), columns.astype(np.int64), own)
    expected = np.outer(rows, columns) / max(observed.sum(), 1.0)
    p_value = min(1.0, max(p_value, SMALLEST_P))
    return CategoricalTest(
        statistic=math.exp(own),
        p_value=p_value,
        log10_p=math.log10(p_value),
        degrees_of_freedom=0,
        smallest_expected=float(expected.min()),
    )


def _log_probability(table: FloatArray) -> float:
    """Of a table whose margins are fixed."""
    from scipy.special import gammaln

    margins = gammaln(table.sum(axis=0) + 1).sum() + gammaln(table.sum(axis=1) + 1).sum()
    return float(margins - gammaln(table.sum() + 1) - gammaln(table + 1).sum())


def _two_by_two(table: FloatArray, alternative: Alternative) -> float:
    """Tail of the hypergeometric distribution of the first cell."""
    (a, b), (c, _) = table
    first, column, whole = a + b, a + c, table.sum()
    cells = np.arange(max(0.0, first + column - whole), min(first, column) + 1)
    log_law = np.array(
        [
            _log_probability(np.array([[x, first - x], [column - x, whole - first - column + x]]))
            for x in cells
        ]
    )
    law = np.exp(log_law)
    if alternative == "two-sided":
        own = log_law[int(a - cells[0])]
        return float(law[log_law <= own + _TIE].sum())
    return float(law[cells >= a].sum() if alternative == "greater" else law[cells <= a].sum())


def _tables_no_likelier(rows: IntArray, columns: IntArray, own: float) -> float:
    """Probability of all tables with these margins that are no more probable than exp(own)."""
    from scipy.special import gammaln

    logs = gammaln(np.arange(int(rows.sum()) + 1) + 1.0)
    constant = float(logs[rows].sum() + logs[columns].sum() - logs[int(rows.sum())])
    total = 0.0
    # Row by row: what is left in the columns, and the logarithm of 1/Π cell! so far.
    open_tables: list[tuple[tuple[int, ...], float]] = [(tuple(int(c) for c in columns), constant)]
    for row in rows[:-1]:
        grown: list[tuple[tuple[int, ...], float]] = []
        for left, weight in open_tables:
            for cells in _fillings(int(row), left):
                rest = tuple(c - x for c, x in zip(left, cells, strict=True))
                grown.append((rest, weight - float(sum(logs[x] for x in cells))))
                if len(grown) > MOST_TABLES:
                    raise AnalysisError("Fisher's test would have to go through too many tables.")
        open_tables = grown
    for left, weight in open_tables:
        log_p = weight - float(sum(logs[x] for x in left))
        if log_p <= own + _TIE:
            total += math.exp(log_p)
    return total


def _fillings(row: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to spread a row's total over columns that have so much left."""
    if len(left) == 1:
        if row <= left[0]:
            yield (row,)
        return
    for first in range(min(row, left[0]) + 1):
        for others in _fillings(row - first, left[1:]):
            yield (first, *others)


METHOD = Procedure(
    key="fisher-exact",
    label="Fisher's exact test",
    summary="Adds up the tables with the same margins that are no more probable than the observed one.",
    run=fisher_exact,
    null="rows and columns are independent",
    assumptions=("counted items are independent", "the margins are taken as given"),
    formula=r"P(O) = \frac{\prod_i O_{i+}!\, \prod_j O_{+j}!}{n!\, \prod_{ij} O_{ij}!}",
    references=("fisher1935", "freeman1951"),
)
