"""Other metrics of an upload as variants of the analysis of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.analysis.robustness import decisions
from nlpstat_core.analysis.several_boards.names import common_pairs
from nlpstat_core.methods.correlation.kendall import kendall
from nlpstat_core.report.wording import top_group
from nlpstat_core.results.robustness import RankDependence, Variant
from nlpstat_core.scores.direction import advantage

if TYPE_CHECKING:
    from nlpstat_core.analysis.several_boards.boards import Boards

_NOT_COMPARED = 2


def rank_dependence(analysis: Analysis, boards: Boards) -> RankDependence:
    """How the systems' order changes from metric to metric.

    boards: Of the same upload; systems are matched by name.
    """
    own = analysis.scores.metric or ""
    every = {own: _scores(analysis)} | {
        name: _scores(other) for name, other in boards.analyses.items() if name != own
    }
    agreement = {}
    for name, scores in every.items():
        if name == own:
            continue
        shared = [system for system in every[own] if system in scores]
        a, b = (np.array([column[system] for system in shared]) for column in (every[own], scores))
        agreement[name] = float(kendall(a[:, None], b)[0]) if len(shared) > 1 else np.nan
    common = [system for system in every[own] if all(system in scores for scores in every.values())]
    if len(common) < 2:
        return RankDependence(metric=own, agreement=agreement, moves_most="", best=0, worst=0, first=())
    ranks = np.array(
        [rankdata([-scores[system] for system in common], method="min") for scores in every.values()]
    ).astype(int)
    most = int(np.argmax(np.ptp(ranks, axis=0)))
    return RankDependence(
        metric=own,
        agreement=agreement,
        moves_most=common[most],
        best=int(ranks[:, most].min()),
        worst=int(ranks[:, most].max()),
        first=tuple(system for place, system in enumerate(common) if np.any(ranks[:, place] == 1)),
    )


def _scores(analysis: Analysis) -> dict[str, float]:
    """Scores by system, higher being better; systems without one are left out."""
    board = analysis.leaderboard
    values = advantage(board.score, analysis.scores.lower_is_better)
    return {name: float(value) for name, value in zip(board.system, values, strict=True) if value == value}


def other_metrics(analysis: Analysis, boards: Boards) -> tuple[Variant, ...]:
    """Every board but the analysed one, as a variant that changes the metric.

    boards: Of the same upload; systems are matched by name.
    Returns: In the order of the boards; a pair that one of the two did not compare is not decided alike.
    """
    return tuple(
        _variant(name, other, analysis)
        for name, other in boards.analyses.items()
        if name != analysis.scores.metric
    )


def _variant(name: str, other: Analysis, own: Analysis) -> Variant:
    pairs = common_pairs([own, other])
    decided = np.full((2, len(pairs)), _NOT_COMPARED, dtype=np.int8)
    for row, board in enumerate((own, other)):
        side = np.where(pairs.swapped[row], -1, 1)
        decided[row, pairs.places[row]] = decisions(board.pairs) * side
    alike = (decided[0] == decided[1]) & (decided[0] != _NOT_COMPARED)
    return Variant(
        changed="metric",
        value=name,
        config=other.config,
        top=top_group(other.leaderboard),
        separated=int(np.count_nonzero(other.pairs.separated)),
        same=int(np.count_nonzero(alike)),
    )
