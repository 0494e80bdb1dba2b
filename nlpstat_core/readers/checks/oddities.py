"""Scores that can't be scores, systems far from all others, units that stand in the file twice."""

import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.formatting import format_score, is_or_are
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.names import normal
from nlpstat_core.scores.matrix import ScoreMatrix

# Numbers that people write where there is no score.
STAND_INS = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0)
SHARES = re.compile(
    "acc|accuracy|f1|f_score|precision|recall|em|exact_match|pass1|pass_1|win_rate|bleu|chrf|chrf2|meteor|rouge.*"
)
FEWEST_SYSTEMS, FEWEST_APART = 4, 3
FAR = 3.0  # times the range of all other systems
FEWEST_VALUES, FEWEST_CELLS = 3, 20
FEWEST_ROWS, FAR_ROW = 8, 0.75  # rows, and the part of the range of the others in each system
FAR_CELL = 2.0  # times the range of all other cells
USUAL_MOST, USUAL_SPANS = 100.0, 5.0  # times the range of four in five, where scores have bounds
LARGEST = 1e12


def impossible_values(scores: ScoreMatrix) -> Iterator[Note]:
    """Numbers that stand for a missing score, and shares below nothing or above everything."""
    values = scores.values[scores.present] if scores.has_missing else scores.values.ravel()
    if values.size < FEWEST_VALUES:
        return
    for stand_in in STAND_INS:
        here = values == stand_in
        others = values[~here] if here.any() else values
        if 0 < others.size < values.size and _is_outside(stand_in, others):
            span = f"{format_score(float(others.min()))} to {format_score(float(others.max()))}"
            first = place_of(scores, scores.values == stand_in)
            text = (
                f"{stand_in:g} appears {values.size - others.size:,} times among scores from {span} "
                f"({first}): "
                "if it means that there is no score, leave the cell empty."
            )
            yield Note("stand-in-values", "problem", text)
            return
    if scores.metric is None or not SHARES.fullmatch(normal(scores.metric)):
        return
    most = 1.0 if np.mean(values <= 1) > 0.9 else 100.0
    outside = (scores.values < 0) | (scores.values > most)
    if outside.any() and outside.sum() < 0.5 * values.size:
        many = "1 score is" if outside.sum() == 1 else f"{int(outside.sum()):,} scores are"
        where = place_of(scores, outside)
        text = f"{many} below 0 or above {most:g}, which {shown(scores.metric)} can't be ({where})."
        yield Note("impossible-values", "problem", text)


def far_cells(scores: ScoreMatrix) -> Iterator[Note]:
    """One score far outside the range of all others, as a typo is: 655 among 0 to 100.

    Scores that reach far already (a loss without bound) may have one that is farther.
    """
    values = scores.values
    if scores.values.size < FEWEST_CELLS or not scores.present.any():
        return
    for far in (float(np.nanmax(values)), float(np.nanmin(values))):
        here = values == far
        if here.sum() != 1:
            continue
        others = values[scores.present & ~here]
        low, high = float(others.min()), float(others.max())
        with np.errstate(all="ignore"):  # of scores near the largest number
            gap, span = max(far - high, low - far), high - low
            bounded = 0 <= low <= high <= USUAL_MOST or span <= USUAL_SPANS * float(
                np.ptp(np.quantile(others, (0.1, 0.9)))
            )
        if span > 0 and bounded and gap > FAR_CELL * span:
            row = int(np.argwhere(here)[0][0])
            text = (
                f"{far:g} stands among scores from {format_score(low)} to {format_score(high)} "
                f"({place_of(scores, here).removeprefix('first: ')}); if it is wrong, correct it"
            )
            known = scores.units is not None and isinstance(scores.reading.get("id_column"), str)
            way = (" or leave the row out", Remedy("drop_rows", (scores.unit_names([row])[0],), "aside"))
            yield Note("far-cell", "problem", Sentence(text, *(way if known else ()), "."))
            return


def _is_outside(stand_in: float, others: np.ndarray) -> bool:
    """Whether a number is far outside the range of all others, or −1 below shares that aren't whole."""
    lowest, highest = float(others.min()), float(others.max())
    if stand_in == -1:
        return lowest >= 0 and not bool(np.all(others == np.round(others)))
    reach = max(highest - lowest, 1.0)
    return stand_in < lowest - 2 * reach or stand_in > highest + 2 * reach


def place_of(scores: ScoreMatrix, where: np.ndarray) -> str:
    """The first of some cells, in words."""
    row, column = np.argwhere(where)[0]
    unit = f"row {row + 1}" if scores.units is None else f"item {shown(scores.units[row])}"
    return f"first: system {shown(scores.systems[column])}, {unit}"


def far_systems(scores: ScoreMatrix) -> Iterator[Note]:
    """A system whose mean is farther from all others than these are from each other."""
    there = scores.present.sum(axis=0)
    known = np.flatnonzero(there > 0)
    if len(known) < FEWEST_APART:
        return
    lowest, highest = np.fmin.reduce(scores.values, axis=None), np.fmax.reduce(scores.values, axis=None)
    scale = max(float(-lowest), float(highest), 1e-300)  # sums of 1e308 are no floats
    sums = np.add.reduce(scores.values / scale, axis=0, where=scores.present)
    means = sums[known] / there[known]
    order = np.argsort(means)
    for odd, rest in ((order[0], order[1:]), (order[-1], order[:-1])):
        spread = float(np.ptp(means[rest]))
        gap = float(np.abs(means[rest] - means[odd]).min())
        own, others = scores.values[:, known[odd]] / scale, scores.values[:, known[rest]] / scale
        low, high = np.nanmin(others), np.nanmax(others)
        apart = max(np.nanmin(own) - high, low - np.nanmax(own)) > high - low > 0
        if gap > FAR * spread and gap > 1e-9 and (apart or len(known) >= FEWEST_SYSTEMS):
            mean, middle = float(means[odd]) * scale, float(np.median(means[rest])) * scale
            text = (
                f"The mean of {shown(scores.systems[known[odd]])}, {format_score(mean)}, is far from those "
                f"of all others, around {format_score(middle)}: is it the same metric and scale?"
            )
            yield Note("far-system", "problem" if apart else "caution", text)
            return


def far_rows(scores: ScoreMatrix) -> Iterator[Note]:
    """A first or last row far outside all others in every system, as of years, sums or settings."""
    values, units = scores.values, scores.units
    if units is None or len(values) <= FEWEST_ROWS or scores.n_systems < 2:
        return
    for place, others in ((0, values[1:]), (-1, values[:-1])):
        if not np.isfinite(values[place]).all() or not np.isfinite(others).any(axis=0).all():
            continue
        with np.errstate(over="ignore"):  # of scores near the largest number
            low = np.nanmin(others, axis=0)
            span = np.nanmax(others, axis=0) - low
            beyond = np.abs(values[place] - low - span / 2) - span / 2
        if not (beyond > FAR_ROW * span).all():
            continue
        with np.errstate(over="ignore"):
            usual = np.ptp(np.nanquantile(others, (0.1, 0.9), axis=0), axis=0)
        if (span < USUAL_SPANS * usual).all():
            text = f"The row {shown(units[place])} is far outside all others in every system; leave it out"
            way = Remedy("drop_rows", (units[place],), "aside", "if it is no item")
            yield Note("far-row", "problem", Sentence(text, way, "."))
            return


def repeated_units(scores: ScoreMatrix) -> Iterator[Note]:
    """Units with the very same scores of all systems, where that is no coincidence."""
    if scores.n_systems < FEWEST_VALUES:
        return
    values = scores.values[:, : max(FEWEST_VALUES, min(scores.n_systems, 64))]
    ordered = np.sort(values, axis=1)
    varied = (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1) >= FEWEST_VALUES - 1
    usual = np.where(np.abs(values) < LARGEST, values, 0.0)  # rounding a number near 1e308 overflows
    precise = (usual != np.round(usual, 1)).sum(axis=1) >= FEWEST_VALUES  # not 0 and 1, not one decimal
    alike: dict[bytes, list[int]] = defaultdict(list)
    for row in np.flatnonzero(varied & precise & scores.present.all(axis=1)).tolist():
        alike[scores.values[row].tobytes()].append(row)
    groups = [rows for rows in alike.values() if len(rows) > 1]
    if not groups:
        return
    extra = sum(len(rows) - 1 for rows in groups)
    first = groups[0]
    names = [f"row {row + 1}" if scores.units is None else shown(scores.units[row]) for row in first[:2]]
    some = "item has" if extra == 1 else "items have"
    text = f"{extra:,} {some} the same scores as another in every system (first: {' and '.join(names)})"
    yield Note("repeated-units", "info", f"{text}; if it is the same item twice, give it once.")


FEWEST_UNITS, FEWEST_BESIDE, MOST_CELLS = 10, 3, 5_000_000
FEWEST_ZEROS, ZEROS = 3, 0.05  # of all units
FLOOR, STEPS = 0.1, 3.0  # how far 0 lies below all others: part of their range, and of their usual steps
FAR_TIMES, APART = 20.0, 10.0  # times the median, and the nearest of the others
AS_NEAR = 3.0  # times as far from the others as the system's other scores are


def cells_of_one_system(scores: ScoreMatrix) -> Iterator[Note]:
    """Say which system alone has such cells, where they would be as those of the others otherwise."""
    values = scores.values
    several = np.isfinite(values).sum(axis=1) > 1
    if several.sum() < FEWEST_UNITS or scores.n_systems < FEWEST_BESIDE or values.size > MOST_CELLS:
        return
    with np.errstate(all="ignore"):  # of scores near the largest number
        middle = float(np.nanmedian(values))
        tries = (
            (values < 0, -1.0, "below 0, which no other system's are"),
            (values > FAR_TIMES * middle, 0.001, "a thousand times as large as the others"),
            ((values > 0) & (values < middle / FAR_TIMES), 1000.0, "a thousandth of the others"),
        )
        for odd, factor, what in tries:
            system = _only(odd)
            if middle > 0 and system is not None and _fits(values[several], odd[several], system, factor):
                yield _note(scores, odd, f"{what}: correct them if a sign is wrong")
        zero = values == 0
        if (system := _only(zero)) is not None and _are_gaps(values[several], zero[several, system], system):
            text = "exactly 0, as no other system's are: if that means no score, leave these cells empty"
            yield _note(scores, zero, text)


def _only(odd: BoolArray) -> int | None:
    """The one system that has odd cells."""
    systems = np.flatnonzero(odd.any(axis=0))
    return int(systems[0]) if len(systems) == 1 else None


def _fits(values: FloatArray, where: BoolArray, system: int, factor: float) -> bool:
    """Whether odd cells lie apart from all others and, mended, are as near the others as the system is."""
    rest, odd = np.where(where, np.nan, values), where[:, system]
    if not 0 < 2 * odd.sum() <= np.isfinite(values[:, system]).sum():
        return False
    own, low, high = values[odd, system], np.nanmin(rest), np.nanmax(rest)
    turned = low >= 0 and own.max() < -np.nanquantile(rest, 0.25)  # not by a little, as scores around 0
    small = own.size > 1 and 0 < own.min() <= own.max() < low / APART
    usual = np.nanmedian(np.delete(values, system, axis=1), axis=1)
    gaps, off = np.abs(rest[:, system] - usual), np.abs(factor * own - usual[odd])
    near = np.median(off) <= AS_NEAR * np.nanmedian(gaps) and off.max() <= high - low
    return bool((turned or small or own.min() > APART * high > 0) and near)


def _are_gaps(values: FloatArray, zero: BoolArray, system: int) -> bool:
    """Whether many zeros lie far below all other scores, on units that aren't hard for the others."""
    others = np.delete(values, system, axis=1)
    rest = np.unique(values[np.isfinite(values) & (values != 0)])
    if zero.sum() < max(FEWEST_ZEROS, ZEROS * len(values)) or len(rest) < 2:
        return False
    floor = max(FLOOR * (rest[-1] - rest[0]), STEPS * float(np.median(np.diff(rest))))
    return bool(rest[0] > floor and np.nanmedian(others[zero]) >= np.nanquantile(others, 0.25))


def _note(scores: ScoreMatrix, odd: BoolArray, text: str) -> Note:
    many = int(odd.sum())
    what = f"{many:,} score{'' if many == 1 else 's'} ({place_of(scores, odd)}) {is_or_are(many)} {text}."
    return Note("cells-of-one-system", "problem", what)
