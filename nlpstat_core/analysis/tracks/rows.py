"""Rows of a composite board with fixed tracks: the items of all tracks, apart or matched by id."""

from collections.abc import Mapping

import numpy as np

from nlpstat_core.arrays import FloatArray, IntArray
from nlpstat_core.board.pairs.track_parts import TRACK
from nlpstat_core.errors import AnalysisError
from nlpstat_core.readers.roles.documents import document_columns
from nlpstat_core.scores.matrix import ScoreMatrix

WITHOUT_IDS = "Shared items are matched by their ids; a track has none."


def items_apart(
    boards: Mapping[str, ScoreMatrix], parts: Mapping[str, FloatArray], shares: FloatArray
) -> tuple[FloatArray, tuple[str, ...] | None, dict[str, tuple[str, ...]]]:
    """Every item of every track as an item, scaled so that the mean is the weighted mean over tracks.

    Its score is the middle of the board and w_t·N/n_t times the distance from the middle of its track. An
    item without a score of any system counts in no track.
    """
    rows = {name: np.flatnonzero(np.isfinite(values).any(axis=1)) for name, values in parts.items()}
    total = sum(map(len, rows.values()))
    # What an item adds to all systems changes no comparison; without it, a system's own interval would be
    # about how high tracks are and how many items they have.
    middles = {name: float(np.nanmean(part)) for name, part in parts.items()}
    middle = sum(share * middles[name] for name, share in zip(parts, shares, strict=True))
    values = np.concatenate(
        [
            middle + (parts[name][rows[name]] - middles[name]) * (share * total / len(rows[name]))
            for name, share in zip(parts, shares, strict=True)
        ]
    )
    units = [f"{name}: {unit}" for name, board in boards.items() for unit in (board.unit_names(rows[name]))]
    labels: dict[str, tuple[str, ...]] = {
        TRACK: tuple(name for name in boards for _ in rows[name]),
        **_labels(boards, rows),
    }
    return values, tuple(units), labels


def row_places(
    boards: Mapping[str, ScoreMatrix], parts: Mapping[str, FloatArray], shared: bool
) -> dict[str, IntArray]:
    """The row of the board that each item of each track is in; −1 for items without a score."""
    if shared:
        order: dict[str, int] = {}
        for board in boards.values():
            for unit in board.units or ():
                order.setdefault(unit, len(order))
        return {name: np.array([order[unit] for unit in board.units or ()]) for name, board in boards.items()}
    found, start = {}, 0
    for name, values in parts.items():
        there = np.isfinite(values).any(axis=1)
        found[name] = np.where(there, start + np.cumsum(there) - 1, -1)
        start += int(there.sum())
    return found


def _labels(boards: Mapping[str, ScoreMatrix], rows: Mapping[str, IntArray]) -> dict[str, tuple[str, ...]]:
    """Label columns that all tracks have; documents of one name in two tracks are two."""
    first = next(iter(boards.values()))
    common = [name for name in first.labels if all(name in board.labels for board in boards.values())]
    documents = {name for board in boards.values() for name in document_columns(board)}
    return {
        name: tuple(
            f"{track}: {board.labels[name][row]}" if name in documents else board.labels[name][row]
            for track, board in boards.items()
            for row in rows[track]
        )
        for name in common
        if name != TRACK
    }


def items_shared(
    boards: Mapping[str, ScoreMatrix], parts: Mapping[str, FloatArray], shares: FloatArray
) -> tuple[FloatArray, tuple[str, ...] | None, dict[str, tuple[str, ...]]]:
    """Items of one id in several tracks as one item: the sum of their weighted scores."""
    if any(board.units is None for board in boards.values()):
        raise AnalysisError(WITHOUT_IDS)
    places: dict[str, int] = {}
    for board in boards.values():
        for unit in board.units or ():
            places.setdefault(unit, len(places))
    values = np.zeros((len(places), next(iter(parts.values())).shape[1]))
    for (name, board), share in zip(boards.items(), shares, strict=True):
        rows = np.array([places[unit] for unit in board.units or ()])
        there = np.isfinite(parts[name]).any(axis=1)
        # A system without a score of an item has none of it in the whole.
        values[rows[there]] += parts[name][there] * (share * len(places) / int(there.sum()))
    labels: dict[str, tuple[str, ...]] = {}
    for column in next(iter(boards.values())).labels:
        found = [""] * len(places)
        for board in boards.values():
            for unit, label in zip(board.units or (), board.labels.get(column, ()), strict=False):
                found[places[unit]] = found[places[unit]] or label
        labels[column] = tuple(found)
    return values, tuple(places), labels
