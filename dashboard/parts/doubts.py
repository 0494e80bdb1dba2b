"""Questions on how a file was read, before any result: what mends it, or one click that says it is right."""

import csv
from collections.abc import Mapping

import streamlit as st

from dashboard.background.looks import File, drop_rows, names_in
from dashboard.background.roles import SHORT_FOR_ROLES
from dashboard.session.facts import known_facts
from dashboard.session.state import session
from dashboard.session.uploads import read
from dashboard.text import markdown, note_in_app, printable
from nlpstat_core.errors import Remedy, Sentence
from nlpstat_core.notes import doubts
from nlpstat_core.scores.matrix import ScoreMatrix

SUMMARY_NOTE, LEFT_OUT_NOTE = "summary-row", "summary-rows-left-out"
MOST_NAMED = 3
RIGHT = "This is right"


def draw_doubts(scores: ScoreMatrix) -> None:
    """Every problem that asks whether the file was read right, with a button for each way to settle it."""
    here = session()
    file, choices = here.raw, here.choices
    for note in doubts(scores.notes):
        st.error(markdown(note_in_app(note.text)), icon=":material/help:")
        if file is None or here.refused is not None:  # else they stand below the complaint about another file
            continue
        with st.container(horizontal=True):
            if note.code == SUMMARY_NOTE:
                repair = drop_rows(known_facts(scores).summary_units, choices)
                _button(repair.label, file, repair.choices, "without summary")
            for remedy in note.text.remedies if isinstance(note.text, Sentence) else ():
                _remedy_button(remedy, file, choices)
            right = (*names_in(choices.get("accept")), note.code)
            _button(RIGHT, file, {**choices, "accept": right}, f"right {note.code}")


def offer_statistics(scores: ScoreMatrix) -> None:
    """One click keeps rows that were left out as statistics of the others."""
    here = session()
    if here.raw is not None and any(note.code == LEFT_OUT_NOTE for note in scores.notes):
        kept = {**here.choices, "drop_rows": (*names_in(here.choices.get("drop_rows")), "none")}
        _button("Keep the rows left out", here.raw, kept, "with statistics")


def turn_button(file: File, choices: Mapping[str, object]) -> None:
    """One click reads one row per system; what was told of columns was told of others."""
    kept = {key: value for key, value in choices.items() if key not in SHORT_FOR_ROLES}
    _button("Read every row as one system", file, {**kept, "systems_as_rows": True}, "systems as rows")


def _remedy_button(remedy: Remedy, file: File, choices: Mapping[str, object]) -> None:
    """What mends a problem as one click."""
    names = remedy.value if isinstance(remedy.value, tuple) else ()
    if remedy.keyword == "systems_as_rows":
        turn_button(file, choices)
    elif remedy.keyword == "as_percent":
        every = (*names_in(choices.get("as_percent")), *names)
        _button(f"× 100: {_some(names)}", file, {**choices, "as_percent": every}, "as percent")
    elif remedy.keyword == "drop_rows":
        repair = drop_rows(names, choices)
        _button(repair.label, file, repair.choices, f"without {names}")
    elif remedy.keyword == "roles":
        told = [one.partition("=") for one in next(csv.reader([str(remedy.value)]))]
        role, named = told[0][0], tuple(name for _, _, name in told)
        what = f"Leave out {_some(named)}" if role == "ignored" else f"Read {_some(named)} as systems"
        _button(what, file, _with_roles(choices, role, named), f"roles {remedy.value}")


def _with_roles(choices: Mapping[str, object], role: str, names: tuple[str, ...]) -> dict[str, object]:
    """The choices with one more role of some columns, which have no other then."""
    given = choices.get("roles")
    before = given if isinstance(given, Mapping) else {}
    kept = {own: [name for name in names_in(those) if name not in names] for own, those in before.items()}
    kept[role] = [*kept.get(role, []), *names]
    return {**choices, "roles": {own: those for own, those in kept.items() if those}}


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")


def _button(label: str, file: File, choices: Mapping[str, object], key: str) -> None:
    st.button(markdown(printable(label)), on_click=read, args=(file, choices), key=key)
