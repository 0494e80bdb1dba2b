"""Sections of a report that are there only where somebody chose them."""

from collections.abc import Sequence

from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.notes import warnings
from nlpstat_core.report.exports.documents.audit import audit_files
from nlpstat_core.report.exports.documents.blocks import Section
from nlpstat_core.report.exports.documents.cost import cost_files
from nlpstat_core.report.exports.documents.judge import judge_files, judge_report_tables
from nlpstat_core.report.exports.documents.metrics import metrics_files
from nlpstat_core.report.exports.documents.posterior import posterior_files
from nlpstat_core.report.exports.tables.audit import audit_table
from nlpstat_core.report.exports.tables.cost import front_table
from nlpstat_core.report.exports.tables.metrics import metrics_tables
from nlpstat_core.report.exports.tables.posterior import posterior_pairs, posterior_systems
from nlpstat_core.report.wording.audit import audit_sentence
from nlpstat_core.report.wording.cost import front_headline, front_legend, front_sentence
from nlpstat_core.report.wording.judge import judge_statements
from nlpstat_core.report.wording.metrics import disagreement_sentence, headline, reason
from nlpstat_core.report.wording.posterior import board_sentence, margin_sentence, prior_sentence
from nlpstat_core.report.wording.statements import RESULTS, stated
from nlpstat_core.results.audit import AuditData
from nlpstat_core.results.cost import CostFront
from nlpstat_core.results.judge import JudgedBoard
from nlpstat_core.results.metrics import MetaEvaluationData
from nlpstat_core.results.posterior import PosteriorData

MOST_SYSTEMS, MOST_PAIRS = 300, 300
PAIRS = ("A", "B", "P(A better)", "P(practically equal)", "P(B better)", "BF10", "verdict on A")


def posterior_section(found: PosteriorData) -> Section:
    """What Bayesian models say of the board, beside the tests."""
    used = dict.fromkeys(key for key in MODELS.keys if key in found.pairs.model)
    if found.board is not None:
        used[found.board.model] = None
    used["bayes-factor"] = None
    models = tuple(dict.fromkeys(key for model in used for key in MODELS[model].references))
    statements = [
        stated(board_sentence(found), (), RESULTS),
        stated(prior_sentence(found), models),
        stated(margin_sentence(found), ("kruschke2018", "sadeqiazer2020")),
    ]
    systems = posterior_systems(found, MOST_SYSTEMS)
    pairs = posterior_pairs(found, MOST_PAIRS).under(PAIRS)
    return Section(
        key="posterior",
        title="A Bayesian answer",
        statements=tuple(statements),
        tables=(pairs,) if systems is None else (systems, pairs),
        notes=warnings(found.notes),
        files=posterior_files(found),
    )


def audit_section(found: AuditData) -> Section:
    """How often the procedure claims something where nothing differs."""
    return Section(
        key="audit",
        title="Audit of the procedure",
        statements=(stated(audit_sentence(found), (), RESULTS),),
        tables=(audit_table(found),),
        notes=warnings(found.notes),
        files=audit_files(found),
    )


def cost_section(found: Sequence[CostFront]) -> Section:
    """Which systems none beats on score and cost, for every cost."""
    statements = [
        stated(sentence, (), RESULTS)
        for one in found
        for sentence in (front_headline(one), front_sentence(one))
    ]
    legends = dict.fromkeys(f"Score against cost: {front_legend(one)}" for one in found)
    notes = dict.fromkeys(note for one in found for note in warnings(one.notes))
    return Section(
        key="cost",
        title="Score against cost",
        statements=(*statements, *(stated(legend) for legend in legends)),
        tables=tuple(map(front_table, found)),
        notes=tuple(notes),
        files=cost_files(found),
    )


def metrics_section(found: MetaEvaluationData) -> Section:
    """Which metric ranks and separates systems as people do."""
    compared = ("deutsch2021", "westfall1993") if found.correction == "max-t" else ("deutsch2021",)
    several = len(found.metrics) > 1
    return Section(
        key="metrics",
        title="Metrics judged by people",
        statements=(
            stated(headline(found), ("thompson2024", "kocmi2021"), RESULTS),
            stated(disagreement_sentence(found), (), RESULTS),
            stated(reason(found), compared if several else ()),
        ),
        tables=metrics_tables(found),
        notes=warnings(found.notes),
        files=metrics_files(found),
    )


def judge_section(found: JudgedBoard) -> Section:
    """The board of a judge, corrected by people's labels."""
    return Section(
        key="judge",
        title="A judge corrected by people",
        statements=judge_statements(found),
        tables=judge_report_tables(found),
        notes=warnings(found.notes),
        files=judge_files(found),
    )
