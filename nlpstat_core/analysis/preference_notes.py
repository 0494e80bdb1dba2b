"""What to mind about a board of preferences: battles taken alone, few or uneven clusters, pairs apart."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of
from nlpstat_core.methods.preferences.sandwich import effective_clusters
from nlpstat_core.notes import Note
from nlpstat_core.scores.battle_columns import prompts_with_gaps, stand_alone
from nlpstat_core.scores.battles import Battles, TwoClusters

FEW_CLUSTERS = 20
UNEVEN = 0.5  # effective clusters over clusters
THIN = 5.0  # degrees of freedom


def notes_on_battles(
    battles: Battles, clusters: TwoClusters, most: int, freedom: FloatArray, found: FloatArray, met: IntArray
) -> Iterator[Note]:
    """Notes in their order.

    most: Degrees of freedom of clusters that are alike.
    freedom, found: Degrees of freedom, and the share of the variance that the sandwich finds.
    met (integers, shape (n_pairs,)): Battles of every pair.
    """
    if clusters is None and not stand_alone(battles):
        text = (
            "Every battle counts as independent; where prompts or raters repeat, standard errors are too "
            "small. Name their column as clusters."
        )
        if (gaps := prompts_with_gaps(battles)) is not None:
            name, some = gaps
            text += (
                f" {shown(name)} names prompts, but {count_of(some, 'battle')} "
                f"{'lacks' if some == 1 else 'lack'} one: fill these cells or leave the battles out, and "
                "errors are by prompt."
            )
        yield Note("battles-alone", "caution", text)
    few = (
        [] if clusters is None else [*_few_clusters(effective_clusters(battles, clusters), most + 1, freedom)]
    )
    yield from few
    yield from _thin_pairs(freedom, found, few)
    apart = int(np.count_nonzero(met == 0))
    if apart:
        pairs = _pairs(apart, met.size)
        text = f"{pairs} never met: what is said of them rests on battles with others, and on the model."
        yield Note("never-met", "info", text)


def _pairs(some: int, all_: int) -> str:
    return "1 pair of systems" if some == 1 else f"{some:,} of {all_:,} pairs of systems"


def _few_clusters(effective: float, number: int, freedom: FloatArray) -> Iterator[Note]:
    """What few clusters, or few that hold most battles, do to errors; levels by simulation."""
    if effective >= FEW_CLUSTERS:
        return
    usual = f"{np.median(freedom):.0f}"
    if effective < UNEVEN * number:
        text = (
            f"Of {number:,} clusters a few hold most battles: they carry as much information as about "
            f"{effective:.0f} of equal size. Tests and intervals allow for that with about {usual} degrees "
            f"of freedom instead of {number - 1:,}, so that intervals are wide, and rather too wide than too "
            "narrow: on simulated boards of equal systems tests at 5 % found a difference in 2 to 4 % of "
            "pairs. Spread battles over more clusters, or leave out some of the busiest ones' battles."
        )
        yield Note("uneven-clusters", "caution", text)
        return
    text = (
        f"There are {number} clusters; below {FEW_CLUSTERS} the standard errors are themselves uncertain, "
        f"which tests and intervals allow for with about {usual} degrees of freedom. More clusters would "
        "tell more than more battles of each."
    )
    yield Note("few-clusters", "caution", text)


def _thin_pairs(freedom: FloatArray, found: FloatArray, few: list[Note]) -> Iterator[Note]:
    """Pairs that rest on hardly any clusters, though the board has more.

    few: What was said of clusters already.
    """
    alone = int(np.count_nonzero(np.isnan(found)))
    if alone:
        text = (
            f"All that is known of {_pairs(alone, freedom.size)} comes from one cluster, and nothing says "
            "how much another would differ: without a test."
        )
        yield Note("one-cluster", "caution", text)
    thin = int(np.count_nonzero((freedom < THIN) & ~np.isnan(found)))
    if thin and not few and np.median(freedom) >= THIN:
        text = (
            f"{_pairs(thin, freedom.size)} {'rests' if thin == 1 else 'rest'} on few clusters: fewer than "
            f"{THIN:.0f} degrees of freedom, where others have about {np.median(freedom):,.0f}. Have more "
            "raters or prompts compare these systems."
        )
        yield Note("thin-pairs", "caution", text)
