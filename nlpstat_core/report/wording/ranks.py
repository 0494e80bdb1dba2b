"""Sentences on how ranks vary, on average ranks, and on the tests of all systems together."""

from nlpstat_core.methods.omnibus import OMNIBUS as BOARD_TESTS
from nlpstat_core.methods.omnibus.nemenyi import AverageRanks
from nlpstat_core.methods.omnibus.outcome import Omnibus
from nlpstat_core.results.ranks import RankDistribution

BEST = (
    "How often this system comes out best when the items of the test set are resampled. Not a p-value: "
    "it says how stable the top is, not whether systems differ."
)
NEMENYI_CAUTION = (
    "Made for boards on which every item is a data set. Over single test items hundreds of tiny wins add up "
    "and nearly everything is separated; ranks also say nothing about how large the differences are. For "
    "test items report the paired tests of all pairs."
)
OMNIBUS = (
    "A small p says that not all systems are alike, but not which of them differ; the tests of "
    "pairs say that, whatever the result here."
)
TOP_MARK = "●"
DECISIONS = (
    f"{TOP_MARK} The top group: no other system is significantly better. Cluster 1 may be larger, as it ends "
    "only where every system above is significantly better than every one below. A lower-ranked system may "
    "be in the top group if its differences vary more or rest on fewer items."
)
_RARE = 0.005
_NAMED = 4


def omnibus_name(omnibus: Omnibus) -> str:
    """A test of all systems together, for people."""
    return BOARD_TESTS[omnibus.test].title


def best_sentence(found: RankDistribution) -> str:
    """Which systems come out best how often."""
    order = sorted(range(len(found.systems)), key=lambda i: -found.best[i])
    often = [i for i in order if found.best[i] >= _RARE]
    text = ", ".join(f"{found.systems[i]} {_percent(float(found.best[i]))}" for i in often[:_NAMED])
    more = f", others {_percent(float(found.best[order[_NAMED:]].sum()))}" if len(often) > _NAMED else ""
    what = drawn_text(found)
    return f"Best in how many of {found.resamples:,} test sets resampled from these {what}: {text}{more}."


def drawn_text(found: RankDistribution) -> str:
    """What was drawn with replacement: "units", "documents and runs"."""
    what = "documents" if found.resampled == "blocks" else "items"
    return f"{what} and runs" if found.runs else what


def _percent(share: float) -> str:
    """A share that never claims certainty by rounding.

    >>> _percent(0.996), _percent(1.0), _percent(0.123)
    ('more than 99 %', '100 %', '12 %')
    """
    if 0.99 < share < 1:
        return "more than 99 %"
    return f"{100 * share:.0f} %"


def average_ranks_sentence(found: AverageRanks) -> str:
    """What average ranks have to be apart, and how many pairs are."""
    size = len(found.systems)
    total = size * (size - 1) // 2
    return (
        f"{found.systems[found.order[0]]} has the best average rank, {found.average_rank.min():.2f}, over "
        f"{found.n_units:,} items. Average ranks are found to differ by Nemenyi's test at "
        f"{found.alpha:g} when they are at least {found.critical_difference:.3g} apart: {found.separated:,} "
        f"of {total:,} pairs are."
    )
