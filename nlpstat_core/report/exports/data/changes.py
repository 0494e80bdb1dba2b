"""What changed between two analyses, as plain data and as text."""

from collections.abc import Callable
from typing import Any

from nlpstat_core.errors import shown
from nlpstat_core.report.exports.data.names import visible
from nlpstat_core.report.exports.data.numbers import number
from nlpstat_core.report.wording.changes import changes_sentences, flip_sentence, move_sentence
from nlpstat_core.report.wording.sentences import withheld
from nlpstat_core.results.changes import ChangesData
from nlpstat_core.results.columns import VERDICTS

MOST_IN_TEXT = 30
MOST_IN_JSON = 50_000


def changes_to_dict(found: ChangesData) -> dict[str, Any]:
    """The changes as plain data; `flipped` has the first 50,000 pairs, `n_flipped` counts all."""
    scores = [
        dict(zip(analysis.leaderboard.system, analysis.leaderboard.score.tolist(), strict=True))
        for analysis in (found.before, found.after)
    ]
    return {
        "before": {"signature": found.before.signature, "fingerprint": found.before.fingerprint},
        "after": {"signature": found.after.signature, "fingerprint": found.after.fingerprint},
        "same_units": found.same_units,
        "added": [visible(name) for name in found.added],
        "removed": [visible(name) for name in found.removed],
        "settings": {name: {"before": old, "after": new} for name, (old, new) in found.settings.items()},
        "alpha": {"before": found.before.config.alpha, "after": found.after.config.alpha},
        "family_size": {"before": found.before.family_size, "after": found.after.family_size},
        "n_compared": found.n_compared,
        "n_flipped": len(found.flipped),
        "flipped": [_flip(found, row) for row in range(min(len(found.flipped), MOST_IN_JSON))],
        "moved": [
            {
                "system": visible(found.systems[place]),
                "rank_before": int(found.rank_before[place]) or None,
                "rank_after": int(found.rank_after[place]) or None,
                "same_scores": bool(found.same_scores[place]),
                "score_before": number(scores[0][found.systems[place]]),
                "score_after": number(scores[1][found.systems[place]]),
            }
            for place in found.moved.tolist()
        ],
        "sentences": list(changes_sentences(found)),
    }


def _flip(found: ChangesData, row: int) -> dict[str, Any]:
    a, b, old, new = found.flipped[row].tolist()
    entry: dict[str, Any] = {
        "system_a": visible(found.systems[a]),
        "system_b": visible(found.systems[b]),
        "before": VERDICTS[old],
        "after": VERDICTS[new],
        "same_scores": bool(found.same_pair[row]),
    }
    for when, analysis, place in zip(
        ("before", "after"), (found.before, found.after), found.flipped_rows[row], strict=True
    ):
        entry[f"p_adjusted_{when}"] = number(analysis.pairs.p_adjusted[place])
    for when, analysis, place in zip(
        ("before", "after"), (found.before, found.after), found.flipped_rows[row], strict=True
    ):
        turned = analysis.pairs.left[place] != analysis.units.index(found.systems[a])
        difference = analysis.pairs.difference[place]
        entry[f"difference_{when}"] = number(-difference if turned else difference)  # a − b on both boards
    return entry


def changes_text(found: ChangesData, *, most: int = MOST_IN_TEXT, words: Callable[[str], str] = str) -> str:
    """The changes as lines, so many decisions and ranks at most; `words` puts remedies in a front's words."""
    lines = [words(sentence) for sentence in changes_sentences(found)]
    if withheld(found.before, found.after) is not None:
        return "\n".join(lines)
    for title, rows, sentence in (
        ("Decisions that flipped", range(len(found.flipped)), flip_sentence),
        ("Ranks that moved", found.moved.tolist(), move_sentence),
    ):
        if len(rows):
            lines += ["", f"{title}:", *(f"* {sentence(found, row)}" for row in rows[:most])]
            if len(rows) > most:
                lines.append(f"… and {len(rows) - most:,} more")
    return "\n".join(lines)


def changes_file(found: ChangesData) -> str:
    """The changes (at most 50,000 flips), with what identifies both analyses, as a file to keep."""
    lines = [changes_text(found, most=MOST_IN_JSON), ""]
    for when, analysis in (("Before", found.before), ("Now", found.after)):
        source = f"{shown(analysis.scores.source)[1:-1]}, " if analysis.scores.source else ""
        lines.append(f"{when}: {source}{analysis.signature}, {analysis.fingerprint}")
    return "\n".join(lines) + "\n"
