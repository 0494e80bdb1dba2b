"""Which metric of an upload stands for people, and what judging the others by it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background import upload_tasks
from dashboard.background.given import BoardsChoice, BoardsInFile, Judging, JudgingSettings
from dashboard.session.results import Answer, ask
from dashboard.session.state import session
from nlpstat_core.analysis.metrics.aligned import human_metric
from nlpstat_core.errors import NlpstatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nlpstat_core.analysis.meta_evaluation import MetaEvaluation
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.methods.correlation.perm_both import Exchange
    from nlpstat_core.scores.matrix import ScoreMatrix

META, AGREEMENT = "judged metrics", "agreement of metrics"
HUMAN, EXCHANGE = "metrics human", "metrics exchange"


def metric_names(scores: ScoreMatrix) -> list[str]:
    """Metrics of the upload on screen; none where it has one."""
    several = scores.several
    names = list(several.get("metrics") or several.get("sheets") or ())
    return names if len(names) > 1 and session().raw is not None else []


def judged_by(
    scores: ScoreMatrix, config: AnalysisConfig, human: str | None = None, exchange: Exchange | None = None
) -> Judging | None:
    """How the metrics of an upload are judged by people.

    config: Its level and seed.
    human, exchange: None takes what was chosen on the page of metrics, else the metric whose name says so,
        and "cells".
    Returns: None where there is one metric, or none that is human.
    """
    names = metric_names(scores)
    raw = session().raw
    if not names or raw is None:
        return None
    human = chosen_human(names, human)
    if human is None:
        return None
    settings: JudgingSettings = {
        "human": human,
        "exchange": exchange or st.session_state.get(EXCHANGE) or "cells",
        "alpha": config.alpha,
        "seed": config.seed,
    }
    return Judging(metrics_in(raw), settings)


def chosen_human(names: Sequence[str], told: str | None = None) -> str | None:
    """The metric that was chosen as the one people gave, else the one whose name says so, if any."""
    human = told or st.session_state.get(HUMAN)
    if human in names:
        return str(human)
    try:
        return human_metric(names).name
    except NlpstatError:
        return None


def metrics_in(raw: tuple[bytes, str]) -> BoardsInFile:
    """Every metric of the file."""
    chosen = BoardsChoice(each="metric", lower=session().lower.get("metric"))
    return BoardsInFile(raw, chosen.reading(session().choices), chosen)


def ask_judged(scores: ScoreMatrix, judging: Judging) -> Answer[MetaEvaluation]:
    """Every metric of an upload judged by the one that people gave."""
    key = (scores.fingerprint, judging.given.chosen, *judging.settings.values())
    return ask(META, key, upload_tasks.judged_metrics, judging.given, judging.settings)


def ask_agreement(scores: ScoreMatrix, judging: Judging) -> Answer[dict[str, dict[str, float]]]:
    """How well every metric orders systems as people do, without intervals and comparisons of metrics."""
    given, human = judging.given, judging.settings["human"]
    key = (scores.fingerprint, given.chosen, human)
    return ask(AGREEMENT, key, upload_tasks.agreement, given, human, quick=True)
