"""A board of preferences as tables."""

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
    written,
)
from nlpstat_core.results.preference_checks import PreferenceChecks
from nlpstat_core.results.preferences import Preferences


def preference_tables(found: Preferences) -> tuple[Table, Table]:
    """Systems, the strongest first, and pairs in the order of this board."""
    order = found.order
    top = set(found.top_group)
    board = (
        counts("Rank", found.rank[order]),
        names("System", (found.systems[place] for place in order)),
        fixed("Strength", found.strength[order], 3),
        fixed("± error", found.error[order], 3),
        ranges("Ranks", found.rank_interval[order], len(order)),
        counts("Battles", found.battles[order]),
        words("Top group", ("●" if found.systems[place] in top else "" for place in order)),
        *([] if found.letters is None else [words("Letters", (found.letters[place] for place in order))]),
    )
    seen = from_the_top(order, found.left, found.right)
    rows = seen.rows
    won = np.where(seen.turned, found.losses[rows], found.wins[rows])
    lost = np.where(seen.turned, found.wins[rows], found.losses[rows])
    pairs = (
        names("A", (found.systems[i] for i in seen.better)),
        names("B", (found.systems[i] for i in seen.worse)),
        fixed("A − B", seen.signed(found.difference), 3),
        fixed("± error", found.difference_error[rows], 3),
        p_values("p", found.p_value[rows], None),
        p_values("Adjusted p", found.p_adjusted[rows], None),
        words("Differ", ("yes" if one else "" for one in found.significant[rows])),
        written(
            "Won–lost–tied",
            (f"{w}–{b}–{t}" for w, b, t in zip(won, lost, found.ties[rows], strict=True)),
            (won - lost).astype(float),
        ),
    )
    return Table("Strengths", board), Table("Pairs", pairs)


def misfit_table(checks: PreferenceChecks, most: int) -> Table:
    """Pairs that met, those that the strengths explain worst first."""
    order = np.argsort(np.nan_to_num(checks.misfit_p, nan=2.0), kind="stable")[:most]
    left, right = checks.left[order], checks.right[order]
    left_out = checks.left.size - order.size
    columns = (
        names("A", (checks.systems[i] for i in left)),
        names("B", (checks.systems[i] for i in right)),
        counts("Battles", checks.battles[order]),
        fixed("Observed share", checks.observed[order], 3),
        fixed("Fitted share", checks.fitted[order], 3),
        p_values("p of misfit", checks.misfit_p[order], None),
        p_values("Adjusted p", checks.misfit_adjusted[order], checks.alpha),
        p_values("p of sign test", checks.sign_p[order], None),
    )
    return Table(
        "Fit", columns, remark=f"{left_out:,} pairs that fit better are left out." if left_out else ""
    )


def effects_table(checks: PreferenceChecks) -> Table:
    """Order and style."""
    found = checks.effects
    ends = np.array([[one.lower, one.upper] for one in found]).reshape(-1, 2)
    return Table(
        "Order and style",
        (
            names("What", (one.name for one in found)),
            fixed("Log odds", (one.coefficient for one in found), 3),
            intervals("Interval", ends, 3),
            p_values("p", (one.p_value for one in found), checks.alpha),
        ),
    )


def variants_table(checks: PreferenceChecks) -> Table:
    """The board with one choice changed."""
    found = checks.variants
    return Table(
        "Other choices",
        (
            words("Changed", (one.changed for one in found)),
            words("Pairs found to differ", ("" if one.problem else f"{one.differ:,}" for one in found)),
            words("Decided otherwise", ("" if one.problem else f"{one.otherwise:,}" for one in found)),
            words("Top group", (one.problem or ", ".join(one.top_group) for one in found)),
        ),
    )


def plan_table(checks: PreferenceChecks) -> Table:
    """Neighbours and the battles that would separate them."""
    ordered = [checks.systems[place] for place in checks.order]
    needed = [
        "separated" if value == 0 else f"{value:,.0f}" if np.isfinite(value) else "not by this"
        for value in checks.needed.tolist()
    ]
    return Table(
        "Battles to separate neighbours",
        (
            names("A", ordered[:-1]),
            names("B", ordered[1:]),
            written("Battles in all", needed, checks.needed.tolist()),
        ),
        remark="Battles needed in all, if they are like these, for a power of 0.8 at the level of one pair "
        "after correction over all pairs.",
    )
