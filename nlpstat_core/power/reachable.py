"""The smallest p-value that a pair could get from its test, however different the two systems were."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch


def smallest_p(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Smallest attainable p-value of every pair, with as many ties as it has.

    config: `test`, `alternative`, `resamples`.
    Returns: 0 where p can be as small as one likes; 1 for systems with identical scores.

    Each test's record says its own (`smallest_p`): k signs that can be flipped give 2^(1 − k), one-sided
    2^(−k); B resamples give 1/(B + 1). For unpaired tests 0 stands, which claims nothing.
    """
    record = TESTS[config.test]
    least = np.zeros(batch.n_pairs) if record.smallest_p is None else record.smallest_p(batch, config)
    if record.design in ("unpaired", "runs"):
        return least
    return np.where(batch.wins + batch.losses == 0, 1.0, np.minimum(least, 1.0))
