"""A gate's result for pull requests (Markdown) and build servers (JUnit XML)."""

import math
import xml.etree.ElementTree as xml
from collections.abc import Callable, Sequence

import numpy as np

from nlpstat_core.formatting import common_decimals, format_p, interval_decimals
from nlpstat_core.notes import warnings
from nlpstat_core.report.exports.data.csv_text import csv_text
from nlpstat_core.report.exports.documents.markdown import table_md, text
from nlpstat_core.report.exports.tables.table import Table, counts, fixed, intervals, names, written
from nlpstat_core.report.exports.tables.table import words as word_column
from nlpstat_core.report.wording.gate import WORDS, gate_question, gate_sentence, needed
from nlpstat_core.report.wording.sentences import withheld
from nlpstat_core.results.gate import Candidate, Decision, GateData

SIGNS = {"pass": "✅", "fail": "❌", "undecided": "❔"}


def gate_md(gate: GateData, *, words: Callable[[str], str] = str) -> str:
    """A table with a row a candidate, for the summary of a job or a comment on a pull request.

    words: Puts what mends a problem in a front's words.
    """
    why = withheld(gate.analysis)
    lines = [
        f"### {SIGNS[gate.decision]} {WORDS[gate.decision]} ({text(gate_question(gate))})",
        "",
        table_md(gate_table(gate)),
        "",
        *([] if why is None else [f"* {text(words(why))}"]),
        *(f"* {text(gate_sentence(gate, one))}." for one in gate.candidates),
        *(f"* {note.severity}: {text(note.text)}" for note in warnings(gate.analysis.notes)),
        "",
        f"<sub>`{gate.analysis.signature}` · scores {gate.analysis.fingerprint[:12]}</sub>",
    ]
    return "\n".join(lines)


def gate_table(gate: GateData, *, signs: bool = True) -> Table:
    """A row a candidate. `signs`: a sign beside each decision."""
    made, alpha = gate.candidates, gate.comparison_alpha
    ends = np.array([one.interval for one in made])
    scores = [score for one in made for score in (one.score, one.baseline_score)]
    decimals = max(common_decimals(scores, 4), interval_decimals(ends))
    p_values = [one.p_inferior if one.decision == "fail" else one.p_non_inferior for one in made]
    is_open = any(one.units_to_decide is not None for one in made)
    shown = ("–" if math.isnan(p) else format_p(p, alpha=alpha) for p in p_values)
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
            written("p", shown, p_values),
            counts("items", (one.n_units for one in made)),
            *([written("would decide", map(needed, made), map(_or_nan, made))] if is_open else []),
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
