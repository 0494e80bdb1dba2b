"""Draws the robustness of the board: variants of the analysis, computed when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.background.given import BoardsChoice
from dashboard.navigation import page_path
from dashboard.parts.panels import as_information, delivered
from dashboard.parts.result_table import draw_frame, tall
from dashboard.session.judged_metrics import ask_judged, judged_by
from dashboard.session.requests import METRICS, ask_boards, ask_robustness
from dashboard.session.state import session
from dashboard.text import markdown
from nlpstat_core.report.wording.robustness import (
    EXPLORATION,
    dependence_sentence,
    metric_sentence,
    people_sentence,
    robustness_sentence,
    variant_name,
)
from nlpstat_core.report.wording.several_boards import agreement_phrase

if TYPE_CHECKING:
    from nlpstat_core.analysis.result import Analysis
    from nlpstat_core.results.robustness import Robustness, Variant

MOST_NAMED = 6
MOST_LISTED = 5_000


def draw_robustness(analysis: Analysis) -> None:
    """The offer to compute the variants, and what came of it."""
    st.markdown(
        "How the top group and the decisions change if one choice is changed at a time: the test, the "
        "correction, the rows per item, the treatment of missing scores, or the seed."
    )
    others = metric_sentence(analysis.scores) if session().raw is not None else None
    if others is not None:
        st.markdown(others)
    st.info(EXPLORATION, icon=":material/travel_explore:")
    if not st.toggle("Compute the variants", key="robustness", persist_state="session"):
        return
    found = delivered(ask_robustness(analysis), "Analysing variants")
    if found is not None:
        st.markdown(f"**{markdown(robustness_sentence(found))}**")
        draw_frame(
            variants_table(found.variants),
            f"Variants of the analysis. {robustness_sentence(found)}",
            height="content",
        )
        draw_agreement(analysis, found)
        draw_metrics(analysis, found.variants[0])


def draw_agreement(analysis: Analysis, found: Robustness) -> None:
    """Agreement pair by pair, least firm first."""
    frame = agreement_table(analysis, found)
    doubtful = int(np.count_nonzero(found.agreement < found.computed))
    st.markdown(
        f"**Pair by pair**: {doubtful:,} of {len(frame):,} pairs are not decided the same way by all "
        "analyses."
    )
    if len(frame) > MOST_LISTED:
        st.caption(f"The {MOST_LISTED:,} least certain are listed.")
    draw_frame(
        frame.head(MOST_LISTED),
        f"Agreement of {found.computed} analyses on each pair, least certain first.",
        height=tall(len(frame)),
        column_config={
            "Alike": st.column_config.ProgressColumn(
                help="Analyses that decide this pair as the board does.",
                format="%d",
                min_value=0,
                max_value=found.computed,
            )
        },
    )


def draw_metrics(analysis: Analysis, own: Variant) -> None:
    """The other metrics of the upload as variants; nothing where it holds one. `own`: The analysis itself."""
    if session().raw is None or len(analysis.scores.several.get("metrics", ())) < 2:
        return
    chosen = BoardsChoice(each="metric", lower=session().lower.get("metric"))
    answer = ask_boards(analysis.scores, analysis.config, chosen, METRICS)
    boards = delivered(answer, "Analysing the other metrics")
    if boards is not None:
        from nlpstat_core.analysis.several_boards.agreement import other_metrics, rank_dependence

        text = agreement_phrase(boards.agreement, "metric")
        st.markdown(f"**Metric by metric**: {text}.")
        st.markdown(markdown(dependence_sentence(rank_dependence(analysis, boards))))
        draw_frame(
            variants_table((own, *other_metrics(analysis, boards))),
            f"The same analysis of every metric. {text}.",
            height="content",
        )
        _draw_people(analysis)


def _draw_people(analysis: Analysis) -> None:
    """What people say of the board's metric, where one of the others is human."""
    judging = judged_by(analysis.scores, analysis.config)
    if judging is None:
        return
    found = delivered(
        ask_judged(analysis.scores, judging), "Judging metrics by people", refused=as_information
    )
    if found is not None:
        st.markdown(markdown(people_sentence(found, analysis.scores.metric)))
        st.page_link(page_path("metrics"), label="Metrics judged by people", icon=":material/rule:")


def variants_table(variants: Sequence[Variant]) -> pd.DataFrame:
    """One row per variant. `variants`: The analysis itself first."""
    own = set(variants[0].top)
    rows: list[dict[str, object]] = []
    for variant in variants:
        failed = variant.problem is not None
        rows.append(
            {
                "Variant": variant_name(variant),
                "Separated pairs": None if failed else variant.separated,
                "Decided as on the board": None if failed else variant.same,
                "Change in the top group": variant.problem or _change(own, variant.top),
                "Top group": _listed(variant.top),
            }
        )
    frame = pd.DataFrame(rows)
    counted = ["Separated pairs", "Decided as on the board"]
    return frame.astype(dict.fromkeys(counted, "Int64"))


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _change(own: set[str], top: tuple[str, ...]) -> str:
    joins = tuple(name for name in top if name not in own)
    leaves = tuple(sorted(own - set(top)))
    parts = [f"with {_listed(joins)}"] if joins else []
    parts += [f"without {_listed(leaves)}"] if leaves else []
    return "; ".join(parts) or "none"


def agreement_table(analysis: Analysis, found: Robustness) -> pd.DataFrame:
    """One row per pair: how many analyses decide it in which way, least agreement first."""
    pairs = analysis.pairs
    words = np.array(["not separated", "system A is better", "system B is better"], dtype=object)
    order = np.argsort(found.agreement, kind="stable")
    frame = pd.DataFrame(
        {
            "System A": pairs.system_a,
            "System B": pairs.system_b,
            "On the board": words[found.decision.astype(int)],
            "Alike": found.agreement,
            "System A is better": found.for_a,
            "System B is better": found.for_b,
            "Not separated": found.neither,
        }
    )
    return frame.iloc[order]
