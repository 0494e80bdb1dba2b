"""A ranking by places in several tracks as tables."""

import numpy as np

from nlpstat_core.report.exports.tables.table import (
    Table,
    counts,
    fixed,
    intervals,
    names,
    p_values,
    ranges,
    words,
)
from nlpstat_core.results.tracks import TrackRanking

_DECIMALS = 3


def ranking_table(found: TrackRanking) -> Table:
    """Systems, the best first."""
    return Table(
        f"Ranked by {found.metric}",
        (
            counts("Rank", found.rank),
            names("System", found.systems),
            fixed(found.metric[0].upper() + found.metric[1:], found.score, _DECIMALS),
            intervals("Interval", found.interval, _DECIMALS),
            ranges("Ranks", found.rank_interval, len(found.systems)),
            ranges("Ranks in resamples", found.ranks.middle(found.level), len(found.systems)),
            fixed("First, %", 100 * found.ranks.best, 1),
        ),
    )


def tracks_table(found: TrackRanking) -> Table:
    """What the ranking is made of."""
    return Table(
        "Tracks",
        (
            names("Track", found.tracks),
            fixed("Weight, %", 100 * np.array(found.shares), 1),
            counts("Items", np.array(found.items)),
        ),
    )


def ranking_pairs_table(found: TrackRanking) -> Table:
    """All pairs, in the order of the ranking."""
    systems = np.array(found.systems, dtype=object)
    return Table(
        "Pairs",
        (
            names("A", systems[found.system_a]),
            names("B", systems[found.system_b]),
            fixed("A − B", found.difference, _DECIMALS),
            intervals("Interval", found.difference_interval, _DECIMALS),
            p_values("p", found.p_value, None),
            p_values("Adjusted p", found.p_adjusted, found.alpha),
            words("Differ", ("yes" if one else "" for one in found.significant)),
        ),
    )
