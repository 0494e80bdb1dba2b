"""Sentences on an audit: how often a procedure claims something where nothing differs."""

import math
from collections.abc import Iterator

from nlpstat_core.formatting import count_of
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.notes import Note
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.audit import AuditData, ProcedureAudit

FEW_BOARDS = 100  # a rate of 5 % has a Monte Carlo error of more than 2 % then
NULL_LABELS = {
    "resampled": "Systems centred at a common mean, items resampled",
    "permuted": "Systems exchange their scores within every item",
    "partial": "Systems of the same cluster made equal",
    "runs": "Every system against itself: half of its runs against the other half",
}
PITFALLS = (
    "An audit is itself noisy: at 50 skewed items its figure varies by about 0.05 from data set to data set.",
    "Resampling repeats items: tests of signs and ranks come out at 0.06–0.08 where the truth is 0.03–0.05.",
    "Centring breaks ties; scores of 0 and 1 and counts are permuted instead.",
    "Permutation tests pass on permuted boards by construction: that checks the wiring, not the assumptions.",
    "Where no column names the documents, it can't see them: items are then drawn one by one.",
)


def procedure_name(procedure: ProcedureAudit) -> str:
    """A procedure by its test and its correction."""
    config = procedure.config
    asked = (
        " (chosen pair by pair)" if config.test == "recommended" and config.question == "each-pair" else ""
    )
    correction = CORRECTIONS[config.correction].label
    return f"{label_of_test(config.test)}{asked}, {correction}"


def rate_text(procedure: ProcedureAudit) -> str:
    """A family-wise error rate with its Monte Carlo error."""
    if procedure.family_wise in (0.0, 1.0):  # no error can be read off: the rule of three
        bound = 100 * min(1.0, 3 / procedure.boards)
        return (
            f"0 % (below {bound:.2g} %)"
            if procedure.family_wise == 0
            else f"100 % (above {100 - bound:.3g} %)"
        )
    return f"{100 * procedure.family_wise:.1f} % ± {100 * procedure.family_wise_error:.1f}"


def per_board_text(procedure: ProcedureAudit) -> str:
    """False claims on a board with their Monte Carlo error."""
    error = procedure.per_board_error
    return f"{procedure.per_board:.3g}" + ("" if math.isnan(error) else f" ± {error:.2g}")


def audit_sentence(found: AuditData) -> str:
    """What the audit found of the analysis's own procedure."""
    own = found.procedures[0]
    boards, one = f"{count_of(found.boards, 'board')} like this one", "board"
    where = "where nothing differs, this procedure claims a difference"
    if found.null == "partial":
        where = "where systems of one cluster don't differ, this procedure separates some of them"
    elif found.null == "runs":
        boards, one = f"{count_of(found.boards, 'random split')} of the runs", "split"
        where = (
            "on which every system is compared with itself only, this procedure finds a system different "
            "from itself"
        )
    alpha = own.config.alpha
    return (
        f"On {boards} {where} in {rate_text(own)} of the {one}s ({per_board_text(own)} false claims a {one} "
        f"among {count_of(found.null_pairs, 'pair')}); {_judged(own, alpha, one)}."
    )


def _judged(own: ProcedureAudit, alpha: float, one: str) -> str:
    level = f"{100 * alpha:g} %"
    if CORRECTIONS[own.config.correction].controls != "family-wise":
        return (
            f"its correction does not promise to keep this at {level}"
            if own.config.correction == "none"
            else (
                f"its correction keeps the share of false claims among all claims at {level}, "
                "which on boards without any difference is this rate"
                if own.family_wise <= alpha + 2 * _error(alpha, own.boards)
                else f"that is more than the {level} set"
            )
        )
    if own.boards < FEW_BOARDS:
        more = "more than" if own.family_wise > alpha else "no more than"
        return f"that is {more} the {level} set, but {one}s are too few to say"
    off = (own.family_wise - alpha) / _error(alpha, own.boards)
    if off > 3:
        return f"that is more than the {level} set: don't rely on this procedure here"
    if off > 2:
        return f"that is a little more than the {level} set, perhaps by chance"
    return f"that is less than the {level} set" if off < -2 else f"that agrees with the {level} set"


def _error(alpha: float, boards: int) -> float:
    return math.sqrt(alpha * (1 - alpha) / boards)


def audit_notes(analysis: AnalysisData, null: str, ways: float = math.inf) -> Iterator[Note]:
    """What to mind about an audit. `ways`: different boards that there are."""
    drawn = "documents" if analysis.config.block_column is not None else "items"
    if null == "permuted":
        yield Note(
            "audit-by-construction",
            "info",
            "On permuted boards the systems are exchangeable: permutation tests pass by construction, "
            "and unequal spreads of the systems are gone.",
        )
    if null == "runs":
        there = f"in {ways:,.0f} ways" if ways < 1e6 else "in very many ways"
        yield Note(
            "audit-same-runs",
            "caution",
            f"The same runs are split {there}: the rate is about these runs, and that of other runs may "
            "be far from it, whatever the Monte Carlo error says.",
        )
    if null in ("resampled", "partial") and analysis.units.runs is not None:
        yield Note(
            "audit-runs-resampled",
            "info",
            "Training runs are resampled as well as items, moved as far apart as new runs would lie.",
        )
    if null in ("resampled", "partial") and analysis.units.n_scored < 100:
        yield Note(
            "audit-noisy",
            "caution",
            f"With {count_of(analysis.units.n_scored, 'item')} the audit is itself noisy, beyond its Monte "
            "Carlo error: another sample of items could give a rate several points away.",
        )
    if null in ("resampled", "partial"):
        yield Note(
            "audit-repeats-units",
            "info",
            f"Resampling repeats {drawn}: tests of signs and ranks reject somewhat more often than on "
            "new data.",
        )
    if analysis.config.block_column is None:
        yield Note(
            "audit-documents-unnamed",
            "info",
            "No document column is named: if items of a document are alike, the audit can't see it.",
        )
