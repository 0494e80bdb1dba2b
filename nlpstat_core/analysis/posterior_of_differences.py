"""One pair's differences: its Bayes factor, and the probabilities of a difference that matters."""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.analysis.checked import above, checked_margin
from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError, ConfigError, unknown
from nlpstat_core.methods.bayes.binary import binary_posteriors
from nlpstat_core.methods.bayes.jzs import SCALE, log_bayes_factors
from nlpstat_core.methods.bayes.means import mean_posteriors


def bayes_factor(differences: ArrayLike, scale: float = SCALE) -> float:
    """JZS Bayes factor BF10 of a mean difference.

    Parameters
    ----------
    differences : array-like of float, shape (n,)
        Score of a minus score of b on every unit.
    scale : float
        r of the Cauchy prior on the standardised difference, above 0.

    Returns
    -------
    float
        Above 1 in favour of a difference, infinite beyond 1e308. NaN with fewer than two units, and where
        every unit has the same difference but 0: there is no spread to judge it by. Differences that all are
        0 count as t = 0.

    Raises
    ------
    AnalysisError
        Differences that are not one row of finite numbers.

    References
    ----------
    Rouder et al. (2009), doi:10.3758/PBR.16.2.225.

    Examples
    --------
    >>> sleep = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    >>> round(bayes_factor(sleep), 4)
    17.2589
    """
    z = _differences(differences)
    mean, error = _mean_and_error(z)
    if z.size < 2:
        return math.nan
    if error == 0 and mean != 0:
        return math.nan
    t = 0.0 if mean == 0 else mean / error
    log_bf = log_bayes_factors(
        np.array([t]), float(z.size), float(z.size - 1), scale=above("scale", scale, 0)
    )
    try:
        return math.exp(float(log_bf[0]))
    except OverflowError:
        return math.inf


def posterior_probabilities(
    differences: ArrayLike, margin: float = 0.0, model: Literal["mean", "binary"] = "mean"
) -> tuple[float, float, float]:
    """Posterior probabilities that a difference is above, inside and below the region of equivalence.

    Parameters
    ----------
    differences : array-like of float, shape (n,)
        Score of a minus score of b on every unit; −1, 0 and 1 for the model of right and wrong answers.
    margin : float
        Half width of the region, 0 or more.
    model : {"mean", "binary"}

    Returns
    -------
    greater, within, less : float
        They sum to 1. NaN where nothing can be said: no unit, or under the model of the mean one unit, or the
        same difference but 0 on every unit.

    Raises
    ------
    AnalysisError, ConfigError
        Values that can't be used.

    Examples
    --------
    >>> sleep = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    >>> [round(part, 4) for part in posterior_probabilities(sleep, margin=1)]
    [0.9149, 0.085, 0.0]
    """
    z, margin = _differences(differences), checked_margin(margin)
    if model == "mean":
        mean, error = _mean_and_error(z)
        found = mean_posteriors(np.array([mean]), np.array([error]), float(z.size - 1), margin=margin)
    elif model == "binary":
        if not np.isin(z, (-1.0, 0.0, 1.0)).all():
            raise AnalysisError("The binary model needs differences of 0/1 scores: only -1, 0 and 1.")
        counts = [np.array([int(np.count_nonzero(z == sign))]) for sign in (1, -1)]
        found = binary_posteriors(counts[0], counts[1], np.array([z.size]), margin=margin)
    else:
        raise ConfigError(unknown("model", model, ("mean", "binary")))
    return float(found.greater[0]), float(found.within[0]), float(found.less[0])


def _differences(values: ArrayLike) -> FloatArray:
    try:
        z = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise AnalysisError("Differences must be numbers, one for every item.") from None
    if z.ndim != 1:
        raise AnalysisError(f"Differences must be one row of numbers, not an array of shape {z.shape}.")
    if not np.isfinite(z).all():
        raise AnalysisError("Differences must be finite; leave out items that one of the systems lacks.")
    return z


def _mean_and_error(z: FloatArray) -> tuple[float, float]:
    """Mean and standard error; what rounding leaves of a constant difference is no spread."""
    if z.size < 2:
        return (float(z[0]) if z.size else math.nan), math.nan
    if np.ptp(z) <= 8 * np.finfo(float).eps * np.abs(z).max():
        return float(z[0]), 0.0
    scale = float(np.abs(z).max())  # squares of huge differences overflow
    return float(z.mean()), float((z / scale).std(ddof=1)) * scale / math.sqrt(z.size)
