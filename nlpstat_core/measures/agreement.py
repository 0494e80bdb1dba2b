"""Agreement of labels with gold beyond chance: MCC, Cohen's kappa, quadratic weighted kappa."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import indicator_table, labels_of, numbers_of
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """Right items and predictions of every label; a label that nobody predicts and gold lacks adds 0."""
    from scipy import sparse

    labels = labels_of(gold, outputs)
    n_labels, n_systems = len(labels.known) + len(labels.stray), labels.outputs.shape[0]
    predicted = indicator_table((labels.outputs, labels.outputs >= 0), n_codes=n_labels)
    right = labels.right.astype(np.float64)
    order = (
        np.concatenate(
            [[n_systems * n_labels + s, *range(s * n_labels, (s + 1) * n_labels)] for s in range(n_systems)]
        )
        if n_systems
        else np.array([], dtype=np.int64)
    )
    if isinstance(predicted, np.ndarray):
        table = np.concatenate([predicted, right])[order]
    else:
        table = sparse.vstack([predicted, sparse.csr_array(right)], format="csr")[order]
    return Encoded(gold=labels.gold_counts(n_labels), outputs=table)


def matthews(gold: FloatArray, own: FloatArray) -> FloatArray:
    """(n·right − Σ p g)/√((n² − Σp²)(n² − Σg²)), 0 where a side has one label only."""
    n, predicted = gold.sum(axis=0), own[1:]
    upper = n * own[0] - (predicted * gold).sum(axis=0)
    spread = (n**2 - (predicted**2).sum(axis=0)) * (n**2 - (gold**2).sum(axis=0))
    there = spread > 0
    found: FloatArray = np.where(there, upper / np.sqrt(np.where(there, spread, 1.0)), 0.0)
    return found


MCC = Measure(
    key="mcc",
    label="MCC",
    kind="labels",
    bounds=(-1.0, 1.0),
    summary="Matthews correlation coefficient: the correlation of labels with gold's, 0 where a side has one "
    "label only.",
    formula=r"\frac{n\,tp - \sum_c p_c g_c}{\sqrt{(n^2 - \sum_c p_c^2)(n^2 - \sum_c g_c^2)}}",
    encode=encode,
    law=Law(value=matthews),
    reference="scikit-learn's matthews_corrcoef",
)


def kappa(gold: FloatArray, own: FloatArray) -> FloatArray:
    """(n·right − Σ p g)/(n² − Σ p g); undefined where all have one label."""
    n = gold.sum(axis=0)
    chance = (own[1:] * gold).sum(axis=0)
    found: FloatArray = (n * own[0] - chance) / (n**2 - chance)
    return found


COHEN_KAPPA = Measure(
    key="cohen-kappa",
    label="Cohen's kappa",
    kind="labels",
    bounds=(-1.0, 1.0),
    summary="Agreement with gold beyond what the labels' frequencies give by chance; undefined where gold "
    "and outputs have one label only.",
    formula=r"\frac{p_o - p_e}{1 - p_e}",
    encode=encode,
    law=Law(value=kappa),
    reference="scikit-learn's cohen_kappa_score",
)


def rated(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """x, x² and xy; gold's y, y² and 1."""
    y, x, there = numbers_of(gold, outputs, QWK.label)
    table = np.stack([x, x**2, x * y], axis=1) * there[:, None]
    return Encoded(gold=np.stack([y, y**2, np.ones(y.size)]), outputs=table.reshape(-1, y.size))


def weighted_kappa(gold: FloatArray, own: FloatArray) -> FloatArray:
    """1 − Σ(y − x)²/(Σy² + Σx² − 2·Σy·Σx/n); undefined where all are the same number."""
    squares = gold[1] + own[1]
    below = squares - 2 * gold[0] * own[0] / gold[2]
    found: FloatArray = 1 - (squares - 2 * own[2]) / np.where(below > 0, below, np.nan)
    return found


QWK = Measure(
    key="qwk",
    label="quadratic weighted kappa",
    kind="labels",
    bounds=(-1.0, 1.0),
    summary="Agreement of ratings beyond chance, by squared distance of the numbers themselves.",
    formula=r"1 - \frac{\sum (y - x)^2}{\sum y^2 + \sum x^2 - 2 \sum y \sum x / n}",
    encode=rated,
    law=Law(value=weighted_kappa),
    reference='scikit-learn\'s cohen_kappa_score (weights="quadratic") on consecutive ratings',
)
