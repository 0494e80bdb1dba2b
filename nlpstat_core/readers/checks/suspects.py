"""Units and systems that look as if something went wrong before the file was written."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import shown, some_shown
from nlpstat_core.notes import Note
from nlpstat_core.readers.roles.names import Kind, normal
from nlpstat_core.readers.roles.statistics import (
    is_called_statistic,
    is_statistic,
    last_place,
    may_be_statistic,
    statistic_rows,
)
from nlpstat_core.scores.matrix import ScoreMatrix

SUMMARIES = ("all", "average", "avg", "mean", "median", "overall", "total", "sum")
WORDS = (*SUMMARIES, "mittel", "durchschnitt", "moyenne", "promedio", "media", "平均", "均值")
SUMMARY = re.compile(f"(?:macro_|micro_|grand_)?(?:{'|'.join(SUMMARIES)})(?:_score)?")
BESIDE = re.compile(r"[0-9]{2} ?%|(?:95 ?% ?)?ci|st")  # what stands below a mean
BEGINS, MOST_SUBTOTALS = re.compile(rf"(?:{Kind.SUMMARY.pattern})(?:_|$)"), 100
FEWEST_MEANT = 5  # rows that a mean of theirs is told from
MEAN_CHANCE = -4.0  # decimal places of the chance that another row would be as close
MOST_SPREADS = 32  # systems that the chance is computed from; more make it smaller yet
FEWEST_UNITS, FEWEST_SYSTEMS = 50, 4
USUAL_AGREEMENT, NO_AGREEMENT, NEAR_THE_OTHERS = 0.3, 0.05, 0.25
TINY = 1e-9
MOST_CELLS = 5_000_000  # of larger boards every second or third unit, and so on, tells as much


def is_summary(name: str) -> bool:
    """Whether a row is called like a summary of the others.

    >>> is_summary("Macro average"), is_summary("u1")
    (True, False)
    """
    return SUMMARY.fullmatch(normal(name)) is not None or is_called_statistic(name)


def summary_units(scores: ScoreMatrix) -> tuple[str, ...]:
    """Units that sum up the others: by their names, or because a row at an end is the mean of all others.

    >>> rows = [[1, 0], [0, 0.5], [0.5, 1], [1, 0], [0, 0], [0.5, 0.3], [0.5, 0.3]]
    >>> units = ["a", "b", "c", "d", "e", "Mittel", "SD"]
    >>> summary_units(ScoreMatrix(values=rows, systems=["A", "B"], units=units))
    ('Mittel', 'SD')
    """
    units = scores.units or ()
    behind = next((i for i, unit in enumerate(reversed(units)) if not _sums_up(unit)), len(units))
    end = len(units) - behind
    everything = "\n".join(units[:end]).lower()  # names cost time, and few files have such words at all
    has_word = any(word in everything for word in WORDS)
    found = [i for i in range(end) if has_word and SUMMARY.fullmatch(normal(units[i]))]
    found += [place for place in (0, end - 1) if place not in found and _is_mean(scores.values[:end], place)]
    found += [i for i in (_subtotals(scores.values[:end], units) if has_word else ()) if i not in found]
    tail = range(end, len(units))
    if found or any(is_summary(units[i]) for i in tail):
        found += tail
    return tuple(units[i] for i in sorted(found))


def _subtotals(values: FloatArray, units: Sequence[str]) -> list[int]:
    """Rows called like "Average A" that are the mean or the sum of the rows since the last of them."""
    found, start = [], 0
    for place in [i for i in range(len(values)) if BEGINS.match(normal(units[i]))][:MOST_SUBTOTALS]:
        if place > start and is_statistic("mean", values[place], values[start:place]):
            found.append(place)
            start = place + 1
    return found


def _sums_up(unit: str) -> bool:
    """Whether a row at the end is called like a summary, or like what stands beside one."""
    return is_summary(unit) or may_be_statistic(unit) or bool(BESIDE.fullmatch(unit.strip().lower()))


def _is_mean(values: FloatArray, place: int) -> bool:
    """Whether a row is the mean of all others in every written digit, where that is hardly chance."""
    if len(values) < FEWEST_MEANT + 1 or values.shape[1] < 2 or values.size > MOST_CELLS:
        return False
    few = values[:, :FEWEST_MEANT]  # tell that most rows are none
    return bool(_mean_slacks(few, place)) and any(
        _chance_of_mean(values, place, slack) <= MEAN_CHANCE for slack in _mean_slacks(values, place)
    )


def _mean_slacks(values: FloatArray, place: int) -> list[float]:
    """How far a row may be from the mean of the others that it is: as it is rounded, and as they are."""
    own, others = values[place], values[1:] if place == 0 else values[:place]
    if not np.isfinite(own).all() or not np.isfinite(others).any(axis=0).all():
        return []
    with np.errstate(over="ignore", invalid="ignore"):  # of scores near the largest number
        gap = np.abs(own - np.nanmean(others, axis=0))
    tiny, coarse = 1e-9 * float(np.abs(own).max()), last_place(others)
    rounding = 0.0 if coarse == 1 else coarse / len(others) ** 0.5  # whole numbers aren't rounded
    slacks = dict.fromkeys(last_place(own) / 2 + tiny + more for more in (0.0, rounding))
    exact = 1e-12 * float(np.nanmax(np.abs(others)))  # what sums of them are known to
    return [slack for slack in slacks if slack > exact and bool((gap <= slack).all())]


def _chance_of_mean(values: FloatArray, place: int, slack: float) -> float:
    """Decimal places of the chance that a row like the others is so near their mean, were they normal.

    Systems that agree have few directions to vary in, and only these count.
    """
    others = np.delete(values[:, :MOST_SPREADS], place, axis=0)
    scale = float(np.nanmax(np.abs(others))) or 1.0  # squares of scores beyond 1e154 are no floats
    centred = np.nan_to_num(others / scale - np.nanmean(others / scale, axis=0))
    spreads = np.linalg.svd(centred / len(others) ** 0.5, compute_uv=False)
    density = 2 * slack / scale / (np.sqrt(2 * np.pi) * np.maximum(spreads, TINY))
    return float(np.log10(np.clip(density, 1e-300, 1.0)).sum())


def without_statistics(scores: ScoreMatrix) -> tuple[ScoreMatrix, tuple[Note, ...]]:
    """The scores without the rows at an end that are statistics of the others, and a note that says so."""
    found = statistic_rows(scores.values, scores.units or ())
    if not found.any():
        return scores, ()
    some = ", ".join(map(shown, scores.unit_names(np.flatnonzero(found))))
    text = f"Left out because they are statistics of the other rows: {some} (drop_rows=none keeps them)."
    return scores.rows(~found), (Note("summary-rows-left-out", "caution", text),)


def summary_rows(scores: ScoreMatrix) -> Iterator[Note]:
    """Units that sum up the others."""
    found = summary_units(scores)
    if found and scores.n_units > len(found) + 1:
        some = some_shown(found)
        which = f"The item {some} seems" if len(found) == 1 else f"The items {some} seem"
        yield Note("summary-row", "problem", f"{which} to sum up the others; take such rows out of the file.")


def other_orders(scores: ScoreMatrix) -> Iterator[Note]:
    """Systems whose scores don't follow the difficulty of the units as those of all others do.

    Systems find the same units hard. Where one shares nothing of that, its lines may stand in
    another order than those of the others, or belong to another test set.
    """
    rows = np.flatnonzero(scores.present.all(axis=1))
    if len(rows) < FEWEST_UNITS or scores.n_systems < FEWEST_SYSTEMS:
        return
    complete = scores.values[rows[:: 1 + len(rows) * scores.n_systems // MOST_CELLS]]
    scaled = complete / (np.abs(complete).max() or 1.0)  # squares of scores beyond 1e154 are no floats
    means, spreads = scaled.mean(axis=0), scaled.std(axis=0)
    varied = spreads > TINY
    if varied.sum() < FEWEST_SYSTEMS:
        return
    agreement = _agreement(scaled[:, varied] - means[varied])
    usual = float(np.median(agreement))
    # Weak systems that guess are unrelated to the others as well, but far from them in the mean.
    near = np.abs(means - np.median(means))[varied] < NEAR_THE_OTHERS * np.median(spreads[varied])
    odd = np.flatnonzero(varied)[(agreement < NO_AGREEMENT) & near]
    if usual >= USUAL_AGREEMENT and odd.size:
        some = some_shown([scores.systems[i] for i in odd])
        text = (
            f"The scores of {some} are unrelated to those of the others, which have a median correlation of "
            f"{usual:.2f}: "
            "are the items in the same order?"
        )
        yield Note("order-suspect", "caution", text)


def _agreement(centred: FloatArray) -> FloatArray:
    """Correlation of each system with the sum of the others."""
    others = centred.sum(axis=1, keepdims=True) - centred
    spread = np.sqrt((centred**2).sum(axis=0) * (others**2).sum(axis=0))
    agreement: FloatArray = (centred * others).sum(axis=0) / np.maximum(spread, np.finfo(float).tiny)
    return agreement
