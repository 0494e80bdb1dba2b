"""Which metric of an upload is a judge that people correct, and what correcting it takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.background import upload_tasks
from dashboard.background.given import Correcting, JudgeSettings
from dashboard.session.facts import known_facts
from dashboard.session.judged_metrics import chosen_human, metric_names, metrics_in
from dashboard.session.results import QUICK_DIFFERENCES, Answer, ask
from dashboard.session.state import session
from nlpstat_core.methods.corrections import CORRECTIONS, max_t
from nlpstat_core.results.label_plan import NEXT, STRATUM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.background.given import PlannedLabels
    from nlpstat_core.config import AnalysisConfig
    from nlpstat_core.results.judge import JudgedBoard
    from nlpstat_core.scores.matrix import ScoreMatrix

MAX_T = max_t.METHOD.key
CORRECTED = "corrected judge"
PLAN = "label plan"
JUDGE = "judges judge"
NO_DOCUMENTS = NO_STRATA = ""
THESE_RATERS, OTHER_RATERS, STANDARDISED = "these", "others", "standardised"
_MODELS = re.compile("judge|gemba|gpt|llm|claude|gemini|autorater|prometheus", re.IGNORECASE)


def column_keys(scores: ScoreMatrix) -> tuple[str, str]:
    """Keys of the choices of documents and strata: files with other columns have their own."""
    columns = ", ".join(scores.labels)
    return f"judges documents {columns}", f"judges strata {columns}"


def raters_key(column: str) -> str:
    """Key of the choice of whom errors hold for: another column has its own."""
    return f"judges raters {column}"


def likely_judge(names: Sequence[str], human: str) -> str:
    """The metric that a model gave by its name, else the first that people didn't give."""
    others = [name for name in names if name != human]
    return next((name for name in others if _MODELS.search(name)), others[0])


def likely_documents(scores: ScoreMatrix, config: AnalysisConfig) -> str:
    """The label column that the sidebar names as documents, else the first whose name says so."""
    if config.block_column in scores.labels:
        return str(config.block_column)
    facts = known_facts(scores)
    proposed = () if facts.proposed_block is None else (facts.proposed_block,)
    return next((name for name in (*proposed, *facts.documents) if name in scores.labels), NO_DOCUMENTS)


def likely_strata(scores: ScoreMatrix) -> str:
    """The column of strata that a plan writes into its file."""
    return STRATUM if STRATUM in scores.labels and NEXT in scores.labels else NO_STRATA


def correction_of(config: AnalysisConfig, signs: bool) -> str:
    """The sidebar's correction where it can be had here, else Holm's.

    signs: Whether max-T can: without strata and raters.
    """
    chosen = CORRECTIONS[config.correction]
    if chosen.key == MAX_T:
        return MAX_T if signs else "holm"
    return chosen.key if chosen.p_values_only and not chosen.all_pairs_of_a_board else "holm"


def corrected_by(scores: ScoreMatrix, config: AnalysisConfig) -> Correcting | None:
    """How a judge of an upload is corrected: as was chosen on the page of judges, else as names say.

    config: Its level and correction.
    Returns: None where there is one metric, or none that is human.
    """
    names = metric_names(scores)
    raw = session().raw
    if not names or raw is None:
        return None
    human = chosen_human(names)
    if human is None:
        return None
    judge = st.session_state.get(JUDGE)
    if judge not in names or judge == human:
        judge = likely_judge(names, human)
    documents, strata = (st.session_state.get(key) for key in column_keys(scores))
    if documents not in (NO_DOCUMENTS, *scores.labels):
        documents = likely_documents(scores, config)
    if strata not in (NO_STRATA, *scores.labels):
        strata = likely_strata(scores)
    column = None if scores.ratings is None else scores.ratings.column
    way = THESE_RATERS if column is None else st.session_state.get(raters_key(column), THESE_RATERS)
    settings: JudgeSettings = {
        "human": human,
        "judge": judge,
        "documents": None if strata else documents or None,
        "strata": strata or None,
        "raters": None if way == THESE_RATERS else column,
        "standardise_raters": way == STANDARDISED,
        "correction": correction_of(config, signs=not strata and way == THESE_RATERS),
        "alpha": config.alpha,
    }
    return Correcting(metrics_in(raw), settings)


def ask_corrected(scores: ScoreMatrix, correcting: Correcting) -> Answer[JudgedBoard]:
    """The judge's board of an upload, corrected by people."""
    key = (scores.fingerprint, correcting.given.chosen, *correcting.settings.values())
    quick = scores.n_systems * (scores.n_systems - 1) // 2 * scores.n_units <= QUICK_DIFFERENCES
    quick = quick and correcting.settings["correction"] != MAX_T
    return ask(
        CORRECTED, key, upload_tasks.corrected_judge, correcting.given, correcting.settings, quick=quick
    )


def ask_label_plan(
    scores: ScoreMatrix, correcting: Correcting, n_labels: int, seed: int
) -> Answer[PlannedLabels]:
    """Which items of an upload to label next."""
    names = (correcting.settings["human"], correcting.settings["judge"])
    key = (scores.fingerprint, correcting.given.chosen, *names, n_labels, seed)
    return ask(PLAN, key, upload_tasks.label_plan, correcting, n_labels, seed, quick=True)
