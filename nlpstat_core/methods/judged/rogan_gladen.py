"""A share of 1 from a 0/1 judge whose sensitivity and specificity are known from some labels."""

import numpy as np
from scipy import special

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.records import Procedure


def rogan_gladen(
    judged: FloatArray,
    n_judged: IntArray,
    hits: IntArray,
    positives: IntArray,
    rejections: IntArray,
    negatives: IntArray,
    level: float,
) -> tuple[FloatArray, FloatArray]:
    """People's share of 1 from a 0/1 judge's, corrected by its sensitivity and specificity.

    Parameters
    ----------
    judged : float array, shape (k,)
        The judge's share of 1 on items without labels.
    n_judged : int array, shape (k,)
        Number of these.
    hits, positives : int arrays, shape (k,)
        Labelled items that both give 1, and those that people give 1.
    rejections, negatives : int arrays, shape (k,)
        Labelled items that both give 0, and those that people give 0.
    level : float
        Of the intervals.

    Returns
    -------
    estimates : float array, shape (k,)
        (p + specificity − 1)/(sensitivity + specificity − 1), cut to [0, 1]; NaN without positives, negatives
        or judged items, and where the judge is no better than chance.
    intervals : float array, shape (k, 2)
        Lang and Reiczigel's, with one disagreement and one agreement more of either kind.

    Notes
    -----
    Takes items as independent and the labelled ones as a random part of all. O(k).
    """
    z = float(special.ndtri((1 + level) / 2))
    known = (positives > 0) & (negatives > 0) & (n_judged > 0)
    n, n_one, n_zero = (
        np.where(known, count, 1).astype(np.float64) for count in (n_judged, positives, negatives)
    )
    p = np.where(known, judged, np.nan)
    sensitivity, specificity = hits / n_one, rejections / n_zero
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = sensitivity + specificity - 1
        estimate = np.where(chance > 0, (p + specificity - 1) / chance, np.nan)
        p = (n * p + z**2 / 2) / (n + z**2)
        sensitivity, specificity = (hits + 1) / (n_one + 2), (rejections + 1) / (n_zero + 2)
        above = sensitivity + specificity - 1
        centre = (p + specificity - 1) / above
        of_one = centre**2 * sensitivity * (1 - sensitivity) / (n_one + 2)
        of_zero = (1 - centre) ** 2 * specificity * (1 - specificity) / (n_zero + 2)
        error = np.sqrt(p * (1 - p) / (n + z**2) + of_one + of_zero) / above
        shift = (
            2
            * z**2
            * (
                centre * sensitivity * (1 - sensitivity) / (n_one + 2)
                - (1 - centre) * specificity * (1 - specificity) / (n_zero + 2)
            )
        )
        ends = np.stack([centre + shift - z * error, centre + shift + z * error], axis=-1)
    defined = known & (chance > 0) & (above > 0)
    ends = np.clip(np.where(defined[:, None], ends, np.nan), 0, 1)
    return np.clip(np.where(defined, estimate, np.nan), 0, 1), ends


METHOD = Procedure(
    key="rogan-gladen",
    label="Rogan–Gladen",
    summary="The share of 1 that people would give, from a 0/1 judge's share, sensitivity and specificity.",
    run=rogan_gladen,
    assumptions=(
        "people and judge give 0 or 1",
        "the labelled items are a random part of all items",
        "items are independent",
    ),
    formula=r"\hat\pi = \frac{\hat p + \mathrm{spec} - 1}{\mathrm{sens} + \mathrm{spec} - 1}",
    references=("rogan1978", "lang2014"),
)
