"""Corrected means where items to label were drawn from strata, each with its own probability."""

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.methods.judged.corrected import CorrectedMeans, corrected_means


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
    effective = np.full(variance.shape, np.nan)
    return CorrectedMeans(
        estimate=estimate,
        error=np.sqrt(variance),
        effective=effective,
        n_labels=int(n.sum()),
        freedom=np.minimum(freedom, n.sum() - n.size),
        of_labels=np.sqrt(of_people * n.sum()),
        influence=np.zeros((0, variance.size)),
    )
