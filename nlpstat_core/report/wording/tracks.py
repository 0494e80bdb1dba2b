"""Sentences on composites of several tracks."""

from collections.abc import Mapping, Sequence
from typing import Literal

from nlpstat_core.board.pairs.track_parts import TrackParts
from nlpstat_core.formatting import count_of, format_score, listed_names, some_names
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.results.analysis import AnalysisData
from nlpstat_core.results.tracks import MissingRule, Outlook, TrackRanking, WeightRange

CLAIMS: dict[Literal["fixed", "sampled"], tuple[str, str]] = {
    "fixed": (
        "These tracks",
        "other items of these tracks, resampled within each; no claim about other tracks",
    ),
    "sampled": (
        "Tracks like these",
        "other tracks like these, which are the items then: six or more are needed to show anything at 5 %",
    ),
}
RULES: dict[MissingRule, str] = {
    "exclude": "Left out of the overall ranking",
    "shared": "Ranked over the tracks that all systems have",
    "worst": "Given the worst mean of the track on each of its items",
}
FIRST = 3
MOST_NAMED = 6
TIE = 1e-12
WHAT_SIGNAL_IS = (
    "Signal to noise: the variance between the systems' means over the variance that a mean has by its items "
    "(F − 1 of systems × items). Near 0 a track orders the systems by chance."
)
WITHOUT_CHANCE = (
    "These are orders of the observed means; how far they hold for other items is on the composite's "
    "own leaderboard (intervals, ranks that stay open, how often each system is first)."
)


def first_ranks(order: Sequence[str] | str) -> str:
    """The first systems of an order, or why there is none.

    >>> first_ranks(("C", "A", "B", "D"))
    '1 C, 2 A, 3 B …'
    """
    if isinstance(order, str):
        return order
    named = ", ".join(f"{rank} {system}" for rank, system in enumerate(order[:FIRST], start=1))
    return f"{named}{' …' if len(order) > FIRST else ''}"


def rules_lines(missing: Mapping[MissingRule, tuple[str, ...] | str]) -> list[str]:
    """What each rule for systems that lack a track does to the first ranks, a line each."""
    return [f"{rule} ({RULES[rule].lower()}): {first_ranks(order)}" for rule, order in missing.items()]


def range_text(found: WeightRange) -> str:
    """At which shares of a track the first stays first, and who is first beyond.

    >>> range_text(WeightRange("en", 0.5, 0.2, 1.0, below="B")), range_text(WeightRange("en", 0.5, 0, 1))
    ('20–100 %; below, B', 'at every share')
    """
    if found.low <= 0 and found.high >= 1:
        return "at every share"
    beyond = [f"below, {found.below}"] if found.below else []
    beyond += [f"above, {found.above}"] if found.above else []
    return f"{100 * found.low:.3g}–{100 * found.high:.3g} %; {'; '.join(beyond)}"


def outlook_sentence(found: Outlook) -> str:
    """The order's firmness against weights and tracks in one sentence."""
    first = found.systems[0]
    tied = [
        system
        for system, value in zip(found.systems, found.values, strict=True)
        if abs(value - found.values[0]) <= TIE * abs(found.values[0])
    ]
    if len(tied) > 1:
        return f"{listed_names(tied)} share the first place; any change of the weights may separate them."
    decisive = found.decisive
    if len(found.tracks) < 2:
        return f"{first} is first; only one track counts."
    if decisive:
        one = "track" if len(decisive) == 1 else "any one of the tracks"
        text = f"Without {one} {listed_names(list(decisive))} another system than {first} is first"
    else:
        text = f"{first} stays first without any one of the tracks"
    moved = [one for one in found.ranges if one.low > 0 or one.high < 1]
    if not moved:
        return f"{text}, and at every share of any one track."
    nearest = min(moved, key=_distance)
    end, who = _nearest_end(nearest)
    return (
        f"{text}; the smallest change of one track's share that makes another first is {nearest.track} from "
        f"{100 * nearest.share:.3g} % to {100 * end:.3g} % ({who})."
    )


def _nearest_end(found: WeightRange) -> tuple[float, str]:
    ends = [(found.low, found.below)] * bool(found.below) + [(found.high, found.above)] * bool(found.above)
    return min(ends, key=lambda end: abs(end[0] - found.share))


def _distance(found: WeightRange) -> float:
    return round(abs(_nearest_end(found)[0] - found.share), 12)


def weights_told(shares: Mapping[str, float]) -> str:
    """Shares of tracks in a row.

    >>> weights_told({"en": 0.75, "de": 0.25})
    'en 75 %, de 25 %'
    """
    return ", ".join(f"{name} {100 * share:.3g} %" for name, share in shares.items())


def parts_sentence(found: TrackParts, a: str, b: str) -> str:
    """Which tracks are for a and which for b, the largest parts first."""
    ordered = sorted(zip(found.parts.tolist(), found.tracks, strict=True), key=lambda part: -abs(part[0]))
    whole = format_score(float(found.parts.sum()))
    sides = [
        (system, [f"{name} ({format_score(part)})" for part, name in ordered if part * sign > 0][:MOST_NAMED])
        for system, sign in ((a, 1), (b, -1))
    ]
    said = "; ".join(f"higher for {system}: {listed_names(names)}" for system, names in sides if names)
    return f"The parts of the tracks sum to the difference of {whole}{'; ' + said if said else ''}."


def composite_text(analysis: AnalysisData) -> str:
    """What a composite's score is made of and what claims about it are about; empty for other boards."""
    told = analysis.scores.reading.get("composite")
    if told is None:
        return ""
    claim = CLAIMS[told["tracks"]][1]
    items = ", in which items of one id in several tracks are one" if told["shared_items"] else ""
    return f"The score is a composite of several tracks{items}: claims are about {claim}"


def ranking_headline(found: TrackRanking) -> str:
    """Who is first by places, and who can't be told from it."""
    top = found.top_group
    if len(top) == 1 and found.rank_interval[found.systems.index(top[0]), 1] == 1:
        said = f"{top[0]} is found to be better than every other system"
    else:
        said = f"no system is found to be better than {some_names(top)}"
    first = [system for system, rank in zip(found.systems, found.rank.tolist(), strict=True) if rank == 1]
    lead = f"{some_names(first)} share the first place" if len(first) > 1 else f"{first[0]} is first"
    return f"{lead} by {found.metric} over {count_of(len(found.tracks), 'track')}; {said}."


def separated_sentence(found: TrackRanking) -> str:
    """How many pairs are found to differ, and which neighbours are."""
    differ = int(found.significant.sum())
    if not differ:
        return f"0 of {count_of(found.p_value.size, 'pair')} are found to differ."
    apart = [
        f"{found.systems[a]} and {found.systems[a + 1]}"
        for a in found.system_a[found.significant & (found.system_b - found.system_a == 1)].tolist()
    ]
    verb = "is" if differ == 1 else "are"
    of = f"{differ:,} of {count_of(found.p_value.size, 'pair')} {verb} found to differ"
    if not apart:
        return f"{of}, none of them neighbours in the ranking."
    return f"{of}; of neighbours in the ranking, {some_names(apart)}."


def ranking_legend(found: TrackRanking) -> str:
    """What the columns of a ranking by places are."""
    return (
        f"Interval: middle {100 * found.level:g} % of the resamples. Ranks: those possible given the pairs "
        "found to differ. First: how often the system is first in resamples, which is not a p-value. "
        "Resamples add noise to close systems, so intervals of places are biased towards the middle."
    )


def ranking_method(found: TrackRanking) -> str:
    """How a ranking by places was made, and what its claims are about."""
    one = "document" if found.documents else "item"
    within = "over all tracks together" if found.shared_items else "within each track"
    return (
        f"{count_of(found.resamples, 'resample')} of {one}s {within}; claims are about {CLAIMS['fixed'][1]}. "
        f"Tracks: {weights_told(dict(zip(found.tracks, found.shares, strict=True)))}."
    )


def ranking_pairs_legend(found: TrackRanking) -> str:
    """How pairs of a ranking by places are tested."""
    largest = float(found.p_error.max(initial=0.0))
    drawn = f" Where swaps are drawn, p has a relative standard error of at most {100 * largest:.0f} %."
    least = 2.0 ** (1 - len(found.tracks))
    chance = " but for the error of drawing" if largest else ""
    neighbours = (
        " Two systems without another between them can only change places, in each track by chance: over "
        f"{len(found.tracks)} tracks their p can't be below {least:.2g}{chance}, "
        "however many items there are; a composite of means has no such bound."
    )
    return (
        "p: the scores of the two systems are exchanged item by item, the others stay; adjusted by "
        f"{CORRECTIONS[found.correction].label} over all pairs.{drawn if largest else ''}"
        f"{neighbours if least > found.alpha and not found.shared_items else ''}"
    )
