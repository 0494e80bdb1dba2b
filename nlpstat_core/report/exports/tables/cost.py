"""Score and cost as a table."""

from nlpstat_core.formatting import common_decimals, interval_decimals, some_names
from nlpstat_core.report.exports.tables.table import Table, fixed, intervals, names, words
from nlpstat_core.results.cost import CostFront


def front_table(found: CostFront) -> Table:
    """Systems, the best score first."""
    beaten = found.beaten_by
    score = max(common_decimals(found.score, 3), interval_decimals(found.score_interval))
    cost = max(common_decimals(found.mean_cost, 3), interval_decimals(found.cost_interval))
    return Table(
        f"{found.metric} against {found.cost}",
        (
            names("System", found.systems),
            words("On the front", ("yes" if one else "" for one in found.on_front)),
            fixed("Probability, %", 100 * found.probability, 1),
            fixed(found.metric, found.score, score),
            intervals("Interval", found.score_interval, score),
            fixed(f"{found.cost} (mean)", found.mean_cost, cost),
            intervals("Interval of the cost", found.cost_interval, cost),
            words("Beaten by", (some_names(beaten.get(name, ()), 2) for name in found.systems)),
        ),
    )
