"""What a reader of a power curve has to know, as note codes."""

from __future__ import annotations

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.pairs.batch import PairBatch
from nlpstat_core.significance import TESTS

_MONTE_CARLO = ("bootstrap-mean", "block-bootstrap", "bootstrap-unpaired")
_BY_STEPS = ("holm", "holm-sidak", "hochberg", "hommel", "shaffer", "max-t", "benjamini-hochberg")
_TIED = 0.02
# Their difference is not moved, or moving ties changes nothing.
_AS_SCORED = ("mcnemar", "accuracy-exact", "f1-exact", "t", "block-t", "bootstrap-mean", "block-bootstrap")
_OFTEN = 0.01


def curve_notes(
    batch: PairBatch | None,
    config: AnalysisConfig,
    level: float,
    centre: float,
    shift: float | None,
    undefined: FloatArray,
) -> tuple[str, ...]:
    """Codes of what has to be said about a curve.

    Parameters
    ----------
    batch : PairBatch or None
        The pair; None for an unpaired test.
    config : AnalysisConfig
    level : float
        Level of the comparison.
    centre : float
        θ̂.
    shift : float or None
        Difference that was chosen.
    undefined : float array
        Share of undefined tests by size.

    Returns
    -------
    tuple of str
        "observed-power": the assumed difference is the observed one. "lower-bound": the correction goes by
        steps and the level is its hardest. "resamples-too-few": no Monte Carlo p reaches the level.
        "ties-moved": many units are tied and a shift moves all of them to one side.
        "documents-not-used": units come in documents and the test takes them as independent.
        "often-undefined": in over 1 % of the test sets of some size.
    """
    by_documents = batch is not None and batch.units.blocks is not None
    moved = shift is not None and config.test not in _AS_SCORED
    holds = {
        "observed-power": shift is None,
        "lower-bound": config.correction in _BY_STEPS and level < config.alpha,
        "resamples-too-few": config.test in _MONTE_CARLO and 1 / (config.resamples + 1) > level,
        "ties-moved": moved and batch is not None and _tied(batch, centre) > _TIED,
        "documents-not-used": by_documents and TESTS[config.test].design == "paired",
        "often-undefined": bool(np.any(undefined > _OFTEN)),
    }
    return tuple(code for code, there in holds.items() if there)


def _tied(batch: PairBatch, centre: float) -> float:
    """Share of units that are equal, or whose difference is the centre, on the scores' grid."""
    grid = batch.unshifted.rounded[:, 0]
    return float(max(np.mean(grid == 0), np.mean(np.abs(grid - centre) < 1e-9)))
