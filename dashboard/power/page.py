"""Draws what a board could tell apart: the answer, every pair, the neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.background import tasks
from dashboard.parts.panels import delivered
from dashboard.session.results import ask
from dashboard.text import NO_VALUE, markdown
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

BOARD = "board power"
TARGET = 0.8
MOST_ROWS = 5_000
QUICK_PAIRS = 400  # looked at in about a second
# Above this many pairs the answer is first computed from some that stand for all of them.
MANY_PAIRS, SAMPLED = 20_000, 4_000
WHOLE = "every pair's power"


def board_of(analysis: Analysis) -> tuple[BoardPower, Neighbours] | None:
    """What every pair could have shown, and the units that neighbours need; None while it is computed.

    Returns (BoardPower, Neighbours) or None.
    """
    sampled = is_sampled(analysis)
    quick = len(analysis.pairs) <= QUICK_PAIRS
    most = SAMPLED if sampled else None
    key = (analysis.fingerprint, analysis.config, most)
    answer = ask(BOARD, key, tasks.board_power, analysis, TARGET, most, quick=quick)
    found: tuple[BoardPower, Neighbours] | None = delivered(answer, BOARD, "Computing detectable differences")
    return found


def is_sampled(analysis: Analysis) -> bool:
    """Whether the page looks at some pairs that stand for all, as long as nobody asks for every one."""
    return len(analysis.pairs) > MANY_PAIRS and not st.session_state.get(WHOLE, False)


def draw_answer(analysis: Analysis, board: BoardPower) -> None:
    """The smallest detectable difference: the answer of the page."""
    with st.container(border=True):
        st.markdown(f"## {markdown(board_sentence(board, percent=analysis.units.solved_or_not))}")
    config = analysis.config
    if len(analysis.pairs) > MANY_PAIRS:
        _draw_sampling(analysis)
    looked = board.looked_at
    level = family_phrase(config.correction, board.comparisons, board.comparison_alpha)
    lines = [f"With {units_compared(analysis)}, each pair's own test and spread, {level}."]
    below = looked & (np.abs(analysis.pairs.difference - config.delta) < board.detectable)
    lines.append(
        f"In {int(below.sum()):,} of {count_of(int(looked.sum()), 'pair')} the observed difference is "
        "smaller than the one that could be found reliably."
    )
    unreachable, impossible = int((board.unreachable & looked).sum()), int((board.impossible & looked).sum())
    if unreachable:
        lines.append(
            f"{count_of(unreachable, 'pair')} can't reach this level, however large the "
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


def _draw_sampling(analysis: Analysis) -> None:
    """What the answer rests on, and the choice to look at every pair."""
    total = count_of(len(analysis.pairs), "pair")
    if is_sampled(analysis):
        st.caption(
            f"From {SAMPLED:,} of {total}, spread evenly over tests, items and sizes of the difference."
        )
    st.toggle(f"Look at all {total}", key=WHOLE, persist_state="session")


def draw_board(analysis: Analysis, board: BoardPower) -> None:
    """Every pair with its detectable difference."""
    pairs = analysis.pairs
    known, size = board.detectable > 0, np.abs(pairs.difference - analysis.config.delta)
    share = np.where(known, size / np.where(known, board.detectable, 1.0), 0.0)
    at = np.argsort(np.where(np.isnan(share) | ~known, np.inf, share), kind="stable")  # without numbers last
    at = at[board.looked_at[at]][:MOST_ROWS]
    verdict = np.where(board.detectable <= size, "", "smaller than detectable")
    verdict = np.where(np.isinf(board.detectable), "not reachable on this scale", verdict)
    verdict = np.where(board.model == "shape-t", "depends on the shape; the t test's", verdict)
    verdict = np.where(board.model == "few-documents", "too few or too unequal documents to say", verdict)
    verdict = np.where(board.unreachable, "can't be significant by itself", verdict)
    verdict = np.where(board.impossible, "can never be significant", verdict)
    documents = {"Documents": board.n_documents[at]} if board.n_documents[at].any() else {}
    frame = pd.DataFrame(
        {
            "System a": pairs.system_a[at],
            "System b": pairs.system_b[at],
            "Difference": pairs.difference[at],
            "Detectable": board.detectable[at],
            "Significant": pairs.significant[at],
            "Remark": verdict[at],
            "Items": pairs.n_units[at],
            **documents,
        }
    )
    st.dataframe(
        frame,
        hide_index=True,
        height=35 * (min(len(frame), 12) + 1) + 3,
        key="detectable differences",
        alt=board_sentence(board),
        column_config={
            "Difference": st.column_config.NumberColumn(format="%.4g", help="a − b, as observed."),
            "Detectable": st.column_config.NumberColumn(
                format="%.4g",
                help=f"Smallest true difference that is found with a power of {100 * board.power:g} %, "
                "whichever of the two systems is better.",
            ),
        },
        placeholder=NO_VALUE,
    )
    if len(pairs) > MOST_ROWS:
        st.caption(f"The {MOST_ROWS:,} pairs furthest below what could be detected.")


def draw_neighbours(found: Neighbours) -> None:
    """Units needed to separate each pair of neighbours."""
    st.markdown(
        f"For a power of {100 * found.power:g} %, if the true effect is the estimate, or either end of its "
        "interval. ∞: the interval includes a difference of zero, so no number of items is known to "
        "suffice."
        + (
            " In whole documents of the same make; with fewer than ten no test of documents is reliable."
            if found.n_documents.any()
            else ""
        )
        + (" Pairs that share no item: items of each system." if found.independent.any() else "")
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
    st.dataframe(
        frame,
        hide_index=True,
        height=35 * (min(len(frame), 12) + 1) + 3,
        key="neighbours",
        alt="Items needed to separate neighbours on the leaderboard.",
        column_config={
            "Effect": st.column_config.TextColumn(
                help="Difference in standard deviations; for tests of signs the share of wins above a half."
            ),
            "At least": st.column_config.TextColumn(help="At the far end of the interval of the effect."),
            "At most": st.column_config.TextColumn(help="At the end nearer to no difference."),
        },
        placeholder=NO_VALUE,
    )
