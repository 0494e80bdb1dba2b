"""What a pair's test has to go by: standard errors, degrees of freedom, decided units."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import (
    all_degrees,
    block_leverage,
    clustered_errors,
    clustered_freedom,
)
from nlpstat_core.methods.significance import TESTS


@dataclass(frozen=True, eq=False, kw_only=True)
class Standardised:
    """Spread of the pairs of a batch as their test sees it; arrays have shape (n_pairs,).

    difference: Metric points.
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
