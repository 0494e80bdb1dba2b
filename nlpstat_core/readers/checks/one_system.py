"""Cells of one system alone that seem written otherwise: zeros for no score, minus signs, thousandfold."""

from collections.abc import Iterator

import numpy as np

from nlpstat_core.arrays import BoolArray, FloatArray
from nlpstat_core.formatting import is_or_are
from nlpstat_core.notes import Note
from nlpstat_core.readers.checks.oddities import place_of
from nlpstat_core.scores.matrix import ScoreMatrix

FEWEST_UNITS, FEWEST_SYSTEMS, MOST_CELLS = 10, 3, 5_000_000
FEWEST_ZEROS, ZEROS = 3, 0.05  # of all units
FLOOR, STEPS = 0.1, 3.0  # how far 0 lies below all others: part of their range, and of their usual steps
FAR, APART = 20.0, 10.0  # times the median, and the nearest of the others
AS_NEAR = 3.0  # times as far from the others as the system's other scores are


def cells_of_one_system(scores: ScoreMatrix) -> Iterator[Note]:
    """Say which system alone has such cells, where they would be as those of the others otherwise."""
    values = scores.values
    several = np.isfinite(values).sum(axis=1) > 1
    if several.sum() < FEWEST_UNITS or scores.n_systems < FEWEST_SYSTEMS or values.size > MOST_CELLS:
        return
    with np.errstate(all="ignore"):  # of scores near the largest number
        middle = float(np.nanmedian(values))
        tries = (
            (values < 0, -1.0, "below 0, which no other system's are"),
            (values > FAR * middle, 0.001, "a thousand times as large as the others"),
            ((values > 0) & (values < middle / FAR), 1000.0, "a thousandth of the others"),
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
