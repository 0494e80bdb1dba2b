"""Other metrics of an upload as variants of the analysis of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.ranking.robustness import Variant, decisions
from nlpstat_core.several.names import common_pairs
from nlpstat_core.wording import top_group

if TYPE_CHECKING:
    from nlpstat_core.analysis import Analysis
    from nlpstat_core.several.boards import Boards

_NOT_COMPARED = 2


def other_metrics(analysis: Analysis, boards: Boards) -> tuple[Variant, ...]:
    """Every board but the analysed one, as a variant that changes the metric.

    Parameters
    ----------
    analysis : Analysis
    boards : Boards
        Of the same upload; systems are matched by name.

    Returns
    -------
    tuple of Variant
        In the order of the boards; a pair that one of the two did not compare is not decided alike.
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
        side = np.where(pairs.turned[row], -1, 1)
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
