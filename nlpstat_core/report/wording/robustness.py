"""Sentences on the robustness of a board."""

import math

import numpy as np

from nlpstat_core.errors import shown
from nlpstat_core.formatting import count_of, is_or_are
from nlpstat_core.methods.corrections import CORRECTIONS
from nlpstat_core.report.wording.metrics import headline
from nlpstat_core.report.wording.question import label_of_test
from nlpstat_core.results.metrics import MetaEvaluationData
from nlpstat_core.results.robustness import RankDependence, Robustness, Variant
from nlpstat_core.scores.matrix import ScoreMatrix

EXPLORATION = (
    "Exploration only: one choice is changed at a time, to see what hangs on it. Report the analysis you "
    "chose before you looked; picking the variant with the wanted result makes its error rate meaningless."
)
_MISSING = {"pairwise": "per pair", "complete": "only items every system has"}


def variant_name(variant: Variant) -> str:
    """What is different in a variant."""
    value = str(variant.value)
    if variant.changed == "test":
        return f"Test: {label_of_test(value)}"
    if variant.changed == "correction":
        return f"Correction: {CORRECTIONS[value].label}"
    if variant.changed == "unit_size":
        return f"Rows per item: {value}"
    if variant.changed == "missing":
        return f"Missing scores: {_MISSING.get(value, value)}"
    if variant.changed == "metric":
        return f"Metric: {value}"
    return f"Seed: {value}" if variant.changed == "seed" else "As analysed"


def metric_sentence(scores: ScoreMatrix) -> str | None:
    """That the metric, or the test set, was a choice as well; None where the upload holds one board."""
    metrics = len(scores.several.get("metrics", ()))
    if metrics > 1:
        return (
            f"The metric is a choice, too: this upload holds {metrics:,}, and the others are computed with "
            "the variants. What all of them say together is below, under “Across metrics and data sets”."
        )
    if scores.several:
        return "This upload holds other boards as well; “Across metrics and data sets”, below, compares them."
    return None


def dependence_sentence(found: RankDependence) -> str:
    """How much the ranking depends on the metric."""
    known = {name: value for name, value in found.agreement.items() if not math.isnan(value)}
    if not known or not found.best:
        return "The metrics share too few systems to compare their rankings."
    least, most = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    each = f"{known[least]:.2f} with that by {shown(least)}"
    if len(known) > 1:
        each = f"from {known[least]:.2f} ({shown(least)}) to {known[most]:.2f} ({shown(most)})"
    moved = (
        f"{shown(found.moves_most)} moves most, from rank {found.best} to rank {found.worst}"
        if found.best < found.worst
        else "no system changes its rank"
    )
    firsts = (
        f"{shown(found.first[0])} comes first by every metric"
        if len(found.first) == 1
        else f"{len(found.first)} systems come first by one metric or another"
    )
    return f"Kendall's τ-b of this ranking with those by the other metrics: {each}; {moved}, and {firsts}."


def people_sentence(found: MetaEvaluationData, metric: str | None) -> str:
    """How well the metric of a board orders systems as people do."""
    people = shown(found.human.name)
    if metric == found.human.name:
        return f"This board's metric, {people}, is the one that people gave; {headline(found)}"
    if metric not in found.metrics:
        return headline(found)
    place = found.metrics.index(metric)
    value = found.values("soft-pairwise-accuracy")[place]
    against = sum(one.metric == metric for one in found.disagreements)
    rank = int(found.ranks("soft-pairwise-accuracy")[place])
    stands = f" (cluster {rank} of the metrics)" if rank and len(found.metrics) > 1 else ""
    return (
        f"Compared with people ({people}), {shown(metric)} orders systems with a soft pairwise accuracy of "
        f"{value:.3f}{stands} and decides {count_of(against, 'pair')} of systems against them, both "
        "significantly."
    )


def robustness_sentence(found: Robustness) -> str:
    """How much of a board stays the same whichever choice is changed."""
    defined = [variant for variant in found.variants if variant.problem is None]
    firm = int(np.count_nonzero(found.agreement == found.computed))
    text = (
        f"{firm:,} of {found.decision.size:,} pairs {is_or_are(firm)} decided the same way in all "
        f"{found.computed} analyses (this one and its variants)"
    )
    if not defined[0].top:
        return f"{text}."
    same = sum(set(variant.top) == set(defined[0].top) for variant in defined[1:])
    return f"{text}; {same} of {len(defined) - 1} variants have the same top group."
