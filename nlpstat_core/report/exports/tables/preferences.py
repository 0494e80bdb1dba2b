"""A board of preferences as tables."""

import numpy as np

from nlpstat_core.report.exports.tables.from_the_top import from_the_top
from nlpstat_core.report.exports.tables.table import (
    Table,
    counts,
    fixed,
    names,
    p_values,
    ranges,
    words,
    written,
)
from nlpstat_core.results.preferences import Preferences


def preference_tables(found: Preferences) -> tuple[Table, Table]:
    """Systems, the strongest first, and pairs in the order of this board."""
    order = found.order
    top = set(found.top_group)
    board = (
        counts("rank", found.rank[order]),
        names("system", (found.systems[place] for place in order)),
        fixed("strength", found.strength[order], 3),
        fixed("± error", found.error[order], 3),
        ranges("ranks", found.rank_interval[order], len(order)),
        counts("battles", found.battles[order]),
        words("top group", ("●" if found.systems[place] in top else "" for place in order)),
    )
    seen = from_the_top(order, found.left, found.right)
    rows = seen.rows
    won = np.where(seen.turned, found.losses[rows], found.wins[rows])
    lost = np.where(seen.turned, found.wins[rows], found.losses[rows])
    pairs = (
        names("a", (found.systems[i] for i in seen.better)),
        names("b", (found.systems[i] for i in seen.worse)),
        fixed("a − b", seen.signed(found.difference), 3),
        fixed("± error", found.difference_error[rows], 3),
        p_values("p", found.p_value[rows], None),
        p_values("adjusted p", found.p_adjusted[rows], None),
        words("differ", ("yes" if one else "" for one in found.significant[rows])),
        written(
            "won–lost–tied",
            (f"{w}–{b}–{t}" for w, b, t in zip(won, lost, found.ties[rows], strict=True)),
            (won - lost).astype(float),
        ),
    )
    return Table("Strengths", board), Table("Pairs", pairs)
