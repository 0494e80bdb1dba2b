"""Average ranks over units or data sets as a table."""

from nlpstat_core.formatting import format_score
from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
from nlpstat_core.report.exports.tables.table import Table, fixed, names, words


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
