"""Sentences on several metrics or data sets at once."""

import numpy as np

from nlpstat_core.board.ranking.claims import top_group
from nlpstat_core.formatting import count_of, format_score, is_or_are, p_equals
from nlpstat_core.report.wording.sentences import answer, withheld
from nlpstat_core.results.several_boards import Agreement, BoardsData, PooledData, Replicability

KINDS = {"metric": "metrics", "dataset": "data sets"}
ONE = {"metric": "metric", "dataset": "data set"}
MOST_NAMED = 6

MEANS = (
    "A count is a lower bound: the row beats the column in at least that many data sets, each judged by this "
    "analysis's own test, one-sided. It does not say by how much, nor that the other data sets show no "
    "difference, nor anything about data sets that are not in the list."
)


def listed(names: tuple[str, ...], most: int = MOST_NAMED) -> str:
    """Names in a row, the first ones only where there are many.

    >>> listed(("a", "b", "c"), 2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def boards_headline(boards: BoardsData) -> str:
    """The answer over all boards in one sentence, or why there is none yet."""
    if (why := withheld(*boards.analyses.values())) is not None:
        return why
    kinds, n = KINDS[boards.each], len(boards)
    every = f"both {kinds}" if n == 2 else f"all {n} {kinds}"
    always = always_on_top(boards)
    if boards.config.baseline is not None:
        top = f"{n} {kinds}, each system against {boards.config.baseline}"
    elif always:
        alone = all(top_group(analysis.leaderboard) == always for analysis in boards.analyses.values())
        who = f"{listed(always)} {is_or_are(len(always))}"
        top = f"{who} {'the top group' if alone else 'in the top group'} on {every}"
    else:
        top = f"No system is in the top group on {every}"
    by_document = sum(analysis.config.block_column is not None for analysis in boards.analyses.values())
    how = ", comparing documents" if by_document else ""
    how += f" on {by_document} of them" if 0 < by_document < n else ""
    return f"{top}; {agreement_phrase(boards.agreement, boards.each)}{how}."


def boards_waiting(boards: BoardsData) -> bool:
    """Whether it isn't settled how a board was read, so that nothing is said of all of them."""
    return withheld(*boards.analyses.values()) is not None


def always_on_top(boards: BoardsData) -> tuple[str, ...]:
    """Systems that are on every board and are beaten significantly on none, as on the first board."""
    groups = [top_group(analysis.leaderboard) for analysis in boards.analyses.values()]
    common = set(groups[0]).intersection(*groups[1:])
    return tuple(name for name in groups[0] if name in common)


def agreement_phrase(found: Agreement, each: str) -> str:
    """How many pairs all boards decide alike, and how many of these are undecided everywhere."""
    shared = found.boards > 1
    total = int(np.count_nonzero(shared))
    alike = int(np.count_nonzero(shared & (found.alike == found.boards)))
    undecided = int(np.count_nonzero(shared & (found.neither == found.boards)))
    against = int(np.count_nonzero(found.contradicting))
    if undecided and undecided == alike:
        text = f"{undecided:,} of {total:,} pairs {is_or_are(undecided)} undecided on every {ONE[each]} that "
        text += "compares them"
        text += ", none is decided the same way by all" if undecided < total else ""
    else:
        decided = alike - undecided
        text = f"{decided:,} of {total:,} pairs {is_or_are(decided)} decided the same way by all "
        text += f"{KINDS[each]} that compare them"
        if undecided:
            text += f"; {undecided:,} more {is_or_are(undecided)} undecided on every one"
    if against:
        text += f"; for {against:,}, some {KINDS[each]} decide one way and some the other"
    return text


def family_phrase(boards: BoardsData) -> str:
    """What was corrected together."""
    if boards.config.correction == "none":
        return "No correction for multiple comparisons."
    if boards.family_size is not None:
        return f"One family of {count_of(boards.family_size, 'comparison')} over all {KINDS[boards.each]}."
    sizes = tuple(dict.fromkeys(f"{analysis.family_size:,}" for analysis in boards.analyses.values()))
    noun = "comparison" if sizes == ("1",) else "comparisons"
    return f"Each {ONE[boards.each]} is a separate family ({listed(sizes)} {noun})."


def board_sentence(boards: BoardsData, name: str) -> str:
    """One board in one sentence."""
    return f"{name}: {answer(boards.analyses[name])}"


def pooled_sentences(found: PooledData) -> tuple[str, ...]:
    """What the data sets say together."""
    by = "" if len(found.analysis.pairs) == 1 else ", by Wilcoxon's signed-rank test"
    lines = [f"Over data sets{by}: {answer(found.analysis)}"]
    omnibus = found.omnibus
    if omnibus is not None:
        also, alpha = omnibus.also[0], found.analysis.config.alpha
        lines.append(
            f"Friedman's test of {len(found.everywhere)} systems on {omnibus.n_units} data sets: chi-square "
            f"{format_score(omnibus.statistic)}, {p_equals(omnibus.p_value, alpha=alpha)}; Iman and "
            f"Davenport's F {format_score(also.statistic)}, {p_equals(also.p_value, alpha=alpha)}."
        )
    if found.ranks is not None:
        lines.append(
            f"Average ranks at least {format_score(found.ranks.critical_difference)} apart are found to "
            f"differ at {found.ranks.alpha:g} (Nemenyi's critical difference)."
        )
    return tuple(lines)


def confidence_sentence(found: Replicability, together: bool) -> str:
    """How sure the counts are."""
    level = f"{100 * (1 - found.alpha):g} %"
    how = (
        "whatever the dependence between data sets, if every p-value is valid (Bonferroni)"
        if found.method == "bonferroni"
        else "if the data sets are independent of each other (Fisher)"
    )
    if together:
        return f"With {level} confidence all {len(found):,} counts hold together, {how}."
    return f"With {level} confidence any single count holds, {how}; among many counts some will be too large."
