"""A gate by battles for pull requests (Markdown), build servers (JUnit XML) and spreadsheets (CSV)."""

import math

import numpy as np

from nlpstat_core.formatting import format_p, interval_decimals
from nlpstat_core.notes import warnings
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.documents.gate import SIGNS, junit_xml
from nlpstat_core.report.exports.documents.markdown import table_md, text
from nlpstat_core.report.exports.tables.table import Table, counts, fixed, intervals, names, words, written
from nlpstat_core.report.wording.gate import WORDS
from nlpstat_core.report.wording.preference_gate import battle_gate_sentence
from nlpstat_core.results.preference_gate import PreferenceGate


def battle_gate_table(gate: PreferenceGate) -> Table:
    """A row a candidate."""
    made = gate.candidates
    ends = np.array([(one.lower, one.upper) for one in made])
    decimals = interval_decimals(ends)
    p_values = [one.p_inferior if one.decision == "fail" else one.p_non_inferior for one in made]
    shown = ("–" if math.isnan(p) else format_p(p, alpha=gate.level) for p in p_values)
    return Table(
        "",
        (
            names("system", (one.system for one in made)),
            words("decision", (f"{SIGNS[one.decision]} {WORDS[one.decision]}" for one in made)),
            fixed("difference of strengths", (one.difference for one in made), decimals),
            intervals(f"{100 * (1 - 2 * gate.level):.4g} % interval", ends, decimals),
            written("p", shown, p_values),
            fixed("% of points", (100 * one.share for one in made), 0),
            counts("battles", (one.battles for one in made)),
        ),
    )


def battle_gate_md(gate: PreferenceGate) -> str:
    """A table with a row a candidate, for the summary of a job or a comment on a pull request."""
    lines = [
        f"### {SIGNS[gate.decision]} {WORDS[gate.decision]}: at most {gate.margin:g} weaker than "
        f"{text(gate.baseline)}?",
        "",
        table_md(battle_gate_table(gate)),
        "",
        *(f"* {text(battle_gate_sentence(gate, one))}." for one in gate.candidates),
        *(f"* {note.severity}: {text(note.text)}" for note in warnings(gate.board.notes)),
    ]
    return "\n".join(lines)


def battle_gate_csv(gate: PreferenceGate) -> str:
    """A row a candidate, in full precision."""
    import pandas as pd

    rows = [{**vars(one), "baseline": gate.baseline, "margin": gate.margin} for one in gate.candidates]
    return csv_text(pd.DataFrame(rows))


def battle_gate_junit(gate: PreferenceGate) -> str:
    """JUnit XML: a test case a candidate; a failed one is a failure, an open one an error."""
    return junit_xml([(one.system, one.decision, battle_gate_sentence(gate, one)) for one in gate.candidates])
