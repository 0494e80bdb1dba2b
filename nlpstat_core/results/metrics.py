"""Metrics judged by people."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, unknown
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.correlation.perm_both import Exchange
from nlpstat_core.methods.correlation.system_statistics import SYSTEM_STATISTICS
from nlpstat_core.notes import Note
from nlpstat_core.version import VERSION


@dataclass(frozen=True)
class HumanMetric:
    """The metric that stands for people.

    word: What in its name says so; "" when it was told.
    others: Further metrics whose names would do.
    """

    name: str
    word: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged:
    """Scores of people and of metrics for the same systems and units.

    systems: Those that people judged.
    human (float array, shape (n_units, n_systems)): Higher is better; NaN where missing.
    scores (float array, shape (n_metrics, n_units, n_systems)): NaN wherever the metric or people have no
        score.
    decimals: Of people, then of every metric.
    without (mapping of str to tuple of str): Judged systems that a metric doesn't have at all, by its name.
    cells (mapping of str to int): Cells that people and the metric share.
    lower: Metrics, the human one included, whose lower scores are better on their boards.
    """

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    human: FloatArray
    scores: FloatArray
    decimals: tuple[int, ...]
    without: Mapping[str, tuple[str, ...]]
    cells: Mapping[str, int]
    judged_cells: int
    lower: tuple[str, ...] = ()

    @property
    def n_units(self) -> int:
        """Units that people judged for at least one system."""
        return int(self.human.shape[0])


STATISTICS = (
    "soft-pairwise-accuracy",
    *SYSTEM_STATISTICS,
    "segment-pearson",
    "segment-spearman",
    "segment-kendall",
    "item-pearson",
    "item-spearman",
    "item-kendall",
    "acc-eq",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricEstimates:
    """What one metric's scores say beside those of people.

    values, lower, upper (mapping of str to float): By statistic; NaN where undefined, or without an interval.
    by_item (mapping of str to float array, shape (n_units,)): Of the statistics that are means over items.
    confidence, human_confidence (float array, shape (pairs of systems,)): One-sided p of the metric, and of
        people over the same units.
    system_scores, human_scores (float array, shape (n_systems,)): Means over the cells both have; higher is
        better.
    threshold: Ties of acc*eq, metric points.
    """

    values: Mapping[str, float]
    lower: Mapping[str, float]
    upper: Mapping[str, float]
    by_item: Mapping[str, FloatArray]
    confidence: FloatArray
    human_confidence: FloatArray
    system_scores: FloatArray
    human_scores: FloatArray
    threshold: float


def ranks_of(values: FloatArray, separated: BoolArray) -> IntArray:
    """Rank of the cluster of every metric: best first, a new cluster after the first that its best beats.

    values (float array, shape (n,)): NaN comes last, with rank 0.
    separated (bool array, shape (n, n)).
    Returns int array, shape (n,): A metric that any member of the open cluster is separated from opens the
        next one.
    """
    order = [int(i) for i in np.argsort(-values, kind="stable") if not np.isnan(values[i])]
    ranks = np.zeros(values.size, dtype=np.int64)
    cluster: list[int] = []
    rank = 1
    for position, metric in enumerate(order):
        if any(separated[metric, member] for member in cluster):
            rank, cluster = position + 1, []
        cluster.append(metric)
        ranks[metric] = rank
    return ranks


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """A pair of systems that a metric and people order differently, both significantly.

    people_prefer, metric_prefers: Systems.
    p_human, p_metric: Two-sided, for the system that each prefers.
    """

    metric: str
    people_prefer: str
    metric_prefers: str
    p_human: float
    p_metric: float


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MetaEvaluationData:
    """Metrics judged by people."""

    human: HumanMetric
    judged: Judged
    metrics: tuple[str, ...]
    found: tuple[MetricEstimates, ...]
    left: IntArray
    right: IntArray
    p_values: Mapping[str, FloatArray]
    p_adjusted: Mapping[str, FloatArray]
    disagreements: tuple[Disagreement, ...]
    alpha: float
    correction: str
    exchange: Exchange
    resamples: int
    seed: int
    notes: tuple[Note, ...] = ()
    doubts: tuple[Note, ...] = ()

    @property
    def version(self) -> str:
        """Version of the software."""
        return VERSION

    @property
    def signature(self) -> str:
        """One line that names the settings."""
        return (
            f"human:{self.human.name}|exchange:{self.exchange}|adj:{self.correction}|alpha:{self.alpha:g}|"
            f"B:{self.resamples}|seed:{self.seed}|v:{VERSION}"
        )

    def values(self, statistic: str) -> FloatArray:
        """One statistic of every metric, shape (n_metrics,)."""
        if statistic not in STATISTICS:
            raise AnalysisError(unknown("statistic", statistic, STATISTICS))
        return np.array([one.values[statistic] for one in self.found])

    def separated(self, statistic: str) -> BoolArray:
        """Whether two metrics differ significantly, shape (n_metrics, n_metrics)."""
        square = np.zeros((len(self.metrics),) * 2, dtype=bool)
        decided = np.asarray(self.p_adjusted[statistic] <= self.alpha)
        square[self.left, self.right] = square[self.right, self.left] = decided
        return square

    def ranks(self, statistic: str) -> IntArray:
        """Rank of every metric's cluster, shape (n_metrics,); 0 where undefined."""
        return ranks_of(self.values(statistic), self.separated(statistic))

    def __repr__(self) -> str:
        return f"<MetaEvaluation: {count_of(len(self.metrics), 'metric')} judged by {self.human.name!r}>"
