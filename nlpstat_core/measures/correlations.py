"""Correlations with gold: Pearson's, Spearman's and Kendall's."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.measures.encoding import numbers_of
from nlpstat_core.measures.ordered import untied_pairs, weighted_ranks
from nlpstat_core.measures.record import Column, Encoded, Law, Measure


def of_numbers(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any], *, label: str) -> Encoded:
    """Gold (1, n_items) and outputs (n_systems, n_items) as they are."""
    y, x, _ = numbers_of(gold, outputs, label)
    return Encoded(gold=y[None], outputs=x)


def z_scores(values: FloatArray) -> FloatArray:
    """Values (n,) about their mean over their standard deviation; 0 where all are the same."""
    if values.size == 0 or values.max() == values.min():
        return np.zeros(values.shape)
    about = values / np.abs(values).max() if np.abs(values).max() > 1e100 else values
    about = about - about.mean()
    scores: FloatArray = about / np.sqrt((about**2).mean())
    return scores


def standardised(gold: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(y, y², 1) and (x, x², xy) of z-scores: a correlation doesn't depend on scales, a swap would."""
    y, x = z_scores(gold[0]), z_scores(own[0])
    return np.stack([y, y**2, np.ones(y.size)]), np.stack([x, x**2, x * y])


def correlation(gold: FloatArray, own: FloatArray) -> FloatArray:
    """Pearson's r from sums; undefined where a side is constant."""
    n = gold[2]
    spread_y, spread_x = gold[1] - gold[0] ** 2 / n, own[1] - own[0] ** 2 / n
    defined = (spread_y > 1e-13 * gold[1]) & (spread_x > 1e-13 * own[1])
    product = np.where(defined, spread_y * spread_x, np.nan)
    found: FloatArray = np.clip((own[2] - gold[0] * own[0] / n) / np.sqrt(product), -1.0, 1.0)
    return found


PEARSON = Measure(
    key="pearson",
    label="Pearson correlation",
    kind="numbers",
    bounds=(-1.0, 1.0),
    summary="Pearson's correlation with gold; undefined where a side is constant. Outputs are exchanged as "
    "z-scores.",
    formula=r"\frac{\sum (x_i - \bar x)(y_i - \bar y)}{\sqrt{\sum (x_i - \bar x)^2 \sum (y_i - \bar y)^2}}",
    encode=partial(of_numbers, label="The Pearson correlation"),
    law=Law(value=correlation, expand=standardised, exchanged="z-scores"),
    reference="SciPy's pearsonr",
)


def of_ranks(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """Pearson's correlation of mid-ranks of weighted items; ranks are made anew for all weights."""
    y, x = weighted_ranks(gold, weights), weighted_ranks(own, weights)
    n = weights.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        y, x = ((ranks - (weights * ranks).sum(axis=0) / n) / n for ranks in (y, x))
        sums_y = np.stack([(weights * part).sum(axis=0) for part in (y, y**2)])
        sums_x = np.stack([(weights * part).sum(axis=0) for part in (x, x**2, x * y)])
        return correlation(np.concatenate([sums_y, n[None]]), sums_x)


# Its swap test exchanges mid-ranks that were made once of each system's own outputs: Δ(s) is a difference of
# Pearson's correlations of gold's mid-ranks with the exchanged ones, which are not ranked again.
SPEARMAN = Measure(
    key="spearman",
    label="Spearman correlation",
    kind="numbers",
    bounds=(-1.0, 1.0),
    summary="Pearson's correlation of mid-ranks with gold's; undefined where a side is constant. Mid-ranks "
    "are exchanged, and not ranked again.",
    formula=r"r\bigl(\operatorname{rank} x, \operatorname{rank} y\bigr)",
    encode=partial(of_numbers, label="The Spearman correlation"),
    law=Law(
        value=of_ranks,
        of_sums=False,
        exchange=Law(value=correlation, expand=standardised, exchanged="mid-ranks"),
    ),
    reference="SciPy's spearmanr",
)


# Rows of the table of all pairs of items that are held at a time (32 MB of signs at 4,000 items).
_ROWS = 512


def tau_b(gold: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """(concordant − discordant)/√(pairs untied in gold × pairs untied in outputs), of weighted items.

    Cost O(n²·B) in products of matrices.
    """
    concordant = np.zeros(weights.shape[1])
    for first in range(0, gold.size, _ROWS):
        part = slice(first, first + _ROWS)
        table = np.sign(gold[part, None] - gold) * np.sign(own[part, None] - own)
        concordant += (weights[part] * (table @ weights)).sum(axis=0)
    untied = untied_pairs(gold, weights) * untied_pairs(own, weights)
    tau: FloatArray = concordant / np.sqrt(np.where(untied > 0, untied, np.nan))
    return tau


KENDALL = Measure(
    key="kendall",
    label="Kendall correlation",
    kind="numbers",
    bounds=(-1.0, 1.0),
    summary="Kendall's tau-b with gold; undefined where a side is constant. Mid-ranks are exchanged.",
    formula=r"\tau_b = \frac{C - D}{\sqrt{(n_0 - n_1)(n_0 - n_2)}}",
    encode=partial(of_numbers, label="The Kendall correlation"),
    law=Law(
        value=tau_b,
        of_sums=False,
        exchanged="raw",
        exchange=Law(value=tau_b, of_sums=False, exchanged="mid-ranks"),
    ),
    reference="SciPy's kendalltau",
)
