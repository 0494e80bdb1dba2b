"""What one browser session holds. Session keys exist only here; settings use the names of AnalysisConfig."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field, fields
from typing import Any

import streamlit as st

from nlpstat_core.config import AnalysisConfig
from nlpstat_core.scores import ScoreMatrix

_KEY = "_session"
MOST_RESULTS = 12

# Session keys of widgets. The pair's two are also the names in the address: /pair?a=…&b=…
PAIR_A, PAIR_B = "a", "b"
SKEW_SLIGHT, SKEW_HIGH = "skewness_slight", "skewness_high"
SETTINGS = tuple(item.name for item in fields(AnalysisConfig))


@dataclass
class Session:
    """Everything a session remembers beside its widgets; it lives in memory and ends with the session.

    Attributes
    ----------
    scores : ScoreMatrix or None
        The data every page is about.
    raw : tuple of bytes and str, or None
        The file they were read from, to read it again with other choices.
    choices : dict
        Keywords of `read_scores` the user set.
    problem : str or None
        Why the last file or reading choice was refused; the data stays what it was.
    refused : tuple of bytes and str, or None
        The file that was refused, to read it another way.
    refused_choices : dict
        Keywords of `read_scores` it was refused with.
    example : dict or None
        Entry of data/examples.json the scores come from.
    results : OrderedDict
        Finished work by key, newest last.
    shown : hashable or None
        Key of the last analysis on screen.
    uploader : int
        Grows when the upload field has to start empty.
    opened : tuple of float, str and str, or None
        When a pair was opened from a heatmap, and its systems.
    """

    scores: ScoreMatrix | None = None
    raw: tuple[bytes, str] | None = None
    choices: dict[str, Any] = field(default_factory=dict)
    problem: str | None = None
    refused: tuple[bytes, str] | None = None
    refused_choices: dict[str, Any] = field(default_factory=dict)
    example: dict[str, Any] | None = None
    results: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    shown: Hashable | None = None
    uploader: int = 0
    opened: tuple[float, str, str] | None = None

    def remember(self, key: Hashable, value: Any) -> None:
        """Keep a finished result, and only the newest few.

        Parameters
        ----------
        key : hashable
        value : object
        """
        self.results[key] = value
        self.results.move_to_end(key)
        while len(self.results) > MOST_RESULTS:
            self.results.popitem(last=False)

    def replace_scores(self, scores: ScoreMatrix) -> None:
        """Make these scores the data of every page; results of other data are dropped.

        Parameters
        ----------
        scores : ScoreMatrix
        """
        self.scores = scores
        self.problem = self.refused = None
        self.results.clear()
        self.shown = None
        forget_unknown_names(scores)


def session() -> Session:
    """The state of the browser session that is being served.

    Returns
    -------
    Session
    """
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    found: Session = st.session_state[_KEY]
    return found


def forget_unknown_names(scores: ScoreMatrix) -> None:
    """Reset choices that name systems or columns these scores don't have.

    Parameters
    ----------
    scores : ScoreMatrix
    """
    for key, valid in (("baseline", scores.systems), ("block_column", tuple(scores.labels))):
        if st.session_state.get(key) not in (None, *valid):
            st.session_state[key] = None
    for key in (PAIR_A, PAIR_B):
        if key in st.session_state and st.session_state[key] not in scores.systems:
            del st.session_state[key]


def forget_everything() -> None:
    """Drop the data and everything derived from it; settings stay, except choices that name data."""
    old = session()
    st.session_state[_KEY] = Session(uploader=old.uploader + 1)
    for key in ("baseline", "block_column"):
        st.session_state[key] = None
    for key in (PAIR_A, PAIR_B):
        st.session_state.pop(key, None)


def choose_pair(a: str, b: str) -> None:
    """Make two systems the pair of the pair page.

    Parameters
    ----------
    a, b : str
    """
    st.session_state[PAIR_A], st.session_state[PAIR_B] = a, b


def settings() -> dict[str, Any]:
    """The settings as the widgets hold them, by field of AnalysisConfig.

    Returns
    -------
    dict
        Only fields whose widget has been drawn; AnalysisConfig has a default for the others.
    """
    found = {name: st.session_state[name] for name in SETTINGS if name in st.session_state}
    if SKEW_SLIGHT in st.session_state and SKEW_HIGH in st.session_state:
        found["skewness_limits"] = (st.session_state[SKEW_SLIGHT], st.session_state[SKEW_HIGH])
    for name in ("effects", "intervals"):
        if name in found:
            found[name] = tuple(found[name])
    return found


def reset_settings() -> None:
    """Put every setting back to its default."""
    defaults = AnalysisConfig()
    for name in SETTINGS:
        if name in st.session_state:
            value = getattr(defaults, name)
            st.session_state[name] = list(value) if isinstance(value, tuple) else value
    st.session_state[SKEW_SLIGHT], st.session_state[SKEW_HIGH] = defaults.skewness_limits
