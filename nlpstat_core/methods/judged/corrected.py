"""The prediction-powered mean: a judge's scores on all items, corrected by people's on some of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, ConfigError
from nlpstat_core.methods.judged.weights import (
    NO_GAP,
    factors,
    sums_of,
    unit_of,
    weights_by_document,
    weights_of,
)
from nlpstat_core.records import Procedure

FEWEST_LABELS = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrectedMeans:
    """Corrected means of several columns that share their labelled items, each array of shape (n_columns,).

    estimate: Mean of people's scores, corrected by the judge.
    error: Its standard error.
    n_labels: Number of labelled items.
    freedom: Degrees of freedom: labelled items, or documents with a label, less one.
    of_labels: Square root of the part of the squared error that more labels make smaller, times their number.
    influence (shape (n_items, n_columns)): What every item adds to the estimate, less its expectation;
        without rows unless asked for.
    """

    estimate: FloatArray
    error: FloatArray
    n_labels: int
    freedom: int | FloatArray
    of_labels: FloatArray
    influence: FloatArray


def corrected_means(
    human: FloatArray,
    judge: FloatArray,
    labelled: BoolArray,
    documents: IntArray | None = None,
    *,
    with_influence: bool = False,
) -> CorrectedMeans:
    """Prediction-powered means with leave-one-out tuning; by documents each item's own document is left out.

    human (floats, shape (n_labels, n_columns)): People's scores, or their differences for pairs of systems.
    judge (floats, shape (n_items, n_columns)): The judge's on all items, in the same order.
    labelled (shape (n_items,)): Which items people judged.
    documents (ints from 0, shape (n_items,)): With labels in three of them or more.
    """
    n, m = human.shape[0], judge.shape[0]
    unlabelled = m - n
    # Squares of huge scores overflow: both sides in units of their largest score.
    y_unit, f_unit = (unit_of(values) for values in (human, judge))
    y, f = human / y_unit, judge / f_unit
    centred_y = y - y.mean(axis=0)
    freedom = (n if documents is None else np.unique(documents[labelled]).size) - 1
    if unlabelled == 0:
        estimate, trust = y.mean(axis=0), np.zeros(y.shape[1])
        unseen: FloatArray = trust
        r, of_judge = y, np.zeros_like(f)
    else:
        own, others = f[labelled], f[~labelled]
        mean_all, mean_others = f.mean(axis=0), others.mean(axis=0)
        spread = ((f - mean_all) ** 2).sum(axis=0) / (m - 1)
        if documents is None:
            weights = weights_of(centred_y, own - own.mean(axis=0), factors(own - mean_all, spread, m))
        else:
            weights = weights_by_document(
                centred_y, own - own.mean(axis=0), f - mean_all, spread, documents, labelled
            )
        r = y - weights * (own - mean_others)
        estimate, trust = r.mean(axis=0), weights.mean(axis=0)
        unseen = 2 * _unseen_step(y, centred_y, trust, spread) ** 2 / ((n - 1) * n)
        of_judge = np.where(labelled[:, None], 0.0, trust * (f - mean_others) / unlabelled)
    influence = np.zeros((0, f.shape[1]))
    if with_influence or documents is not None:
        influence = of_judge
        influence[labelled] = (r - estimate) / n
    if documents is None:
        of_people = ((r - estimate) ** 2).sum(axis=0) / ((n - 1) * n) + unseen
        rest = trust**2 * spread / unlabelled if unlabelled else np.zeros_like(trust)
    else:
        whole, alone = (
            _clustered(values, documents, labelled)
            for values in (influence, np.where(labelled[:, None], influence, 0))
        )
        of_people = np.minimum(alone, whole) + unseen
        rest = whole + unseen - of_people
    return CorrectedMeans(
        estimate=estimate * y_unit,
        error=np.sqrt(of_people + rest) * y_unit,
        n_labels=n,
        freedom=freedom,
        of_labels=np.sqrt(of_people * n) * y_unit,
        influence=influence * y_unit,
    )


def _clustered(influence: FloatArray, documents: IntArray, labelled: BoolArray) -> FloatArray:
    """Variance of a sum whose parts belong together by document, D of which have a label.

    D/(D − 1) stands for the mean of these D that was taken off, however many documents have no label: raters
    with items of their own are few beside thousands of unlabelled items, each a document.
    """
    squares = sums_of(influence, documents) ** 2
    names = np.unique(documents)
    own = np.isin(names, documents[labelled])
    many = np.count_nonzero(own)
    return np.asarray(many / (many - 1) * squares[own].sum(axis=0) + squares[~own].sum(axis=0))


def _unseen_step(y: FloatArray, centred: FloatArray, trust: FloatArray, spread: FloatArray) -> FloatArray:
    """w·g: the smallest step between people's scores, as far as the estimate rests on the judge."""
    deviation = np.sqrt((centred**2).sum(axis=0) / (y.shape[0] - 1))
    share = np.zeros_like(trust)
    np.divide(trust * np.sqrt(spread), deviation, out=share, where=deviation > 0)
    return np.minimum(1.0, share) * _smallest_gap(y)


def _smallest_gap(y: FloatArray) -> FloatArray:
    """The smallest gap between distinct scores of each column; 0 where all are the same."""
    gaps = np.diff(np.sort(y, axis=0), axis=0)
    real = gaps > NO_GAP * np.ptp(y, axis=0)
    smallest = np.where(real, gaps, np.inf).min(axis=0)
    return np.where(np.isfinite(smallest), smallest, 0.0)


def corrected_mean(human: ArrayLike, judge: ArrayLike, level: float = 0.95) -> tuple[float, float, float]:
    """Mean of people's scores on all items, from a judge's scores on all and people's on some.

    Parameters
    ----------
    human : array-like of float, shape (n_items,)
        People's scores, NaN where an item is unlabelled; for two systems the differences of their scores.
    judge : array-like of float, shape (n_items,)
        The judge's scores (or differences) of the same items, without gaps, on any scale.
    level : float
        Of the interval, between 0 and 1.

    Returns
    -------
    estimate, low, high : float

    Raises
    ------
    AnalysisError
        Arrays that don't fit together, gaps in the judge, fewer than three labels.
    ConfigError
        A level that is none.

    Notes
    -----
    The labelled items must be a random part of all, and the judge must not have been tuned on them. Every
    labelled item is corrected by λ_i(f_i − f̄ᵤ), λ_i from the other labelled items; the variance counts two
    disagreements of one step that weren't seen, without which an accurate 0/1 judge is trusted too much.
    Student's t with n − 1 degrees of freedom for n labels; plain t where every item has a label. Labels that
    are all the same give an interval of no width, as people's scores alone would. O(n_items).

    References
    ----------
    Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453.

    Examples
    --------
    >>> nan = float("nan")
    >>> human = [1, 0, 1, 1, 0, nan, nan, nan, nan, nan]
    >>> judge = [0.9, 0.2, 0.7, 0.8, 0.4, 0.9, 0.8, 0.6, 0.9, 0.7]
    >>> [round(number, 4) for number in corrected_mean(human, judge)]
    [0.9097, 0.1455, 1.674]
    """
    people, scores = _row(human, "human"), _row(judge, "judge")
    if people.size != scores.size:
        raise AnalysisError(
            f"human has {people.size:,} entries and judge {scores.size:,}; give both one for every item."
        )
    if np.isinf(people).any() or np.isinf(scores).any():
        raise AnalysisError("A score is infinite; scores must be finite, NaN only where people gave none.")
    gaps = np.flatnonzero(np.isnan(scores))
    if gaps.size:
        raise AnalysisError(
            f"The judge has no score for item {int(gaps[0]) + 1}; it must have one for every item."
        )
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise ConfigError(f"level must be a number above 0 and below 1, not {level!r}.")
    labelled = ~np.isnan(people)
    n = int(labelled.sum())
    if n < FEWEST_LABELS:
        raise AnalysisError(
            f"People's scores of at least {FEWEST_LABELS} items are needed to correct a judge; there are {n}."
        )
    found = corrected_means(people[labelled, None], scores[:, None], labelled)
    estimate, error = float(found.estimate[0]), float(found.error[0])
    margin = float(special.stdtrit(n - 1, (1 + level) / 2)) * error
    return estimate, estimate - margin, estimate + margin


def _row(given: ArrayLike, name: str) -> FloatArray:
    try:
        row = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise AnalysisError(f"{name} must be one row of numbers.") from None
    if row.ndim != 1:
        raise AnalysisError(f"{name} must be one row of numbers, not an array of shape {row.shape}.")
    return row


METHOD = Procedure(
    key="corrected-mean",
    label="Prediction-powered mean",
    summary="The mean that people would give on all items, from a judge's scores and some of theirs.",
    run=corrected_mean,
    assumptions=(
        "the labelled items are a random part of all items",
        "the judge was not tuned on the labelled items",
        "items are independent",
    ),
    formula=r"\hat\theta = \frac1n \sum_i \left(y_i - \lambda_i (f_i - \bar f_u)\right)",
    references=("angelopoulos2023", "angelopoulos2023b"),
)


def stratified_means(
    human: FloatArray, judge: FloatArray, labelled: BoolArray, strata: IntArray, sizes: IntArray
) -> CorrectedMeans:
    """Prediction-powered means of every stratum, weighted by the share of all items that it holds.

    A label then counts 1/π for its probability π of being drawn, as Horvitz and Thompson have it.

    human (shape (n_labels, n_columns)), judge (shape (n_items, n_columns)), labelled: As `corrected_means`.
    strata (ints from 0, shape (n_items,)): Of the items that the judge scored.
    sizes (shape (n_strata,)): Items of each stratum, with three labels or more in everyone.
    """
    share = sizes / sizes.sum()
    of_label = strata[labelled]
    parts = [
        corrected_means(human[of_label == one], judge[strata == one], labelled[strata == one])
        for one in range(sizes.size)
    ]
    n = np.array([part.n_labels for part in parts])
    means = np.array([part.estimate for part in parts])
    squared = np.array([part.error for part in parts]) ** 2 * (share**2)[:, None]
    estimate = share @ means
    between = share @ (means - estimate) ** 2 / sizes.sum()  # which items there are is chance, too
    variance = squared.sum(axis=0) + between
    freedom = np.full(variance.shape, float(n.min() - 1))
    np.divide(
        variance**2, (squared**2 / (n - 1)[:, None]).sum(axis=0), out=freedom, where=squared.sum(axis=0) > 0
    )
    of_people = (np.array([part.of_labels for part in parts]) ** 2 * (share**2 / n)[:, None]).sum(axis=0)
    return CorrectedMeans(
        estimate=estimate,
        error=np.sqrt(variance),
        n_labels=int(n.sum()),
        freedom=np.minimum(freedom, n.sum() - n.size),
        of_labels=np.sqrt(of_people * n.sum()),
        influence=np.zeros((0, variance.size)),
    )
