"""Which metric is human, and the cells that it and the others have in common, higher being better."""

import re
from collections.abc import Iterable, Mapping

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.errors import AnalysisError, Remedy, shown, unknown
from nlpstat_core.results.metrics import HumanMetric, Judged
from nlpstat_core.scores.direction import advantage
from nlpstat_core.scores.grid import MOST_DECIMALS
from nlpstat_core.scores.matrix import ScoreMatrix

# In the order of preference; what stands beside a word in a name has to be harmless: "COMET-MQM" is no human.
WORDS = ("mqm", "esa", "da", "human", "annotator", "annotators", "gold")
HARMLESS = re.compile(
    "z|raw|scores?|ratings?|judge?ments?|mean|avg|average|wmt|src|ref|experts?|errors?|eval|evaluation|"
    "weighted|google|overall|quality|the|of|by|a|b|en|de|zh|ru|cs|ja"
)


def human_metric(names: Iterable[str], text: str | None = None) -> HumanMetric:
    """The human metric: the one that was told, else the one whose name says so.

    Raises AnalysisError: An unknown name, or no name that says so.

    >>> human_metric(["BLEU", "COMET-22-DA", "MQM"])
    HumanMetric(name='MQM', word='MQM', others=())
    """
    every = list(names)
    if text is not None:
        if text not in every:
            raise AnalysisError(unknown("metric", text, every))
        return HumanMetric(text, "")
    found = []
    for name in every:
        parts = [part for part in re.split(r"[^a-z]+", name.lower()) if part]
        words = [part for part in parts if part in WORDS]
        if words and all(part in WORDS or HARMLESS.fullmatch(part) for part in parts):
            found.append((min(WORDS.index(word) for word in words), name))
    if not found:
        raise AnalysisError(
            "No metric's name says that it is human (MQM, ESA, DA, human, annotator, gold); ",
            Remedy("human", every[0] if every else "…"),
            f" where that one is. There are: {', '.join(map(shown, every[:10]))}"
            f"{', …' if len(every) > 10 else ''}.",
        )
    found.sort(key=lambda entry: entry[0])
    word, name = WORDS[found[0][0]], found[0][1]
    return HumanMetric(name, word.upper() if len(word) <= 3 else word, tuple(other for _, other in found[1:]))


def aligned(boards: Mapping[str, ScoreMatrix], human: str) -> Judged:
    """Bring every metric onto the systems and units that people judged.

    Raises AnalysisError: No other metric, none with a cell that people judged, or units that can't be
        matched.
    """
    people = boards[human]
    names = [name for name in boards if name != human]
    if not names:
        raise AnalysisError(f"{shown(human)} is the only metric; there is none to compare with it.")
    rows = np.flatnonzero(people.present.any(axis=1))
    if rows.size == 0:
        raise AnalysisError(f"{shown(human)} has no score at all.")
    judged = advantage(people.values[rows], people.lower_is_better)
    scores = np.full((len(names), rows.size, people.n_systems), np.nan)
    for place, name in enumerate(names):
        scores[place] = _brought(boards[name], people, rows, name, human)
    scores[:, np.isnan(judged)] = np.nan
    cells = {name: int(np.count_nonzero(~np.isnan(scores[i]))) for i, name in enumerate(names)}
    if not any(cells.values()):
        raise AnalysisError(
            f"No metric has a score for a system and item that {shown(human)} judged; items and systems need "
            "the same names everywhere."
        )
    return Judged(
        systems=people.systems,
        metrics=tuple(names),
        human=judged,
        scores=scores,
        decimals=tuple(_decimals(boards[name]) for name in (human, *names)),
        without={
            name: gone
            for name in names
            if (gone := tuple(one for one in people.systems if one not in boards[name].systems))
        },
        cells=cells,
        judged_cells=int(np.count_nonzero(~np.isnan(judged))),
        lower=tuple(name for name, board in boards.items() if board.lower_is_better),
    )


def _decimals(scores: ScoreMatrix) -> int:
    return scores.decimals if scores.present.any() else MOST_DECIMALS


def _brought(scores: ScoreMatrix, people: ScoreMatrix, rows: IntArray, name: str, human: str) -> FloatArray:
    """One metric on the human units and systems."""
    if (scores.units is None) != (people.units is None):
        which = name if scores.units is None else human
        raise AnalysisError(
            f"{shown(which)} has no item ids and the other side has; give both ids, "
            "or neither and equal rows."
        )
    if scores.units is None or people.units is None:
        if scores.n_units != people.n_units:
            raise AnalysisError(
                f"{shown(name)} has {scores.n_units:,} rows and {shown(human)} {people.n_units:,}, and there "
                "are no item ids to match them by; add a column of ids."
            )
        places = rows
    else:
        known = {unit: row for row, unit in enumerate(scores.units)}
        places = np.array([known.get(people.units[row], -1) for row in rows], dtype=np.int64)
    oriented = advantage(scores.values, scores.lower_is_better)
    column = {system: place for place, system in enumerate(scores.systems)}
    found = np.full((rows.size, people.n_systems), np.nan)
    for place, system in enumerate(people.systems):
        if system in column:
            found[places >= 0, place] = oriented[places[places >= 0], column[system]]
    return found
