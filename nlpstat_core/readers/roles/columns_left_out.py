"""Columns of numbers that are no systems: times, counters, means of the others, other metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import Remedy, Sentence, some_shown
from nlpstat_core.notes import Note, Severity
from nlpstat_core.readers.roles.columns import Columns
from nlpstat_core.readers.roles.given import written_roles
from nlpstat_core.readers.roles.names import Kind, normal, says
from nlpstat_core.readers.roles.record import Role
from nlpstat_core.readers.roles.scores_beside import FEWEST_COUNTED, SUMMED_CELLS, Beside, grows, is_whole
from nlpstat_core.readers.roles.statistics import (
    ends_as_statistic,
    is_called_statistic,
    is_spread,
    is_statistic,
    last_place,
    may_be_statistic,
    ranks,
    system_of,
)

CLOCK = (946_684_800, 4_102_444_800)  # 2000 and 2100
FEWEST_CLIMBING = 8  # rows from which on whole numbers that grow may be a counter
MOST_TOLD = 12  # columns that a remedy names
FEWEST_MEANT, APART = 3, 20  # columns of which one may be a mean, and by how many last places they differ
MOST_FIRST, RIGHT_AND_WRONG = 40, (0.0, 1.0, 100.0)
FEWEST_GRADES = 3  # distinct whole numbers from which on values that grow count something
LEAST_SPAN = 0.25  # share of the others' range


def only_systems(
    columns: Columns, systems: list[int], labels: Sequence[int] = (), others: Sequence[int] = ()
) -> tuple[list[int], tuple[Note, ...]]:
    """The columns of numbers without those that can't be systems: times, counters, means of the others.

    labels: Those of them that are called like labels.
    others: Labels whose values may be scores, too.
    """
    header = columns.header
    never = [i for i in systems if _is_aside(header[i]) or _counts_rows(columns, i)]
    never += [i for i in systems if i not in never and is_clock(columns.parsed(i).values)]
    never += [i for i in systems if i not in never and says(Kind.REMARK, header[i]) and columns.is_empty(i)]
    of_items = [i for i in systems if says(Kind.PROPERTY, header[i]) and not says(Kind.CORRECT, header[i])]
    never += [i for i in of_items if i not in never]  # as is_hard
    rest = [i for i in systems if i not in never]
    if not rest:
        never = []  # whoever gives nothing but latencies compares latencies
    beside = Beside.of(columns, rest if never else [])
    family = _family(columns, never, rest)
    named = [i for i in never if i not in family and _is_system(columns, i, beside)]
    never = [i for i in never if i not in named]
    never += _told_of_items(columns, [i for i in systems if i not in never])
    kept = [i for i in systems if i not in never]
    derived = _derived(columns, kept)
    kept = [i for i in kept if i not in derived]
    doubtful = [*(i for i in never if beside.has_like(columns, i)), *others]
    sure = [i for i in never if i not in doubtful]
    climbing = [i for i in kept if _climbs(columns.parsed(i).values)]
    odd = {*named, *labels, *(climbing if 2 * len(climbing) < len(kept) else [])}
    # Names that say nothing but that a column is something else, and the others.
    plain = {i for i in odd if not says(Kind.NEVER, header[i]) or says(Kind.PLAINLY_NEVER, header[i])}
    counting = _counting(columns, [i for i in kept if i not in odd])
    names = {normal(header[i]) for i in kept} - {""}
    called = [header[i] for i in kept if is_called_statistic(header[i]) or system_of(header[i])[0] in names]
    letters = [header[i] for i in kept if len(header[i]) == 1]
    called += letters if len(letters) == 1 and ends_as_statistic(letters[0]) else []
    called += [header[i] for i in _means(columns, kept) if header[i] not in called]
    akin = _akin([header[i] for i in kept], [header[i] for i in never])
    all_of_them = [header[i] for i in sorted([*kept, *doubtful])]
    left, none = "columns-left-out", Role.IGNORED
    said: tuple[tuple[str, Severity, str, Sequence[str], Role | None], ...] = (
        (left, "problem", _DOUBTFUL, [header[i] for i in doubtful], Role.SYSTEM),
        (left, "caution", _NO_SCORES, [header[i] for i in sure], None),
        ("systems-named-otherwise", "problem", _NAMED, [header[i] for i in sorted(plain)], none),
        (
            "systems-named-otherwise",
            "caution",
            _NAMED,
            [header[i] for i in sorted(odd.difference(plain))],
            none,
        ),
        ("whole-numbers-as-systems", "problem", _WHOLE, [header[i] for i in counting], none),
        ("summary-column", "caution", _SUMS_UP, [header[i] for i in derived], None),
        ("systems-named-otherwise", "problem", _AKIN, akin, None),
        ("statistics-as-systems", "problem", _STATISTICS, called, none),
    )
    return kept, tuple(_note(*one, all_of_them) for one in said if one[3])


_DOUBTFUL = "Left out by name or content though the values may be scores"
_NO_SCORES = "Left out because their names or contents say that they are not scores"
_NAMED = (
    "Read as systems because the values look like those of the others, though the names or their order may "
    "say something else"
)
_WHOLE = "Read as systems, though whole numbers among fractions may not be scores"
_SUMS_UP = "Left out because it sums up the other columns"
_AKIN = "Read as systems, though named like columns that were left out"
_STATISTICS = "Read as systems, though named like statistics of other columns"


def _note(
    code: str, severity: Severity, text: str, names: Sequence[str], role: Role | None, systems: Sequence[str]
) -> Note:
    """What is said of some columns, and how to read them otherwise: as all the systems, or as none."""
    when = "if they are systems" if role == Role.SYSTEM else "if they are none"
    told = systems if role == Role.SYSTEM else names
    way: Remedy | str = " (choose with roles)"
    if role is not None and len(told) <= MOST_TOLD:
        way = Remedy("roles", written_roles(role, told), "aside", when)
    return Note(code, severity, Sentence(f"{text}: {some_shown(names)}", way, "."))


def _told_of_items(columns: Columns, systems: Sequence[int]) -> list[int]:
    """Columns that say how many or how much, where the values are unlike all others."""
    signs = [i for i in systems if Kind.COUNT_SIGN.fullmatch(columns.header[i])]
    found = [*signs, *(i for i in systems if says(Kind.NUMBER, columns.header[i]))]
    found = [i for i in found if columns.parsed(i).bad is None and not columns.is_empty(i)]
    rest = [i for i in systems if i not in found]
    if not found or not rest:
        return []
    beside = Beside.of(columns, rest)
    above = [i for i in found if np.nanmedian(columns.parsed(i).values) > beside.high]
    return [i for i in found if i in above or (i in signs and not beside.has_like(columns, i))]


def _means(columns: Columns, systems: Sequence[int]) -> list[int]:
    """The first or last of some columns that differ, where it is the mean of the others by value."""
    if len(systems) < FEWEST_MEANT or not 0 < len(systems) * len(columns.table) <= SUMMED_CELLS:
        return []
    scores = np.array([columns.parsed(i).values for i in systems])
    with np.errstate(over="ignore"):  # scores near the largest number are apart
        apart = APART * last_place(scores) < np.ptp(scores, axis=0).mean()
    ends = ((0, scores[1:]), (-1, scores[:-1])) if apart else ()
    return [systems[end] for end, others in ends if is_statistic("mean", scores[end], others)]


def _counting(columns: Columns, systems: Sequence[int]) -> list[int]:
    """Columns of whole numbers where all others mostly hold fractions; not of right (1 or 100) and wrong."""
    if len(columns.table) < FEWEST_CLIMBING or len(systems) < FEWEST_MEANT:
        return []
    found, others = [], 0
    for i in systems:
        values = columns.parsed(i).values
        first = values[:MOST_FIRST]
        fractions = int((first != np.rint(first)).sum() - np.isnan(first).sum())
        if fractions == 0 and is_whole(own := np.unique(values[np.isfinite(values)])):
            found += [i] if len(own) > 1 and not np.isin(own, RIGHT_AND_WRONG).all() else []
        elif 2 * fractions < np.isfinite(first).sum():
            return []
        else:
            others += 1
    return found if others >= 2 else []


def _akin(kept: Sequence[str], left_out: Sequence[str]) -> list[str]:
    """Systems that share a word with two columns that were left out: num_anomaly beside anomaly_length.

    >>> _akin(["A", "anomaly_ratio"], ["anomaly_len", "avg_anomaly_len"]), _akin(["A"], ["A_len", "A_cost"])
    (['anomaly_ratio'], [])
    """
    whole = {normal(name) for name in kept}
    told = [Kind.NEVER_OF_ONE.fullmatch(normal(name)) for name in left_out]
    others = [name for name, of in zip(left_out, told, strict=True) if not (of and of["system"] in whole)]
    words = Counter(word for name in others for word in set(_words(name)) if len(word) > 1)
    akin = [name for name in kept if any(words[word] > 1 for word in _words(name))]
    return akin if 2 * len(akin) <= len(kept) else []


def _words(name: str) -> list[str]:
    return normal(name.lower()).split("_")


def _is_system(columns: Columns, column: int, beside: Beside) -> bool:
    """Whether a column that is called like a time, a counter or a setting holds scores all the same."""
    name, values = columns.header[column], columns.parsed(column).values
    if not _is_aside(name) or _counts_rows(columns, column) or not beside.has_alike(columns, column):
        return False
    own = np.unique(values[np.isfinite(values)])
    if is_whole(own) and len(own) >= FEWEST_GRADES and grows(values) and not beside.grows:
        return False
    span = beside.high - beside.low
    narrow = len(own) == 1 or (is_whole(own) and float(own[-1]) - float(own[0]) < LEAST_SPAN * span)
    return not (narrow and (says(Kind.PLAINLY_NEVER, name) or not says(Kind.NEVER, name)))


def _family(columns: Columns, never: Sequence[int], others: Sequence[int]) -> list[int]:
    """Columns called like other columns and what is told of them: A_latency and B_latency beside A, B."""
    names = {normal(columns.header[i]) for i in others} if never else set()
    found = {i: Kind.NEVER_OF_ONE.fullmatch(normal(columns.header[i])) for i in never}
    family = [i for i, of_one in found.items() if of_one and of_one["system"] in names]
    return family if len(family) > 1 else []


def _climbs(values: FloatArray) -> bool:
    """Whether whole numbers grow from row to row, as counters do."""
    first = values[:FEWEST_CLIMBING].tolist()
    if len(first) < FEWEST_CLIMBING or any(one >= two for one, two in pairwise(first)):
        return False
    return is_whole(values) and bool((values[1:] > values[:-1]).all())


def is_clock(values: FloatArray) -> bool:
    """Whether numbers are times: seconds since 1970, of this century, or thousandths of them and so on."""
    if not any(value > CLOCK[0] for value in values[:FEWEST_COUNTED].tolist()):
        return False
    there = values[np.isfinite(values)]
    low, high = float(there.min()), float(there.max())
    return any(CLOCK[0] * scale < low < high < CLOCK[1] * scale for scale in (1.0, 1e3, 1e6, 1e9))


def are_no_scores(values: FloatArray, systems: Sequence[str]) -> bool:
    """Whether all of some columns are times, counters or settings; not one such number of each system.

    >>> values = np.array([[0.25, 1.0], [0.5, 2.0]])
    >>> are_no_scores(values, ["tstamp", "turn"]), are_no_scores(values, ["A_latency", "B_latency"])
    (True, False)
    """
    if not all(_is_aside(name) or is_clock(values[:, i]) for i, name in enumerate(systems)):
        return False
    names = list(map(normal, systems))
    found = [Kind.NEVER_OF_ONE.fullmatch(name) for name in names]
    kinds = {name.removeprefix(of["system"]) if of else name for name, of in zip(names, found, strict=True)}
    return len(kinds) > 1


def _is_aside(name: str) -> bool:
    """Whether a name is that of a time, a counter, a setting, a rater or a run."""
    return says(Kind.NEVER, name) or says(Kind.ASIDE, name)


def _counts_rows(columns: Columns, column: int) -> bool:
    """Whether a column counts its rows: whole numbers that grow by one."""
    found = columns.parsed(column)
    values = found.values
    if found.bad is not None or len(values) < FEWEST_COUNTED or values[0] != values[1] - 1:
        return False
    return bool(np.array_equal(values, values[0] + np.arange(len(values))))


def _derived(columns: Columns, systems: Sequence[int]) -> list[int]:
    """Columns that are called a statistic, of all the others or of one, and that hold it."""
    header = columns.header
    places = {normal(header[i]): i for i in systems}
    beside = {i: places[own] for i in systems if (own := system_of(header[i])[0]) in places}
    named = [i for i in systems if i in beside or ends_as_statistic(header[i])]
    others = [i for i in systems if i not in beside and not may_be_statistic(header[i])]
    if not named or len(others) < 2 or len(systems) * len(columns.table) > SUMMED_CELLS:
        return []
    if any(columns.parsed(i).bad is not None for i in systems):
        return []
    scores = {i: columns.parsed(i).values for i in systems}
    found = []
    for i in named:
        if beside.get(i) in others:
            base = np.array([scores[j] for j in others])
            found += [i] if _is_beside(scores[i], base, others.index(beside[i]), header[i]) else []
        else:
            bases = ([scores[j] for j in group if j != i] for group in (others, systems))
            if any(is_statistic(header[i], scores[i], np.array(base)) for base in bases):
                found.append(i)
    return found


def _is_beside(own: FloatArray, others: FloatArray, of: int, name: str) -> bool:
    """Whether a column called a spread, rank or count of one of the others can be that by its values."""
    _, kind = system_of(name)
    if kind == "spread":
        return is_spread(own, others, others[of])
    if kind == "rank":
        return any(np.array_equal(own, made[:, of]) for made in ranks(others.T))
    return kind == "count" and own[0] >= 2 and own[0] % 1 == 0 and bool((own == own[0]).all())
