"""What pages about several metrics of an upload show where there is one metric, or no scores."""

import streamlit as st

from dashboard.navigation import LANDING, page_path
from dashboard.parts.panels import empty_state
from dashboard.session.judged_metrics import metric_names
from dashboard.session.state import session
from dashboard.text import markdown
from nlpstat_core.analysis.metrics.aligned import human_metric
from nlpstat_core.errors import NlpstatError, shown
from nlpstat_core.notes import RATINGS_IN_WORDS


def metrics_or_needs(needs: str, example: str) -> list[str]:
    """Names of the metrics of the upload; none, and what the page needs is drawn, where there is one."""
    scores = session().scores
    names = [] if scores is None else metric_names(scores)
    if names:
        return names
    if scores is None:
        empty_state()
    else:
        words = [note.text for note in scores.notes if note.code == RATINGS_IN_WORDS]
        st.info(markdown(" ".join(["The scores that are loaded have one metric only.", *words])))
    st.markdown(needs)
    st.code(example, language=None)
    if scores is not None:
        st.page_link(page_path(LANDING), label="Load another score file", icon=":material/upload_file:")
    return []


def guessed_human(names: list[str]) -> tuple[int | None, str]:
    """Which metric people gave by its name, and why, in plain text; None where no name says so."""
    try:
        guessed = human_metric(names)
    except NlpstatError:
        return None, (
            "No metric's name says that people gave it (MQM, ESA, DA, human, annotator, gold): choose it."
        )
    return names.index(guessed.name), f"Guessed: the name of {shown(guessed.name)} says {guessed.word}."
