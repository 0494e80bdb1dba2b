"""Boards ranked by a measure that is no mean: how pairs were compared, and what isn't there."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.report.wording.statements import Statement
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.columns import PairTable
from nlpstat_core.scores.matrix import ScoreMatrix

_SCALES = {"z-scores": "z-scores of each system", "mid-ranks": "mid-ranks of each system"}


def measure_notes(units: ScoreMatrix, pairs: PairTable) -> Iterator[Note]:
    """What a reader of a board of a measure should know."""
    if units.measured is None:
        return
    label = units.measured.label
    yield Note(
        "measure-no-mean",
        "info",
        f"{label} is not a mean of item scores: pairs are compared by exchanging outputs, the effect is the "
        f"difference in {label}, and there are neither effect sizes of item scores nor a test of all systems "
        "together.",
    )
    undefined = [
        name
        for place, name in enumerate(units.systems)
        if units.present[:, place].any() and np.isnan(units.values[units.present[:, place], place]).all()
    ]
    if undefined:
        yield Note(
            "measure-undefined",
            "caution",
            f"{label}, or its interval, is undefined for {', '.join(undefined[:5])}"
            f"{' and others' if len(undefined) > 5 else ''}.",
        )
    if units.has_missing:
        yield Note(
            "measure-own-items",
            "caution",
            f"Systems lack outputs for some items: the leaderboard has {label} of each system on the "
            "items it has, which no fit makes comparable; pairs are compared on what both have.",
        )
    apart = pairs.notes.get("interval-of-other-kind")
    if apart is not None and apart.any():
        count = int(apart.sum())
        yield Note(
            "test-and-interval",
            "info",
            f"In {count_of(count, 'pair')} the test and the interval disagree about 0: the test asks "
            "whether outputs could be exchanged, the interval is the jackknife's; the test decides.",
        )


def measure_statements(analysis: AnalysisData) -> Iterator[Statement]:
    """Which measure, what was exchanged, whose interval: for a methods paragraph."""
    measured = analysis.units.measured
    if measured is None:
        return
    yield Statement(f"The measure is {measured.label} (signature {measured.signature})")
    law = measured.law.exchange or measured.law
    scale = _SCALES.get(law.exchanged)
    if scale is not None:
        yield Statement(
            f"Before outputs were exchanged they were transformed into {scale}, so that differences of scale "
            f"don't matter"
        )
    one = "document" if analysis.config.block_column is not None else "item"
    yield Statement(
        f"Intervals of {measured.label} and of its differences are those of the jackknife that leaves out "
        f"one {one} at a time, at {100 * analysis.config.level:g} % for single comparisons; ranks in "
        f"resamples are by {measured.label} recomputed on the drawn {one}s",
        ("efron1993",),
    )
