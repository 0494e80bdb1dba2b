"""What one browser session holds. Session keys exist only here; settings use the names of AnalysisConfig."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dashboard.background.looks import Facts
from dashboard.background.outputs import Files
from dashboard.server.kept_sessions import kept_sessions
from nlpstat_core.config import AUTO, NONE, SETTINGS
from nlpstat_core.errors import Sentence, shown
from nlpstat_core.scores.matrix import ScoreMatrix

if TYPE_CHECKING:
    from dashboard.background.battled import ReadBattles
    from dashboard.background.given import TracksChoice
    from dashboard.background.looks import Look, Read
    from dashboard.background.settings_file import Found
    from dashboard.session.composed import Composed
    from dashboard.session.held import Earlier, Forgotten, Opened, SecondLook
    from dashboard.session.reading import Pending
    from dashboard.session.submissions import PendingOutputs, Submitted, Uncompared
    from dashboard.session.uploads import Example

Drawing = TypeVar("Drawing")
Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")
_KEY = "_session"
MOST_RESULTS = 12
MOST_DRAWINGS = 12

# Session keys of widgets. The pair's two are also the names in the address: /pair?a=…&b=…
PAIR_A, PAIR_B = "a", "b"
# What the sidebar calls each widget of a setting; two limits are two widgets.
LABELS = {key: label for setting in SETTINGS.values() for key, label in setting.labels.items()}
# Settings that name a system or a column, so they can only be used with data that have it.
NAMING = {name: setting for name, setting in SETTINGS.items() if setting.is_name}


@dataclass
class Session:
    """Everything a session remembers beside its widgets; it lives in memory and ends with the session.

    scores: The data every page is about.
    facts: What pages tell of them beyond what stands in them; None where nobody has told.
    raw: The file they were read from, to read it again with other choices.
    choices: Keywords of `read_scores` the user set.
    problem: Why the last file or reading choice was refused; the data stays what it was.
    refused: The file that was refused, to read it another way.
    refused_choices: Keywords of `read_scores` it was refused with.
    second_look: The look for what would mend it.
    asked: Whether it was refused because the roles of its columns aren't sure; the page asks for them.
    spent: Whether reading it took too much room, memory or time, so that it isn't looked at again.
    pending: The file that is being read.
    stopped: The file whose reading was cancelled, after how many visits of pages.
    dropped: Gold and outputs as far as they have come.
    submitting: Gold and outputs that are being read.
    submitted: Gold and outputs the scores come from; then there is no `raw`.
    composed: What the scores are a composite of; then there is no `raw` here, but there.
    composing: The composite that was asked for and isn't there yet.
    uncompared: Gold and outputs with nothing to compare.
    refused_outputs: Gold and outputs that were refused, with their choices; `outputs_problem` says why.
    battles: Battles of the page of preferences.
    reading_battles: Those that are being read.
    refused_battles: Those that were refused; `battles_problem` says why.
    outputs_choices: What a link or a settings file tells of gold and outputs, for the next ones.
    looking: The file whose columns are being looked at.
    opened_columns: The panel of roles, while it is open.
    counted: How many such panels there were.
    earlier: The file of an earlier board that this one is compared with.
    earlier_problem: Why the last file for it was refused before it was read.
    example: Entry of data/examples.json the scores come from.
    results: Finished work by key, newest last.
    drawings: Figures and tables made from results, by key, newest last.
    shown: Key of the last analysis on screen.
    uploader: Grows when the upload fields have to start empty.
    opened: When a pair was opened from a heatmap, and its systems.
    page: Part of the address of the page drawn last.
    visits: How often the page has changed.
    paired: The pairs its address and its menus have named since it was opened.
    arrived: Whether the address the session began with has been looked at.
    wanted: Settings and pair of a link or a settings file that name systems or columns no data has yet.
    linked: Beginning of the fingerprint of the data a link was made for.
    linked_found: Whether these data were loaded at least once.
    linked_board: Keywords of `read_scores` of a link, for the next file.
    from_link: Whether the session began with an address that asked for something.
    asked_by_link: What that was, until it has been compared with what came of it.
    ignored: What of it could not be used.
    reading: Keywords of `read_scores` from a settings file, for the next file.
    settings_notes: What is to be said about the settings file that was loaded last.
    lower: Boards whose lower scores are better, by what the boards are, where the user said so it.
    settings_problem: Why the last settings file can't be used.
    setting: The settings file that is being read.
    forgotten: Data that were just forgotten, as long as that can be undone.
    secret: Of the tab, by which it finds this session again (`taking_back.py`).
    answered: Whether the browser has shown the secret of a session before this one.
    taken_back: Whether it is to be said that everything is back.
    gone: Whether a tab came back for data that are no longer here.
    downloading: Held while a file of this session is made.
    """

    scores: ScoreMatrix | None = None
    facts: Facts | None = None
    raw: tuple[bytes, str] | None = None
    choices: Mapping[str, object] = field(default_factory=dict)
    problem: Sentence | None = None
    refused: tuple[bytes, str] | None = None
    refused_choices: Mapping[str, object] = field(default_factory=dict)
    second_look: SecondLook | None = None
    asked: bool = False
    spent: bool = False
    pending: Pending[Read] | None = None
    stopped: tuple[int, str] | None = None
    dropped: Files = field(default_factory=Files)
    submitting: PendingOutputs | None = None
    submitted: Submitted | None = None
    composed: Composed | None = None
    composing: TracksChoice | None = None
    uncompared: Uncompared | None = None
    refused_outputs: tuple[Files, Mapping[str, object]] | None = None
    outputs_problem: Sentence | None = None
    battles: ReadBattles | None = None
    reading_battles: Pending[ReadBattles] | None = None
    refused_battles: tuple[bytes, str] | None = None
    battles_problem: Sentence | None = None
    outputs_choices: dict[str, object] = field(default_factory=dict)
    looking: Pending[Look] | None = None
    opened_columns: Opened | None = None
    counted: int = 0
    earlier: Earlier | None = None
    earlier_problem: Sentence | None = None
    example: Example | None = None
    results: OrderedDict[tuple[str, Hashable], Any] = field(default_factory=OrderedDict)
    drawings: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    shown: tuple[str, Hashable] | None = None
    uploader: int = 0
    opened: tuple[float, str, str] | None = None
    page: str | None = None
    visits: int = 0
    paired: set[tuple[str | None, str | None]] = field(default_factory=set)
    arrived: bool = False
    wanted: dict[str, str | None] = field(default_factory=dict)
    linked: str | None = None
    linked_found: bool = False
    linked_board: dict[str, object] = field(default_factory=dict)
    from_link: bool = False
    asked_by_link: dict[str, list[str]] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    reading: dict[str, object] = field(default_factory=dict)
    settings_notes: tuple[str, ...] = ()
    lower: dict[str, tuple[str, ...]] = field(default_factory=dict)
    settings_problem: str | None = None
    setting: Pending[Found] | None = None
    forgotten: Forgotten | None = None
    secret: str = field(default_factory=partial(token_urlsafe, 32), repr=False)
    answered: bool = False
    taken_back: bool = False
    gone: bool = False
    downloading: threading.Lock = field(default_factory=threading.Lock)

    @property
    def can_read_again(self) -> bool:
        """Whether what the scores come from is here: a file, or gold and outputs."""
        return self.raw is not None or self.submitted is not None

    def remember(self, key: tuple[str, Hashable], value: object) -> None:
        """Keep a finished result, and only the newest few."""
        _keep(self.results, key, value, MOST_RESULTS)

    def drawing(self, key: Hashable, make: Callable[[], Drawing]) -> Drawing:
        """A figure or table, made only where it is not remembered: most reruns of a page change none.

        key: Everything it depends on.
        """
        found = self.drawings.get(key)
        drawn: Drawing = make() if found is None else found
        _keep(self.drawings, key, drawn, MOST_DRAWINGS)
        return drawn

    def rest(self) -> None:
        """Let go of what is being done and of what can be computed again: nobody looks any more."""
        self.looking = self.opened_columns = self.second_look = self.shown = self.setting = None
        if self.earlier is not None:
            self.earlier.wanted = self.earlier.job = None
        self.results.clear()
        self.drawings.clear()

    def replace_scores(self, scores: ScoreMatrix, facts: Facts | None = None) -> None:
        """Make these scores the data of every page; results of other data are dropped."""
        self.scores, self.facts = scores, facts
        self.problem = self.refused = self.second_look = self.opened_columns = self.stopped = None
        self.composed = self.composing = None
        self.submitted = self.uncompared = self.refused_outputs = self.outputs_problem = None
        self.asked = False
        self.results.clear()
        self.drawings.clear()
        self.shown = None
        forget_unknown_names(scores)
        take_wanted()


def _keep(kept: OrderedDict[Key, Kept], key: Key, value: Kept, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)


def session() -> Session:
    """The state of the browser session that is being served."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    found: Session = st.session_state[_KEY]
    return found


def forget_unknown_names(scores: ScoreMatrix) -> None:
    """Reset choices that name systems or columns these scores don't have."""
    for key, valid in names_of(scores).items():
        nameless = NAMING[key].choices if key in NAMING else ()
        if st.session_state.get(key) not in (None, *nameless, *valid):
            if key in NAMING:
                st.session_state[key] = NAMING[key].default
            else:
                del st.session_state[key]


def names_of(scores: ScoreMatrix | None) -> dict[str, tuple[str, ...]]:
    """What may be chosen where a system or a column is named: names by session key."""
    systems = () if scores is None else scores.systems
    labels = () if scores is None else tuple(name for name in scores.labels if name not in (AUTO, NONE))
    named = {name: systems if setting.kind == "system" else labels for name, setting in NAMING.items()}
    return {**named, PAIR_A: systems, PAIR_B: systems}


def names_not_there() -> dict[str, str]:
    """A sentence for every system and column of a link or a settings file that the scores don't have."""
    here = session()
    valid = {} if here.scores is None else names_of(here.scores)
    return {
        key: f"{NAMING[key].label}: these scores have no {NAMING[key].kind} {shown(value)}."
        if key in NAMING
        else f"These scores have no system {shown(value)}."
        for key, value in here.wanted.items()
        if key in valid and value not in valid[key]
    }


def take_wanted() -> None:
    """Use what a link or a settings file named, as far as the data have it now."""
    here = session()
    for key, valid in names_of(here.scores).items():
        if here.wanted.get(key) in valid:
            st.session_state[key] = here.wanted.pop(key)


def forget_everything() -> None:
    """Drop the data and everything derived from it; settings stay, except choices that name data."""
    old = session()
    kept_sessions().drop(old.secret)
    st.session_state[_KEY] = Session(
        uploader=old.uploader + 1, arrived=True, secret=old.secret, answered=old.answered
    )
    for key, setting in NAMING.items():
        st.session_state[key] = setting.default
    for key in (PAIR_A, PAIR_B):
        st.session_state.pop(key, None)


def restore(old: Session, named: Mapping[str, object]) -> None:
    """Make a session that was forgotten the one that is served, as it was.

    named: Settings and pair that name what its scores have.
    """
    old.uploader = session().uploader
    st.session_state[_KEY] = old
    for key, value in named.items():
        if value is not None or key in NAMING:
            st.session_state[key] = value
