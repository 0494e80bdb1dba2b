"""The permutation test of two independent samples: the labels of the pooled units are shuffled."""

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.engine.columns.batch import PairBatch
from nlpstat_core.engine.columns.outcomes import EXACT, MONTE_CARLO, Outcomes, outcomes
from nlpstat_core.engine.resampling import standard_error, tie_tolerance
from nlpstat_core.engine.resampling.random_labels import shared_label_tails
from nlpstat_core.engine.samples.independent import shift, shift_interval, swapped_pairs, too_few
from nlpstat_core.engine.samples.label_sums import (
    can_enumerate,
    enumerated_tails,
    two_tails,
    two_valued_tails,
    whole_number_tails,
)
from nlpstat_core.quantities import MEAN
from nlpstat_core.records import Advice, SignificanceTest
from nlpstat_core.scores.grid import parts_of
from nlpstat_core.stopping import stop_if_asked

_MOST_WHOLE = 2.0**31


def permutation_unpaired(batch: PairBatch, config: AnalysisConfig) -> Outcomes:
    """Permutation test of the difference of means of two independent samples.

    Null hypothesis: the scores of a, less δ, are distributed as those of b.

    Parameters
    ----------
    batch : PairBatch
        Every unit a system has counts, shared or not; at least one on each side, else undefined.
    config : AnalysisConfig
        `alternative`, `resamples`, `seed`, `level`; δ is in the batch.

    Returns
    -------
    Outcomes
        The difference of means; the exact p-value where the scores have two values, few decimals or up to
        200,000 labellings, otherwise Monte Carlo. The interval is Welch's.

    Notes
    -----
    All ways to call n_u of the pooled units a's are equally likely; two-sided is twice the smaller tail.
    Pairs with the same numbers of units meet the same random labels, whichever system's column is first. Cost
    per pair O(N·min(n)·range) where it is exact; where it is not O(B·N·S) for all pairs with the same numbers
    of units.
    """
    statistic, p_value = np.full(batch.n_pairs, np.nan), np.full(batch.n_pairs, np.nan)
    kind = np.full(batch.n_pairs, EXACT, dtype=np.int8)
    for pair, (a, b) in enumerate(zip(batch.left, batch.right, strict=True)):
        stop_if_asked()
        u, v = batch.units.own.sample(a), batch.units.own.sample(b)
        if u.size and v.size:
            statistic[pair] = u.mean() - v.mean()
            tails = _counted(np.concatenate([u, v + batch.delta]), u.size, batch.units.decimals)
            if tails is None:
                kind[pair] = MONTE_CARLO
            else:
                p_value[pair] = two_tails(*tails, config.alternative)
    sampled = kind == MONTE_CARLO
    if sampled.any():
        drawn = _shared_tails(batch.take(sampled), config)
        p_value[sampled] = [two_tails(above, below, config.alternative) for above, below in drawn.tolist()]
    error = np.where(sampled, standard_error(np.where(sampled, p_value, 1.0), config.resamples), 0.0)
    return outcomes(
        statistic,
        np.log(p_value),
        np.where(np.abs(statistic - batch.delta) <= 1e-12 * np.abs(statistic), 0.0, statistic - batch.delta),
        kind=kind,
        error=error,
        interval=shift_interval(shift(batch), config.level, config.alternative),
        notes=too_few(batch, 1),
    )


def _shared_tails(batch: PairBatch, config: AnalysisConfig) -> FloatArray:
    """Both tails by Monte Carlo, each pair in an order of its own that doesn't depend on the columns'."""
    swapped = swapped_pairs(batch)
    tails = np.empty((batch.n_pairs, 2))
    for back in (False, True):
        here = swapped == back
        if here.any():
            ends = (batch.left[here], batch.right[here])
            delta = -batch.delta if back else batch.delta
            part = PairBatch(batch.units, *(ends[::-1] if back else ends), delta)
            found = shared_label_tails(part, config.resamples, config.seed)
            tails[here] = found[:, ::-1] if back else found
    return tails


def _counted(pooled: FloatArray, k: int, decimals: int) -> tuple[float, float] | None:
    """P(T ≥ t) and P(T ≤ t) over all labellings, None where there are too many to count."""
    parts = parts_of(decimals)
    scaled = pooled * (parts or 10.0**decimals)
    whole = np.rint(scaled)
    printed = parts * 10.0**-decimals if parts else 0.0
    if np.max(np.abs(whole)) < _MOST_WHOLE and np.max(np.abs(scaled - whole)) < 1e-6 + printed:
        numbers = whole.astype(np.int64)
        tails = two_valued_tails(numbers, k) or whole_number_tails(numbers, k, int(numbers[:k].sum()))
        if tails is not None:
            return tails
    if not can_enumerate(pooled.size, k):
        return None
    centred = pooled - pooled.mean()
    tolerance = float(tie_tolerance(np.array([np.abs(pooled).sum()]))[0])
    return enumerated_tails(centred, k, float(centred[:k].sum()), tolerance)


METHOD = SignificanceTest(
    key="permutation-unpaired",
    label="Permutation test (unpaired)",
    summary="Shuffles which scores belong to which system and compares the difference of means.",
    run=permutation_unpaired,
    quantity=MEAN,
    null="the scores of {a} and {b} have the same distribution{shift}",
    assumptions=("all items are independent, also between the systems", "only the position can differ"),
    formula=r"p = P(\bar u^* - \bar v^* \ge \bar u - \bar v),\quad \text{labels shuffled}",
    references=("pitman1937", "fisher1935"),
    design="unpaired",
    exact_for_shares=True,
    advice=(
        Advice(
            kinds=("unpaired",),
            standing="non-preferred",
            reason="It assumes that only the position of the scores can differ.",
        ),
    ),
)
