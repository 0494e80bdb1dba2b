"""A corrected board of a judge as tables."""

import numpy as np

from nlpstat_core.report.exports.tables.from_the_top import from_the_top
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
from nlpstat_core.results.judge import JudgedBoard


def judge_tables(found: JudgedBoard) -> tuple[Table, Table]:
    """Systems, the best first, and pairs in their order."""
    order = found.order
    top = set(found.top_group)
    board = (
        counts("rank", found.rank[order]),
        names("system", (found.systems[place] for place in order)),
        fixed("corrected", found.estimate[order], 3),
        intervals("interval", np.stack([found.lower, found.upper], axis=1)[order], 3),
        ranges("ranks", found.rank_interval[order], len(order)),
        counts("labels", found.labels[order]),
        fixed("worth", found.effective[order], 0),
        fixed("people", found.people[order], 3),
        counts("rank", found.rank_people[order]),
        fixed("judge", found.judged[order], 3),
        counts("rank", found.rank_judge[order]),
        fixed("bias", found.bias[order], 3),
        p_values("p of bias", found.bias_p[order], None),
        words("top group", ("●" if found.systems[place] in top else "" for place in order)),
    )
    seen, pairs = from_the_top(order, found.left, found.right), found.corrected
    rows = seen.rows
    table = (
        names("a", (found.systems[i] for i in seen.better)),
        names("b", (found.systems[i] for i in seen.worse)),
        fixed("a − b", seen.signed(pairs.difference), 3),
        fixed("± error", pairs.error[rows], 3),
        p_values("p", pairs.p_value[rows], None),
        p_values("adjusted p", pairs.p_adjusted[rows], None),
        words("differ", ("yes" if one else "" for one in pairs.significant[rows])),
        words("by people alone", ("yes" if one else "" for one in found.people_pairs.significant[rows])),
        words("by the judge alone", ("yes" if one else "" for one in found.judge_pairs.significant[rows])),
        counts("labels", pairs.n_items[rows]),
    )
    return Table("Corrected scores", board), Table("Pairs", table)
