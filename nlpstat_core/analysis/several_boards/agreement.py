"""The same pairs on several boards: how many decide each in which way, how ranks move between metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.analysis.robustness import decisions
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.methods.correlation.kendall import kendall
from nlpstat_core.report.wording import top_group
from nlpstat_core.results.robustness import RankDependence, Variant
from nlpstat_core.results.several_boards import Agreement, CommonPairs
from nlpstat_core.scores.direction import advantage


def agreement(analyses: Sequence[Analysis]) -> Agreement:
    """Count the decisions of several boards on every pair.

    Returns: A board that has no p-value for a pair is not counted for it. Cost O(boards × pairs).
    """
    pairs = common_pairs(analyses)
    counted = np.zeros((3, len(pairs)), dtype=np.int64)
    for analysis, place, swapped in zip(analyses, pairs.places, pairs.swapped, strict=True):
        decided = decisions(analysis.pairs).astype(np.int64) * np.where(swapped, -1, 1)
        known = ~np.isnan(analysis.pairs.p_value)
        for row, side in enumerate((1, -1, 0)):
            counted[row, place] += known & (decided == side)
    return Agreement(
        pairs=pairs, boards=counted.sum(axis=0), for_a=counted[0], for_b=counted[1], neither=counted[2]
    )


def all_systems(boards: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Names of several boards, each once, in the order of first appearance."""
    return tuple(dict.fromkeys(name for systems in boards for name in systems))


def common_pairs(analyses: Sequence[Analysis]) -> CommonPairs:
    """The pairs of several boards under common numbers; in the order of the systems' first appearance."""
    systems = all_systems(analysis.units.systems for analysis in analyses)
    place = {name: i for i, name in enumerate(systems)}
    baseline = next((analysis.config.baseline for analysis in analyses), None)
    last = -1 if baseline is None else place.get(baseline, -1)
    keys, swapped = [], []
    for analysis in analyses:
        here = np.array([place[name] for name in analysis.units.systems])
        a, b = here[analysis.pairs.left], here[analysis.pairs.right]
        swap = np.where((a == last) | (b == last), a == last, a > b)
        keys.append(np.where(swap, b, a) * len(systems) + np.where(swap, a, b))
        swapped.append(swap)
    found = np.unique(np.concatenate(keys))
    return CommonPairs(
        systems=systems,
        left=found // len(systems),
        right=found % len(systems),
        places=tuple(np.searchsorted(found, key) for key in keys),
        swapped=tuple(swapped),
    )


def counted_from(progress: Progress | None, start: int, total: int) -> Progress | None:
    """The progress of one of several analyses as part of all of them."""
    if progress is None:
        return None

    def tell(done: int, _: int) -> None:
        progress(start + done, total)

    return tell


if TYPE_CHECKING:
    from nlpstat_core.analysis.several_boards.boards import Boards

_NOT_COMPARED = 2


def rank_dependence(analysis: Analysis, boards: Boards) -> RankDependence:
    """How the systems' order changes from metric to metric."""
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
