"""Scores that can't be scores, systems far from all others, and units that stand in the file twice."""

import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from nlpstat_core.errors import Remedy, Sentence, shown
from nlpstat_core.formatting import format_score
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
