"""What the order of a composite is made of: means of systems on every track, and how much a track tells."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpstat_core.errors import AnalysisError, shown
from nlpstat_core.scores.matrix import ScoreMatrix


@dataclass(frozen=True, eq=False, kw_only=True)
class TrackMeans:
    """Tracks without their items.

    boards: One row a track: means of systems; NaN where one took no part.
    items: How many items a track has.
    signal: Signal to noise of a track (`signal_to_noise`).
    """

    boards: Mapping[str, ScoreMatrix]
    items: Mapping[str, int]
    signal: Mapping[str, float]

    @property
    def complete(self) -> bool:
        """Whether all systems took part in all tracks."""
        every = {system for board in self.boards.values() for system in board.systems}
        return all(self.n_systems(name) == len(every) for name in self.boards)

    def n_systems(self, track: str) -> int:
        """How many systems took part in a track."""
        return int(self.boards[track].present.sum())


def track_means(boards: Mapping[str, ScoreMatrix]) -> TrackMeans:
    """The tracks of several boards; raises AnalysisError for measures that are no means of item scores."""
    for name, board in boards.items():
        if board.counts is not None or board.measured is not None:
            raise AnalysisError(f"Track {shown(name)} isn't ranked by means of item scores; leave it out.")
    return TrackMeans(
        boards={name: _means(board) for name, board in boards.items()},
        items={name: int(board.present.any(axis=1).sum()) for name, board in boards.items()},
        signal={name: signal_to_noise(board) for name, board in boards.items()},
    )


def _means(board: ScoreMatrix) -> ScoreMatrix:
    there = board.present.any(axis=0)
    means = np.full((1, board.n_systems), np.nan)
    means[0, there] = np.nanmean(board.values[:, there], axis=0)
    return ScoreMatrix(
        values=means, systems=board.systems, lower_is_better=board.lower_is_better, source=board.source
    )


def signal_to_noise(board: ScoreMatrix) -> float:
    """Variance between the systems' true means over the variance of a mean by its items; 0 where none shows.

    Returns: max(0, F − 1), F of the analysis of variance of systems × items, on the items that all systems
        have; NaN for fewer than two items or no noise at all.

    >>> round(signal_to_noise(ScoreMatrix(values=[[1, 3], [2, 4], [3, 4]], systems="AB")), 9)
    24.0
    """
    values = board.values[:, board.present.any(axis=0)]
    values = values[np.isfinite(values).all(axis=1)]
    n_items, n_systems = values.shape
    if n_items < 2 or n_systems < 2:
        return float("nan")
    means = values.mean(axis=0)
    rest = values - means - values.mean(axis=1, keepdims=True) + means.mean()
    noise = float((rest**2).sum()) / ((n_items - 1) * (n_systems - 1))
    if noise <= 1e-24 * float((values**2).max()):
        return float("nan")
    return float(max(0.0, n_items * means.var(ddof=1) / noise - 1))
