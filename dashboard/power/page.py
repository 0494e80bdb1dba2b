"""Draws what a board could tell apart: the answer, every pair, the neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.background import power_tasks
from dashboard.parts.panels import delivered
from dashboard.parts.result_table import decimal_format, draw_frame, first_rows_high
from dashboard.session.results import Answer, ask
from dashboard.session.state import session
from dashboard.text import markdown
from nlpstat_core.formatting import count_of, format_fixed, format_fixed_interval, interval_decimals
from nlpstat_core.report.wording.documents import units_text as units_compared
from nlpstat_core.report.wording.power import (
    OBSERVED_POWER,
    board_sentence,
    family_phrase,
    models_sentence,
    units_text,
)

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.power import BoardPower, Neighbours

BOARD, FIRST = "board power", "first look at power"
TARGET = 0.8
MOST_ROWS = 5_000
QUICK_PAIRS = 400  # looked at in some seconds
FIRST_PAIRS = 60  # by documents half a second; their median is within some percent of that of all pairs
# Above this many pairs the answer is first computed from some that stand for all of them.
MANY_PAIRS, SAMPLED = 20_000, 4_000
WHOLE = "every pair's power"


@dataclass(frozen=True)
class Known:
    """What is known of a board by now.

    board: Of all its pairs, or of the few that are looked at first.
    near: As soon as all of it is computed.
    coming: Whether more is being computed.
    """

    board: BoardPower | None
    near: Neighbours | None
    coming: bool


def draw_known(analysis: Analysis) -> Known:
    """Draw the answer of the page as far as it is known, and how far the work is."""
    place = st.container()
    quick = len(analysis.pairs) <= QUICK_PAIRS
    most = SAMPLED if is_sampled(analysis) else None
    key = (analysis.fingerprint, analysis.config, most)
    few = None if (BOARD, key) in session().results else _first_look(analysis)
    whole = ask(BOARD, key, power_tasks.board_power, analysis, TARGET, most, quick=quick)
    if few is not None and few.job is not None and whole.job is not None:
        delivered(few, "Looking at some pairs first")
    found = delivered(whole, "Computing detectable differences")
    board, near = found or (None if few is None else few.value, None)
    if board is not None:
        with place:
            draw_answer(analysis, board, coming=whole.job is not None)
    return Known(board, near, whole.job is not None)


def _first_look(analysis: Analysis) -> Answer[BoardPower] | None:
    """Some pairs that stand for all of them; None where it wouldn't be there sooner."""
    if len(analysis.pairs) < 2 * FIRST_PAIRS:
        return None
    key = (analysis.fingerprint, analysis.config)
    return ask(FIRST, key, power_tasks.first_look, analysis, TARGET, FIRST_PAIRS, quick=True)


def is_sampled(analysis: Analysis) -> bool:
    """Whether the page looks at some pairs that stand for all, as long as nobody asks for every one."""
    return len(analysis.pairs) > MANY_PAIRS and not st.session_state.get(WHOLE, False)


def draw_answer(analysis: Analysis, board: BoardPower, *, coming: bool) -> None:
    """The smallest detectable difference: the answer of the page.

    coming: Whether that of the other pairs is being computed.
    """
    with st.container(border=True):
        measured = analysis.units.measured
        measure = "" if measured is None else measured.label
        answer = board_sentence(board, percent=analysis.units.solved_or_not, measure=measure)
        st.markdown(f"## {markdown(answer)}")
    config = analysis.config
    looked = board.looked_at
    if not looked.all():
        st.caption(
            f"Based on {int(looked.sum()):,} of {count_of(len(looked), 'pair')}, chosen evenly over tests, "
            f"numbers of items and sizes of the difference{'; more are being computed' if coming else ''}."
        )
    if len(looked) > MANY_PAIRS:
        st.toggle(f"Compute all {count_of(len(looked), 'pair')}", key=WHOLE, persist_state="session")
    level = family_phrase(config.correction, board.comparisons, board.comparison_alpha)
    lines = [f"With {units_compared(analysis)}, each pair's own test and standard deviation, {level}."]
    below = looked & (np.abs(analysis.pairs.difference - config.delta) < board.detectable)
    lines.append(
        f"In {int(below.sum()):,} of {count_of(int(looked.sum()), 'pair')} the observed difference is "
        "smaller than the detectable one."
    )
    unreachable, impossible = int((board.unreachable & looked).sum()), int((board.impossible & looked).sum())
    if unreachable:
        lines.append(
            f"{count_of(unreachable, 'pair')} can't become significant at this level, however large the "
            "difference: the two systems score differently on too few items "
            f"({impossible:,} of these pairs couldn't even without a correction)."
        )
    if np.isinf(board.detectable).any():
        lines.append(
            f"For {count_of(int(np.isinf(board.detectable).sum()), 'pair')} no difference that these scores "
            "allow would be found with that power."
        )
    st.markdown(markdown(" ".join(lines)))


def draw_about(board: BoardPower) -> None:
    """By which models the power is computed, and why that of what was observed is not."""
    st.markdown(markdown(models_sentence(board)))
    st.markdown(f"**Why no “observed power” here?** {OBSERVED_POWER}")


def draw_board(analysis: Analysis, board: BoardPower) -> None:
    """Every pair with its detectable difference."""
    pairs = analysis.pairs
    known, size = board.detectable > 0, np.abs(pairs.difference - analysis.config.delta)
    share = np.where(known, size / np.where(known, board.detectable, 1.0), 0.0)
    at = np.argsort(np.where(np.isnan(share) | ~known, np.inf, share), kind="stable")  # without numbers last
    at = at[board.looked_at[at]][:MOST_ROWS]
    verdict = np.where(board.detectable <= size, "", "smaller than detectable")
    verdict = np.where(np.isinf(board.detectable), "not reachable on this scale", verdict)
    verdict = np.where(board.model == "shape-t", "depends on the distribution; that of the t test", verdict)
    verdict = np.where(board.model == "few-documents", "too few or too unequal documents to say", verdict)
    verdict = np.where(board.unreachable, "can't be significant by itself", verdict)
    verdict = np.where(board.impossible, "can't be significant even uncorrected", verdict)
    documents = {"Documents": board.n_documents[at]} if board.n_documents[at].any() else {}
    frame = pd.DataFrame(
        {
            "System A": pairs.system_a[at],
            "System B": pairs.system_b[at],
            "Difference": pairs.difference[at],
            "Detectable": board.detectable[at],
            "Significant": pairs.significant[at],
            "Remark": verdict[at],
            "Items": pairs.n_units[at],
            **documents,
        }
    )
    draw_frame(
        frame,
        board_sentence(board),
        height=first_rows_high(len(frame), 12),
        key="detectable differences",
        column_config={
            "Difference": st.column_config.NumberColumn(
                format=decimal_format(frame["Difference"]), help="A − B, as observed."
            ),
            "Detectable": st.column_config.NumberColumn(
                format=decimal_format(frame["Detectable"]),
                help=f"Smallest true difference that is found with a power of {100 * board.power:g} %, "
                "whichever of the two systems is better.",
            ),
        },
    )
    if len(pairs) > MOST_ROWS:
        st.caption(f"The {MOST_ROWS:,} pairs whose difference is furthest below the detectable one.")


def draw_neighbours(found: Neighbours) -> None:
    """Units needed to separate each pair of neighbours."""
    st.markdown(
        f"Items needed for a power of {100 * found.power:g} %, if the true effect is the estimate (Needed) "
        "or an end of its interval (At least, At most). ∞: the interval includes a difference of zero, so "
        "no number of items is known to suffice."
        + (
            " Items come in whole documents like these; with fewer than ten, no test of documents is "
            "reliable."
            if found.n_documents.any()
            else ""
        )
        + (" For pairs that share no item: items of each system." if found.independent.any() else "")
    )
    per_document = np.where(found.n_documents > 0, found.n_a / np.maximum(found.n_documents, 1), 0.0)
    places = interval_decimals(found.interval)
    frame = pd.DataFrame(
        {
            "Upper": found.upper,
            "Lower": found.lower,
            "Effect": [format_fixed(float(effect), places) for effect in found.effect],
            "Interval": [format_fixed_interval(low, high, places) for low, high in found.interval],
            "Items now": [
                units_text(a, of_one) if a == b else f"{a:,} and {b:,}"
                for a, b, of_one in zip(found.n_a, found.n_b, per_document, strict=True)
            ],
            **{
                title: [units_text(n, of_one) for n, of_one in zip(needed, per_document, strict=True)]
                for title, needed in (
                    ("Needed", found.needed),
                    ("At least", found.needed_least),
                    ("At most", found.needed_most),
                )
            },
        }
    )
    draw_frame(
        frame,
        "Items needed to separate neighbours on the leaderboard.",
        height=first_rows_high(len(frame), 12),
        key="neighbours",
        column_config={
            "Effect": st.column_config.TextColumn(
                help="Difference in standard deviations; for sign tests, the share of wins minus one half."
            ),
            "At least": st.column_config.TextColumn(
                help="If the true effect is the end of its interval that is farther from zero."
            ),
            "At most": st.column_config.TextColumn(
                help="If the true effect is the end of its interval that is nearer to zero."
            ),
        },
    )
