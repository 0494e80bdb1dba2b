"""Sentences about metrics judged by people."""

from collections.abc import Mapping

import numpy as np

from nlpstat_core.errors import Sentence, shown
from nlpstat_core.formatting import count_of
from nlpstat_core.notes import Note
from nlpstat_core.report.wording.sentences import withheld_by
from nlpstat_core.results.metrics import MetaEvaluationData

LABELS = {
    "soft-pairwise-accuracy": "Soft pairwise accuracy",
    "system-accuracy": "Pairwise accuracy",
    "system-pearson": "Pearson (systems)",
    "system-spearman": "Spearman (systems)",
    "system-kendall": "Kendall τ-b (systems)",
    "segment-pearson": "Pearson (segments)",
    "segment-spearman": "Spearman (segments)",
    "segment-kendall": "Kendall τ-b (segments)",
    "item-pearson": "Pearson (by item)",
    "item-spearman": "Spearman (by item)",
    "item-kendall": "Kendall τ-b (by item)",
    "acc-eq": "acc*eq (by item)",
}
FEW_SYSTEMS = 8


def reason(found: MetaEvaluationData) -> str:
    """Which metric is human, and why."""
    name = shown(found.human.name)
    if not found.human.word:
        return f"The human scores are {name}, as you said."
    others = (
        f"; {', '.join(map(shown, found.human.others))} could be used as well" if found.human.others else ""
    )
    return f"The human scores are {name}, because its name says {found.human.word}{others}."


def headline(found: MetaEvaluationData, statistic: str = "soft-pairwise-accuracy") -> str:
    """The answer in one or two sentences, or why there is none yet."""
    if (why := withheld_by(found.doubts)) is not None:
        return why
    values = found.values(statistic)
    label = LABELS[statistic]
    if np.isnan(values).all():
        return f"{label} is undefined for every metric here."
    best = int(np.nanargmax(values))
    text = f"{shown(found.metrics[best])} agrees best with people: {label} {values[best]:.3f}."
    tied = int(np.count_nonzero(values == values[best])) - 1
    if tied:
        others = "1 other" if tied == 1 else f"{tied:,} others"
        text = (
            f"{shown(found.metrics[best])} and {others} agree best with people: {label} {values[best]:.3f}."
        )
    if len(found.metrics) == 1:
        return f"{shown(found.metrics[0])} beside people: {label} {values[0]:.3f}."
    if np.isnan(found.p_adjusted[statistic]).all():
        return f"{text} Metrics can't be compared by this statistic."
    ranks = found.ranks(statistic)
    group = int(np.count_nonzero(ranks == 1))
    if group == 1:
        worse, compared = int(found.separated(statistic)[best].sum()), int(np.count_nonzero(ranks)) - 1
        if not compared:
            return text
        if worse == compared:
            return f"{text} It is significantly better than every other metric."
        return (
            f"{text} It is significantly better than the next metric, and than {worse:,} of {compared:,} "
            "others in all."
        )
    return f"{text} {count_of(group, 'metric')} share the first cluster with no significant difference."


def meta_notes(found: MetaEvaluationData, left_out: Mapping[str, str]) -> tuple[Note, ...]:
    """What to mind. `left_out`: metrics that couldn't be read, and why."""
    judged = found.judged
    notes = []

    def note(code: str, severity: str, text: str) -> None:
        notes.append(Note(code, severity, text))  # type: ignore[arg-type]

    systems = int(np.count_nonzero(~np.isnan(judged.human).all(axis=0)))
    if systems < 3:
        note(
            "few-judged-systems",
            "caution",
            f"People judged {systems} systems: correlations over systems need at least three and are "
            "undefined.",
        )
    elif systems < FEW_SYSTEMS:
        note(
            "few-judged-systems",
            "caution",
            f"People judged only {systems} systems: correlations and accuracies over systems vary widely.",
        )
    for name, gone in judged.without.items():
        listed = ", ".join(map(shown, gone[:5])) + (", …" if len(gone) > 5 else "")
        note(
            "metric-lacks-systems",
            "caution",
            f"{shown(name)} lacks {count_of(len(gone), 'judged system')} ({listed}); it is judged on the "
            "others, and compared with another metric on the systems both have.",
        )
    for name in found.metrics:
        missing = judged.judged_cells - judged.cells[name]
        if judged.cells[name] == 0:
            note(
                "nothing-shared",
                "problem",
                f"{shown(name)} has no score that people judged; it is undefined.",
            )
        elif missing:
            note(
                "cells-left-out",
                "info",
                f"{shown(name)} has {judged.cells[name]:,} of the {judged.judged_cells:,} judged scores; "
                "the others are left out for it.",
            )
    for place, name in enumerate(found.metrics):
        values = judged.scores[place]
        known = values[~np.isnan(values)]
        if known.size and np.all(known == known[0]):
            note(
                "constant-metric",
                "caution",
                f"{shown(name)} gives the same score everywhere; it separates nothing.",
            )
        elif known.size and np.array_equal(values[~np.isnan(values)], judged.human[~np.isnan(values)]):
            note("metric-is-human", "caution", f"{shown(name)} equals the human scores; is it also human?")
    against = [
        name
        for name, value in zip(found.metrics, found.values("segment-pearson"), strict=True)
        if value < -0.1
    ]
    if against:
        every = len(against) == len(found.metrics) > 1
        whose = (
            f"Every metric goes against {shown(found.human.name)}"
            if every
            else (
                f"{', '.join(map(shown, against[:5]))}{', …' if len(against) > 5 else ''} "
                f"{'goes' if len(against) == 1 else 'go'} against people"
            )
        )
        note(
            "direction-doubtful",
            "caution",
            f"{whose} item by item; is the direction right? Say which metrics are better when lower.",
        )
    for name, why in left_out.items():
        out = f"{shown(name)} can't be read as scores of several systems: "
        note("metric-left-out", "caution", Sentence(out, why))
    if len(found.metrics) > 1:
        note(
            "no-test-of-kendall",
            "info",
            "Kendall's τ-b over all segments is given without a comparison of metrics, which would take "
            "hours; the one grouped by item has one.",
        )
        note(
            "how-compared",
            "info",
            "Metrics are compared by PERM-BOTH (scores of single "
            f"{'cells' if found.exchange == 'cells' else 'systems, whole,'} exchanged at random); soft "
            "pairwise accuracy and statistics grouped by item by exchanging whole items.",
        )
        if found.exchange == "cells":
            note(
                "these-systems",
                "info",
                "The claims are about these systems. To speak about systems like these, exchange whole "
                "systems: of four metrics that are equally good but favour different systems, exchanged "
                "cells separate some by Pearson's r of systems on 41 % of boards at 5 %, whole ones on 7 % "
                "(simulated).",
            )
        else:
            note(
                "these-systems",
                "caution",
                "Soft pairwise accuracy and statistics grouped by item are compared by exchanging items, "
                "which is about these systems: of four metrics that are equally good but favour different "
                "systems, soft accuracy separates some on 34 % of boards at 5 % (simulated).",
            )
    return tuple(notes)


def disagreement_sentence(found: MetaEvaluationData) -> str:
    """How many pairs of systems a metric and people decide in opposite ways."""
    if found.doubts:
        return (
            "Decisions are compared with those of people once the questions about how the file was read are "
            "answered."
        )
    n = len(found.disagreements)
    if n == 0:
        return "No metric orders two systems significantly against people's significant order."
    return (
        f"{count_of(n, 'decision')} of a metric on a pair of systems "
        f"{'goes' if n == 1 else 'go'} against people, both significantly."
    )
