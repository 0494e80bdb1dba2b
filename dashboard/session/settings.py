"""The settings as the sidebar's widgets hold them, and a configuration put into them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.state import NAMING, names_of, session
from nlpstat_core.config import NONE, SETTINGS, AnalysisConfig

if TYPE_CHECKING:
    from nlpstat_core.settings import Setting


def settings() -> dict[str, Any]:
    """The settings as the widgets hold them, by field of AnalysisConfig.

    Returns: Only fields whose widget has been drawn; AnalysisConfig has a default for the others.
    """
    return {
        name: _held(setting)
        for name, setting in SETTINGS.items()
        if all(key in st.session_state for key in setting.labels)
    }


def _held(setting: Setting) -> object:
    """A setting as its widgets hold it."""
    values = tuple(st.session_state[key] for key in setting.labels)
    if setting.parts:
        return values
    if setting.kind == "choices":
        return tuple(values[0])
    return None if setting.says_none(values[0]) else values[0]


def adopt(config: AnalysisConfig) -> None:
    """Take over a configuration; names of systems and columns wait for data that have them."""
    here = session()
    valid = names_of(here.scores)
    for name, setting in SETTINGS.items():
        value = getattr(config, name)
        if name in NAMING:
            here.wanted.pop(name, None)
            if setting.says_none(value):
                value = NONE  # None in a menu means that nothing was chosen
            if value not in (*setting.choices, *valid[name]):
                here.wanted[name], value = value, setting.default
        values = value if setting.parts else [list(value) if isinstance(value, tuple) else value]
        st.session_state.update(zip(setting.labels, values, strict=True))


def reset_settings() -> None:
    """Put every setting back to its default."""
    here = session()
    here.settings_notes, here.settings_problem, here.reading = (), None, {}
    here.outputs_choices = {}
    adopt(AnalysisConfig())
