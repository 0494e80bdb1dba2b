"""meta_evaluate: which metric ranks and separates systems as people do."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpstat_core.analysis.given import as_boards
from nlpstat_core.analysis.metrics.aligned import aligned, human_metric
from nlpstat_core.analysis.metrics.estimates import compared, estimates
from nlpstat_core.arrays import FloatArray
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.catalogue import CORRECTIONS
from nlpstat_core.engine.resampling.blas import one_blas_thread
from nlpstat_core.errors import ConfigError, shown, unknown
from nlpstat_core.methods.corrections import adjust_p_values
from nlpstat_core.methods.correlation.columns import pairs_of
from nlpstat_core.methods.correlation.perm_both import EXCHANGES, Exchange
from nlpstat_core.notes import doubts
from nlpstat_core.report.wording.metrics import meta_notes
from nlpstat_core.results.metrics import Disagreement, Judged, MetaEvaluationData, MetricEstimates
from nlpstat_core.scores.matrix import ScoreMatrix
from nlpstat_core.scores.means_only import refuse_measured
from nlpstat_core.stopping import ShouldStop, stop_if_asked, stoppable

MAX_T = "max-t"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MetaEvaluation(MetaEvaluationData):
    """Metrics judged by people.

    Attributes
    ----------
    human : HumanMetric
    judged : Judged
    metrics : tuple of str
    found : tuple of MetricEstimates
        One per metric.
    left, right : int arrays, shape (n_pairs,)
        Metrics of every pair.
    p_values, p_adjusted : mapping of str to float array, shape (n_pairs,)
        By statistic; adjusted over all pairs of metrics.
    disagreements : tuple of Disagreement
    alpha : float
    correction : str
    exchange : {"cells", "systems"}
    resamples, seed : int
    notes : tuple of Note
    doubts : tuple of Note
        Questions on how the scores were read, before which no result is said.

    Examples
    --------
    >>> rows = np.arange(12.0).reshape(4, 3)
    >>> boards = {
    ...     "MQM": ScoreMatrix(values=rows, systems="ABC"),
    ...     "x": ScoreMatrix(values=rows**2, systems="ABC"),
    ... }
    >>> meta_evaluate(boards, resamples=99)
    <MetaEvaluation: 1 metric judged by 'MQM'>
    """

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, in the shape of metrics.json."""
        from nlpstat_core.report.exports.data.metrics import metrics_to_dict

        return metrics_to_dict(self)


def meta_evaluate(
    boards: Mapping[str, ScoreMatrix | Any],
    human: str | None = None,
    *,
    alpha: float = 0.05,
    correction: str = MAX_T,
    exchange: Exchange = "cells",
    resamples: int = 1_000,
    seed: int = 0,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> MetaEvaluation:
    """How well metrics rank and separate systems as people do, and which metrics differ in that.

    Null hypothesis, of every pair of metrics: their scores could be exchanged (see PERM-BOTH).

    Parameters
    ----------
    boards : mapping of str to ScoreMatrix or data frame
        By metric, from `read_boards(..., each="metric")` or of your own; directions are those of the boards.
    human : str or None
        The metric that stands for people; None guesses it from the names.
    alpha : float
        Level of decisions; intervals have 1 − alpha.
    correction : str
        Over all pairs of metrics, for each statistic: "max-t" (Westfall and Young's step-down maximum over
        the same exchanges), or the key of a correction that needs the p-values only, such as "holm", whose p
        can't go below the number of pairs divided by `resamples`.
    exchange : {"cells", "systems"}
        What is exchanged between two metrics.
    resamples : int
        Exchanges, and resampled sets of items.
    seed : int
    progress : callable (steps done, steps in all) or None
    should_stop : callable or None

    Returns
    -------
    MetaEvaluation

    Raises
    ------
    AnalysisError
        No human metric, no other, or nothing in common.
    ConfigError
        Settings that can't be used.
    Cancelled
        `should_stop` said so.

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(40, 4)) + np.arange(4)
    >>> boards = {
    ...     name: ScoreMatrix(values=values, systems="ABCD")
    ...     for name, values in {"MQM": rows, "good": rows + 1, "bad": -rows}.items()
    ... }
    >>> found = meta_evaluate(boards, resamples=99)
    >>> found.human.name, found.values("system-accuracy").tolist()
    ('MQM', [1.0, 0.0])
    """
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha must be a number above 0 and below 1, not {shown(alpha)}.")
    record = CORRECTIONS[correction]
    if correction != MAX_T and (not record.p_values_only or record.all_pairs_of_a_board):
        raise ConfigError(
            f"The correction {shown(correction)} needs scores of systems; choose holm, for example."
        )
    if exchange not in EXCHANGES:
        raise ConfigError(unknown("exchange", exchange, EXCHANGES))
    if isinstance(resamples, bool) or not isinstance(resamples, int) or resamples < 1:
        raise ConfigError(f"resamples must be a whole number of at least 1, not {shown(resamples)}.")
    boards = as_boards(boards, "meta_evaluate")
    if getattr(boards, "each", "metric") != "metric":
        raise ConfigError('These boards are data sets; read them with each="metric".')
    with stoppable(should_stop), one_blas_thread():
        for board in boards.values():
            refuse_measured(board, "A metric judged by people")
        chosen = human_metric(boards, human)
        judged = aligned(boards, chosen.name)
        k = len(judged.metrics)
        total = k + 2 * (-(-resamples // 256)) * (k > 1)
        done = 0

        def step() -> None:
            nonlocal done
            stop_if_asked()
            done = min(done + 1, total)
            if progress is not None:
                progress(done, total)

        known: dict[bytes, FloatArray] = {}
        every = []
        for place in range(k):
            every.append(estimates(judged, place, known, level=1 - alpha, resamples=resamples, seed=seed))
            step()
        left, right = pairs_of(k)
        drawn = compared(
            judged, every, left, right, exchange=exchange, resamples=resamples, seed=seed, step=step
        )
        p = {name: one.p_values() for name, one in drawn.items()}
        if correction == MAX_T:
            adjusted = {name: one.adjusted() for name, one in drawn.items()}
        else:
            adjusted = {name: np.asarray(adjust_p_values(one, correction)) for name, one in p.items()}
        if progress is not None and done < total:
            progress(total, total)
    found = MetaEvaluation(
        human=chosen,
        judged=judged,
        metrics=judged.metrics,
        found=tuple(every),
        left=left,
        right=right,
        p_values=p,
        p_adjusted=adjusted,
        disagreements=_disagreements(judged, every, alpha, "holm" if correction == MAX_T else correction),
        alpha=alpha,
        correction=correction,
        exchange=exchange,
        resamples=resamples,
        seed=seed,
    )
    left_out = getattr(boards, "left_out", {})
    asked = dict.fromkeys(note for board in boards.values() for note in doubts(board.notes))
    return replace(found, notes=(*asked, *meta_notes(found, left_out)), doubts=tuple(asked))


def _disagreements(
    judged: Judged, found: list[MetricEstimates], alpha: float, correction: str
) -> tuple[Disagreement, ...]:
    """Pairs of systems decided in opposite directions, each side corrected over all pairs of systems."""
    a, b = pairs_of(len(judged.systems))
    listed = []
    for name, one in zip(judged.metrics, found, strict=True):
        sides = []
        for p in (one.human_confidence, one.confidence):
            two_sided = np.minimum(1.0, 2.0 * np.minimum(p, 1.0 - p))
            adjusted = np.asarray(adjust_p_values(two_sided, correction))
            sides.append((np.where(p < 0.5, 1, -1) * (adjusted <= alpha), adjusted))
        (people, p_people), (metric, p_metric) = sides
        for pair in np.flatnonzero(people * metric < 0):
            first, second = judged.systems[a[pair]], judged.systems[b[pair]]
            listed.append(
                Disagreement(
                    metric=name,
                    people_prefer=first if people[pair] > 0 else second,
                    metric_prefers=second if people[pair] > 0 else first,
                    p_human=float(p_people[pair]),
                    p_metric=float(p_metric[pair]),
                )
            )
    return tuple(sorted(listed, key=lambda one: max(one.p_human, one.p_metric)))
