"""Measures that are no means, for power: what exchanging an item's outputs moves, as scores of items."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.pairing import Chunk, chunks
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix

# Pulls are counted in steps of this share of the largest one, so that equal ones are ties.
_STEP = 1e-11


def compared(units: ScoreMatrix, left: IntArray, right: IntArray, config: AnalysisConfig) -> Iterator[Chunk]:
    """The pairs of a board in pieces, as power looks at them.

    Yields: Of a measure that is no mean, batches whose differences are n·L_i (`pulls`); else the scores' own.
    """
    blocks = block_ids(units, config)
    for chunk in chunks(units, left, right, delta=config.delta, block_ids=blocks):
        measured = chunk.batch.units.measured
        yield chunk if measured is None else Chunk(chunk.positions, _linearised(chunk.batch, measured))


def test_of_pulls(test: str, batch: PairBatch) -> str:
    """The test that power is computed with: of a measure the sign-flip test of its linearised swaps."""
    if TESTS[test].design != "measure":
        return test
    flips = next(
        record for record in TESTS if record.sign_flips and record.by_documents and record.design == "paired"
    )
    return flips.key if batch.units.block_ids is None else flips.by_documents or flips.key


def pulls(measured: MeasuredUnits, a: int, b: int) -> FloatArray:
    """n·L_i of every unit, L_i half of what swapping it takes from Δ: to first order their mean is Δ.

    Returns float array, shape (n_units,): 0 where both outputs count the same; all 0 where Δ is undefined.
    """
    n = measured.n_units
    found = np.zeros(n)
    pair = replace(measured, block_ids=None).pair(a, b)
    if n and np.isfinite(pair.observed):
        found[pair.moved] = n * pair.pulls
        step = _STEP * np.abs(found).max(initial=0.0)
        if step > 0:
            found = np.rint(found / step) * step
    return found


def _linearised(batch: PairBatch, measured: MeasuredUnits) -> PairBatch:
    """One column a pair, beside a column of zeros."""
    columns = [pulls(measured, int(a), int(b)) for a, b in zip(batch.left, batch.right, strict=True)]
    n_pairs = len(columns)
    values = np.stack([*columns, np.zeros(batch.n_units)], axis=1)
    units = UnitBlock(
        values=values,
        decimals=MOST_DECIMALS,
        binary=np.zeros(n_pairs + 1, dtype=bool),
        rows=batch.units.rows,
        block_ids=batch.units.block_ids,
        exchanged=True,
    )
    return PairBatch(units, np.arange(n_pairs), np.full(n_pairs, n_pairs))
