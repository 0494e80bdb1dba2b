"""A corrected board of a judge as tables."""

import numpy as np

from nlpstat_core.report.exports.tables.from_the_top import FromTheTop, from_the_top
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
from nlpstat_core.results.judge import JudgedBoard, PairsOfBoard


def board_table(found: JudgedBoard) -> Table:
    """Systems, the best first, with their ranks by people's labels and by the judge alone."""
    order = found.order
    top = set(found.top_group)
    board = (
        counts("Rank", found.rank[order]),
        names("System", (found.systems[place] for place in order)),
        fixed("Corrected", found.estimate[order], 3),
        intervals("Interval", np.stack([found.lower, found.upper], axis=1)[order], 3),
        ranges("Ranks", found.rank_interval[order], len(order)),
        counts("Labels", found.labels[order]),
        fixed("Worth", found.effective[order], 0),
        fixed("People", found.people[order], 3),
        counts("Rank by people", found.rank_people[order]),
        fixed("Judge", found.judged[order], 3),
        counts("Rank by judge", found.rank_judge[order]),
        words("Top group", ("●" if found.systems[place] in top else "" for place in order)),
    )
    return Table("Scores corrected by people", board)


def bias_table(found: JudgedBoard) -> Table:
    """What the judge gives every system more than the others, the most favoured first."""
    order = np.argsort(-found.bias, kind="stable")
    ends = np.stack([found.bias_lower, found.bias_upper], axis=1)[order]
    columns = (
        names("System", (found.systems[place] for place in order)),
        fixed("Bias", found.bias[order], 3),
        intervals("Bias interval", ends, 3),
        p_values("Adjusted p", found.bias_p[order], found.alpha),
    )
    remark = (
        "Bias: judge minus people on items labelled for all systems, the judge's points brought to people's "
        "by their spreads, less the mean over the systems. p adjusted by Holm over systems."
    )
    return Table("Whom the judge favours", columns, remark)


def checks_table(found: JudgedBoard) -> Table:
    """Whether the labelled items look like a random part of all."""
    frame = found.checks_frame()
    ends = frame[["lower", "upper"]].to_numpy()
    columns = (
        words("Check", frame["kind"]),
        names("Of", frame["about"]),
        fixed("Labelled", frame["labelled"], undefined=""),
        fixed("Others", frame["unlabelled"], undefined=""),
        intervals("Difference", ends, 3, undefined=""),
        p_values("p", frame["p_value"], None),
        p_values("Adjusted p", frame["p_adjusted"], found.alpha),
    )
    remark = (
        "Means of the judge's scores; label columns by chi-squared against random draws. p adjusted by Holm "
        "over all checks."
    )
    return Table("Are the labelled items a random part?", columns, remark)


def zero_one_table(found: JudgedBoard) -> Table | None:
    """Verdicts of the judge beside people's, and shares by Rogan and Gladen; None for other scores."""
    verdicts, order = found.itself.zero_one, found.order
    if verdicts is None:
        return None
    columns = [
        names("System", (found.systems[place] for place in order)),
        counts("1 and 1", verdicts.both[order]),
        counts("1 and 0", verdicts.missed[order]),
        counts("0 and 1", verdicts.invented[order]),
        counts("0 and 0", verdicts.neither[order]),
    ]
    for name, head in (
        ("sensitivity", "Sensitivity"),
        ("specificity", "Specificity"),
        ("rate", "Rogan–Gladen"),
    ):
        columns.append(fixed(head, getattr(verdicts, name)[order], 3))
        columns.append(intervals(f"{head} interval", getattr(verdicts, f"{name}_interval")[order], 3))
    remark = (
        "Labelled items by people's verdict and the judge's; sensitivity: of people's 1 those the judge "
        "gives 1; specificity: of their 0 those it gives 0; Rogan–Gladen: people's share of 1 from the "
        "judge's on unlabelled items."
    )
    return Table("Verdicts of the judge", tuple(columns), remark)


def calibration_table(found: JudgedBoard) -> Table | None:
    """People's share of 1 by the judge's score; None where people give other scores."""
    bins = found.itself.calibration
    if bins is None:
        return None
    columns = (
        fixed("Judge", bins.judged),
        fixed("People's share of 1", bins.share, 3),
        intervals("Interval", bins.interval, 3),
        counts("Labels", bins.labels),
    )
    return Table("People's share of 1 by the judge's score", columns)


def raters_table(found: JudgedBoard) -> Table | None:
    """How severe each rater is, the most lenient first; None where errors aren't by rater."""
    raters = found.of_raters
    if raters is None:
        return None
    order = np.argsort(-raters.severity, kind="stable")  # those that can't be compared come last
    ends = np.stack([raters.lower, raters.upper], axis=1)
    columns = [
        names("Rater", (raters.names[i] for i in order)),
        counts("Ratings", raters.ratings[order]),
        fixed("Mean", raters.mean[order], 3),
        fixed("Standard deviation", raters.deviation[order], 3),
    ]
    remark = "Nobody rated an item that another rater did, so none can be called severe or lenient."
    if raters.shared.any():
        columns += [
            fixed("Beside the others", raters.severity[order], 3),
            intervals("Interval", ends[order], 3),
            p_values("Adjusted p", raters.p_adjusted[order], found.alpha),
            counts("Shared items", raters.shared[order]),
        ]
        remark = (
            "Beside the others: what a rater gives more than the others who rated the same outputs, with t "
            "intervals by item. p adjusted by Holm over raters."
        )
    return Table("Raters", tuple(columns), remark)


def leanings_table(found: JudgedBoard) -> Table | None:
    """What the judge gives more than people where a column is larger; None without such columns."""
    leanings = found.itself.leanings
    if not leanings:
        return None
    ends = np.array([[one.lower, one.upper] for one in leanings])
    columns = (
        names("Column", (one.name for one in leanings)),
        fixed("Judge − people", [one.slope for one in leanings], 3),
        intervals("Interval", ends, 3),
        fixed("For", [one.deviation for one in leanings]),
        p_values("Adjusted p", [one.p_adjusted for one in leanings], found.alpha),
    )
    remark = "Points for one standard deviation of the column within systems; errors by item or document."
    return Table("Does the judge lean to length or position?", columns, remark)


def pairs_table(found: JudgedBoard) -> Table:
    """All pairs in the order of the board."""
    order = found.order
    seen, pairs = from_the_top(order, found.left, found.right), found.corrected
    rows = seen.rows
    table = (
        names("A", (found.systems[i] for i in seen.better)),
        names("B", (found.systems[i] for i in seen.worse)),
        words("Better", _better(found, found.corrected, seen)),
        words("By people alone", _better(found, found.people_pairs, seen)),
        words("By the judge alone", _better(found, found.judge_pairs, seen)),
        fixed("A − B", seen.signed(pairs.difference), 3),
        fixed("± error", pairs.error[rows], 3),
        p_values("p", pairs.p_value[rows], None),
        p_values("Adjusted p", pairs.p_adjusted[rows], None),
        counts("Labels", pairs.n_items[rows]),
        fixed("Worth", found.worth_of_pairs[rows], 0),
    )
    return Table("Pairs", table)


def _better(found: JudgedBoard, pairs: PairsOfBoard, seen: FromTheTop) -> list[str]:
    """Which of A and B is found to be better; "" where neither is."""
    turned = found.turned and pairs is found.judge_pairs
    ahead = seen.signed(pairs.difference) * (-1.0 if found.lower_is_better != turned else 1.0) > 0
    return [
        ("A" if first else "B") if sure else ""
        for first, sure in zip(ahead, pairs.significant[seen.rows], strict=True)
    ]
