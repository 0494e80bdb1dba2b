"""From the scores as given to the evaluation units that are compared."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import BoolArray, IntArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import AnalysisError, ConfigError, shown, unknown
from nlpstat_core.scores import ScoreMatrix
from nlpstat_core.units import evaluation_units


def prepared_units(scores: ScoreMatrix, config: AnalysisConfig) -> ScoreMatrix:
    """The evaluation units that are compared: grouped rows, after the policy for missing scores.

    Parameters
    ----------
    scores : ScoreMatrix
    config : AnalysisConfig

    Returns
    -------
    ScoreMatrix

    Raises
    ------
    AnalysisError
        A missing score under the policy "error", or no complete unit under "complete".
    """
    if config.block_column is not None and config.block_column not in scores.labels:
        raise ConfigError(unknown("block column", config.block_column, scores.labels))
    units = scores
    if config.unit_size > 1:
        units = evaluation_units(
            scores,
            size=config.unit_size,
            metric=config.unit_metric,
            remainder=config.unit_remainder,
            shuffle_seed=config.shuffle_seed,
        )
    if not units.has_missing or config.missing == "pairwise":
        return units
    if config.missing == "error":
        row, column = np.argwhere(~units.present)[0]
        where = f"row {row + 1}" if units.units is None else f"unit {shown(units.units[row])}"
        raise AnalysisError(
            f"System {shown(units.systems[column])} has no score for {where}; "
            "choose another policy for missing scores (pairwise or complete) or give the score."
        )
    complete: BoolArray = np.all(units.present, axis=1)
    if not complete.any():
        raise AnalysisError(
            "No unit has a score from every system; choose missing=pairwise, or leave out a system."
        )
    return units.rows(complete)


def baseline_column(units: ScoreMatrix, config: AnalysisConfig) -> int | None:
    """Column of the baseline, or None when all pairs are compared.

    Parameters
    ----------
    units : ScoreMatrix
    config : AnalysisConfig

    Returns
    -------
    int or None

    Raises
    ------
    ConfigError
        No system has this name.
    """
    if config.baseline is None:
        return None
    if config.baseline not in units.systems:
        raise ConfigError(unknown("baseline", config.baseline, units.systems))
    return units.systems.index(config.baseline)


def block_ids(units: ScoreMatrix, config: AnalysisConfig) -> IntArray | None:
    """Number of the block (document) of every unit, or None when no block column is named.

    Parameters
    ----------
    units : ScoreMatrix
    config : AnalysisConfig

    Returns
    -------
    int array, shape (n_units,), or None
    """
    if config.block_column is None:
        return None
    _, numbers = np.unique(np.array(units.labels[config.block_column], dtype=str), return_inverse=True)
    return numbers.astype(np.int64)
