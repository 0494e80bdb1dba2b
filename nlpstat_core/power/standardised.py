"""What a pair's test has to go by: standard errors, decided units; of measures what exchanges move."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import (
    all_degrees,
    block_leverage,
    clustered_errors,
    clustered_freedom,
)
from nlpstat_core.engine.columns.pairing import Chunk, chunks
from nlpstat_core.engine.columns.unit_block import UnitBlock
from nlpstat_core.engine.swaps.units import MeasuredUnits
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, kw_only=True)
class Standardised:
    """Spread of the pairs of a batch as their test sees it; arrays have shape (n_pairs,).

    error: Its standard error: over units, over documents, or linearised for counts.
    df: Degrees of freedom of that error, the fewest of the batch: of documents Bell and McCaffrey's, fewer
        than three only where documents are flipped, which needs no such error.
    units: What "units" means: those the pair shares, or of two independent samples the harmonic mean of their
        sizes, with which error² is (variance of a + variance of b)/units when the variances are equal.
    samples: 1, of paired differences, or 2 independent ones; each costs a degree of freedom.
    decided: Share of units that are not tied.
    """

    difference: FloatArray
    error: FloatArray
    df: float
    units: FloatArray
    samples: int
    decided: FloatArray


def standardised(batch: PairBatch, config: AnalysisConfig) -> Standardised:
    """Spread of every pair of a batch for the test of the configuration."""
    n, df = max(batch.n_units, 1), float(batch.n_units - 1)
    design, blocks = TESTS[config.test].design, batch.units.blocks
    if design == "unpaired":
        return _independent(batch, config)
    if design == "blocks" and blocks is not None:
        error, difference = clustered_errors(batch), batch.difference
        leverage = block_leverage(batch, blocks)
        freedom = all_degrees(leverage, np.ones_like(leverage))
        if not TESTS[config.test].sign_flips:
            freedom = clustered_freedom(batch)
            error = np.where(np.isnan(freedom), np.nan, error)
        df = float(np.min(freedom[np.isfinite(freedom)], initial=np.inf))
        df = df if np.isfinite(df) else 0.0
    elif design == "counts":
        error, difference = batch.score_error, batch.difference
    else:
        error, difference = batch.sd / np.sqrt(n), batch.mean
    return Standardised(
        difference=difference,
        error=error,
        df=df,
        units=np.full(batch.n_pairs, float(n)),
        samples=1,
        decided=(batch.wins + batch.losses) / n,
    )


def documents_compared(batch: PairBatch, config: AnalysisConfig) -> int:
    """Documents that the pairs of a batch share, where the test compares documents; else 0."""
    blocks = batch.units.blocks
    return blocks.n_blocks if blocks is not None and TESTS[config.test].design == "blocks" else 0


def _independent(batch: PairBatch, config: AnalysisConfig) -> Standardised:
    """Spread of the difference of two independent means, with the fewest degrees of freedom of the batch."""
    from nlpstat_core.engine.samples.independent import shift

    found = shift(batch, equal_variances=TESTS[config.test].equal_variances)
    freedom = found.freedom[np.isfinite(found.freedom)]
    n = np.maximum(batch.units.own.of_board.n, 1)
    return Standardised(
        difference=found.difference,
        error=found.error,
        df=float(freedom.min()) if freedom.size else 0.0,
        units=2 / (1 / n[batch.left] + 1 / n[batch.right]),
        samples=2,
        decided=np.ones(batch.n_pairs),
    )


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
