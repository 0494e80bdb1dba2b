"""Every statistic of every metric with intervals from resampled items, and metric against metric."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.engine.resampling.streams import count_chunks
from nlpstat_core.methods.correlation.acc_eq import acc_eq
from nlpstat_core.methods.correlation.by_item import kendall_by_item, pearson_by_item, spearman_by_item
from nlpstat_core.methods.correlation.columns import Exchanged, joined
from nlpstat_core.methods.correlation.kendall import kendall
from nlpstat_core.methods.correlation.pearson import pearson
from nlpstat_core.methods.correlation.perm_both import Exchange, perm_both
from nlpstat_core.methods.correlation.perm_items import exchanged_confidence, exchanged_means
from nlpstat_core.methods.correlation.soft_accuracy import confidence, soft_accuracy
from nlpstat_core.methods.correlation.spearman import spearman
from nlpstat_core.methods.correlation.system_statistics import SYSTEM_STATISTICS, system_statistics
from nlpstat_core.results.metrics import STATISTICS, Judged, MetricEstimates

BY_ITEM = ("item-pearson", "item-spearman", "item-kendall", "acc-eq")
FEWEST_SYSTEMS = 3  # two systems have a correlation of −1 or +1


def estimates(
    judged: Judged, place: int, known: dict[bytes, FloatArray], *, level: float, resamples: int, seed: int
) -> MetricEstimates:
    """All statistics of one metric.

    known: One-sided p of people by the cells they were computed on; filled on the way.
    """
    metric = judged.scores[place]
    there = ~np.isnan(metric)
    human = np.where(there, judged.human, np.nan)
    key = there.tobytes()
    if key not in known:
        known[key] = confidence(human, judged.decimals[0], seed)
    p_human, p_metric = known[key], confidence(metric, judged.decimals[place + 1], seed)
    means, people = _means(metric), _means(human)
    calibrated = acc_eq(metric, human)
    by_item = {
        "item-pearson": pearson_by_item(metric, human),
        "item-spearman": spearman_by_item(metric, human),
        "item-kendall": kendall_by_item(metric, human),
        "acc-eq": calibrated.by_item,
    }
    flat, wanted = metric[there][:, None], human[there]
    if np.count_nonzero(there.any(axis=0)) < FEWEST_SYSTEMS:
        by_item |= {name: np.full(judged.n_units, np.nan) for name in BY_ITEM[:3]}
    values = {
        "soft-pairwise-accuracy": float(soft_accuracy(p_metric[:, None], p_human)[0]),
        **of_systems(judged, place),
        "segment-pearson": float(pearson(flat, wanted)[0]),
        "segment-spearman": float(spearman(flat, wanted)[0]),
        "segment-kendall": float(kendall(flat, wanted)[0]),
        **{name: _mean(column) for name, column in by_item.items()},
    }
    ends = _intervals(metric, human, by_item, level, resamples, seed)
    held = {
        name: ends[name] if name in ends and not np.isnan(values[name]) else (np.nan, np.nan)
        for name in STATISTICS
    }
    return MetricEstimates(
        values=values,
        lower={name: held[name][0] for name in STATISTICS},
        upper={name: held[name][1] for name in STATISTICS},
        by_item=by_item,
        confidence=p_metric,
        human_confidence=p_human,
        system_scores=means,
        human_scores=people,
        threshold=calibrated.threshold,
    )


def of_systems(judged: Judged, place: int) -> dict[str, float]:
    """The statistics of one metric that need the means of the systems only."""
    metric = judged.scores[place]
    means, people = _means(metric), _means(np.where(np.isnan(metric), np.nan, judged.human))
    found = {name: float(value) for name, value in system_statistics(means, people).items()}
    if np.count_nonzero(~np.isnan(metric).all(axis=0)) < FEWEST_SYSTEMS:
        found |= dict.fromkeys(SYSTEM_STATISTICS[1:], np.nan)
    return found


def _means(scores: FloatArray) -> FloatArray:
    there = ~np.isnan(scores)
    n = there.sum(axis=0)
    total = np.where(there, scores, 0.0).sum(axis=0)
    found: FloatArray = np.where(n > 0, total / np.maximum(n, 1), np.nan)
    return found


def _mean(column: FloatArray) -> float:
    known = column[~np.isnan(column)]
    return float(known.mean()) if known.size else np.nan


def _intervals(
    metric: FloatArray,
    human: FloatArray,
    by_item: Mapping[str, FloatArray],
    level: float,
    resamples: int,
    seed: int,
) -> dict[str, tuple[float, float]]:
    """Percentile intervals over resampled items."""
    n_units, n_systems = metric.shape
    there = ~np.isnan(metric)
    if n_units < 2:
        return {}
    m, h = np.where(there, metric, 0.0), np.where(there, human, 0.0)
    m, h = m - m.sum() / max(there.sum(), 1), h - h.sum() / max(there.sum(), 1)
    m, h = np.where(there, m, 0.0), np.where(there, h, 0.0)
    items = np.array([by_item[name] for name in BY_ITEM])
    known = ~np.isnan(items)
    table = np.hstack(
        [
            m,
            h,
            there,
            (m * h).sum(axis=1)[:, None],
            (m * m).sum(axis=1)[:, None],
            (h * h).sum(axis=1)[:, None],
            np.where(known, items, 0.0).T,
            known.T,
        ]
    )
    sums = np.concatenate([counts @ table for _, counts in count_chunks(n_units, resamples, seed, "metrics")])
    s = n_systems
    with np.errstate(divide="ignore", invalid="ignore"):
        cells = sums[:, 2 * s : 3 * s]
        drawn = dict(system_statistics(sums[:, :s] / cells, sums[:, s : 2 * s] / cells))
        mh, mm, hh = sums[:, 3 * s : 3 * s + 3].T
        n = cells.sum(axis=1)
        x, y = sums[:, :s].sum(axis=1), sums[:, s : 2 * s].sum(axis=1)
        drawn["segment-pearson"] = (mh - x * y / n) / np.sqrt((mm - x * x / n) * (hh - y * y / n))
        rest = sums[:, 3 * s + 3 :]
        for place, name in enumerate(BY_ITEM):
            drawn[name] = rest[:, place] / rest[:, len(BY_ITEM) + place]
    tail = (1 - level) / 2
    found = {}
    for name, values in drawn.items():
        defined = values[np.isfinite(values)]
        if defined.size:
            low, high = np.quantile(defined, [tail, 1 - tail])
            found[name] = (float(low), float(high))
    return found


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
