"""Draws where the decision needs them: pairs whose p from few draws may lie on either side of α."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.pairs.columns import ChunkColumns, put_outcomes
from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.outcomes import MONTE_CARLO
from nlpstat_core.engine.columns.pairing import chunks
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.methods.corrections import Family, adjust_family
from nlpstat_core.methods.significance.swap import FIRST_DRAWS, swap
from nlpstat_core.scores.documents import block_ids
from nlpstat_core.scores.matrix import ScoreMatrix

# Standard errors within which a p-value may be another.
_ERRORS = 4.0
# So many are drawn for all pairs of a small board anyway (twelve pairs with the default of resamples).
DRAWS_OF_A_BOARD = 131_072


def redrawn(
    units: ScoreMatrix, left: IntArray, right: IntArray, columns: ChunkColumns, config: AnalysisConfig
) -> ChunkColumns:
    """The columns with `config.resamples` draws for every pair whose decision a few draws leave open.

    On a small board every pair gets them.
    """
    drawn = np.asarray(columns["error"] > 0) & (columns["p_kind"] == MONTE_CARLO)
    few = np.count_nonzero(drawn) * config.resamples <= DRAWS_OF_A_BOARD
    wanted = drawn if few else drawn & undecided(columns["p_value"], columns["error"], config)
    open_pairs = np.flatnonzero(wanted)
    if config.resamples <= FIRST_DRAWS or not open_pairs.size:
        return columns
    blocks = block_ids(units, config)
    with one_blas_thread():
        for chunk in chunks(units, left[open_pairs], right[open_pairs], block_ids=blocks):
            here = np.zeros(left.shape[0], dtype=bool)
            here[open_pairs[chunk.positions]] = True
            put_outcomes(columns, here, swap(chunk.batch, config, draws=config.resamples))
    return columns


def undecided(p_value: FloatArray, error: FloatArray, config: AnalysisConfig) -> BoolArray:
    """Pairs that could be significant or not, by what their p-values may be.

    error (float array, shape (n_pairs,)): Relative standard error of p.

    Every p is moved by four standard errors at once, down and up; corrections rise with each of their p.
    A correction that resamples the family makes p-values of its own: each pair is then looked at alone.
    """
    method = "none" if CORRECTIONS[config.correction].resamples else config.correction
    spread = np.minimum(_ERRORS * error, 0.99)
    sides = [
        adjust_family(Family(p_values=np.clip(p_value * factor, 0.0, 1.0)), method).p_values <= config.alpha
        for factor in (1 - spread, 1 + spread)
    ]
    result: BoolArray = sides[0] != sides[1]
    return result
