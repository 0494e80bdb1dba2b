"""F0.5 of edits, from counts of every item."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpstat_core.arrays import FloatArray
from nlpstat_core.errors import AnalysisError
from nlpstat_core.measures.record import Column, Encoded, Law, Measure, of_items


def _checked(gold: Any, counts: Any) -> tuple[float, float, float]:
    tp, fp, fn = (float(count) for count in counts)
    if min(tp, fp, fn) < 0:
        raise AnalysisError("Counts of edits must be 0 or more.")
    return tp, fp, fn


def encode(gold: Column, outputs: Sequence[Column], options: Mapping[str, Any]) -> Encoded:
    """True positives, false positives and false negatives; gold has no part in them."""
    return of_items(gold, outputs, _checked)


def value(gold: FloatArray, own: FloatArray) -> FloatArray:
    """1.25·tp/(1.25·tp + fp + 0.25·fn), 0 without any edit."""
    upper = 1.25 * own[0]
    below = upper + own[1] + 0.25 * own[2]
    found: FloatArray = upper / np.where(below > 0, below, 1.0)
    return found


METHOD = Measure(
    key="edit-f0.5",
    label="F0.5 of edits",
    kind="counts",
    bounds=(0.0, 1.0),
    summary="F0.5 of edits from true positives, false positives and false negatives of every item, as "
    "ERRANT counts them; precision weighs more.",
    formula=r"\frac{1.25\,tp}{1.25\,tp + fp + 0.25\,fn}",
    encode=encode,
    law=Law(value=value),
    reference="its definition from precision and recall",
    references=("bryant2017",),
)
