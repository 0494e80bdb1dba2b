"""Draws the choice of the measures of gold and outputs, and of what can be told of them."""

from __future__ import annotations

import streamlit as st

from dashboard.background.outputs import BETA, LOWERCASE, POSITIVE, SHOWN, STEMMER, TOKENIZE, Files, Outputs
from dashboard.session.submissions import Choices, read_outputs
from dashboard.text import printable

MEASURES = "measures of the outputs"
FOUND = "detected from the content"
POSITIVE_LABEL = "Positive label of F1 and similar measures"
# As sacreBLEU calls them, those that need nothing else installed; the first is what holds unless told.
TOKENIZERS = {
    "13a": "13a (WMT)",
    "intl": "intl (all scripts)",
    "zh": "zh (Chinese)",
    "char": "char (single characters)",
    "none": "none (already tokenized)",
}
USUAL_BETA = 0.5
SWITCHES = {LOWERCASE: "BLEU ignores case", STEMMER: "ROUGE stems words (English)"}


def draw_measures(files: Files, choices: Choices, outputs: Outputs, fingerprint: str) -> None:
    """The menus; a change reads the files again.

    fingerprint: Of the board on screen, so that menus of another one start anew.
    """
    key = f"{MEASURES} {fingerprint}"
    st.multiselect(
        "Measures, the official one first",
        list(outputs.titles),
        default=list(outputs.measures),
        format_func=outputs.titles.__getitem__,
        key=key,
        on_change=_choose_measures,
        args=(key, files, choices),
        help="All are computed; the pages show the first, and the menu at the top switches to another.",
    )
    offered = outputs.options_of(outputs.measures)
    if not offered or (offered == (POSITIVE,) and not outputs.gold_labels):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in offered:
            _draw_option(name, f"{name} of measures {fingerprint}", files, choices, outputs)


def _draw_option(name: str, key: str, files: Files, choices: Choices, outputs: Outputs) -> None:
    args = (name, key, files, choices)
    now = choices.get(name)
    if name == POSITIVE and outputs.gold_labels:
        labels: list[object] = [None, *outputs.gold_labels]
        st.selectbox(
            POSITIVE_LABEL,
            labels,
            index=labels.index(now) if now in labels else 0,
            format_func=lambda label: FOUND if label is None else printable(str(label)),
            width=320,
            key=key,
            on_change=_choose,
            args=args,
        )
    elif name == BETA:
        value = float(now) if isinstance(now, int | float) else USUAL_BETA
        st.number_input(
            "β of F-beta",
            min_value=0.01,
            max_value=100.0,
            value=value,
            step=0.5,
            width=160,
            help="Recall counts β² times as much as precision.",
            key=key,
            on_change=_choose,
            args=args,
        )
    elif name == TOKENIZE:
        tokens = dict(TOKENIZERS)
        if isinstance(now, str):
            tokens.setdefault(now, now)
        st.selectbox(
            "Tokens of BLEU",
            list(tokens),
            index=list(tokens).index(now) if isinstance(now, str) else 0,
            format_func=tokens.__getitem__,
            width=220,
            key=key,
            on_change=_choose,
            args=args,
        )
    elif name in SWITCHES:
        st.checkbox(SWITCHES[name], value=bool(now), key=key, on_change=_choose, args=args)


def _choose_measures(key: str, files: Files, choices: Choices) -> None:
    """Read again with other measures; none is the usual one."""
    kept = {name: value for name, value in choices.items() if name not in ("measure", SHOWN)}
    chosen = list(st.session_state[key])
    read_outputs(files, {**kept, "measure": chosen} if chosen else kept)


def _choose(name: str, key: str, files: Files, choices: Choices) -> None:
    """Read again with another option; what holds anyway isn't told."""
    kept = {other: value for other, value in choices.items() if other != name}
    chosen = st.session_state[key]
    usual = {TOKENIZE: next(iter(TOKENIZERS)), BETA: USUAL_BETA, LOWERCASE: False, STEMMER: False}
    read_outputs(files, kept if chosen in (None, usual.get(name)) else {**kept, name: chosen})
