"""Statistics of the scores that stand among them as rows or columns: known by names and values."""

import re
from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.readers.roles.names import Kind, normal, says

MOST_CELLS = 5_000_000
MOST_RANKED = 50_000_000  # comparisons
MOST_OTHERS = 20  # whose differences and ranks are looked at
MOST_AT_AN_END = 20
MOST_PLACES = 6
CHANCE = 2.0  # decimal places of the chance that other numbers would be as close
_AMONG_NAMES = 3  # letters of names that may be something else (languages: sd, se), but std


def is_statistic(name: str, own: FloatArray, others: FloatArray) -> bool:
    """Whether numbers are the statistic of the others that they are called, as far as they are rounded.

    others: Shape (rows, n): those that the statistic is of.

    >>> others = np.array([[0.1, 0.9], [0.6, 0.8], [0.2, 0.25]])
    >>> is_statistic("Mittelwert", np.array([0.3, 0.65]), others)
    True
    >>> is_statistic("Mittelwert", np.array([0.3, 0.6]), others), is_statistic("C", others[0], others)
    (False, False)
    """
    derivations = [derive for kind, derive in _KINDS if says(kind, name)]
    there = np.isfinite(own)
    if not derivations or not there.any() or len(others) < 2 or others.size > MOST_CELLS:
        return False
    own, others = own[there], others[:, there]
    others = others[np.isfinite(others).any(axis=1)]
    if len(others) < 2 or not np.isfinite(others).any(axis=0).all():
        return False
    with np.errstate(all="ignore"):  # of scores near the largest number; one score has no spread
        fine, coarse = last_place(own) / 2, last_place(others) / 2
        written = 0.0 if coarse == 0.5 else coarse  # whole numbers are counts and not rounded
        tiny = 1e-9 * float(np.nanmax(np.abs(others)))
        span = float(max(own.max(), np.nanmax(others)) - min(own.min(), np.nanmin(others)))
        for derive in derivations:
            for made, times in derive(others):
                for slack in (fine + tiny, fine + times * written + tiny):
                    levels = span / (2 * slack)
                    if derive is _extremes:  # which are scores themselves
                        levels = 1 + span / (2 * max(slack, coarse))
                    sure = len(own) * np.log10(levels) >= CHANCE - 1e-6
                    if sure and bool((np.abs(own - made) <= slack).all()):
                        return True
    return False


def is_spread(own: FloatArray, scores: FloatArray, of: FloatArray) -> bool:
    """Whether numbers can be spreads: none below 0 or above half the range, small beside the scores.

    of: The scores that they stand beside.
    """
    own = own[np.isfinite(own)]
    if not own.size or not np.isfinite(of).any():
        return False
    half = (np.nanmax(scores) - np.nanmin(scores)) / 2
    return bool(own.min() >= 0 and own.max() <= half and own.mean() < np.nanmean(np.abs(of)) / 2)


def is_called_statistic(name: str) -> bool:
    """Whether a name is that of a statistic and of nothing else.

    >>> [is_called_statistic(name) for name in ("Std. Dev.", "Ø", "p-value", "sd", "N", "BERT")]
    [True, True, True, False, False, False]
    """
    known = may_be_statistic(name)
    return known and (len(normal(name)) > _AMONG_NAMES or not normal(name).isascii() or says(_CLEAR, name))


def may_be_statistic(name: str) -> bool:
    """Whether a name is that of a statistic of all others, if perhaps of something else, too."""
    return ends_as_statistic(name) and not says(_OF_SYSTEM, name)


def ends_as_statistic(name: str) -> bool:
    """Whether a name is that of a statistic, also of one system (A_std)."""
    return any(says(kind, name) for kind, _ in _KINDS)


def statistic_rows(values: FloatArray, names: Sequence[str]) -> BoolArray:
    """Rows at an end that are statistics of the others by name and value, and what is called so beyond."""
    found = np.zeros(len(names), dtype=bool)
    for step in (-1, 1):  # the last rows, then the first
        rows = np.flatnonzero(~found)[::step]
        here = 0
        while here < min(len(rows) - 2, MOST_AT_AN_END) and may_be_statistic(names[rows[here]]):
            here += 1
        for count in range(here, 0, -1):
            others = values[rows[count:]]
            if any(is_statistic(names[row], values[row], others) for row in rows[:count]):
                found[rows[:count]] = True
                break
    return found


def last_place(values: FloatArray) -> float:
    """One in the last decimal place that is used."""
    there = values[np.isfinite(values)]
    near = 1e-9 * float(np.abs(there).max(initial=0.0))
    for places in range(MOST_PLACES):
        if bool((np.abs(np.round(there, places) - there) <= near).all()):
            return float(10.0**-places)
    return float(10.0**-MOST_PLACES)


Made = list[
    tuple[FloatArray, float]
]  # statistics, and how many times the rounding of a score they may be off


def _means(values: FloatArray) -> Made:
    total = np.nansum(values, axis=0)
    count = np.isfinite(values).sum(axis=0)
    made = [(total / count, 1.0), (total, 2 * len(values) ** 0.5)]
    if 3 <= len(values) <= MOST_OTHERS:  # of all but one
        made += [((total - one) / (count - 1), 1.0) for one in values]
    return made


def _spreads(values: FloatArray) -> Made:
    count = np.isfinite(values).sum(axis=0)
    variance = np.nansum((values - np.nansum(values, axis=0) / count) ** 2, axis=0) / count
    made = [made for square in (variance, variance * count / (count - 1)) for made in (square, square**0.5)]
    return [(one, 1.0) for one in (*made, *(deviation / count**0.5 for deviation in made[1::2]))]


def _extremes(values: FloatArray) -> Made:
    high, low = np.nanmax(values, axis=0), np.nanmin(values, axis=0)
    return [(high, 0.0), (low, 0.0), (high - low, 1.0)]


def _counts(values: FloatArray) -> Made:
    return [(np.isfinite(values).sum(axis=0).astype(float), 0.0)]


def _differences(values: FloatArray) -> Made:
    some = values[:MOST_OTHERS]
    both = [one - other for one, other in permutations(some, 2)] + [np.abs(some[0] - one) for one in some[1:]]
    return [(one, 1.0) for one in both]


def ranks(values: FloatArray) -> list[FloatArray]:
    """Ranks within each row, from the highest and from the lowest, ties in the middle and at their best."""
    if values.size * values.shape[1] > MOST_RANKED or not np.isfinite(values).all():
        return []
    found = []
    for scores in (values, -values):
        above = np.stack([(scores > own[:, None]).sum(axis=1) for own in scores.T], axis=1)
        equal = np.stack([(scores == own[:, None]).sum(axis=1) for own in scores.T], axis=1)
        found += [1 + above + (equal - 1) / 2, 1.0 + above]
    return found


def _all_ranks(values: FloatArray) -> Made:
    made = [one for found in ranks(values) for one in (found.mean(axis=0), *found[:MOST_OTHERS])]
    return [(one, 0.0) for one in (*made, *(found[0] for found in ranks(values.mean(axis=0)[None])))]


def _wins(values: FloatArray) -> Made:
    made: Made = []
    for best in (np.nanmax(values, axis=1), np.nanmin(values, axis=1)):
        at_best = values == best[:, None]
        shares = at_best / at_best.sum(axis=1, keepdims=True)
        made += [(won.sum(axis=0), 0.0) for won in (at_best.astype(float), shares, shares * (shares == 1))]
    return made


_RANKS = "(?:(?:average|avg|mean)_)?(?:rank(?:s|ing)?|rang|rango|platz|排名|順位)(?:_(?:average|avg|mean))?"
_COUNTS = "n|count|cnt|num|anzahl|nombre|número|数量|个数|件数"
# What statistics are called in the languages of the field, and how each is made of the others.
_KINDS: tuple[tuple[re.Pattern[str], Callable[[FloatArray], Made]], ...] = (
    (Kind.SUMMARY, _means),
    (re.compile("m[eé]di[aá](?:ne?|na)|中位数|中央値"), lambda values: [(np.nanmedian(values, axis=0), 1.0)]),
    (Kind.SPREAD, _spreads),
    (
        re.compile(
            "best|max|maximum|m[aá]ximo|oracle|worst|min|minimum|m[ií]nimo|range|最大值|最小值|最大値|最小値"
        ),
        _extremes,
    ),
    (re.compile(_COUNTS), _counts),
    (re.compile("delta|δ|diff|difference|gain|improvement|margin|gap"), _differences),
    (re.compile(_RANKS), _all_ranks),
    (re.compile("(?:n_|num_)?(?:wins|best)|best_count|siege|victoires|victorias"), _wins),
    (re.compile("p|p_?(?:val(?:ue)?|wert)"), lambda values: []),  # nobody can compute it again
)
_CLEAR = re.compile("std|avg|ave|sum")
_OF_SYSTEM = re.compile(f".+_(?:{Kind.SPREAD.pattern.removeprefix('(?:.*_)?')})")
_BESIDE_SYSTEM = re.compile(
    f"(?P<system>.+?)_(?:(?P<spread>{Kind.SPREAD.pattern.removeprefix('(?:.*_)?')})"
    f"|(?P<rank>{_RANKS})|(?P<count>{_COUNTS})|(?:p_?val(?:ue)?))"
)


def system_of(name: str) -> tuple[str, str]:
    """The system and the statistic in a name like A_std, A (sd) or A_rank; nothing in another's.

    >>> system_of("My System (sd)"), system_of("A_rank"), system_of("BERT")
    (('my_system', 'spread'), ('a', 'rank'), ('', ''))
    """
    found = _BESIDE_SYSTEM.fullmatch(normal(name))
    return (found["system"], found.lastgroup or "") if found else ("", "")
