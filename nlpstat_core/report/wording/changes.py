"""Sentences about what changed between two analyses; they say what can have caused it, and what can't."""

from typing import Any

import numpy as np

from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of, format_p
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.report.wording.sentences import mixture, withheld
from nlpstat_core.results.changes import ChangesData
from nlpstat_core.results.columns import VERDICTS

MOST_NAMED = 8
CAUTION = (
    "A decision flips when its adjusted p crosses α, which a small change can do. This is not a test of "
    "whether the boards differ: compare the differences and their intervals before reading a flip as "
    "progress."
)


def changes_sentences(found: ChangesData) -> tuple[str, ...]:
    """What changed, a sentence each; why no decisions and ranks are compared while a file is in doubt."""
    why = withheld(found.before, found.after)
    return (
        _scores(found),
        *_systems(found),
        *_settings(found),
        *_tests(found),
        *_family(found),
        *((_decisions(found), _ranks(found)) if why is None else (why,)),
    )


def _scores(found: ChangesData) -> str:
    if found.before.fingerprint == found.after.fingerprint:
        return "The scores are the same."
    number, same = len(found.systems), int(found.same_scores.sum())
    before, after = found.before.scores.n_units, found.after.scores.n_units
    if not found.same_units:
        return f"The items are not the same: {before:,} before, {after:,} now."
    if same == number:
        return f"The scores of all {number:,} systems on both boards are the same."
    return f"The scores of {same:,} of the {number:,} systems on both boards are the same."


def _systems(found: ChangesData) -> tuple[str, ...]:
    lines = []
    if found.added:
        lines.append(f"Added: {_named(found.added)}.")
    if found.removed:
        lines.append(f"Removed: {_named(found.removed)}.")
    return tuple(lines)


def _named(names: tuple[str, ...]) -> str:
    listed = ", ".join(shown(name)[1:-1] for name in names[:MOST_NAMED])
    return listed if len(names) <= MOST_NAMED else f"{listed} and {len(names) - MOST_NAMED:,} more"


def _settings(found: ChangesData) -> tuple[str, ...]:
    if not found.settings:
        return ("The settings are the same.",)
    text = ", ".join(
        f"{name} {setting_text(old)} → {setting_text(new)}" for name, (old, new) in found.settings.items()
    )
    return (f"Settings: {text}.",)


def _tests(found: ChangesData) -> tuple[str, ...]:
    """That the data led to other tests under the same settings, where they did."""
    before, after = (mixture(analysis.pairs) for analysis in (found.before, found.after))
    if not before or not after or set(before) == set(after):
        return ()
    old, new = (", ".join(map(label_of_test, used)) for used in (before, after))
    return (f"Tests used: {old} before, {new} now.",)


def setting_text(value: Any) -> str:
    """A setting's value as people read it.

    >>> setting_text(None), setting_text(["a", "b"]), setting_text(0.05)
    ('none', 'a, b', '0.05')
    """
    if value is None or value == []:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else shown(value)[1:-1]


def _family(found: ChangesData) -> tuple[str, ...]:
    before, after = found.before.family_size, found.after.family_size
    if before == after or found.after.config.correction == "none":
        return ()
    return (
        f"{count_of(after, 'comparison')} are corrected together, {before:,} before: adjusted p-values can "
        "move although the scores of their pair did not.",
    )


def _decisions(found: ChangesData) -> str:
    number, flipped = found.n_compared, len(found.flipped)
    if not number:
        return "No pair was compared on both boards."
    if not flipped:
        return f"No decision changed among the {count_of(number, 'pair')} compared on both boards."
    text = (
        f"Of the {count_of(number, 'pair')} compared on both boards {flipped:,} {_have(flipped)} a different "
    )
    text += "verdict."
    same = int(found.same_pair.sum())
    if same:
        text += (
            f" For {same:,} of them neither system's scores changed: the cause is "
            f"{' or '.join(_causes(found))}."
        )
    return f"{text} {CAUTION}"


def _causes(found: ChangesData) -> list[str]:
    """What differs between the boards and can have flipped decisions about pairs whose scores stayed."""
    method = CORRECTIONS[found.after.config.correction]
    before, after = (
        analysis.pairs.p_value[found.flipped_rows[found.same_pair, side]]
        for side, analysis in enumerate((found.before, found.after))
    )
    # Rows in another order move the last digits.
    moved = not np.allclose(before, after, rtol=1e-6, atol=0, equal_nan=True)
    grown = method.controls and found.before.family_size != found.after.family_size
    elsewhere = bool(found.added or found.removed or not found.same_scores.all())
    causes = ["the settings"] if found.settings else []
    if moved and not found.settings:
        causes.append("the items or documents that they were compared on")
    if grown:
        causes.append("the number of comparisons")
    if method.controls and method.steps != "single" and (elsewhere or not causes):
        causes.append(f"the p-values of other pairs, with which the correction ({method.label}) steps")
    return causes or ["rounding"]


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _ranks(found: ChangesData) -> str:
    if not (found.rank_before.all() and found.rank_after.all()):
        return "Ranks can't be compared: on one of the boards some systems share no items with others."
    moved = len(found.moved)
    among = f"among the {count_of(len(found.systems), 'system')} on both boards"
    if not moved:
        return f"No rank changed {among}."
    return (
        f"{count_of(moved, 'rank')} changed {among}; where rank intervals overlap, the order was "
        "not settled before and isn't now."
    )


def flip_sentence(found: ChangesData, row: int) -> str:
    """One pair whose verdict changed."""
    a, b, old, new = found.flipped[row].tolist()
    first, second = (shown(found.systems[i])[1:-1] for i in (a, b))
    ps = [
        format_p(float(analysis.pairs.p_adjusted[place]), alpha=analysis.config.alpha)
        for analysis, place in zip((found.before, found.after), found.flipped_rows[row], strict=True)
    ]
    why = " (same scores)" if found.same_pair[row] else ""
    return f"{first} against {second}: {VERDICTS[old]} → {VERDICTS[new]}, adjusted p {ps[0]} → {ps[1]}{why}"


def move_sentence(found: ChangesData, place: int) -> str:
    """One system whose rank changed."""
    name = shown(found.systems[place])[1:-1]
    intervals = [_interval(analysis, found.systems[place]) for analysis in (found.before, found.after)]
    text = f"{name}: rank {found.rank_before[place]} → {found.rank_after[place]}"
    if None in intervals:
        return text
    return f"{text} (possible ranks on the whole board {intervals[0]} → {intervals[1]})"


def _interval(analysis: Any, system: str) -> str | None:
    ends = analysis.leaderboard.rank_interval
    if ends is None:
        return None
    low, high = np.asarray(ends[analysis.leaderboard.system.index(system)]).tolist()
    return f"{low}–{high}" if low < high else str(low)
