"""The work on one board that pages have done in worker processes, as plain functions. No Streamlit in here.

Each takes its arguments, then `progress(done, total)` and `should_stop()`; what it needs of the core it
imports itself, so that a page that only asks for it doesn't have to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from dashboard.background.cores import cores_here
from dashboard.background.upload_tasks import corrected_judge, judged_metrics

if TYPE_CHECKING:
    from dashboard.background.given import Correcting, Judging
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.analysis.audit_result import Audit
    from nlpstat_core.analysis.pair import PairResult
    from nlpstat_core.analysis.posterior import Posterior
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.arrays import FloatArray
    from nlpstat_core.board.items import ItemTable
    from nlpstat_core.board.pairs.influence import Groups
    from nlpstat_core.board.pairs.other_corrections import OtherCorrection
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
    from nlpstat_core.power.variation.results import Variation
    from nlpstat_core.report.exports.documents.blocks import Section
    from nlpstat_core.results.cost import CostFront
    from nlpstat_core.results.pair import OtherTest
    from nlpstat_core.results.ranks import RankDistribution
    from nlpstat_core.results.robustness import Robustness
    from nlpstat_core.scores.matrix import ScoreMatrix


def analysed(
    scores: ScoreMatrix, config: AnalysisConfig, progress: Progress, should_stop: ShouldStop
) -> Analysis:
    """The analysis of scores under a configuration."""
    from nlpstat_core.analysis.analyse import analyse

    return analyse(scores, config, workers=cores_here(), progress=progress, should_stop=should_stop)


def pair(
    analysis: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[Analysis, PairResult, FloatArray, FloatArray]:
    """Everything about one pair as a − b: the analysis in this order, its result, the scores of a and b."""
    from nlpstat_core.analysis.in_order import in_order
    from nlpstat_core.board.pairs.one_pair import pair_scores

    asked = in_order(analysis, a, b)
    return (asked, asked.pair(a, b), *pair_scores(asked, _row(asked, a, b)))


def other_tests(
    analysis: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[OtherTest, ...]:
    """Every other test that applies to a pair."""
    from nlpstat_core.analysis.other_tests import other_tests

    return other_tests(analysis, _row(analysis, a, b))


def other_corrections(
    analysis: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[OtherCorrection, ...]:
    """A pair under every correction."""
    from nlpstat_core.board.pairs.other_corrections import other_corrections

    return other_corrections(analysis, _row(analysis, a, b), should_stop=should_stop)


def left_out(analysis: Analysis, row: int, label: str, progress: Progress, should_stop: ShouldStop) -> Groups:
    """The difference of a pair without each value of a label."""
    from nlpstat_core.board.pairs.influence import leave_one_out

    return leave_one_out(analysis, row, label, progress=progress, should_stop=should_stop)


def robustness(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> Robustness:
    """The analysis with one choice changed at a time."""
    from nlpstat_core.analysis.robustness import robustness

    return robustness(analysis, workers=cores_here(), progress=progress, should_stop=should_stop)


def posterior(analysis: Analysis, model: str, progress: Progress, should_stop: ShouldStop) -> Posterior:
    """What a Bayesian model says of the board."""
    from nlpstat_core.analysis.posterior import posterior

    return posterior(analysis, model=model, should_stop=should_stop)


def pair_posterior(
    asked: Analysis, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> tuple[Posterior, int, FloatArray, FloatArray]:
    """The posterior of the board with a pair as a − b, the row of the pair, and its density."""
    from nlpstat_core.analysis.posterior import density, posterior

    found = posterior(asked, should_stop=should_stop)
    row = _row(asked, a, b)
    return (found, row, *density(found, row))


def audit(
    analysis: Analysis,
    null: str,
    number: int,
    also: tuple[str, ...],
    progress: Progress,
    should_stop: ShouldStop,
) -> Audit:
    """The procedure of an analysis on null boards."""
    from nlpstat_core.analysis.audit import audit

    return audit(
        analysis, null, number, also=also, workers=cores_here(), progress=progress, should_stop=should_stop
    )


def ranks(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> RankDistribution:
    """How the ranks vary over resamples."""
    from nlpstat_core.board.ranking.rank_distribution import board_rank_distribution

    return board_rank_distribution(analysis, should_stop=should_stop)


def average_ranks(
    units: ScoreMatrix, alpha: float, progress: Progress, should_stop: ShouldStop
) -> AverageRanks:
    """Average ranks of the systems with Nemenyi's critical difference."""
    from nlpstat_core.methods.omnibus.nemenyi import nemenyi

    return nemenyi(units, alpha)


def sections(
    analysis: Analysis,
    keys: Sequence[str],
    judging: Judging | None,
    correcting: Correcting | None,
    progress: Progress,
    should_stop: ShouldStop,
) -> tuple[Section, ...]:
    """What was chosen for the report besides."""
    from nlpstat_core.analysis.sections import sections
    from nlpstat_core.report.exports.documents.sections import judge_section, metrics_section

    found = sections(analysis, keys, progress=progress, should_stop=should_stop)
    if judging is not None:
        judged = judged_metrics(judging.given, judging.settings, progress, should_stop)
        found = (*found, metrics_section(judged))
    if correcting is not None:
        corrected = corrected_judge(correcting.given, correcting.settings, progress, should_stop)
        found = (*found, judge_section(corrected))
    return found


def report(
    analysis: Analysis,
    kind: Literal["html", "markdown", "latex"],
    sections: Sequence[Section],
    progress: Progress,
    should_stop: ShouldStop,
) -> str:
    """A report as text."""
    from nlpstat_core.report.exports.documents.report import report_html, report_md, report_tex

    return {"html": report_html, "markdown": report_md, "latex": report_tex}[kind](analysis, sections)


def methods(
    analysis: Analysis, sections: Sequence[Section], progress: Progress, should_stop: ShouldStop
) -> tuple[str, str]:
    """The methods paragraph and its references in BibTeX."""
    from nlpstat_core.report.exports.documents.report import methods_text, references_bib

    return methods_text(analysis, sections), references_bib(analysis, sections)


def variation(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> Variation:
    """What varies on a board with several runs."""
    return analysis.variation()


def cost_front(analysis: Analysis, cost: str, progress: Progress, should_stop: ShouldStop) -> CostFront:
    """Which systems none beats on score and cost."""
    from nlpstat_core.analysis.cost import score_against_cost

    return score_against_cost(analysis.units, cost, config=analysis.config, should_stop=should_stop)


def items(analysis: Analysis, progress: Progress, should_stop: ShouldStop) -> ItemTable:
    """Every item over the systems."""
    from nlpstat_core.stopping import stoppable

    with stoppable(should_stop):
        return analysis.items()


def file(
    analysis: Analysis, name: str, sections: Sequence[Section], progress: Progress, should_stop: ShouldStop
) -> bytes:
    """A file to take away."""
    from dashboard.background.files import made

    return made(analysis, name, sections)


def _row(analysis: Analysis, a: str, b: str) -> int:
    """Row in the pair table of a pair that was compared: pages ask about no other."""
    found = analysis.pairs.find(analysis.units.index(a), analysis.units.index(b))
    assert found is not None
    return found
