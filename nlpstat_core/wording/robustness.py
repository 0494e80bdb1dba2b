"""Sentences on the robustness of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nlpstat_core.corrections import CORRECTIONS
from nlpstat_core.wording.sentences import label_of_test

if TYPE_CHECKING:
    from nlpstat_core.ranking.robustness import Robustness, Variant
    from nlpstat_core.scores import ScoreMatrix

EXPLORATION = (
    "Exploration only: one choice is changed at a time, to see what hangs on it. Report the analysis you "
    "chose before you looked; picking the variant with the wanted result makes its error rate meaningless."
)
_MISSING = {"pairwise": "per pair", "complete": "only units every system has"}


def variant_name(variant: Variant) -> str:
    """What is different in a variant.

    Parameters
    ----------
    variant : Variant

    Returns
    -------
    str
    """
    value = str(variant.value)
    if variant.changed == "test":
        return f"Test: {label_of_test(value)}"
    if variant.changed == "correction":
        return f"Correction: {CORRECTIONS[value].label}"
    if variant.changed == "unit_size":
        return f"Rows per unit: {value}"
    if variant.changed == "missing":
        return f"Missing scores: {_MISSING.get(value, value)}"
    if variant.changed == "metric":
        return f"Metric: {value}"
    return f"Seed: {value}" if variant.changed == "seed" else "As analysed"


def metric_sentence(scores: ScoreMatrix) -> str | None:
    """That the metric, or the test set, was a choice as well.

    Parameters
    ----------
    scores : ScoreMatrix

    Returns
    -------
    str or None
        None where the upload holds one board.
    """
    metrics = len(scores.several.get("metrics", ()))
    if metrics > 1:
        return (
            f"The metric is a choice, too: this upload holds {metrics:,}, and the others are computed with "
            "the variants. What all of them say together stands below, under “Across metrics and data sets”."
        )
    if scores.several:
        return "This upload holds other boards as well; “Across metrics and data sets”, below, compares them."
    return None


def robustness_sentence(found: Robustness) -> str:
    """How much of a board stays the same whichever choice is changed.

    Parameters
    ----------
    found : Robustness

    Returns
    -------
    str
    """
    defined = [variant for variant in found.variants if variant.problem is None]
    firm = int(np.count_nonzero(found.agreement == found.computed))
    told = (
        f"{firm:,} of {found.decision.size:,} pairs are decided alike in all {found.computed} analyses "
        "(this one and its variants)"
    )
    if not defined[0].top:
        return f"{told}."
    same = sum(set(variant.top) == set(defined[0].top) for variant in defined[1:])
    return f"{told}; {same} of {len(defined) - 1} variants have the same top group."
