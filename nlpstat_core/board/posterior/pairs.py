"""The posterior of every pair of a board, batch by batch."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.blocks import clustered_errors, clustered_freedom
from nlpstat_core.engine.samples.independent import shift
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.methods.bayes.binary import binary_posteriors
from nlpstat_core.methods.bayes.columns import Posteriors, put, undefined_posteriors
from nlpstat_core.methods.bayes.independent_binary import independent_posteriors
from nlpstat_core.methods.bayes.jzs import SENSITIVITY, log_bayes_factors
from nlpstat_core.methods.bayes.means import mean_posteriors
from nlpstat_core.methods.diagnosis.few_units import skewness_of_scores

MEAN, BINARY = MODELS.keys.index("mean"), MODELS.keys.index("binary")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairModels:
    """How the pairs of a board are modelled.

    binary: Use the model of right and wrong answers where all of a pair's scores are 0 or 1.
    scale: r of the Bayes factor's prior.
    """

    binary: bool
    margin: float
    level: float
    scale: float


@dataclass(frozen=True, eq=False, kw_only=True)
class PairColumns:
    """Everything about the pairs of a batch; arrays have shape (n_pairs, …).

    `n_drawn` counts what is independent (units, documents, the smaller side's units), `skewness` is that of
    the difference of the scores.
    """

    posteriors: Posteriors
    model_code: CodeArray
    n_units: IntArray
    difference: FloatArray
    error: FloatArray
    freedom: FloatArray
    log_bf: FloatArray
    sensitivity: FloatArray
    wins: IntArray
    losses: IntArray
    n_drawn: IntArray
    skewness: FloatArray
    notes: dict[str, BoolArray]


def pair_columns(batch: PairBatch, unpaired: BoolArray, models: PairModels) -> PairColumns:
    """Posteriors and Bayes factors of a batch of pairs.

    batch: Without a hypothesised difference.
    unpaired (bool array, shape (n_pairs,)): Pairs that the analysis compares as independent samples.
    Returns: NaN with a note where a pair shares no unit ("no-shared-units"), one unit ("too-few-units"), or
        has the same difference on every unit ("no-spread"); equal scores are taken as equal
        ("identical-scores").

    Standard error and degrees of freedom are those of the t test, by documents those of the block t test, for
    independent samples Welch's. Cost O(n) per pair.
    """
    n_pairs, blocks = batch.n_pairs, batch.units.blocks
    n = batch.n_units if blocks is None else blocks.n_blocks
    difference = batch.difference.copy()
    error = (batch.score_error if blocks is None else clustered_errors(batch)).copy()
    freedom = np.full(n_pairs, float(n - 1)) if blocks is None else clustered_freedom(batch)
    weight = np.full(n_pairs, float(n))
    t_error, t_freedom = error.copy(), freedom.copy()
    n_units = np.full(n_pairs, batch.n_units)
    if unpaired.any():
        welch, student = shift(batch), shift(batch, equal_variances=True)
        sides = batch.units.own.of_board.n
        a, b = sides[batch.left], sides[batch.right]
        for column, own in (
            (difference, welch.difference),
            (error, welch.error),
            (freedom, np.where(np.isnan(welch.error), np.nan, welch.freedom)),
            (t_error, student.error),
            (t_freedom, student.freedom),
            (weight, a * b / np.maximum(a + b, 1)),
            (n_units, np.minimum(a, b)),
        ):
            column[unpaired] = own[unpaired]
    identical = ~unpaired & (batch.n_units > 0) & (batch.wins + batch.losses == 0) & (error == 0)
    difference[identical] = np.where(np.abs(difference[identical]) < 1e-12, 0.0, difference[identical])
    found = mean_posteriors(difference, error, freedom, margin=models.margin, level=models.level)
    code = np.where(np.isnan(found.greater), -1, MEAN).astype(np.int8)
    right_wrong = batch.units.binary[batch.left] & batch.units.binary[batch.right]
    wins, losses = np.full((2, n_pairs), -1, dtype=np.int64)
    if blocks is None and batch.units.counts is None:
        paired = right_wrong & ~unpaired & (batch.n_units > 0)
        if paired.any():
            only_a, only_b = batch.units.right_alone(batch.left[paired], batch.right[paired])
            wins[paired], losses[paired] = only_a, only_b
        if models.binary:
            _put_right_wrong(batch, found, code, right_wrong, unpaired, wins, losses, models)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(identical, 0.0, difference / t_error)
    t[np.isinf(t)] = np.nan
    scales = dict.fromkeys((models.scale, *SENSITIVITY))
    log_bf = {scale: log_bayes_factors(t, weight, t_freedom, scale=scale) for scale in scales}
    notes = {
        "no-shared-units": ~unpaired & np.full(n_pairs, batch.n_units == 0),
        "too-few-units": (~unpaired & np.full(n_pairs, batch.n_units > 0 and n < 2)) & (code < 0),
        "identical-scores": identical & (difference == 0),
        "no-spread": (error == 0) & (code < 0) & (difference != 0),
        "unpaired": unpaired,
    }
    return PairColumns(
        posteriors=found,
        model_code=code,
        n_units=n_units,
        difference=difference,
        error=error,
        freedom=freedom,
        log_bf=log_bf[models.scale],
        sensitivity=np.stack([log_bf[scale] for scale in SENSITIVITY], axis=-1),
        wins=wins,
        losses=losses,
        n_drawn=np.where(unpaired, n_units, n),
        skewness=skewness_of_scores(batch, unpaired),
        notes={name: mask for name, mask in notes.items() if mask.any()},
    )


def _put_right_wrong(
    batch: PairBatch,
    found: Posteriors,
    code: CodeArray,
    right_wrong: BoolArray,
    unpaired: BoolArray,
    wins: IntArray,
    losses: IntArray,
    models: PairModels,
) -> None:
    """Posteriors of pairs whose scores are 0 and 1 in the places of those of their means."""
    paired = wins >= 0
    if paired.any():
        n = np.full(int(paired.sum()), batch.n_units)
        put(
            found,
            paired,
            binary_posteriors(wins[paired], losses[paired], n, margin=models.margin, level=models.level),
        )
    apart = right_wrong & unpaired
    if apart.any():
        own = batch.units.own.of_board
        sides = []
        for column in (batch.left[apart], batch.right[apart]):
            sides += [np.round(np.nan_to_num(own.score[column] * own.n[column])), own.n[column].astype(float)]
        put(
            found,
            apart,
            independent_posteriors(
                sides[0], sides[1], sides[2], sides[3], margin=models.margin, level=models.level
            ),
        )
    both = paired | apart
    code[both] = np.where(np.isnan(found.greater[both]), -1, BINARY)


def all_undefined(n_pairs: int) -> PairColumns:
    """Columns of a table that batches are written into."""
    blank = [np.full(n_pairs, np.nan) for _ in range(4)]
    return PairColumns(
        posteriors=undefined_posteriors(n_pairs),
        model_code=np.full(n_pairs, -1, dtype=np.int8),
        n_units=np.zeros(n_pairs, dtype=np.int64),
        difference=blank[0],
        error=blank[1],
        freedom=blank[2],
        log_bf=blank[3],
        sensitivity=np.full((n_pairs, len(SENSITIVITY)), np.nan),
        wins=np.full(n_pairs, -1, dtype=np.int64),
        losses=np.full(n_pairs, -1, dtype=np.int64),
        n_drawn=np.zeros(n_pairs, dtype=np.int64),
        skewness=np.full(n_pairs, np.nan),
        notes={},
    )


def put_columns(into: PairColumns, positions: IntArray, part: PairColumns) -> None:
    """Write the columns of a batch to the rows of its pairs. `into`: its arrays are changed."""
    for name in ("greater", "within", "less", "centre", "interval"):
        getattr(into.posteriors, name)[positions] = getattr(part.posteriors, name)
    for name in (
        "model_code",
        "n_units",
        "difference",
        "error",
        "freedom",
        "log_bf",
        "sensitivity",
        "wins",
        "losses",
        "n_drawn",
        "skewness",
    ):
        getattr(into, name)[positions] = getattr(part, name)
    for code, mask in part.notes.items():
        into.notes.setdefault(code, np.zeros(into.model_code.shape[0], dtype=bool))[positions] = mask
