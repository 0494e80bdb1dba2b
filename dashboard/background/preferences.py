"""What worker processes do with battles. No Streamlit in here.

Each function takes its arguments, then `progress(done, total)` and `should_stop()`, as those of `tasks.py`.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dashboard.background.battled import ALL, CONNECTED, PairBattles, RankingSettings, ReadBattles
from dashboard.background.looks import File

if TYPE_CHECKING:
    from dashboard.background.worker_talk import Progress, ShouldStop
    from nlpstat_core.methods.preferences.elo import EloPaths
    from nlpstat_core.results.preference_checks import PreferenceChecks
    from nlpstat_core.results.preferences import Preferences
    from nlpstat_core.scores.battles import Battles
    from nlpstat_core.scores.matrix import ScoreMatrix

MOST_LISTED, LONGEST_CELL = 500, 300
MOST_GROUPS = 50  # entries of a column that battles may be chosen by


def read(
    file: File, choices: Mapping[str, object], progress: Progress, should_stop: ShouldStop
) -> ReadBattles:
    """The battles in a file."""
    from nlpstat_core.readers.battles import read_battles
    from nlpstat_core.readers.open.memory import memory_at_most
    from nlpstat_core.stopping import stoppable

    with memory_at_most(), stoppable(should_stop):
        return _held(read_battles(file, **choices))  # type: ignore[arg-type]  # by name


def _held(battles: Battles) -> ReadBattles:
    """Battles packed, with what pages tell of them."""
    from nlpstat_core.analysis.preference_boards import connected_groups
    from nlpstat_core.scores.battle_columns import PROMPTS, complete_columns

    several = complete_columns(battles, list(battles.labels))
    clusters = tuple(name for name, many in several.items() if many < battles.n_battles)
    prompts = complete_columns(battles, PROMPTS)
    groups = {
        name: tuple(sorted({str(cell) for cell in battles.labels[name]}))
        for name, many in several.items()
        if many <= MOST_GROUPS
    }
    connected = connected_groups(battles)
    if CONNECTED not in battles.labels and 0 < len(connected) <= MOST_GROUPS and not _one_board(battles):
        groups[CONNECTED] = connected
    packed = _packed(battles)
    return ReadBattles(
        packed=packed,
        fingerprint=hashlib.sha256(packed).hexdigest(),
        source=battles.source,
        systems=battles.systems,
        n_battles=battles.n_battles,
        n_ties=int(np.count_nonzero(battles.outcome == 0)),
        clusters=clusters,
        likely=next((name for name in prompts if name in clusters), ALL),
        groups=groups,
        notes=battles.notes,
    )


def _one_board(battles: Battles) -> bool:
    """Whether wins and ties connect all systems both ways."""
    from nlpstat_core.methods.preferences.fit import strong_components
    from nlpstat_core.methods.preferences.models import counted

    return not strong_components(counted(battles), ties_connect=True).any()


def of_scores(
    file: File, choices: Mapping[str, ScoreMatrix], progress: Progress, should_stop: ShouldStop
) -> ReadBattles:
    """Scores as battles: on every item the better of two systems wins.

    choices: The scores, by the name "scores".
    """
    from nlpstat_core.scores.score_battles import battles_of_scores
    from nlpstat_core.stopping import stoppable

    with stoppable(should_stop):
        return _held(battles_of_scores(choices["scores"]))


def ranked(
    packed: bytes,
    only: tuple[str, str] | None,
    settings: RankingSettings,
    progress: Progress,
    should_stop: ShouldStop,
) -> Preferences:
    """The board of some battles. `only`: A column and the entry that the battles must have."""
    from nlpstat_core.analysis.preferences import rank_preferences
    from nlpstat_core.stopping import stoppable

    with stoppable(should_stop):
        return rank_preferences(_unpacked(packed, only), **settings)


def checked(
    packed: bytes,
    only: tuple[str, str] | None,
    board: Preferences,
    progress: Progress,
    should_stop: ShouldStop,
) -> PreferenceChecks:
    """The board against its own battles."""
    from nlpstat_core.analysis.preference_checks import check_preferences
    from nlpstat_core.stopping import stoppable

    with stoppable(should_stop):
        return check_preferences(_unpacked(packed, only), board)


def of_pair(
    packed: bytes, only: tuple[str, str] | None, a: str, b: str, progress: Progress, should_stop: ShouldStop
) -> PairBattles:
    """The battles between two systems."""
    import pandas as pd

    battles = _unpacked(packed, only)
    left, right = battles.position(a), battles.position(b)
    forwards = (battles.left == left) & (battles.right == right)
    backwards = (battles.left == right) & (battles.right == left)
    rows = np.flatnonzero(forwards | backwards)
    shown = rows[:MOST_LISTED]
    names = np.array(battles.systems, dtype=object)
    first, second, outcome = battles.left[shown], battles.right[shown], battles.outcome[shown]
    winner = np.where(outcome == 0, "tie", np.where(outcome > 0, names[first], names[second]))
    columns: dict[str, object] = {"shown first": names[first], "winner": winner}
    for name, cells in battles.labels.items():
        own = np.asarray(cells, dtype=object)[shown]
        columns[name if name not in columns else f"{name} (file)"] = [
            "" if cell is None else str(cell)[:LONGEST_CELL] for cell in own
        ]
    return PairBattles(
        first=_counted(battles.outcome[forwards]),
        second=_counted(-battles.outcome[backwards]),
        listed=pd.DataFrame(columns),
        number=int(rows.size),
    )


def elo(
    packed: bytes,
    only: tuple[str, str] | None,
    systems: tuple[str, ...],
    progress: Progress,
    should_stop: ShouldStop,
) -> EloPaths:
    """Ratings in the order of time, of some systems."""
    from nlpstat_core.methods.preferences.elo import elo_paths
    from nlpstat_core.stopping import stoppable

    with stoppable(should_stop):
        return elo_paths(_unpacked(packed, only), systems)


def _counted(outcome: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> tuple[int, int, int]:
    return tuple(int(np.count_nonzero(outcome == sign)) for sign in (1, 0, -1))  # type: ignore[return-value]  # three


def _packed(battles: Battles) -> bytes:
    import zlib

    return zlib.compress(pickle.dumps(battles, protocol=pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(packed: bytes, only: tuple[str, str] | None) -> Battles:
    import zlib

    battles: Battles = pickle.loads(zlib.decompress(packed))
    if only is None:
        return battles
    if only[0] == CONNECTED and CONNECTED not in battles.labels:
        from nlpstat_core.analysis.preference_boards import battles_of_group

        return battles_of_group(battles, only[1])
    return battles.only(*only)
