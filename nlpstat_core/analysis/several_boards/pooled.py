"""Data sets as blocks: every data set's score of every system is one unit of a board over all data sets."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpstat_core.analysis.analyse import analyse
from nlpstat_core.analysis.result import Analysis
from nlpstat_core.analysis.several_boards.agreement import all_systems
from nlpstat_core.arrays import BoolArray
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import AnalysisError
from nlpstat_core.methods.omnibus.every import omnibus_tests
from nlpstat_core.methods.omnibus.nemenyi import nemenyi
from nlpstat_core.results.several_boards import PooledData
from nlpstat_core.scores.matrix import ScoreMatrix

FEWEST_DATASETS = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Pooled(PooledData):
    """What all data sets say together, each data set counting once.

    analysis: Wilcoxon's signed-rank test over the data sets with Holm's correction; its units are the data
        sets.
    everywhere: Systems with a score in every data set: those that are ranked.
    omnibus: Friedman's test of these systems, with Iman–Davenport under `also`; None below three systems.
    ranks: Their average ranks with Nemenyi's critical difference; None below two systems.
    """

    analysis: Analysis


def scores_by_dataset(analyses: Mapping[str, Analysis]) -> ScoreMatrix:
    """Data sets × systems: the leaderboard score of every system in every data set.

    Returns: Systems in the order of first appearance; NaN where a data set lacks the system.
    Raises AnalysisError: Data sets whose metrics point in opposite directions.
    """
    directions = {analysis.units.lower_is_better for analysis in analyses.values()}
    if len(directions) > 1:
        raise AnalysisError(
            "In some data sets lower scores are better and in others higher ones, so their scores can't be "
            "pooled; give all of them one direction."
        )
    systems = all_systems(analysis.units.systems for analysis in analyses.values())
    place = {name: column for column, name in enumerate(systems)}
    values = np.full((len(analyses), len(systems)), np.nan)
    for row, analysis in enumerate(analyses.values()):
        values[row, [place[name] for name in analysis.leaderboard.system]] = analysis.leaderboard.score
    first = next(iter(analyses.values()))
    return ScoreMatrix(
        values=values,
        systems=systems,
        units=tuple(analyses),
        lower_is_better=directions.pop(),
        metric=first.scores.metric,
        source=first.scores.source,
    )


def pooled(analyses: Mapping[str, Analysis], config: AnalysisConfig) -> Pooled:
    """Compare the systems over data sets.

    Null hypothesis, of every pair: over data sets the differences of the two scores are symmetric about 0;
    of Friedman's test: in every data set all orders of the systems are equally likely.

    config: Its level, alternative, seed and baseline are used; test and correction are Wilcoxon and Holm.
    Raises AnalysisError: Fewer than two data sets, or metrics of opposite directions.

    Source: Demšar (2006), https://jmlr.org/papers/v7/demsar06a.html.
    """
    if len(analyses) < FEWEST_DATASETS:
        raise AnalysisError("Pooling over data sets needs at least two data sets.")
    scores = scores_by_dataset(analyses)
    settings = AnalysisConfig(
        test="wilcoxon",
        correction="holm",
        alpha=config.alpha,
        confidence_level=config.confidence_level,
        alternative=config.alternative,
        baseline=config.baseline,
        seed=config.seed,
    )
    whole: BoolArray = np.asarray(scores.present.all(axis=0))
    everywhere = tuple(name for name, there in zip(scores.systems, whole, strict=True) if there)
    ranked = None
    if len(everywhere) > 1:
        ranked = ScoreMatrix(
            values=scores.values[:, whole],
            systems=everywhere,
            units=scores.units,
            lower_is_better=scores.lower_is_better,
        )
    return Pooled(
        analysis=analyse(scores, settings),
        everywhere=everywhere,
        omnibus=None if ranked is None else omnibus_tests(ranked),
        ranks=None if ranked is None else nemenyi(ranked, config.alpha),
    )
