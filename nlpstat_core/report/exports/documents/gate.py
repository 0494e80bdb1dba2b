"""A gate, by scores or by battles, for pull requests (Markdown), build servers (JUnit XML) and as CSV."""

import math
import xml.etree.ElementTree as xml
from collections.abc import Callable, Sequence

import numpy as np

from nlpstat_core.formatting import common_decimals, format_p, interval_decimals
from nlpstat_core.notes import Note, warnings
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.documents.markdown import table_md, text
from nlpstat_core.report.exports.tables.table import Column, Table, counts, fixed, intervals, names, written
from nlpstat_core.report.exports.tables.table import words as word_column
from nlpstat_core.report.wording.gate import WORDS, gate_question, gate_sentence, needed
from nlpstat_core.report.wording.preference_gate import battle_gate_sentence
from nlpstat_core.report.wording.sentences import withheld
from nlpstat_core.results.gate import Candidate, Decision, GateData
from nlpstat_core.results.preference_gate import PreferenceCandidate, PreferenceGate

SIGNS = {"pass": "✅", "fail": "❌", "undecided": "❔"}


def gate_md(gate: GateData, *, words: Callable[[str], str] = str) -> str:
    """A table with a row a candidate, for the summary of a job or a comment on a pull request.

    words: Puts what mends a problem in a front's words.
    """
    why = withheld(gate.analysis)
    told = [
        *([] if why is None else [words(why)]),
        *(f"{gate_sentence(gate, one)}." for one in gate.candidates),
    ]
    lines = _lines(
        gate.decision, f" ({text(gate_question(gate))})", gate_table(gate), told, gate.analysis.notes
    )
    small = f"<sub>`{gate.analysis.signature}` · scores {gate.analysis.fingerprint[:12]}</sub>"
    return "\n".join([*lines, "", small])


def battle_gate_md(gate: PreferenceGate) -> str:
    """The same by battles."""
    told = [f"{battle_gate_sentence(gate, one)}." for one in gate.candidates]
    asked = f": at most {gate.margin:g} weaker than {text(gate.baseline)}?"
    return "\n".join(_lines(gate.decision, asked, battle_gate_table(gate), told, gate.board.notes))


def _lines(
    decision: Decision, asked: str, table: Table, told: Sequence[str], notes: Sequence[Note]
) -> list[str]:
    """Markdown of a decision, the question, the candidates and what to mind."""
    return [
        f"### {SIGNS[decision]} {WORDS[decision]}{asked}",
        "",
        table_md(table),
        "",
        *(f"* {text(one)}" for one in told),
        *(f"* {note.severity}: {text(note.text)}" for note in warnings(notes)),
    ]


def gate_table(gate: GateData, *, signs: bool = True) -> Table:
    """A row a candidate. `signs`: a sign beside each decision."""
    made, alpha = gate.candidates, gate.comparison_alpha
    ends = np.array([one.interval for one in made])
    scores = [score for one in made for score in (one.score, one.baseline_score)]
    decimals = max(common_decimals(scores, 4), interval_decimals(ends))
    is_open = any(one.units_to_decide is not None for one in made)
    return Table(
        "",
        (
            names("system", (one.system for one in made)),
            word_column(
                "decision", (f"{SIGNS[one.decision]} " * signs + WORDS[one.decision] for one in made)
            ),
            fixed("score", (one.score for one in made), decimals),
            fixed(gate.baseline, (one.baseline_score for one in made), decimals),
            fixed("difference", (one.difference for one in made), decimals),
            intervals(f"{100 * gate.analysis.config.level:.4g} % interval", ends, decimals),
            _p_values(made, alpha),
            counts("items", (one.n_units for one in made)),
            *([written("would decide", map(needed, made), map(_or_nan, made))] if is_open else []),
        ),
    )


def _p_values(made: Sequence[Candidate | PreferenceCandidate], alpha: float) -> Column:
    """The p that each decision rests on."""
    found = [one.p_inferior if one.decision == "fail" else one.p_non_inferior for one in made]
    return written("p", ("–" if math.isnan(p) else format_p(p, alpha=alpha) for p in found), found)


def battle_gate_table(gate: PreferenceGate) -> Table:
    """A row a candidate of a gate by battles."""
    made = gate.candidates
    ends = np.array([(one.lower, one.upper) for one in made])
    decimals = interval_decimals(ends)
    return Table(
        "",
        (
            names("system", (one.system for one in made)),
            word_column("decision", (f"{SIGNS[one.decision]} {WORDS[one.decision]}" for one in made)),
            fixed("difference of strengths", (one.difference for one in made), decimals),
            intervals(f"{100 * (1 - 2 * gate.level):.4g} % interval", ends, decimals),
            _p_values(made, gate.level),
            fixed("% of points", (100 * one.share for one in made), 0),
            counts("battles", (one.battles for one in made)),
        ),
    )


def _or_nan(one: Candidate) -> float:
    return math.nan if one.units_to_decide is None else float(one.units_to_decide)


def gate_csv(gate: GateData) -> str:
    """A row a candidate, in full precision."""
    import pandas as pd

    rows = [one.to_dict() for one in gate.candidates]
    for row in rows:
        row["interval_low"], row["interval_high"] = row.pop("interval")
        row["baseline"], row["margin"] = gate.baseline, gate.margin
    return csv_text(pd.DataFrame(rows))


def battle_gate_csv(gate: PreferenceGate) -> str:
    """A row a candidate of a gate by battles, in full precision."""
    import pandas as pd

    rows = [{**vars(one), "baseline": gate.baseline, "margin": gate.margin} for one in gate.candidates]
    return csv_text(pd.DataFrame(rows))


def battle_gate_junit(gate: PreferenceGate) -> str:
    """JUnit XML of a gate by battles."""
    return junit_xml([(one.system, one.decision, battle_gate_sentence(gate, one)) for one in gate.candidates])


def gate_junit(gate: GateData) -> str:
    """JUnit XML: a test case a candidate; a failed one is a failure, an open one an error."""
    return junit_xml([(one.system, one.decision, gate_sentence(gate, one)) for one in gate.candidates])


def junit_xml(cases: Sequence[tuple[str, Decision, str]]) -> str:
    """JUnit XML of candidates, decisions and what is said of each."""
    counted = [decision for _, decision, _ in cases]
    suite = xml.Element(
        "testsuite",
        name="nlpstat gate",
        tests=str(len(counted)),
        failures=str(counted.count("fail")),
        errors=str(counted.count("undecided")),
        skipped="0",
    )
    for system, decision, sentence in cases:
        case = xml.SubElement(suite, "testcase", classname="nlpstat.gate", name=_printable(system))
        said = _printable(sentence)
        if decision == "fail":
            xml.SubElement(case, "failure", type="fail", message=said)
        elif decision == "undecided":
            xml.SubElement(case, "error", type="undecided", message=said)
        else:
            xml.SubElement(case, "system-out").text = said
    xml.indent(suite)
    body: str = xml.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _printable(words: str) -> str:
    """Without characters that XML can't hold."""
    return "".join(char if char.isprintable() else " " for char in words)
