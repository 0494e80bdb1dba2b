"""Metric against metric: p-values of every statistic for all pairs of metrics."""

from collections.abc import Callable, Sequence

import numpy as np

from nlpstat_core.analysis.metrics.estimates import BY_ITEM
from nlpstat_core.arrays import IntArray
from nlpstat_core.methods.correlation.exchanged import Exchanged, joined
from nlpstat_core.methods.correlation.perm_both import Exchange, perm_both
from nlpstat_core.methods.correlation.perm_items import exchanged_confidence, exchanged_means
from nlpstat_core.methods.correlation.soft_accuracy import confidence
from nlpstat_core.results.metrics import STATISTICS, Judged, MetricEstimates


def compared(
    judged: Judged,
    found: Sequence[MetricEstimates],
    left: IntArray,
    right: IntArray,
    *,
    exchange: Exchange,
    resamples: int,
    seed: int,
    step: Callable[[], None] | None = None,
) -> dict[str, Exchanged]:
    """Random exchanges of all pairs of metrics, by statistic; undefined where there is no test.

    A pair is compared on the cells that people and both metrics have; pairs with the same cells share their
    products.
    """
    parts: dict[str, list[tuple[IntArray, Exchanged]]] = {name: [] for name in STATISTICS}
    for name in BY_ITEM:
        columns = np.array([one.by_item[name] for one in found])
        done = exchanged_means(columns, left, right, resamples=resamples, seed=seed)
        parts[name].append((np.arange(left.size), done))
    there = ~np.isnan(judged.scores)
    groups: dict[bytes, list[int]] = {}
    for pair, (a, b) in enumerate(zip(left, right, strict=True)):
        groups.setdefault(np.packbits(there[a] & there[b]).tobytes(), []).append(pair)
    for pairs in groups.values():
        chosen = np.array(pairs)
        cells = there[left[chosen[0]]] & there[right[chosen[0]]]
        if not cells.any():
            continue
        who, places = np.unique(np.stack([left[chosen], right[chosen]]), return_inverse=True)
        a, b = places.reshape(2, -1)
        human = np.where(cells, judged.human, np.nan)
        metrics = np.where(cells, judged.scores[who], np.nan)
        drawn = perm_both(metrics, human, a, b, exchange=exchange, resamples=resamples, seed=seed, step=step)
        people = confidence(human, judged.decimals[0], seed)
        drawn["soft-pairwise-accuracy"] = exchanged_confidence(
            metrics, human, people, a, b, resamples=resamples, seed=seed, step=step
        )
        for name, part in drawn.items():
            parts[name].append((chosen, part))
    whole = {}
    for name in STATISTICS:
        values = np.array([one.values[name] for one in found])
        undefined = np.isnan(values[left]) | np.isnan(values[right])
        both = joined(parts[name], left.size, resamples)
        whole[name] = Exchanged(np.where(undefined, np.nan, both.observed), both.drawn, both.tie)
    return whole
