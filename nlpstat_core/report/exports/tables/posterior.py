"""What Bayesian models say of a board, as tables of the report, the terminal, LaTeX and the app."""

from nlpstat_core.arrays import FloatArray
from nlpstat_core.report.exports.data.posterior import board_order
from nlpstat_core.report.exports.tables.table import (
    Column,
    Table,
    fixed,
    intervals,
    names,
    ranges,
    words,
    written,
)
from nlpstat_core.report.wording.bayes_factor import factor_text
from nlpstat_core.report.wording.posterior import VERDICT_WORDS, within_text
from nlpstat_core.report.wording.probabilities import probability
from nlpstat_core.results.posterior import PosteriorData


def posterior_systems(found: PosteriorData, most: int | None = None) -> Table | None:
    """The systems, best expected rank first; None where there is no model of the whole board."""
    board, order = found.board, board_order(found)[:most]
    if board is None:
        return None
    level, total = f"{100 * board.level:g} %", len(board.ranks.systems)
    estimate = "Shrunken score" if board.model == "partial-pooling" else "Posterior mean"
    estimates = fixed(estimate, board.estimate[order])
    decimals = estimates.decimals or 0
    return Table(
        "Scores and ranks with posterior probability",
        (
            names("System", (board.ranks.systems[column] for column in order)),
            _probabilities("P(best)", board.best[order]),
            fixed("Expected rank", board.expected_rank[order], 2),
            ranges(f"Ranks, {level}", board.rank_interval[order], total),
            fixed("Score", board.score[order], decimals),
            estimates,
            intervals(f"Interval, {level}", board.interval[order], decimals),
        ),
        _first(order.size, total, "systems"),
    )


def posterior_pairs(found: PosteriorData, most: int | None = None) -> Table:
    """The pairs in the order of the file, with all that a drawing may choose from. `most`: pairs at most."""
    pairs, some = found.pairs, slice(0, most)
    rows, verdicts = range(len(pairs))[some], pairs.verdict[some]
    estimates = fixed("A − B", pairs.estimate[some])
    decimals, log_bf = estimates.decimals or 0, pairs.log_bf[some]
    return Table(
        "Pairs with posterior probability",
        (
            names("A", pairs.system_a[some]),
            names("B", pairs.system_b[some]),
            _probabilities("P(A better)", pairs.better[some]),
            written("P(practically equal)", (within_text(found, row) for row in rows), pairs.within[some]),
            _probabilities("P(B better)", pairs.worse[some]),
            _probabilities("P(A > B)", pairs.greater[some]),
            _probabilities("P(A < B)", pairs.less[some]),
            estimates,
            intervals("interval", pairs.interval[some], decimals),
            written("BF10", (factor_text(float(log)) for log in log_bf), log_bf),
            words("verdict on A", (VERDICT_WORDS[verdict] for verdict in verdicts)),
        ),
        _first(len(rows), len(pairs), "pairs"),
    )


def _probabilities(label: str, values: FloatArray) -> Column:
    return written(label, (probability(float(value)) for value in values), values)


def _first(shown: int, total: int, what: str) -> str:
    return f"The first {shown:,} of {total:,} {what}." if shown < total else ""
