"""Sentences on what drives a difference: left-out groups and slices."""

import numpy as np

from nlpstat_core.board.pairs.decision import decide
from nlpstat_core.board.pairs.influence import Groups
from nlpstat_core.formatting import format_score
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.results.pair import PairData

EXPLORATION = (
    "Exploration only: looking at many parts of the data finds some that stand out by chance. "
    "The verdict above is the one to report."
)


def left_out_sentence(groups: Groups, pair: PairData, alpha: float) -> str:
    """How much the difference hangs on single groups."""
    defined = np.flatnonzero(np.isfinite(groups.difference))
    if not defined.size:
        return f"No item is left when a value of {groups.label} is left out."
    low = int(defined[np.argmin(groups.difference[defined])])
    high = int(defined[np.argmax(groups.difference[defined])])
    text = (
        f"Without any one of the {len(groups):,} values of {groups.label}, the difference "
        f"{pair.system_a} − {pair.system_b} of {format_score(pair.difference)} lies between "
        f"{format_score(float(groups.difference[low]))} (without {groups.name[low]}) and "
        f"{format_score(float(groups.difference[high]))} (without {groups.name[high]})."
    )
    tested = np.isfinite(groups.p_value)
    if pair.test is None or not tested.any():
        return text
    whole = bool(decide(np.array([pair.p_value]), alpha)[0])
    other = int(np.count_nonzero(decide(groups.p_value[tested], alpha) != whole))
    side = "at or below" if whole else "above"
    of_test = f"The p of {label_of_test(pair.test)} for this comparison alone is {side} {alpha:g}"
    if not other:
        return f"{text} {of_test}, and stays there whichever is left out."
    return f"{text} {of_test}, but crosses it for {other:,} of the values left out."


def slices_sentence(groups: Groups, pair: PairData) -> str:
    """How the difference changes over the slices."""
    defined = groups.difference[np.isfinite(groups.difference)]
    above, below = (int(np.count_nonzero(side)) for side in (defined > 0, defined < 0))
    equal = defined.size - above - below
    rest = f", and the same in {equal:,}" if equal else ""
    return (
        f"Of {len(groups):,} values of {groups.label}, {pair.system_a} scores higher in {above:,}, "
        f"{pair.system_b} in {below:,}{rest}."
    )
