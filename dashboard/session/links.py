"""Links to a page with its settings and pair; scores are never in them, whoever opens one loads the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from dashboard.background.outputs import LISTED, NAMED, OPTIONS, SHOWN, told_choices
from dashboard.navigation import page_path
from dashboard.session.settings import settings
from dashboard.session.state import PAIR_A, PAIR_B, names_of, session
from dashboard.text import markdown
from nlpstat_core.config import AUTO, NONE, SETTINGS
from nlpstat_core.errors import shown
from nlpstat_core.reading import KEYWORDS

if TYPE_CHECKING:
    from nlpstat_core.scores.matrix import ScoreMatrix

# The beginning of the fingerprint tells whether the same scores were loaded; it tells nothing of the scores.
DATA, DATA_LETTERS = "data", 12
# Which board of the file, and how the file was read where that was told.
METRIC, DATASET, SHEET, DIRECTION, READING = "metric", "dataset", "sheet", "direction", "reading"
# The same of gold and outputs: measures, their options, how they were read.
OUTPUTS = "outputs"
LINK_KEYS = (METRIC, DATASET, SHEET, DIRECTION, READING, OUTPUTS)
DIRECTIONS = {"lower": True, "higher": False}


def take_link() -> None:
    """On the first run of a session: keep what its address names until there are data that have it."""
    here = session()
    if here.arrived:
        return
    here.arrived = True
    here.linked = st.query_params.get(DATA)
    here.asked_by_link = {key: st.query_params.get_all(key) for key in st.query_params}
    here.from_link = bool(here.asked_by_link)
    here.linked_board = _linked_board()
    here.outputs_choices = _linked_outputs()
    for key in names_of(None):
        if key in st.query_params and st.query_params[key] not in (AUTO, NONE):
            here.wanted[key] = st.query_params[key]


def _linked_board() -> dict[str, object]:
    """Keywords of `read_scores` that the address names; what can't be used is said."""
    here = session()
    found: dict[str, object] = {}
    if READING in st.query_params:
        told = _plain(st.query_params[READING])
        if isinstance(told, dict) and set(told) <= KEYWORDS:
            found = told  # what it says is checked where the file is read
        else:
            here.ignored.append(
                "How the file is to be read can't be understood; it is read from its content."
            )
    for key in (METRIC, DATASET, SHEET):
        if st.query_params.get(key):
            found[key] = st.query_params[key]
    text = st.query_params.get(DIRECTION)
    if text in DIRECTIONS:
        found["lower_is_better"] = DIRECTIONS[text]
    elif text is not None:
        here.ignored.append(f"Direction: {shown(text)} is neither lower nor higher.")
    return found


def _linked_outputs() -> dict[str, object]:
    """What the address tells of gold and outputs; what can't be used is said."""
    if OUTPUTS not in st.query_params:
        return {}
    told = _plain(st.query_params[OUTPUTS])
    known = {*LISTED, *NAMED, *OPTIONS, SHOWN}
    found = told_choices(told) if isinstance(told, dict) and set(told) <= known else None
    if found is None:
        session().ignored.append(
            "How gold and outputs are to be read can't be understood; they are read from their content."
        )
    return found or {}


def _plain(text: str) -> object:
    """What stands in a text of JSON; None where it is none."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def board_query(scores: ScoreMatrix, choices: Mapping[str, object]) -> list[tuple[str, str]]:
    """The board of the file and how it was read, for a link.

    Returns list of (str, str): Empty for a file with one board that was read without being told anything.
    """
    several, rest = scores.several, dict(choices)
    query: list[tuple[str, str]] = []
    for key, what, now in (
        (METRIC, "metrics", scores.metric),
        (DATASET, "datasets", scores.reading.get("dataset")),
        (SHEET, "sheets", scores.reading.get("sheet")),
    ):
        value = rest.pop(key, None)
        value = now if value is None and what in several else value
        if value is not None:
            query.append((key, str(value)))
    if rest.pop("lower_is_better", None) is not None or "metrics" in several:
        query.append((DIRECTION, "lower" if scores.lower_is_better else "higher"))
    if rest:
        query.append((READING, json.dumps(rest, ensure_ascii=False, separators=(",", ":"))))
    return query


def settings_query() -> list[tuple[str, str]]:
    """Every setting that is not at its default, as it stands in the address."""
    query: list[tuple[str, str]] = []
    for name, value in settings().items():
        setting = SETTINGS[name]
        if value == setting.default:
            continue
        if setting.parts:
            query += [(key, str(part)) for key, part in zip(setting.parts, value, strict=True)]
        else:
            several = value if isinstance(value, tuple) else (value,)
            query += [(name, setting.text(one)) for one in several]
    return query


def link_query(pair: tuple[str, str] | None = None) -> str:
    """The part of a link behind the question mark: every setting that is not at its default, and a pair."""
    query: list[tuple[str, str]] = [] if pair is None else [(PAIR_A, pair[0]), (PAIR_B, pair[1])]
    query += settings_query()
    scores = session().scores
    if scores is not None:
        if session().raw is not None:
            query += board_query(scores, session().choices)
        given = session().submitted
        if given is not None and given.choices:
            told = json.dumps(dict(given.choices), ensure_ascii=False, separators=(",", ":"))
            query.append((OUTPUTS, told))
        query.append((DATA, short_fingerprint(scores.fingerprint)))
    return urlencode(query)


def short_fingerprint(fingerprint: str) -> str:
    """Enough of a fingerprint to tell data apart.

    >>> short_fingerprint("sha256:0123456789abcdef")
    '0123456789ab'
    """
    return fingerprint.removeprefix("sha256:")[:DATA_LETTERS]


def draw_link(label: str, pair: tuple[str, str] | None = None) -> None:
    """The link to this page with its settings, ready to be copied."""
    with st.popover(label, width="stretch" if pair is None else "content"):
        st.caption(
            "Settings, metric, data set, names of systems chosen and a fingerprint of the data; never scores "
            "or outputs."
        )
        query = link_query(pair)
        address = str(st.context.url or "").partition("?")[0]
        st.code(f"{address}?{query}" if query else address, language=None, wrap_lines=True)


def draw_expectation() -> None:
    """What somebody who followed a link is told before there are data, and how to go on once there are."""
    here = session()
    first, second = here.wanted.get(PAIR_A), here.wanted.get(PAIR_B)
    if here.scores is None:
        if here.linked is None and first is None:
            return
        what = "this comparison" if first is None else f"{first} and {second}"
        data = "" if here.linked is None else f" (data {here.linked})"
        never, file = "Scores never travel", "score file"
        if here.outputs_choices:
            never, file = "Gold and outputs never travel", "gold and outputs"
        st.info(
            f"The link you followed shows {markdown(what)}. {never} in a link: load the same {file}"
            f"{markdown(data)}, and the settings of the link are used.",
            icon=":material/link:",
        )
        return
    own = short_fingerprint(here.scores.fingerprint)
    here.linked_found |= here.linked == own
    if here.linked is not None and not here.linked_found:
        st.caption(markdown(f"The link was made for other scores (data {here.linked}; these are {own})."))
    elif here.linked is not None and st.session_state.get(PAIR_A) and st.session_state.get(PAIR_B):
        names = f"{st.session_state[PAIR_A]} and {st.session_state[PAIR_B]}"
        st.page_link(
            page_path("pair"),
            label=markdown(f"The pair of the link: {names}"),
            icon=":material/link:",
            query_params={PAIR_A: st.session_state[PAIR_A], PAIR_B: st.session_state[PAIR_B]},
        )
