"""Systems and pairs of several boards under common numbers, by name."""

from collections.abc import Iterable, Sequence

import numpy as np

from nlpstat_core.analysis.result import Analysis
from nlpstat_core.board.pairs.columns import Progress
from nlpstat_core.results.several_boards import CommonPairs


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
    """The progress of one of several analyses as part of all of them.

    start, total: Pairs done before, and pairs in all.
    """
    if progress is None:
        return None

    def tell(done: int, _: int) -> None:
        progress(start + done, total)

    return tell
