"""Battles of the session: from an upload or the example to the board that the page of preferences draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

import streamlit as st

from dashboard.background import preferences
from dashboard.background.battled import ALL, RankingSettings, ReadBattles
from dashboard.server.privacy import given_files
from dashboard.session.reading import BATTLES, Pending, begin, draw_waiting, settled
from dashboard.session.results import Answer, ask, session_jobs
from dashboard.session.state import session
from dashboard.session.uploads import DATA, bounds, most_seconds, taken
from dashboard.text import markdown
from nlpstat_core.config import AnalysisConfig
from nlpstat_core.errors import NlpstatError
from nlpstat_core.methods.corrections import CORRECTIONS

if TYPE_CHECKING:
    from dashboard.background.battled import PairBattles
    from nlpstat_core.methods.preferences.elo import EloPaths
    from nlpstat_core.results.preference_checks import PreferenceChecks
    from nlpstat_core.results.preferences import Preferences

RANKED, CHECKED, BETWEEN, ELO = "preferences", "preference checks", "battles of a pair", "elo"
TIES, CLUSTERS, BASELINE = "preferences ties", "preferences clusters", "preferences baseline"
GROUP, ENTRY = "preferences group", "preferences entry"
EXAMPLE = "battles.csv"
NEITHER = "nothing: battles are independent"
AND = " and "
QUICK_BATTLES, QUICK_SYSTEMS = 200_000, 100


@dataclass(frozen=True)
class Ranking:
    """What the board of the page is made of.

    only: A column and the entry that battles must have; None for all of them.
    """

    given: ReadBattles
    only: tuple[str, str] | None
    settings: RankingSettings

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that the board depends on."""
        return (self.given.fingerprint, self.only, *self.settings.values())

    @property
    def quick(self) -> bool:
        """Whether it takes about a second at most."""
        return self.given.n_battles <= QUICK_BATTLES and len(self.given.systems) <= QUICK_SYSTEMS


def field_key() -> str:
    """Key of the upload field; a new key is an empty field."""
    return f"battles-{session().uploader}"


def take_battles() -> None:
    """Read what was dropped on the field of battles."""
    uploaded = given_files(st.session_state.get(field_key()))
    if not uploaded:
        return
    try:
        file = taken(uploaded)
    except NlpstatError as error:
        session().battles_problem = error.sentence
        return
    read_battles(file, {})


def take_refused_scores() -> None:
    """Read as battles what the page Scores refused because it holds these."""
    here = session()
    if here.refused is not None and here.problem is not None and here.problem.remedy("preferences"):
        refused, here.refused, here.problem = here.refused, None, None
        read_battles(refused, {})


def take_battle_example() -> None:
    """Read the example, as any other file."""
    read_battles(((DATA / EXAMPLE).read_bytes(), EXAMPLE), {})


def take_scores_as_battles() -> None:
    """Make battles of the scores that are loaded."""
    here = session()
    scores = here.scores
    if scores is None:
        return
    file = (b"", scores.source or "the scores")
    try:
        seconds = most_seconds()
    except NlpstatError as error:
        here.battles_problem = error.sentence
        return
    job = begin(BATTLES, preferences.of_scores, file, {"scores": scores}, seconds)
    here.reading_battles, here.stopped = Pending(file, {}, job), None
    settle_battles()


def read_with_baseline() -> None:
    """Read the refused file again, with the system that Arena-Hard compares all others with."""
    named = str(st.session_state.get(BASELINE) or "").strip()
    refused = session().refused_battles
    if named and refused is not None:
        read_battles(refused, {"baseline": named})


def read_battles(file: tuple[bytes, str], choices: Mapping[str, object]) -> None:
    """Have battles read; on failure say why and keep those that are there."""
    here = session()
    try:
        keywords, seconds = {**bounds(), **choices}, most_seconds()
    except NlpstatError as error:
        here.battles_problem = error.sentence
        return
    job = begin(BATTLES, preferences.read, file, keywords, seconds)
    here.reading_battles, here.stopped = Pending(file, choices, job), None
    settle_battles()


def settle_battles() -> None:
    """Take what has been read meanwhile; called before anything of a page is drawn."""
    here = session()
    pending = here.reading_battles
    if pending is None or not pending.job.ended:
        return
    here.reading_battles = None
    found, problem = settled(pending, BATTLES)
    if found is not None:
        here.battles, here.battles_problem, here.refused_battles = found, None, None
        for key in (TIES, CLUSTERS, GROUP, ENTRY):
            st.session_state.pop(key, None)
    elif problem is not None:
        here.battles_problem, here.refused_battles = problem.sentence, pending.file


def draw_reading_battles() -> None:
    """Which battles are being read, with a way to stop it."""
    pending = session().reading_battles
    if pending is not None:
        draw_waiting(pending.job, BATTLES, f"Reading {markdown(pending.file[1])}")


def forget_battles() -> None:
    """Drop the battles and what was computed of them."""
    here = session()
    here.battles = here.battles_problem = here.refused_battles = here.reading_battles = None
    for kind in (BATTLES, RANKED, CHECKED, BETWEEN, ELO):
        session_jobs().drop(kind)
    here.results.clear()
    here.drawings.clear()


def correction_of(config: AnalysisConfig) -> str:
    """The sidebar's correction where battles allow it, else Holm's."""
    chosen = CORRECTIONS[config.correction]
    fits = chosen.p_values_only and not chosen.all_pairs_of_a_board
    return chosen.key if fits or chosen.key == "max-t" else "holm"


def ranking(given: ReadBattles, config: AnalysisConfig) -> Ranking:
    """What stands in the menus of the page, with the level and correction of the sidebar."""
    told = str(st.session_state.get(CLUSTERS, given.likely or NEITHER))
    named = tuple(told.split(AND)) if told not in given.clusters else (told,)
    known = all(name in given.clusters for name in named)
    clusters: str | tuple[str, ...] | None = None
    if known:
        clusters = named[0] if len(named) == 1 else named
    group, entry = (st.session_state.get(key) for key in (GROUP, ENTRY))
    entries = given.groups.get(str(group), ())
    ties = "davidson" if st.session_state.get(TIES) == "davidson" else "half"
    return Ranking(
        given,
        (str(group), str(entry)) if entry in entries and group != ALL else None,
        {
            "ties": cast(Literal["half", "davidson"], ties),
            "clusters": clusters,
            "correction": correction_of(config),
            "alpha": config.alpha,
        },
    )


def ask_ranked(chosen: Ranking) -> Answer[Preferences]:
    """The board."""
    work = (chosen.given.packed, chosen.only, chosen.settings)
    return ask(RANKED, chosen.key, preferences.ranked, *work, quick=chosen.quick)


def ask_checked(chosen: Ranking, board: Preferences) -> Answer[PreferenceChecks]:
    """The board against its battles."""
    work = (chosen.given.packed, chosen.only, board)
    return ask(CHECKED, chosen.key, preferences.checked, *work)


def ask_between(chosen: Ranking, a: str, b: str) -> Answer[PairBattles]:
    """The battles of two systems."""
    key = (chosen.given.fingerprint, chosen.only, a, b)
    return ask(BETWEEN, key, preferences.of_pair, chosen.given.packed, chosen.only, a, b, quick=chosen.quick)


def ask_elo(chosen: Ranking, systems: tuple[str, ...]) -> Answer[EloPaths]:
    """Ratings in the order of time."""
    key = (chosen.given.fingerprint, chosen.only, systems)
    return ask(ELO, key, preferences.elo, chosen.given.packed, chosen.only, systems)
