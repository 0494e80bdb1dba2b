"""What drives a difference: single units, the difference without each document, slices by a label."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.pairs.columns import Progress, with_interval
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import binary_columns
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.samples.intervals import block_interval, difference_interval
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.engine.swaps.values import values_of, without_each
from nlpstat_core.errors import ConfigError, unknown
from nlpstat_core.methods.significance import TESTS
from nlpstat_core.methods.significance.swap import jackknife
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.scores.counts import MISS_WEIGHTS, Counts
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

MOST_GROUPS = 2_000
# A column of texts, nearly all of them different, groups nothing.
_MOST_DIFFERENT = 0.9


@dataclass(frozen=True, eq=False, kw_only=True)
class DrivingUnits:
    """The shared units of a pair, in the order of the score matrix; arrays have shape (n_units,).

    rows: Row of each unit in `Analysis.units`.
    score_a, score_b, difference: Metric points; a − b.
    without: Difference of the pair when this unit is left out; NaN for the only unit.
    """

    rows: IntArray
    score_a: FloatArray
    score_b: FloatArray
    difference: FloatArray
    without: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Groups:
    """A pair's difference by the values of a label; arrays have shape (n_groups, …).

    name: Values of the label that some shared unit has, sorted.
    n_units: Shared units with this value.
    score_a, score_b, difference: In a slice: over these units. Left out: over all other units. Metric points.
    interval (float array, shape (n_groups, 2)): Unadjusted interval of `difference`; NaN where there are too
        few units or blocks.
    p_value: Of the pair's own test, for this comparison alone; NaN in slices, which are not tested.
    """

    label: str
    name: tuple[str, ...]
    n_units: IntArray
    score_a: FloatArray
    score_b: FloatArray
    difference: FloatArray
    interval: FloatArray
    p_value: FloatArray

    def __len__(self) -> int:
        return len(self.name)


def grouping_labels(units: ScoreMatrix, rows: IntArray | None = None) -> tuple[str, ...]:
    """Label columns whose values group the units: neither one value nor nearly all different.

    rows: Look at these units only, for example those a pair shares.

    >>> from nlpstat_core import ScoreMatrix
    >>> labels = {"doc": ["a", "a", "b"], "text": ["x", "y", "z"]}
    >>> grouping_labels(ScoreMatrix(values=[[1, 2], [2, 3], [3, 4]], systems=("A", "B"), labels=labels))
    ('doc',)
    """
    at = np.arange(units.n_units) if rows is None else rows
    most = min(MOST_GROUPS, int(_MOST_DIFFERENT * at.size))
    different = {name: len({column[i] for i in at}) for name, column in units.labels.items()}
    return tuple(name for name, number in different.items() if 2 <= number <= most)


def driving_units(analysis: AnalysisData, row: int) -> DrivingUnits:
    """Each shared unit of a pair with its difference and the pair's difference without it.

    A score is a ratio of sums Σh/Σw (w = 1 for means), so without unit i (Σh − hᵢ)/(Σw − wᵢ). Cost O(n). A
    measure that is no mean is made anew; of each unit its pseudo-value is shown.
    """
    units = analysis.units
    columns = (int(analysis.pairs.left[row]), int(analysis.pairs.right[row]))
    rows = np.flatnonzero(shared_units(analysis, row))
    a, b = (units.values[rows, column] for column in columns)
    without = [_without_each(units, rows, column) for column in columns]
    return DrivingUnits(
        rows=rows, score_a=a, score_b=b, difference=a - b, without=np.asarray(without[0] - without[1])
    )


def _without_each(units: ScoreMatrix, rows: IntArray, column: int) -> FloatArray:
    """Score of one system without each of the units."""
    if rows.size < 2:
        return np.full(rows.size, np.nan)
    if units.measured is not None:
        own = values_of(units.measured.columns([column]).rows(rows))
        left_out: FloatArray = without_each(own, np.arange(rows.size))[0]
        return left_out
    if units.counts is None:
        top = units.values[rows, column]
        bottom = np.ones(rows.size)
    else:
        top = units.counts.hits[rows, column]
        bottom = top + MISS_WEIGHTS[units.counts.kind] * units.counts.misses[rows, column]
    above, below = top.sum() - top, bottom.sum() - bottom
    result: FloatArray = np.where(below > 0, above / np.where(below > 0, below, 1.0), 0.0)
    return result


@one_blas_thread()
def slices(analysis: AnalysisData, row: int, label: str) -> Groups:
    """The pair's difference within each value of a label: exploration, no test.

    label: Name of a label column.
    Raises ConfigError: The scores have no such column.

    Intervals are Student's t over the slice's units, or cluster-robust over its blocks when blocks are
    named, one slice at a time: with many slices some exclude 0 by chance.
    """
    names, masks = _values_of(analysis, row, label)
    batches = [_batch(analysis, row, mask) for mask in masks]
    undefined = np.full(len(names), np.nan)
    return _groups(analysis, label, names, masks, batches, undefined)


@one_blas_thread()
def leave_one_out(
    analysis: AnalysisData,
    row: int,
    label: str,
    *,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Groups:
    """The pair's difference, interval and p-value without the units of each value of a label.

    label: Name of a label column, for example of documents.
    should_stop: Asked before every group.
    Returns: `n_units` counts the units left out.
    Raises ConfigError: The scores have no such column.
    """
    names, masks = _values_of(analysis, row, label)
    shared = shared_units(analysis, row)
    code = int(analysis.pairs.test_code[row])
    batches, p_values, intervals = [], [], []
    with stoppable(should_stop):
        for done, mask in enumerate(masks):
            stop_if_asked()
            batch = _batch(analysis, row, shared & ~mask)
            batches.append(batch)
            test = TESTS[analysis.pairs.tests[code]] if code >= 0 and batch.n_units else None
            outcome = None if test is None else with_interval(test, batch, analysis.config)
            p_values.append(np.nan if outcome is None else float(outcome.p_value[0]))
            intervals.append(None if outcome is None else outcome.interval)
            if progress is not None:
                progress(done + 1, len(masks))
    found = _groups(analysis, label, names, masks, batches, np.array(p_values, dtype=float))
    for place, interval in enumerate(intervals):
        if interval is not None:
            found.interval[place] = interval[0]
    return found


def shared_units(analysis: AnalysisData, row: int) -> BoolArray:
    """Units that both systems of a pair have.

    Returns bool array, shape (n_units,).
    """
    left, right = analysis.pairs.left[row], analysis.pairs.right[row]
    result: BoolArray = analysis.units.present[:, left] & analysis.units.present[:, right]
    return result


def _values_of(analysis: AnalysisData, row: int, label: str) -> tuple[tuple[str, ...], list[BoolArray]]:
    """Values of a label among the shared units of a pair, and which of these units have them."""
    units = analysis.units
    if label not in units.labels:
        raise ConfigError(unknown("label column", label, units.labels))
    shared = shared_units(analysis, row)
    names, codes = np.unique(np.array(units.labels[label], dtype=object), return_inverse=True)
    used = np.unique(codes[shared])
    return tuple(str(names[code]) for code in used), [shared & (codes == code) for code in used]


def _batch(analysis: AnalysisData, row: int, keep: BoolArray) -> PairBatch:
    """The pair of one row on some of its units, in canonical order."""
    units = analysis.units
    rows = units.canonical_order[keep[units.canonical_order]]
    columns = np.array([analysis.pairs.left[row], analysis.pairs.right[row]])
    cells, ids, counts = np.ix_(rows, columns), block_ids(units, analysis.config), units.counts
    measured = None
    if units.measured is not None:
        of_pair = units.measured.columns(columns.tolist()).rows(rows)
        measured = MeasuredUnits(of_pair, None if ids is None else ids[rows])
    block = UnitBlock(
        values=units.values[cells] if measured is None else np.ascontiguousarray(measured.by_unit[1].T),
        measured=measured,
        decimals=units.decimals,
        binary=binary_columns(units)[columns],
        rows=rows,
        block_ids=None if ids is None else ids[rows],
        counts=None
        if counts is None
        else Counts(kind=counts.kind, hits=counts.hits[cells], misses=counts.misses[cells]),
    )
    return PairBatch(block, np.array([0]), np.array([1]), analysis.config.delta)


def _groups(
    analysis: AnalysisData,
    label: str,
    names: tuple[str, ...],
    masks: list[BoolArray],
    batches: list[PairBatch],
    p_values: FloatArray,
) -> Groups:
    config = analysis.config
    return Groups(
        label=label,
        name=names,
        n_units=np.array([np.count_nonzero(mask) for mask in masks], dtype=np.int64),
        score_a=np.array([batch.score_a[0] for batch in batches]),
        score_b=np.array([batch.score_b[0] for batch in batches]),
        difference=np.array([batch.difference[0] for batch in batches]),
        interval=np.array([_interval(batch, config) for batch in batches]).reshape(-1, 2),
        p_value=p_values,
    )


def _interval(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """The interval of one pair's difference: of a measure the jackknife's, else Student's or by blocks."""
    if batch.units.measured is not None:
        found = jackknife(batch, config, batch.units.measured)
    elif config.block_column is None:
        found = difference_interval(batch, config)
    else:
        found = block_interval(batch, config)
    ends: FloatArray = found[0]
    return ends
