"""The true difference that a power curve assumes, and how a pair's units are made to have it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.effects import EFFECTS
from nlpstat_core.errors import AnalysisError
from nlpstat_core.formatting import format_score
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.power.sampling import Sample, shifted
from nlpstat_core.significance import TESTS

_OF_MEDIANS = ("sign", "permutation-median", "bootstrap-median")


def own_centre(batch: PairBatch, config: AnalysisConfig) -> float:
    """The quantity of the first pair that its test is about, θ̂.

    Parameters
    ----------
    batch : PairBatch
    config : AnalysisConfig
        `test`.

    Returns
    -------
    float
        Metric points: the median of u − v for sign and median tests, the Hodges–Lehmann estimate for
        Wilcoxon's, else the difference of the scores.

    References
    ----------
    Hodges and Lehmann (1963), doi:10.1214/aoms/1177704172.
    """
    if config.test in _OF_MEDIANS:
        return float(EFFECTS["median-difference"].run(batch, config, False).value[0])
    if TESTS[config.test].hypothesis == "symmetric-about-zero":
        return float(EFFECTS["hodges-lehmann"].run(batch, config, False).value[0])
    return float(batch.difference[0]) if TESTS[config.test].design != "paired" else float(batch.mean[0])


def sample_of(batch: PairBatch, config: AnalysisConfig) -> Sample:
    """The units of the first pair as they are.

    Parameters
    ----------
    batch : PairBatch
        One pair.
    config : AnalysisConfig
        `test`.

    Returns
    -------
    Sample
    """
    units, a, b = batch.units, int(batch.left[0]), int(batch.right[0])
    both = units.values[:, [a, b]]
    binary = bool(units.binary[a] and units.binary[b])
    counts = None
    if units.counts is not None and TESTS[config.test].design != "paired":
        table = units.counts
        counts = replace(table, hits=table.hits[:, [a, b]], misses=table.misses[:, [a, b]])
    whole = binary or counts is not None
    return Sample(
        columns=both if whole else both[:, :1] - both[:, 1:],
        decimals=units.decimals,
        binary=binary and counts is None,
        delta=batch.delta,
        counts=counts,
        blocks=units.blocks,
    )


def with_difference(sample: Sample, config: AnalysisConfig, centre: float, target: float) -> Sample:
    """The same units as if their true difference were the target.

    Parameters
    ----------
    sample : Sample
    config : AnalysisConfig
        `test`.
    centre : float
        θ̂, the difference the units have.
    target : float
        δ, metric points.

    Returns
    -------
    Sample

    Raises
    ------
    AnalysisError
        0/1 scores or counts that can't have this difference.

    Notes
    -----
    Scores are moved: z − θ̂ + δ. 0/1 scores of McNemar's test keep their share of discordant units ψ and get
    P(only a) − P(only b) = δ, |δ| ≤ ψ. Counts can't be moved: every unit (with documents, every document) is
    swapped with probability (1 − δ/θ̂)/2, which leaves a difference of δ on average; |δ| ≤ |θ̂|.
    """
    if sample.counts is not None or (config.test == "mcnemar" and sample.blocks is not None):
        if abs(target) > abs(centre) or centre == 0:
            raise AnalysisError(
                "Counts and 0/1 scores can't be moved beyond the difference they have "
                f"({format_score(centre)}); choose a difference of at most that size."
            )
        return replace(sample, swap=(1 - target / centre) / 2)
    if config.test == "mcnemar":
        return _table(sample, target)
    return shifted(sample, target - centre)


def _table(sample: Sample, target: float) -> Sample:
    """The four cells of McNemar's table with probabilities that give the difference."""
    a, b = sample.columns.T
    cells = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    share = np.array([np.mean((a == x) & (b == y)) for x, y in cells])
    discordant = share[0] + share[1]
    if abs(target) > discordant:
        raise AnalysisError(
            f"With {format_score(100 * discordant)} % of the units discordant the difference can't be larger "
            f"than {format_score(discordant)}."
        )
    share[:2] = (discordant + target) / 2, (discordant - target) / 2
    return replace(sample, columns=cells, weights=share)
