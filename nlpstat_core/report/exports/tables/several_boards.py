"""Several boards as tables: each of them, what holds on how many, average ranks, pair by pair."""

from collections.abc import Callable

import numpy as np

from nlpstat_core.formatting import format_score
from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
from nlpstat_core.report.exports.tables.board import behind_best
from nlpstat_core.report.exports.tables.table import Table, counts, fixed, names, words, written
from nlpstat_core.report.wording import top_group
from nlpstat_core.report.wording.several_boards import KINDS, ONE, listed
from nlpstat_core.results.several_boards import BoardsData, Replicability

MOST_SYSTEMS = 60
MOST_PAIRS = 2_000


def overview_tables(boards: BoardsData) -> tuple[Table, ...]:
    """Everything the overview shows, as tables of text."""
    counted = ("Better", "Systems", "Items", "Pairs", "Separated", "Top group")
    tables = [boards_table(boards).under((ONE[boards.each].capitalize(), *counted))]
    if boards.replicability is not None:
        tables.append(_replicability_table(boards.replicability))
    if boards.pooled is not None and boards.pooled.ranks is not None:
        table = average_ranks_table(boards.pooled.ranks)
        tables.append(table.under(("System", "Average rank")))
    tables.append(_agreement_table(boards))
    return tuple(tables)


def boards_table(boards: BoardsData) -> Table:
    """One row a board, with all that a drawing may choose from."""
    made = boards.analyses.values()
    separated = [int(analysis.pairs.separated.sum()) for analysis in made]
    found = [f"{n:,} of {len(analysis.pairs):,}" for n, analysis in zip(separated, made, strict=True)]
    return Table(
        f"All {KINDS[boards.each]}",
        (
            names(ONE[boards.each].capitalize(), boards.analyses),
            words("Better", ("lower" if analysis.scores.lower_is_better else "higher" for analysis in made)),
            counts("Systems", (analysis.units.n_systems for analysis in made)),
            counts("Items", (analysis.units.n_scored for analysis in made)),
            counts("Pairs", (len(analysis.pairs) for analysis in made)),
            counts("Separated", separated),
            written("Pairs found to differ", found, separated),
            names("Top group", (listed(top_group(analysis.leaderboard)) for analysis in made)),
        ),
    )


def systems_by_board(
    boards: BoardsData, cell: Callable[[str, int, bool], str], missing: str
) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Every system on every board.

    cell: Text of a score, its rank and whether the best is significantly better → what is shown.
    missing: What is shown where a board lacks the system.
    Returns mean_ranks: Of every system; those on every board first, then by mean rank.
    Returns cells: By board, in the order of the systems.
    """
    cells: dict[str, dict[str, str]] = {name: {} for name in boards.analyses}
    ranks: dict[str, list[int]] = {}
    for name, analysis in boards.analyses.items():
        board, behind = analysis.leaderboard, behind_best(analysis)
        scores = fixed("", board.score).cells
        for i, system in enumerate(board.system):
            cells[name][system] = cell(scores[i].text, int(board.rank[i]), bool(behind[i]))
            ranks.setdefault(system, []).append(int(board.rank[i]))
    means = {system: float(np.mean(own)) for system, own in ranks.items()}
    order = sorted(ranks, key=lambda system: (-len(ranks[system]), means[system], system))
    return {system: means[system] for system in order}, {
        name: [own.get(system, missing) for system in order] for name, own in cells.items()
    }


def _replicability_table(found: Replicability) -> Table:
    """Counts that hold together, systems with the most wins first."""
    matrix = found.matrix(together=True)
    order = np.argsort(-np.nansum(matrix, axis=1), kind="stable")[:MOST_SYSTEMS]
    left = len(found.systems) - len(order)
    return Table(
        f"In how many of {len(found.datasets)} data sets does the row beat the column?",
        (
            names("Row beats column", (found.systems[i] for i in order)),
            *(fixed(found.systems[j], matrix[order, j], 0, undefined="") for j in order),
        ),
        f"{left:,} more systems are in replicability.csv." if left else "",
    )


def _agreement_table(boards: BoardsData) -> Table:
    found, kinds = boards.agreement, KINDS[boards.each]
    # What the boards disagree on comes first.
    order = np.lexsort((found.alike / np.maximum(found.boards, 1), ~found.contradicting))[:MOST_PAIRS]
    numbers = {
        kinds.capitalize(): found.boards,
        "A better": found.for_a,
        "B better": found.for_b,
        "not separated": found.neither,
    }
    left = len(found) - len(order)
    return Table(
        f"Pair by pair over {kinds}",
        (
            names("System A", found.system_a[order]),
            names("System B", found.system_b[order]),
            *(counts(label, column[order]) for label, column in numbers.items()),
        ),
        f"{left:,} more pairs are in agreement.csv." if left else "",
    )


def average_ranks_table(found: AverageRanks) -> Table:
    """One row per system, best average rank first, with the numbers of the bars that join it to others."""
    joined = (
        ", ".join(str(bar + 1) for bar, (first, last) in enumerate(found.groups) if first <= place <= last)
        for place in range(len(found.order))
    )
    return Table(
        "Average ranks over data sets",
        (
            names("System", (found.systems[i] for i in found.order)),
            fixed("Average rank", found.average_rank[found.order], 3),
            words("Bars", joined),
        ),
        f"Critical difference at {found.alpha:g}: {format_score(found.critical_difference)}.",
    )
