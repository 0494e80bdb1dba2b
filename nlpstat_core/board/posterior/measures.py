"""The Bayesian bootstrap of a measure that is no mean: made anew of items with random weights."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.board.posterior.pairs import PairColumns, all_undefined, put_columns
from nlpstat_core.board.posterior.systems import drawn_board
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.engine.swaps.units import MeasuredUnits, by_presence, resampled_measures
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.methods.bayes.bayesian_bootstrap import drawn_posteriors, weight_chunks
from nlpstat_core.methods.diagnosis.few_units import skewness_of_scores
from nlpstat_core.results.posterior import PosteriorBoard
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.measured import Measured

BOOTSTRAP = MODELS.keys.index("bayesian-bootstrap")
UNDEFINED = "measure-undefined"


def measure_draws(units: MeasuredUnits, draws: int, seed: int) -> FloatArray:
    """Posterior draws of every system's measure, each on the units it has.

    Returns float array, shape (n_systems, draws): NaN where undefined.

    One weight Exp(1) for every unit or document, the same for all systems, such that the weights of all units
    sum to their number: BLEU's smoothing depends on it.

    Source: Rubin (1981), doi:10.1214/aos/1176345338.
    """
    parts, sizes = by_presence(units.measured), np.bincount(units.groups)
    found = np.empty((units.measured.n_systems, draws))
    with one_blas_thread():
        for which, weights in weight_chunks(units.n_groups, draws, seed):
            scaled = weights * (units.n_units / (weights @ sizes))[:, None]
            found[:, which] = resampled_measures(parts, found.shape[0], scaled.T[units.groups])
    return found


def measured_columns(batch: PairBatch, drawn: FloatArray, margin: float, level: float) -> PairColumns:
    """Posteriors of pairs from draws of the measure on the units that they share.

    Returns: NaN where the measure is undefined in a draw ("measure-undefined"). There is no Bayes factor: no
        prior on a standardised difference goes with a measure.
    """
    measured = batch.units.measured
    if measured is None:
        raise ValueError("The batch has no measure.")
    found = all_undefined(batch.n_pairs)
    n = measured.n_groups
    undefined: BoolArray = np.asarray(np.isnan(drawn).any(axis=1))
    either = np.logical_or(undefined[batch.left], undefined[batch.right])
    defined: BoolArray = ~either if n > 1 else np.zeros(batch.n_pairs, dtype=bool)
    rows = np.flatnonzero(defined)
    error = measured.errors(batch.left, batch.right)
    part = PairColumns(
        posteriors=drawn_posteriors(
            drawn, batch.left[rows], batch.right[rows], freedom=float(n - 1), margin=margin, level=level
        ),
        model_code=np.full(rows.size, BOOTSTRAP, dtype=np.int8),
        n_units=np.full(rows.size, batch.n_units),
        difference=batch.difference[rows],
        error=error[rows],
        freedom=np.full(rows.size, n - 1.0),
        log_bf=np.full(rows.size, np.nan),
        sensitivity=found.sensitivity[rows],
        wins=found.wins[rows],
        losses=found.losses[rows],
        n_drawn=np.full(rows.size, n),
        skewness=skewness_of_scores(batch, np.zeros(batch.n_pairs, dtype=bool))[rows],
        notes={},
    )
    put_columns(found, rows, part)
    found.n_units[:] = batch.n_units
    found.difference[:] = batch.difference
    notes = {
        "no-shared-units": np.full(batch.n_pairs, batch.n_units == 0),
        "too-few-units": np.full(batch.n_pairs, batch.n_units > 0 and n < 2),
        UNDEFINED: ~defined & (n > 1),
    }
    found.notes.update({name: mask for name, mask in notes.items() if mask.any()})
    return found


def measured_board(
    scores: ScoreMatrix,
    measured: Measured,
    block_ids: IntArray | None,
    *,
    draws: int,
    seed: int,
    level: float,
) -> PosteriorBoard:
    """Measures and ranks of the whole board, each system on the units it has.

    Raises AnalysisError: Fewer than two units or documents, or a measure undefined in a draw.
    """
    order = scores.canonical_order
    units = MeasuredUnits(measured.rows(order), None if block_ids is None else block_ids[order])
    if units.n_groups < 2:
        named = "items" if block_ids is None else "documents"
        raise AnalysisError(f"A model of the whole board needs at least two {named}.")
    drawn = measure_draws(units, draws, seed)
    undefined = np.flatnonzero(np.isnan(drawn).any(axis=1))
    if undefined.size:
        name = scores.systems[int(undefined[0])]
        raise AnalysisError(f"{measured.label} of {name} is undefined in some draws; leave the system out.")
    return drawn_board(drawn, units.by_unit[0], units.n_groups, scores, level)
