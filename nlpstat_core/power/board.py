"""What a board could tell apart: the smallest detectable difference and the smallest p of every pair."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray, ObjectArray
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.errors import ConfigError, shown
from nlpstat_core.power.detectable import detectable_differences
from nlpstat_core.power.levels import comparison_alpha
from nlpstat_core.power.standardised import compared, documents_compared, test_of_pulls
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

# Pairs between two questions whether the work is still wanted.
_AT_ONCE = 256
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, kw_only=True)
class BoardPower:
    """What every pair of an analysis could have shown; arrays have shape (n_pairs,) in its pairs' order.

    comparison_alpha: Level of one comparison under the analysis's correction.
    comparisons: Size of the family.
    detectable: Smallest difference found with that power, metric points, without sign and from δ on; infinity
        where not even the largest one that the scale allows is, NaN where the pair has no spread to go by or
        its documents are too few or too unequal to say ("few-documents").
    model: How it was computed, see `detectable_differences`; None without a test.
    smallest_p: Smallest p-value the test could give with as many units and ties.
    unreachable: smallest_p above comparison_alpha: not significant by itself, however large the difference.
    impossible: smallest_p above α: not significant under any correction.
    looked_at: Pairs that were asked for.
    n_documents: Documents that a pair shares, where its test compares documents; else 0.
    """

    power: float
    comparison_alpha: float
    comparisons: int
    detectable: FloatArray
    model: ObjectArray
    smallest_p: FloatArray
    unreachable: BoolArray
    impossible: BoolArray
    looked_at: BoolArray
    n_documents: IntArray


def board_power(
    analysis: AnalysisData,
    power: float = 0.8,
    *,
    rows: IntArray | None = None,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> BoardPower:
    """Smallest detectable difference of every pair under the test and correction of the analysis.

    power: In (α, 1).
    rows: Rows of the pair table to look at; the others stay undefined. None takes all.
    Raises ConfigError: A power that is not above the level or not below 1.

    The difference is found with this power in either direction (that of the alternative, if one-sided), under
    the model that a power curve of the pair simulates (`detectable_differences`). Corrections in steps are
    taken at their strictest step. Cost: some milliseconds for a pair of 1,000 units.

    Source: Bloom (1995), doi:10.1177/0193841X9501900504; Cohen (1988).
    """
    config, pairs = analysis.config, analysis.pairs
    if not config.alpha < power < 1:
        raise ConfigError(f"power must be above {config.alpha:g} and below 1, not {shown(power)}.")
    level = comparison_alpha(config.alpha, config.correction, max(1, analysis.family_size))
    detectable, least = np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    model = np.full(len(pairs), None, dtype=object)
    asked = len(pairs) if rows is None else len(rows)
    documents = np.zeros(len(pairs), dtype=np.int64)
    done, looked = 0, np.ones(len(pairs), dtype=bool)
    if rows is not None:
        looked = np.zeros(len(pairs), dtype=bool)
        looked[rows] = True
    with stoppable(should_stop):
        for here, batch, single in batches_by_test(analysis, rows):
            for part in _parts(batch.n_pairs):
                stop_if_asked()
                some, at = batch.take(part), here[part]
                detectable[at], model[at] = detectable_differences(some, single, power, level, asked)
                least[at] = smallest_p(some, single)
                documents[at] = documents_compared(some, single)
                done += at.size
                if progress is not None:
                    progress(done, asked)
    if CORRECTIONS[config.correction].resamples:
        least = np.maximum(least, 1 / (config.resamples + 1))
        limit = config.alpha
    else:
        limit = level
    return BoardPower(
        power=float(power),
        comparison_alpha=level,
        comparisons=analysis.family_size,
        detectable=detectable,
        model=model,
        smallest_p=least,
        unreachable=~(least <= limit),
        impossible=~(least <= config.alpha),
        looked_at=looked,
        n_documents=documents,
    )


def batches_by_test(
    analysis: AnalysisData, rows: IntArray | None = None
) -> Iterator[tuple[IntArray, PairBatch, AnalysisConfig]]:
    """The pairs of an analysis in batches that share units and test.

    Yields config: Of the analysis, with the test these pairs got; of a measure that is no mean, with that of
        its linearised swaps (`exchanged`). Pairs without a test are left out.
    """
    pairs, config = analysis.pairs, analysis.config
    at = np.arange(len(pairs)) if rows is None else rows
    for chunk in compared(analysis.units, pairs.left[at], pairs.right[at], config):
        here = at[chunk.positions]
        codes = pairs.test_code[here]
        for code in np.unique(codes[codes >= 0]):
            same = np.flatnonzero(codes == code)
            key = test_of_pulls(pairs.tests[code], chunk.batch)
            yield here[same], chunk.batch.take(same), replace(config, test=key, correction="none")


def _parts(n_pairs: int) -> Iterator[IntArray]:
    for start in range(0, n_pairs, _AT_ONCE):
        yield np.arange(start, min(start + _AT_ONCE, n_pairs))


def smallest_p(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Smallest attainable p-value of every pair, with as many ties as it has.

    Returns: 0 where p can be as small as one likes; 1 for systems with identical scores.

    Each test's record says its own (`smallest_p`): k signs that can be flipped give 2^(1 − k), one-sided
    2^(−k); B resamples give 1/(B + 1). For unpaired tests 0 stands, which claims nothing.
    """
    record = TESTS[config.test]
    least = np.zeros(batch.n_pairs) if record.smallest_p is None else record.smallest_p(batch, config)
    if record.design in ("unpaired", "runs"):
        return least
    return np.where(batch.wins + batch.losses == 0, 1.0, np.minimum(least, 1.0))


def stratified_rows(pairs: PairTable, size: int) -> IntArray:
    """Rows of the pair table at equal distances in the order of test, units and size of the difference.

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
