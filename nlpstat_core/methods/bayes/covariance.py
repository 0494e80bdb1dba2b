"""The covariance of systems' scores, shrunk so that no difference looks exactly known."""

from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Shrunk:
    """A covariance of scores and how far it was moved.

    intensity: 0 for the sample covariance, 1 for equal variances and equal correlations of all systems.
    """

    covariance: FloatArray
    intensity: float


def shrunk_covariance(parts: FloatArray) -> Shrunk:
    """Covariance of scores from what units add to them, by Ledoit and Wolf.

    parts (float array, shape (n_units, n_systems)): What each unit, or document, adds to the deviation of
        each score; columns sum to 0 (`samples.contributions`). At least two rows.

    The sample covariance of n contributions is n/(n − 1)·Σ p p'. What all systems share (difficulty of the
    items) cancels in differences, so only that of the contrasts is shrunk: towards v·I, v their mean
    eigenvalue, by the intensity min(1, b²/d²) of Ledoit and Wolf from the row-centred contributions. The
    target is the covariance of exchangeable systems. With as many systems as units or more the sample
    covariance is singular and some differences would have no error. Two systems have one contrast: nothing is
    shrunk. Cost O(n·S²).

    Source: Ledoit and Wolf (2004), doi:10.1016/S0047-259X(03)00096-4.
    """
    n, n_systems = parts.shape
    factor = n / (n - 1)
    covariance = factor * (parts.T @ parts)
    if n_systems < 3:
        return Shrunk(covariance, 0.0)
    common = parts.mean(axis=1, keepdims=True)
    contrasts = parts - common
    own = contrasts.T @ contrasts
    average = float(np.trace(own)) / (n_systems - 1)
    # ‖own − v·P‖² with P the projection on contrasts, whose trace is S − 1.
    distance = float(np.sum(own * own)) - average**2 * (n_systems - 1)
    lengths = np.sum(contrasts * contrasts, axis=1)
    noise = float(np.sum(lengths**2)) - float(np.sum(own * own)) / n
    intensity = 1.0 if distance <= noise else max(0.0, noise / distance)
    target = np.full((n_systems, n_systems), float(np.sum(common**2)))
    target += average * (np.eye(n_systems) - 1.0 / n_systems)
    return Shrunk((1 - intensity) * covariance + intensity * factor * target, intensity)
