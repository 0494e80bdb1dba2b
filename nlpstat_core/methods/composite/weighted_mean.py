"""The weighted mean over tracks, tested by exact sign flips of all their items."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from nlpstat_core.arrays import FloatArray
from nlpstat_core.engine.signflip import sign_flip_p_value
from nlpstat_core.errors import AnalysisError, ConfigError, shown, some_shown
from nlpstat_core.records import Procedure

Tracks = Sequence[ArrayLike] | Mapping[str, ArrayLike]
Weights = Sequence[float] | Mapping[str, float] | None


def composite_p_value(differences: Tracks, weights: Weights = None) -> float:
    """P-value of the difference of two systems in the weighted mean over tracks.

    Null hypothesis: in every track, differences of items are independent and symmetric about 0.

    Parameters
    ----------
    differences : sequence of array-like of float, or mapping of names to these
        For every track a minus b on each of its items; tracks may differ in size.
    weights : sequence of float, mapping of names to float, or None
        0 or more, one for every track; 0 drops a track. Equal for None; tracks that a mapping doesn't name
        have weight 1.

    Returns
    -------
    float
        Two-sided, from 5e-324 to 1.

    Raises
    ------
    AnalysisError
        No track, a track without items, differences that are not finite numbers.
    ConfigError
        Weights that don't fit the tracks, are negative or all zero.

    Notes
    -----
    The composite's difference is Σ c_i with c_i = w_t·d_ti/n_t, weights scaled to sum 1; the p-value is the
    exact tail of Σ ±c_i (`sign_flip_p_value`), with ties within 1e-12·Σ|c|. A claim about these tracks: items
    are drawn anew within each, tracks are not.

    References
    ----------
    Zmigrod, R., Vieira, T. and Cotterell, R. (2022). Exact paired-permutation testing for structured test
    statistics. NAACL. https://doi.org/10.18653/v1/2022.naacl-main.360

    Examples
    --------
    >>> composite_p_value([[1, 2, 0], [3, 1]], weights=[1, 3])
    0.125
    """
    named = isinstance(differences, Mapping)
    names = (
        [str(name) for name in differences] if named else [f"{i + 1}" for i in range(_length(differences))]
    )
    given = list(differences.values()) if isinstance(differences, Mapping) else list(differences)
    if not given:
        raise AnalysisError("A composite needs at least one track.")
    tracks = [_track(track, name) for track, name in zip(given, names, strict=True)]
    shares = track_weights(names, weights)
    return sign_flip_p_value(
        np.concatenate(
            [share * track / track.size for share, track in zip(shares, tracks, strict=True) if share > 0]
        )
    )


def track_weights(names: Sequence[str], weights: Weights) -> FloatArray:
    """Weights of tracks that sum to 1.

    weights: In the order of the names, by name (1 for those not named), or None for equal ones.
    Raises ConfigError: Another number of weights, an unknown track, a negative weight, or none above 0.
    """
    if weights is None:
        return np.full(len(names), 1 / len(names))
    if isinstance(weights, Mapping):
        strange = [name for name in map(str, weights) if name not in names]
        if strange:
            raise ConfigError(f"There is no track {shown(strange[0])}; tracks are {some_shown(names)}.")
        by_name = {str(name): weight for name, weight in weights.items()}
        weights = [by_name.get(name, 1.0) for name in names]
    try:
        found = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ConfigError("Weights must be numbers, one for every track.") from None
    if found.shape != (len(names),):
        raise ConfigError(f"{len(names)} tracks need as many weights, not an array of shape {found.shape}.")
    if not np.isfinite(found).all() or (found < 0).any() or not (found > 0).any():
        raise ConfigError("Weights must be finite and 0 or more, and one of them above 0.")
    found = found / found.max()
    return np.asarray(found / found.sum())


def _length(differences: object) -> int:
    if isinstance(differences, str | bytes) or not hasattr(differences, "__len__"):
        raise AnalysisError("Differences must be a list with one array for every track.")
    return len(differences)


def _track(given: ArrayLike, name: str) -> FloatArray:
    try:
        track = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise AnalysisError(
            f"Track {shown(name)}: differences must be numbers, one for every item."
        ) from None
    if track.ndim != 1 or track.size == 0:
        raise AnalysisError(
            f"Track {shown(name)}: differences must be one row of at least one number, not an array of shape "
            f"{track.shape}."
        )
    if not np.isfinite(track).all():
        raise AnalysisError(
            f"Track {shown(name)}: differences must be finite; leave out items that one of the systems lacks."
        )
    return track


METHOD = Procedure(
    key="weighted-mean",
    label="Weighted mean over tracks",
    summary="Tests the difference of two weighted means over tracks by all sign flips of their items.",
    run=composite_p_value,
    null="in every track the differences of items are symmetric about 0",
    assumptions=("items are independent, within and between tracks", "a claim about these tracks only"),
    formula=r"T = \sum_t \sum_i \pm \frac{w_t d_{ti}}{n_t}",
    references=("zmigrod2022",),
)
