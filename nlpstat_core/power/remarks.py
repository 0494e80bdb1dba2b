"""What a reader of a power curve has to know, as note codes."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.catalogue import CORRECTIONS, TESTS
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.power.results import DifferenceModel

_OFTEN = 0.01


def curve_notes(
    config: AnalysisConfig,
    level: float,
    model: DifferenceModel,
    *,
    at_observed: bool,
    by_shape: bool,
    undefined: FloatArray,
    exchanged: bool = False,
) -> tuple[str, ...]:
    """Codes of what has to be said about a curve.

    level: Level of the comparison.
    model: How the assumed difference was made.
    at_observed: Whether it is the observed one.
    exchanged: Whether systems are compared by a measure that is no mean.
    by_shape: Whether the t test stands for a test whose power depends on the shape of the difference.
    undefined: Share of undefined tests by size.
    Returns: "observed-power": the assumed difference is the observed one. "swapped": directions were drawn
        anew. "linearised", "swapped-outputs": the same of a measure that is no mean. "depends-on-shape": the
        curve is the t test's. "lower-bound": the correction goes by steps and the level is its hardest.
        "resamples-too-few": no Monte Carlo p reaches the level. "often-undefined": in over 1 % of the test
        sets of some size.
    """
    holds = {
        "observed-power": at_observed,
        "linearised": exchanged,
        "swapped-outputs": model == "swap" and exchanged,
        "swapped": model == "swap" and not exchanged,
        "depends-on-shape": by_shape,
        "lower-bound": CORRECTIONS[config.correction].hardest_step and level < config.alpha,
        "resamples-too-few": TESTS[config.test].resampled and 1 / (config.resamples + 1) > level,
        "often-undefined": bool(np.any(undefined > _OFTEN)),
    }
    return tuple(code for code, there in holds.items() if there)
