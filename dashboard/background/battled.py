"""Battles as the server holds them, and what pages tell of them.

The battles themselves stay packed; worker processes unpack them (`preferences.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    import pandas as pd

    from nlpstat_core.notes import Note

ALL = ""  # of a menu: no column
# Of the same menu: systems that wins and ties connect both ways, named by the first of them.
CONNECTED = "a connected group"


class RankingSettings(TypedDict):
    """Keywords of `rank_preferences`."""

    ties: Literal["half", "davidson"]
    clusters: str | tuple[str, ...] | None
    correction: str
    alpha: float


@dataclass(frozen=True)
class ReadBattles:
    """Battles as the server holds them, and what pages tell of them.

    packed: The battles; worker processes unpack them.
    clusters: Columns that can say which battles belong together: complete, with entries that come again.
    likely: The one that names lists or prompts; "" where none does.
    groups: Columns whose entries can be boards of their own, with their entries; and connected groups, where
        not all systems are connected.
    """

    packed: bytes
    fingerprint: str
    source: str
    systems: tuple[str, ...]
    n_battles: int
    n_ties: int
    clusters: tuple[str, ...]
    likely: str
    groups: dict[str, tuple[str, ...]]
    notes: tuple[Note, ...]


@dataclass(frozen=True, eq=False)
class PairBattles:
    """The battles of two systems, as a against b.

    first, second: Wins of a, ties, wins of b where a was shown first, and where b was.
    listed: The first of them with their columns.
    number: How many there are.
    """

    first: tuple[int, int, int]
    second: tuple[int, int, int]
    listed: pd.DataFrame
    number: int
