"""Sections of a report that are there only where somebody chose them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpstat_core.formatting import format_interval, format_score
from nlpstat_core.methods.bayes import MODELS
from nlpstat_core.report.exports.data.posterior import board_order
from nlpstat_core.report.exports.documents.audit import audit_files
from nlpstat_core.report.exports.documents.content import Section
from nlpstat_core.report.exports.documents.metrics import metrics_files
from nlpstat_core.report.exports.documents.posterior import posterior_files
from nlpstat_core.report.exports.tables.metrics import metrics_tables
from nlpstat_core.report.exports.tables.table import Cell, Column, Table
from nlpstat_core.report.wording.audit import (
    NULL_LABELS,
    audit_sentence,
    per_board_text,
    procedure_name,
    rate_text,
)
from nlpstat_core.report.wording.bayes_factor import factor_text
from nlpstat_core.report.wording.metrics import disagreement_sentence, headline, reason
from nlpstat_core.report.wording.posterior import (
    VERDICT_WORDS,
    board_sentence,
    margin_sentence,
    prior_sentence,
    ranks_text,
    within_text,
)
from nlpstat_core.report.wording.probabilities import probability
from nlpstat_core.report.wording.statements import RESULTS, Statement

if TYPE_CHECKING:
    from nlpstat_core.results.audit import AuditData
    from nlpstat_core.results.metrics import MetaEvaluationData
    from nlpstat_core.results.posterior import PosteriorData

MOST_SYSTEMS, MOST_PAIRS = 300, 300


def posterior_section(found: PosteriorData) -> Section:
    """What Bayesian models say of the board, beside the tests."""
    used = dict.fromkeys(key for key in MODELS.keys if key in found.pairs.model)
    if found.board is not None:
        used[found.board.model] = None
    used["bayes-factor"] = None
    models = tuple(dict.fromkeys(key for model in used for key in MODELS[model].references))
    statements = [
        Statement(_open(board_sentence(found)), (), RESULTS),
        Statement(_open(prior_sentence(found)), models),
        Statement(_open(margin_sentence(found)), ("kruschke2018", "sadeqiazer2020")),
    ]
    tables = [_systems(found)] if found.board is not None else []
    return Section(
        key="posterior",
        title="A Bayesian answer",
        statements=tuple(statements),
        tables=(*tables, _pairs(found)),
        notes=tuple(note for note in found.notes if note.severity != "info"),
        files=posterior_files(found),
    )


def _systems(found: PosteriorData) -> Table:
    board, order = found.board, board_order(found)
    assert board is not None
    level = f"{100 * board.level:g} %"
    estimate = "Shrunken score" if board.model == "partial-pooling" else "Posterior mean"
    columns = (
        Column("System"),
        *(
            Column(label, numbers=True)
            for label in (
                "P(best)",
                "Expected rank",
                f"Ranks, {level}",
                "Score",
                estimate,
                f"Interval, {level}",
            )
        ),
    )
    rows = tuple(
        (
            Cell(board.ranks.systems[column], name=True),
            Cell(probability(float(board.best[column])), float(board.best[column])),
            Cell(f"{board.expected_rank[column]:.2f}", float(board.expected_rank[column])),
            Cell(ranks_text(*board.rank_interval[column].tolist()), float(board.rank_interval[column][0])),
            Cell(format_score(float(board.score[column])), float(board.score[column])),
            Cell(format_score(float(board.estimate[column])), float(board.estimate[column])),
            Cell(format_interval(*map(float, board.interval[column])), float(board.interval[column][0])),
        )
        for column in order[:MOST_SYSTEMS].tolist()
    )
    return Table(
        "Scores and ranks with posterior probability",
        columns,
        rows,
        _left(order.size, MOST_SYSTEMS, "systems"),
    )


def _pairs(found: PosteriorData) -> Table:
    pairs = found.pairs
    columns = (
        Column("a"),
        Column("b"),
        *(
            Column(label, numbers=True)
            for label in ("P(a better)", "P(practically equal)", "P(b better)", "BF10")
        ),
        Column("a is"),
    )
    rows = tuple(
        (
            Cell(pairs.system_a[row], name=True),
            Cell(pairs.system_b[row], name=True),
            Cell(probability(float(pairs.better[row])), float(pairs.better[row])),
            Cell(within_text(found, row), float(pairs.within[row])),
            Cell(probability(float(pairs.worse[row])), float(pairs.worse[row])),
            Cell(factor_text(float(pairs.log_bf[row])), float(pairs.log_bf[row])),
            Cell(VERDICT_WORDS[pairs.verdict[row]]),
        )
        for row in range(min(len(pairs), MOST_PAIRS))
    )
    return Table("Pairs with posterior probability", columns, rows, _left(len(pairs), MOST_PAIRS, "pairs"))


def audit_section(found: AuditData) -> Section:
    """How often the procedure claims something where nothing differs."""
    columns = (
        Column("Procedure"),
        Column("Boards with a false claim", numbers=True),
        Column("False claims a board", numbers=True),
    )
    rows = tuple(
        (
            Cell(procedure_name(each)),
            Cell(rate_text(each), each.family_wise),
            Cell(per_board_text(each), each.per_board),
        )
        for each in found.procedures
    )
    return Section(
        key="audit",
        title="Audit of the procedure",
        statements=(Statement(_open(audit_sentence(found)), (), RESULTS),),
        tables=(Table(f"Null boards: {NULL_LABELS[found.null]}", columns, rows),),
        notes=tuple(note for note in found.notes if note.severity != "info"),
        files=audit_files(found),
    )


def metrics_section(found: MetaEvaluationData) -> Section:
    """Which metric ranks and separates systems as people do."""
    compared = ("deutsch2021", "westfall1993") if found.correction == "max-t" else ("deutsch2021",)
    several = len(found.metrics) > 1
    return Section(
        key="metrics",
        title="Metrics judged by people",
        statements=(
            Statement(_open(headline(found)), ("thompson2024", "kocmi2021"), RESULTS),
            Statement(_open(disagreement_sentence(found)), (), RESULTS),
            Statement(_open(reason(found)), compared if several else ()),
        ),
        tables=metrics_tables(found),
        notes=tuple(note for note in found.notes if note.severity != "info"),
        files=metrics_files(found),
    )


def _open(sentence: str) -> str:
    """A sentence without its full stop, which comes after the citation."""
    return sentence.removesuffix(".")


def _left(number: int, most: int, what: str) -> str:
    return f"The first {most:,} of {number:,} {what}." if number > most else ""
