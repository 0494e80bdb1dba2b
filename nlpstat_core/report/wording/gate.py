"""What a gate found, in one line a candidate."""

import math

from nlpstat_core.errors import Sentence
from nlpstat_core.formatting import format_interval, format_score, p_equals, rounded_up
from nlpstat_core.report.wording.documents import units_text
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.report.wording.sentences import withheld
from nlpstat_core.results.gate import Candidate, GateData

WORDS = {"pass": "PASS", "fail": "FAIL", "undecided": "UNDECIDED"}
COUNTED = {
    "pass": ("passes", "pass"),
    "fail": ("fails", "fail"),
    "undecided": ("is undecided", "are undecided"),
}


def gate_sentence(gate: GateData, candidate: Candidate) -> str:
    """The decision about one candidate with its reason and, where it is open, what would decide it."""
    name, other = candidate.system, gate.baseline
    if gate.waits:
        return (
            f"{name} and {other}: nothing is decided until the questions about how the file was read are "
            f"answered"
        )
    margin = f"{gate.margin:g}"
    level = f"{100 * gate.analysis.config.level:.4g} %"
    difference = (
        f"difference {format_score(candidate.difference)}, {level} interval "
        f"{format_interval(*candidate.interval)}"
    )
    if math.isnan(candidate.difference):
        return f"{name} and {other} share no item, so they can't be compared"
    if candidate.decision == "pass" and candidate.superior:
        found = f"{name} is better than {other}"
    elif candidate.decision == "pass":
        found = f"{name} is at most {margin} worse than {other}"
    elif candidate.decision == "fail":
        found = f"{name} is worse than {other} by more than {margin}"
    else:
        found = f"{name} may or may not be worse than {other} by {margin} or more"
    parts = [found, difference, *_p(gate, candidate), units_text(gate.analysis, systems=(name, other))]
    if candidate.test is not None:
        parts.append(label_of_test(candidate.test))
    if candidate.decision == "undecided":
        parts.append(_needed(candidate))
    return "; ".join(parts)


def gate_line(gate: GateData) -> str:
    """The decision about all candidates in one line, or why none is taken yet."""
    if (why := withheld(gate.analysis)) is not None:
        return Sentence(f"{WORDS[gate.decision]}: ", *why.parts)
    said = " | ".join(
        gate_sentence(gate, candidate)
        if len(gate.candidates) == 1
        else f"{WORDS[candidate.decision]} {gate_sentence(gate, candidate)}"
        for candidate in gate.candidates
    )
    return f"{WORDS[gate.decision]}: {said}."


def gate_summary(gate: GateData) -> str:
    """What was decided about several candidates together, or why nothing is yet."""
    if (why := withheld(gate.analysis)) is not None:
        return Sentence(f"{WORDS[gate.decision]}: ", *why.parts)
    decisions: list[str] = [candidate.decision for candidate in gate.candidates]
    found = ", ".join(
        f"{number:,} {said[number != 1]}" for key, said in COUNTED.items() if (number := decisions.count(key))
    )
    of = f"of {len(decisions):,} candidates {found}; {units_text(gate.analysis)}."
    return f"{WORDS[gate.decision]} ({gate_question(gate)}): {of}"


def gate_question(gate: GateData) -> str:
    """What the gate requires of every candidate."""
    asked = "better than" if gate.margin == 0 else f"at most {gate.margin:g} worse than"
    return f"required: {asked} {gate.baseline}"


def _p(gate: GateData, candidate: Candidate) -> list[str]:
    p = candidate.p_inferior if candidate.decision == "fail" else candidate.p_non_inferior
    return [] if math.isnan(p) else [f"one-sided {p_equals(p, alpha=gate.comparison_alpha)}"]


def _needed(candidate: Candidate) -> str:
    if candidate.too_skewed:
        moved = "lose" if candidate.skewness < 0 else "gain"
        return (
            f"a few items {moved} much (skewness {candidate.skewness:.1f}), so p is too small on fewer than "
            f"{needed(candidate)}"
        )
    if candidate.units_to_decide is None:
        return "the difference lies on the margin, where no number of items decides"
    return f"{needed(candidate)} would decide if the true difference is the observed one"


def needed(candidate: Candidate) -> str:
    """The number of items that would decide, rounded up: it comes from an estimate."""
    units = candidate.units_to_decide
    return "–" if units is None else f"about {rounded_up(units):,} items"
