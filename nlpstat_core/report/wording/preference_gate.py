"""What a gate by battles found, and what changed between two boards of preferences."""

import math
from collections.abc import Callable

from nlpstat_core.formatting import (
    count_of,
    format_fixed,
    format_interval,
    format_score,
    is_or_are,
    p_equals,
    rounded_up,
)
from nlpstat_core.report.wording.changes import CAUTION, setting_text
from nlpstat_core.report.wording.gate import WORDS
from nlpstat_core.report.wording.preferences import some_names
from nlpstat_core.results.preference_gate import PreferenceCandidate, PreferenceChanges, PreferenceGate

MOST_LISTED = 30


def battle_gate_sentence(
    gate: PreferenceGate, one: PreferenceCandidate, name: Callable[[str], str] = str
) -> str:
    """The decision about one candidate with its reason and, where it is open, what would decide it."""
    new, old = name(one.system), name(gate.baseline)
    if one.decision == "pass":
        found = (
            f"{new} is stronger than {old}"
            if one.superior
            else f"{new} is at most {gate.margin:g} weaker than {old}"
        )
    elif one.decision == "fail":
        found = f"{new} is weaker than {old} by more than {gate.margin:g}"
    else:
        found = f"{new} may or may not be weaker than {old} by {gate.margin:g} or more"
    share = format_fixed(100 * one.share, 0)
    parts = [found]
    if math.isnan(one.error):
        parts.append(
            f"difference of strengths {format_score(one.difference)}, whose battles leave no variance"
        )
    else:
        p = one.p_inferior if one.decision == "fail" else one.p_non_inferior
        parts += [
            f"difference of strengths {format_score(one.difference)}, {100 * (1 - 2 * gate.level):.4g} % "
            f"interval {format_interval(one.lower, one.upper)}",
            f"one-sided {p_equals(p, alpha=gate.level)}",
        ]
    parts += [
        f"{share} % of the points expected against {old}",
        f"{count_of(one.battles, 'battle')} between them, {gate.board.n_battles:,} in all",
    ]
    if one.battles_to_decide is not None:
        parts.append(
            f"about {rounded_up(one.battles_to_decide):,} battles would decide a true difference like this"
        )
    return "; ".join(parts)


def battle_gate_summary(gate: PreferenceGate, name: Callable[[str], str] = str) -> str:
    """What was asked and decided, a line a candidate."""
    asked = "stronger than" if gate.margin == 0 else f"at most {gate.margin:g} weaker than"
    by = f"errors by {gate.board.clusters}" if gate.board.clusters else "battles taken as independent"
    lines = [f"{WORDS[gate.decision]}: {asked} {name(gate.baseline)} by battles ({by})?"]
    lines += [f"{WORDS[one.decision]} {battle_gate_sentence(gate, one, name)}." for one in gate.candidates]
    return "\n".join(lines)


def preference_changes_text(found: PreferenceChanges, name: Callable[[str], str] = str) -> str:
    """The changes as lines to read."""
    settings = ", ".join(
        f"{what} {setting_text(old)} → {setting_text(new)}" for what, (old, new) in found.settings.items()
    )
    lines = [
        f"{found.before.n_battles:,} battles before, {found.after.n_battles:,} now.",
        *([f"Added: {some_names(list(map(name, found.added)))}."] if found.added else []),
        *([f"Removed: {some_names(list(map(name, found.removed)))}."] if found.removed else []),
        f"Settings: {settings}." if settings else "The settings are the same.",
        f"{len(found.flipped):,} of {count_of(found.n_compared, 'pair')} of systems on both boards "
        f"{is_or_are(len(found.flipped))} decided otherwise; ranks of {len(found.ranks):,} of the "
        f"{len(found.systems):,} systems moved.",
    ]
    flips = [f"* {name(a)} against {name(b)}: {old} before, {new} now" for a, b, old, new in found.flipped]
    moves = [f"* {name(system)}: {old:,} → {new:,}" for system, old, new in found.ranks]
    for title, rows in (("Decisions that flipped", flips), ("Ranks that moved", moves)):
        if rows:
            lines += ["", f"{title}:", *rows[:MOST_LISTED]]
            if len(rows) > MOST_LISTED:
                lines.append(f"… and {len(rows) - MOST_LISTED:,} more")
    if flips:
        lines += ["", CAUTION]
    return "\n".join(lines)
