"""Boards that the tests save, with names that are easy to find again."""

from __future__ import annotations

import numpy as np

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.saved_boards.access import LOCAL_USER, Viewer
from nlpstat_core.saved_boards.database import Database
from nlpstat_core.saved_boards.members import set_member
from nlpstat_core.saved_boards.saving import save_board
from nlpstat_core.saved_boards.states import change_state
from nlpstat_core.scores.matrix import ScoreMatrix

SYSTEMS = ("Zebulon", "Quixote", "Wolfram", "Yggdrasil")
OWN, OTHERS = SYSTEMS[1], tuple(name for name in SYSTEMS if name != SYSTEMS[1])
ISSUER = "https://login.example.org"


def person(name: str) -> Viewer:
    """Somebody who has logged in."""
    return Viewer(issuer=ISSUER, subject=name, name=name, email=f"{name}@example.org")


def scores(seed: int = 0, systems: tuple[str, ...] = SYSTEMS, units: int = 40) -> ScoreMatrix:
    """A board on which every system differs from the next."""
    rng = np.random.default_rng(seed)
    values = rng.normal(50, 3, (units, 1)) + rng.normal(0, 2, (units, len(systems)))
    values = np.round(values + 3.0 * np.arange(len(systems)), 2)
    return ScoreMatrix(
        values=values,
        systems=systems,
        units=tuple(f"item-{row}" for row in range(units)),
        labels={"document": tuple(f"doc-{row // 4}" for row in range(units))},
        source="Zebulon-and-friends.csv",
        metric="BLEU",
    )


ROLES = {"owner": None, "editor": None, "reviewer": None, "participant": OWN}


def shared_board(database: Database, config: AnalysisConfig | None = None, state: str = "draft") -> str:
    """A board of person("owner") with one member of each role."""
    board = save_board(database, person("owner"), "WMT", scores(), config or AnalysisConfig())
    for seen, (role, system) in enumerate(list(ROLES.items())[1:], start=1):
        who = f"{role.upper()}@example.org"
        set_member(database, person("owner"), board, who, role, system, seen=seen)
    if state != "draft":
        change_state(database, person("owner"), board, state, seen=4)
    return board


__all__ = ["LOCAL_USER", "OTHERS", "OWN", "SYSTEMS", "person", "scores", "shared_board"]
